#include "loading/keys/mapping.hpp"

#include <algorithm>
#include <memory>

namespace spacedyn::loading {
namespace {

void add_notes(const Notes& notes, KeyTexts& keys) {
  if (!notes.description.empty()) keys.emplace_back("description", quoted_text(notes.description));
  if (!notes.source.empty()) keys.emplace_back("source", quoted_text(notes.source));
}

}  // namespace

void add_remarks(const Remarks& remarks, KeyTexts& keys) {
  for (const char* key : {"description", "source"}) {
    const auto note = remarks.notes.details.find(join_path(remarks.path, key));
    if (note != remarks.notes.details.end()) keys.emplace_back(key, quoted_text(note->second));
  }
}

bool MappingTable::Condition::holds(const MapReader& map) const {
  return needs == Needs::text ? map.says(key, text) : map.has(key) == (needs == Needs::presence);
}

Json MappingTable::Condition::schema(const std::string& dependent, Presence presence) const {
  Json condition = required_rule({key});
  if (needs == Needs::absence) condition = {{"not", condition}};
  if (needs == Needs::text) condition["properties"] = {{key, constant_schema(text)}};
  return if_rule(condition, presence == Presence::required ? required_rule({dependent}) : Json(),
                 no_key_rule({dependent}));
}

std::vector<std::string> MappingTable::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (!entry.key.empty()) names.push_back(entry.key);
  }
  return names;
}

std::string MappingTable::shape() const {
  constexpr std::size_t kMost = 4;
  const auto is_required = [](const Entry& entry) {
    return !entry.key.empty() && entry.presence == Presence::required;
  };
  std::string text;
  std::size_t count = 0;
  const bool has_required = std::any_of(entries_.begin(), entries_.end(), is_required);
  for (const Entry& entry : entries_) {
    if (entry.key.empty() || (has_required && !is_required(entry))) continue;
    if (++count > kMost) break;
    text += (text.empty() ? "" : ", ") + entry.key + ": …";
  }
  return text.empty() ? "" : "for instance {" + text + "}";
}

bool MappingTable::read_entry(const Entry& entry, Reading& reading, void* settings,
                              std::vector<std::string>& wrong) {
  MapReader& map = reading.map;
  if (entry.read_keys) return entry.read_keys(reading, settings);
  if (const Condition& other = entry.condition; other.needs != Needs::nothing) {
    if (std::count(wrong.begin(), wrong.end(), other.key) > 0) return !map.find(entry.key);
    const bool holds = other.holds(map);
    if (!holds) map.refuse(entry.key, other.reason);
    if (!holds) return true;
  }
  if (entry.kind.needs_motion && !reading.motion) return !map.find(entry.key);
  const bool is_required = entry.presence == Presence::required;
  const bool slides = entry.kind.needs_motion && reading.motion == JointType::prismatic;
  const std::string& expected = slides ? entry.kind.expected_of_sliding : entry.kind.expected;
  const auto value = is_required ? map.require(entry.key, expected) : map.find(entry.key);
  const bool is_right =
      value ? entry.kind.read(*value, reading, entry.access(settings)) : !is_required;
  if (!is_right) wrong.push_back(entry.key);
  return is_right;
}

bool MappingTable::read(Reading& reading, void* settings) const {
  MapReader& map = reading.map;
  const std::size_t errors_before = map.problems().error_count();
  bool is_complete = map.is_mapping();
  std::vector<std::string> wrong;  // keys without a right value
  for (const Entry& entry : entries_) {
    is_complete = read_entry(entry, reading, settings, wrong) && is_complete;
  }
  if (!map.is_mapping()) return false;
  for (const auto& check : key_checks_) check(map);
  const auto is_right = [&] {
    return is_complete && map.problems().error_count() == errors_before;
  };
  for (const auto& check : checks_) {
    if (is_right()) check(settings, reading);
  }
  return is_right();
}

void MappingTable::finish(MapReader& map, void* settings) const {
  map.finish();
  if (notes_ != nullptr) notes_(settings) = map.take_notes();
}

bool MappingTable::read_whole(const Value& value, ReadContext& context, void* settings,
                              const Reading* outer) const {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context, value.node->is_mapping() ? "" : shape());
  Reading reading = outer == nullptr ? Reading{map} : outer->at(map);
  const bool is_complete = read(reading, settings);
  finish(map, settings);
  return is_complete && context.problems.error_count() == errors_before;
}

void MappingTable::describe(MappingSchema& schema, Presence most) const {
  for (const Entry& entry : entries_) {
    if (entry.describe_keys) {
      entry.describe_keys(schema);
    } else if (entry.condition.needs != Needs::nothing) {
      schema.allow(entry.key, entry.kind.schema());
      schema.add_condition(entry.condition.schema(entry.key, entry.presence));
    } else {
      schema.add(std::min(entry.presence, most), entry.key, entry.kind.schema());
    }
  }
  for (const Json& rule : rules_) schema.add_rule(rule);
}

Json MappingTable::schema() const {
  MappingSchema schema(title_);
  describe(schema);
  return schema;
}

KeyTexts MappingTable::write(const void* settings, const Remarks& remarks) const {
  // access is to settings that may change; writing does not
  auto* const owner = const_cast<void*>(settings);
  static const Notes kNoNotes;
  const Notes* own = notes_ == nullptr ? nullptr : &notes_(owner);
  const Remarks about = own == nullptr ? remarks : Remarks{*own};
  KeyTexts keys;
  for (const Entry& entry : entries_) {
    if (entry.write_keys) entry.write_keys(settings, keys);
    if (!entry.kind.write) continue;
    const std::string text = entry.kind.write(entry.access(owner), about.of(entry.key));
    const bool is_needed =
        entry.presence == Presence::required ||
        text != entry.kind.write(entry.access(const_cast<void*>(usual_.get())), {kNoNotes});
    if (is_needed && !text.empty()) keys.emplace_back(entry.key, text);
  }
  if (own != nullptr) {
    add_notes(*own, keys);
  } else {
    add_remarks(remarks, keys);
  }
  return keys;
}

std::string MappingTable::text(const KeyTexts& keys) const {
  return is_block_ && !keys.empty() ? block_text(keys) : flow_text(keys);
}

void MappingTable::merge_table(const MappingTable& other, const Access& part) {
  for (Entry entry : other.entries_) {
    if (entry.read_keys) {
      entry.read_keys = [read = entry.read_keys, part](Reading& reading, void* settings) {
        return read(reading, part(settings));
      };
      entry.write_keys = [write = entry.write_keys, part](const void* settings, KeyTexts& keys) {
        write(part(const_cast<void*>(settings)), keys);
      };
    } else {
      entry.access = [access = entry.access, part](void* settings) {
        return access(part(settings));
      };
    }
    entries_.push_back(std::move(entry));
  }
  rules_.insert(rules_.end(), other.rules_.begin(), other.rules_.end());
  key_checks_.insert(key_checks_.end(), other.key_checks_.begin(), other.key_checks_.end());
  for (const auto& check : other.checks_) {
    checks_.emplace_back(
        [check, part](void* settings, Reading& reading) { check(part(settings), reading); });
  }
}

bool read_any(const AnyKind& kind, const Value& value, ReadContext& context, void* target) {
  Node nothing;
  nothing.kind = Node::Kind::mapping;
  MapReader map({&nothing, ""}, context);
  Reading reading{map};
  return kind.read(value, reading, target);
}

Json element_schema(std::string_view type, const MappingTable& keys) {
  MappingSchema schema(keys.title());
  schema.require("type", constant_schema(type)).allow("name", text_schema());
  keys.describe(schema);
  return schema;
}

Json Variants::schema(const char* title) const {
  std::vector<Json> schemas;
  for (std::size_t i = 0; i < names.size(); ++i) {
    MappingSchema schema(tables[i].title());
    schema.require(key, constant_schema(names[i]));
    tables[i].describe(schema);
    schemas.push_back(schema);
  }
  return one_of_schema(schemas, title);
}

bool Variants::read(
    const Value& value, ReadContext& context, void* settings, const Reading* outer,
    const std::function<void(std::size_t type, Reading& reading)>& prepare,
    const std::function<void(std::size_t type, Reading& reading, bool is_right)>& use) const {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  const auto type = map.require(key, list_choices(names));
  const auto choice = type ? read_choice(*type, names, map.problems()) : std::nullopt;
  if (!choice) {
    map.report_missing();  // the other keys depend on it
    return false;
  }
  Reading reading = outer == nullptr ? Reading{map} : outer->at(map);
  if (prepare) prepare(*choice, reading);
  const bool is_complete = tables[*choice].read(reading, settings);
  if (use) use(*choice, reading, is_complete);
  tables[*choice].finish(map, settings);
  return is_complete && context.problems.error_count() == errors_before;
}

AnyKind any_variant(const Variants& given, const char* title,
                    void (*store)(void* target, std::size_t position),
                    std::size_t (*position)(const void* value)) {
  const auto variants = std::make_shared<const Variants>(given);
  AnyKind kind{"a mapping", [=] { return variants->schema(title); }};
  kind.is_mapping = true;
  kind.read = [=](const Value& value, Reading& outer, void* target) {
    const auto prepare = [&](std::size_t type, Reading&) { store(target, type); };
    return variants->read(value, outer.map.context(), target, &outer, prepare, {});
  };
  kind.write = [=](const void* value, const Remarks& remarks) {
    const MappingTable& table = variants->tables[position(value)];
    KeyTexts keys = table.write(value, remarks);
    keys.insert(keys.begin(), {variants->key, variants->names[position(value)]});
    return table.text(keys);
  };
  return kind;
}

}  // namespace spacedyn::loading

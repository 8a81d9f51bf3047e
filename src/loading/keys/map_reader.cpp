#include "loading/keys/map_reader.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "loading/foreign/mesh_files.hpp"
#include "loading/keys/session.hpp"
#include "loading/schema/schema.hpp"
#include "loading/yaml/compose.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/names.hpp"
#include "terrain/mesh_text.hpp"

namespace spacedyn::loading {
namespace {

Json start_event_schema() {
  return text_schema("Event from whose first time on the times of this count; before it rests");
}

Json note_schema() { return text_schema("Free text that is kept"); }

/// Whether a key is another one but for its case, the order of its letters or a single letter. More
/// would be guessed where the other keys are not known: `time` beside `type` is a word of its own.
bool is_slip_of(std::string key, const std::string& other) {
  for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  // before the distance, which takes long for long texts
  if (key.size() > other.size() + 1 || other.size() > key.size() + 1) return false;
  return std::is_permutation(key.begin(), key.end(), other.begin(), other.end()) ||
         edit_distance(key, other) <= 1;
}

}  // namespace

extern const SchemaDefinition kNoteDefinition{"note", note_schema};
extern const SchemaDefinition kStartEventDefinition{"start_event", start_event_schema};

Notes NoteCollection::take(const std::string& path) {
  Notes notes;
  const std::string prefix = path.empty() ? "" : path + '.';
  auto entry = texts_.lower_bound(prefix);
  while (entry != texts_.end() && entry->first.compare(0, prefix.size(), prefix) == 0) {
    const std::string key = entry->first.substr(prefix.size());
    if (key == "description") {
      notes.description = entry->second;
    } else if (key == "source") {
      notes.source = entry->second;
    } else {
      notes.details[key] = entry->second;
    }
    entry = texts_.erase(entry);
  }
  return notes;
}

int AwaitedEvents::add(const std::string& name, const Value& place) {
  places.emplace_back(name, place);
  const auto known = std::find(names.begin(), names.end(), name);
  if (known != names.end()) return static_cast<int>(known - names.begin());
  names.push_back(name);
  return static_cast<int>(names.size()) - 1;
}

int read_start_event(MapReader& map) {
  const auto value = map.find("start");
  const auto name = value ? read_text(*value, map.problems()) : std::nullopt;
  return name ? map.context().awaited.add(*name, *value) : -1;
}

MapReader::MapReader(const Value& value, ReadContext& context, const std::string& hint)
    : path_(value.path), mark_(value.node->mark), context_(context) {
  if (!value.node->is_mapping()) {
    problems().error(mark_, path_, "expected a mapping, got " + describe(*value.node), hint);
    return;
  }
  node_ = value.node;
  read_note("description");
  read_note("source");
}

void MapReader::read_note(std::string_view key) {
  const Entry* entry = node_->find(key);
  if (entry == nullptr) return;
  known_.emplace_back(key);
  const std::string path = join_path(path_, key);
  if (auto note = read_text({entry->value.get(), path}, problems())) {
    context_.notes.add(path, std::move(*note));
  }
}

bool MapReader::has(std::string_view key) const {
  return node_ != nullptr && node_->find(key) != nullptr;
}

bool MapReader::says(std::string_view key, std::string_view text) const {
  return node_ != nullptr && node_->text_at(key) == text;
}

std::optional<Value> MapReader::find(std::string_view key) {
  known_.emplace_back(key);
  const Entry* entry = node_ == nullptr ? nullptr : node_->find(key);
  if (entry == nullptr) return std::nullopt;
  return Value{entry->value.get(), join_path(path_, key)};
}

std::optional<Value> MapReader::require(std::string_view key, const std::string& expected) {
  auto value = find(key);
  if (!value) missing_.emplace_back(key, expected);
  return value;
}

double MapReader::number(std::string_view key, const Quantity& quantity, double fallback) {
  const auto value = find(key);
  return value ? read_number(*value, quantity, problems()).value_or(fallback) : fallback;
}

double MapReader::required_number(std::string_view key, const Quantity& quantity) {
  const auto value = require(key, expectation(quantity));
  return value ? read_number(*value, quantity, problems()).value_or(0.0) : 0.0;
}

bool MapReader::boolean(std::string_view key, bool fallback) {
  const auto value = find(key);
  return value ? read_boolean(*value, problems()).value_or(fallback) : fallback;
}

std::string MapReader::text(std::string_view key) {
  const auto value = find(key);
  return value ? read_text(*value, problems()).value_or("") : "";
}

std::string MapReader::required_text(std::string_view key) {
  const auto value = require(key, "a text");
  return value ? read_text(*value, problems()).value_or("") : "";
}

Vector3 MapReader::vector3(std::string_view key, const Quantity& quantity,
                           const Vector3& fallback) {
  const auto value = find(key);
  if (!value) return fallback;
  const auto numbers = read_numbers(*value, quantity, 3, problems());
  return numbers ? Vector3(*numbers) : fallback;
}

void MapReader::refuse(std::string_view key, const std::string& reason) {
  const Entry* entry = node_ == nullptr ? nullptr : node_->find(key);
  if (entry == nullptr) return;
  known_.emplace_back(key);
  problems().error(entry->key_mark, join_path(path_, key),
                   "expected no " + quote(key) + " here, got one: " + reason);
}

void MapReader::error_at(std::string_view key, const std::string& message,
                         const std::string& hint) {
  const Entry* entry = node_ == nullptr ? nullptr : node_->find(key);
  problems().error(entry == nullptr ? mark_ : entry->value->mark, join_path(path_, key), message,
                   hint);
}

void MapReader::finish() {
  if (node_ == nullptr) return;
  for (const Entry& entry : node_->entries) {
    if (problems().is_full()) break;
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    // a misspelt key is missing, too, but that goes without saying
    const std::string nearest = refuse_unknown(entry);
    const auto missing = std::find_if(missing_.begin(), missing_.end(),
                                      [&](const auto& other) { return other.first == nearest; });
    if (missing == missing_.end()) continue;
    problems().mark_wrong(mark_.source, join_path(path_, nearest));
    missing_.erase(missing);
  }
  report_missing();
}

void MapReader::report_missing() {
  if (node_ == nullptr || node_->lacks_keys) return;
  for (const auto& [key, expected] : missing_) {
    const auto slip = std::find_if(
        node_->entries.begin(), node_->entries.end(), [&, &key = key](const Entry& entry) {
          return std::find(known_.begin(), known_.end(), entry.key) == known_.end() &&
                 is_slip_of(entry.key, key);
        });
    if (slip != node_->entries.end()) {
      problems().error(
          slip->key_mark, join_path(path_, slip->key),
          "expected the key " + quote(key) + ", got the unknown key " + quote(slip->key),
          "did you mean '" + key + "'?");
      continue;
    }
    problems().error(mark_, join_path(path_, key),
                     "expected " + expected + ", got nothing: this key is required");
  }
}

std::string MapReader::refuse_unknown(const Entry& entry) {
  std::vector<std::string> keys = known_;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::vector<std::string> absent;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(absent),
               [&](const std::string& key) { return !has(key); });
  std::string hint(hint_of_other_name(path_, entry.key));
  std::string nearest = hint.empty() ? nearest_name(entry.key, absent) : "";
  if (hint.empty() && nearest.empty()) nearest = nearest_name(entry.key, keys);
  if (!nearest.empty()) hint = "did you mean '" + nearest + "'?";
  const std::string expected =
      nearest.empty() ? "one of the keys " + list_choices(keys) : "the key '" + nearest + "'";
  problems().error(entry.key_mark, join_path(path_, entry.key),
                   "expected " + expected + ", got the unknown key " + quote(entry.key), hint);
  return nearest;
}

std::optional<VectorX> read_list(const Value& value, const std::vector<Quantity>& quantities,
                                 ProblemList& problems) {
  const Node& node = *value.node;
  const std::size_t size = quantities.size();
  if (!node.is_sequence() || node.items.size() != size) {
    problems.error(value, "expected a list of " + std::to_string(size) +
                              (size == 1 ? " number, got " : " numbers, got ") + describe(node));
    return std::nullopt;
  }
  VectorX numbers(static_cast<Eigen::Index>(size));
  bool complete = true;
  for (std::size_t i = 0; i < size; ++i) {
    const Value item{node.items[i].get(), join_path(value.path, std::to_string(i))};
    const auto number = read_number(item, quantities[i], problems);
    complete = complete && number.has_value();
    numbers(static_cast<Eigen::Index>(i)) = number.value_or(0.0);
  }
  if (!complete) return std::nullopt;
  return numbers;
}

std::optional<VectorX> read_numbers(const Value& value, const Quantity& quantity, int size,
                                    ProblemList& problems) {
  return read_list(value, std::vector<Quantity>(static_cast<std::size_t>(size), quantity),
                   problems);
}

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string without_mark(std::string text) {
  if (text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) {
    text.erase(0, kByteOrderMark.size());
  }
  return text;
}

void check_version(MapReader& map) {
  const auto version = map.require("spacedyn", "'spacedyn: 1'");
  if (!version) return;
  const Node& node = *version->node;
  if (!node.is_scalar() || node.quoted || node.text != "1") {
    map.problems().error(node.mark, "spacedyn",
                         "expected the format version 1, got " + describe(node));
  }
}

}  // namespace

Session::Session(const std::map<std::string, std::string>& texts) : opens_files_(false) {
  for (const auto& [path, text] : texts) texts_.emplace(canonical_path(path), text);
}

const Document& Session::open(const std::string& path) {
  const std::string key = canonical_path(path);
  if (shared_ != nullptr) {
    const auto shared = shared_->documents_.find(key);
    if (shared != shared_->documents_.end()) return shared->second;
  }
  const auto known = documents_.find(key);
  if (known != documents_.end()) return known->second;
  return documents_.emplace(key, compose_source(open_source(path))).first->second;
}

const Source& Session::open_source(const std::string& path) {
  if (opens_files_) return sources_.add(path, without_mark(read_bytes(path)));
  const std::string* kept = kept_text(canonical_path(path));
  if (kept == nullptr) throw IoError("'" + path + "' is not among the texts that were kept");
  return sources_.add(path, without_mark(*kept));
}

const std::string* Session::kept_text(const std::string& path) const {
  const auto kept = texts_.find(path);
  if (kept != texts_.end()) return &kept->second;
  return shared_ == nullptr ? nullptr : shared_->kept_text(path);
}

const TriangleMesh& Session::open_mesh(const std::string& path) {
  require_mesh_name(path);
  const std::string key = canonical_path(path);
  for (const Session* session : {shared_, static_cast<const Session*>(this)}) {
    if (session == nullptr) continue;
    const auto known = session->meshes_.find(key);
    if (known != session->meshes_.end()) return known->second;
  }
  return meshes_.emplace(key, read_mesh(path)).first->second;
}

TriangleMesh Session::read_mesh(const std::string& path) {
  if (!opens_files_) return parse_triangle_mesh(path, open_source(path).text());
  std::string bytes = read_bytes(path);
  if (bytes.size() > kMaxFileSize) {
    throw IoError(path + ": expected a mesh of at most " + std::to_string(kMaxFileSize >> 20U) +
                  " MiB");
  }
  return parse_triangle_mesh(path, sources_.add(path, mesh_text(std::move(bytes))).text());
}

Document Session::parse(const std::string& name, std::string text, bool is_override) {
  return compose_source(sources_.add(name, without_mark(std::move(text)), is_override));
}

Document Session::compose_source(const Source& source) {
  Document document;
  document.source = &source;
  const auto format =
      source.is_override() ? std::nullopt : foreign::format_of(source.name(), source.text());
  document.is_foreign = format.has_value();
  if (!format) {
    document.root = compose(source, problems_);
    return document;
  }
  const foreign::Surroundings around{
      import_options_, opens_files_,
      [this](const std::string& path) -> const Source& { return open_source(path); },
      [this](const std::string& path) { return open_mesh(path); }, problems_};
  document.root = foreign::compose_foreign(source, *format, around);
  return document;
}

std::optional<Value> read_file_frame(const Document& document, const std::string& key,
                                     ReadContext& context) {
  if (!document.root) return std::nullopt;
  const Node& root = *document.root;
  if (!root.is_mapping() || root.entries.empty()) {
    context.problems.error(root.mark, "",
                           "expected a mapping with the keys 'spacedyn' and '" + key + "', got " +
                               (root.is_mapping() ? "an empty one" : describe(root)));
    return std::nullopt;
  }
  MapReader map({&root, ""}, context);
  check_version(map);
  for (const char* other : {"model", "scenario", "sweep", "fit", "optimize"}) {
    if (other == key || !map.has(other) || map.has(key)) continue;
    context.problems.error(
        root.find(other)->key_mark, other,
        "expected the key '" + key + "', got '" + other + "': this is a " + other + " file");
    return std::nullopt;
  }
  auto value = map.require(key, "a mapping");
  map.finish();
  return value;
}

std::string folder_of(const std::string& file) {
  return std::filesystem::path(file).parent_path().string();
}

std::string resolve_path(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

std::string path_beside(const Value& value, const std::string& path) {
  const Source* includer = value.node->mark.source;
  const bool is_file = includer != nullptr && !includer->is_override();
  return resolve_path(is_file ? folder_of(includer->name()) : "", path);
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path, error);
  return error ? path : canonical.string();
}

}  // namespace spacedyn::loading

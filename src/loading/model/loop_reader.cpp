#include "loading/model/body_reader.hpp"

#include <algorithm>

#include "loading/model/model_reader.hpp"

namespace spacedyn::loading {
namespace {

/// Joints of a gear; the last, which it drives, tells the unit of keys that come later.
Kind<std::vector<std::string>> geared_joints() {
  auto joints = kind::list(kind::text(), "a list of joints", 1);
  joints.read = [read = joints.read](const Value& value, Reading& reading, void* target) {
    const bool is_right = read(value, reading, target);
    const auto& names = *static_cast<const std::vector<std::string>*>(target);
    const ModelDescription* model = reading.map.context().model;
    if (names.empty() || model == nullptr) return is_right;
    for (const LinkDescription& link : model->links) {
      const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
      if (name == names.back()) reading.motion = link.joint.type;
    }
    return is_right;
  };
  return joints;
}

Kind<double> loop_length() { return kind::number(quantity::positive(quantity::kLength), "m"); }

/// A constant one here; one that follows a reference belongs to a scenario.
KeyGroup<LoopDescription> length_keys() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("length", loop_length().schema())
        .allow("rheonomic", rheonomic_schema())
        .add_rule(one_key_rule({"length", "rheonomic"}));
  };
  const auto read = [](Reading& reading, LoopDescription& loop) {
    const Kind<double> length = loop_length();
    const auto value = reading.map.require("length", length.expected);
    return value && length.read(*value, reading, &loop.length);
  };
  const auto write = [](const LoopDescription& loop, KeyTexts& keys) {
    keys.emplace_back("length", format_number(loop.length));
  };
  return {describe, read, write};
}

Mapping<LoopDescription> loop_keys(LoopType type) {
  using namespace kind;
  using Loop = LoopDescription;
  const LoopTraits& traits = loop_traits(type);
  Mapping<Loop> keys{std::string(traits.name)};
  if (traits.joins_points) {
    keys.require("from", &Loop::from, text("First point: a frame, a link or <link>.com"));
    keys.require("to", &Loop::to, text("Second point, on another body"));
    if (traits.has_axis) {
      keys.require("axis", &Loop::axis, vector(kNumber, "Not zero; in the axes of both points"));
    }
    if (type == LoopType::universal) {
      keys.require(
          "axes", [](Loop& loop) -> Loop& { return loop; },
          two_axes<Loop>("The first fixed in from, the second in to"));
    }
    if (type == LoopType::distance) keys.group(length_keys());
    return keys;
  }
  if (type == LoopType::gear) {
    keys.require("joints", &Loop::joints, geared_joints());
    keys.require("ratio", &Loop::ratio, kNumber, "q_b = ratio q_a + offset");
    return keys.allow("offset", &Loop::offset, joint_number(kJointPosition, "rad or m"));
  }
  keys.require("joints", &Loop::joints, list(text(), "a list of joints", 1));
  keys.require("coefficients", &Loop::coefficients,
               list(number(kNumber), "a list of numbers", 0, "c_k of sum c_k q_k = offset"));
  return keys.allow("offset", &Loop::offset, kNumber, "rad or m");
}

/// Tables of all types, in the order of all_loop_types().
std::vector<Mapping<LoopDescription>> make_loop_tables() {
  std::vector<Mapping<LoopDescription>> tables;
  for (const LoopType type : all_loop_types()) tables.push_back(loop_keys(type));
  return tables;
}

const Mapping<LoopDescription>& table_of(LoopType type) {
  return once<make_loop_tables>()[static_cast<std::size_t>(type)];
}

Kind<LoopDescription> make_loop() {
  std::vector<MappingTable> tables;
  for (const LoopType type : all_loop_types()) {
    Mapping<LoopDescription> keys{std::string(loop_traits(type).name)};
    keys.require("name", &LoopDescription::name, kind::name());
    keys.merge(table_of(type));
    tables.push_back(keys.keep_notes());
  }
  Kind<LoopDescription> loop{any_variant(
      Variants{"type", loop_type_names(), tables}, "",
      [](void* target, std::size_t i) {
        static_cast<LoopDescription*>(target)->type = all_loop_types()[i];
      },
      [](const void* value) {
        return static_cast<std::size_t>(static_cast<const LoopDescription*>(value)->type);
      })};
  loop.schema = [of_models = loop.schema] {
    std::vector<Json> schemas{of_models()};
    for (const std::string& name : motion_loop_names()) {
      schemas.push_back(reference_schema(name + "_loop"));
    }
    return one_of_schema(schemas,
                         "A joint that closes the tree into a loop, or a coupling of joints");
  };
  return loop;
}

}  // namespace

extern const SchemaDefinition kLoopDefinition{"loop", schema_of<make_loop>};

Kind<LoopDescription> kind::loop() { return defined(once<make_loop>(), "loop"); }

const std::vector<std::string>& loop_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LoopType type : all_loop_types()) all.emplace_back(loop_traits(type).name);
    return all;
  }();
  return names;
}

const std::vector<std::string>& motion_loop_names() {
  static const std::vector<std::string> kNames{"rolling", "knife_edge"};
  return kNames;
}

bool is_motion_loop(const Node& item) {
  if (!item.is_mapping()) return false;
  const std::string type = item.text_at("type");
  const auto& names = motion_loop_names();
  return std::find(names.begin(), names.end(), type) != names.end() ||
         (type == loop_traits(LoopType::distance).name && item.find("rheonomic") != nullptr);
}

Json rheonomic_schema() {
  return MappingSchema("In place of length: what the distance follows")
      .require("reference", reference_schema("reference"));
}

void read_loop_keys(MapReader& map, const ModelDescription& description, LoopDescription& loop) {
  map.context().model = &description;
  table_of(loop.type).read(map, loop);
}

void describe_loop_keys(LoopType type, MappingSchema& schema) { table_of(type).describe(schema); }

void refuse_motion_loops(const ReadModel& read, ProblemList& problems) {
  for (const Value& loop : read.motion_loops) {
    problems.add(Severity::error, loop.node->mark, loop.path,
                 "expected a loop that a model has by itself, got one of type " +
                     quote(loop.node->text_at("type")) + " that takes a scenario to hold it",
                 "put it under 'connections' or 'model: {file, loops}' of a scenario");
  }
}

void ModelReader::read_loop(const Value& value, ReadContext& context, ReadModel& result) {
  if (is_motion_loop(*value.node)) {
    result.motion_loops.push_back(value);
    return;
  }
  LoopDescription loop;
  context.model = &result.description;
  read_value(once<make_loop>(), value, context, loop);
  if (loop.name.empty()) {
    result.names_are_complete = false;
    return;
  }
  result.description.loops.push_back(std::move(loop));
  result.loops.push_back({value, std::nullopt});
}

}  // namespace spacedyn::loading

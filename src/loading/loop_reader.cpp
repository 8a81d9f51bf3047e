#include "loading/loop_reader.hpp"

#include "loading/body_reader.hpp"
#include "loading/model_reader.hpp"
#include "loading/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kLoopLength = {Dimension::length, Range::positive};

void read_two_axes(MapReader& map, LoopDescription& loop) {
  const auto axes = map.require("axes", "a list of two axes");
  if (!axes) return;
  if (!axes->node->is_sequence() || axes->node->items.size() != 2) {
    map.problems().error(axes->node->mark, axes->path,
                         "expected a list of two axes, got " + describe(*axes->node));
    return;
  }
  Vector3* const targets[] = {&loop.axis, &loop.second_axis};
  for (std::size_t i = 0; i < 2; ++i) {
    const Value item{axes->node->items[i].get(), join_path(axes->path, std::to_string(i))};
    if (const auto axis = read_numbers(item, quantity::kNumber, 3, map.problems())) {
      *targets[i] = *axis;
    }
  }
}

void read_points(MapReader& map, LoopDescription& loop) {
  loop.from = map.required_text("from");
  loop.to = map.required_text("to");
  if (loop_traits(loop.type).has_axis) {
    loop.axis = map.required_vector3("axis");
  }
  if (loop.type == LoopType::universal) read_two_axes(map, loop);
  if (loop.type == LoopType::distance) {
    loop.length = map.required_number("length", kLoopLength);
  }
}

/// Of positions of a joint; a plain number where there is no such joint.
Quantity offset_quantity(const std::string& joint, const ModelDescription& description) {
  for (const LinkDescription& link : description.links) {
    const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
    if (name == joint) return position_quantity(link.joint.type);
  }
  return quantity::kNumber;
}

void read_joints(MapReader& map, const ModelDescription& description, LoopDescription& loop) {
  ProblemList& problems = map.problems();
  if (const auto joints = map.require("joints", "a list of joints")) {
    for_each_item(*joints, problems, [&](const Value& item) {
      if (auto name = read_text(item, problems)) loop.joints.push_back(std::move(*name));
    });
  }
  if (loop.type == LoopType::gear) {
    loop.ratio = map.required_number("ratio", quantity::kNumber);
    const std::string driven = loop.joints.empty() ? "" : loop.joints.back();
    loop.offset = map.number("offset", offset_quantity(driven, description), 0.0);
    return;
  }
  if (const auto given = map.require("coefficients", "a list of numbers")) {
    for_each_item(*given, problems, [&](const Value& item) {
      loop.coefficients.push_back(read_number(item, quantity::kNumber, problems).value_or(0.0));
    });
  }
  loop.offset = map.number("offset", quantity::kNumber, 0.0);
}

std::string axis_of_loop_schema() {
  return vector_schema(quantity::kNumber, "Not zero; in the axes of both points");
}

/// Keys that a type of loop must have.
std::vector<std::string> loop_keys(LoopType type) {
  if (type == LoopType::gear) return {"joints", "ratio"};
  if (type == LoopType::linear) return {"joints", "coefficients"};
  std::vector<std::string> keys = {"from", "to"};
  if (loop_traits(type).has_axis) keys.emplace_back("axis");
  if (type == LoopType::universal) keys.emplace_back("axes");
  if (type == LoopType::distance) keys.emplace_back("length");
  return keys;
}

std::string loop_schema() {
  MappingSchema schema("A joint that closes the tree into a loop, or a coupling of joints");
  const std::string axis = reference_schema("axis_of_loop");
  schema.require("name", reference_schema("name"))
      .require("type", choice_schema(loop_type_names()))
      .allow("from", text_schema("First point: a frame, a link or <link>.com"))
      .allow("to", text_schema("Second point, on another body"))
      .allow("axis", axis)
      .allow("axes", list_schema(axis, 2,
                                 "Of a universal joint: the first fixed in from, the second in to"))
      .allow("length", number_schema({kLoopLength}, "Distance of the points, m"))
      .allow("joints", series_schema(text_schema(), 1))
      .allow("ratio", number_schema({quantity::kNumber}, "q_b = ratio q_a + offset"))
      .allow("coefficients",
             series_schema(number_schema({quantity::kNumber}), 0, "c_k of sum c_k q_k = offset"))
      .allow("offset", number_schema({quantity::kAngle, quantity::kLength}, "rad or m"));
  std::vector<std::string> types;
  for (const LoopType type : all_loop_types()) {
    types.push_back(R"({"properties": {)" +
                    member_schema("type", constant_schema(loop_traits(type).name)) + "}, " +
                    required_rule(loop_keys(type)) + '}');
  }
  schema.add_rule(one_of_rule(types));
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kAxisOfLoopDefinition{"axis_of_loop", axis_of_loop_schema};
extern const SchemaDefinition kLoopDefinition{"loop", loop_schema};

const std::vector<std::string>& loop_type_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const LoopType type : all_loop_types()) all.emplace_back(loop_traits(type).name);
    return all;
  }();
  return names;
}

void read_loop_keys(MapReader& map, const ModelDescription& description, LoopDescription& loop) {
  if (loop_traits(loop.type).joins_points) {
    read_points(map, loop);
  } else {
    read_joints(map, description, loop);
  }
}

void ModelReader::read_loop(const Value& value, ReadContext& context, ReadModel& result) {
  MapReader map(value, context);
  LoopDescription loop;
  loop.name = map.required_text("name");
  const auto type = map.require("type", list_choices(loop_type_names()));
  const auto choice =
      type ? read_choice(*type, loop_type_names(), {}, context.problems) : std::nullopt;
  if (!choice) {
    // what else belongs to it depends on the type
    map.report_missing();
    result.names_are_complete = false;
    return;
  }
  loop.type = all_loop_types()[*choice];
  read_loop_keys(map, result.description, loop);
  map.finish();
  loop.notes = map.take_notes();
  result.description.loops.push_back(std::move(loop));
  result.loops.push_back({value, std::nullopt});
}

}  // namespace spacedyn::loading

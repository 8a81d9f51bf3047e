#include "loading/model/loop_reader.hpp"

#include "loading/model/body_reader.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kLoopLength{Dimension::length, Range::positive};

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

std::string loop_schema() {
  std::vector<std::string> loops;
  for (const LoopType type : all_loop_types()) {
    const std::string_view name = loop_traits(type).name;
    MappingSchema schema(name);
    schema.require("name", reference_schema("name")).require("type", constant_schema(name));
    describe_loop_keys(type, schema);
    loops.push_back(schema.text());
  }
  return one_of_schema(loops, "A joint that closes the tree into a loop, or a coupling of joints");
}

}  // namespace

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

void describe_loop_keys(LoopType type, MappingSchema& schema) {
  if (!loop_traits(type).joins_points) {
    schema.require("joints", series_schema(text_schema(), 1));
    if (type == LoopType::gear) {
      schema.require("ratio", number_schema({quantity::kNumber}, "q_b = ratio q_a + offset"))
          .allow("offset", number_schema(quantity::kJointPosition, "rad or m"));
    } else {
      schema
          .require("coefficients", series_schema(number_schema({quantity::kNumber}), 0,
                                                 "c_k of sum c_k q_k = offset"))
          .allow("offset", number_schema({quantity::kNumber}, "rad or m"));
    }
    return;
  }
  schema.require("from", text_schema("First point: a frame, a link or <link>.com"))
      .require("to", text_schema("Second point, on another body"));
  if (loop_traits(type).has_axis) {
    schema.require("axis",
                   vector_schema(quantity::kNumber, "Not zero; in the axes of both points"));
  }
  if (type == LoopType::universal) {
    schema.require("axes", list_schema(vector_schema(quantity::kNumber), 2,
                                       "The first fixed in from, the second in to"));
  }
  if (type == LoopType::distance) schema.require("length", number_schema({kLoopLength}, "m"));
}

void ModelReader::read_loop(const Value& value, ReadContext& context, ReadModel& result) {
  MapReader map(value, context);
  LoopDescription loop;
  loop.name = map.required_text("name");
  const auto type = map.require("type", list_choices(loop_type_names()));
  const auto choice = type ? read_choice(*type, loop_type_names(), context.problems) : std::nullopt;
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

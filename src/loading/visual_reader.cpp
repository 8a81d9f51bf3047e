#include <algorithm>
#include <string>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kShapes = {"box", "cylinder", "sphere", "mesh"};

bool is_color(const std::string& text) {
  return text.size() == 7 && text.front() == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

void read_box(MapReader& map, Visual& visual) {
  const Quantity edge = quantity::kLength.within(Range::positive);
  if (const auto size = map.require("size", "a list of 3 edges (m)")) {
    const auto edges = read_numbers(*size, edge, 3, map.problems());
    if (edges) visual.size = *edges;
  }
}

/// The size of a mesh is its scale.
void read_mesh_file(MapReader& map, Visual& visual) {
  visual.mesh = map.required_text("file");
  visual.size = map.vector3("scale", quantity::kNumber, Vector3::Ones());
  if (visual.size.cwiseAbs().minCoeff() > 0.0) return;
  map.error_at("scale",
               "expected factors other than zero, got " + describe(*map.find("scale")->node));
}

void read_shape(MapReader& map, Visual& visual) {
  const Quantity length = quantity::kLength.within(Range::positive);
  if (visual.shape == "box") read_box(map, visual);
  if (visual.shape == "cylinder") {
    visual.size.x() = map.required_number("radius", length);
    visual.size.y() = map.required_number("length", length);
  }
  if (visual.shape == "sphere") visual.size.x() = map.required_number("radius", length);
  if (visual.shape == "mesh") read_mesh_file(map, visual);
}

}  // namespace

std::string read_color(MapReader& map) {
  const auto value = map.find("color");
  if (!value) return "";
  if (value->node->is_scalar() && is_color(value->node->text)) return value->node->text;
  map.problems().error(value->node->mark, value->path,
                       "expected a color \"#rrggbb\" in quotes, got " + describe(*value->node),
                       value->node->is_null() ? "without quotes, '#' starts a comment" : "");
  return "";
}

std::vector<Visual> read_visuals(const Value& value, ReadContext& context) {
  std::vector<Visual> visuals;
  for_each_item(value, context.problems, [&](const Value& item) {
    MapReader map(item, context);
    Visual visual;
    if (const auto shape = map.require("shape", list_choices(kShapes))) {
      const auto choice = read_choice(*shape, kShapes, {}, context.problems);
      if (!choice) return;
      visual.shape = kShapes[*choice];
    }
    read_shape(map, visual);
    if (const auto origin = map.find("origin")) visual.origin = read_pose(*origin, context);
    visual.color = read_color(map);
    // without a shape the other keys are unknown
    if (visual.shape.empty()) {
      map.report_missing();
    } else {
      map.finish();
    }
    visuals.push_back(std::move(visual));
  });
  return visuals;
}

}  // namespace spacedyn::loading

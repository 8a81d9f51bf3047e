#include <algorithm>
#include <string>

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kShapes = {"box", "cylinder", "sphere", "mesh", "ellipsoid"};

bool is_color(const std::string& text) {
  return text.size() == 7 && text.front() == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

std::string visual_schema() {
  std::vector<std::string> shapes;
  for (const std::string& shape : kShapes) {
    MappingSchema schema(shape);
    schema.require("shape", constant_schema(shape));
    if (shape == "mesh") schema.require("file", text_schema());
    describe_shape_size(shape, schema);
    schema.allow("origin", reference_schema("pose")).allow("color", color_schema());
    shapes.push_back(schema.text());
  }
  return one_of_schema(shapes, "A picture of a body, without effect on the dynamics");
}

}  // namespace

extern const SchemaDefinition kVisualDefinition{"visual", visual_schema};

std::string color_schema() { return pattern_schema("^#[0-9a-fA-F]{6}$", "As #rrggbb, in quotes"); }

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
      const auto choice = read_choice(*shape, kShapes, context.problems);
      if (!choice) return;
      visual.shape = kShapes[*choice];
    }
    // without a shape the other keys are unknown
    if (visual.shape.empty()) {
      map.report_missing();
      visuals.push_back(std::move(visual));
      return;
    }
    if (visual.shape == "mesh") visual.mesh = map.required_text("file");
    visual.size = read_shape_size(map, visual.shape);
    if (const auto origin = map.find("origin")) visual.origin = read_pose(*origin, context);
    visual.color = read_color(map);
    map.finish();
    visuals.push_back(std::move(visual));
  });
  return visuals;
}

}  // namespace spacedyn::loading

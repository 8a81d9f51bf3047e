#include "loading/model/model_reader.hpp"

#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/model/base_point.hpp"

namespace spacedyn::loading {
namespace {

std::string base_schema() {
  MappingSchema schema("Link 0");
  describe_body(Presence::optional, schema);
  schema
      .allow("fixed", boolean_schema("Nailed to the inertial frame unless a scenario's base mode "
                                     "says otherwise"))
      .allow("placed_by", base_point_schema("What a start places, default centroid"));
  schema.add_rule(R"("if": {"properties": {"fixed": {"const": true}}, )" +
                  required_rule({"fixed"}) + R"(}, "else": {)" +
                  required_rule({"mass", "inertia"}) + '}');
  return schema.text();
}

std::string link_schema() {
  MappingSchema schema("A link and the joint that carries it");
  describe_body(Presence::required, schema);
  schema.require("parent", text_schema("Name of the base or of another link"))
      .require("joint", reference_schema("joint"))
      .allow("tank", reference_schema("tank_shape"));
  return schema.text();
}

std::string frame_schema() {
  MappingSchema schema("An endpoint or another point of interest");
  schema.require("name", reference_schema("name")).require("link", text_schema());
  describe_placement(schema);
  schema.allow("thruster", reference_schema("thruster_drive", "That pushes at this frame"));
  return schema.text();
}

std::string tree_schema() {
  MappingSchema schema("A tree of rigid bodies");
  schema.require("name", text_schema()).require("base", reference_schema("base"));
  ModelReader::describe_lists(schema);
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kBaseDefinition{"base", base_schema};
extern const SchemaDefinition kLinkDefinition{"link", link_schema};
extern const SchemaDefinition kFrameDefinition{"frame", frame_schema};
extern const SchemaDefinition kModelDefinition{"model", tree_schema};

ReadModel ModelReader::read_document(const Document& document) {
  ReadContext context{session_, session_.problems(), {}};
  const auto model = read_file_frame(document, "model", context);
  if (!model) {
    ReadModel nothing;
    nothing.names_are_complete = false;
    return nothing;
  }
  ReadModel result = read_model(*model, context);
  // what the file itself says about its origin belongs to the model
  const Notes file_notes = context.notes.take("");
  if (!file_notes.description.empty()) {
    result.description.notes.details["file.description"] = file_notes.description;
  }
  if (!file_notes.source.empty()) {
    result.description.notes.details["file.source"] = file_notes.source;
  }
  return result;
}

ReadModel ModelReader::read_model(const Value& model, ReadContext& context) {
  ReadModel result;
  result.model = model;
  open_files_.push_back(model.node->mark.source);
  MapReader map(model, context);
  if (!map.is_mapping()) result.names_are_complete = false;
  result.description.name = map.required_text("name");
  read_base(map, result);
  for (const List& list : tree_lists()) read_list(list, map, result);
  mount_on_beams(result);
  take_rotors_out(result, context.problems);
  for (const List& list : late_lists()) read_list(list, map, result);
  map.finish();
  result.description.notes = map.take_notes();
  open_files_.pop_back();
  return result;
}

const std::vector<ModelReader::List>& ModelReader::tree_lists() {
  static const std::vector<List> kLists = {
      {"links", "link", &ModelReader::read_link},
      {"flexible_links", "flexible_link", &ModelReader::read_beam},
      {"frames", "frame", &ModelReader::read_frame},
      {"couplings", "coupling", &ModelReader::read_coupling},
      {"transmissions", "transmission", &ModelReader::read_transmission},
      {"include", "include", &ModelReader::read_include},
      {"reaction_wheels", "reaction_wheel", &ModelReader::read_reaction_wheel},
      {"control_moment_gyros", "control_moment_gyro", &ModelReader::read_gyro},
      {"slosh", "slosh", &ModelReader::read_slosh},
      {"tanks", "tank", &ModelReader::read_tank},
      // after all joints, whose units they take
      {"loops", "loop", &ModelReader::read_loop}};
  return kLists;
}

const std::vector<ModelReader::List>& ModelReader::late_lists() {
  static const std::vector<List> kLists = {
      {"modal_appendages", "modal_appendage", &ModelReader::read_modal_appendage},
      {"thrusters", "thruster", &ModelReader::read_thruster}};
  return kLists;
}

void ModelReader::read_list(const List& list, MapReader& map, ReadModel& result) {
  const auto items = map.find(list.key);
  if (!items) return;
  if (!items->node->is_sequence()) result.names_are_complete = false;
  for_each_item(*items, map.problems(),
                [&](const Value& item) { (this->*list.read)(item, map.context(), result); });
}

void ModelReader::describe_lists(MappingSchema& schema) {
  for (const auto& lists : {tree_lists(), late_lists()}) {
    for (const List& list : lists) {
      schema.allow(list.key, series_schema(reference_schema(list.item)));
    }
  }
}

void ModelReader::read_base(MapReader& map, ReadModel& result) {
  BaseDescription& base = result.description.base;
  const auto value = map.require("base", "a mapping");
  if (!value) {
    result.names_are_complete = false;
    return;
  }
  result.base = *value;
  MapReader base_map(*value, map.context());
  base.fixed = base_map.boolean("fixed", false);
  read_body(base_map, !base.fixed, base);
  const BasePoint point = read_base_point(base_map, "placed_by", BasePoint::centroid);
  base_map.finish();
  base.notes = base_map.take_notes();
  set_base_point(result.description, point);
  if (base.name.empty()) result.names_are_complete = false;
}

void ModelReader::read_link(const Value& value, ReadContext& context, ReadModel& result) {
  MapReader map(value, context);
  LinkDescription link;
  read_body(map, true, link);
  link.parent = map.required_text("parent");
  std::optional<Value> transmission;
  if (const auto joint = map.require("joint", "a mapping")) {
    link.joint = read_joint(*joint, context, transmission);
  }
  if (const auto tank = map.find("tank")) link.tank = read_tank_shape(*tank, context);
  map.finish();
  link.notes = map.take_notes();
  if (link.name.empty()) result.names_are_complete = false;
  result.placed_links.push_back(result.description.links.size());
  result.description.links.push_back(std::move(link));
  result.links.push_back({value, std::nullopt});
  if (transmission) separate_rotor_of(value, *transmission, context, result);
}

void ModelReader::read_frame(const Value& value, ReadContext& context, ReadModel& result) {
  MapReader map(value, context);
  FrameDescription frame;
  frame.name = map.required_text("name");
  frame.link = map.required_text("link");
  frame.origin = read_placement(map);
  if (const auto thruster = map.find("thruster")) {
    frame.thruster = read_thruster_drive(*thruster, context);
  }
  map.finish();
  frame.notes = map.take_notes();
  result.placed_frames.push_back(result.description.frames.size());
  result.description.frames.push_back(std::move(frame));
  result.frames.push_back({value, std::nullopt});
}

}  // namespace spacedyn::loading

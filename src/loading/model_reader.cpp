#include "loading/model_reader.hpp"

#include <algorithm>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"

namespace spacedyn::loading {

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
  const auto each = [&](const char* key, auto&& read_item) {
    const auto list = map.find(key);
    if (!list) return;
    if (!list->node->is_sequence()) result.names_are_complete = false;
    for_each_item(*list, context.problems, read_item);
  };
  each("links", [&](const Value& item) { read_link(item, context, result); });
  read_flexible_links(map, result);
  each("frames", [&](const Value& item) { read_frame(item, context, result); });
  each("couplings", [&](const Value& item) { read_coupling(item, context, result); });
  each("transmissions", [&](const Value& item) { read_transmission(item, context, result); });
  each("include", [&](const Value& item) { read_include(item, context, result); });
  each("reaction_wheels", [&](const Value& item) { read_reaction_wheel(item, context, result); });
  each("control_moment_gyros", [&](const Value& item) { read_gyro(item, context, result); });
  each("slosh", [&](const Value& item) { read_slosh(item, context, result); });
  each("tanks", [&](const Value& item) { read_tank(item, context, result); });
  // after all joints, whose units they take
  each("loops", [&](const Value& item) { read_loop(item, context, result); });
  mount_on_beams(result);
  take_rotors_out(result, context.problems);
  each("modal_appendages", [&](const Value& item) { read_modal_appendage(item, context, result); });
  // after all points
  each("thrusters", [&](const Value& item) { read_thruster(item, context, result); });
  map.finish();
  result.description.notes = map.take_notes();
  open_files_.pop_back();
  return result;
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
  base_map.finish();
  base.notes = base_map.take_notes();
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

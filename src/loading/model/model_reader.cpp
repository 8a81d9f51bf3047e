#include "loading/model/model_reader.hpp"

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/rerooting.hpp"

namespace spacedyn::loading {
namespace {

/// The base, and which of its points is placed.
struct BaseKeys : BaseDescription {
  BasePoint placed_by = BasePoint::centroid;
};

/// @param mass  of a base that is not fixed it is required
Mapping<BaseKeys> base_keys(Presence mass) {
  using namespace kind;
  Mapping<BaseKeys> keys("Link 0");
  keys.require("name", &BaseKeys::name, name());
  keys.merge(body_keys(mass, true));
  keys.allow("fixed", &BaseKeys::fixed,
             boolean("Fixed in the inertial frame unless a scenario's base mode says otherwise"));
  keys.allow("placed_by", &BaseKeys::placed_by,
             base_point("What a start places, default centroid"));
  return keys.keep_notes().in_lines();
}

Mapping<BaseKeys> floating_keys() { return base_keys(Presence::required); }

Mapping<BaseKeys> fixed_keys() {
  Mapping<BaseKeys> keys = base_keys(Presence::optional);
  keys.check_keys(if_rule(value_rule("fixed", true), {}, required_rule({"mass", "inertia"})),
                  [](MapReader&) {});
  return keys;
}

Mapping<LinkDescription> link_keys() {
  using namespace kind;
  using Link = LinkDescription;
  Mapping<Link> keys("A link and the joint that carries it");
  keys.require("name", &Link::name, name());
  keys.require("parent", &Link::parent, text("Name of the base or of another link"));
  keys.require("joint", &Link::joint, joint());
  keys.allow("tank", &Link::tank,
             optional(defined(mapping(once<tank_shape_keys>()), "tank_shape")));
  keys.merge(body_keys(Presence::required, true));
  return keys.keep_notes().in_lines();
}

Mapping<FrameDescription> frame_keys() {
  using namespace kind;
  using Frame = FrameDescription;
  Mapping<Frame> keys("An endpoint or another point of interest");
  keys.require("name", &Frame::name, name());
  keys.require("link", &Frame::link, text());
  keys.group(&Frame::origin, placement_keys());
  auto thruster = optional(mapping(once<nozzle_keys>()));
  thruster.schema = [] { return reference_schema("thruster_drive", "That pushes at this frame"); };
  keys.allow("thruster", &Frame::thruster, thruster);
  return keys.keep_notes().in_lines();
}

/// A whole model with its base as it is written.
struct WrittenModel : ModelDescription {
  BaseKeys placed_base;
};

Mapping<WrittenModel> written_keys() {
  using namespace kind;
  Mapping<WrittenModel> keys;
  keys.require("name", &WrittenModel::name, text());
  keys.require("base", &WrittenModel::placed_base, mapping(once<floating_keys>()));
  keys.allow("links", &WrittenModel::links, list(mapping(once<link_keys>()), ""));
  keys.allow("frames", &WrittenModel::frames, list(mapping(once<frame_keys>()), ""));
  keys.allow("couplings", &WrittenModel::couplings, list(coupling(), ""));
  keys.allow("transmissions", &WrittenModel::transmissions, list(transmission(), ""));
  keys.allow("loops", &WrittenModel::loops, list(loop(), ""));
  return keys.keep_notes().in_lines();
}

Json tree_schema() {
  MappingSchema schema("A tree of rigid bodies");
  schema.require("name", text_schema()).require("base", reference_schema("base"));
  ModelReader::describe_lists(schema);
  return schema;
}

}  // namespace

std::string model_text(const ModelDescription& model) {
  WrittenModel written{model, {{model.base}, base_point(model)}};
  KeyTexts keys{{"spacedyn", "1"}};
  add_remarks({model.notes, "file"}, keys);
  keys.emplace_back("model", block_text(once<written_keys>().write(&written, {model.notes})));
  return block_text(keys).substr(1) + '\n';
}

extern const SchemaDefinition kBaseDefinition{"base", schema_of<fixed_keys>};
extern const SchemaDefinition kLinkDefinition{"link", schema_of<link_keys>};
extern const SchemaDefinition kFrameDefinition{"frame", schema_of<frame_keys>};
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
  const auto value = map.require("base", "a mapping");
  if (!value) {
    result.names_are_complete = false;
    return;
  }
  result.base = *value;
  BaseKeys base;
  const bool is_fixed = MapReader(*value, map.context()).says("fixed", "true");
  (is_fixed ? once<fixed_keys>() : once<floating_keys>()).read_whole(*value, map.context(), base);
  result.description.base = base;
  set_base_point(result.description, base.placed_by);
  if (base.name.empty()) result.names_are_complete = false;
}

void ModelReader::read_link(const Value& value, ReadContext& context, ReadModel& result) {
  LinkDescription link;
  once<link_keys>().read_whole(value, context, link);
  if (link.name.empty()) result.names_are_complete = false;
  result.placed_links.push_back(result.description.links.size());
  const JointTraits& joint = joint_traits(link.joint.type);
  result.description.links.push_back(std::move(link));
  result.links.push_back({value, std::nullopt});
  // a type that is wrong leaves the one of a joint without keys
  const Value type = descend(value, "joint.type"), rotor = descend(value, "joint.transmission");
  if (joint.size == 1 && type.node->text == joint.name &&
      rotor.node != descend(value, "joint").node) {
    separate_rotor_of(value, rotor, context, result);
  }
}

void ModelReader::read_frame(const Value& value, ReadContext& context, ReadModel& result) {
  result.placed_frames.push_back(result.description.frames.size());
  once<frame_keys>().read_whole(value, context, result.description.frames.emplace_back());
  result.frames.push_back({value, std::nullopt});
}

}  // namespace spacedyn::loading

namespace spacedyn {
namespace {

LoadedModel load_document(loading::Session& session, const loading::Document& document) {
  loading::ModelReader reader(session);
  const loading::ReadModel read = reader.read_document(document);
  loading::refuse_motion_loops(read, session.problems());
  LoadedModel loaded;
  loaded.model = loading::assemble_model(read, session.problems());
  if (loaded.model) loading::check_regularity(*loaded.model, read, session.problems());
  session.problems().throw_if_errors();
  loaded.warnings = session.problems().sorted();
  loaded.sources = session.sources().files();
  return loaded;
}

}  // namespace

LoadedModel load_model(const std::string& path) {
  loading::Session session;
  return load_document(session, session.open(path));
}

LoadedModel parse_model(const std::string& text, const std::string& file) {
  loading::Session session;
  return load_document(session, session.parse(file, text));
}

OverrideError::~OverrideError() = default;

std::string write_model(const Model& model) {
  for (const LoopDescription& loop : model.description().loops) {
    if (loop_traits(loop.type).is_in_files) continue;
    throw DomainError("model '" + model.name() + "' cannot be written: '" + loop.name +
                      "' is a function of a program, which no file holds");
  }
  return loading::model_text(model.description());
}

}  // namespace spacedyn

#include <algorithm>

#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/modal_appendage.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kTranslation{Dimension::none, Range::any, false, "√kg"};
constexpr Quantity kRotation{Dimension::none, Range::any, false, "√kg m"};

const Fields<AppendageMode>& mode_fields() {
  static const Fields<AppendageMode> kFields = {
      {"frequency", "Of the clamped mode, rad/s", quantity::kRate.within(Range::positive),
       [](AppendageMode& m) -> double& { return m.frequency; }, Presence::required},
      {"damping_ratio", "Over the critical one, default 0",
       quantity::kNumber.within(Range::not_negative),
       [](AppendageMode& m) -> double& { return m.damping_ratio; }}};
  return kFields;
}

AppendageMode read_mode(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  AppendageMode mode;
  read_fields(map, mode_fields(), mode);
  mode.translation = map.vector3("translation", kTranslation, Vector3::Zero());
  mode.rotation = map.vector3("rotation", kRotation, Vector3::Zero());
  map.finish();
  return mode;
}

ModalAppendageDescription read_appendage(const Value& value, ReadContext& context) {
  MapReader map(value, context);
  ModalAppendageDescription appendage;
  read_body(map, true, appendage, false);
  appendage.parent = map.required_text("parent");
  if (const auto origin = map.find("origin")) appendage.origin = read_pose(*origin, context);
  if (const auto modes = map.require("modes", "a list of modes")) {
    for_each_item(*modes, context.problems,
                  [&](const Value& item) { appendage.modes.push_back(read_mode(item, context)); });
  }
  map.finish();
  appendage.notes = map.take_notes();
  return appendage;
}

std::string mode_schema() {
  MappingSchema schema("A mode of modal mass 1");
  describe_fields(mode_fields(), schema);
  schema.allow("translation", vector_schema(kTranslation, "Participation, √kg"))
      .allow("rotation", vector_schema(kRotation, "Participation about the root, √kg m"));
  return schema.text();
}

std::string modal_appendage_schema() {
  MappingSchema schema(
      "A flexible appendage by its rigid mass properties and some of its clamped modes");
  describe_body(Presence::required, schema, false);
  schema.require("parent", text_schema("Name of the base or of a link"))
      .allow("origin", reference_schema("pose"))
      .require("modes", series_schema(mode_schema(), 1));
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kModalAppendageDefinition{"modal_appendage", modal_appendage_schema};

void ModelReader::read_modal_appendage(const Value& value, ReadContext& context,
                                       ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  const ModalAppendageDescription appendage = read_appendage(value, context);
  if (!accept_part(validate_modal_appendage(appendage, "part"), value, errors_before,
                   context.problems, result))
    return;
  try {
    add_modal_appendage(result.description, appendage);
  } catch (const DomainError& error) {
    const Value place = descend(value, "parent");
    context.problems.error(place.node->mark, place.path,
                           std::string("expected a body that can carry it, got ") +
                               describe(*place.node) + ": " + error.what());
    result.names_are_complete = false;
    return;
  }
  double lowest = appendage.modes.front().frequency;
  for (const AppendageMode& mode : appendage.modes) lowest = std::min(lowest, mode.frequency);
  result.modal_appendages.push_back({appendage.name, lowest});
  result.links.resize(result.description.links.size(), {value, std::nullopt});
  result.frames.resize(result.description.frames.size(), {value, std::nullopt});
}

}  // namespace spacedyn::loading

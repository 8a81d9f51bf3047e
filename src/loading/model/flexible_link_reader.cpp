#include <cmath>

#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kFlexuralRigidity{Dimension::none, Range::positive, true, "N*m²"};
constexpr Quantity kLinearDensity{Dimension::none, Range::not_negative, false, "kg/m"};

constexpr Quantity kBeamMass{Dimension::mass, Range::not_negative};
constexpr Quantity kBeamSize{Dimension::length, Range::positive};

const std::vector<std::string> kHinges = {"segment_ends", "segment_centres"};

using Beam = FlexibleBeamDescription;

const Fields<Beam>& beam_fields() {
  static const Fields<Beam> kFields = {
      {"torsional_stiffness", "GJ, N m²; .inf where the beam is rigid", kFlexuralRigidity,
       [](Beam& b) -> double& { return b.torsional_stiffness; }},
      {"damping_ratio", "Of the lowest clamped mode of each motion",
       quantity::kNumber.within(Range::not_negative),
       [](Beam& b) -> double& { return b.damping_ratio; }}};
  return kFields;
}

const Fields<Beam>& bending_fields() {
  static const Fields<Beam> kFields = {
      {"y", "About y, N m²; .inf where the beam is rigid", kFlexuralRigidity,
       [](Beam& b) -> double& { return b.bending_stiffness_y; }},
      {"z", "About z, N m²; .inf where the beam is rigid", kFlexuralRigidity,
       [](Beam& b) -> double& { return b.bending_stiffness_z; }}};
  return kFields;
}

void read_mass(MapReader& map, FlexibleBeamDescription& beam) {
  if (map.has("density")) {
    map.refuse("mass", "'density' is given as well");
    beam.mass = map.number("density", kLinearDensity, 0.0) * beam.length;
  } else {
    beam.mass = map.required_number("mass", kBeamMass);
    map.find("density");
  }
}

void read_stiffness(MapReader& map, FlexibleBeamDescription& beam) {
  if (const auto value = map.find("bending_stiffness")) {
    MapReader axes(*value, map.context());
    read_fields(axes, bending_fields(), beam);
    axes.finish();
  }
  read_fields(map, beam_fields(), beam);
}

void read_segments(MapReader& map, FlexibleBeamDescription& beam) {
  const std::string expected = "a whole number from 1 to " + std::to_string(kMaxBeamSegments);
  const auto value = map.require("segments", expected);
  const auto number = value ? read_number(*value, quantity::kNumber, map.problems()) : std::nullopt;
  if (!number) return;
  if (*number < 1 || *number > kMaxBeamSegments || *number != std::floor(*number)) {
    map.error_at("segments", "expected " + expected + ", got " + describe(*value->node));
    return;
  }
  beam.segments = static_cast<int>(*number);
}

void read_cross_section(MapReader& map, FlexibleBeamDescription& beam) {
  const auto value = map.find("cross_section");
  if (!value) return;
  const auto sizes = read_numbers(*value, kBeamSize, 2, map.problems());
  if (!sizes) return;
  beam.width = (*sizes)(0);
  beam.height = (*sizes)(1);
}

void read_tip(MapReader& map, FlexibleBeamDescription& beam) {
  const auto value = map.find("tip");
  if (!value) return;
  MapReader tip(*value, map.context());
  beam.tip.mass = tip.number("mass", kBeamMass, 0.0);
  beam.tip.center_of_mass = tip.vector3("center_of_mass", quantity::kLength, Vector3::Zero());
  if (const auto inertia = tip.find("inertia")) {
    beam.tip.inertia = read_inertia(*inertia, map.context()).value_or(Matrix3::Zero());
  }
  beam.tip.unphysical_inertia = tip.boolean("unphysical_inertia", false);
  tip.finish();
  beam.tip.notes = tip.take_notes();
}

std::string tip_schema() {
  MappingSchema schema("A body fixed to the end");
  schema.allow("mass", number_schema({kBeamMass}, "Mass, kg"))
      .allow("center_of_mass", vector_schema(quantity::kLength, "Centroid, m"))
      .allow("inertia", reference_schema("inertia"))
      .allow("unphysical_inertia", boolean_schema("Accept an indefinite tensor as it is"));
  return schema.text();
}

std::string flexible_link_schema() {
  MappingSchema bending("EI about y and z, N m²");
  describe_fields(bending_fields(), bending);
  MappingSchema schema(
      "A flexible beam along its own x, expanded to rigid segments with elastic hinges");
  schema.require("name", reference_schema("name"))
      .require("parent", text_schema("Name of what carries the root"))
      .allow("origin", reference_schema("pose"))
      .require("length", number_schema({kBeamSize}, "Length, m"))
      .allow("mass", number_schema({kBeamMass}, "Mass, kg"))
      .allow("density", number_schema({kLinearDensity}, "Mass per length, kg/m"))
      .allow("bending_stiffness", bending.text())
      .require("segments", whole_number_schema(1, "Rigid segments", kMaxBeamSegments))
      .allow("hinges", choice_schema(kHinges, "Default segment_centres"))
      .allow("cross_section",
             list_schema(number_schema({kBeamSize}), 2, "Width along y and height along z, m"))
      .allow("tip", tip_schema())
      .allow("color", color_schema());
  describe_fields(beam_fields(), schema);
  schema.add_rule(one_key_rule({"mass", "density"}));
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kFlexibleLinkDefinition{"flexible_link", flexible_link_schema};

void ModelReader::read_beam(const Value& value, ReadContext& context, ReadModel& result) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  FlexibleBeamDescription beam;
  beam.name = map.required_text("name");
  beam.parent = map.required_text("parent");
  if (const auto origin = map.find("origin")) beam.origin = read_pose(*origin, context);
  beam.length = map.required_number("length", kBeamSize);
  read_mass(map, beam);
  read_stiffness(map, beam);
  read_segments(map, beam);
  if (const auto hinges = map.find("hinges")) {
    const auto choice = read_choice(*hinges, kHinges, context.problems);
    if (choice) beam.hinges = static_cast<HingePlacement>(*choice);
  }
  read_cross_section(map, beam);
  read_tip(map, beam);
  beam.color = read_color(map);
  map.finish();
  beam.notes = map.take_notes();
  const auto problems = validate_flexible_beam(beam, "part");
  if (!accept_part(problems, value, errors_before, context.problems, result)) return;
  result.placed_links.push_back(result.description.links.size());
  for (LinkDescription& link : expand_flexible_beam(beam)) {
    result.description.links.push_back(std::move(link));
    result.links.push_back({value, std::nullopt});
  }
  result.beams.emplace(beam.name, beam);
}

void mount_on_beams(ReadModel& read) {
  const auto mount = [&](std::string& body, Pose& pose) {
    const auto beam = read.beams.find(body);
    if (beam == read.beams.end()) return;
    BeamMount mounted = mount_on_beam(beam->second, pose);
    body = std::move(mounted.body);
    pose = mounted.pose;
  };
  for (const std::size_t i : read.placed_links) {
    LinkDescription& link = read.description.links[i];
    mount(link.parent, link.joint.origin);
  }
  for (const std::size_t i : read.placed_frames) {
    FrameDescription& frame = read.description.frames[i];
    mount(frame.link, frame.origin);
  }
}

}  // namespace spacedyn::loading

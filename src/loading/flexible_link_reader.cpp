#include "loading/flexible_link_reader.hpp"

#include <cmath>

#include "loading/body_reader.hpp"
#include "loading/geometry.hpp"
#include "loading/model_assembly.hpp"
#include "loading/model_reader.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kFlexuralRigidity{Dimension::none, Range::positive, true, "N*m²"};
constexpr Quantity kLinearDensity{Dimension::none, Range::not_negative, false, "kg/m"};

const std::vector<std::string> kHinges = {"segment_ends", "segment_centres"};

void read_mass(MapReader& map, FlexibleBeamDescription& beam) {
  if (map.has("density")) {
    map.refuse("mass", "'density' is given as well");
    beam.mass = map.number("density", kLinearDensity, 0.0) * beam.length;
  } else {
    beam.mass = map.required_number("mass", quantity::kMass.within(Range::not_negative));
    map.find("density");
  }
}

void read_stiffness(MapReader& map, FlexibleBeamDescription& beam) {
  if (const auto value = map.find("bending_stiffness")) {
    MapReader axes(*value, map.context());
    beam.bending_stiffness_y = axes.number("y", kFlexuralRigidity, beam.bending_stiffness_y);
    beam.bending_stiffness_z = axes.number("z", kFlexuralRigidity, beam.bending_stiffness_z);
    axes.finish();
  }
  beam.torsional_stiffness =
      map.number("torsional_stiffness", kFlexuralRigidity, beam.torsional_stiffness);
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
  const auto sizes =
      read_numbers(*value, quantity::kLength.within(Range::positive), 2, map.problems());
  if (!sizes) return;
  beam.width = (*sizes)(0);
  beam.height = (*sizes)(1);
}

void read_tip(MapReader& map, FlexibleBeamDescription& beam) {
  const auto value = map.find("tip");
  if (!value) return;
  MapReader tip(*value, map.context());
  beam.tip.mass = tip.number("mass", quantity::kMass.within(Range::not_negative), 0.0);
  beam.tip.center_of_mass = tip.vector3("center_of_mass", quantity::kLength, Vector3::Zero());
  if (const auto inertia = tip.find("inertia")) {
    beam.tip.inertia = read_inertia(*inertia, map.context()).value_or(Matrix3::Zero());
  }
  beam.tip.unphysical_inertia = tip.boolean("unphysical_inertia", false);
  tip.finish();
  beam.tip.notes = tip.take_notes();
}

}  // namespace

std::optional<FlexibleBeamDescription> read_flexible_link(const Value& value,
                                                          ReadContext& context) {
  const std::size_t errors_before = context.problems.error_count();
  MapReader map(value, context);
  FlexibleBeamDescription beam;
  beam.name = map.required_text("name");
  beam.parent = map.required_text("parent");
  if (const auto origin = map.find("origin")) beam.origin = read_pose(*origin, context);
  beam.length = map.required_number("length", quantity::kLength.within(Range::positive));
  read_mass(map, beam);
  read_stiffness(map, beam);
  beam.damping_ratio =
      map.number("damping_ratio", quantity::kNumber.within(Range::not_negative), 0.0);
  read_segments(map, beam);
  if (const auto hinges = map.find("hinges")) {
    const auto choice = read_choice(*hinges, kHinges, {}, context.problems);
    if (choice) beam.hinges = static_cast<HingePlacement>(*choice);
  }
  read_cross_section(map, beam);
  read_tip(map, beam);
  beam.color = read_color(map);
  map.finish();
  beam.notes = map.take_notes();
  if (context.problems.error_count() > errors_before) return std::nullopt;

  for (const Problem& problem : validate_flexible_beam(beam, "beam")) {
    const Value place = descend(value, problem.path.substr(sizeof("beam.") - 1));
    context.problems.add(problem.severity, place.node->mark, place.path, problem.message,
                         problem.hint);
  }
  if (context.problems.error_count() > errors_before) return std::nullopt;
  return beam;
}

void ModelReader::read_flexible_links(MapReader& map, ReadModel& result) {
  const auto list = map.find("flexible_links");
  if (!list) return;
  if (!list->node->is_sequence()) result.names_are_complete = false;
  for_each_item(*list, map.problems(), [&](const Value& item) {
    const auto beam = read_flexible_link(item, map.context());
    if (!beam) {
      result.names_are_complete = false;
      return;
    }
    result.placed_links.push_back(result.description.links.size());
    for (LinkDescription& link : expand_flexible_beam(*beam)) {
      result.description.links.push_back(std::move(link));
      result.links.push_back({item, std::nullopt});
    }
    result.beams.emplace(beam->name, *beam);
  });
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

#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/modal_appendage.hpp"

namespace spacedyn::loading {
namespace {

/// A beam, and its mass as the file gives it.
struct BeamKeys : FlexibleBeamDescription {
  double density = 0.0;  ///< kg/m
  Eigen::Vector2d cross_section = Eigen::Vector2d::Zero();
};

Mapping<BeamKeys> bending_keys() {
  using namespace kind;
  const auto about = [](const char* title) {
    return number(positive(in("N*m²")).or_infinite(), title);
  };
  Mapping<BeamKeys> keys("EI about y and z, N m²");
  keys.allow("y", &BeamKeys::bending_stiffness_y,
             about("About y, N m²; .inf where the beam is rigid"));
  keys.allow("z", &BeamKeys::bending_stiffness_z,
             about("About z, N m²; .inf where the beam is rigid"));
  return keys;
}

Mapping<BodyDescription> tip_keys() {
  Mapping<BodyDescription> keys("A body fixed to the end");
  keys.merge(mass_keys(Presence::optional, false));
  return keys.keep_notes();
}

Mapping<BeamKeys> beam_keys() {
  using namespace kind;
  const Quantity size = positive(kLength);
  const std::string count = "a whole number from 1 to " + std::to_string(kMaxBeamSegments);
  Mapping<BeamKeys> keys(
      "A flexible beam along its own x, expanded to rigid segments with elastic hinges");
  keys.require("name", &BeamKeys::name, name());
  keys.require("parent", &BeamKeys::parent, text("Name of what carries the root"));
  keys.allow("origin", &BeamKeys::origin, pose());
  keys.require("length", &BeamKeys::length, size, "Length, m");
  keys.require("mass", &BeamKeys::mass, not_negative(kMass), "Mass, kg")
      .unless("density", "'density' is given as well");
  keys.allow("density", &BeamKeys::density, not_negative(in("kg/m")), "Mass per length, kg/m");
  keys.allow(
      "bending_stiffness", [](BeamKeys& beam) -> BeamKeys& { return beam; },
      mapping(once<bending_keys>()));
  keys.allow("torsional_stiffness", &BeamKeys::torsional_stiffness,
             positive(in("N*m²")).or_infinite(), "GJ, N m²; .inf where the beam is rigid");
  keys.allow("damping_ratio", &BeamKeys::damping_ratio, not_negative(kNumber),
             "Of the lowest clamped mode of each motion");
  keys.require("segments", &BeamKeys::segments,
               whole_number<int>(1, kMaxBeamSegments, count, "Rigid segments"));
  keys.allow(
      "hinges", &BeamKeys::hinges,
      choice<HingePlacement>({"segment_ends", "segment_centres"}, "Default segment_centres"));
  keys.allow(
      "cross_section", &BeamKeys::cross_section,
      numbers<Eigen::Vector2d>({size, size}, "Width along y and height along z, m", "two lengths"));
  keys.allow("tip", &BeamKeys::tip, mapping(once<tip_keys>()));
  keys.allow("color", &BeamKeys::color, color());
  keys.check([](BeamKeys& beam, Reading& reading) {
    if (reading.map.has("density")) beam.mass = beam.density * beam.length;
    beam.width = beam.cross_section.x();
    beam.height = beam.cross_section.y();
  });
  return keys.keep_notes();
}

Mapping<AppendageMode> mode_keys() {
  using namespace kind;
  using Mode = AppendageMode;
  Mapping<Mode> keys("A mode of modal mass 1");
  keys.require("frequency", &Mode::frequency, positive(kRate), "Of the clamped mode, rad/s");
  keys.allow("damping_ratio", &Mode::damping_ratio, not_negative(kNumber),
             "Over the critical one, default 0");
  keys.allow("translation", &Mode::translation, vector(in("√kg"), "Participation, √kg"));
  keys.allow("rotation", &Mode::rotation,
             vector(in("√kg m"), "Participation about the root, √kg m"));
  return keys;
}

Mapping<ModalAppendageDescription> appendage_keys() {
  using namespace kind;
  using Appendage = ModalAppendageDescription;
  Mapping<Appendage> keys(
      "A flexible appendage by its rigid mass properties and some of its clamped modes");
  keys.require("name", &Appendage::name, name());
  keys.merge(body_keys(Presence::required, false));
  keys.require("parent", &Appendage::parent, text("Name of the base or of a link"));
  keys.allow("origin", &Appendage::origin, pose());
  keys.require("modes", &Appendage::modes, list(mapping(once<mode_keys>()), "a list of modes", 1));
  return keys.keep_notes();
}

}  // namespace

extern const SchemaDefinition kFlexibleLinkDefinition{"flexible_link", schema_of<beam_keys>};

void ModelReader::read_beam(const Value& value, ReadContext& context, ReadModel& result) {
  BeamKeys beam;
  if (!read_part<beam_keys>(value, context, result, beam, validate_flexible_beam)) return;
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
extern const SchemaDefinition kModalAppendageDefinition{"modal_appendage",
                                                        schema_of<appendage_keys>};

void ModelReader::read_modal_appendage(const Value& value, ReadContext& context,
                                       ReadModel& result) {
  ModalAppendageDescription appendage;
  if (!read_part<appendage_keys>(value, context, result, appendage, validate_modal_appendage)) {
    return;
  }
  try {
    add_modal_appendage(result.description, appendage);
  } catch (const DomainError& error) {
    const Value place = descend(value, "parent");
    context.problems.error(place, std::string("expected a body that can carry it, got ") +
                                      describe(*place.node) + ": " + error.what());
    result.lost_names.push_back(appendage.name);
    return;
  }
  double lowest = appendage.modes.front().frequency;
  for (const AppendageMode& mode : appendage.modes) lowest = std::min(lowest, mode.frequency);
  result.modal_appendages.push_back({appendage.name, lowest});
  result.links.resize(result.description.links.size(), {value, std::nullopt});
  result.frames.resize(result.description.frames.size(), {value, std::nullopt});
}

}  // namespace spacedyn::loading

#include "loading/body_reader.hpp"
#include "loading/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/elastic_drive.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kStiffness{Dimension::angular_stiffness, Range::positive};
constexpr Quantity kDamping{Dimension::none, Range::not_negative, false, "N*m*s/rad"};

/// Rows of numbers; nothing where a row is no list of as many numbers as there are rows.
std::optional<MatrixX> read_square(const Value& value, ProblemList& problems) {
  if (!value.node->is_sequence()) {
    problems.error(value.node->mark, value.path,
                   "expected a list of rows, got " + describe(*value.node));
    return std::nullopt;
  }
  const auto size = static_cast<int>(value.node->items.size());
  MatrixX matrix(size, size);
  bool complete = true;
  for (int i = 0; i < size; ++i) {
    const Value row{value.node->items[static_cast<std::size_t>(i)].get(),
                    join_path(value.path, std::to_string(i))};
    const auto numbers = read_numbers(row, quantity::kNumber, size, problems);
    complete = complete && numbers.has_value();
    if (numbers) matrix.row(i) = numbers->transpose();
  }
  if (!complete) return std::nullopt;
  return matrix;
}

std::vector<std::string> read_joint_names(const Value& value, ProblemList& problems) {
  std::vector<std::string> names;
  for_each_item(value, problems, [&](const Value& item) {
    if (auto name = read_text(item, problems)) names.push_back(std::move(*name));
  });
  return names;
}

}  // namespace

void ModelReader::read_coupling(const Value& value, ReadContext& context, ReadModel& result) {
  MapReader map(value, context);
  JointCouplingDescription coupling;
  coupling.name = map.required_text("name");
  if (const auto joints = map.require("joints", "a list of joints")) {
    coupling.joints = read_joint_names(*joints, context.problems);
  }
  if (const auto stiffness = map.find("stiffness")) {
    coupling.stiffness = read_square(*stiffness, context.problems).value_or(MatrixX());
  }
  if (const auto damping = map.find("damping")) {
    coupling.damping = read_square(*damping, context.problems).value_or(MatrixX());
  }
  if (const auto rest = map.find("rest_position")) {
    coupling.rest_position =
        read_numbers(*rest, quantity::kNumber, static_cast<int>(coupling.joints.size()),
                     context.problems)
            .value_or(VectorX());
  }
  if (map.is_mapping() && !map.has("stiffness") && !map.has("damping")) {
    context.problems.error(map.mark(), map.path(),
                           "expected at least one of the keys stiffness and damping, got neither");
  }
  map.finish();
  coupling.notes = map.take_notes();
  result.description.couplings.push_back(std::move(coupling));
  result.couplings.push_back({value, std::nullopt});
}

void ModelReader::read_transmission(const Value& value, ReadContext& context, ReadModel& result) {
  MapReader map(value, context);
  TransmissionDescription drive;
  drive.name = map.required_text("name");
  drive.motor = map.required_text("motor");
  drive.joint = map.required_text("joint");
  drive.gear_ratio = map.number("gear_ratio", quantity::kNumber, 1.0);
  drive.stiffness = map.required_number("stiffness", kStiffness);
  drive.damping = map.number("damping", kDamping, 0.0);
  drive.backlash = map.number("backlash", quantity::kAngle.within(Range::not_negative), 0.0);
  map.finish();
  drive.notes = map.take_notes();
  result.description.transmissions.push_back(std::move(drive));
  result.transmissions.push_back({value, std::nullopt});
}

void ModelReader::separate_rotor_of(const Value& link_value, const Value& transmission,
                                    ReadContext& context, ReadModel& result) {
  MapReader map(transmission, context);
  const double stiffness = map.required_number("stiffness", kStiffness);
  const double damping = map.number("damping", kDamping, 0.0);
  const double backlash = map.number("backlash", quantity::kAngle.within(Range::not_negative), 0.0);
  map.finish();
  LinkDescription& link = result.description.links.back();
  if (link.joint.type != JointType::revolute) {
    context.problems.error(
        transmission.node->mark, transmission.path,
        "expected no transmission here, got one: only revolute joints have them");
    return;
  }
  if (!(link.joint.rotor_inertia > 0.0)) {
    context.problems.error(transmission.node->mark, transmission.path,
                           "expected a positive 'rotor_inertia' beside it, got none: the rotor "
                           "would move without resistance");
    return;
  }
  if (link.joint.gear_ratio == 0.0) return;  // reported by the builder
  ElasticDrive drive = separate_rotor(link, stiffness, damping, backlash);
  result.rotors.emplace_back(result.description.links.size(), transmission);
  result.placed_links.push_back(result.description.links.size());
  result.description.links.push_back(std::move(drive.rotor));
  result.links.push_back({link_value, std::nullopt});
  result.description.transmissions.push_back(std::move(drive.transmission));
  result.transmissions.push_back({transmission, std::nullopt});
}

void take_rotors_out(ReadModel& read, ProblemList& problems) {
  ModelDescription& robot = read.description;
  const auto find_body = [&](const std::string& name) -> BodyDescription* {
    if (robot.base.name == name) return &robot.base;
    for (LinkDescription& link : robot.links) {
      if (link.name == name) return &link;
    }
    return nullptr;  // reported by the builder
  };
  for (const auto& [index, place] : read.rotors) {
    const LinkDescription& rotor = robot.links[index];
    BodyDescription* parent = find_body(rotor.parent);
    if (parent == nullptr) continue;
    // a fixed base may leave its inertia out
    if (parent == &robot.base && robot.base.fixed && parent->inertia.isZero(0.0)) continue;
    try {
      take_rotor_out(*parent, rotor);
    } catch (const DomainError& error) {
      problems.error(place.node->mark, place.path,
                     "expected a parent whose inertia includes the rotor at rest, got one that "
                     "cannot: " +
                         std::string(error.what()),
                     "add the rotor's inertia to that of '" + rotor.parent + "'");
    }
  }
}

}  // namespace spacedyn::loading

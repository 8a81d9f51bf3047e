#include "loading/model/body_reader.hpp"
#include "loading/model/model_reader.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/elastic_drive.hpp"

namespace spacedyn::loading {
namespace {

/// Rows of numbers; nothing where a row is no list of as many numbers as there are rows.
std::optional<MatrixX> read_square(const Value& value, ProblemList& problems) {
  if (!value.node->is_sequence()) {
    problems.error(value, "expected a list of rows, got " + describe(*value.node));
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

std::string numbers_text(const VectorX& numbers) {
  std::vector<std::string> items;
  for (const double number : numbers) items.push_back(format_number(number));
  return flow_text(items);
}

Kind<MatrixX> square() {
  const auto read = [](const Value& value, Reading& reading) {
    return read_square(value, reading.problems());
  };
  const auto write = [](const MatrixX& matrix) {
    std::vector<std::string> rows;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(numbers_text(matrix.row(i)));
    return flow_text(rows);
  };
  return make_kind<MatrixX>(
      "rows of numbers",
      [] {
        return series_schema(series_schema(number_schema({quantity::kNumber})), 0,
                             "Rows of numbers");
      },
      read, write);
}

/// A number for each joint of the coupling.
KeyGroup<JointCouplingDescription> rest_key() {
  using Coupling = JointCouplingDescription;
  const auto describe = [](MappingSchema& schema) {
    schema.allow("rest_position", series_schema(number_schema({quantity::kNumber})));
  };
  const auto read = [](Reading& reading, Coupling& coupling) {
    const auto rest = reading.map.find("rest_position");
    if (!rest) return true;
    const auto size = static_cast<int>(coupling.joints.size());
    const auto numbers = read_numbers(*rest, quantity::kNumber, size, reading.problems());
    if (numbers) coupling.rest_position = *numbers;
    return numbers.has_value();
  };
  const auto write = [](const Coupling& coupling, KeyTexts& keys) {
    if (coupling.rest_position.size() == 0) return;
    keys.emplace_back("rest_position", numbers_text(coupling.rest_position));
  };
  return {describe, read, write};
}

Mapping<JointCouplingDescription> coupling_keys() {
  using namespace kind;
  using Coupling = JointCouplingDescription;
  Mapping<Coupling> keys("Springs and dampers between joints: −K (q − q_rest) − D q̇");
  keys.require("name", &Coupling::name, name());
  keys.require("joints", &Coupling::joints, list(text(), "a list of joints", 1));
  keys.allow("stiffness", &Coupling::stiffness, square());
  keys.allow("damping", &Coupling::damping, square());
  keys.group(rest_key());
  keys.check_keys(some_key_rule({"stiffness", "damping"}), [](MapReader& map) {
    if (map.has("stiffness") || map.has("damping")) return;
    map.error("expected at least one of the keys stiffness and damping, got neither");
  });
  return keys.keep_notes();
}

Mapping<TransmissionDescription> elastic_keys() {
  using namespace kind;
  using Drive = TransmissionDescription;
  Mapping<Drive> keys("The elastic part between the rotor, which becomes a link, and the joint");
  keys.require("stiffness", &Drive::stiffness, positive(kAngularStiffness),
               "At the joint, N*m/rad");
  keys.allow("damping", &Drive::damping, not_negative(in("N*m*s/rad")),
             "Viscous damping at the joint, N*m*s/rad");
  keys.allow("backlash", &Drive::backlash, not_negative(kAngle), "Whole play at the joint, rad");
  return keys;
}

Mapping<TransmissionDescription> transmission_keys() {
  using namespace kind;
  using Drive = TransmissionDescription;
  Mapping<Drive> keys(
      "An elastic transmission between the joint of a rotor and the joint it drives");
  keys.require("name", &Drive::name, name());
  keys.require("motor", &Drive::motor, text("Joint of the rotor"));
  keys.require("joint", &Drive::joint, text("Driven joint"));
  keys.allow("gear_ratio", &Drive::gear_ratio, gear_ratio());
  keys.merge(once<elastic_keys>());
  return keys.keep_notes();
}

}  // namespace

extern const SchemaDefinition kCouplingDefinition{"coupling", schema_of<coupling_keys>};
extern const SchemaDefinition kTransmissionDefinition{"transmission", schema_of<transmission_keys>};
extern const SchemaDefinition kRotorTransmissionDefinition{"rotor_transmission",
                                                           schema_of<elastic_keys>};

Kind<JointCouplingDescription> kind::coupling() {
  return defined(mapping(once<coupling_keys>()), "coupling");
}

Kind<TransmissionDescription> kind::transmission() {
  return defined(mapping(once<transmission_keys>()), "transmission");
}

void ModelReader::read_coupling(const Value& value, ReadContext& context, ReadModel& result) {
  once<coupling_keys>().read_whole(value, context, result.description.couplings.emplace_back());
  result.couplings.push_back({value, std::nullopt});
}

void ModelReader::read_transmission(const Value& value, ReadContext& context, ReadModel& result) {
  auto& drive = result.description.transmissions.emplace_back();
  once<transmission_keys>().read_whole(value, context, drive);
  result.transmissions.push_back({value, std::nullopt});
}

void ModelReader::separate_rotor_of(const Value& link_value, const Value& transmission,
                                    ReadContext& context, ReadModel& result) {
  TransmissionDescription given;
  once<elastic_keys>().read_whole(transmission, context, given);
  LinkDescription& link = result.description.links.back();
  if (link.joint.type != JointType::revolute) {
    context.problems.error(
        transmission, "expected no transmission here, got one: only revolute joints have them");
    return;
  }
  if (!(link.joint.rotor_inertia > 0.0)) {
    context.problems.error(transmission,
                           "expected a positive 'rotor_inertia' beside it, got none: the rotor "
                           "would move without resistance");
    return;
  }
  if (link.joint.gear_ratio == 0.0) return;  // reported by the builder
  ElasticDrive drive = separate_rotor(link, given.stiffness, given.damping, given.backlash);
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
      problems.error(place,
                     "expected a parent whose inertia includes the rotor at rest, got one that "
                     "cannot: " +
                         std::string(error.what()),
                     "add the rotor's inertia to that of '" + rotor.parent + "'");
    }
  }
}

}  // namespace spacedyn::loading

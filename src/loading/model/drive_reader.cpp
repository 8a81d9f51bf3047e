#include "loading/keys/fields.hpp"
#include "loading/model/joint_terms.hpp"
#include "loading/model/model_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/elastic_drive.hpp"

namespace spacedyn::loading {
namespace {

const Fields<TransmissionDescription>& transmission_fields() {
  using Drive = TransmissionDescription;
  static const Fields<Drive> kFields = {
      {"stiffness",
       "At the joint, N*m/rad",
       {Dimension::angular_stiffness, Range::positive},
       [](Drive& d) -> double& { return d.stiffness; },
       Presence::required},
      {"damping",
       "Viscous damping at the joint, N*m*s/rad",
       {Dimension::none, Range::not_negative, false, "N*m*s/rad"},
       [](Drive& d) -> double& { return d.damping; }},
      {"backlash", "Whole play at the joint, rad", quantity::kAngle.within(Range::not_negative),
       [](Drive& d) -> double& { return d.backlash; }}};
  return kFields;
}

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

std::string coupling_schema() {
  MappingSchema schema("Springs and dampers between joints: −K (q − q_rest) − D q̇");
  const std::string rows =
      series_schema(series_schema(number_schema({quantity::kNumber})), 0, "Rows of numbers");
  schema.require("name", reference_schema("name"))
      .require("joints", series_schema(text_schema(), 1))
      .allow("stiffness", rows)
      .allow("damping", rows)
      .allow("rest_position", series_schema(number_schema({quantity::kNumber})));
  schema.add_rule(some_key_rule({"stiffness", "damping"}));
  return schema.text();
}

std::string transmission_schema() {
  MappingSchema schema(
      "An elastic transmission between the joint of a rotor and the joint it drives");
  schema.require("name", reference_schema("name"))
      .require("motor", text_schema("Joint of the rotor"))
      .require("joint", text_schema("Driven joint"))
      .allow("gear_ratio", gear_ratio_schema());
  describe_fields(transmission_fields(), schema);
  return schema.text();
}

std::string rotor_transmission_schema() {
  MappingSchema schema("What gives way between the rotor, which becomes a link, and the joint");
  describe_fields(transmission_fields(), schema);
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kCouplingDefinition{"coupling", coupling_schema};
extern const SchemaDefinition kTransmissionDefinition{"transmission", transmission_schema};
extern const SchemaDefinition kRotorTransmissionDefinition{"rotor_transmission",
                                                           rotor_transmission_schema};

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
  read_fields(map, transmission_fields(), drive);
  map.finish();
  drive.notes = map.take_notes();
  result.description.transmissions.push_back(std::move(drive));
  result.transmissions.push_back({value, std::nullopt});
}

void ModelReader::separate_rotor_of(const Value& link_value, const Value& transmission,
                                    ReadContext& context, ReadModel& result) {
  MapReader map(transmission, context);
  TransmissionDescription given;
  read_fields(map, transmission_fields(), given);
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
      problems.error(place.node->mark, place.path,
                     "expected a parent whose inertia includes the rotor at rest, got one that "
                     "cannot: " +
                         std::string(error.what()),
                     "add the rotor's inertia to that of '" + rotor.parent + "'");
    }
  }
}

}  // namespace spacedyn::loading

#include "loading/elements/force_types.hpp"

#include <cmath>

#include "loading/keys/time_series.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/forces/thruster_force.hpp"

namespace spacedyn::loading {
namespace {

struct Wrench {
  Frame at;
  WrenchAxes axes = WrenchAxes::inertial;
  std::optional<TimeTable> schedule;
};

Mapping<Wrench> wrench_keys() {
  using namespace kind;
  Mapping<Wrench> keys("A force and a torque on a point: constant for a while, or a table");
  keys.require("at", &Wrench::at, point());
  keys.allow(
      "frame", &Wrench::axes,
      choice<WrenchAxes>({"inertial", "body"},
                         "Axes of force and torque: inertial (default) or those of the point"));
  keys.group(&Wrench::schedule, schedule_keys({{"force", {3, kForce}, "Force, N"},
                                               {"torque", {3, kTorque}, "Torque, N*m"}}));
  return keys;
}

void add_wrench(Reading& reading, const std::string& name, Wrench& wrench) {
  warn_if_idle(*reading.scenario, reading.map, *wrench.schedule);
  reading.scenario->add_force(
      std::make_shared<AppliedWrench>(name, wrench.at, wrench.axes, *wrench.schedule));
}

struct JointTorque {
  int joint = 0;
  std::optional<TimeTable> schedule;
};

Mapping<JointTorque> joint_torque_keys() {
  Mapping<JointTorque> keys("A torque or force on a joint: constant for a while, or a table");
  keys.require("joint", &JointTorque::joint, kind::free_joint(Spherical::allowed));
  keys.group(
      &JointTorque::schedule,
      schedule_keys({{"torque", quantity::kJointEffort, "Torque or force, N*m or N", {}, true}}));
  return keys;
}

void add_joint_torque(Reading& reading, const std::string& name, JointTorque& torque) {
  warn_if_idle(*reading.scenario, reading.map, *torque.schedule);
  reading.scenario->add_force(
      std::make_shared<AppliedJointTorque>(name, torque.joint, *torque.schedule));
}

struct Stop : JointStop::Settings {
  std::pair<double, double> limits;
};

Mapping<Stop> stop_keys() {
  using namespace kind;
  Mapping<Stop> keys("A spring and a damper beyond the limits of a joint");
  keys.require("joint", &Stop::joint, free_joint());
  keys.require("stiffness", &Stop::stiffness,
               joint_number(positive(kJointStiffness), "Stiffness, N*m/rad or N/m"));
  keys.allow("damping", &Stop::damping, not_negative(kNumber),
             "Damping, N m s/rad or N s/m, default 0");
  keys.group(&Stop::limits, limits_key());
  return keys;
}

void add_stop(Reading& reading, const std::string& name, Stop& stop) {
  std::tie(stop.lower, stop.upper) = stop.limits;
  reading.scenario->add_force(std::make_shared<JointStop>(name, stop));
}

/// The spherical joint of a name; nothing for any other.
std::optional<CompoundJoint> find_spherical(const ScenarioContext& scenario, const Value& name) {
  if (!scenario.model || !name.node->is_scalar()) return std::nullopt;
  auto joint = scenario.model->find_compound_joint(name.node->text);
  if (joint && joint->type != JointType::spherical) joint.reset();
  return joint;
}

/// The joint, whose own limit is that of the stop unless an angle is given.
bool read_spherical_joint(Reading& reading, SphericalStop::Settings& stop) {
  const auto value = reading.map.require("joint", "a spherical joint");
  if (!value || !reading.scenario->model) return false;
  const auto joint = find_spherical(*reading.scenario, *value);
  if (!joint) {
    reading.map.error_at("joint", "expected a spherical joint, got " + describe(*value->node),
                         "limits of other joints are 'position_limits'");
    return false;
  }
  if (is_prescribed(*reading.scenario, joint->first)) {
    reading.map.error_at("joint", moved_already("a joint that moves", joint->name).reason);
    return false;
  }
  stop.joint = joint->first;
  stop.angle = joint->angle_limit;
  if (reading.map.has("angle") || !std::isinf(stop.angle)) return true;
  reading.map.error_at("angle", "expected 'angle', for joint " + quote(joint->name) +
                                    " has no angle_limit of its own");
  return false;
}

bool read_angle(Reading& reading, SphericalStop::Settings& stop) {
  const auto value = reading.map.find("angle");
  const auto angle =
      value ? read_number(*value, quantity::positive(quantity::kAngle), reading.problems())
            : std::nullopt;
  if (angle) stop.angle = *angle;
  return !value || angle.has_value();
}

Mapping<SphericalStop::Settings> spherical_stop_keys() {
  using namespace kind;
  using Settings = SphericalStop::Settings;
  Mapping<Settings> keys("A compliant limit of the total angle of a spherical joint");
  keys.group({[](MappingSchema& schema) { schema.require("joint", text_schema()); },
              read_spherical_joint});
  keys.group({[](MappingSchema& schema) {
                // without it the schema takes the joint for one with a position
                schema.require("angle", number_schema({positive(kAngle)},
                                                      "From the reference attitude, less than 180 "
                                                      "deg; default the joint's angle_limit"));
              },
              read_angle});
  keys.require("stiffness", &Settings::stiffness, positive(kAngularStiffness),
               "Beyond the angle, N*m/rad");
  keys.allow("damping", &Settings::damping, not_negative(in("N m s/rad")),
             "Beyond the angle, N m s/rad, default 0");
  keys.check([](Settings& stop, Reading& reading) {
    if (stop.angle < kPi) return;
    reading.map.error_at("angle", "expected less than 180 deg: no attitude turns further");
  });
  return keys;
}

ForceType make_joint_stop() {
  const ForceType scalar = force_type<stop_keys>("joint_stop", add_stop);
  const ForceType spherical = force_type<spherical_stop_keys>(
      "joint_stop", add_element<SphericalStop, SphericalStop::Settings>);
  const auto read = [=](ScenarioContext& scenario, MapReader& map, const std::string& name) {
    const auto joint = map.find("joint");
    const bool turns = map.has("angle") || (joint && find_spherical(scenario, *joint));
    (turns ? spherical : scalar).read(scenario, map, name);
  };
  return {scalar.name, read, {scalar.tables[0], spherical.tables[0]}};
}

using Brake = JointBrake::Settings;

Mapping<Brake> brake_keys() {
  using namespace kind;
  Mapping<Brake> keys("Friction that slows a joint down and then holds it");
  keys.require("joint", &Brake::joint, free_joint());
  keys.require("torque", &Brake::torque,
               joint_number(positive(kJointEffort), "Torque or force while it slides, N*m or N"));
  keys.allow("presliding", &Brake::presliding,
             joint_number(positive(kJointPosition), "Deflection at which it yields, rad or m"));
  keys.allow("from", &Brake::from, kTime, "Time at which it closes, s, default 0");
  keys.allow("until", &Brake::until, kTime.or_infinite(), "Time at which it opens, s");
  keys.allow("start", &Brake::event, event());
  keys.check([](Brake& brake, Reading& reading) {
    if (brake.from < brake.until) return;
    reading.map.error_at("until",
                         "expected a time after 'from', " + format_number(brake.from) + " s");
  });
  return keys;
}

const std::vector<ScheduleKey> kOpening = {
    {"command", {quantity::kNumber.within(Range::not_negative)}, "0 closed, 1 open", {0.0, 1.0}}};

/// A table, or the instants between which the thruster is open.
struct Pulses {
  int thruster = -1;
  std::pair<double, double> span;
  int start = -1;
  std::optional<TimeTable> table;
};

bool read_pulses(Reading& reading, Pulses& pulses) {
  if (reading.map.has("table")) {
    pulses.table = read_schedule(reading.map, kOpening);
    return pulses.table.has_value();
  }
  pulses.start = read_start_event(reading.map);
  const auto span = read_time_span(reading.map);
  if (span) pulses.span = *span;
  return span.has_value();
}

void describe_pulses(MappingSchema& schema) {
  describe_table(kOpening, schema);
  schema.add_rule(if_rule(required_rule({"table"}), no_key_rule({"from", "until"})));
}

Mapping<Pulses> pulse_keys() {
  Mapping<Pulses> keys("A thruster of the model opens: for a while, or by a table");
  keys.require("thruster", &Pulses::thruster, kind::thruster());
  keys.group({describe_pulses, read_pulses});
  return keys;
}

void add_thruster(Reading& reading, const std::string& name, Pulses& pulses) {
  const Thruster& thruster =
      reading.scenario->model->thrusters()[static_cast<std::size_t>(pulses.thruster)];
  const TimeTable command =
      pulses.table ? *pulses.table
                   : ThrusterForce::pulse(thruster, pulses.span.first, pulses.span.second)
                         .starting_at(pulses.start);
  warn_if_idle(*reading.scenario, reading.map, command);
  reading.scenario->names.scheduled.insert(thruster.name);
  reading.scenario->add_force(std::make_shared<ThrusterForce>(name, thruster, command));
}

struct Coil {
  Frame at;
  Vector3 axis = Vector3::Zero();
  double limit = std::numeric_limits<double>::infinity();
  std::optional<TimeTable> dipole;
};

const ScheduleKey kDipoleKey{"dipole", {quantity::in("A m²")}, "Along the axis, A m²"};

bool read_dipole(Reading& reading, Coil& coil) {
  MapReader& map = reading.map;
  if (map.has(kDipoleKey.name) || map.has("table")) {
    coil.dipole = read_schedule(map, {kDipoleKey});
    return coil.dipole.has_value();
  }
  for (const char* key : {"from", "until", "start"}) {
    map.refuse(key, "without a dipole only control gives it one");
  }
  if (map.is_mapping() && !map.has("dipole_limit")) {
    map.error("expected dipole, a table or, under control, dipole_limit, got nothing");
  }
  return true;
}

void describe_dipole(MappingSchema& schema) {
  schema.allow(kDipoleKey.name,
               one_or_list_schema(number_schema(kDipoleKey.components, kDipoleKey.title)));
  describe_table({kDipoleKey}, schema);
  schema.add_rule(some_key_rule({kDipoleKey.name, "table", "dipole_limit"}));
  schema.add_rule(if_rule(required_rule({"table"}), no_key_rule({"from", "until", "dipole"})));
}

Mapping<Coil> torquer_keys() {
  using namespace kind;
  Mapping<Coil> keys("A magnetic dipole on a body: constant for a while, a table, or controlled");
  keys.require("at", &Coil::at, point());
  keys.require("axis", &Coil::axis, axis("In the axes of the frame"));
  keys.allow("dipole_limit", &Coil::limit, positive(in("A m²")), "A m²");
  keys.group({describe_dipole, read_dipole});
  keys.check([](Coil&, Reading& reading) {
    if (reading.scenario->space.has_magnetic_field) return;
    reading.map.error("expected a 'magnetic_field' of the environment, got none");
  });
  return keys;
}

void add_torquer(Reading& reading, const std::string& name, Coil& coil) {
  if (coil.dipole) warn_if_idle(*reading.scenario, reading.map, *coil.dipole);
  if (!reading.scenario->space.magnetic_field) return;
  reading.scenario->add_force(std::make_shared<MagneticTorquer>(
      name, coil.at, coil.axis.normalized(), *reading.scenario->space.magnetic_field, coil.limit,
      std::move(coil.dipole)));
}

}  // namespace

extern const ForceType kWrenchType = force_type<wrench_keys>("wrench", add_wrench);
extern const ForceType kJointTorqueType =
    force_type<joint_torque_keys>("joint_torque", add_joint_torque);
extern const ForceType kJointStopType = make_joint_stop();
extern const ForceType kBrakeType = force_type<brake_keys>("brake", add_element<JointBrake, Brake>);
extern const ForceType kThrusterType = force_type<pulse_keys>("thruster", add_thruster);
extern const ForceType kMagneticTorquerType =
    force_type<torquer_keys>("magnetic_torquer", add_torquer);

// each beside its reader
extern const ForceType kBushingType, kSpringDamperType, kTetherType, kWheelType, kTyreType;

const std::vector<const ForceType*>& force_types() {
  static const std::vector<const ForceType*> kTypes = {
      &kWrenchType,  &kJointTorqueType,  &kJointStopType,      &kBrakeType,
      &kBushingType, &kSpringDamperType, &kTetherType,         &kWheelType,
      &kTyreType,    &kThrusterType,     &kMagneticTorquerType};
  return kTypes;
}

std::vector<Json> force_schemas() {
  std::vector<Json> schemas;
  for (const ForceType* type : force_types()) {
    for (const auto& table : type->tables) schemas.push_back(element_schema(type->name, table()));
  }
  return schemas;
}

}  // namespace spacedyn::loading

/// @file
/// What controllers share: their types, keys and actuators.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/gyro_steering.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/thruster_modulation.hpp"
#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn::loading {

/// A type of controller: its name, its reader and its schema.
struct ControlType {
  const char* name;  ///< of `type`
  /// Reads all keys but `type` and `name`, and adds the controller if it is right.
  std::function<void(ScenarioContext& scenario, MapReader& map, const std::string& name)> read;
  std::function<Json()> schema;
};

/// What is read of every controller.
struct ControlInput {
  std::string name;
  double sample_period = 0.0;  ///< s; 0: continuous
  std::vector<std::string> sensors;
};

/// A type with one table of keys, whose settings are a ControlInput.
/// @param add  makes a controller of settings that are right, and adds it
template <auto make, typename Input>
ControlType control_type(const char* name, void (*add)(Reading& reading, Input& input)) {
  const auto read = [=](ScenarioContext& scenario, MapReader& map, const std::string& element) {
    Input input;
    input.name = element;
    Reading reading{map, &scenario};
    if (once<make>().read(reading, input) && scenario.model) add(reading, input);
  };
  return {name, read, [=] { return element_schema(name, once<make>()); }};
}

/// @name Keys of controllers
/// @{
/// 0: continuous.
double read_sample_period(ScenarioContext& scenario, MapReader& map);
/// Names under `sensors`.
/// @param expected  what is fit
/// @param sample_period  becomes the shortest of theirs where it is 0
std::vector<std::string> read_sensor_names(ScenarioContext& scenario, MapReader& map,
                                           const std::string& expected,
                                           const std::function<bool(const Sensor&)>& is_fit,
                                           double& sample_period);
/// Adds `sample_period` and `sensors` to a schema.
void describe_sampling(MappingSchema& schema);
/// Sampling by a computer that reads encoders of the joints of a reading, and other sensors.
/// @{
void describe_digitization(MappingSchema& schema);
struct OtherSensors {
  const char* expected = "";                       ///< after that of encoders
  bool (*is_fit)(const Sensor& sensor) = nullptr;  ///< null: none is
};
bool read_timing(Reading& reading, ControlInput& input, Digitization& digital,
                 const OtherSensors& others = {});
/// @}
/// Joints of the key `joints`, each once and moving freely; what is wrong is reported.
/// @returns whether there are some and all are known
bool read_driven_joints(Reading& reading, const Value& list, std::vector<int>& joints);
/// Reports joints of the key `joints` that another controller drives where one of both drives them
/// alone, unless events switch between them.
void claim_joints(Reading& reading, const std::vector<int>& joints, const std::string& controller,
                  bool alone);
/// What the scenario says about the motion that a controller with a model does not determine.
KnownSurroundings surroundings_of(const SimulationSetup& system);
/// Whether an action of an event turns a controller on or off.
bool is_switched(const ScenarioContext& scenario, const std::string& controller);
/// @}

namespace kind {
/// One number for all three axes, or one for each.
Kind<Vector3> axis_gains(const Quantity& quantity, const char* title);
/// `feed_forward` and the like: names of controllers that have been read and lead joints, or of
/// prescribed joints.
Kind<std::vector<JointMotion>> joint_motions(const char* title, const char* key = "feed_forward");

}  // namespace kind

/// @name Actuators
/// @{
enum class ActuatorKind { wheels, gyros, thrusters, torquers };

/// A list of actuators on one body.
struct ActuatorList {
  const char* key;                   ///< of the list
  const char* title;                 ///< in the schema
  std::optional<ActuatorKind> kind;  ///< nothing: that of the first name
  bool shares_speeds = false;        ///< whether `null_space` is a key
  int body = -1;                     ///< that torquers must be on; negative: that of the first
};

/// What was read of actuators.
struct Actuators {
  std::shared_ptr<const Allocation> allocation;  ///< null where something is wrong or missing
  ActuatorKind kind = ActuatorKind::wheels;
  int body = -1;                            ///< that carries them; negative: not known
  ThrusterModulation modulation;            ///< of thrusters
  const WheelAllocation* wheels = nullptr;  ///< the allocation, if it is one of wheels
  const GyroSteering* gyros = nullptr;      ///< if it is one of gyros
};

/// Keys of the list and those that belong to actuators of its kind.
void describe_actuators(const ActuatorList& list, MappingSchema& schema, Presence presence);
/// @param controller  that commands them
Actuators read_actuators(Reading& reading, const ActuatorList& list, const std::string& controller);
/// The sample period, which is that of the modulation where there is one.
double read_sample_period(Reading& reading, const Actuators& actuators);
/// Reports axes of a body about which actuators have no torque at the start.
/// @param is_commanded  of axes 0…2
/// @param hint  for wheels and gyros; none unless given
void check_authority(Reading& reading, const ActuatorList& list, const Actuators& actuators,
                     int body, const std::function<bool(int axis)>& is_commanded,
                     const std::function<std::string(int axis)>& hint = {});
/// Where a run starts, at rest.
struct Rest {
  explicit Rest(const ScenarioContext& scenario);
  EvaluationContext now() const { return {0.0, model, state, frames, velocities, state.z}; }

  const Model& model;
  const State& state;
  LinkFrames frames;
  LinkVelocities velocities;
};
/// @}

/// @name Lists of actuators by name
/// @{
/// Joints of reaction wheels on one body; nothing where one is wrong.
std::optional<std::vector<int>> read_wheels(ScenarioContext& scenario, MapReader& map,
                                            const char* key);
/// Reaction wheels on one body, and thrusters on one that are opened by parts.
struct BaseActuators {
  std::vector<int> wheels;  ///< their joints
  std::vector<Thruster> thrusters;
};
/// Nothing where one is wrong.
/// @param controller  that opens the thrusters
std::optional<BaseActuators> read_base_actuators(ScenarioContext& scenario, MapReader& map,
                                                 const char* key, bool takes_thrusters,
                                                 const std::string& controller);
/// Gimbals of gyros on one body.
std::vector<int> read_gimbals(ScenarioContext& scenario, MapReader& map, const char* key);
const Thruster* find_thruster(const Model& model, const std::string& name);
/// Thrusters on one body, without those of `inhibit`, that no other controller opens, unless events
/// switch between both.
/// @param controller  that opens them
std::vector<Thruster> read_thrusters(ScenarioContext& scenario, MapReader& map, const char* key,
                                     const ThrusterModulation& modulation,
                                     const std::string& controller);
/// One of `forces`; null: none of this name.
const Torquer* find_torquer(const ScenarioContext& scenario, const std::string& name);
/// Torquers of `forces` that nothing else gives a dipole.
std::vector<Torquer> read_torquers(ScenarioContext& scenario, MapReader& map, const char* key);
/// @}

}  // namespace spacedyn::loading

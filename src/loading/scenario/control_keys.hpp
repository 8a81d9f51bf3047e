/// @file
/// What controllers share: keys, lists of actuators, and a reader for each type.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/scenario/scenario_context.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn::loading {

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
/// One number for all three axes, or one for each; zero where the key is wrong.
Vector3 read_axis_gains(MapReader& map, const char* key, const Quantity& quantity);
std::string axis_gains_schema(const Quantity& quantity, std::string_view title);
/// `feed_forward`: names of controllers that have been read, or of prescribed joints.
std::vector<JointMotion> read_feed_forward(const SimulationSetup& system, MapReader& map);
/// The key `modulation`; without it openings are continuous.
ThrusterModulation read_modulation(ScenarioContext& scenario, MapReader& map);
/// The sample period, which is that of the modulation where there is one.
double read_sample_period(ScenarioContext& scenario, MapReader& map,
                          const ThrusterModulation& modulation);
/// @}

/// @name Lists of actuators
/// @{
/// What a list names is to act about these axes of a body.
struct Commanded {
  const char* key;  ///< of the list
  int body;
  std::array<bool, 3> axes;
};

/// Text of the first item of a list; empty where there is none.
std::string first_name(const MapReader& map, const char* key);
/// Joints of reaction wheels on one body; nothing where one is wrong.
std::optional<std::vector<int>> read_wheels(ScenarioContext& scenario, MapReader& map,
                                            const char* key);
/// Gimbals of gyros on one body under `actuators`.
std::vector<int> read_gimbals(ScenarioContext& scenario, MapReader& map);
const Thruster* find_thruster(const Model& model, const std::string& name);
/// Thrusters on one body, without those of `inhibit`, that no other controller opens, unless events
/// switch between both.
/// @param controller  that opens them
std::vector<Thruster> read_thrusters(ScenarioContext& scenario, MapReader& map, const char* key,
                                     const ThrusterModulation& modulation,
                                     const std::string& controller);
/// Torquers of `forces` that nothing else gives a dipole.
std::vector<Torquer> read_torquers(ScenarioContext& scenario, MapReader& map, const char* key);
/// Reports axes about which thrusters have no torque.
void check_torques(const ScenarioContext& scenario, MapReader& map, const Commanded& commanded,
                   const std::vector<Thruster>& thrusters, const ThrusterModulation& modulation);
/// Reports axes about which torquers have no torque in any field, and torquers on another body.
void check_torquers(const Model& model, MapReader& map, const Commanded& commanded,
                    const std::vector<Torquer>& torquers);
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

/// @name Types of controllers
/// @{
void read_joint_pd(ScenarioContext& scenario, MapReader& map, const std::string& name);
void read_attitude(ScenarioContext& scenario, MapReader& map, const std::string& name);
void read_detumble(ScenarioContext& scenario, MapReader& map, const std::string& name);
void read_momentum_dumping(ScenarioContext& scenario, MapReader& map, const std::string& name);
void read_station_keeping(ScenarioContext& scenario, MapReader& map, const std::string& name);
void read_drive(ScenarioContext& scenario, MapReader& map, const std::string& name);
/// @}

/// How to fly without some wheels: what stands under `locked`.
std::string hint_at_lock(const ScenarioContext& scenario, const std::vector<int>& wheels);

}  // namespace spacedyn::loading

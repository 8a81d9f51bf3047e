/// @file
/// What the readers of a scenario's sections share.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "loading/keys/session.hpp"
#include "spacedyn/control/base_pd.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/forces/surface_forces.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/loading/scenario.hpp"

namespace spacedyn::loading {

/// What the file says about the start of one joint.
struct JointStart {
  std::optional<Value> position;
  std::optional<Value> velocity;
};

/// What the file says about the start of the base.
struct BaseStart {
  std::optional<Value> position, orientation, velocity, angular_velocity;
  /// From the point that the file places to the centroid, inertial, and how fast that grows.
  Vector3 arm = Vector3::Zero(), arm_rate = Vector3::Zero();
};

/// What the file says about the closing of loops at the start.
struct AssemblyRequest {
  bool wanted = false;
  std::optional<Value> place;
  std::optional<std::vector<int>> held;  ///< joints that keep their start, where the file says so
  bool holds_base = false;
};

/// Momentum at the start, inertial axes.
struct StartMomentum {
  Vector3 linear = Vector3::Zero();   ///< N s
  Vector3 angular = Vector3::Zero();  ///< about the centroid of the robot, N m s
  Value place = {};
};

/// What a scenario says about starts, kept until all that they depend on has been read.
struct Starts {
  std::optional<Value> place;  ///< of `initial`
  BaseStart base;
  std::map<int, JointStart> joints;
  AssemblyRequest assembly;
  std::optional<StartMomentum> momentum;
  std::optional<Value> equilibrium;        ///< the key, where it says true
  std::optional<Value> motion;             ///< of a prescribed or a flying base
  std::optional<BasePd::Settings> flight;  ///< control of a flying base
};

/// One of several robots; its model, its setup and its joints are those of the robot alone.
struct RobotStart {
  std::string name;
  SimulationSetup setup;
  State initial;
  Starts starts;

  const Model& model() const { return *setup.model; }
  bool floats() const { return setup.base_mode == BaseMode::floating; }
};

/// A planet, moon or asteroid that is flown about.
struct CentralMass {
  double mu = 0.0;
  Vector3 position = Vector3::Zero();
};

/// What is around the robots besides the ground.
struct Space {
  std::vector<CentralMass> centers;
  std::optional<Sky> sky;  ///< with an epoch
  bool is_sky_used = false;
  Matrix3 equator = Matrix3::Identity();        ///< inertial axes, in those of coordinates at t = 0
  std::vector<Planet> planets;                  ///< whose radius is known
  std::optional<ReferenceOrbit> orbit;          ///< one that does not exist where it is wrong
  double node_longitude = 0.0;                  ///< of the orbit at t = 0, by the epoch, rad
  bool has_magnetic_field = false;              ///< whether the file says there is one
  std::optional<MagneticField> magnetic_field;  ///< nothing: none, or a wrong one
};

/// What wheels roll on.
struct Ground {
  bool has_terrain = false;                ///< whether the file says there is one
  std::shared_ptr<const Terrain> terrain;  ///< null: none, or a wrong one
  std::map<std::string, Soil> soils;       ///< those without errors
  std::vector<std::string> soil_names;     ///< all
};

/// Names that have been read, those of elements that turned out to be wrong included.
struct Names {
  std::set<std::string> elements, connections, contacts, controllers;
  bool knows_controllers = true;  ///< whether `controllers` has them all
  std::vector<std::string> sensors;
  std::set<int> joints, controlled_joints;     ///< that the scenario does something with
  std::map<std::string, std::string> openers;  ///< thrusters, and the first controller of each
  /// Of joints: controllers that drive them, and whether they do so alone.
  std::map<int, std::vector<std::pair<std::string, bool>>> drivers;
  std::set<std::string> scheduled;  ///< thrusters that forces open
};

/// A contact and where the file speaks of it.
struct ContactPlace {
  std::shared_ptr<const ContactForce> contact;  ///< or
  std::shared_ptr<const RigidContact> rigid;
  Value between, stiffness;  ///< of a rigid one the second means nothing
  bool may_penetrate = false;

  const std::string& name() const { return contact ? contact->name() : rigid->name(); }
  const std::vector<ContactPair>& pairs() const {
    return contact ? contact->settings().pairs : rigid->settings().pairs;
  }
  const Terrain* terrain() const {
    return contact ? contact->settings().terrain.get() : rigid->settings().terrain.get();
  }
};

/// A scenario, or one of its several robots, while its sections are read one after another.
struct ScenarioContext {
  /// @param known  the model; null where it has errors itself, then names are not looked up
  ScenarioContext(MapReader& keys, std::shared_ptr<const Model> known)
      : map(keys), model(std::move(known)) {
    result.setup.model = model;
    if (model) result.initial = State(*model);
  }

  ProblemList& problems() const { return map.problems(); }
  ReadContext& context() const { return map.context(); }
  SimulationSetup& setup() { return result.setup; }
  State& initial() { return result.initial; }
  bool has_several_robots() const { return !robots.empty(); }
  void add_force(std::shared_ptr<const ForceElement> force) {
    result.setup.forces.push_back(std::move(force));
  }
  /// @param sensors  that the controller takes in the place of the truth
  template <typename Law>
  void add_controller(std::shared_ptr<Law> controller, const std::vector<std::string>& sensors) {
    controller->take_sensors(sensors);
    result.setup.controllers.push_back(std::move(controller));
  }

  MapReader& map;  ///< all sections
  std::shared_ptr<const Model> model;
  std::vector<RobotStart> robots;   ///< of several
  std::vector<Value> motion_loops;  ///< of the model, that motion constraints hold
  bool is_robot = false;            ///< whether this is one of several
  Starts starts;
  Space space;
  Ground ground;
  Names names;
  std::vector<ContactPlace> contacts;
  std::shared_ptr<class ControllerSettings> settings;  ///< that events set; null: none
  Scenario result;
};

/// A number, or a list, that an event sets.
struct ControllerSetting {
  std::string controller, key;
  Value value, place;  ///< of the key
};

/// The controllers of a scenario with all numbers that its events may set.
///
/// A controller with other numbers is what its section of the file makes with them, so every key of
/// every type can be set, in its unit and with its checks. All are made when the file is read.
class ControllerSettings {
 public:
  static ControllerSettings& of(ScenarioContext& scenario);

  /// Its action; it can be carried out after make_all().
  SetAction add(const ControllerSetting& setting);
  /// Makes the controllers that events can lead to; what does not fit is reported.
  void make_all(ScenarioContext& scenario);

 private:
  /// A controller and the settings that are in force in it, in the order of their keys.
  struct Variant {
    std::vector<std::size_t> settings;
    std::shared_ptr<const Controller> law;
    std::vector<std::size_t> next;  ///< variant after each setting
  };
  /// All of one controller, the first as it is in the file.
  struct Family {
    std::string name;
    std::vector<ControllerSetting> settings;
    std::vector<Variant> variants;

    std::size_t find(const Controller& law) const;
  };

  static std::vector<std::size_t> after(const Family& family, std::vector<std::size_t> before,
                                        std::size_t setting);
  static void make(ScenarioContext& scenario, Family& family);

  std::vector<std::shared_ptr<Family>> families_;
};

}  // namespace spacedyn::loading

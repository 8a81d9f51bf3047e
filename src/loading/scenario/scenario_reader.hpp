/// @file
/// Reads the `scenario:` mapping part by part.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/keys/session.hpp"
#include "loading/scenario/reference_reader.hpp"
#include "loading/scenario/scenario_starts.hpp"
#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/control/base_pd.hpp"
#include "spacedyn/control/controller.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/magnetic_torquer.hpp"
#include "spacedyn/forces/surface_forces.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/loading/scenario.hpp"

namespace spacedyn::loading {

/// Reads everything but the model, which must be known before.
class ScenarioReader {
 public:
  /// @param model  nothing where it has errors itself; then names are not looked up
  /// @param session  opens the files that the scenario names
  ScenarioReader(MapReader& map, std::shared_ptr<const Model> model, Session& session);
  /// @param robots  that the model is made of
  ScenarioReader(MapReader& map, std::shared_ptr<const Model> model, Session& session,
                 std::vector<RobotStart> robots);

  /// A type of controller, with its definition in the schema.
  struct ControlType {
    const char* name;
    const char* definition;
    void (*read)(ScenarioReader& reader, MapReader& map, const std::string& name,
                 const Value& place);
  };
  static const std::vector<ControlType>& control_types();

  Scenario read();
  /// Reads what belongs to one of several robots, the mapping being its item of the list; its
  /// model is the robot alone.
  RobotStart read_robot();

  /// @name For readers of forces: what is known when they read, and where their element goes
  /// @{
  const std::shared_ptr<const Model>& model() const { return model_; }  ///< null where it is wrong
  const State& initial() const { return scenario_.initial; }
  const Vector3& gravity() const { return scenario_.setup.gravity; }
  const std::shared_ptr<const Terrain>& terrain() const { return terrain_; }  ///< null: none, wrong
  const auto& magnetic_field() const { return magnetic_field_; }   ///< nothing: none, wrong
  bool has_magnetic_field() const { return has_magnetic_field_; }  ///< whether the file says so
  void add_force(std::shared_ptr<const ForceElement> force) {
    scenario_.setup.forces.push_back(std::move(force));
  }
  /// One that has been read before; null: none of this name.
  const ForceElement* find_force(const std::string& name) const;
  /// A load that is never felt is most likely a mistake.
  void warn_if_idle(const MapReader& map, const TimeTable& schedule);
  /// @}

  /// @name Keys that several of them have; nothing where the value is wrong
  /// @{
  std::optional<Frame> read_point(MapReader& map, const char* key = "at");
  /// Points `from` and `to` of two bodies.
  std::optional<std::pair<Frame, Frame>> read_pair(MapReader& map);
  /// A joint that a force may act on; keys whose units depend on it are asked for if it is unknown.
  std::optional<int> read_free_joint(MapReader& map, std::initializer_list<const char*> dependent,
                                     bool may_be_spherical = false);
  /// Limits of a joint, its own unless given; nothing if it has none.
  std::optional<std::pair<double, double>> read_limits(MapReader& map, int joint);
  std::optional<Soil> read_soil_name(MapReader& map);
  std::optional<int> read_wheel_link(MapReader& map);
  void check_wheel_start(MapReader& map, int link, double radius);
  std::shared_ptr<const Bushing> make_bushing(MapReader& map, const std::string& name);
  /// @}

 private:
  friend class GyroReader;
  friend class MagneticReader;
  friend class SensorReader;
  friend class SurfaceReader;
  friend class VehicleReader;

  void read_environment();
  void check_start();
  void check_limits(int joint);
  void check_undriven_joints();

  bool has_several_robots() const { return !robots_.empty(); }
  /// Takes over the starts of all robots.
  void start_robots();
  int coordinate_of(const RobotStart& robot, int joint) const;
  /// Coordinates that keep their start while loops are closed.
  /// @param bases  whether bases with a given pose are among them
  std::vector<int> held_coordinates(bool bases) const;
  bool assembles_robots() const;

  void read_connections();
  void read_connection(const Value& value);
  void read_rigid_connection(MapReader& map, const Value& value, LoopDescription loop, bool active);
  void read_soft_connection(MapReader& map, const std::string& name, bool active);
  /// Whether a point is on a robot that is not there; reports it.
  bool refuse_strange_robot(MapReader& map, const char* key);
  std::vector<Loop> start_loops() const;
  void read_connection_action(MapReader& map, bool connects, Event& event);

  void read_initial();
  void read_initial_base(const Value& value);
  void read_initial_joints(const Value& value);
  void read_joint_start(int joint, const Value& value);
  void read_compound_start(const CompoundJoint& joint, const Value& value);

  void read_assembly(MapReader& map);
  /// Joints that keep their start while loops are closed.
  std::vector<int> held_joints() const;
  /// Moves the start onto the loops, or reports that it is not on them.
  void start_on_loops();
  void assemble();

  void read_base_mode();
  void read_base_motion();
  /// @param given  position and rotation, at least one of them; nothing: the base stays
  PrescribedBase read_motion(const std::optional<Value>& given, bool must_be_smooth);
  /// A place over time in the frame of the run.
  std::shared_ptr<const Reference> read_place(const Value& value, const Vector3& start,
                                              bool must_be_smooth);
  void read_rotation(const Value& value, bool must_be_smooth, PrescribedBase& motion);
  void start_base_from_motion();
  void read_prescribed_joints();
  void read_prescribed_joint(const Value& value);
  void check_given(const std::optional<Value>& given, double actual, double start);
  bool is_prescribed(int joint) const;
  void read_locked_joints();
  void read_locked_joint(const Value& value);
  void read_locked_coordinate(int joint, const Value& value);

  void read_flight(MapReader& map);
  void add_flight_control();
  void add_flight_control(BasePd::Settings settings, const Robot& robot);
  void impose_on_base(const PrescribedBase& motion, const Robot& robot);

  void read_gravity_fields(MapReader& map);
  void read_orbit(const Value& value, MapReader& environment);
  std::optional<bool> read_tide(MapReader& map);
  void read_central_bodies(const Value& value, bool gravity_gradient);
  /// No mass may start inside of a planet.
  void check_outside(MapReader& map, const Vector3& position, double radius);
  void read_polyhedron(MapReader& map, const std::string& name, bool gravity_gradient);
  void read_surfaces(MapReader& environment);
  void read_momentum_dumping(MapReader& map, const std::string& name);
  /// Reports thrusters that another controller opens, unless events switch between both.
  void claim_thrusters(const MapReader& map, const char* key,
                       const std::vector<Thruster>& thrusters, const std::string& controller);
  void read_station_keeping(MapReader& map, const std::string& name);
  void read_attitude_thrusters(MapReader& map, const std::string& name, bool damps_only);
  std::vector<std::string> read_attitude_sensors(MapReader& map, int body, bool damps_only,
                                                 double& sample_period);
  AttitudePd::Settings read_attitude_settings(MapReader& map, int body, const Matrix3& axes,
                                              bool damps_only);
  void read_attitude(MapReader& map, const std::string& name, bool damps_only);
  AttitudeReference read_attitude_reference(const Value& value, const Matrix3& start);
  /// Joints of reaction wheels on one body.
  std::optional<std::vector<int>> read_wheels(MapReader& map, const char* key);

  void read_forces();
  void read_terrain(const Value& value);
  void read_height_field(MapReader& map);
  void read_terrain_mesh(MapReader& map);
  void read_soils();
  void read_soil(const Value& value, const std::string& name);
  bool has_wheels() const;

  void read_contacts();
  void read_contact(MapReader& map, const std::string& name, const Value& place);
  std::optional<NormalContact::Settings> read_normal(MapReader& map);
  std::optional<ContactFriction> read_friction(MapReader& map);
  /// Null where the name is wrong.
  const ContactPlace* read_contact_name(MapReader& map);
  bool has_contacts() const;
  /// @param pairs  empty where they are wrong, as those that follow
  void read_rigid_contact(MapReader& map, const std::string& name, const Value& place,
                          const std::optional<Value>& between, std::vector<ContactPair> pairs);

  /// The pairs of `between`, those that the user cannot mean left out where sets are named.
  std::vector<ContactPair> read_pairs(const Value& value);
  /// Shapes of one name; none where it is wrong. @param is_set  out: whether it names several
  std::optional<std::vector<BodyShape>> read_shapes(const Value& value, bool& is_ground,
                                                    bool& is_set);

  void check_contacts();
  void read_position_limits();
  void read_position_stops(MapReader& map);
  void read_joint_limit(MapReader& map, const std::string& name);

  void read_sensors();
  /// Names under `sensors` of a controller; the shortest period of theirs where it has none.
  std::vector<std::string> read_sensor_names(MapReader& map, const std::string& expected,
                                             const std::function<bool(const Sensor&)>& is_fit,
                                             double& sample_period);

  void read_control();
  /// Remembers the names of all controllers, those that turn out to be wrong included.
  void note_controller_names();
  double read_sample_period(MapReader& map);
  void read_joint_pd(MapReader& map, const std::string& name, const Value& place);
  Digitization read_digitization(MapReader& map, double period, const std::vector<int>& joints);
  std::optional<std::vector<int>> read_joints(MapReader& map);
  VectorX own_effort_limits(const std::vector<int>& joints) const;

  void read_events();
  void read_event(MapReader& map, std::size_t type, const std::string& name);
  std::function<double(const EvaluationContext&)> read_root_function(MapReader& map,
                                                                     std::size_t type);
  void read_action(MapReader& map, Event& event);
  void read_actions(MapReader& map, Event& event);
  /// @param begins  whether it is about the contact's beginning unless said otherwise
  void read_contact_event(MapReader& map, bool begins, const std::string& name);
  /// Where a joint reaches a position from one side, its bounces may end in rest.
  static void let_rest(int joint, Event& event);
  void read_joint_action(MapReader& map, std::size_t type, Event& event);
  void read_lock_action(MapReader& map, bool locks, Event& event);
  bool refuse_prescribed(MapReader& map, int joint);
  void read_switch(MapReader& map, Event& event);
  std::optional<int> read_joint(MapReader& map, bool may_be_spherical = false);

  void read_integrator();
  std::optional<std::size_t> read_method(const Value& value);
  void read_fixed_step(MapReader& map);
  void read_projection(MapReader& map);
  void read_constraints(MapReader& map);
  void check_imposed_motion(MapReader& map);
  void read_adaptive(MapReader& map);
  void read_tolerance(const Value& value);
  void read_output();
  void read_channels(const Value& value);
  void read_format(const Value& value);
  void read_checks();

  ProblemList& problems() { return map_.problems(); }
  ReadContext& context() { return map_.context(); }
  /// Coordinates of a joint that may have several; none where the name is wrong or the model is
  /// not known.
  std::vector<int> read_joint_coordinates(const Value& value);
  /// Coordinate of a name; nothing where it is wrong or the model is not known.
  /// @param may_be_spherical  whether it may belong to a rotation vector
  std::optional<int> read_joint_name(const Value& value, bool may_be_spherical = false);
  /// Reads a list of forces or controllers: what they share, then each by `read` with its type (by
  /// position in `types`) and name.
  using ElementReader = std::function<void(MapReader& map, std::size_t type,
                                           const std::string& name, const Value& place)>;
  void read_elements(const char* key, const std::vector<std::string>& types,
                     const ElementReader& read);
  /// Name of an element, made up from its type and place unless given; reports repetitions.
  std::string read_element_name(MapReader& map, const std::string& type, std::size_t position);
  /// Initial position of a joint.
  double start_of(int joint) const { return scenario_.initial.q(joint - 1); }

  MapReader& map_;
  Session& session_;
  std::shared_ptr<const Model> model_;
  Scenario scenario_;
  std::map<int, JointStart> joint_starts_;
  std::map<std::string, std::string> openers_;  // thrusters, and the first controller of each
  BaseStart base_start_;
  bool assemble_ = false, holds_base_ = false;
  std::vector<RobotStart> robots_;          // of several
  bool is_robot_ = false;                   // whether this is one of several
  std::set<std::string> connection_names_;  // those that are wrong included
  std::optional<std::vector<int>> held_;    // where the file says so
  std::optional<Value> initial_place_, assembly_place_;
  std::optional<Value> motion_;  // of a prescribed or a flying base
  std::optional<BasePd::Settings> flight_;
  std::vector<Planet> planets_;      // whose radius is known
  double orbit_rate_ = 0.0;          // n, rad/s; 0: no orbit, negative: a wrong one
  bool has_magnetic_field_ = false;  // whether the file says there is one
  std::optional<MagneticField> magnetic_field_;
  bool has_terrain_ = false;                // whether the file says there is one
  std::shared_ptr<const Terrain> terrain_;  // null where it is wrong
  std::map<std::string, Soil> soils_;       // those without errors
  std::vector<std::string> soil_names_;     // all
  std::vector<ContactPlace> contacts_;
  std::set<std::string> contact_names_;  // all, those that are wrong included
  std::set<std::string> element_names_;
  std::set<int> named_joints_, controlled_joints_;  // that the scenario does something with
  std::vector<std::string> sensor_names_;           // those that are wrong included
  std::set<std::string> controller_names_;
  bool knows_controllers_ = true;  // whether controller_names_ has them all
};

}  // namespace spacedyn::loading

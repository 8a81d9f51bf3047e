/// @file
/// The sections of a scenario, references and poses among them, each read into the shared context;
/// what is wrong is reported.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/scenario/scenario_context.hpp"
#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/forces/acceleration_field.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn::loading {

class MappingSchema;

/// @name The whole
/// @{
/// Reads all sections but the model, in an order in which each finds what it depends on.
Scenario read_sections(ScenarioContext& scenario);
/// @}

/// @name Motion and start: `base`, `initial`, `prescribed`, `locked`
/// @{
void read_base_mode(ScenarioContext& scenario);
void read_initial(ScenarioContext& scenario);
void read_base_motion(ScenarioContext& scenario);
void read_prescribed_joints(ScenarioContext& scenario);
void read_locked_joints(ScenarioContext& scenario);
/// Takes over the starts of all robots.
void start_robots(ScenarioContext& scenario);
/// The keys `assemble` and `hold` of `initial`.
void read_assembly(ScenarioContext& scenario, MapReader& map);
/// Moves the start onto the loops, or reports that it is not on them.
void start_on_loops(ScenarioContext& scenario);
std::vector<Loop> start_loops(const ScenarioContext& scenario);

/// Gives the bases the velocities that follow from momenta.
void start_with_momentum(ScenarioContext& scenario);

/// The key `equilibrium` of `initial`.
void read_equilibrium(ScenarioContext& scenario, MapReader& map);
/// Starts where nothing accelerates; called when all that acts has been read.
void start_in_equilibrium(ScenarioContext& scenario);

/// Whether a motion is imposed, and so must not jump, or followed by a controller.
enum class MotionUse { imposed, followed };
/// A place over time in the frame of the run.
std::shared_ptr<const Reference> read_place(ScenarioContext& scenario, const Value& value,
                                            const Vector3& start, MotionUse use);
/// A turn about an axis; the rest of `motion` stays.
void read_rotation(ScenarioContext& scenario, const Value& value, MotionUse use,
                   PrescribedBase& motion);
/// @}

/// @name Surroundings, connections and forces
/// @{
void read_environment(ScenarioContext& scenario);
void read_gravity_fields(ScenarioContext& scenario, MapReader& environment);
void read_central_bodies(ScenarioContext& scenario, const Value& value, bool gravity_gradient);
void add_body_field(ScenarioContext& scenario, const std::string& name,
                    std::shared_ptr<const GravityModel> gravity, const BodyAxes& axes,
                    bool gravity_gradient);
/// The keys `epoch` and `third_bodies`.
void read_epoch(ScenarioContext& scenario, MapReader& environment);
void read_third_bodies(ScenarioContext& scenario, const Value& value);
/// Reports an ephemeris that is not that of the planet.
void check_sky(ScenarioContext& scenario, MapReader& map);
void read_magnetic_field(ScenarioContext& scenario, const Value& value);
void read_terrain(ScenarioContext& scenario, const Value& value);
void read_soils(ScenarioContext& scenario);
void read_connections(ScenarioContext& scenario);
void read_contacts(ScenarioContext& scenario);
/// The pairs of `between`, those that the user cannot mean left out where sets are named.
std::vector<ContactPair> read_pairs(ScenarioContext& scenario, const Value& value);
void read_position_limits(ScenarioContext& scenario);
/// @}

/// @name Sensors and control
/// @{
void read_sensors(ScenarioContext& scenario);
void read_control(ScenarioContext& scenario);
/// @}

/// @name Events
/// @{
void read_events(ScenarioContext& scenario);
void read_actions(ScenarioContext& scenario, MapReader& map, Event& event);
/// Where a joint reaches a position from one side, its bounces may end in rest.
void let_rest(int joint, Event& event);
/// An event of type `joint_limit`.
void read_joint_limit(ScenarioContext& scenario, MapReader& map, Event& event);
/// Adds the keys `after` and `while`, which all events have.
void describe_sequence(MappingSchema& schema);
void read_sequence(ScenarioContext& scenario, MapReader& map, Event& event);
/// The key `contact`; null where the name is wrong.
const ContactPlace* read_contact_name(ScenarioContext& scenario, MapReader& map);
/// @}

/// @name Run
/// @{
void read_integrator(ScenarioContext& scenario);
void read_output(ScenarioContext& scenario);
void read_checks(ScenarioContext& scenario);
/// @}

/// @name Checks of the start
/// @{
/// Whether a scenario can start at all, and within what its model and its method are good for.
/// @param model   place of the model
/// @param place   of the scenario
/// @param is_new  whether to warn, too, of what a variant of a scenario has in common with it
void check_start(const Scenario& scenario, const Value& model, const Value& place,
                 const ScenarioContext& sections, bool is_new);
/// Warns of joints that start outside of their limits.
void check_start_limits(ScenarioContext& scenario);
/// Warns of joints that nothing holds beside those that are controlled.
void check_undriven_joints(ScenarioContext& scenario);
/// Reports contacts that start in penetration, or that the method cannot follow.
void check_contacts(ScenarioContext& scenario);
/// @}

/// How long a motion takes.
inline constexpr Quantity kTravelTime{Dimension::time, Range::positive};

/// How the components of a reference move, and where it starts unless told.
struct ReferenceFrame {
  std::vector<JointType> motions;  ///< prismatic for lengths, others for angles
  VectorX start;
  bool must_be_smooth = false;  ///< imposed motion: a jump of velocity would need infinite force
  bool is_part = false;         ///< of another reference, which begins as a whole
  std::optional<ReferenceOrbit> orbit =
      {};  ///< of a place in its frame; none exists if it is wrong
};

/// A reference of any type; nothing where it is wrong.
std::shared_ptr<const Reference> read_reference(const Value& value, const ReferenceFrame& frame,
                                                ReadContext& context);

/// A `pose_path`, a pose that is held, or a reference of x, y and z; nothing where it is wrong.
/// @param start  of the frame, in the axes of the reference
std::shared_ptr<const PoseReference> read_pose_reference(const Value& value, const Pose& start,
                                                         ReadContext& context);

/// The rotation that a spherical joint follows: that of a `pose_path`, one that is held, a table of
/// quaternions, or a reference of the three components of a rotation vector; of a free joint, the
/// pose. Nothing where it is wrong.
/// @param start  of the link in the joint frame
std::shared_ptr<const PoseReference> read_joint_pose(const Value& value, const CompoundJoint& joint,
                                                     const Pose& start, ReadContext& context);

}  // namespace spacedyn::loading

/// @file
/// Keys of the bodies, joints and loops of a model file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "spacedyn/model/description.hpp"
#include "spacedyn/model/rerooting.hpp"

namespace spacedyn::loading {

/// @name Tables
/// @{
/// Mass, centroid and inertia.
/// @param mass       whether mass and inertia must be given
/// @param may_carry  whether it may be what is left beside modes
Mapping<BodyDescription> mass_keys(Presence mass, bool may_carry);
/// What base and links have in common but their name.
Mapping<BodyDescription> body_keys(Presence mass, bool may_carry);
/// `reaction_wheel` of a joint, as models are written: limits and friction of a wheel.
Mapping<WheelDrive> wheel_drive_keys();
/// `tank` of a link, as models are written: its propellant fills a sphere.
Mapping<TankShape> tank_shape_keys();
/// `thruster` of a frame, as models are written.
Mapping<ThrusterDrive> nozzle_keys();
/// Name of what a body carries, the body, and where on it.
template <typename Part>
Mapping<Part> place_keys() {
  Mapping<Part> keys;
  keys.require("name", &Part::name, kind::name());
  keys.require("body", &Part::body, kind::text("The base or a link that carries it"));
  keys.allow("position", &Part::position, kind::vector(quantity::kLength, "On the body, m"));
  return keys;
}
/// Size of a shape by its name: edges of a box, radius and length, scale of a mesh.
Mapping<Vector3> size_keys(const std::string& shape);
/// @}

/// @name Kinds
/// @{
namespace kind {
Kind<Visual> visual();
Kind<CollisionShape> collision();
Kind<JointDescription> joint();
Kind<LoopDescription> loop();
Kind<JointCouplingDescription> coupling();
Kind<TransmissionDescription> transmission();
Kind<double> gear_ratio();
/// `#rrggbb`
Kind<std::string> color();
/// Which point of a base is placed.
Kind<BasePoint> base_point(const char* title);
/// A list of the vectors `axis` and `second_axis` of something.
AnyKind any_two_axes(const char* title, Vector3& (*axis)(void* owner, int position));
template <typename T>
Kind<T> two_axes(const char* title) {
  return {any_two_axes(title, [](void* owner, int position) -> Vector3& {
    auto& target = *static_cast<T*>(owner);
    return position == 0 ? target.axis : target.second_axis;
  })};
}

}  // namespace kind
/// @}

/// Reads which point of a base a file places, where the key is there.
BasePoint read_base_point(MapReader& map, const char* key, BasePoint otherwise);
/// Schema of what read_base_point() reads.
Json base_point_schema(const char* title);

/// What positions of a joint are measured in.
Quantity position_quantity(JointType type);
/// What velocities of a joint are measured in.
Quantity velocity_quantity(JointType type);
/// What efforts of a joint are measured in.
Quantity effort_quantity(JointType type);

/// Names of all types, in the order of all_loop_types().
const std::vector<std::string>& loop_type_names();

/// Types that a scenario alone can hold, by motion constraints.
const std::vector<std::string>& motion_loop_names();
/// Whether an item of `loops` or `connections` is of these types, or a distance that follows a
/// reference.
bool is_motion_loop(const Node& item);
/// Schema of `rheonomic`.
Json rheonomic_schema();

/// Reads all keys of a loop but its name and type.
/// @param description  in whose units offsets of joints are
void read_loop_keys(MapReader& map, const ModelDescription& description, LoopDescription& loop);

/// Adds all keys of a type of loop but its name and type.
void describe_loop_keys(LoopType type, MappingSchema& schema);

}  // namespace spacedyn::loading

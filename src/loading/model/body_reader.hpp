/// @file
/// Reads the bodies and joints of a model file.
#pragma once

#include <optional>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/model/base_point.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn::loading {

/// Reads what base and links have in common from their mapping.
/// @param mass_is_required  whether mass and inertia must be given
/// @param may_carry         whether it may be what is left beside modes
void read_body(MapReader& map, bool mass_is_required, BodyDescription& body, bool may_carry = true);

/// Adds what read_body() reads.
void describe_body(Presence mass, MappingSchema& schema, bool may_carry = true);

/// Reads which point of a base a file places, where the key is there.
BasePoint read_base_point(MapReader& map, const char* key, BasePoint otherwise);
/// Schema of what read_base_point() reads.
std::string base_point_schema(std::string_view title);

/// Reads the list of pictures of a body.
std::vector<Visual> read_visuals(const Value& value, ReadContext& context);

/// Reads the list of collision shapes of a body.
std::vector<CollisionShape> read_collisions(const Value& value, const std::string& body,
                                            ReadContext& context);

/// Reads the size of a shape by its name: edges of a box, radius and length, scale of a mesh.
Vector3 read_shape_size(MapReader& map, const std::string& shape);
/// Adds what read_shape_size() reads.
void describe_shape_size(const std::string& shape, MappingSchema& schema);

/// Schema of a color.
std::string color_schema();
/// Reads the optional key `color`; empty where it is absent or wrong.
std::string read_color(MapReader& map);

/// Reads the joint of a link.
/// @param transmission  out: what the joint says about its transmission, if anything
JointDescription read_joint(const Value& value, ReadContext& context,
                            std::optional<Value>& transmission);

/// `reaction_wheel` of a joint, as models are written: limits and friction of a wheel.
WheelDrive read_wheel_drive(const Value& value, ReadContext& context);

/// `tank` of a link, as models are written: its propellant fills a sphere.
TankShape read_tank_shape(const Value& value, ReadContext& context);
/// `thruster` of a frame, as models are written.
ThrusterDrive read_thruster_drive(const Value& value, ReadContext& context);

/// What positions of a joint are measured in.
Quantity position_quantity(JointType type);
/// What velocities of a joint are measured in.
Quantity velocity_quantity(JointType type);
/// What efforts of a joint are measured in.
Quantity effort_quantity(JointType type);

}  // namespace spacedyn::loading

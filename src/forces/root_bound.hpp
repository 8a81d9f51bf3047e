/// @file
/// Root functions that say what bounds them between two instants. Private.
#pragma once

#include <functional>

#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// What a root function says of its motion at one instant. Between two instants its course is
/// bounded from what both say, so that no crossing inside a step is passed over.
struct RootBound {
  enum class Kind {
    sampled,   ///< nothing: its rate is taken from differences
    smooth,    ///< its rate
    distance,  ///< the value is the distance of two points less @ref reach
    gap,       ///< the value is the gap of two convex shapes, or minus the gap
    implied    ///< it crosses zero only where another function of the system does
  };
  Kind kind = Kind::sampled;
  double rate = 0.0;                   ///< of the value
  Vector3 position = Vector3::Zero();  ///< of one point, or centre, from the other, m
  Vector3 velocity = Vector3::Zero();  ///< its rate
  double reach = 0.0;                  ///< m; shapes do not touch where centres are further apart
  double turning = 0.0;                ///< greatest angular speed of what carries the points, rad/s
  double pace = 0.0;                   ///< bound of their speeds wherever turns have led, m/s
  /// @name Of a gap
  /// @{
  Vector3 omega_a = Vector3::Zero(), omega_b = Vector3::Zero();  ///< angular velocities, rad/s
  double radius_a = 0.0, radius_b = 0.0;  ///< of bounding spheres, m; 0 of shapes that are spheres
  double outside = 1.0;                   ///< sign of the value where the shapes are apart
  /// @}
};

/// Of a smooth function.
RootBound smooth_bound(double rate);

/// A root function with its bound, inside the std::function of an event.
class BoundedRoot {
 public:
  using Value = std::function<double(const EvaluationContext&)>;
  using Bound = std::function<RootBound(const EvaluationContext&)>;

  BoundedRoot(Value value, Bound bound) : value_(std::move(value)), bound_(std::move(bound)) {}
  double operator()(const EvaluationContext& now) const { return value_(now); }
  RootBound bound(const EvaluationContext& now) const { return bound_(now); }

 private:
  Value value_;
  Bound bound_;
};

/// A function that crosses zero only where another one of the system does.
BoundedRoot implied_root(BoundedRoot::Value value);

/// Adds what carries a point of a body to a bound: the greatest angular speed, and the sum of the
/// speeds that base and joints give the point.
void add_carriers(const EvaluationContext& context, int body, const Vector3& point,
                  RootBound& bound);

/// @param outside  sign of the root function where the shapes are apart
/// @param rate     of the root function
RootBound pair_bound(const EvaluationContext& context, const ContactPair& pair, double outside,
                     double rate);

}  // namespace spacedyn

#include "forces/root_bound.hpp"

#include <algorithm>
#include <cmath>

#include "kinematics/jacobian_columns.hpp"

namespace spacedyn {

RootBound smooth_bound(double rate) {
  RootBound bound;
  bound.kind = RootBound::Kind::smooth;
  bound.rate = rate;
  return bound;
}

BoundedRoot implied_root(BoundedRoot::Value value) {
  return {std::move(value), [](const EvaluationContext&) {
            RootBound bound;
            bound.kind = RootBound::Kind::implied;
            return bound;
          }};
}

void add_carriers(const EvaluationContext& context, int body, const Vector3& point,
                  RootBound& bound) {
  const LinkVelocities& velocities = context.velocities;
  const LinkFrames& frames = context.frames;
  double turning = velocities.omega[0].norm();
  bound.pace += velocities.v[0].norm() + turning * (point - frames.r[0]).norm();
  for_each_joint_below(context.model, body, [&](int i) {
    bound.pace +=
        linear_column(context.model, frames, i, point).norm() * std::abs(context.state.qd(i - 1));
    // bodies without mass stand between the coordinates of a joint
    if (context.model.body(i).mass == 0.0) return;
    turning = std::max(turning, velocities.omega[static_cast<std::size_t>(i)].norm());
  });
  bound.turning = std::max(bound.turning, turning);
}

RootBound pair_bound(const EvaluationContext& context, const ContactPair& pair, double outside,
                     double rate) {
  RootBound bound;
  bound.rate = rate;
  bound.outside = outside;
  const Vector3 a = pair.a.center(context.frames);
  add_carriers(context, pair.a.frame.body, a, bound);
  if (pair.on_ground) {
    bound.kind = RootBound::Kind::smooth;
    return bound;
  }
  bound.kind = RootBound::Kind::gap;
  const Vector3 b = pair.b.center(context.frames);
  add_carriers(context, pair.b.frame.body, b, bound);
  const auto center_velocity = [&](const BodyShape& shape, const Vector3& center) -> Vector3 {
    const auto i = static_cast<std::size_t>(shape.frame.body);
    return context.velocities.v[i] +
           context.velocities.omega[i].cross(center - context.frames.r[i]);
  };
  bound.position = a - b;
  bound.velocity = center_velocity(pair.a, a) - center_velocity(pair.b, b);
  const auto radius = [](const BodyShape& shape) {
    return bounding_radius(shape.type, shape.size, shape.hull.get());
  };
  const auto radius_that_turns = [&](const BodyShape& shape) {
    return shape.type == CollisionType::sphere ? 0.0 : radius(shape);
  };
  bound.reach = radius(pair.a) + radius(pair.b);
  bound.omega_a = context.velocities.omega[static_cast<std::size_t>(pair.a.frame.body)];
  bound.omega_b = context.velocities.omega[static_cast<std::size_t>(pair.b.frame.body)];
  bound.radius_a = radius_that_turns(pair.a);
  bound.radius_b = radius_that_turns(pair.b);
  return bound;
}

}  // namespace spacedyn

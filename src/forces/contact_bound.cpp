#include "forces/contact_bound.hpp"

#include <algorithm>

namespace spacedyn {

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

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

}  // namespace spacedyn

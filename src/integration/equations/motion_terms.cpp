#include "integration/equations/motion_terms.hpp"

#include "spacedyn/inertia/momentum.hpp"

namespace spacedyn {

MotionTerms::MotionTerms(const Model& model, bool floating)
    : momentum(VectorX::Zero(model.joint_count())),
      gradient(momentum),
      load(momentum),
      floating_(floating),
      composites_(static_cast<std::size_t>(model.body_count())),
      shift_(Matrix3X::Zero(3, model.joint_count())) {}

void MotionTerms::compute(const Model& model, const LinkFrames& frames,
                          const LinkVelocities& velocities, const Loads& loads) {
  if (floating_) {
    r_g = center_of_mass(model, frames);
    v_g = center_of_mass_velocity(model, velocities);
  }
  start_bodies(model, frames, velocities, loads);
  for (int joint = model.joint_count(); joint >= 1; --joint) {
    visit_joint(model, frames, velocities, loads, joint);
  }
  const Composite& system = composites_[0];
  angular = system.angular;
  moment = system.moment;
  force = system.force;
  if (!floating_) return;
  // a joint that moves at a resting centroid moves the whole system the other way
  load.noalias() -= shift_.transpose() * system.force;
  force += system.mass * loads.gravity;
}

void MotionTerms::start_bodies(const Model& model, const LinkFrames& frames,
                               const LinkVelocities& velocities, const Loads& loads) {
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Body& properties = model.body(body);
    Composite& composite = composites_[i];
    const Vector3 arm = frames.r[i] - r_g;
    composite.mass = properties.mass;
    composite.first_moment = properties.mass * arm;
    composite.linear = properties.mass * (velocities.v[i] - v_g);
    composite.angular =
        frames.A[i] * (properties.inertia_L * (frames.A[i].transpose() * velocities.omega[i])) +
        arm.cross(composite.linear);
    composite.force = loads.force.col(body);
    // uniform gravity moves the centroid of a floating system and nothing else
    if (!floating_) composite.force += properties.mass * loads.gravity;
    composite.moment = loads.moment.col(body);
    if (body == 0) {
      composite.force += loads.F_b.head<3>();
      composite.moment += loads.F_b.tail<3>();
    }
    composite.moment += arm.cross(composite.force);
  }
}

void MotionTerms::visit_joint(const Model& model, const LinkFrames& frames,
                              const LinkVelocities& velocities, const Loads& loads, int joint) {
  const auto i = static_cast<std::size_t>(joint);
  const auto lower = static_cast<std::size_t>(model.topology().connection(joint));
  const Composite& beyond = composites_[i];
  const Vector3& k = frames.k[i];
  const Vector3 arm = frames.p[i] - r_g;
  const Vector3& omega = velocities.omega[lower];
  const Joint& its = model.joint(joint);
  const Vector3 v_p = velocities.v[lower] - v_g + omega.cross(frames.p[i] - frames.r[lower]);
  const Vector3 L_p = beyond.angular - arm.cross(beyond.linear);
  momentum(joint - 1) = k.dot(its.turn * L_p + its.slide * beyond.linear);
  gradient(joint - 1) = its.turn * k.dot(beyond.linear.cross(v_p) + L_p.cross(omega)) +
                        its.slide * beyond.linear.dot(omega.cross(k));
  load(joint - 1) =
      k.dot(its.turn * (beyond.moment - arm.cross(beyond.force)) + its.slide * beyond.force);
  shift_.col(joint - 1) =
      its.turn * k.cross(beyond.first_moment - beyond.mass * arm) + its.slide * beyond.mass * k;
  momentum(joint - 1) += its.armature * velocities.qd(joint - 1);
  load(joint - 1) += loads.tau(joint - 1);
  shift_.col(joint - 1) /= model.total_mass();

  Composite& sum = composites_[lower];
  sum.mass += beyond.mass;
  sum.first_moment += beyond.first_moment;
  sum.linear += beyond.linear;
  sum.angular += beyond.angular;
  sum.force += beyond.force;
  sum.moment += beyond.moment;
}

}  // namespace spacedyn

#include "integration/equations/motion_terms.hpp"

#include "integration/equations/attitude_charts.hpp"
#include "math/rotation_vectors.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "state/spherical.hpp"

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

void AttitudeCharts::start(const State& initial, VectorX& x) {
  base_ = AttitudeChart(nearest_rotation(initial.A_0));
  x.setZero();
  x.segment<3>(StateLayout::r_0) = initial.r_0;
  x.segment(StateLayout::q, layout_.joints) = initial.q;
  spherical_.clear();
  for (const int first : model_.spherical_joints()) {
    spherical_.emplace_back(spherical_rotation(initial.q, first).transpose());
    x.segment<3>(StateLayout::q + first - 1).setZero();
  }
  x.segment<3>(layout_.v_0()) = initial.v_0;
  x.segment<3>(layout_.omega_0()) = initial.omega_0;
  x.segment(layout_.qd(), layout_.joints) = initial.qd;
}

bool AttitudeCharts::unpack(const VectorX& x, State& state, Failure& failure) {
  // audit integrals may overflow: they must not stop a motion
  const auto motion = x.head(layout_.integrals());
  if (!is_finite(motion)) {
    return failure.note(Failure::Cause::state_not_finite, first_not_finite(motion));
  }
  theta_ = x.segment<3>(StateLayout::theta);
  if (!AttitudeChart::is_inside(theta_)) return failure.note(Failure::Cause::attitude_left_chart);
  state.r_0 = x.segment<3>(StateLayout::r_0);
  state.A_0 = base_.attitude(theta_);
  state.q = x.segment(StateLayout::q, layout_.joints);
  state.v_0 = x.segment<3>(layout_.v_0());
  state.omega_0 = x.segment<3>(layout_.omega_0());
  state.qd = x.segment(layout_.qd(), layout_.joints);
  state.z = x.segment(layout_.z(), layout_.auxiliaries);
  for (std::size_t k = 0; k < spherical_.size(); ++k) {
    const int first = model_.spherical_joints()[k];
    const Vector3 theta = x.segment<3>(StateLayout::q + first - 1);
    if (!AttitudeChart::is_inside(theta)) {
      return failure.note(Failure::Cause::joint_left_chart, first);
    }
    // log(A_refᵀ Exp(θ)): a chart keeps the inverse
    state.q.segment<3>(first - 1) =
        vector_of_quaternion(spherical_[k].quaternion().conjugate() * quaternion_of_vector(theta));
  }
  return true;
}

bool AttitudeCharts::recentre(VectorX& x, VectorX& rate) {
  const auto recentre_one = [&](AttitudeChart& chart, int row, int velocity, double sign) {
    auto theta = x.segment<3>(row);
    if (!AttitudeChart::needs_recentring(theta)) return false;
    chart.recentre(sign * theta);
    theta.setZero();
    rate.segment<3>(row) = x.segment<3>(velocity);
    return true;
  };
  bool moved = recentre_one(base_, StateLayout::theta, layout_.omega_0(), 1.0);
  for (std::size_t k = 0; k < spherical_.size(); ++k) {
    const int joint = model_.spherical_joints()[k] - 1;
    moved |= recentre_one(spherical_[k], StateLayout::q + joint, layout_.qd() + joint, -1.0);
  }
  return moved;
}

void AttitudeCharts::adopt(const AttitudeCharts& other, VectorX& x) {
  const auto adopt_one = [&](AttitudeChart& chart, const AttitudeChart& theirs, int row,
                             double sign) {
    if (chart == theirs) return;
    auto theta = x.segment<3>(row);
    const Matrix3 A = chart.attitude(sign * theta);
    chart = theirs;
    theta = sign * chart.coordinates(A);
  };
  adopt_one(base_, other.base_, StateLayout::theta, 1.0);
  for (std::size_t k = 0; k < spherical_.size(); ++k) {
    const int row = StateLayout::q + model_.spherical_joints()[k] - 1;
    adopt_one(spherical_[k], other.spherical_[k], row, -1.0);
  }
}

}  // namespace spacedyn

// How EquationsOfMotion keeps attitudes in charts that move along.
#include "dynamics/tree/tree_sums.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "math/rotation_vectors.hpp"
#include "spacedyn/math/rotations.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

void EquationsOfMotion::start(const State& initial, VectorX& x) {
  chart_ = AttitudeChart(nearest_rotation(initial.A_0));
  x.setZero();
  x.segment<3>(StateLayout::r_0) = initial.r_0;
  x.segment(StateLayout::q, layout_.joints) = initial.q;
  spherical_charts_.clear();
  for (const int first : model().spherical_joints()) {
    spherical_charts_.emplace_back(spherical_rotation(initial.q, first).transpose());
    x.segment<3>(StateLayout::q + first - 1).setZero();
  }
  x.segment<3>(layout_.v_0()) = initial.v_0;
  x.segment<3>(layout_.omega_0()) = initial.omega_0;
  x.segment(layout_.qd(), layout_.joints) = initial.qd;
  if (initial.z.size() > 0) {
    x.segment(layout_.z(), layout_.auxiliaries) = initial.z;
  } else {
    x.segment(layout_.z(), layout_.auxiliaries) = elements_.initial_auxiliary();
  }
}

bool EquationsOfMotion::recentre(VectorX& x, VectorX& rate) {
  const auto recentre_one = [&](AttitudeChart& chart, int row, int velocity, double sign) {
    auto theta = x.segment<3>(row);
    if (!AttitudeChart::needs_recentring(theta)) return false;
    chart.recentre(sign * theta);
    theta.setZero();
    rate.segment<3>(row) = x.segment<3>(velocity);
    return true;
  };
  bool moved = recentre_one(chart_, StateLayout::theta, layout_.omega_0(), 1.0);
  for (std::size_t k = 0; k < spherical_charts_.size(); ++k) {
    const int joint = model().spherical_joints()[k] - 1;
    moved |= recentre_one(spherical_charts_[k], StateLayout::q + joint, layout_.qd() + joint, -1.0);
  }
  return moved;
}

bool EquationsOfMotion::has_other_charts(const EquationsOfMotion& other) const {
  return !(chart_ == other.chart_ && spherical_charts_ == other.spherical_charts_);
}

void EquationsOfMotion::adopt_charts(const EquationsOfMotion& other, VectorX& x) {
  const auto adopt = [&](AttitudeChart& chart, const AttitudeChart& theirs, int row, double sign) {
    if (chart == theirs) return;
    auto theta = x.segment<3>(row);
    const Matrix3 A = chart.attitude(sign * theta);
    chart = theirs;
    theta = sign * chart.coordinates(A);
  };
  adopt(chart_, other.chart_, StateLayout::theta, 1.0);
  for (std::size_t k = 0; k < spherical_charts_.size(); ++k) {
    const int row = StateLayout::q + model().spherical_joints()[k] - 1;
    adopt(spherical_charts_[k], other.spherical_charts_[k], row, -1.0);
  }
}

bool EquationsOfMotion::unpack_spherical_joints(const VectorX& x) {
  for (std::size_t k = 0; k < spherical_charts_.size(); ++k) {
    const int first = model().spherical_joints()[k];
    const Vector3 theta = x.segment<3>(StateLayout::q + first - 1);
    if (!AttitudeChart::is_inside(theta)) {
      return fail(Failure::Cause::joint_left_chart, first);
    }
    // log(A_refᵀ Exp(θ)): a chart keeps the inverse
    state_.q.segment<3>(first - 1) = vector_of_quaternion(
        spherical_charts_[k].quaternion().conjugate() * quaternion_of_vector(theta));
  }
  return true;
}

// How EquationsOfMotion lets tanks empty.
//
// State::r_0 and v_0 are those of the base's centroid, which moves in the base as its tanks empty:
// with c from the origin of its frame, ṙ_0 = v_0 + A ċ, and as v_0 is the velocity of the material
// that is there now, its derivative is v̇_0 + ω × A ċ. Propellant leaves with the velocity of its
// tank; what it is given besides is the force of the thruster.

void EquationsOfMotion::take_masses() {
  flow_->update(state_.z);
  set_mass_properties(workspace_, model(), flow_->bodies());
}

void EquationsOfMotion::close_empty_tanks() {
  // an event has found the instant to 1e-12 s
  constexpr double kRest = 1e-9;
  for (std::size_t tank = 0; tank < discrete_.tank_is_empty.size(); ++tank) {
    if (flow_->left(tank, state_.z) <= kRest * model().tanks()[tank].propellant) {
      discrete_.tank_is_empty[tank] = true;
    }
  }
}

void EquationsOfMotion::add_outflow(VectorX& rate) const {
  const LinkFrames& links = frames();
  const auto zd = rate.segment(layout_.z(), layout_.auxiliaries);
  const SystemSums sums = system_sums(model(), state_, workspace_);
  auto integrals = rate.segment(layout_.integrals(), layout_.audit_count());
  Vector3 shift = Vector3::Zero();  // A ċ
  double work = 0.0;
  for (std::size_t i = 0; i < model().tanks().size(); ++i) {
    const double out = flow_->outflow(i, zd);
    if (out == 0.0) continue;
    const Tank& tank = model().tanks()[i];
    const Frame center{"", tank.body, tank.position, Matrix3::Identity()};
    const Vector3 r = frame_position(links, center);
    const Vector6 velocity = frame_velocity(links, velocities(), center);
    const Vector3 v = velocity.head<3>(), omega = velocity.tail<3>();
    const double k = tank.specific_inertia();
    integrals.segment<3>(StateLayout::impulse) -= out * v;
    integrals.segment<3>(StateLayout::angular_impulse) -=
        out * ((r - sums.r_g).cross(v - sums.v_g) + k * omega);
    double energy = 0.5 * (v.squaredNorm() + k * omega.squaredNorm()) - setup_.gravity.dot(r);
    for (const AccelerationField* field : fields_) {
      energy += field->potential(now(), tank.body, r, k);
    }
    work -= out * energy;
    if (tank.body == 0) shift -= out / model().body(0).mass * (r - state_.r_0);
  }
  rate.segment<3>(StateLayout::r_0) += shift;
  rate.segment<3>(layout_.v_0()) += state_.omega_0.cross(shift);
  integrals(StateLayout::work(others_.propellant)) = work;
  integrals(StateLayout::dissipated(others_.propellant)) = 0.0;
  integrals(StateLayout::throughput) += std::abs(work);
}

}  // namespace spacedyn

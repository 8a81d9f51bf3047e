#include "integration/equations/attitude_charts.hpp"

#include "math/rotation_vectors.hpp"
#include "spacedyn/math/rotations.hpp"
#include "state/spherical.hpp"

namespace spacedyn {

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

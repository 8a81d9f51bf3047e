// How EquationsOfMotion keeps attitudes in charts that move along.
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

}  // namespace spacedyn

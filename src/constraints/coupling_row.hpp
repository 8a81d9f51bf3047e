/// @file
/// The row of a coupling of joints: Σ c_k q_k or a function. Private.
#pragma once

#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Numbers of the joints of one coupling, without allocation.
using CouplingVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostFunctionJoints, 1>;

inline CouplingVector of_joints(const Loop& loop, const VectorX& values) {
  CouplingVector result(static_cast<Eigen::Index>(loop.joints.size()));
  for (std::size_t i = 0; i < loop.joints.size(); ++i) {
    result(static_cast<Eigen::Index>(i)) = values(loop.joints[i] - 1);
  }
  return result;
}

/// Σ c_k v_k, c constant.
inline double coupling_sum(const Loop& loop, const VectorX& values) {
  double sum = 0.0;
  for (std::size_t i = 0; i < loop.joints.size(); ++i) {
    sum += loop.coefficients(static_cast<Eigen::Index>(i)) * values(loop.joints[i] - 1);
  }
  return sum;
}

/// φ + offset.
inline double coupling_value(const Loop& loop, const VectorX& q) {
  return loop.function ? loop.function->value(of_joints(loop, q)) : coupling_sum(loop, q);
}

/// Calls `use(i, c)` with the elements c of the row at q, of the joints 0, 1, … of the coupling.
template <typename Use>
void for_each_coefficient(const Loop& loop, const VectorX& q, const Use& use) {
  CouplingVector gradient;
  if (loop.function) {
    const CouplingVector positions = of_joints(loop, q);
    gradient.setZero(positions.size());
    loop.function->gradient(positions, gradient);
  }
  for (std::size_t i = 0; i < loop.joints.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    use(i, loop.function ? gradient(k) : loop.coefficients(k));
  }
}

/// K u.
inline double coupling_rate(const Loop& loop, const State& state) {
  double sum = 0.0;
  for_each_coefficient(loop, state.q,
                       [&](std::size_t i, double c) { sum += c * state.qd(loop.joints[i] - 1); });
  return sum;
}

/// k = −K̇ u.
inline double coupling_bias(const Loop& loop, const State& state) {
  if (!loop.function) return 0.0;
  return -loop.function->curvature(of_joints(loop, state.q), of_joints(loop, state.qd));
}

}  // namespace spacedyn

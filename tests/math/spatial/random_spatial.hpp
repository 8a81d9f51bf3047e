/// @file
/// Seeded random spatial quantities and their comparison.
#pragma once

#include "math/random_rotations.hpp"
#include "spacedyn/math/spatial/cross.hpp"
#include "spacedyn/math/spatial/rigid_inertia.hpp"

namespace spacedyn::testing {

class RandomSpatial : public RandomRotations {
 public:
  using RandomRotations::RandomRotations;

  MotionVector motion() { return {vector(), vector()}; }
  ForceVector force() { return {vector(), vector()}; }
  PluckerTransform transform() { return {rotation(), vector()}; }
  /// A positive definite tensor that obeys the triangle inequality.
  Matrix3 centroidal_tensor() {
    const Matrix3 axes = rotation();
    const Vector3 second(uniform(0.1, 1.0), uniform(0.1, 1.0), uniform(0.1, 1.0));
    const Vector3 moments(second[1] + second[2], second[0] + second[2], second[0] + second[1]);
    return axes * moments.asDiagonal() * axes.transpose();
  }
  RigidInertia inertia() {
    return RigidInertia::from_centroidal(uniform(0.5, 5.0), vector(), centroidal_tensor());
  }
};

template <typename A, typename B>
double difference(const A& a, const B& b) {
  return (a.coordinates() - b.coordinates()).norm();
}

/// Cases of each identity with random values.
constexpr int kCases = 1000;
/// Rounding of a few dozen operations on numbers of size 1 to 30.
constexpr double kRounding = 500.0 * kEps;

}  // namespace spacedyn::testing

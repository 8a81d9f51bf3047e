/// @file
/// Seeded random vectors and rotations for the tests of `math`.
#pragma once

#include <random>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn::testing {

class RandomRotations {
 public:
  explicit RandomRotations(unsigned seed) : generator_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Vector3 vector() { return {normal_(generator_), normal_(generator_), normal_(generator_)}; }
  Vector3 direction() { return vector().normalized(); }
  /// Uniform over SO(3).
  Matrix3 rotation() {
    return Quaternion(normal_(generator_), normal_(generator_), normal_(generator_),
                      normal_(generator_))
        .normalized()
        .toRotationMatrix();
  }

 private:
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
};

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Largest difference of two matrices in units of eps.
template <typename A, typename B>
double eps_between(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return (a - b).cwiseAbs().maxCoeff() / kEps;
}

}  // namespace spacedyn::testing

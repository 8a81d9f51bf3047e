// A beam on a spinning hub stiffens: the chain against a Ritz solution of the continuous beam.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "oracles/beams.hpp"
#include "oracles/small_vibrations.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "support/case_name.hpp"

namespace spacedyn::testing::rotating_beam_test {
namespace {

/// Lowest flapwise (out of the plane of rotation) frequencies of EI w'''' − (T w')' + ρA ẅ = 0,
/// T = ½ ρA Ω² (1 − x²), clamped at x = 0; unit length, EI and ρA.
///
/// Ritz's method with w = x², x³ … x⁹, whose integrals are exact: an upper bound that eight terms
/// bring to ten digits.
VectorX flapwise_frequencies(double spin) {
  const int terms = 8;
  MatrixX K(terms, terms), M(terms, terms);
  for (int i = 0; i < terms; ++i) {
    for (int j = 0; j < terms; ++j) {
      const double a = i + 2, b = j + 2;
      const double tension = a * b * (1 / (a + b - 1) - 1 / (a + b + 1));
      K(i, j) = a * (a - 1) * b * (b - 1) / (a + b - 3) + 0.5 * spin * spin * tension;
      M(i, j) = 1 / (a + b + 1);
    }
  }
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(K, M).eigenvalues().cwiseSqrt();
}

/// Frequencies of the chain about its straight, spinning state: K + ∂c/∂q and H_m.
VectorX spinning_frequencies(const FlexibleBeamDescription& beam, double spin) {
  const Model model = clamped_beam(beam);
  const int n = model.joint_count();
  const auto torque = [&](const VectorX& q) {
    State state(model);
    state.omega_0 = Vector3(0, 0, spin);
    state.q = q;
    return VectorX(bias_forces(model, state, Vector3::Zero()).tail(n));
  };
  MatrixX K = joint_stiffness(model);
  const double step = 1e-5;
  for (int i = 0; i < n; ++i) {
    const VectorX dq = step * VectorX::Unit(n, i);
    K.col(i) += (torque(dq) - torque(-dq)) / (2 * step);
  }
  const MatrixX H_m = inertia_matrix(model, State(model)).bottomRightCorner(n, n);
  EXPECT_LT((K - K.transpose()).norm(), 1e-7 * K.norm());
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(0.5 * (K + K.transpose()), H_m)
      .eigenvalues()
      .cwiseSqrt();
}

TEST(RotatingBeam, RitzSolutionAtRestIsTheCantilever) {
  const VectorX rest = flapwise_frequencies(0.0);
  EXPECT_NEAR(rest(0), 3.516015269, 1e-8);
  EXPECT_NEAR(rest(1), 22.034491565, 1e-6);
}

class SpinningBeam : public ::testing::TestWithParam<double> {};

TEST_P(SpinningBeam, StiffensFlapwiseAsTheContinuousBeam) {
  const VectorX exact = flapwise_frequencies(GetParam());
  const double spin = GetParam() * bending_unit();
  for (const HingePlacement hinges :
       {HingePlacement::segment_ends, HingePlacement::segment_centres}) {
    for (const int mode : {0, 1}) {
      const auto error = [&](int N) {
        const VectorX chain = spinning_frequencies(slender_beam(N, hinges), spin);
        return std::abs(chain(mode) / bending_unit() - exact(mode));
      };
      const double coarse = error(24), fine = error(48);
      EXPECT_LT(fine, 1e-3 * exact(mode));
      EXPECT_NEAR(coarse / fine, 4.0, 0.2);
    }
  }
}

TEST_P(SpinningBeam, StiffensInThePlaneOfRotationByLess) {
  // ω² is smaller by Ω², the centrifugal force giving way sideways
  const double spin = GetParam() * bending_unit();
  FlexibleBeamDescription flap = slender_beam(12, HingePlacement::segment_centres);
  FlexibleBeamDescription lag = flap;
  std::swap(lag.bending_stiffness_y, lag.bending_stiffness_z);
  const VectorX out = spinning_frequencies(flap, spin);
  const VectorX in = spinning_frequencies(lag, spin);
  for (const int mode : {0, 1, 2}) {
    EXPECT_NEAR(in(mode)*in(mode), out(mode) * out(mode) - spin * spin,
                1e-5 * out(mode) * out(mode));
  }
}

INSTANTIATE_TEST_SUITE_P(Speeds, SpinningBeam, ::testing::Values(1.0, 3.0, 6.0, 12.0),
                         NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::rotating_beam_test

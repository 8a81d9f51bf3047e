/// @file
/// The base attitude as a rotation vector about a reference, on lanes.
#pragma once

#include "batch/kernels/workspace.hpp"
#include "math/rotation_series.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Beyond this many radians the series below are not used: the angle of one step and the 1 rad at
/// which the chart is re-centred.
constexpr double kChartLimit = 2.0;
constexpr double kRecentringAngle = 1.0;

/// Σ c_k (−z)^k, even and odd powers side by side.
template <int kTerms, typename Lane>
SPACEDYN_INLINE Lane alternating(const double (&coefficients)[kTerms], const Lane& z) {
  const Lane square = z * z;
  Lane sums[2] = {broadcast<Lane>(0.0), broadcast<Lane>(0.0)};
  for (int k = kTerms - 1; k >= 0; --k) sums[k % 2] = coefficients[k] + square * sums[k % 2];
  return sums[0] - z * sums[1];
}

/// sin φ / φ, (1 − cos φ) / φ² and (1 − (φ/2) cot(φ/2)) / φ² at z = φ² ≤ kChartLimit², by their
/// series: what is left out is below 1e-17.
template <typename Lane>
struct ChartFunctions {
  Lane sinc, cosc, inverse;

  SPACEDYN_INLINE explicit ChartFunctions(const Lane& z) {
    // 2(k+1)/(2k+4)!
    double difference[11];
    for (int k = 0; k < 11; ++k) difference[k] = 2.0 * (k + 1) * kCoscSeries[k + 1];
    sinc = alternating(kSincSeries, z);
    cosc = alternating(kCoscSeries, z);
    inverse = alternating(difference, z) / (cosc + cosc);
  }
};

/// A = Exp(θ) A_ref, column by column: x + sinc θ × x + cosc θ × (θ × x).
template <typename Lane>
SPACEDYN_INLINE void attitude(const ChartFunctions<Lane>& chart, const Lane* theta,
                              const Lane* reference, Lane* A) {
  for (int j = 0; j < 9; j += 3) {
    const Lane* x = reference + j;
    const Lane once[3] = {theta[1] * x[2] - theta[2] * x[1], theta[2] * x[0] - theta[0] * x[2],
                          theta[0] * x[1] - theta[1] * x[0]};
    const Lane twice[3] = {theta[1] * once[2] - theta[2] * once[1],
                           theta[2] * once[0] - theta[0] * once[2],
                           theta[0] * once[1] - theta[1] * once[0]};
    for (int i = 0; i < 3; ++i) A[j + i] = x[i] + chart.sinc * once[i] + chart.cosc * twice[i];
  }
}

/// θ̇ = dexp⁻¹_θ ω = ω − ½ θ × ω + (1 − (φ/2) cot(φ/2)) / φ² θ × (θ × ω).
template <typename Lane>
SPACEDYN_INLINE void chart_rate(const ChartFunctions<Lane>& chart, const Lane* theta,
                                const Lane* omega, Lane* rate) {
  const Lane once[3] = {theta[1] * omega[2] - theta[2] * omega[1],
                        theta[2] * omega[0] - theta[0] * omega[2],
                        theta[0] * omega[1] - theta[1] * omega[0]};
  const Lane twice[3] = {theta[1] * once[2] - theta[2] * once[1],
                         theta[2] * once[0] - theta[0] * once[2],
                         theta[0] * once[1] - theta[1] * once[0]};
  for (int i = 0; i < 3; ++i) rate[i] = omega[i] - 0.5 * once[i] + chart.inverse * twice[i];
}

template <typename Lane>
SPACEDYN_INLINE Lane squared_norm(const Lane* x) {
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/// A_ref ← A (3 E − Aᵀ A) / 2 and θ ← 0 in the lanes that have turned far enough.
template <typename Lane>
inline void recentre(double* state) {
  using S = batch::StateRows;
  Lane theta[3], A[9];
  for (int j = 0; j < 3; ++j) theta[j] = row<Lane>(state, S::theta + j);
  const auto far = squared_norm(theta) > kRecentringAngle * kRecentringAngle;
  double flags[LaneTraits<Lane>::width];
  store(flags, select(far, broadcast<Lane>(1.0), broadcast<Lane>(0.0)));
  bool any = false;
  for (const double flag : flags) any |= flag != 0.0;
  if (!any) return;
  for (int j = 0; j < 9; ++j) A[j] = row<Lane>(state, S::A_0 + j);
  for (int column = 0; column < 3; ++column) {
    Lane product[3];  // a column of Aᵀ A
    for (int i = 0; i < 3; ++i) {
      product[i] = A[3 * i] * A[3 * column] + A[3 * i + 1] * A[3 * column + 1] +
                   A[3 * i + 2] * A[3 * column + 2];
    }
    for (int i = 0; i < 3; ++i) {
      const Lane mended = 1.5 * A[3 * column + i] -
                          0.5 * (A[i] * product[0] + A[3 + i] * product[1] + A[6 + i] * product[2]);
      const int index = S::A_ref + 3 * column + i;
      set_row(state, index, select(far, mended, row<Lane>(state, index)));
      set_row(state, S::A_0 + 3 * column + i, select(far, mended, A[3 * column + i]));
    }
  }
  for (int j = 0; j < 3; ++j) {
    set_row(state, S::theta + j, select(far, broadcast<Lane>(0.0), theta[j]));
  }
}

}  // namespace spacedyn::SPACEDYN_ISA

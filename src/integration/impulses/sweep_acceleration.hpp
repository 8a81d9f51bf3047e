/// @file
/// Extrapolation of a fixed-point iteration. Private.
#pragma once

#include <array>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Anderson's extrapolation of a fixed-point iteration y = g(x): from the last few pairs the
/// combination whose change g(x) − x is least.
class SweepAcceleration {
 public:
  static constexpr int kMemory = 6;

  /// Makes room for vectors of so many numbers.
  void reserve(Eigen::Index size);
  /// Forgets all pairs.
  void restart() { count_ = 0; }
  /// Takes the next pair and extrapolates from all that are kept.
  /// @param x  what went into g
  /// @param y  in: g(x); out: where to go on
  void extrapolate(ConstVectorRef x, VectorRef y);

 private:
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMemory, kMemory>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMemory, 1>;

  VectorX change_, last_change_, last_y_;
  std::array<VectorX, kMemory> d_change_, d_y_;  // between pairs, the oldest overwritten
  int count_ = 0;                                // pairs since the restart
};

}  // namespace spacedyn

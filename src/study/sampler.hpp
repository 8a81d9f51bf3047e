/// @file
/// From the number of a row to the values of its parameters. Private.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "spacedyn/study/sweep.hpp"

namespace spacedyn {

class SweepSampler {
 public:
  /// @param settings  checked; must outlive this
  explicit SweepSampler(const SweepSettings& settings);
  ~SweepSampler();
  SweepSampler(SweepSampler&&) noexcept;

  long rows() const { return points_ * settings_.runs; }
  SweepDraw draw(long row) const;

 private:
  struct SobolPoints;

  /// A number in (0, 1) for each distribution.
  void uniform_numbers(long row, std::vector<double>& numbers) const;
  void correlate(const std::vector<double>& uniform, std::vector<double>& values) const;

  const SweepSettings& settings_;
  long points_ = 1;                                       ///< of the grid
  std::vector<std::size_t> distributions_;                ///< parameters that are no grids
  std::vector<std::vector<std::uint32_t>> permutations_;  ///< of a Latin hypercube
  std::unique_ptr<SobolPoints> sobol_;
  MatrixX factor_;  ///< L of the correlation L Lᵀ
};

}  // namespace spacedyn

/// @file
/// What a sweep consists of, and the values that it draws. Private.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/study/sweep.hpp"
#include "study/collector.hpp"
#include "study/pending_rows.hpp"

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

class Sweep::Implementation {
 public:
  SweepSettings settings;
  std::vector<Override> overrides;
  std::map<std::string, std::string> sources;
  std::vector<Diagnostic> warnings;
  std::unique_ptr<const loading::ScenarioFamily> family;
  CollectPlan plan;
  std::unique_ptr<const SweepSampler> sampler;  // of the settings above
  RowBundle bundle;
};

/// Reads the file of a sweep and finds its keys in the scenario.
/// @param session  that opens files, or texts of them
/// @param texts    of the scenario's files; null: they are read from the disk
/// @throws as Sweep::load()
std::unique_ptr<Sweep::Implementation> read_sweep(loading::Session& session,
                                                  loading::Document document,
                                                  const std::vector<Override>& overrides,
                                                  const std::map<std::string, std::string>* texts);

}  // namespace spacedyn

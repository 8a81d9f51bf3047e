/// @file
/// What a sweep consists of, the values that it draws, and rows that wait for others. Private.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/study/sweep.hpp"
#include "study/collector.hpp"

namespace spacedyn {

/// Which rows fly together: at most so many of the same block of successive rows.
struct RowBundle {
  long most = 1, block = 1;
};

/// Hands out rows that have not been flown, in ascending order but for those that come back.
/// All functions may be called by several threads at once.
class PendingRows {
 public:
  PendingRows(long rows, const RowBundle& bundle);

  /// Before rows are handed out. @throws DomainError if one is none of the sweep
  void keep_only(const std::vector<long>& rows);
  /// Before rows are handed out.
  void leave_out(long row);
  /// Rows that have not been handed out.
  long count() const;

  /// Rows to fly together, none if there are no more; waits while some may still be added.
  std::vector<long> next();
  /// At most so many rows for another process; each is settled or added again later.
  std::vector<long> lend(long most);
  /// Expects that add() brings so many rows; fewer if negative.
  void expect(long rows);
  /// Rows that have been expected.
  void add(const std::vector<long>& rows);
  /// Hands out nothing from now on.
  void close();

 private:
  /// The next row, −1 if there is none.
  long first();
  /// Hands it out.
  void drop_first();

  const RowBundle bundle_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> flown_;
  long next_ = 0;
  std::vector<long> added_;  // from the back
  long left_;                // of flown_ from next_ on, and of added_
  long expected_ = 0;
  bool closed_ = false;
};

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

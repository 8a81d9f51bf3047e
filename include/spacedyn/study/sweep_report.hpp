/// @file
/// What the rows of a sweep say together: statistics, sensitivities, a page, a picture.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/study/sweep_run.hpp"

namespace spacedyn {

/// Bounds that hold what is estimated in 95 of 100 cases.
struct SweepInterval {
  double low = 0.0, high = 0.0;
};

/// Part of successes k/n of independent trials, and its interval [Wilson 1927].
/// @pre 0 ≤ successes ≤ trials, trials > 0
SPACEDYN_EXPORT SweepInterval success_interval(long successes, long trials);

/// x with P(X ≤ x) = p of a sample, between neighbours in proportion, and an interval that makes no
/// assumption about the distribution: order statistics whose ranks are those of the binomial
/// distribution of how many values lie below x.
struct SweepQuantile {
  double probability = 0.5, value = 0.0;
  SweepInterval interval;
};
/// @param ascending  sample, not empty
SPACEDYN_EXPORT SweepQuantile sample_quantile(const std::vector<double>& ascending,
                                              double probability);

/// Correlation of ranks [Spearman 1904]; equal values have the mean of their ranks. NaN where one
/// of both does not vary.
SPACEDYN_EXPORT double rank_correlation(const std::vector<double>& x, const std::vector<double>& y);

/// What makes the rows of a sample differ.
enum class SampleKind {
  random,  ///< chance, too: parameters that are drawn, noise
  grid     ///< their parameters alone, all combinations of whose values are there
};
/// Fewer random rows say nothing about indices: their errors would be of the size of the indices.
constexpr std::size_t kLeastSampledRows = 50;

/// Sobol' index of first order of y with respect to x, Var E(y|x) / Var y. On a grid exactly, from
/// the means of the groups with the same x; of random rows by analysis of variance, without what
/// chance alone puts between groups, over values of x that repeat, else over up to 64 bins of equal
/// count in the order of x, with a standard error of the order 1/√n. NaN where y does not vary, of
/// random rows fewer than kLeastSampledRows, and on a grid so thinned out that no x repeats.
SPACEDYN_EXPORT double first_order_index(const std::vector<double>& x, const std::vector<double>& y,
                                         SampleKind kind);

/// Total Sobol' index of y with respect to a parameter x_i: E Var(y|x_~i) / Var y, the part of the
/// variance that would remain if all other parameters x_~i were known [Homma & Saltelli 1996]. From
/// random or Latin hypercube samples: half the mean squared difference between each row and its
/// nearest neighbour in the ranks of all others [Broto, Bachoc & Depecker 2020]; on grids from
/// groups in which all others are the same. Neighbours differ in all others a little, so it is too
/// large where rows are few for the number of parameters, and wrong for Sobol' points, whose
/// neighbours follow a pattern. At most 2000 rows are used. NaN where one of both does not vary,
/// and of random rows fewer than kLeastSampledRows.
SPACEDYN_EXPORT double total_index(const std::vector<std::vector<double>>& parameters,
                                   std::size_t which, const std::vector<double>& y,
                                   SampleKind kind);

/// What is known of one collected number, over the rows that have it.
struct SweepStatistic {
  std::string name, unit;
  long count = 0;
  double mean = 0.0, standard_deviation = 0.0;  ///< NaN without two rows
  std::vector<SweepQuantile> quantiles;         ///< of 0, 5, 25, 50, 75, 95 and 100 %
  std::vector<double> rank_correlations;        ///< with each parameter
  std::vector<double> first_order_indices;      ///< with respect to each parameter; 1 where no
                                                ///< other one varies and there is no noise
  std::vector<double> total_indices;            ///< the same; NaN of Sobol' points
};

SPACEDYN_EXPORT std::vector<SweepStatistic> sweep_statistics(const SweepTable& table);

/// Quantiles over time of one collected channel, over all flights that still fly at that time.
struct SweepBand {
  static constexpr std::array<double, 5> kProbabilities{0.05, 0.25, 0.5, 0.75, 0.95};
  std::string name, unit;                        ///< channel, with its component if not 0
  std::vector<double> times;                     ///< s
  std::array<std::vector<double>, 5> quantiles;  ///< of these probabilities, at all times
};

/// Bands of all collected channels at 101 instants, from the files of flights that a sweep with
/// `keep_results` has kept in `rows` beside its result: at most 500, evenly spaced. Empty if there
/// are none.
SPACEDYN_EXPORT std::vector<SweepBand> sweep_bands(const SweepTable& table);

/// Writes one page that needs no other file and no network: success rate, failures by cause,
/// distributions, bands over time, scatter plots, parallel coordinates, sensitivities; several
/// sweeps side by side. A click on a row shows the command that flies it again.
/// @throws IoError; DomainError if there is no sweep
SPACEDYN_EXPORT void write_sweep_page(const std::string& path,
                                      const std::vector<SweepTable>& tables);

/// A picture of collected numbers over a parameter or over each other, a point for each row.
/// @param x, y  names of parameters or collected numbers
/// @throws DomainError if there is none of such a name, with the nearest
SPACEDYN_EXPORT std::string sweep_scatter_svg(const SweepTable& table, const std::string& x,
                                              const std::string& y, double width, double height,
                                              double font_size);

}  // namespace spacedyn

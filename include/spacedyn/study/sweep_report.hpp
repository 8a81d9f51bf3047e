/// @file
/// What the rows of a sweep say together: statistics, sensitivities, a page, a picture.
#pragma once

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

/// Sobol' index of first order of y with respect to x, Var E(y|x) / Var y, from any independent
/// sample: by analysis of variance over up to 64 bins of equal count in the order of x; of values
/// of x that repeat, as on grids, from the means of their groups. NaN where y does not vary. Its
/// standard error is of the order 1/√n.
SPACEDYN_EXPORT double first_order_index(const std::vector<double>& x,
                                         const std::vector<double>& y);

/// What is known of one collected number, over the rows that have it.
struct SweepStatistic {
  std::string name, unit;
  long count = 0;
  double mean = 0.0, standard_deviation = 0.0;  ///< NaN without two rows
  std::vector<SweepQuantile> quantiles;         ///< of 0, 5, 25, 50, 75, 95 and 100 %
  std::vector<double> rank_correlations;        ///< with each parameter
  std::vector<double> first_order_indices;      ///< with respect to each parameter
};

SPACEDYN_EXPORT std::vector<SweepStatistic> sweep_statistics(const SweepTable& table);

/// Writes one page that needs no other file and no network: success rate, failures by cause,
/// distributions, scatter plots, parallel coordinates, sensitivities; several sweeps side by side.
/// A click on a row shows the command that flies it again.
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

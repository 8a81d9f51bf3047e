/// @file
/// Evaluates trials of an optimization, and the methods that ask for them.
#pragma once

#include <string>
#include <vector>

#include "optimization/searches.hpp"
#include "optimization/trials.hpp"

namespace spacedyn {

/// Flies points of scaled variables z: between 0 and 1 where a variable has both bounds, else in
/// units of its start; keeps each point and the best one.
class Evaluator final : public SmoothProblem {
 public:
  /// @param known  points that need not be flown, must outlive this object
  Evaluator(const Optimization::Implementation& optimization, const SearchOptions& options,
            const std::vector<OptimizationPoint>& known);

  Eigen::Index count() const override { return scale_.size(); }
  VectorX start() const override { return scaled(&ScenarioVariable::start); }
  VectorX lower() const override { return scaled(&ScenarioVariable::lower); }
  VectorX upper() const override { return scaled(&ScenarioVariable::upper); }
  VectorX unscaled(const VectorX& z) const;
  VectorX scaled(const VectorX& x) const { return (x - origin_).cwiseQuotient(scale_); }

  /// Values of points, in memory of the latest one.
  std::vector<OptimizationPoint> at(const std::vector<VectorX>& points);
  const OptimizationPoint& at(const VectorX& z) override;
  /// Derivatives with respect to z, a row each: the objective, then the constraints. Where flights
  /// on both sides fail they are zero. One flight with its tangents gives the value of z as well.
  const MatrixX& gradients(const VectorX& z) override;

  const std::vector<OptimizationPoint>& history() const { return history_; }
  /// Least violation first, then the least objective.
  const OptimizationPoint& best() const override { return best_; }
  /// Its scaled variables, to the bit; empty before there is one.
  const VectorX& best_z() const { return best_z_; }
  bool is_better(const OptimizationPoint& one, const OptimizationPoint& other) const {
    return spacedyn::is_better(one, other, optimization_.settings.tolerance);
  }
  const std::string& why() const { return why_; }
  const Derivatives& derivatives() const { return derivatives_; }
  SearchProgress progress() const { return trials_.progress(); }

 private:
  VectorX scaled(double ScenarioVariable::*number) const;
  void follow_tangents(const VectorX& z);
  void follow_differences(const VectorX& z);
  bool is_latest(const VectorX& z) const { return latest_z_.size() == z.size() && latest_z_ == z; }
  OptimizationPoint point_of(const SweepRow& row, const VectorX& variables);
  OptimizationPoint keep(OptimizationPoint point, const VectorX& z);
  /// A point that is known; null if it is not.
  const OptimizationPoint* recall(const VectorX& variables) const;

  const std::vector<OptimizationPoint>& known_;
  const Optimization::Implementation& optimization_;
  Trials trials_;
  VectorX origin_, scale_;
  Derivatives derivatives_;
  double part_;  ///< step of differences, in parts of a variable
  std::vector<OptimizationPoint> history_;
  OptimizationPoint best_;
  VectorX best_z_, latest_z_, gradient_z_;
  OptimizationPoint latest_;
  MatrixX gradients_;
  std::string why_;
};

/// Evolution strategy with covariance matrix adaptation: (μ/μ_w, λ) with the constants of [Hansen
/// 2016, The CMA evolution strategy: a tutorial]. Points are cut off at the bounds, and compared
/// by their violation first. The same file gives the same search.
/// @throws SearchInterrupted
SearchEnd minimize_with_cmaes(Evaluator& evaluator, const OptimizationSettings& settings);

}  // namespace spacedyn

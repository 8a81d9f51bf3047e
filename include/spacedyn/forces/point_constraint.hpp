/// @file
/// A constraint on points that a function gives, for programs that need no class of their own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/motion_constraint.hpp"

namespace spacedyn {

/// Holonomic rows φ(p_1, …, p_m, t) = 0 on positions of up to four points, [RBDA] (3.2): K u =
/// −∂φ/∂t with K = Σ ∂φ/∂p_i J_i. Forces λ ∂φ/∂p_i act at the points.
///
/// It is kept as any loop: accelerations satisfy φ̈ = 0, and states return to φ = 0 after each step.
/// What the forces do where φ depends on time is work of a source of its name.
class SPACEDYN_EXPORT PointConstraint final : public MotionConstraint {
 public:
  static constexpr int kMostRows = static_cast<int>(MotionRows::kMost);
  static constexpr int kMostPoints = static_cast<int>(MotionRow::kMostPoints);
  /// A column for each point, inertial axes; needs no heap.
  using Points = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, kMostPoints>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kMostRows, 1>;
  using Gradient = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostRows,
                                 3 * kMostPoints>;

  /// What the function fills in; given to it as zeros.
  struct Values {
    Rows value;         ///< φ
    Gradient gradient;  ///< ∂φ/∂p, rows × 3 points
    Rows rate;          ///< ∂φ/∂t
  };
  /// φ at positions, m, and a time, s. Must depend on its arguments only and be smooth.
  using Function = std::function<void(const Points& points, double time, Values& values)>;
  /// φ̈ of points that move at constant velocities: d(∂φ/∂p · v + ∂φ/∂t)/dt.
  using Bias =
      std::function<void(const Points& points, const Points& velocities, double time, Rows& bias)>;
  struct Settings {
    std::vector<Frame> points;  ///< one to four
    int rows = 1;               ///< one to three
    Function function;
    /// None: by differences of order 6 of the function along the motion, good to some 11 digits.
    Bias bias;
  };

  /// @throws DomainError without a function, or for a number of points or rows that cannot be
  PointConstraint(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  void check(const Model& model) const override;
  int row_count() const override { return settings_.rows; }
  std::vector<int> bodies() const override;
  void rows(const EvaluationContext& context, MotionRows& rows) const override;

 private:
  Values at(const Points& points, double time) const;
  Rows bias(const Points& points, const Points& velocities, double time) const;

  Settings settings_;
};

}  // namespace spacedyn

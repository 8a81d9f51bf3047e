/// @file
/// A spline of least jerk as a reference.
#pragma once

#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// The quintic spline with four continuous derivatives through rows, at rest at both ends: of all
/// curves through them it has the least ∫ p⃛² dt. Before and after it rests at the ends.
class SPACEDYN_EXPORT SplineReference final : public Reference {
 public:
  /// @param times      s, counted from from_time, strictly increasing, at least two
  /// @param positions  one column per time
  /// @throws DomainError, DimensionError if a rule is broken or a number is not finite
  SplineReference(std::vector<double> times, MatrixX positions, double from_time = 0.0);
  int size() const override { return static_cast<int>(positions_.rows()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  std::vector<double> times_;
  MatrixX positions_, velocities_, accelerations_;  // at the rows
  double from_time_;
};

}  // namespace spacedyn

/// @file
/// Cubic tables that begin and end at rest.
#pragma once

#include <vector>

#include "spacedyn/control/reference.hpp"

namespace spacedyn {

/// The C² cubic spline through rows whose velocity is zero at both ends, so that only the
/// acceleration jumps, and only there; held outside. Rows on a straight line do not stay on it:
/// TableReference has the natural spline, which does.
class SPACEDYN_EXPORT RestingTable final : public Reference {
 public:
  /// @param times      s, strictly increasing, at least two
  /// @param positions  one column per time
  /// @throws DomainError, DimensionError if a rule is broken or a number is not finite
  RestingTable(std::vector<double> times, MatrixX positions);
  int size() const override { return static_cast<int>(positions_.rows()); }
  ReferenceValue evaluate(int component, double time) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  std::vector<double> times_;
  MatrixX positions_;
  MatrixX curvatures_;  // second derivative at each row
  MatrixX slopes_;      // first derivative at each row
};

}  // namespace spacedyn

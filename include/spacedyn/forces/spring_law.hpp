/// @file
/// What a spring exerts over its stretch, where that is no straight line.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// F(s), N over m or N m over rad, positive where the spring pulls back from a positive stretch.
class SPACEDYN_EXPORT SpringLaw {
 public:
  /// At a stretch: F, dF/ds, and ∫ F ds from no stretch.
  struct Value {
    double force = 0.0, stiffness = 0.0, energy = 0.0;
  };

  /// F = c_1 s + c_2 s² + …; a progressive spring has c_1 and c_3.
  /// @throws DomainError unless all coefficients are finite and one is not zero
  static SpringLaw polynomial(const std::vector<double>& coefficients);
  /// A smooth curve through points that rises and falls only where they do, and goes on straight
  /// beyond them (piecewise cubic, after Fritsch and Carlson).
  /// @throws DomainError unless there are as many forces as stretches, at least two, all finite,
  ///         stretches ascending
  static SpringLaw table(const std::vector<double>& stretches, const std::vector<double>& forces);

  Value at(double stretch) const noexcept;

 private:
  /// Between two points of a table: F = f + d x + …, x from the first of them.
  struct Piece {
    double start, force, slope, second, third, energy;
  };
  static Value value_of(const Piece& piece, double x) noexcept;

  std::vector<double> coefficients_;
  std::vector<Piece> pieces_;  // the first and the last go on straight
};

}  // namespace spacedyn

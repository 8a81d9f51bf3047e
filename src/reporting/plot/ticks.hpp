/// @file
/// Round numbers for axes.
#pragma once

#include <string>
#include <vector>

namespace spacedyn {

/// A range that is drawn and the numbers that are written beside it.
struct Axis {
  double low = 0.0;
  double high = 1.0;
  double step = 0.2;
  std::vector<double> ticks;  ///< multiples of the step inside the range

  /// A tick with as many decimals as the step needs.
  std::string label(double tick) const;
};

/// An axis for values between two bounds, with about so many ticks; a step is 1, 2 or 5 times a
/// power of ten. @param tight  end at the bounds instead of at ticks
Axis make_axis(double least, double greatest, int about, bool tight);

}  // namespace spacedyn

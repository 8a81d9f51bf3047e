/// @file
/// Rows of numbers that become a tile, or are written from one; plain numbers.
#pragma once

namespace spacedyn::batch {

/// Up to eight rows. Lanes of the tile beyond them repeat the last one.
struct ConstRows {
  const double* first;
  long distance;  ///< from a row to the next
  int count;
};
struct Rows {
  double* first;
  long distance;
  int count;
};

/// Squares of the length of quaternions that can be normalized lie between.
constexpr double kLeastSquare = 1e-300, kLargestSquare = 1e300;

}  // namespace spacedyn::batch

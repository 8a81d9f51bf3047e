/// @file
/// What batches are asked to do; plain numbers, shared by all tiles.
#pragma once

namespace spacedyn::batch {

/// Joint PD control: gains per joint, and references per joint at the beginning, the middle and the
/// end of each step, the end of one step being the beginning of the next.
struct PdTask {
  const double* stiffness;  ///< n; nullptr: no control
  const double* damping;
  const double* limit;       ///< of the effort; infinite for none
  const double* references;  ///< (2 steps + 1) × 2 × n: positions, then velocities
};

struct Rk4Task {
  const double* gravity;
  double step;
  int steps;
  PdTask pd;
};

/// Rows of memory, tiles wide, that an integration needs besides the workspace.
struct Rk4Rows {
  static constexpr int forces(int n) { return 30 + 2 * n; }
  static constexpr int acceleration(int n) { return forces(n) + 6 + n; }
  static constexpr int sum(int n) { return acceleration(n) + 6 + n; }
  static constexpr int count(int n) { return sum(n) + 12 + 2 * n; }
};

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

/// @file
/// Pages that show a model, or its modes, without a result.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A robot with its base at rest at the origin, for html_report(): the page moves its joints.
///
/// Joint positions are those nearest to zero inside their limits; of two joints that a gear ties to
/// each other, the second one follows the first.
SPACEDYN_EXPORT ReportData model_report(const Model& model);

/// Length of the one cycle in which each mode is shown, s.
inline constexpr double kShownCycle = 2.0;

/// A natural mode as a page tells of it.
struct ModeToShow {
  int number = 0;              ///< from 1, rigid-body modes counted
  double frequency = 0.0;      ///< Hz
  double damping_ratio = 0.0;  ///< ζ
  double growth_rate = 0.0;    ///< of an unstable mode, 1/s
  std::string strain;          ///< the joints that hold its strain energy
  VectorX shape;               ///< φ, size 6 + n
};

/// The robot at a configuration and each mode as one cycle of motion, x + a φ sin(2πt/T), for
/// html_report(). The amplitude a is chosen so that the point that moves farthest moves a tenth of
/// the robot's size and nothing turns by more than half a radian. An unstable mode swings, too.
/// @throws DimensionError, DomainError if the state or a shape does not fit the model
SPACEDYN_EXPORT ReportData modes_report(const Model& model, const State& state,
                                        const std::vector<ModeToShow>& modes);

}  // namespace spacedyn

/// @file
/// A page that shows the natural modes of a robot in motion.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/reporting/report_data.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

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

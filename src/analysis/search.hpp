/// @file
/// Searches from several starts, and the best of what they find.
#pragma once

#include <vector>

#include "analysis/damped_descent.hpp"

namespace spacedyn {

/// @throws DomainError naming the first setting out of range.
void check_settings(const InverseKinematicsSettings& settings);

/// The best descent and the report on all of them.
struct SearchResult {
  Descent best;
  InverseKinematicsReport report;
};

/// Descends from the given start, then from others near it until one reaches the goals. Knots of
/// the result lead from the given start.
SearchResult search(const Model& model, const FrameTask& task, Mover& mover, const State& start,
                    const InverseKinematicsSettings& settings);

/// Residuals and joints at their limits, written into a report.
void describe(const Model& model, const FrameTask& task, const State& state, const JointBox& box,
              InverseKinematicsReport& report);

}  // namespace spacedyn

/// @file
/// One flight of a sweep. Private.
#pragma once

#include <atomic>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "spacedyn/study/sweep_run.hpp"
#include "study/collector.hpp"

namespace spacedyn {

/// Why a flight has to end before its time.
enum class FlightStop { none, too_slow, interrupted };

/// What is flown in memory, and what is kept of it.
struct FlightPlan {
  const loading::ScenarioFamily& family;
  const CollectPlan& collect;
  const std::vector<double>& times;  ///< s, of Samples; empty: a Collection of the outputs
  double wall_time = std::numeric_limits<double>::infinity();  ///< that it may take, s
};

/// Flies a variant of a scenario; failures are part of what it returns.
/// @param stop  as of fly_row()
/// @return nothing if it was interrupted
std::optional<SweepRow> fly_variant(const FlightPlan& plan, const std::vector<Override>& overrides,
                                    const std::atomic<FlightStop>& stop);

/// Flies a row; failures are part of what it returns.
/// @param directory  for all files of the flight where the settings keep them; empty: none
/// @param stop       may be set by another thread while it flies
/// @return nothing if it was interrupted
/// @throws IoError if files of the flight cannot be written
std::optional<SweepRow> fly_row(const Sweep& sweep, long row, const std::string& directory,
                                const std::atomic<FlightStop>& stop);

}  // namespace spacedyn

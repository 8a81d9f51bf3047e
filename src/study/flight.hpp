/// @file
/// One flight of a sweep. Private.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "spacedyn/study/sweep_run.hpp"

namespace spacedyn {

/// Why a flight has to end before its time.
enum class FlightStop { none, too_slow, interrupted };

/// Flies a row; failures are part of what it returns.
/// @param directory  for all files of the flight where the settings keep them; empty: none
/// @param stop       may be set by another thread while it flies
/// @return nothing if it was interrupted
/// @throws IoError if files of the flight cannot be written
std::optional<SweepRow> fly_row(const Sweep& sweep, long row, const std::string& directory,
                                const std::atomic<FlightStop>& stop);

}  // namespace spacedyn

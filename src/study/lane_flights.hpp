/// @file
/// Flights of a sweep in vector lanes. Private.
#pragma once

#include <string>
#include <vector>

#include "study/flight.hpp"

namespace spacedyn {

/// What of a scenario vector lanes cannot fly, by its name; empty if there is nothing.
std::string lanes_obstacle(const Scenario& scenario);
/// Whether flights in lanes know what a channel records.
bool lanes_record(Channel channel);
/// Whether flights in lanes may differ in a key: it is about where they start alone.
bool lanes_may_differ_in(const std::string& key);
/// Whether references of controllers are the same in two variants of a scenario.
bool have_same_references(const Scenario& a, const Scenario& b);

/// Flies rows at once that differ in such keys alone. Each is flown as if it were alone, bit for
/// bit; one that fails is flown again by itself, so that it fails as any other row does.
/// @param timer  of all of them, and then of those that fly by themselves
/// @return those that were not interrupted
std::vector<SweepRow> fly_in_lanes(const Sweep& sweep, const std::vector<long>& rows,
                                   FlightTimer& timer);

}  // namespace spacedyn

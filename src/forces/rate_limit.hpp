/// @file
/// A function of time that follows another one at limited rates. Private.
#pragma once

#include "spacedyn/forces/applied_loads.hpp"

namespace spacedyn {

/// w with w = 0 before the table begins, that goes to a table u ≥ 0 of one row at rates from
/// −1/fall to 1/rise and stays with it as long as u does not change faster. It is linear between
/// rows of its own, so it is exact; after the end of the table it goes to zero.
/// @param rise, fall  s, ≥ 0; zero: no limit
TimeTable rate_limited(const TimeTable& table, double rise, double fall);

}  // namespace spacedyn

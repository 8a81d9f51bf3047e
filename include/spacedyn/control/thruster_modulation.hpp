/// @file
/// How thrusters that are either open or shut follow a wanted opening between 0 and 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Modulation of on–off thrusters, anew at each multiple of a period T.
///
/// - Pulse width: a thruster is open for u T from the beginning of the period on, so the mean of
///   its force over the period is u F. On-time below the minimum of the thruster is not given; it
///   is carried into the next period, or dropped. What is carried is forgotten when u is zero.
/// - Schmitt trigger: it opens where u ≥ on, shuts where u ≤ off, and in between stays as it is. A
///   pulse lasts the minimum on-time of the thruster at least, in whole periods.
struct ThrusterModulation {
  enum class Type { none, pulse_width, schmitt };
  Type type = Type::none;  ///< none: openings are continuous
  double period = 0.0;     ///< T, s
  double on = 1.0;         ///< thresholds of the Schmitt trigger, 0 ≤ off < on ≤ 1
  double off = 0.0;
  bool carries = true;  ///< of pulse width: whether on-time that is too short is carried

  bool acts() const { return type != Type::none; }
};

/// What modulated thrusters remember, a row for each quantity and a component for each thruster:
/// DiscreteState::ControllerState::delayed.
struct ValveMemory {
  enum Row : std::size_t {
    shuts,       ///< when the pulse that is open ends, s; infinite if none is
    next_opens,  ///< when the next pulse begins, s; infinite if none is on its way
    next_shuts,  ///< when that one ends, s
    held         ///< on-time carried; of a Schmitt trigger how long it has been told to be open, s
  };
  static constexpr std::size_t kRows = 4;

  /// All shut, nothing carried.
  SPACEDYN_EXPORT static std::vector<VectorX> start(int thrusters);
};

/// @throws DomainError if the period is not positive and finite, or thresholds are not in order
SPACEDYN_EXPORT void check_modulation(const std::string& owner,
                                      const ThrusterModulation& modulation);

/// Length of the pulse in a period.
/// @param opening  u, 0…1
/// @param minimum  minimum on-time, s
/// @param held     ValveMemory::held, which it renews
/// @returns s; 0 without a pulse
SPACEDYN_EXPORT double on_time(const ThrusterModulation& modulation, double opening, double minimum,
                               double& held);

}  // namespace spacedyn

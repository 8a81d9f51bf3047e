/// @file
/// How thrusters that are either open or shut follow a wanted opening between 0 and 1.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/thruster.hpp"

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
  bool drops = false;  ///< of pulse width: whether on-time that is too short is not carried

  bool acts() const { return type != Type::none; }
};

/// What modulated thrusters remember, a component for each thruster.
struct SPACEDYN_EXPORT ValveMemory {
  ValveMemory() = default;
  /// All shut, nothing carried.
  explicit ValveMemory(int thrusters);

  VectorX shuts;       ///< when the pulse that is open ends, s; infinite if none is
  VectorX next_opens;  ///< when the next pulse begins, s; infinite if none is on its way
  VectorX next_shuts;  ///< when that one ends, s
  VectorX held;  ///< on-time carried; of a Schmitt trigger how long it has been told to be open, s
  VectorX settles;  ///< when the force is that of the valve, s; infinite if it is

  int size() const { return static_cast<int>(shuts.size()); }
  /// Opens (1) or shuts (0) a valve now; the force follows.
  void turn(int thruster, const ThrusterDrive& drive, double position, double time, double& valve);
};

/// Force over that of a thruster that is open.
/// @param valve    1 open, 0 shut
/// @param settles  ValveMemory::settles
SPACEDYN_EXPORT double thrust_level(const ThrusterDrive& drive, double valve, double settles,
                                    double time);
/// Its derivative from now on, 1/s.
SPACEDYN_EXPORT double thrust_slope(const ThrusterDrive& drive, double valve, double settles);

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

#include "spacedyn/control/thruster_modulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Of durations that are sums of periods.
constexpr double kRounding = 1e-9;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameInstant = 16.0 * std::numeric_limits<double>::epsilon();

double pulse_width(const ThrusterModulation& modulation, double opening, double minimum,
                   double& held) {
  const double wanted = opening > 0.0 ? opening * modulation.period + held : 0.0;
  held = 0.0;
  if (wanted >= modulation.period) return modulation.period;
  if (wanted >= minimum * (1.0 - kRounding)) return wanted;
  if (!modulation.drops) held = wanted;
  return 0.0;
}

double schmitt(const ThrusterModulation& modulation, double opening, double minimum, double& held) {
  const bool must_stay = held > 0.0 && held < minimum * (1.0 - kRounding);
  const bool stays = held > 0.0 && opening > modulation.off;
  const bool opens = must_stay || stays || opening >= modulation.on;
  held = opens ? held + modulation.period : 0.0;
  return opens ? modulation.period : 0.0;
}

}  // namespace

ValveMemory::ValveMemory(int thrusters)
    : shuts(VectorX::Constant(thrusters, kNever)),
      next_opens(shuts),
      next_shuts(shuts),
      held(VectorX::Zero(thrusters)),
      settles(shuts) {}

void ValveMemory::turn(int thruster, const ThrusterDrive& drive, double position, double time,
                       double& valve) {
  if (valve == position) return;
  const double level = thrust_level(drive, valve, settles(thruster), time);
  const double ramp = position > 0.0 ? (1.0 - level) * drive.rise_time : level * drive.fall_time;
  valve = position;
  // one of rounding size is none
  settles(thruster) = time + ramp > time * (1.0 + kSameInstant) ? time + ramp : kNever;
}

double thrust_level(const ThrusterDrive& drive, double valve, double settles, double time) {
  if (std::isinf(settles)) return valve;
  const double left = std::max(0.0, settles - time);
  return valve > 0.0 ? std::max(0.0, 1.0 - left / drive.rise_time)
                     : std::min(1.0, left / drive.fall_time);
}

double thrust_slope(const ThrusterDrive& drive, double valve, double settles) {
  if (std::isinf(settles)) return 0.0;
  return valve > 0.0 ? 1.0 / drive.rise_time : -1.0 / drive.fall_time;
}

void check_modulation(const std::string& owner, const ThrusterModulation& modulation) {
  if (!modulation.acts()) return;
  if (!(modulation.period > 0.0) || std::isinf(modulation.period)) {
    throw DomainError(owner + "the period of the modulation must be finite and positive");
  }
  if (modulation.type != ThrusterModulation::Type::schmitt) return;
  if (modulation.off >= 0.0 && modulation.on > modulation.off && modulation.on <= 1.0) return;
  throw DomainError(owner + "thresholds of the modulation must be 0 ≤ off < on ≤ 1");
}

double on_time(const ThrusterModulation& modulation, double opening, double minimum, double& held) {
  const bool switches = modulation.type == ThrusterModulation::Type::schmitt;
  return switches ? schmitt(modulation, opening, minimum, held)
                  : pulse_width(modulation, opening, minimum, held);
}

}  // namespace spacedyn

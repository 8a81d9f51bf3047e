#include "spacedyn/control/thruster_modulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Of durations that are sums of periods.
constexpr double kRounding = 1e-9;

double pulse_width(const ThrusterModulation& modulation, double opening, double minimum,
                   double& held) {
  const double wanted = opening > 0.0 ? opening * modulation.period + held : 0.0;
  held = 0.0;
  if (wanted >= modulation.period) return modulation.period;
  if (wanted >= minimum * (1.0 - kRounding)) return wanted;
  if (modulation.carries) held = wanted;
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

std::vector<VectorX> ValveMemory::start(int thrusters) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<VectorX> rows(kRows, VectorX::Constant(thrusters, kNever));
  rows[held].setZero();
  return rows;
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

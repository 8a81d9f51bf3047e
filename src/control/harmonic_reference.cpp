#include "spacedyn/control/harmonic_reference.hpp"

#include <cmath>

#include "control/reference_checks.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {

HarmonicReference::HarmonicReference(Oscillation oscillation, double from_time)
    : oscillation_(std::move(oscillation)), from_time_(from_time) {
  const Eigen::Index size = oscillation_.amplitude.size();
  check_same_size("frequency", oscillation_.frequency.size(), size);
  check_same_size("phase", oscillation_.phase.size(), size);
  check_same_size("offset", oscillation_.offset.size(), size);
  check_finite("amplitude", oscillation_.amplitude);
  check_positive("frequency", oscillation_.frequency);
  check_finite("phase", oscillation_.phase);
  check_finite("offset", oscillation_.offset);
  check_finite("from_time", from_time_);
}

ReferenceValue HarmonicReference::evaluate(int component, double time) const {
  const double amplitude = oscillation_.amplitude(component);
  const double phase = oscillation_.phase(component), offset = oscillation_.offset(component);
  if (time < from_time_) return {offset + amplitude * std::sin(phase), 0.0, 0.0};
  const double omega = 2.0 * kPi * oscillation_.frequency(component);
  const double angle = omega * (time - from_time_) + phase;
  const double swing = amplitude * std::sin(angle);
  return {offset + swing, amplitude * omega * std::cos(angle), -omega * omega * swing};
}

void HarmonicReference::append_discontinuities(std::vector<double>& times) const {
  times.push_back(from_time_);
}

bool HarmonicReference::starts_with_a_jump() const {
  constexpr double kRounding = 1e-12;  // of a phase of 90 deg
  for (Eigen::Index i = 0; i < oscillation_.phase.size(); ++i) {
    const double phase = oscillation_.phase(i);
    if (oscillation_.amplitude(i) != 0.0 && std::abs(std::cos(phase)) > kRounding) return true;
  }
  return false;
}

}  // namespace spacedyn

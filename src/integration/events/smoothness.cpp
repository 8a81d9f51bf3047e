#include "integration/events/smoothness.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

bool differs(double a, double b) {
  return std::abs(a - b) > 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

bool jumps(const Reference& reference, double time, const EventTimes* events = nullptr) {
  for (int i = 0; i < reference.size(); ++i) {
    const ReferenceValue left = reference.at(i, {std::nextafter(time, 0.0), events});
    const ReferenceValue right = reference.at(i, {time, events});
    if (differs(left.position, right.position) || differs(left.velocity, right.velocity)) {
      return true;
    }
  }
  return false;
}

/// @param awaited  number of events at which references begin
void check_reference(const Reference& reference, const std::string& what, double duration,
                     std::size_t awaited) {
  std::vector<double> times;
  constexpr double kSomeTime = 1.0;  // s; what begins at events does so from rest whenever it does
  const EventTimes events{std::vector<std::vector<double>>(awaited, {kSomeTime}), {}};
  reference.append_event_discontinuities(events, times);
  for (const double time : times) {
    if (!jumps(reference, time, &events)) continue;
    throw DomainError(
        fmt::format("the {} jumps in position or velocity {:.9g} s after its event; imposed motion "
                    "needs a continuous velocity, for instance a cubic table with ends at rest",
                    what, time - kSomeTime));
  }
  times.clear();
  reference.append_discontinuities(times);
  for (const double time : times) {
    if (!(time > 0.0) || time >= duration || !jumps(reference, time)) continue;
    throw DomainError(
        fmt::format("the {} jumps in position or velocity at t = {:.9g} s; imposed motion needs a "
                    "continuous velocity, for instance a cubic table with ends at rest",
                    what, time));
  }
}

}  // namespace

void check_imposed_motion(const SimulationSetup& setup, double duration) {
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    const std::string& name = setup.model->joint(prescribed.joint).name;
    check_reference(*prescribed.reference, fmt::format("prescribed joint '{}'", name), duration,
                    setup.awaited.size());
  }
  if (!setup.prescribed_base) return;
  const PrescribedBase& base = *setup.prescribed_base;
  if (base.position)
    check_reference(*base.position, "position of the prescribed base", duration,
                    setup.awaited.size());
  if (base.angle)
    check_reference(*base.angle, "angle of the prescribed base", duration, setup.awaited.size());
}

}  // namespace spacedyn

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

bool jumps(const Reference& reference, double time) {
  for (int i = 0; i < reference.size(); ++i) {
    const ReferenceValue left = reference.evaluate(i, std::nextafter(time, 0.0));
    const ReferenceValue right = reference.evaluate(i, time);
    if (differs(left.position, right.position) || differs(left.velocity, right.velocity)) {
      return true;
    }
  }
  return false;
}

void check_reference(const Reference& reference, const std::string& what, double duration) {
  std::vector<double> times;
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
    check_reference(*prescribed.reference, fmt::format("prescribed joint '{}'", name), duration);
  }
  if (!setup.prescribed_base) return;
  const PrescribedBase& base = *setup.prescribed_base;
  if (base.position) check_reference(*base.position, "position of the prescribed base", duration);
  if (base.angle) check_reference(*base.angle, "angle of the prescribed base", duration);
}

}  // namespace spacedyn

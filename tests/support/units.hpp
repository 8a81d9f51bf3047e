/// @file
/// The same set-up in other units of mass, length and time.
#pragma once

#include <cmath>
#include <vector>

#include "spacedyn/integration/options.hpp"
#include "support/dice.hpp"

namespace spacedyn::testing {

struct Units {
  double mass = 1.0, length = 1.0, time = 1.0;

  double inertia() const { return mass * length * length; }
  double speed() const { return length / time; }
  double acceleration() const { return length / (time * time); }
  double torque() const { return inertia() / (time * time); }
};

/// Masses from grams to tonnes, lengths from millimetres to kilometres, times from 0.1 ms to hours.
inline std::vector<Units> random_units(int count) {
  Dice dice(17);
  std::vector<Units> all;
  for (int i = 0; i < count; ++i) {
    Units unit;
    unit.mass = std::pow(10.0, dice.number(-4.0, 4.0));
    unit.length = std::pow(10.0, dice.number(-3.0, 3.0));
    unit.time = std::pow(10.0, dice.number(-4.0, 4.0));
    all.push_back(unit);
  }
  return all;
}

/// The absolute tolerances of usual units. @param slides  whether joints are lengths
inline void scale(AbsoluteTolerance& tolerance, const Units& unit, bool slides) {
  tolerance.position *= unit.length;
  tolerance.linear_velocity *= unit.speed();
  tolerance.angular_velocity /= unit.time;
  tolerance.joint *= slides ? unit.length : 1.0;
  tolerance.joint_velocity *= slides ? unit.speed() : 1.0 / unit.time;
  tolerance.auxiliary *= unit.length;
}

}  // namespace spacedyn::testing

/// @file
/// A pendulum on a fixed base, and sweeps of it.
#pragma once

#include <map>
#include <string>

#include "spacedyn/study/sweep_run.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::testing {

/// A joint with inertia 2 kg m² about its axis, stiffness k and damping: a linear system.
inline const std::string kOscillator = R"(spacedyn: 1
scenario:
  name: oscillator
  model:
    name: rotor
    base: {name: stand, fixed: true}
    links:
      - name: disc
        parent: stand
        joint: {name: hinge, type: revolute, axis: [0, 0, 1], stiffness: 8.0, damping: 0.4}
        mass: 1.0
        inertia: [1, 1, 2]
  duration: 2.0
  initial: {joints: {hinge: {position: 0.5, velocity: 0.0}}}
  integrator: {method: rk4, step: 0.01}
  output: {interval: 0.1}
)";

/// The file of a sweep of it; the keys are lines with two blanks before them.
inline std::string sweep_text(const std::string& keys) {
  return "spacedyn: 1\nsweep:\n  name: study\n  scenario: oscillator.yaml\n" + keys;
}

/// A folder with the scenario, and a sweep of it.
class SweepFolder {
 public:
  explicit SweepFolder(const std::string& keys) {
    write_text(folder_ / "oscillator.yaml", kOscillator);
    write(keys);
  }
  void write(const std::string& keys) const { write_text(path(), sweep_text(keys)); }
  std::string path() const { return folder_ / "sweep.yaml"; }
  std::string operator/(const std::string& name) const { return folder_ / name; }
  Sweep load(const std::vector<Override>& overrides = {}) const {
    return Sweep::load(path(), overrides);
  }

 private:
  TemporaryDirectory folder_;
};

inline const std::string kThreeParameters = R"(  seed: 7
  runs: 40
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 60 deg]}
    - {key: model.links.disc.joint.stiffness, normal: {mean: 8, standard_deviation: 1}}
    - {key: duration, values: [1, 2]}
  collect:
    - {name: last, channel: joint_position}
    - {name: most, channel: joints_hinge_rad, at: max_abs}
    - {name: middle, channel: joints/q, at: {time: 0.55}}
    - {name: drift, summary: energy_residual}
)";

}  // namespace spacedyn::testing

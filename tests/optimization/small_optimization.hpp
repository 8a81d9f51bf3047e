/// @file
/// A double integrator from rest to rest, and optimizations of it.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/optimization/optimize.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::testing {

/// m q̈ = u with m = 2 kg, u linear between five knots over 4 s. The least ∫u² dt from rest to rest
/// over L = 1 m has u = 6 m L/T² (1 − 2 t/T) and is 12 m² L²/T³.
inline const std::string kCart = R"(spacedyn: 1
scenario:
  name: cart
  model:
    name: rail
    base: {name: stand, fixed: true}
    links:
      - {name: cart, parent: stand, joint: {name: rail, type: prismatic, axis: [1, 0, 0]}, mass: 2.0, inertia: [1, 1, 1]}
  duration: 4.0
  forces:
    - {type: joint_torque, name: push, joint: rail, table: {time: [0, 1, 2, 3, 4, 5], torque: [1, 1, 0.1, -1, -1, 0]}}
  integrator: {method: rk4, step: 0.02}
  output: {interval: 0.02}
)";

inline const std::string kKnots = R"(  variables:
    - {key: forces.push.table.torque.0, from: -5, to: 5}
    - {key: forces.push.table.torque.1, from: -5, to: 5}
    - {key: forces.push.table.torque.2, from: -5, to: 5}
    - {key: forces.push.table.torque.3, from: -5, to: 5}
    - {key: forces.push.table.torque.4, from: -5, to: 5}
)";
inline const std::string kEffort = "  minimize: [{channel: joint_torque, at: rms}]\n";
inline const std::string kRestToRest = R"(  subject_to:
    - {name: place, channel: joint_position, equals: 1}
    - {name: rest, channel: joint_velocity, equals: 0}
)";

/// A folder with the scenario and an optimization of it.
class OptimizationFolder {
 public:
  explicit OptimizationFolder(const std::string& keys = kKnots + kEffort + kRestToRest) {
    write("cart.yaml", kCart);
    write("optimize.yaml", "spacedyn: 1\noptimize:\n  name: study\n  scenario: cart.yaml\n" + keys);
  }
  void write(const std::string& name, const std::string& text) const {
    write_text(folder_ / name, text);
  }
  std::string operator/(const std::string& name) const { return folder_ / name; }
  Optimization load(const std::vector<Override>& overrides = {}) const {
    return Optimization::load(folder_ / "optimize.yaml", overrides);
  }
  OptimizationResult run() const { return run_optimization(load()); }

 private:
  TemporaryDirectory folder_;
};

}  // namespace spacedyn::testing

/// @file
/// A damped oscillator, whose motion is known in closed form, and fits of it.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "spacedyn/optimization/fit.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::testing {

/// I q̈ + c q̇ + k q = 0 with I = 2 kg m², c = 0.4 N m s, k = 8 N m from q = 0.5 rad at rest. The
/// file starts elsewhere.
inline const std::string kRingDown = R"(spacedyn: 1
scenario:
  name: ring_down
  model: rotor.yaml
  duration: 10.0
  initial: {joints: {hinge: {position: 0.5, velocity: 0.0}}}
  integrator: {method: dop853, relative_tolerance: 1.0e-10, absolute_tolerance: 1.0e-12}
)";
inline const std::string kRotor = R"(spacedyn: 1
model:
  name: rotor
  base: {name: stand, fixed: true}
  links:
    - name: disc
      parent: stand
      joint: {name: hinge, type: revolute, axis: [0, 0, 1], stiffness: 6.5, damping: 0.7}
      mass: 1.0
      inertia: [1, 1, 2]
)";
constexpr double kInertia = 2.0, kDamping = 0.4, kStiffness = 8.0;

/// Its position, from the closed form.
inline double ring_down(double time) {
  const double decay = kDamping / (2.0 * kInertia);
  const double omega = std::sqrt(kStiffness / kInertia - decay * decay);
  return 0.5 * std::exp(-decay * time) *
         (std::cos(omega * time) + decay / omega * std::sin(omega * time));
}

/// Telemetry of it: 100 samples with noise.
inline std::string telemetry(double sigma, unsigned seed, double offset = 0.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(0.0, 1.0);
  std::string text = "time_s,angle_rad\n";
  for (int i = 1; i <= 100; ++i) {
    const double time = 0.1 * i;
    text += std::to_string(time - offset) + ',' +
            std::to_string(ring_down(time) + sigma * noise(random)) + '\n';
  }
  return text;
}

inline const std::string kData =
    "  data: [{file: data.csv, columns: {angle_rad: {channel: joint_position, sigma: 0.001}}}]\n";
inline const std::string kTwo = R"(  parameters:
    - {key: model.links.disc.joint.stiffness, from: 1, to: 100}
    - {key: model.links.disc.joint.damping}
)";

/// A folder with the scenario, data and a fit.
class FitFolder {
 public:
  explicit FitFolder(const std::string& keys = kData + kTwo, double sigma = 0.001,
                     unsigned seed = 1) {
    write("ring_down.yaml", kRingDown);
    write("rotor.yaml", kRotor);
    write("data.csv", telemetry(sigma, seed));
    write("fit.yaml", "spacedyn: 1\nfit:\n  name: study\n  scenario: ring_down.yaml\n" + keys);
  }
  void write(const std::string& name, const std::string& text) const {
    write_text(folder_ / name, text);
  }
  std::string operator/(const std::string& name) const { return folder_ / name; }
  Fit load(const std::vector<Override>& overrides = {}) const {
    return Fit::load(folder_ / "fit.yaml", overrides);
  }
  FitResult run() const { return run_fit(load()); }

 private:
  TemporaryDirectory folder_;
};

/// Squared distance from the true stiffness and damping in the metric of the covariance: χ² of two
/// degrees of freedom.
inline double distance_from_truth(const FitResult& result) {
  const Eigen::Vector2d error = result.values - Eigen::Vector2d(kStiffness, kDamping);
  return error.dot(result.covariance.inverse() * error);
}

}  // namespace spacedyn::testing

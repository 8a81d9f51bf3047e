/// @file
/// A pendulum on a fixed base, and sweeps of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

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

/// Keeps rows, and ends a sweep after some of them.
class Keeper final : public SweepObserver {
 public:
  explicit Keeper(long most = 1L << 40) : most_(most) {}
  void on_row(const SweepRow& row) override { rows.push_back(row); }
  bool on_progress(const SweepProgress& progress) override { return progress.flown < most_; }

  std::vector<SweepRow> rows;

 private:
  long most_;
};

inline std::vector<SweepRow> fly(const Sweep& sweep, int threads,
                                 SweepProcesses* processes = nullptr) {
  Keeper keeper;
  run_sweep(sweep, {threads, &keeper, {}, processes});
  std::sort(keeper.rows.begin(), keeper.rows.end(),
            [](const SweepRow& a, const SweepRow& b) { return a.row < b.row; });
  return keeper.rows;
}

/// Bit for bit, NaN included; elapsed times apart.
inline void expect_equal(const std::vector<SweepRow>& a, const std::vector<SweepRow>& b) {
  const auto is_same = [](double x, double y) {
    return x == y || (std::isnan(x) && std::isnan(y));
  };
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(a[i].row);
    EXPECT_EQ(a[i].row, b[i].row);
    EXPECT_EQ(a[i].status, b[i].status);
    EXPECT_EQ(a[i].message, b[i].message);
    EXPECT_EQ(a[i].draw.seed, b[i].draw.seed);
    EXPECT_EQ(a[i].draw.parameters, b[i].draw.parameters);
    ASSERT_EQ(a[i].collected.size(), b[i].collected.size());
    for (std::size_t k = 0; k < a[i].collected.size(); ++k) {
      EXPECT_PRED2(is_same, a[i].collected[k], b[i].collected[k]);
    }
  }
}

}  // namespace spacedyn::testing

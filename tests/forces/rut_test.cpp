// Wheels in the ruts of others: what they find, their energy, misuse.
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/contexts.hpp"
#include "support/message_of.hpp"
#include "support/shipped.hpp"
#include "support/small_models.hpp"
#include "terramechanics/reference_soils.hpp"

namespace spacedyn::testing::rut_test {
namespace {

constexpr double kRadius = 0.09, kAhead = 0.6, kSpeed = 0.05;

/// A wheel at the base and one that runs ahead of it, both about y.
Model tandem(double aside) {
  LinkDescription rear = link_body("rear", "base", 1.0, {0.01, 0.01, 0.01}, {0, 0, 0}, {0, 0, 0});
  LinkDescription front =
      link_body("front", "base", 1.0, {0.01, 0.01, 0.01}, {kAhead, aside, 0}, {0, 0, 0});
  rear.joint.axis = front.joint.axis = Vector3::UnitY();
  return ModelBuilder("tandem")
      .set_base(base_body(5.0, {0.1, 0.1, 0.1}))
      .add_link(rear)
      .add_link(front)
      .build();
}

Soil compacted() {
  Soil soil = regolith_simulant();
  soil.unloading_modulus = {1.0e5, 5.0e8};
  return soil;
}

WheelForce::Settings following() {
  WheelForce::Settings settings;
  settings.link = 1;
  settings.wheel = rover_wheel();
  settings.soil = compacted();
  settings.terrain = std::make_shared<PlaneTerrain>(Vector3::UnitZ(), 0.0);
  settings.gravity = 9.8;
  settings.follows = {{2, kRadius, 0.11, settings.terrain}};
  return settings;
}

/// Wheels that roll along x with a sinkage that is given at each place.
class Drive {
 public:
  explicit Drive(double aside = 0.0) : model_(tandem(aside)), wheel_("rear", following()) {
    z_ = VectorX::Zero(wheel_.auxiliary_size());
  }
  /// Classical Runge-Kutta steps of the element's own states.
  template <typename Sinkage>
  void roll(double distance, const Sinkage& sinkage) {
    const int steps = 600;
    const double dt = distance / kSpeed / steps;
    const auto rate = [&](double x, const VectorX& z) {
      VectorX zd(z.size());
      wheel_.auxiliary_rate(Snapshot(model_, state(x, sinkage(x), z)).at(0.0), zd);
      return zd;
    };
    for (int i = 0; i < steps; ++i) {
      const double half = 0.5 * dt * kSpeed;
      const VectorX a = rate(x_, z_), b = rate(x_ + half, z_ + 0.5 * dt * a),
                    c = rate(x_ + half, z_ + 0.5 * dt * b), d = rate(x_ + 2 * half, z_ + dt * c);
      z_ += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
      x_ += 2.0 * half;
    }
  }
  State state(double x, double sinkage, const VectorX& z) const {
    State state(model_);
    state.r_0 = {x, 0.0, kRadius - sinkage};
    state.v_0 = {kSpeed, 0.0, 0.0};
    state.qd.setConstant(kSpeed / 0.9 / kRadius);
    state.z = z;
    return state;
  }
  WheelReading reading(double sinkage) const {
    return wheel_.reading(Snapshot(model_, state(x_, sinkage, z_)).at(0.0));
  }

  Model model_;
  WheelForce wheel_;
  VectorX z_;
  double x_ = 0.0;
};

double constant(double) { return 0.015; }

WheelSoilForce exact(double sinkage, double pressed) {
  const WheelSoilModel soil(rover_wheel(), compacted(), 9.8);
  return soil.force({sinkage, 0.1, 0.0, 0.0, 1.0, pressed});
}

TEST(Rut, MeetsUntouchedSoilUntilItReachesTheRut) {
  Drive drive;
  EXPECT_EQ(drive.wheel_.auxiliary_size(), 321);
  drive.roll(0.4, constant);
  EXPECT_NEAR(drive.reading(0.015).vertical_force, exact(0.015, 0.0).vertical_force, 1e-9);
  drive.roll(0.4, constant);
  const WheelReading now = drive.reading(0.015);
  // places of the cells round to 1e-4 of the width, whose effect is that cubed
  EXPECT_NEAR(now.vertical_force, exact(0.015, 0.015).vertical_force, 1e-6);
  EXPECT_NEAR(now.drawbar_pull, exact(0.015, 0.015).drawbar_pull, 1e-6);
  EXPECT_NEAR(now.resistance_torque, exact(0.015, 0.015).resistance_torque, 1e-7);
  // stiffer beneath the floor, and less of it: at the same level the rut carries less
  EXPECT_LT(now.vertical_force, 0.8 * exact(0.015, 0.0).vertical_force);
  // beyond what has been the first curve goes on
  EXPECT_NEAR(drive.reading(0.02).vertical_force, exact(0.02, 0.015).vertical_force, 1e-6);
}

TEST(Rut, StaysInItsRingWhereverStagesOfAStepLead) {
  const Drive drive;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double path : {-1e-12, -0.3, -1e9, 1e300, nan}) {
    VectorX z = VectorX::Constant(drive.wheel_.auxiliary_size(), 0.1);
    z(0) = path;
    VectorX zd(z.size());
    const State state = drive.state(0.0, 0.015, z);
    drive.wheel_.auxiliary_rate(Snapshot(drive.model_, state).at(0.0), zd);
    EXPECT_EQ(zd.allFinite(), std::isfinite(path)) << path;
    // the cell that is being pressed approaches the wheel's place, no other does
    EXPECT_LE((zd.tail(z.size() - 1).array() != 0.0).count(), 4 * 5) << path;
  }
}

TEST(Rut, IsRememberedOnceTheRingIsFullToo) {
  Drive drive;
  for (int i = 0; i < 5; ++i) drive.roll(1.0, constant);  // 5 m in a ring of 2.16 m
  EXPECT_NEAR(drive.reading(0.015).vertical_force, exact(0.015, 0.015).vertical_force, 1e-4);
}

TEST(Rut, FollowsItsDepthAlongThePath) {
  Drive drive;
  const auto wavy = [](double x) { return 0.015 + 0.003 * std::sin(2.0 * kPi * x); };
  drive.roll(1.3, wavy);
  // the leading wheel was here at x = 0.7; a mean over a radius R = 0.1375 m takes (2π)² R²/18 of
  // a wave of 1 m, 4 % of 3 mm
  const double low = exact(0.018, wavy(0.7) - 2e-4).vertical_force;
  const double high = exact(0.018, wavy(0.7) + 2e-4).vertical_force;
  const double force = drive.reading(0.018).vertical_force;
  EXPECT_GT(force, std::min(low, high));
  EXPECT_LT(force, std::max(low, high));
}

TEST(Rut, ActsOnThePartOfTheWidthThatStandsInIt) {
  const auto force = [](double aside) {
    Drive drive(aside);
    drive.roll(1.0, constant);
    return drive.reading(0.016).vertical_force;
  };
  const double in = exact(0.016, 0.015).vertical_force, out = exact(0.016, 0.0).vertical_force;
  EXPECT_NEAR(force(0.115), out, 1e-9);
  // half of the width, the places of the cells rounded to 1e-4 of it
  EXPECT_NEAR(force(0.055), 0.5 * (in + out), 1e-3 * out);
  EXPECT_NEAR(force(0.055), force(-0.055), 1e-9 * out);
}

TEST(Rut, BooksStoredEnergyExactly) {
  Drive drive(0.04);
  drive.roll(0.63, [](double x) { return 0.015 + 0.003 * std::sin(9.0 * x); });
  const State state = drive.state(drive.x_, 0.016, drive.z_);
  VectorX zd(drive.z_.size());
  drive.wheel_.auxiliary_rate(Snapshot(drive.model_, state).at(0.0), zd);
  const auto energy = [&](double t) {
    State moved = state;
    moved.r_0 += t * state.v_0;
    moved.z += t * zd;
    return drive.wheel_.stored_energy(Snapshot(drive.model_, moved).at(0.0));
  };
  const auto power = [&](double step) { return (energy(step) - energy(-step)) / (2.0 * step); };
  const double rate = drive.wheel_.energy_rates(Snapshot(drive.model_, state).at(0.0)).stored;
  ASSERT_GT(std::abs(rate), 1e-4);
  // the parts that do not move keep a quadrature error that differs from wheel to rut
  EXPECT_NEAR(rate, power(1e-3), 1e-5 * std::abs(rate));
}

TEST(Rut, GivesNoEnergyWhereverTheWheelGoes) {
  Drive drive(0.02);
  drive.roll(1.0, [](double x) { return 0.015 + 0.003 * std::sin(9.0 * x); });
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    State state = drive.state(drive.x_, 0.016 + 0.003 * any(engine), drive.z_);
    state.v_0.z() = 0.02 * any(engine);
    const Snapshot now(drive.model_, state);
    // pressing work is summed to 1e-4
    EXPECT_GT(drive.wheel_.energy_rates(now.at(0.0)).dissipated,
              -1e-3 * drive.wheel_.stored_energy(now.at(0.0)));
  }
}

/// Keeps the first checkpoint after a time.
class CheckpointAfter final : public SimulationObserver {
 public:
  explicit CheckpointAfter(double time) : time_(time) {}
  void on_output(const SimulationPoint& /*point*/) override {}
  bool on_step(double time, const IntegratorStatistics& /*statistics*/) override {
    now_ = time;
    return true;
  }
  bool wants_checkpoint() override { return kept.empty() && now_ > time_; }
  void on_checkpoint(const Checkpoint& checkpoint) override { kept.push_back(checkpoint); }

  std::vector<Checkpoint> kept;

 private:
  double time_, now_ = 0.0;
};

TEST(Rut, GoesOnFromACheckpointToTheBit) {
  const Scenario scenario = shipped_scenario("rover_ruts");
  Simulator simulator(scenario.setup);
  const auto end_of = [](const SimulationResult& result) {
    return std::make_pair(result.state, result.integrals.work);
  };
  CheckpointAfter observer(9.0);
  const auto [state, work] = end_of(simulator.run(scenario.initial, 9.5, 0.5, observer));
  ASSERT_EQ(observer.kept.size(), 1U);
  const auto [again, work_again] = end_of(simulator.resume(observer.kept[0], observer));
  EXPECT_EQ(again.z, state.z);
  EXPECT_EQ(again.r_0, state.r_0);
  EXPECT_EQ(again.q, state.q);
  EXPECT_EQ(again.qd, state.qd);
  EXPECT_EQ(again.v_0, state.v_0);
  EXPECT_EQ(work_again, work);
  // and both rear wheels stand in ruts: untouched soil would carry more at this sinkage
  const Snapshot now(*scenario.setup.model, state);
  const EvaluationContext whole = now.at(9.5);
  Eigen::Index first = 0;
  int in_ruts = 0;
  for (const auto& force : scenario.setup.forces) {
    const VectorX own = state.z.segment(first, force->auxiliary_size());
    first += own.size();
    const auto* wheel = dynamic_cast<const WheelForce*>(force.get());
    if (wheel == nullptr || own.size() == 0) continue;
    const auto load = [&, &at_end = state](const VectorX& z) {
      return wheel->reading({9.5, *scenario.setup.model, at_end, whole.frames, whole.velocities, z})
          .vertical_force;
    };
    if (load(own) < 0.9 * load(0.0 * own)) ++in_ruts;
  }
  EXPECT_EQ(in_ruts, 2);
}

TEST(Rut, MisuseIsRefused) {
  const auto refused = [](const WheelForce::Settings& settings) {
    return message_of<DomainError>([&] { WheelForce("w", settings); });
  };
  WheelForce::Settings settings = following();
  settings.soil.unloading_modulus = {0.0, 0.0};
  EXPECT_EQ(refused(settings),
            "'w': a wheel that follows another needs a soil with an unloading modulus");
  settings = following();
  settings.follows[0].link = 1;
  EXPECT_EQ(refused(settings), "'w': a wheel cannot follow itself");
  settings.follows.resize(5, following().follows[0]);
  EXPECT_EQ(refused(settings), "'w': a wheel follows at most 4 others");
  settings = following();
  settings.rut_length = -1.0;
  EXPECT_EQ(refused(settings), "'w': the length of the rut must be positive");
  settings = following();
  settings.follows[0].terrain = nullptr;
  EXPECT_EQ(refused(settings), "'w': a wheel that others follow needs a terrain");
}

}  // namespace
}  // namespace spacedyn::testing::rut_test

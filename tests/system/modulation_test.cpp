// Thrusters that are open or shut: pulses against recursions and limit cycles in closed form, tanks
// under control, resumption.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/recording/run_watches.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::modulation_test {
namespace {

constexpr double kInertia = 20.0, kMoment = 4.0;
constexpr double kExhaust = 200.0 * kStandardGravity;

/// Two pairs of jets about z, arms of 1 m, 2 N each.
std::string craft(const std::string& jet_keys, const std::string& tanks = "") {
  const std::string rest = ", force: 2, specific_impulse: 200" + jet_keys + "}\n";
  return "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [20, 20, 20]}\n" +
         tanks +
         "    frames:\n      - {name: front, link: bus, xyz: [1, 0, 0]}\n"
         "      - {name: back, link: bus, xyz: [-1, 0, 0]}\n"
         "    thrusters:\n      - {name: p1, at: front, direction: [0, 1, 0]" +
         rest + "      - {name: p2, at: back, direction: [0, -1, 0]" + rest +
         "      - {name: m1, at: front, direction: [0, -1, 0]" + rest +
         "      - {name: m2, at: back, direction: [0, 1, 0]" + rest;
}

Scenario flight(const std::string& rest, const std::string& jet_keys,
                const std::string& tanks = "") {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: jets\n  duration: 100\n" + rest + craft(jet_keys, tanks),
      "jets.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return scenario;
}

double angle_of(const State& state) { return rpy_from_matrix(state.A_0).z(); }

const std::string kDetumble = "type: detumble, actuators: [p1, p2, m1, m2], damping: [0, 0, 10]";
const std::string kSpin = "  initial: {base: {angular_velocity: [0, 0, 0.6]}}\n";

TEST(PulseWidth, CarriesOrDropsWhatIsTooShort) {
  ThrusterModulation modulation;
  modulation.type = ThrusterModulation::Type::pulse_width;
  modulation.period = 0.5;
  double held = 0.0;
  EXPECT_EQ(on_time(modulation, 0.4, 0.1, held), 0.2);
  EXPECT_EQ(on_time(modulation, 0.15, 0.1, held), 0.0);
  EXPECT_EQ(held, 0.075);
  EXPECT_EQ(on_time(modulation, 0.15, 0.1, held), 0.15);
  EXPECT_EQ(held, 0.0);
  on_time(modulation, 0.1, 0.1, held);
  EXPECT_EQ(on_time(modulation, 0.0, 0.1, held), 0.0);
  EXPECT_EQ(held, 0.0);
  on_time(modulation, 0.1, 0.1, held);
  EXPECT_EQ(on_time(modulation, 1.0, 0.1, held), 0.5);
  EXPECT_EQ(held, 0.0);
  modulation.drops = true;
  EXPECT_EQ(on_time(modulation, 0.15, 0.1, held), 0.0);
  EXPECT_EQ(held, 0.0);
}

TEST(SchmittTrigger, SwitchesAtItsThresholdsAndKeepsTheMinimumOnTime) {
  ThrusterModulation modulation;
  modulation.type = ThrusterModulation::Type::schmitt;
  modulation.period = 0.1;
  modulation.on = 0.8;
  modulation.off = 0.3;
  double held = 0.0;
  const double wanted[] = {0.79, 0.8, 0.31, 0.3, 0.79, 0.9, 0.0, 0.0, 0.0};
  const double given[] = {0.0, 0.1, 0.1, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0};
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(on_time(modulation, wanted[i], 0.0, held), given[i]) << i;
  }
  const double longer[] = {0.1, 0.1, 0.1, 0.0, 0.0};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(on_time(modulation, i == 0 ? 0.8 : 0.0, 0.3, held), longer[i]) << i;
  }
}

TEST(PulseWidth, DampsAsItsRecursionSays) {
  // jets stay open for min(T, D ω T/M): saturated at first, then ω falls by 1 − D T/I per period
  const double T = 0.5, D = 10.0, delay = 0.1;
  const Scenario scenario = flight(
      kSpin + "  control: [{" + kDetumble + ", modulation: {type: pulse_width, period: 0.5}}]\n",
      ", minimum_on_time: 0.02, delay: 0.1");
  for (const int periods : {1, 3, 6, 12}) {
    double omega = 0.6, late = 0.0, open = 0.0;
    for (int k = 0; k < periods; ++k) {
      const double pulse = std::min(T, D * omega * T / kMoment);
      const double early = std::min(pulse, T - delay);
      omega -= kMoment / kInertia * (late + early);
      open += late + early;
      late = pulse - early;
    }
    const SimulationResult end = simulate(scenario.setup, scenario.initial, T * periods);
    // the least squares weigh flow with 1e-10
    EXPECT_NEAR(end.state.omega_0.z(), omega, 1e-9);
    EXPECT_NEAR(end.state.z.sum(), 4.0 * open / kExhaust, 1e-11);
    EXPECT_LE(end.audit.momentum_drift(), 1e-12);
    EXPECT_LE(end.audit.energy_residual(), 1e-12);
  }
}

TEST(PulseWidth, StepsLandOnTheSwitchingInstants) {
  // the first sample wants all, the pulse lasts from 0.1 s to 0.6 s
  const Scenario scenario =
      flight("  initial: {base: {angular_velocity: [0, 0, 0.1]}}\n  control: [{" + kDetumble +
                 ", modulation: {type: pulse_width, period: 0.5}}]\n",
             ", delay: 0.1");
  Trajectory steps;
  Simulator(scenario.setup).run(scenario.initial, 1.0, 1.0, steps);
  const auto lands = [&](double time) {
    return std::any_of(steps.step_times.begin(), steps.step_times.end(),
                       [&](double step) { return std::abs(step - time) <= 1e-9; });
  };
  // D ω T/M = 0.125 s, then 0.75 of that
  EXPECT_TRUE(lands(0.1));
  EXPECT_TRUE(lands(0.225));
  EXPECT_TRUE(lands(0.6));
  EXPECT_TRUE(lands(0.69375));
  EXPECT_FALSE(lands(0.3));
}

const std::string kLimitCycle =
    "  initial: {base: {angular_velocity: [0, 0, 0.01]}}\n  control: [{type: attitude, actuators: "
    "[p1, p2, m1, m2], stiffness: [0, 0, 200], damping: [0, 0, 100], reference: {rpy: [0, 0, 0]}, "
    "modulation: {type: schmitt, period: 2 ms, on_threshold: 0.5, off_threshold: 0.2}}]\n";

/// Flies three cycles and compares them.
void compare_limit_cycle(double band) {
  // K (θ − b) + D ω = on M is reached at ±ω_1 = M τ/(2 I): each pulse of τ reverses the rate
  const double tau = 0.1, omega = 0.5 * kMoment * tau / kInertia, D = 100.0, K = 200.0;
  const double edge = band + (0.5 * kMoment - D * omega) / K;
  const double period = 4.0 * edge / omega + 2.0 * tau;
  const double amplitude = edge + kMoment * tau * tau / (8.0 * kInertia);
  std::string control = kLimitCycle;
  control.insert(control.find("stiffness"), "dead_band: " + std::to_string(band) + ", ");
  const Scenario scenario = flight(control, ", minimum_on_time: 0.1");
  Trajectory flown;
  Simulator(scenario.setup).run(scenario.initial, 3.0 * period, 2e-3, flown);
  double most = 0.0, least = 0.0;
  std::vector<double> rises;  // through θ = 0
  double before = -1.0;
  for (const TrajectoryPoint& sample : flown.points) {
    const double angle = angle_of(sample.state);
    most = std::max(most, angle);
    least = std::min(least, angle);
    if (before < 0.0 && angle >= 0.0) rises.push_back(sample.time);
    before = angle;
  }
  // decisions come up to a sample late, and one more where rounding keeps u below the threshold
  EXPECT_NEAR(most, amplitude, omega * 4e-3);
  EXPECT_NEAR(-least, amplitude, omega * 4e-3);
  ASSERT_GE(rises.size(), 3u);
  EXPECT_NEAR((rises.back() - rises.front()) / static_cast<double>(rises.size() - 1), period,
              4 * 4e-3);
  // two pulses of a pair per cycle
  EXPECT_NEAR(flown.points.back().state.z.sum() / (3.0 * 2.0 * 4.0 * tau / kExhaust), 1.0, 1e-6);
}

TEST(SchmittTrigger, HasTheLimitCycleOfItsMinimumPulse) { compare_limit_cycle(0.0); }

TEST(SchmittTrigger, HasTheLimitCycleOfADeadBand) { compare_limit_cycle(0.003); }

/// A checkpoint of the first step after a time.
class Checkpoints final : public SimulationObserver {
 public:
  explicit Checkpoints(double when) : when_(when) {}
  void on_output(const SimulationPoint&) override {}
  bool on_step(double time, const IntegratorStatistics&) override {
    time_ = time;
    return true;
  }
  bool wants_checkpoint() override { return time_ > when_ && checkpoint.memory.empty(); }
  void on_checkpoint(const Checkpoint& given) override { checkpoint = given; }

  Checkpoint checkpoint;

 private:
  double when_, time_ = 0.0;
};

TEST(PulseWidth, ResumesBitForBit) {
  const std::string slow = ", rise_time: 0.02, fall_time: 0.05";
  for (const std::string& modulation :
       {std::string("{type: pulse_width, period: 0.3}"),
        std::string("{type: schmitt, period: 0.05, on_threshold: 0.3, off_threshold: 0.1}")}) {
    const Scenario scenario =
        flight(kSpin + "  control: [{" + kDetumble + ", modulation: " + modulation + "}]\n",
               ", minimum_on_time: 0.07, delay: 0.03" + slow);
    // amid a rise, a pulse, a fall, between pulses, and where what is too short is carried
    for (const double when : {0.035, 0.11, 0.31, 1.0, 2.9, 5.0}) {
      SCOPED_TRACE(modulation + " at " + std::to_string(when));
      Checkpoints whole(when), rest(1e9);
      const SimulationResult end =
          Simulator(scenario.setup).run(scenario.initial, 10.0, 10.0, whole);
      ASSERT_FALSE(whole.checkpoint.memory.empty());
      const SimulationResult again = Simulator(scenario.setup).resume(whole.checkpoint, rest);
      EXPECT_EQ(end.state.A_0, again.state.A_0);
      EXPECT_EQ(end.state.omega_0, again.state.omega_0);
      EXPECT_EQ(end.state.z, again.state.z);
    }
  }
}

TEST(ThrusterControl, HoldsOpeningsBetweenSamples) {
  const Scenario scenario =
      flight("  initial: {base: {angular_velocity: [0, 0, 0.1]}}\n  control: [{" + kDetumble +
                 ", sample_period: 0.25}]\n",
             "");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 5.0);
  EXPECT_NEAR(end.state.omega_0.z() / (0.1 * std::pow(1.0 - 10.0 * 0.25 / kInertia, 20)), 1.0,
              1e-8);
  EXPECT_LE(end.audit.energy_residual(), 1e-12);
}

TEST(ThrusterControl, ReadsSensorsWhenItIsSampled) {
  const std::string gyro =
      "  sensors: [{type: gyroscope, name: gyro, at: bus, sample_period: 0.5, bias: [0, 0, "
      "0.01]}]\n";
  const Scenario scenario =
      flight(kSpin + gyro + "  control: [{" + kDetumble +
                 ", sensors: [gyro], modulation: {type: pulse_width, period: 0.5}}]\n",
             "");
  // the bias is what it takes for rest
  EXPECT_NEAR(simulate(scenario.setup, scenario.initial, 60.0).state.omega_0.z(), -0.01, 1e-7);
}

TEST(PulseWidth, UnloadsAWheel) {
  const Scenario scenario = flight(
      "  initial: {joints: {wz: {velocity: 100}}}\n  control:\n    - {type: attitude, actuators: "
      "[wz], stiffness: [0, 0, 200], damping: [0, 0, 200]}\n    - {type: momentum_dumping, wheels: "
      "[wz], thrusters: [p1, p2, m1, m2], gain: 0.02, modulation: {type: pulse_width, period: "
      "0.5}}\n",
      ", minimum_on_time: 0.02",
      "    reaction_wheels: [{name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.05}]\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 50.0);
  const double spin = end.state.qd(0), omega = end.state.omega_0.z();
  const double momentum = kInertia * omega + 0.05 * (omega + spin);
  // each jet has an arm of 1 m and gives the impulse of the gas that it used
  EXPECT_NEAR(momentum, 5.0 - end.state.z.sum() * kExhaust, 1e-9);
  // e^{−k t} but for the wheel's lag D/K behind the jets: k (1 + k D/K)
  EXPECT_NEAR(spin / (100.0 * std::exp(-0.02 * 50.0)), 1.0, 0.03);
  EXPECT_LE(end.audit.momentum_drift(), 1e-11);
  EXPECT_LE(end.audit.energy_residual(), 1e-11);
}

/// A craft of huge inertia with two jets along y, opened by half for a torque of 2 N m.
Scenario burn(const std::string& modulation) {
  const std::string text =
      "spacedyn: 1\nscenario:\n  name: burn\n  duration: 100\n  control: [{type: attitude, "
      "actuators: [p, m], stiffness: [0, 0, 2.0e+3], damping: [0, 0, 1], reference: {rpy: [0, 0, "
      "1.0e-3]}" +
      modulation +
      "}]\n  model:\n    name: craft\n    base: {name: bus, mass: 20, inertia: [1.0e+12, 1.0e+12, "
      "1.0e+12]}\n    tanks: [{name: main, body: bus, propellant: 4}]\n    frames:\n      - {name: "
      "front, link: bus, xyz: [1, 0, 0]}\n      - {name: back, link: bus, xyz: [-1, 0, 0]}\n"
      "    thrusters:\n      - {name: p, at: front, direction: [0, 1, 0], force: 4, "
      "specific_impulse: 20, tank: main}\n      - {name: m, at: back, direction: [0, 1, 0], force: "
      "4, specific_impulse: 20, tank: main}\n";
  Scenario scenario = parse_scenario(text, "burn.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  return scenario;
}

TEST(ThrusterControl, DrawsFromATankAsTheRocketEquationSays) {
  const double exhaust = 20.0 * kStandardGravity;
  for (const char* modulation : {"", ", modulation: {type: pulse_width, period: 0.5}"}) {
    SCOPED_TRACE(modulation);
    const Scenario scenario = burn(modulation);
    const SimulationResult end = simulate(scenario.setup, scenario.initial, 60.0);
    const double used = end.state.z.sum();
    EXPECT_NEAR(used / (2.0 * 60.0 / exhaust), 1.0, 1e-5);
    EXPECT_NEAR(end.state.v_0.y() / (exhaust * std::log(24.0 / (24.0 - used))), 1.0, 1e-10);
    EXPECT_LE(end.audit.momentum_drift(), 1e-12);
    EXPECT_LE(end.audit.energy_residual(), 1e-12);
  }
}

TEST(ThrusterControl, AnEmptyTankShutsItsThrusters) {
  const Scenario scenario = flight(
      kSpin + "  control: [{" + kDetumble + ", modulation: {type: pulse_width, period: 0.5}}]\n",
      ", tank: main", "    tanks: [{name: main, body: bus, propellant: 1.0e-3}]\n");
  const SimulationResult end = simulate(scenario.setup, scenario.initial, 10.0);
  ASSERT_EQ(end.events.size(), 1u);
  EXPECT_EQ(end.events[0].name, "main is empty");
  // both jets of the pair give 2 N over an arm of 1 m until 1 g is used
  EXPECT_NEAR(end.events[0].time, 1e-3 * kExhaust / 4.0, 1e-8);
  EXPECT_NEAR(end.state.omega_0.z(), 0.6 - kMoment / kInertia * end.events[0].time, 1e-8);
  EXPECT_NEAR(end.state.z.sum(), 1e-3, 1e-11);
  EXPECT_LE(end.audit.momentum_drift(), 1e-12);
  EXPECT_LE(end.audit.energy_residual(), 1e-12);
}

class WatchingObserver final : public SimulationObserver {
 public:
  explicit WatchingObserver(const ForcedSystem& system) : watch(system) {}
  void on_output(const SimulationPoint& point) override { watch.see(point); }
  ThrusterWatch watch;
};

/// Of a craft that spins at a rate, braked by a damper of 10 N m s.
std::vector<std::string> saturation(double rate, const std::string& modulation) {
  const Scenario scenario =
      flight("  initial: {base: {angular_velocity: [0, 0, " + std::to_string(rate) +
                 "]}}\n  control: [{" + kDetumble + modulation + "}]\n",
             "");
  WatchingObserver observer(scenario.setup);
  Simulator(scenario.setup).run(scenario.initial, 5.0, 0.25, observer);
  return observer.watch.warnings();
}

TEST(ThrusterWatch, TellsOfThrustersThatAreAskedForMoreThanTheyGive) {
  // two jets give 4 N m: enough for 0.3 rad/s, too little for 0.6
  for (const char* modulation : {"", ", modulation: {type: pulse_width, period: 0.5}"}) {
    SCOPED_TRACE(modulation);
    EXPECT_TRUE(saturation(0.3, modulation).empty());
    const std::vector<std::string> texts = saturation(0.6, modulation);
    ASSERT_EQ(texts.size(), 1u);
    EXPECT_EQ(
        texts[0],
        "thrusters of 'detumble_0' are saturated: fully open from t = 0 s on were 'm1', 'm2'; "
        "what it asks for may be more than they give");
  }
  EXPECT_TRUE(
      saturation(
          0.6, ", modulation: {type: schmitt, period: 0.1, on_threshold: 0.8, off_threshold: 0.3}")
          .empty());
}

TEST(ThrusterWatch, GoesOnWhereAnEarlierPartOfARunEnded) {
  const Scenario scenario = flight(kSpin + "  control: [{" + kDetumble + "}]\n", "");
  WatchingObserver early(scenario.setup);
  Simulator(scenario.setup).run(scenario.initial, 1.0, 0.25, early);
  ThrusterWatch late(scenario.setup);
  EXPECT_TRUE(late.warnings().empty());
  late.go_on_from(early.watch.peaks());
  EXPECT_EQ(late.warnings(), early.watch.warnings());
  EXPECT_EQ(message_of<DimensionError>([&] { late.go_on_from({}); }),
            "0 greatest values are given for 4 quantities of a run");
}

TEST(ThrusterControl, RefusesModulationThatCannotBe) {
  const Scenario scenario = flight("", "");
  const Model& model = *scenario.setup.model;
  Thruster thruster;
  thruster.name = "t";
  thruster.drive.force = 1.0;
  ThrusterModulation modulation;
  modulation.type = ThrusterModulation::Type::schmitt;
  const auto message = [&] {
    return message_of<DomainError>(
        [&] { ThrusterAllocation("'c': ", model, {thruster}, modulation); });
  };
  EXPECT_EQ(message(), "'c': the period of the modulation must be finite and positive");
  modulation.period = 0.5;
  modulation.on = 0.2;
  modulation.off = 0.2;
  EXPECT_EQ(message(), "'c': thresholds of the modulation must be 0 ≤ off < on ≤ 1");
  modulation.on = 0.8;
  EXPECT_NO_THROW(ThrusterAllocation("'c': ", model, {thruster}, modulation));
  thruster.drive.delay = 0.5;
  EXPECT_EQ(message(),
            "'c': thruster 't' has a minimum on-time or a delay beyond the period of its "
            "modulation");
  thruster.drive.delay = 0.0;
  thruster.drive.minimum_on_time = 0.6;
  EXPECT_NO_THROW(ThrusterAllocation("'c': ", model, {thruster}, modulation));
  modulation.type = ThrusterModulation::Type::pulse_width;
  EXPECT_EQ(message(),
            "'c': thruster 't' has a minimum on-time or a delay beyond the period of its "
            "modulation");
}

}  // namespace
}  // namespace spacedyn::testing::modulation_test

// Friction and brakes under loads that vary below breakaway: they hold without drift.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "support/contexts.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::friction_hold_test {
namespace {

constexpr double kPresliding = 1e-3;

struct Holder {
  const char* name;
  JointType type;
  bool brake;
  double coulomb, breakaway;
  IntegrationMethod method;
};

void PrintTo(const Holder& holder, std::ostream* stream) { *stream << holder.name; }

/// A sum of slow sinusoids about a mean, whose peaks stay below a fraction of the breakaway.
class VaryingLoad {
 public:
  VaryingLoad(RandomModels& random, double peak) {
    double sum = 0.0;
    for (double& part : part_) sum += part = random.number(0.1, 1.0);
    for (double& part : part_) part *= peak / sum;
    for (double& rate : rate_) rate = random.number(0.5, 6.0);  // rad/s
  }
  double operator()(double t) const {
    // from zero: a load that jumps lets the bristle overshoot
    const double onset = 1.0 - std::exp(-t);
    return onset *
           (part_[0] + part_[1] * std::sin(rate_[0] * t) + part_[2] * std::sin(rate_[1] * t));
  }

 private:
  double part_[3], rate_[2];
};

SimulationSetup held(const Holder& holder, const VaryingLoad& load) {
  BaseDescription wall;
  wall.name = "wall";
  wall.fixed = true;
  LinkDescription link = link_body("slide", "wall", 1.0, {1.0, 1.0, 1.0}, {0, 0, 0}, {0, 0, 0});
  link.joint.type = holder.type;
  if (!holder.brake) {
    link.joint.friction = {holder.coulomb, holder.breakaway, 0.01, kPresliding};
  }
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("held").set_base(wall).add_link(link).build());
  setup.base_mode = BaseMode::fixed;
  setup.forces = {std::make_shared<FunctionForce>(
      "load",
      [load](const EvaluationContext& now, Loads& loads) { loads.tau(0) += load(now.time); })};
  if (holder.brake) {
    JointBrake::Settings brake;
    brake.torque = holder.coulomb;
    brake.presliding = kPresliding;
    setup.forces.push_back(std::make_shared<JointBrake>("brake", brake));
  }
  setup.integrator = adaptive(holder.method, 1e-9);
  return setup;
}

class HoldsVaryingLoads : public ::testing::TestWithParam<Holder> {};

TEST_P(HoldsVaryingLoads, WithoutDrift) {
  const Holder& holder = GetParam();
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    RandomModels random(seed);
    const double breakaway = std::max(holder.coulomb, holder.breakaway);
    // the mass and the damper of the bristle add to it, and slip begins at 0.9
    const VaryingLoad load(random, 0.85 * breakaway);
    const SimulationSetup setup = held(holder, load);
    Trajectory flight;
    const SimulationResult result = Simulator(setup).run(State(*setup.model), 25.0, 0.05, flight);
    const double stiffness = holder.coulomb / kPresliding;
    double farthest = 0.0;
    for (const TrajectoryPoint& sample : flight.points) {
      // nothing has slipped: the joint is where its bristle is, to the roundings of 25 s
      EXPECT_NEAR(sample.state.q(0), sample.state.z(0), 1e-13);
      // a spring, to what the mass and the damper of the bristle add at 6 rad/s
      EXPECT_NEAR(sample.state.q(0), load(sample.time) / stiffness, 0.12 * breakaway / stiffness);
      farthest = std::max(farthest, std::abs(sample.state.q(0)));
    }
    EXPECT_GT(farthest, 0.3 * breakaway / stiffness);
    EXPECT_LT(result.audit.energy_residual(), 1e-8);
    EXPECT_GE(result.integrals.dissipated, 0.0);
  }
}

std::vector<Holder> all_holders() {
  constexpr auto kDop853 = IntegrationMethod::dop853;
  constexpr auto kRodas = IntegrationMethod::rodas;
  constexpr auto kDopri5 = IntegrationMethod::dopri5;
  return {{"FrictionOfASlider", JointType::prismatic, false, 5.0, 0.0, kDop853},
          {"FrictionOfAHinge", JointType::revolute, false, 5.0, 0.0, kRodas},
          {"StribeckFrictionOfASlider", JointType::prismatic, false, 3.0, 5.0, kDopri5},
          {"StribeckFrictionOfAHinge", JointType::revolute, false, 4.0, 5.0, kDop853},
          {"BrakeOfASlider", JointType::prismatic, true, 5.0, 0.0, kRodas},
          {"BrakeOfAHinge", JointType::revolute, true, 5.0, 0.0, kDop853}};
}

INSTANTIATE_TEST_SUITE_P(Holder, HoldsVaryingLoads, ::testing::ValuesIn(all_holders()),
                         [](const auto& item) { return std::string(item.param.name); });

/// The friction of a hinge, asked directly.
class Rubbing {
 public:
  explicit Rubbing(const JointFriction& friction) : model_(make(friction)), friction_(model_) {}

  State at(double v, double z) const {
    State state(model_);
    state.qd(0) = v;
    state.z = VectorX::Constant(1, z);
    return state;
  }
  double rate(double v, double z) const {
    VectorX zd(1);
    const Snapshot snapshot(model_, at(v, z));
    friction_.auxiliary_rate(snapshot.at(0.0), zd);
    return zd(0);
  }
  double loss(double v, double z) const {
    const Snapshot snapshot(model_, at(v, z));
    return friction_.energy_rates(snapshot.at(0.0)).dissipated;
  }

 private:
  static Model make(const JointFriction& friction) {
    ModelDescription description = one_link_description();
    description.links[0].joint.friction = friction;
    return ModelBuilder(description).build();
  }
  Model model_;
  DryFriction friction_;
};

TEST(DryFriction, IsASpringBelowItsElasticLimitAndWhenItIsUnloaded) {
  const Rubbing rubbing({3.0, 5.0, 0.01, kPresliding});
  for (const double fraction : {0.1, 0.6, 0.89}) {
    const double z = fraction * 5.0 / 3000.0;
    EXPECT_EQ(rubbing.rate(1e-5, z), 1e-5);
    EXPECT_EQ(rubbing.rate(-1e-5, z), -1e-5);
  }
  EXPECT_EQ(rubbing.rate(-0.2, 5.0 / 3000.0), -0.2);
  EXPECT_NEAR(rubbing.rate(0.2, 1e-3), 0.0, 1e-15);
}

TEST(DryFriction, SlipsSmoothly) {
  const Rubbing rubbing({3.0, 5.0, 0.05, kPresliding});
  const double v = 0.02, g = 3.0 + 2.0 * std::exp(-0.16);
  const auto slope = [&](double u, double step) {
    const auto rate = [&](double fraction) { return rubbing.rate(v, fraction * g / 3000.0); };
    return (rate(u + step) - rate(u - step)) / (2.0 * step * v);
  };
  // no kink at either end of the range in which slip sets in, where the slope is some ten
  EXPECT_NEAR(slope(0.9 - 1e-6, 1e-7), slope(0.9 + 1e-6, 1e-7), 1e-3);
  EXPECT_NEAR(slope(1.0 - 1e-6, 1e-7), slope(1.0 + 1e-6, 1e-7), 1e-3);
  EXPECT_LT(slope(0.95, 1e-5), -15.0);
}

TEST(DryFriction, LosesEnergyWhereverItIs) {
  RandomModels random(5);
  for (int i = 0; i < 5000; ++i) {
    const double coulomb = random.number(0.1, 5.0), more = random.number(1.0, 40.0);
    const Rubbing rubbing({coulomb, coulomb * more, 0.02, kPresliding});
    const double v = random.number(-1.0, 1.0) * std::pow(10.0, random.number(-6, 1));
    const double z = random.number(-1.2, 1.2) * more * kPresliding;
    // a difference of powers: to their rounding
    EXPECT_GE(rubbing.loss(v, z), -1e-14 * std::abs(coulomb * more * more * v));
  }
}

TEST(JointBrake, StoresWhatItsBristleHoldsAndLosesItWhenLetGo) {
  BaseDescription wall;
  wall.name = "wall";
  wall.fixed = true;
  LinkDescription link = link_body("slide", "wall", 1.0, {1.0, 1.0, 1.0}, {0, 0, 0}, {0, 0, 0});
  link.joint.type = JointType::prismatic;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("held").set_base(wall).add_link(link).build());
  setup.base_mode = BaseMode::fixed;
  JointBrake::Settings settings;
  settings.torque = 5.0;
  settings.until = 3.0;
  const auto brake = std::make_shared<JointBrake>("brake", settings);
  // slowly, for the bristle must not overshoot and slip
  const auto load = [](double t) { return 3.0 * (1.0 - std::exp(-4.0 * t)); };
  setup.forces = {std::make_shared<FunctionForce>(
                      "load", [load](const EvaluationContext& now,
                                     Loads& loads) { loads.tau(0) += load(now.time); }),
                  brake};
  setup.integrator = adaptive(IntegrationMethod::rodas, 1e-10);
  const SimulationResult holding = simulate(setup, State(*setup.model), 2.9);
  // ½ F²/σ_0, σ_0 = 5000 N/m
  EXPECT_NEAR(holding.sources[1].end.stored, 0.5 * 9.0 / 5000.0, 1e-7);
  const double lost = holding.sources[1].end.dissipated;
  EXPECT_GT(lost, 0.0);  // to the damper while it was loaded
  const SimulationResult free = simulate(setup, State(*setup.model), 4.0);
  EXPECT_NEAR(free.sources[1].end.stored, 0.0, 1e-12);
  EXPECT_NEAR(free.sources[1].end.dissipated, lost + 0.5 * 9.0 / 5000.0, 1e-7);
  EXPECT_NEAR(free.state.qd(0), 3.0, 1e-4);
  EXPECT_LT(free.audit.energy_residual(), 1e-9);
}

}  // namespace
}  // namespace spacedyn::testing::friction_hold_test

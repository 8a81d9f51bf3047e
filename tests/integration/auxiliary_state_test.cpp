#include <cmath>

#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::auxiliary_state_test {
namespace {

/// A motor whose torque follows a constant demand with a first-order lag: T ż = u − z, τ = z.
class LaggingMotor final : public Controller {
 public:
  LaggingMotor(int joint, double demand, double lag)
      : Controller("motor"), joint_(joint), demand_(demand), lag_(lag) {}

  int command_size() const override { return 1; }
  void command(const EvaluationContext& now, VectorRef command) const override {
    command(0) = now.auxiliary(0);
  }
  void apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const override {
    loads.tau(joint_ - 1) += command(0);
  }
  int auxiliary_size() const override { return 1; }
  void auxiliary_rate(const EvaluationContext& now, VectorRef zd) const override {
    zd(0) = (demand_ - now.auxiliary(0)) / lag_;
  }

 private:
  int joint_;
  double demand_, lag_;
};

/// A joint damper behind a spring (Maxwell element): stretch z, force k z, d (q̇ − ż) = k z.
class MaxwellElement final : public ForceElement {
 public:
  MaxwellElement(int joint, double k, double d)
      : ForceElement("maxwell"), joint_(joint), k_(k), d_(d) {}

  void apply(const EvaluationContext& now, Loads& loads) const override {
    loads.tau(joint_ - 1) -= k_ * now.auxiliary(0);
  }
  int auxiliary_size() const override { return 1; }
  void auxiliary_initial(VectorRef z) const override { z(0) = 0.2; }
  void auxiliary_rate(const EvaluationContext& now, VectorRef zd) const override {
    zd(0) = rate(now);
  }
  double stored_energy(const EvaluationContext& now) const override {
    return 0.5 * k_ * now.auxiliary(0) * now.auxiliary(0);
  }
  EnergyRates energy_rates(const EvaluationContext& now) const override {
    const double force = k_ * now.auxiliary(0);
    return {force * rate(now), force * force / d_};
  }

 private:
  double rate(const EvaluationContext& now) const {
    return now.state.qd(joint_ - 1) - k_ * now.auxiliary(0) / d_;
  }
  int joint_;
  double k_, d_;
};

SimulationSetup sliders() {
  LinkDescription one =
      testing::link_body("one", "base", 2.0, {1.0, 1.0, 1.0}, Vector3::Zero(), Vector3::Zero());
  LinkDescription two =
      testing::link_body("two", "base", 4.0, {1.0, 1.0, 1.0}, Vector3::Zero(), Vector3::Zero());
  one.joint.type = JointType::prismatic;
  two.joint.type = JointType::prismatic;
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(ModelBuilder("sliders")
                                        .set_base(testing::base_body(1.0, {1.0, 1.0, 1.0}))
                                        .add_link(one)
                                        .add_link(two)
                                        .build());
  setup.base_mode = BaseMode::fixed;
  setup.integrator = testing::dopri5(1e-12);
  return setup;
}

TEST(AuxiliaryStates, MotorLagFollowsItsClosedForm) {
  SimulationSetup setup = sliders();
  const double u = 3.0;
  const double lag = 0.4;
  setup.controllers = {std::make_shared<LaggingMotor>(1, 1.0, 0.1),
                       std::make_shared<LaggingMotor>(2, u, lag)};
  Trajectory trajectory;
  Simulator(setup).run(State(*setup.model), 3.0, 0.1, trajectory);
  for (const TrajectoryPoint& sample : trajectory.points) {
    const double t = sample.time;
    const double decay = std::exp(-t / lag);
    ASSERT_EQ(sample.state.z.size(), 2);
    EXPECT_NEAR(sample.state.z(0), 1.0 - std::exp(-t / 0.1), 1e-11);
    EXPECT_NEAR(sample.state.z(1), u * (1.0 - decay), 1e-11);
    EXPECT_NEAR(sample.forces(7), u * (1.0 - decay), 1e-11);
    EXPECT_NEAR(sample.state.qd(1), u / 4.0 * (t - lag * (1.0 - decay)), 1e-11);
    EXPECT_NEAR(sample.state.q(1), u / 4.0 * (0.5 * t * t - lag * t + lag * lag * (1.0 - decay)),
                1e-11);
  }
}

TEST(AuxiliaryStates, EnergyOfAViscoelasticElementIsAccountedFor) {
  SimulationSetup setup = sliders();
  setup.forces = {std::make_shared<MaxwellElement>(1, 80.0, 5.0)};
  const SimulationResult result = testing::simulate(setup, State(*setup.model), 5.0);
  EXPECT_NEAR(result.initial_energy.elastic, 0.5 * 80.0 * 0.04, 1e-14);
  EXPECT_GT(result.integrals.dissipated, 0.1);
  EXPECT_LT(result.audit.energy_residual(), 1e-11);
}

TEST(AuxiliaryStates, MayBeGivenWithTheStart) {
  SimulationSetup setup = sliders();
  setup.controllers = {std::make_shared<LaggingMotor>(1, 0.0, 0.5)};
  State initial(*setup.model);
  initial.z = VectorX::Constant(1, 2.0);
  const SimulationResult result = testing::simulate(setup, initial, 1.0);
  EXPECT_NEAR(result.state.z(0), 2.0 * std::exp(-2.0), 1e-11);
}

TEST(AuxiliaryStates, AreHeldToTheirOwnTolerance) {
  SimulationSetup setup = sliders();
  setup.controllers = {std::make_shared<LaggingMotor>(1, 1.0, 0.01)};
  setup.integrator = testing::dopri5(1e-2);
  setup.integrator.relative_tolerance = 0.0;
  const long loose = testing::simulate(setup, State(*setup.model), 1.0).statistics.steps;
  setup.integrator.absolute_tolerance.auxiliary = 1e-10;
  EXPECT_GT(testing::simulate(setup, State(*setup.model), 1.0).statistics.steps, 2 * loose);
}

}  // namespace
}  // namespace spacedyn::auxiliary_state_test

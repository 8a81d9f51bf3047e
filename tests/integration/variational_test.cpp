#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::variational_test {
namespace {

/// Largest deviations over a run, relative to the start where that makes sense.
class Watch final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    if (outputs_++ == 0) {
      momentum_ = point.momentum;
      energy_ = point.energy.total();
      centroid_ = center_of_mass(point.model, point.frames);
    }
    const Vector3 expected = centroid_ + point.time / point.model.total_mass() * momentum_.linear;
    centroid = std::max(centroid, (center_of_mass(point.model, point.frames) - expected).norm());
    linear = std::max(linear, (point.momentum.linear - momentum_.linear).norm());
    angular =
        std::max(angular, (point.momentum.angular_centroid - momentum_.angular_centroid).norm());
    const double change = std::abs(point.energy.total() - energy_);
    (2 * outputs_ < expected_outputs ? early_energy : late_energy) =
        std::max(2 * outputs_ < expected_outputs ? early_energy : late_energy, change);
  }

  long expected_outputs = 0;
  double centroid = 0.0, linear = 0.0, angular = 0.0, early_energy = 0.0, late_energy = 0.0;

 private:
  long outputs_ = 0;
  Momentum momentum_;
  double energy_ = 0.0;
  Vector3 centroid_ = Vector3::Zero();
};

SimulationSetup random_setup(unsigned seed, int links, double screws = 0.0) {
  testing::RandomModels random(seed);
  SimulationSetup setup;
  setup.model =
      std::make_shared<const Model>(random.model(testing::TreeShape{links, 2, 0.3, true, screws}));
  return setup;
}

State random_start(unsigned seed, const Model& model) {
  testing::RandomModels random(seed + 1000);
  return random.state(model);
}

TEST(Variational, KeepsMomentumAndTheCentroidsPathToRounding) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SimulationSetup setup = random_setup(seed, 5, seed == 3U ? 0.6 : 0.0);
    setup.integrator = testing::fixed_step(IntegrationMethod::variational, 0.005);
    Watch watch;
    const SimulationResult result =
        Simulator(setup).run(random_start(seed, *setup.model), 20.0, 0.05, watch);
    const double linear_scale = result.initial_momentum.linear.norm();
    const double angular_scale = result.initial_momentum.angular_centroid.norm();
    EXPECT_GT(linear_scale, 0.1);
    EXPECT_GT(angular_scale, 0.1);
    // a few eps, amplified by the condition of the inertia matrix
    EXPECT_LT(watch.linear, 1e-12 * linear_scale);
    EXPECT_LT(watch.angular, 1e-12 * angular_scale);
    EXPECT_LT(watch.centroid, 1e-12 * 20.0 * linear_scale);
  }
}

TEST(Variational, KeepsTheEnergyBoundedWhereRungeKuttaLetsItDrift) {
  // two hinged bodies that tumble for a thousand turns
  SimulationSetup setup;
  ModelDescription description = testing::one_link_description();
  description.links[0].joint.stiffness = 3.0;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  State initial(*setup.model);
  initial.omega_0 = {0.4, 0.5, 0.6};
  initial.q(0) = 0.5;
  const auto drift = [&](IntegrationMethod method) {
    setup.integrator = testing::fixed_step(method, 0.05);
    Watch watch;
    watch.expected_outputs = 1000;
    const SimulationResult result = Simulator(setup).run(initial, 2000.0, 2.0, watch);
    return std::pair{watch.early_energy / result.initial_energy.kinetic,
                     watch.late_energy / result.initial_energy.kinetic};
  };
  const auto [early, late] = drift(IntegrationMethod::variational);
  EXPECT_GT(early, 1e-7);  // it does err, by h²
  EXPECT_LT(late, 1.05 * early);
  const auto [early_midpoint, late_midpoint] = drift(IntegrationMethod::midpoint);
  EXPECT_GT(late_midpoint, 1.5 * early_midpoint);
  EXPECT_GT(late_midpoint, late);
}

TEST(Variational, FollowsForcesDampersAndAFixedBaseAtOrderTwo) {
  for (const BaseMode mode : {BaseMode::floating, BaseMode::fixed}) {
    testing::RandomModels random(7);
    ModelDescription description = random.description(testing::TreeShape{4, 2, 0.4, true});
    for (LinkDescription& link : description.links) {
      link.joint.stiffness = 5.0;
      link.joint.damping = 0.8;
    }
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
    setup.base_mode = mode;
    setup.gravity = {0.3, -0.2, -1.0};
    const Frame tip = setup.model->frame(setup.model->body(4).name);
    setup.forces = {
        std::make_shared<FunctionForce>("pull", [tip](const EvaluationContext& now, Loads& loads) {
          const Vector3 point = frame_position(now.frames, tip);
          loads.add_wrench(tip.body, now.frames.r[4], point, -2.0 * point,
                           Vector3(0.1, std::sin(now.time), 0.2));
          loads.F_b.head<3>() -= 0.5 * now.state.v_0;
        })};
    State initial = random.state(*setup.model);
    if (mode == BaseMode::fixed) {
      initial.v_0.setZero();
      initial.omega_0.setZero();
    }
    setup.integrator = testing::dopri5(1e-13);
    const SimulationResult exact = testing::simulate(setup, initial, 1.0);
    const auto errors = [&](double step) {
      setup.integrator = testing::fixed_step(IntegrationMethod::variational, step);
      const SimulationResult result = testing::simulate(setup, initial, 1.0);
      return std::array<double, 4>{
          (result.state.q - exact.state.q).norm(),
          (result.state.velocity() - exact.state.velocity()).norm(),
          (result.state.r_0 - exact.state.r_0).norm() + (result.state.A_0 - exact.state.A_0).norm(),
          std::abs(result.integrals.work - exact.integrals.work)};
    };
    const auto coarse = errors(0.02);
    const auto fine = errors(0.01);
    for (std::size_t i = 0; i < coarse.size(); ++i) {
      if (mode == BaseMode::fixed && i == 2) {
        EXPECT_LT(coarse[i], 1e-15);
        continue;
      }
      EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 2.0, 0.15) << i;
    }
  }
}

/// Any method: what the projection removes is as much as drifts without it.
TEST(MomentumProjection, KeepsMomentumAndReportsTheDriftItRemoves) {
  SimulationSetup setup = random_setup(5, 4);
  const State initial = random_start(5, *setup.model);
  for (const IntegrationMethod method : {IntegrationMethod::rk4, IntegrationMethod::dopri5}) {
    setup.integrator =
        is_adaptive(method) ? testing::adaptive(method, 1e-6) : testing::fixed_step(method, 0.02);
    const double drift = testing::simulate(setup, initial, 5.0).audit.momentum_drift();
    setup.integrator.project_momentum = true;
    Watch watch;
    const SimulationResult result = Simulator(setup).run(initial, 5.0, 5.0, watch);
    EXPECT_LT(watch.linear, 1e-13 * result.initial_momentum.linear.norm());
    EXPECT_LT(watch.angular, 1e-12 * result.initial_momentum.angular_centroid.norm());
    EXPECT_LT(watch.centroid, 1e-12);
    EXPECT_GT(drift, 1e-9);
    EXPECT_GT(result.audit.momentum_drift(), 0.2 * drift);
    EXPECT_LT(result.audit.momentum_drift(), 5.0 * drift);
  }
}

/// With an external wrench the impulse is part of the target.
TEST(MomentumProjection, FollowsExternalImpulses) {
  SimulationSetup setup = random_setup(6, 3);
  setup.forces = {
      std::make_shared<FunctionForce>("push", [](const EvaluationContext& now, Loads& loads) {
        loads.F_b += (Vector6() << 1.0, -2.0, 0.5, 0.3, std::sin(now.time), -0.2).finished();
      })};
  const State initial = random_start(6, *setup.model);
  setup.integrator = testing::dopri5(1e-12);
  const State exact = testing::simulate(setup, initial, 2.0).state;
  setup.integrator = testing::dopri5(1e-8);
  setup.integrator.project_momentum = true;
  const State projected = testing::simulate(setup, initial, 2.0).state;
  EXPECT_LT((projected.velocity() - exact.velocity()).norm(), 1e-6);
}

TEST(MomentumProjection, RefusesABaseThatDoesNotFloat) {
  SimulationSetup setup = random_setup(4, 2);
  setup.base_mode = BaseMode::fixed;
  setup.integrator.project_momentum = true;
  try {
    const Simulator simulator(setup);
    FAIL() << "accepted";
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "project_momentum needs a floating base and no prescribed joints");
  }
}

TEST(Variational, RefusesImposedMotion) {
  SimulationSetup setup = random_setup(4, 2);
  setup.integrator = testing::fixed_step(IntegrationMethod::variational, 0.1);
  setup.prescribed_joints = {{1, std::make_shared<ConstantReference>(VectorX::Zero(1))}};
  try {
    const Simulator simulator(setup);
    FAIL() << "accepted";
  } catch (const DomainError& error) {
    EXPECT_STREQ(
        error.what(),
        "variational cannot impose motion; prescribed joints and bases need another method");
  }
}

}  // namespace
}  // namespace spacedyn::variational_test

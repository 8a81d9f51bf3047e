// Springs of spherical joints: closed forms, energy, derivatives.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/analysis/equilibrium.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/configuration.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::spherical_springs_test {
namespace {

const Vector3 kInertia(0.3, 0.4, 0.6);

/// A body on a spherical joint through its centroid, on a fixed or floating base.
std::shared_ptr<const Model> gimbal(const Vector3& stiffness, bool fixed, const Vector3& rest,
                                    const Vector3& inertia = kInertia) {
  BaseDescription base = base_body(5.0, {2, 3, 4});
  base.fixed = fixed;
  LinkDescription body = link_body("body", "base", 1.0, inertia, {0, 0, 0.4}, {0, 0, 0});
  body.joint.type = JointType::spherical;
  body.joint.coordinates.resize(3);
  for (int k = 0; k < 3; ++k) {
    JointDescription& coordinate = body.joint.coordinates[static_cast<std::size_t>(k)];
    coordinate.stiffness = stiffness(k);
    coordinate.rest_position = rest(k);
  }
  return std::make_shared<const Model>(
      ModelBuilder("gimbal").set_base(base).add_link(body).build());
}

SimulationSetup setup_of(const std::shared_ptr<const Model>& model) {
  SimulationSetup setup;
  setup.model = model;
  if (model->has_fixed_base()) setup.base_mode = BaseMode::fixed;
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return setup;
}

TEST(SphericalSprings, OfEqualStiffnessSwingABallAboutOneAxis) {
  // I θ̈ = −k θ, however far, about any axis
  constexpr double kStiffness = 2.0, kMoment = 0.5;
  const auto model =
      gimbal(Vector3::Constant(kStiffness), true, Vector3::Zero(), Vector3::Constant(kMoment));
  const Vector3 axis = Vector3(1, -2, 0.5).normalized();
  State start(*model);
  start.q = 2.5 * axis;
  const Trajectory flight = simulate(setup_of(model), start, 5.0, 0.25);
  const double omega = std::sqrt(kStiffness / kMoment);
  for (const TrajectoryPoint& at : flight.points) {
    EXPECT_LT((at.state.q - 2.5 * std::cos(omega * at.time) * axis).norm(), 1e-9);
    EXPECT_NEAR(at.energy.elastic, 0.5 * kStiffness * at.state.q.squaredNorm(), 1e-12);
  }
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
}

TEST(SphericalSprings, DeriveFromTheirEnergy) {
  RandomModels random(3);
  const auto model = gimbal({2.0, 5.0, 0.7}, true, {0.2, -0.4, 0.1});
  State state(*model);
  for (int i = 0; i < 50; ++i) {
    state.q = random.vector(3, 1.5);
    const VectorX torque = passive_torque(*model, state);
    for (int k = 0; k < 3; ++k) {
      constexpr double kStep = 1e-4;
      const auto energy = [&](double t) {
        VectorX q = state.q;
        displace_joints(*model, VectorX(t * Vector3::Unit(k)), q);
        return elastic_energy(*model, q);
      };
      const double slope =
          (8.0 * (energy(kStep) - energy(-kStep)) - (energy(2.0 * kStep) - energy(-2.0 * kStep))) /
          (12.0 * kStep);
      // eps V / h
      EXPECT_NEAR(torque(k), -slope, 1e-10);
    }
  }
}

TEST(SphericalSprings, KeepMomentumAndEnergyInFreeFlight) {
  const auto model = gimbal({2.0, 5.0, 0.7}, false, {0.2, -0.4, 0.1});
  State start(*model);
  start.q << 0.5, 0.3, -0.6;
  start.qd << 0.2, -0.4, 0.3;
  start.omega_0 = {0.1, 0.2, -0.1};
  const Trajectory flight = simulate(setup_of(model), start, 10.0, 0.5);
  const TrajectoryPoint& first = flight.points.front();
  for (const TrajectoryPoint& at : flight.points) {
    EXPECT_LT((at.momentum.angular_centroid - first.momentum.angular_centroid).norm(), 1e-11);
    EXPECT_NEAR(at.energy.total(), first.energy.total(), 1e-9);
  }
}

TEST(SphericalSprings, GiveModesAndLinearModelsTheirStiffness) {
  // about rest at zero: ω² = K/I of each axis
  const Vector3 stiffness(2.0, 5.0, 0.7);
  const auto model = gimbal(stiffness, true, Vector3::Zero());
  const Modes modes = compute_modes(*model, State(*model), Mobility(*model), Vector3::Zero());
  std::vector<double> expected;
  for (int k = 0; k < 3; ++k) expected.push_back(std::sqrt(stiffness(k) / kInertia(k)));
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(modes.modes.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(modes.modes[k].omega, expected[k], 1e-11);
  // elsewhere against differences of the torque
  const auto bent = gimbal(stiffness, true, {0.3, -0.2, 0.5});
  ForcedSystem system;
  system.model = bent;
  system.base_mode = BaseMode::fixed;
  State state(*bent);
  state.q << 0.4, 0.9, -0.3;
  const MatrixX K = linearize(system, state).K.bottomRightCorner(3, 3);
  for (int k = 0; k < 3; ++k) {
    constexpr double kStep = 1e-5;
    const auto torque = [&](double t) {
      State moved = state;
      displace_joints(*bent, VectorX(t * Vector3::Unit(k)), moved.q);
      return passive_torque(*bent, moved);
    };
    EXPECT_LT((K.col(k) + (torque(kStep) - torque(-kStep)) / (2.0 * kStep)).norm(), 1e-8);
  }
}

TEST(SphericalSprings, RestWhereTheirAnglesSay) {
  const Vector3 rest(0.4, -0.2, 0.3);
  const auto model = gimbal({2.0, 5.0, 0.7}, true, rest);
  const Equilibrium found = find_equilibrium(setup_of(model), State(*model));
  ASSERT_TRUE(found.found);
  EXPECT_LT((found.state.q - rest).norm(), 1e-9);
}

TEST(SphericalSprings, RestWithinHalfATurn) {
  EXPECT_NE(message_of<ModelError>([] {
              gimbal({1, 1, 1}, true, {4.0, 0, 0});
            }).find("expected at most half a turn"),
            std::string::npos);
}

}  // namespace
}  // namespace spacedyn::testing::spherical_springs_test

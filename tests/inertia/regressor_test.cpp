// Regressors against inverse dynamics, momentum and energy, and column by column against models of
// which one inertial parameter differs: everything is linear in it, so differences are exact.
#include "spacedyn/inertia/regressor.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::regressor_test {
namespace {

// sums over a dozen bodies
constexpr double kTolerance = 1e-12;
/// Differences are exact but for the rounding of forces of some hundred over steps of 2e-3.
constexpr double kDifferences = 1e-9;

/// All joint types; every third robot has a fixed base.
ModelDescription random_robot(RandomModels& random, unsigned seed) {
  constexpr JointType kTypes[] = {JointType::spherical,   JointType::universal, JointType::revolute,
                                  JointType::cylindrical, JointType::planar,    JointType::free,
                                  JointType::prismatic,   JointType::fixed,     JointType::screw};
  ModelDescription robot = random.description(TreeShape{8, 3, 0.0, true});
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    JointDescription& joint = robot.links[i].joint;
    joint.type = kTypes[(i * (seed % 3 + 1) + seed) % 9];
    if (joint.type == JointType::screw) joint.pitch = i % 2 == 0 ? 2.5 : -1.5;
    joint.second_axis = joint.axis.cross(Vector3(random.vector(3)));
  }
  robot.base.fixed = seed % 3 == 0;
  return robot;
}

/// What the file says of a body, without the library.
InertialParameters described(const BodyDescription& body) {
  const Vector3& c = body.center_of_mass;
  InertialParameters parameters;
  parameters << body.mass, body.mass * c,  //
      body.inertia(0, 0) + body.mass * (c.y() * c.y() + c.z() * c.z()),
      body.inertia(0, 1) - body.mass * c.x() * c.y(),
      body.inertia(0, 2) - body.mass * c.x() * c.z(),
      body.inertia(1, 1) + body.mass * (c.x() * c.x() + c.z() * c.z()),
      body.inertia(1, 2) - body.mass * c.y() * c.z(),
      body.inertia(2, 2) + body.mass * (c.x() * c.x() + c.y() * c.y());
  return parameters;
}

/// A body description with other parameters.
void assign(const InertialParameters& parameters, BodyDescription& body) {
  body.mass = parameters(0);
  body.center_of_mass = parameters.segment<3>(1) / body.mass;
  const Vector3& c = body.center_of_mass;
  Matrix3 I;
  I << parameters(4), parameters(5), parameters(6), parameters(5), parameters(7), parameters(8),
      parameters(6), parameters(8), parameters(9);
  body.inertia = I - body.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
}

/// Forces of a motion of the base's frame that is given by that of its centroid, about this point.
VectorX forces_with(const ModelDescription& robot, const State& state, const VectorX& acceleration,
                    const Vector3& gravity, const Vector3& center_of_mass) {
  const Model model = ModelBuilder(robot).build();
  const Vector3 arm = state.A_0 * (model.body(0).center_of_mass - center_of_mass);
  State moved = state;
  moved.r_0 += arm;
  moved.v_0 += state.omega_0.cross(arm);
  VectorX moved_acceleration = acceleration;
  moved_acceleration.head<3>() += Vector3(acceleration.segment<3>(3)).cross(arm) +
                                  state.omega_0.cross(state.omega_0.cross(arm));
  Loads loads(model);
  loads.gravity = gravity;
  VectorX forces = inverse_dynamics(model, moved, moved_acceleration, loads);
  forces.segment<3>(3) += arm.cross(Vector3(forces.head<3>()));
  return forces;
}

class Regressor : public ::testing::TestWithParam<unsigned> {
 protected:
  Regressor()
      : random_(GetParam()),
        robot_(random_robot(random_, GetParam())),
        model_(ModelBuilder(robot_).build()),
        state_(random_.state(model_)),
        acceleration_(random_.vector(model_.velocity_size(), 3.0)),
        gravity_(random_.vector(3, 5.0)),
        parameters_(inertial_parameters(model_)) {
    state_.q = random_.vector(model_.joint_count(), 1.4);
  }

  VectorX forces() const {
    Loads loads(model_);
    loads.gravity = gravity_;
    return inverse_dynamics(model_, state_, acceleration_, loads);
  }

  MatrixX dynamics_regressor() const {
    return inverse_dynamics_regressor(model_, state_, acceleration_, gravity_);
  }

  RandomModels random_;
  ModelDescription robot_;
  Model model_;
  State state_;
  VectorX acceleration_;
  Vector3 gravity_;
  VectorX parameters_;
};

TEST_P(Regressor, TimesParametersIsInverseDynamics) {
  EXPECT_LE(relative_difference(dynamics_regressor() * parameters_, forces()), kTolerance);
}

TEST_P(Regressor, HasTheColumnsThatDifferencesHave) {
  const MatrixX Y = dynamics_regressor();
  const double scale = Y.cwiseAbs().maxCoeff();
  std::vector<BodyDescription*> bodies = {&robot_.base};
  for (LinkDescription& link : robot_.links) bodies.push_back(&link);
  for (BodyDescription* body : bodies) {
    const std::optional<int> index = model_.find_body(body->name);
    if (!index) continue;  // fixed to another one, of which it is a part
    const InertialParameters before = described(*body);
    const BodyDescription original = *body;
    for (int k = 0; k < kInertialParameters; ++k) {
      const double step = 0.02 * (k == 0 ? 10.0 : 0.1);
      assign(before + step * InertialParameters::Unit(k), *body);
      const Vector3 c_0 = model_.body(0).center_of_mass;
      const VectorX after = forces_with(robot_, state_, acceleration_, gravity_, c_0);
      *body = original;
      const VectorX column = (after - forces()) / step;
      EXPECT_LE((Y.col(kInertialParameters * *index + k) - column).cwiseAbs().maxCoeff(),
                kDifferences * scale)
          << body->name << " " << k;
    }
  }
}

TEST_P(Regressor, GivesMomentumAndEnergy) {
  LinkFrames frames(model_);
  LinkVelocities velocities(model_);
  compute_link_frames(model_, state_, frames);
  compute_link_velocities(model_, state_, frames, velocities);
  const Momentum expected = momentum(model_, frames, velocities);
  Vector6 both;
  both << expected.linear, expected.angular_base;
  EXPECT_LE(relative_difference(momentum_regressor(model_, state_) * parameters_, both),
            kTolerance);
  const Eigen::Vector2d energies(kinetic_energy(model_, frames, velocities),
                                 gravity_potential(model_, frames, gravity_));
  EXPECT_LE(relative_difference(energy_regressor(model_, state_, gravity_) * parameters_, energies),
            kTolerance);
}

TEST_P(Regressor, OfEnergyIsThatOfMomentum) {
  // ½ uᵀ Y(q, 0, u) = T row by row: inverse dynamics at rest with u for the acceleration is H u
  State resting = state_;
  resting.v_0.setZero();
  resting.omega_0.setZero();
  resting.qd.setZero();
  const VectorX u = state_.velocity();
  const MatrixX Y = inverse_dynamics_regressor(model_, resting, u, Vector3::Zero());
  const MatrixX energy = energy_regressor(model_, state_, gravity_);
  EXPECT_LE(relative_difference(energy.row(0), 0.5 * u.transpose() * Y), kTolerance);
  EXPECT_LE(relative_difference(momentum_regressor(model_, state_), Y.topRows<6>()), kTolerance);
}

TEST_P(Regressor, HasNothingForLinksBetweenTwoCoordinates) {
  const MatrixX Y = dynamics_regressor();
  for (int body = 0; body < model_.body_count(); ++body) {
    if (!model_.is_carrier(body)) continue;
    EXPECT_TRUE(Y.middleCols(kInertialParameters * body, kInertialParameters).isZero(0.0));
    EXPECT_TRUE(parameters_.segment<kInertialParameters>(kInertialParameters * body).isZero(0.0));
  }
}

INSTANTIATE_TEST_SUITE_P(Robots, Regressor, ::testing::Range(0u, 12u),
                         [](const auto& seed) { return "seed_" + std::to_string(seed.param); });

TEST(InverseDynamicsRegressor, LeavesReflectedRotorsOut) {
  for (const RotorCoupling coupling : {RotorCoupling::reflected, RotorCoupling::full}) {
    RandomModels random(7);
    ModelDescription robot = random.description(TreeShape{4, 1, 0.0, true});
    robot.links[1].joint.rotor_inertia = 1e-3;
    robot.links[1].joint.gear_ratio = 30.0;
    robot.links[1].joint.rotor_coupling = coupling;
    const Model model = ModelBuilder(robot).build();
    const State state = random.state(model);
    const VectorX acceleration = random.vector(model.velocity_size());
    VectorX forces = inverse_dynamics(model, state, acceleration, Loads(model));
    ASSERT_GT(model.joint(2).armature, 0.0);
    forces(7) -= model.joint(2).armature * acceleration(7);
    const MatrixX Y = inverse_dynamics_regressor(model, state, acceleration, Vector3::Zero());
    EXPECT_LE(relative_difference(Y * inertial_parameters(model), forces), kTolerance);
  }
}

TEST(InverseDynamicsRegressor, IsThatOfSeveralRobotsTogether) {
  RandomModels random(8);
  const auto arm = std::make_shared<const Model>(random.model(TreeShape{4, 2, 0.3, true}));
  const auto target = std::make_shared<const Model>(random.model(TreeShape{0, 1, 0.0, true}));
  const Model both =
      ModelBuilder(aggregate("both", {{"arm", arm, true, {}}, {"target", target, true, {}}}))
          .build();
  const State state = random.state(both);
  const VectorX acceleration = random.vector(both.velocity_size());
  Loads loads(both);
  loads.gravity = Vector3(0.1, -0.2, 1.6);
  const MatrixX Y = inverse_dynamics_regressor(both, state, acceleration, loads.gravity);
  EXPECT_LE(relative_difference(Y * inertial_parameters(both),
                                inverse_dynamics(both, state, acceleration, loads)),
            kTolerance);
}

TEST(InverseDynamicsRegressor, RefusesWhatDoesNotFit) {
  RandomModels random(9);
  const Model model = random.model(TreeShape{2, 1, 0.0, true});
  const State state(model);
  const VectorX rest = VectorX::Zero(8);
  EXPECT_EQ(message_of<DimensionError>([&] {
              inverse_dynamics_regressor(model, state, VectorX::Zero(7), Vector3::Zero());
            }),
            "acceleration has 7 elements, expected 8 (6 + joints)");
  const VectorX infinite = VectorX::Constant(8, INFINITY);
  EXPECT_THROW(inverse_dynamics_regressor(model, state, infinite, Vector3::Zero()), DomainError);
  const Vector3 none(0.0, NAN, 0.0);
  EXPECT_THROW(inverse_dynamics_regressor(model, state, rest, none), DomainError);
  EXPECT_THROW(energy_regressor(model, state, none), DomainError);
  State short_one = state;
  short_one.q.resize(1);
  EXPECT_THROW(inverse_dynamics_regressor(model, short_one, rest, Vector3::Zero()), DimensionError);
  EXPECT_THROW(momentum_regressor(model, short_one), DimensionError);
}

}  // namespace
}  // namespace spacedyn::testing::regressor_test

// Vectors of other toolboxes: values worked out by hand, and the invariance of energy and power.
#include "spacedyn/state/conventions.hpp"

#include <Eigen/LU>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::conventions_test {
namespace {

constexpr double kRounding = 1e-14;

/// A base turned by 90° about z, centroid 0.5 m along its x, one joint.
struct Example {
  Example() : model(ModelBuilder(description()).build()), state(model) {
    state.r_0 = Vector3(1.0, 2.0, 3.0);
    state.A_0 = rotation_z(std::acos(0.0));
    state.v_0 = Vector3(0.1, 0.2, 0.3);
    state.omega_0 = Vector3(0.0, 0.0, 2.0);
    state.q << 0.7;
    state.qd << -0.4;
  }

  static ModelDescription description() {
    ModelDescription robot;
    robot.name = "robot";
    robot.base.name = "base";
    robot.base.mass = 2.0;
    robot.base.center_of_mass = Vector3(0.5, 0.0, 0.0);
    robot.base.inertia = Matrix3::Identity();
    LinkDescription arm;
    arm.name = "arm";
    arm.parent = "base";
    arm.mass = 1.0;
    arm.inertia = Matrix3::Identity();
    robot.links.push_back(arm);
    return robot;
  }

  Model model;
  State state;
};

VectorX column(std::initializer_list<double> values) {
  return Eigen::Map<const VectorX>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

TEST(Conventions, OfPinocchioAreAFreeFlyerInItsOwnAxes) {
  const Example robot;
  const double s = std::sqrt(0.5);
  // the base's x points along inertial y, so its origin lies at y = 2 − 0.5 and moves with
  // v_0 + ω × (0, −0.5, 0) = (0.1 + 1, 0.2, 0.3)
  EXPECT_LE(relative_difference(positions_in(Convention::pinocchio, robot.model, robot.state),
                                column({1.0, 1.5, 3.0, 0.0, 0.0, s, s, 0.7})),
            kRounding);
  EXPECT_LE(relative_difference(velocities_in(Convention::pinocchio, robot.model, robot.state),
                                column({0.2, -1.1, 0.3, 0.0, 0.0, 2.0, -0.4})),
            kRounding);
}

TEST(Conventions, OfRbdlPutTheScalarLastAndTranslateInertially) {
  const Example robot;
  const double s = std::sqrt(0.5);
  EXPECT_LE(relative_difference(positions_in(Convention::rbdl, robot.model, robot.state),
                                column({1.0, 1.5, 3.0, 0.0, 0.0, s, 0.7, s})),
            kRounding);
  EXPECT_LE(relative_difference(velocities_in(Convention::rbdl, robot.model, robot.state),
                                column({1.1, 0.2, 0.3, 0.0, 0.0, 2.0, -0.4})),
            kRounding);
}

TEST(Conventions, OfSpartPutTheBodyAngularVelocityFirst) {
  Example robot;
  robot.state.omega_0 = Vector3(1.0, 0.0, 0.0);  // along −y of the base
  const double s = std::sqrt(0.5);
  EXPECT_LE(relative_difference(positions_in(Convention::spart, robot.model, robot.state),
                                column({1.0, 2.0, 3.0, 0.0, 0.0, s, s, 0.7})),
            kRounding);
  EXPECT_LE(relative_difference(velocities_in(Convention::spart, robot.model, robot.state),
                                column({0.0, -1.0, 0.0, 0.1, 0.2, 0.3, -0.4})),
            kRounding);
}

TEST(Conventions, OfMujocoPutTheScalarFirstAndTranslateInertially) {
  Example robot;
  robot.state.omega_0 = Vector3(1.0, 0.0, 2.0);  // the first along −y of the base
  const double s = std::sqrt(0.5);
  // the origin moves with v_0 + ω × (0, −0.5, 0) = (0.1 + 1, 0.2, 0.3 − 0.5)
  EXPECT_LE(relative_difference(positions_in(Convention::mujoco, robot.model, robot.state),
                                column({1.0, 1.5, 3.0, s, 0.0, 0.0, s, 0.7})),
            kRounding);
  EXPECT_LE(relative_difference(velocities_in(Convention::mujoco, robot.model, robot.state),
                                column({1.1, 0.2, -0.2, 0.0, -1.0, 2.0, -0.4})),
            kRounding);
}

class ConventionLaws : public ::testing::TestWithParam<Convention> {};

TEST_P(ConventionLaws, GoThereAndBack) {
  RandomModels random(21);
  const Model model = random.model(TreeShape{});
  for (int repetition = 0; repetition < 50; ++repetition) {
    const State state = random.state(model);
    const State back = state_from(GetParam(), model, positions_in(GetParam(), model, state),
                                  velocities_in(GetParam(), model, state));
    EXPECT_LE(relative_difference(back.r_0, state.r_0), kRounding);
    EXPECT_LE(relative_difference(back.A_0, state.A_0), kRounding);
    EXPECT_LE(relative_difference(back.q, state.q), kRounding);
    EXPECT_LE(relative_difference(back.velocity(), state.velocity()), kRounding);
  }
}

TEST_P(ConventionLaws, KeepKineticEnergyAndPower) {
  RandomModels random(22);
  const Model model = random.model(TreeShape{});
  const State state = random.state(model);
  const VectorX u = state.velocity();
  const VectorX v = velocities_in(GetParam(), model, state);
  const MatrixX X_inverse = velocity_map(GetParam(), model, state).inverse();
  const MatrixX H = inertia_matrix(model, state);
  const MatrixX H_theirs = X_inverse.transpose() * H * X_inverse;
  EXPECT_NEAR(v.dot(H_theirs * v), u.dot(H * u), 1e-12 * u.dot(H * u));
  const VectorX Q = random.vector(model.velocity_size());
  EXPECT_NEAR((X_inverse.transpose() * Q).dot(v), Q.dot(u), 1e-12 * Q.norm() * u.norm());
}

TEST_P(ConventionLaws, RefuseVectorsOfAnotherSize) {
  const Example robot;
  try {
    state_from(GetParam(), robot.model, VectorX::Zero(7), VectorX::Zero(7));
    FAIL() << "seven positions were accepted";
  } catch (const DimensionError& error) {
    EXPECT_STREQ(error.what(), "positions have 7 elements, expected 8");
  }
  EXPECT_THROW(state_from(GetParam(), robot.model, VectorX::Zero(8), VectorX::Zero(7)),
               DomainError);
}

INSTANTIATE_TEST_SUITE_P(All, ConventionLaws,
                         ::testing::Values(Convention::pinocchio, Convention::rbdl,
                                           Convention::spart, Convention::mujoco),
                         [](const auto& of) {
                           return of.param == Convention::pinocchio ? "pinocchio"
                                  : of.param == Convention::rbdl    ? "rbdl"
                                  : of.param == Convention::spart   ? "spart"
                                                                    : "mujoco";
                         });

}  // namespace
}  // namespace spacedyn::testing::conventions_test

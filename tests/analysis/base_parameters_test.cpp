// Base parameters against closed forms of arms and counts of floating trees, and against what they
// promise: the same forces from fewer numbers.
#include "spacedyn/analysis/base_parameters.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/regressor.hpp"
#include "spacedyn/math/singular_values.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::base_parameters_test {
namespace {

/// Two links about z, the second joint half a metre along x of the first link.
Model planar_arm() {
  ModelBuilder builder("planar_2r");
  BaseDescription base = base_body(10.0, {1.0, 1.0, 1.0});
  base.fixed = true;
  return builder.set_base(base)
      .add_link(link_body("upper", "base", 4.0, {0.1, 0.2, 0.2}, {0.2, 0.0, 0.0}, {0.2, 0.0, 0.0}))
      .add_link(link_body("lower", "upper", 3.0, {0.1, 0.2, 0.2}, {0.5, 0.0, 0.0}, {0.1, 0.1, 0.0}))
      .build();
}

using Names = std::vector<std::string>;

TEST(BaseParameters, OfAPlanarArmInGravityAreSix) {
  // τ_2 = zz_2 (q̈_1 + q̈_2) + …: the mass of the outer link is felt at its joint alone, ℓ = 0.5 m
  IdentifiabilityOptions options;
  options.gravity = Vector3(0.0, -9.81, 0.0);
  const BaseParameters base = base_parameters(planar_arm(), options);
  EXPECT_EQ(base.names,
            (Names{"upper.mx + 0.5 * lower.mass", "upper.my", "upper.zz + 0.25 * lower.mass",
                   "lower.mx", "lower.my", "lower.zz"}));
  EXPECT_EQ(base.columns, (std::vector<int>{11, 12, 19, 21, 22, 29}));
}

TEST(BaseParameters, OfAPlanarArmWithoutGravityAreFour) {
  const BaseParameters base = base_parameters(planar_arm());
  EXPECT_EQ(base.names,
            (Names{"upper.zz + 0.25 * lower.mass", "lower.mx", "lower.my", "lower.zz"}));
  // those of the base, seven of the upper link and six of the lower one besides
  EXPECT_EQ(base.without_effect.size(), 10u + 9u + 6u);
}

TEST(BaseParameters, OfAPlanarArmWithItsSupportAreTen) {
  // without gravity the support feels no mass at rest; a link that turns about z has two moments
  // more, and what is off the plane at the second joint is so for the first link, too
  IdentifiabilityOptions options;
  options.support_reactions = true;
  EXPECT_EQ(base_parameters(planar_arm(), options).names,
            (Names{"upper.mx + 0.5 * lower.mass", "upper.my", "upper.xz - 0.5 * lower.mz",
                   "upper.yz", "upper.zz + 0.25 * lower.mass", "lower.mx", "lower.my", "lower.xz",
                   "lower.yz", "lower.zz"}));
}

TEST(BaseParameters, OfASingleBodyAreItsTen) {
  const Model body = single_body(3.0, {1.0, 2.0, 2.5});
  const BaseParameters base = base_parameters(body);
  EXPECT_EQ(base.count(), 10);
  EXPECT_EQ(base.names, inertial_parameter_names(body));
  EXPECT_LE((base.combination - MatrixX::Identity(10, 10)).norm(), 0.0);
}

class BaseParametersOfTrees : public ::testing::TestWithParam<unsigned> {};

TEST_P(BaseParametersOfTrees, AreAsManyAsTheirJointsLeave) {
  // ten of the base; a link that turns leaves its mass, the first moment along the axis and one
  // moment about it to the link below, a link that slides its six moments
  RandomModels random(GetParam());
  const Model model = random.model(TreeShape{7, 3, 0.4, true});
  int expected = 10;
  for (int i = 1; i <= model.joint_count(); ++i) {
    expected += model.joint(i).type == JointType::revolute ? 7 : 4;
  }
  EXPECT_EQ(base_parameters(model).count(), expected);
}

TEST_P(BaseParametersOfTrees, GiveTheForcesOfOtherMotions) {
  RandomModels random(GetParam());
  ModelDescription robot = random.description(TreeShape{6, 3, 0.3, true});
  robot.links[1].joint.type = JointType::spherical;
  robot.links[3].joint.type = JointType::universal;
  robot.links[3].joint.second_axis = robot.links[3].joint.axis.cross(Vector3(random.vector(3)));
  robot.base.fixed = GetParam() % 2 == 0;
  const Model model = ModelBuilder(robot).build();
  IdentifiabilityOptions options;
  options.gravity = Vector3(1.0, -2.0, 3.0);
  options.support_reactions = true;
  const BaseParameters base = base_parameters(model, options);

  State state = random.state(model);
  state.q = random.vector(model.joint_count(), 1.4);
  VectorX acceleration = random.vector(model.velocity_size());
  if (robot.base.fixed) {
    const State resting(model);
    state.r_0 = resting.r_0;
    state.A_0 = resting.A_0;
    state.v_0 = state.omega_0 = Vector3::Zero();
    acceleration.head<6>().setZero();
  }
  const MatrixX Y = inverse_dynamics_regressor(model, state, acceleration, options.gravity);
  MatrixX Y_base(Y.rows(), base.count());
  for (int i = 0; i < base.count(); ++i) {
    Y_base.col(i) = Y.col(base.columns[static_cast<std::size_t>(i)]);
  }
  EXPECT_LE(relative_difference(Y_base * base.combination, Y), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Seeds, BaseParametersOfTrees, ::testing::Range(1u, 7u), NamedByValue());

TEST(BaseParameters, OfAStackAreAsManyAsItsRank) {
  RandomModels random(20);
  for (int rank = 1; rank < 8; ++rank) {
    MatrixX left(30, rank), right(rank, 12);
    left = random.vector(30 * rank).reshaped(30, rank);
    right = random.vector(12 * rank).reshaped(rank, 12);
    SingularValues values(30, 12);
    values.matrix() = left * right;
    values.decompose_relative(1e-8);
    Names names;
    for (int i = 0; i < 12; ++i) names.push_back(std::to_string(i));
    EXPECT_EQ(base_parameters(values.matrix(), names).count(), values.rank());
    EXPECT_EQ(values.rank(), rank);
  }
}

TEST(BaseParameters, OfNothingAreNone) {
  EXPECT_EQ(base_parameters(MatrixX::Zero(5, 2), {"a", "b"}).without_effect.size(), 2u);
  EXPECT_EQ(base_parameters(MatrixX(0, 2), {"a", "b"}).count(), 0);
}

TEST(BaseParameters, RefuseWhatDoesNotFit) {
  EXPECT_EQ(message_of<DimensionError>([] { base_parameters(MatrixX::Zero(5, 2), {"a"}); }),
            "names: 1 are given, expected 2, one for each column of the stack");
  EXPECT_THROW(base_parameters(MatrixX::Constant(5, 1, NAN), {"a"}), DomainError);
  EXPECT_EQ(message_of<DomainError>([] { base_parameters(MatrixX::Zero(5, 1), {"a"}, 1.0); }),
            "tolerance is 1, expected a number between 0 and 1");
  IdentifiabilityOptions options;
  options.gravity.x() = NAN;
  EXPECT_THROW(base_parameters(planar_arm(), options), DomainError);

  EXPECT_EQ(message_of<DomainError>([&] { base_parameters(FourBar().model()); }),
            "model 'four_bar' has loops, so its joints do not move one by one; give regressors of "
            "its motions instead");
}

}  // namespace
}  // namespace spacedyn::testing::base_parameters_test

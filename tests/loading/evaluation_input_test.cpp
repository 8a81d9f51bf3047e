#include "spacedyn/loading/evaluation_input.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/small_models.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::evaluation_input_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A revolute joint `arm` and a prismatic joint `slide`.
Model arm_and_slide() {
  ModelDescription description = testing::one_link_description();
  LinkDescription slide =
      testing::link_body("slide", "arm", 2.0, {1.0, 1.0, 1.0}, {1.0, 0.0, 0.0}, Vector3::Zero());
  slide.joint.type = JointType::prismatic;
  description.links.push_back(slide);
  return ModelBuilder(description).build();
}

TEST(EvaluationInput, ReadsEveryKey) {
  const Model model = arm_and_slide();
  const EvaluationInputs inputs = parse_evaluation_inputs(
      R"({"r0": [1, 2, 3], "rpy": [0, 0, 0.5], "v0": [4, 5, 6], "w0": [7, 8, 9], "q": [0.1, 0.2],
          "qd": [0.3, 0.4], "vd0": [10, 11, 12], "wd0": [13, 14, 15], "qdd": [16, 17],
          "gravity": [0, 0, -9.81], "F0": [18, 19, 20], "T0": [21, 22, 23], "tau": [24, 25]})",
      "state.json", model);
  EXPECT_FALSE(inputs.is_list);
  ASSERT_EQ(inputs.states.size(), 1U);
  const EvaluationInput& input = inputs.states.front();
  EXPECT_EQ(input.state.r_0, Vector3(1, 2, 3));
  EXPECT_EQ(input.state.A_0, rotation_z(0.5));
  EXPECT_EQ(input.state.v_0, Vector3(4, 5, 6));
  EXPECT_EQ(input.state.omega_0, Vector3(7, 8, 9));
  EXPECT_EQ(input.state.q, Eigen::Vector2d(0.1, 0.2));
  EXPECT_EQ(input.state.qd, Eigen::Vector2d(0.3, 0.4));
  EXPECT_EQ(input.acceleration, VectorX::LinSpaced(8, 10, 17));
  EXPECT_EQ(input.loads.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(input.loads.F_b, VectorX(VectorX::LinSpaced(6, 18, 23)));
  EXPECT_EQ(input.loads.tau, Eigen::Vector2d(24, 25));
}

TEST(EvaluationInput, MovesWrenchesToTheCentroidsOfTheirBodies) {
  const Model model = arm_and_slide();
  const EvaluationInputs inputs = parse_evaluation_inputs(
      "{wrenches: [{frame: arm, force: [0, 2, 0], torque: [0, 0, 1]}]}", "state.yaml", model);
  // the joint lies 0.75 m behind the centroid: (−0.75, 0, 0) × (0, 2, 0) = (0, 0, −1.5)
  EXPECT_EQ(inputs.states[0].loads.force.col(1), Vector3(0, 2, 0));
  EXPECT_EQ(inputs.states[0].loads.moment.col(1), Vector3(0, 0, -0.5));
}

TEST(EvaluationInput, ReadsJointsByNameInUnitsOfTheirKind) {
  const Model model = arm_and_slide();
  const EvaluationInputs inputs =
      parse_evaluation_inputs("[{q: {slide: 5 cm, arm: 180 deg}}]", "state.yaml", model);
  EXPECT_TRUE(inputs.is_list);
  EXPECT_EQ(inputs.states[0].state.q, Eigen::Vector2d(EIGEN_PI, 0.05));
  EXPECT_THAT(
      [&] { parse_evaluation_inputs("{q: [0, 5 deg]}", "state.yaml", model); },
      ThrowsMessage<ParseError>(HasSubstr("state.yaml:1:9: error: q.1: expected a length")));
}

TEST(EvaluationInput, ReadsFiles) {
  const Model model = arm_and_slide();
  const testing::TemporaryDirectory directory;
  testing::write_text(directory / "state.yaml", "r0: [1, 2, 3]\n");
  EXPECT_EQ(load_evaluation_inputs(directory / "state.yaml", model).states[0].state.r_0,
            Vector3(1, 2, 3));
  EXPECT_THROW(load_evaluation_inputs(directory / "missing.yaml", model), IoError);
}

TEST(EvaluationInput, ReportsAllProblemsAtOnce) {
  const Model model = arm_and_slide();
  try {
    parse_evaluation_inputs("r0: [1, 2]\nq: [1, 2, 3]\nquat: [1, 0, 0, 0]\n", "state.yaml", model);
    FAIL() << "accepted";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3U);
  }
}

}  // namespace
}  // namespace spacedyn::evaluation_input_test

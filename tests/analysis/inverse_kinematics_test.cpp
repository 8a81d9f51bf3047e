#include "spacedyn/analysis/inverse_kinematics.hpp"

#include <cmath>

#include "analysis/arms.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::inverse_kinematics_test {
namespace {

TEST(InverseKinematics, FindsTheSolutionsOfTheOriginal) {
  // golden i_kine, iterated there until |Δq| < 1e-8 at gain 0.1: good to 1e-6
  for (const auto& entry : reference("utilities").at("i_kine")) {
    const Model model = reference_model(reference(entry.at("model")).at("model"));
    State state(model);
    state.r_0 = vector3_of(entry.at("R0"));
    state.A_0 = matrix_of(entry.at("A0"));
    state.q = vector_of(entry.at("q_init"));
    FrameGoal goal;
    goal.frame = model.frames()[entry.at("num_e").get<std::size_t>() - 1];
    goal.pose.position = vector3_of(entry.at("POS_goal"));
    goal.pose.rotation = matrix_of(entry.at("ORI_goal"));
    const auto result = solve_inverse_kinematics(model, state, {goal});
    EXPECT_EQ(result.report.status, InverseKinematicsStatus::converged);
    EXPECT_EQ(result.report.restarts, 0);
    EXPECT_LE((result.q - vector_of(entry.at("q_sol"))).lpNorm<Eigen::Infinity>(), 1e-6);
    // ours stops at 1e-9 m and rad; σ_min of these Jacobians is above 1e-2
    EXPECT_LE((result.q - vector_of(entry.at("q_true"))).lpNorm<Eigen::Infinity>(), 1e-7);
  }
}

TEST(InverseKinematics, PlanarTwoLinkArmMatchesTheLawOfCosines) {
  const Model model = build(planar_arm(2));
  for (const double elbow : {1.0, -1.0}) {
    State state(model);
    state.q << 0.0, elbow;
    // from the shoulder: distance² = 2 + 2 cos q2
    const Vector3 shoulder(0.5, 0.0, 0.0);
    const Vector3 target = shoulder + Vector3(0.3, 1.1, 0.0);
    const auto result =
        solve_inverse_kinematics(model, state, {position_goal(model, "tip", target)});
    ASSERT_TRUE(result.report.converged());
    const double q2 = elbow * std::acos(((target - shoulder).squaredNorm() - 2.0) / 2.0);
    const double q1 = std::atan2(1.1, 0.3) - std::atan2(std::sin(q2), 1.0 + std::cos(q2));
    EXPECT_NEAR(result.q(1), q2, 1e-8);
    EXPECT_NEAR(result.q(0), q1, 1e-8);
  }
}

TEST(InverseKinematics, ConvergesQuadraticallyNearASolution) {
  RandomModels random(201);
  const Model model = random.model(TreeShape{6, 1, 0.0, true});
  State goal_state = random.state(model);
  const FrameGoal goal = goal_at(model, goal_state, "hand");
  State state = goal_state;
  state.q += random.vector(6, 0.1);
  std::vector<double> errors;
  InverseKinematicsOptions options;
  options.on_iterate = [&](const VectorX&, double error) { errors.push_back(std::sqrt(error)); };
  const auto result = solve_inverse_kinematics(model, state, {goal}, options);
  ASSERT_TRUE(result.report.converged());
  EXPECT_LE(result.report.iterations, 6);
  // the last error is of the order of the square of the one before, within a wide constant
  const std::size_t last = errors.size() - 1;
  EXPECT_LE(errors[last], 100.0 * errors[last - 1] * errors[last - 1] + 1e-14);
}

TEST(InverseKinematics, ABaseAtRestAnywhereIsRespected) {
  RandomModels random(202);
  const Model model = random.model(TreeShape{6, 1, 0.0, true});
  State target = random.state(model);
  target.r_0 = Vector3(1e4, -2e4, 3e4);
  State state = target;
  state.q += random.vector(6, 0.3);
  const auto result = solve_inverse_kinematics(model, state, {goal_at(model, target, "hand")});
  EXPECT_TRUE(result.report.converged());
}

TEST(InverseKinematics, OrientationAloneLeavesThePlaceFree) {
  RandomModels random(203);
  const Model model = random.model(TreeShape{6, 1, 0.0, true});
  State target = random.state(model);
  FrameGoal goal = goal_at(model, target, "hand");
  goal.kind = GoalKind::orientation;
  goal.pose.position = Vector3::Constant(std::nan(""));  // not read
  State state = target;
  state.q.setZero();
  const auto result = solve_inverse_kinematics(model, state, {goal});
  ASSERT_TRUE(result.report.converged());
  state.q = result.q;
  EXPECT_LE(
      orientation_error(goal.pose.rotation, goal_at(model, state, "hand").pose.rotation).norm(),
      1e-9);
  EXPECT_EQ(result.report.residuals[0].position, 0.0);
}

TEST(InverseKinematics, TurnsAHandByAHalfTurn) {
  // where sin(angle)·axis vanishes; a three-axis wrist can do it
  ModelDescription wrist = planar_arm(3);
  wrist.links[1].joint.axis = Vector3::UnitY();
  wrist.links[2].joint.axis = Vector3::UnitX();
  const Model model = build(wrist);
  State state(model);
  state.q << 0.3, 0.4, 0.5;
  FrameGoal goal = goal_at(model, state, "tip");
  goal.kind = GoalKind::orientation;
  goal.pose.rotation = rotation_about(Vector3(0.36, -0.48, 0.8), M_PI) * goal.pose.rotation;
  EXPECT_TRUE(solve_inverse_kinematics(model, state, {goal}).report.converged());
}

TEST(InverseKinematics, SeveralFramesOfABranchedRobot) {
  const Model model = reference_model(reference("dual_arm").at("model"));
  RandomModels random(204);
  State target(model), state(model);
  target.q = random.vector(6, 1.0);
  state.q = target.q + random.vector(6, 0.3);
  const std::string left = model.frames()[0].name, right = model.frames()[1].name;
  const auto result = solve_inverse_kinematics(
      model, state, {goal_at(model, target, left), goal_at(model, target, right)});
  EXPECT_TRUE(result.report.converged());
  EXPECT_EQ(result.report.residuals.size(), 2u);
  EXPECT_LE((result.q - target.q).norm(), 1e-7);
}

TEST(InverseKinematics, WeightsDecideBetweenGoalsThatContradict) {
  // one tip told to be at two places of one line: the weighted mean of the two, as w² counts
  const Model model = build(planar_arm(2));
  State state(model);
  state.q << 0.4, 1.0;
  FrameGoal first = position_goal(model, "tip", Vector3(1.5, 1.0, 0.0));
  FrameGoal second = position_goal(model, "tip", Vector3(1.5, 0.5, 0.0));
  first.position_weight = 2.0;
  const auto result = solve_inverse_kinematics(model, state, {first, second});
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::best_found);
  state.q = result.q;
  EXPECT_LE((goal_at(model, state, "tip").pose.position - Vector3(1.5, 0.9, 0.0)).norm(), 1e-7);
  EXPECT_NEAR(result.report.residuals[0].position, 0.1, 1e-7);
  EXPECT_NEAR(result.report.residuals[1].position, 0.4, 1e-7);
}

TEST(InverseKinematics, AGoalOutOfReachGivesTheNearestPointAndSaysSo) {
  const Model model = build(planar_arm(2));
  State state(model);
  state.q << 0.3, 0.9;
  const Vector3 target(3.5, 4.0, 0.0);  // 5 m from the shoulder, the arm is 2 m long
  const auto result = solve_inverse_kinematics(model, state, {position_goal(model, "tip", target)});
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::best_found);
  EXPECT_NEAR(result.report.residuals[0].position, 3.0, 1e-12);
  EXPECT_NEAR(std::remainder(result.q(0) - std::atan2(4.0, 3.0), 2.0 * M_PI), 0.0, 1e-6);
  EXPECT_NEAR(std::remainder(result.q(1), 2.0 * M_PI), 0.0, 1e-6);
  EXPECT_NEAR(result.report.error, 4.5, 1e-11);
}

TEST(InverseKinematics, AStraightArmToldToShortenLeavesTheSingularity) {
  // Jᵀe = 0 exactly: no step helps to first order
  const Model model = build(planar_arm(2));
  const State state(model);
  const auto result =
      solve_inverse_kinematics(model, state, {position_goal(model, "tip", {1.7, 0.0, 0.0})});
  EXPECT_TRUE(result.report.converged());
  EXPECT_GE(result.report.restarts, 1);
}

TEST(InverseKinematics, AGoalAtASingularityIsReached) {
  const Model model = build(planar_arm(2));
  State state(model);
  state.q << 0.5, 0.8;
  InverseKinematicsOptions options;
  options.position_tolerance = 1e-6;
  const auto result = solve_inverse_kinematics(
      model, state, {position_goal(model, "tip", {2.5, 0.0, 0.0})}, options);
  EXPECT_TRUE(result.report.converged());
}

TEST(InverseKinematics, WithoutRestartsTheFirstSearchIsTheAnswer) {
  const Model model = build(planar_arm(2));
  const State state(model);
  InverseKinematicsOptions options;
  options.restarts = 0;
  const auto result = solve_inverse_kinematics(
      model, state, {position_goal(model, "tip", {1.7, 0.0, 0.0})}, options);
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::best_found);
  EXPECT_EQ(result.q, state.q);
}

TEST(InverseKinematics, SaysWhenItWasCutOff) {
  const Model model = build(planar_arm(3));
  State state(model);
  state.q << 0.5, 0.8, 0.3;
  InverseKinematicsOptions options;
  options.restarts = 0;
  options.max_iterations = 1;
  const auto result = solve_inverse_kinematics(
      model, state, {position_goal(model, "tip", {-1.0, 1.0, 0.0})}, options);
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::iteration_limit);
  EXPECT_STREQ(to_string(result.report.status), "iteration_limit");
  EXPECT_EQ(result.report.iterations, 1);
}

TEST(InverseKinematics, GivesTheSameBitsAgain) {
  RandomModels random(205);
  const Model model = random.model(TreeShape{7, 1, 0.2, true});
  State target = random.state(model);
  State state = target;
  state.q.setZero();
  const FrameGoal goal = goal_at(model, target, "hand");
  EXPECT_EQ(solve_inverse_kinematics(model, state, {goal}).q,
            solve_inverse_kinematics(model, state, {goal}).q);
}

TEST(InverseKinematics, ABaseAloneCanOnlyReport) {
  ModelDescription body = planar_arm(1);
  body.links.clear();
  body.frames.clear();
  const Model model = build(body);
  const auto result = solve_inverse_kinematics(model, State(model),
                                               {position_goal(model, "base", {1.0, 0.0, 0.0})});
  EXPECT_EQ(result.report.status, InverseKinematicsStatus::best_found);
  EXPECT_EQ(result.report.residuals[0].position, 1.0);
}

}  // namespace
}  // namespace spacedyn::testing::inverse_kinematics_test

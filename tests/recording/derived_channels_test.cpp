// Channels that are computed for the record: each against another way to the same number.
#include <cmath>

#include "recording/example_point.hpp"
#include "recording/rows.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/allocation_guard.hpp"
#include "support/recorders.hpp"

namespace spacedyn::derived_channels_test {
namespace {

using testing::elastic_model;
using ::testing::ElementsAre;
using testing::ExamplePoint;
using testing::loaded_setup;
using testing::names;
using testing::setup_of;
using testing::values;

constexpr double kEps = std::numeric_limits<double>::epsilon();

TEST(FrameTwists, AreThoseOfTheJacobians) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  RowLayout layout(model, {Channel::frame_twists});
  EXPECT_EQ(layout.columns()[1].name, "frames_hand_velocity_x_m_s");
  EXPECT_EQ(layout.columns()[1].dataset, "/frames/hand/velocity");
  EXPECT_EQ(layout.columns()[6].name, "frames_hand_angular_velocity_z_rad_s");
  const Frame& hand = model.frames().front();
  Matrix6X J_m = Matrix6X::Zero(6, model.joint_count());
  frame_jacobian(model, point.frames, hand, J_m);
  Vector6 base;
  base << point.state.v_0, point.state.omega_0;
  const Vector6 expected = J_m * point.state.qd + base_jacobian(point.frames, hand) * base;
  EXPECT_LE((values(layout, point.at(0.0)) - expected).norm(), 32 * kEps * expected.norm());
}

/// σ of two columns, descending: σ₁² from trace and determinant of the normal matrix, and
/// σ₁ σ₂ = |a × b|.
Eigen::Vector2d singular_values(const Vector3& a, const Vector3& b) {
  const double across = 2.0 * a.dot(b), apart = a.squaredNorm() - b.squaredNorm();
  const double first =
      std::sqrt(0.5 * (a.squaredNorm() + b.squaredNorm() + std::hypot(apart, across)));
  return {first, a.cross(b).norm() / first};
}

/// σ of the linear and of the angular rows of two joints.
VectorX block_singular_values(const Matrix6X& J) {
  VectorX sigma(4);
  sigma << singular_values(J.col(0).head<3>(), J.col(1).head<3>()),
      singular_values(J.col(0).tail<3>(), J.col(1).tail<3>());
  return sigma;
}

TEST(SingularValuesChannel, AreThoseOfTheGeneralizedJacobian) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  RowLayout layout(model, {Channel::singular_values});
  EXPECT_THAT(names(layout),
              ::testing::ElementsAreArray(
                  {"time_s", "frames_hand_linear_sigma_1", "frames_hand_linear_sigma_2",
                   "frames_hand_angular_sigma_1", "frames_hand_angular_sigma_2"}));
  const VectorX expected =
      block_singular_values(generalized_jacobian(model, point.state, model.frames().front()));
  EXPECT_GT(expected(0), 0.1);
  EXPECT_LE((values(layout, point.at(0.0)) - expected).norm(), 64 * kEps * expected.norm());
}

TEST(SingularValuesChannel, HaveUnits) {
  const auto units = [](JointType first, JointType second) {
    ModelDescription description = testing::recorded_model().description();
    description.links[0].joint.type = first;
    description.links[1].joint.type = second;
    const Model model = ModelBuilder(description).build();
    const RowLayout layout(model, {Channel::singular_values});
    return std::pair(layout.columns()[1].unit, layout.columns()[3].unit);
  };
  const JointType turns = JointType::revolute, slides = JointType::prismatic;
  EXPECT_EQ(units(turns, turns), std::pair(std::string("m/rad"), std::string("rad/rad")));
  EXPECT_EQ(units(slides, slides), std::pair(std::string("m/m"), std::string("rad/m")));
  EXPECT_EQ(units(turns, slides),
            std::pair(std::string("m/(rad or m)"), std::string("rad/(rad or m)")));
}

TEST(SingularValuesChannel, AreThoseOfTheArmAloneWhereTheBaseIsHeld) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  SimulationSetup setup = setup_of(model);
  setup.base_mode = BaseMode::fixed;
  RowLayout layout(setup, State(model), {Channel::singular_values});
  Matrix6X J_m = Matrix6X::Zero(6, model.joint_count());
  frame_jacobian(model, point.frames, model.frames().front(), J_m);
  const VectorX expected = block_singular_values(J_m);
  EXPECT_LE((values(layout, point.at(0.0)) - expected).norm(), 64 * kEps * expected.norm());
}

State elastic_rest(const Model& model) {
  State state(model);
  state.q << 0.0, 0.7, 0.4;  // elastic joints at rest
  return state;
}

/// What the two elastic joints feel at rest on a floating base.
Eigen::Matrix2d elastic_inertia(const Model& model) {
  const MatrixX H_star = reduced_inertia(model, elastic_rest(model));
  Eigen::Matrix2d M;
  M << H_star(0, 0), H_star(0, 2), H_star(2, 0), H_star(2, 2);
  return M;
}

TEST(ModalEnergy, AddsUpToTheEnergyOfTheSpringsAndOfTheVibration) {
  const Model model = elastic_model();
  const SimulationSetup setup = setup_of(model);
  RowLayout layout(setup, elastic_rest(model), {Channel::modal_energy});
  EXPECT_THAT(names(layout), ElementsAre("time_s", "modes_1_energy_J", "modes_2_energy_J"));
  ExamplePoint bent(model, elastic_rest(model));
  bent.state.q += Vector3(0.3, 5.0, -0.2);  // the free joint does not count
  const double springs = 0.5 * (40.0 * 0.3 * 0.3 + 240.0 * 0.2 * 0.2);
  EXPECT_NEAR(values(layout, bent.at(0.0)).sum(), springs, 64 * kEps * springs);
  EXPECT_GT(values(layout, bent.at(0.0)).minCoeff(), 0.01 * springs);

  ExamplePoint moving(model, elastic_rest(model));
  moving.state.qd << 0.4, 3.0, -0.6;
  const Eigen::Vector2d rates(0.4, -0.6);
  const double kinetic = 0.5 * rates.dot(elastic_inertia(model) * rates);
  EXPECT_NEAR(values(layout, moving.at(0.0)).sum(), kinetic, 64 * kEps * kinetic);
}

// Springs of a joint and of one that follows it are one spring, at rest where both balance.
TEST(ModalEnergy, JoinsTheSpringsOfJointsThatFollow) {
  ModelDescription robot = elastic_model().description();
  constexpr double kRatio = 0.5, kOffset = 0.1, kRest = 0.36;  // 40 q + 0.5 · 240 (q_2 − 0.4) = 0
  robot.links[2].joint.mimic = MimicDescription{elastic_model().joint(1).name, kRatio, kOffset};
  const Model model = ModelBuilder(robot).build();
  State rest(model);
  rest.q << kRest, 0.7, kRatio * kRest + kOffset;
  RowLayout layout(setup_of(model), rest, {Channel::modal_energy});
  ASSERT_THAT(names(layout), ElementsAre("time_s", "modes_1_energy_J"));
  const auto stored = [](double q) {
    const double led = kRatio * q + kOffset - 0.4;
    return 0.5 * (40.0 * q * q + 240.0 * led * led);
  };
  ExamplePoint bent(model, rest);
  bent.state.q(0) += 0.3;
  bent.state.q(2) += kRatio * 0.3;
  const double more = stored(kRest + 0.3) - stored(kRest);
  EXPECT_NEAR(values(layout, bent.at(0.0)).sum(), more, 64 * kEps * more);
  const MatrixX H_star = reduced_inertia(model, rest);
  const Vector3 G(1.0, 0.0, kRatio);
  const double omega = std::sqrt((40.0 + kRatio * kRatio * 240.0) / G.dot(H_star * G));
  EXPECT_NEAR(layout.columns()[1].frequency, omega / (2.0 * std::acos(-1.0)), 1e-13);
}

TEST(ModalEnergy, KnowsTheFrequenciesOfItsModes) {
  const Model model = elastic_model();
  const RowLayout layout(setup_of(model), elastic_rest(model), {Channel::modal_energy});
  const Eigen::Matrix2d K = Eigen::Vector2d(40.0, 240.0).asDiagonal();
  // M⁻¹ K has the eigenvalues ω²: half its trace, and from there as far as the determinant says
  const Eigen::Matrix2d squares = elastic_inertia(model).inverse() * K;
  const double half = 0.5 * squares.trace();
  const double reach = std::sqrt(half * half - squares.determinant());
  const double turn = 2.0 * std::acos(-1.0);
  EXPECT_NEAR(layout.columns()[1].frequency, std::sqrt(half - reach) / turn, 1e-13);
  EXPECT_NEAR(layout.columns()[2].frequency, std::sqrt(half + reach) / turn, 1e-13);
}

TEST(ModalEnergy, StaysInTheModeThatVibrates) {
  ModelDescription description = elastic_model().description();
  description.links[1].joint.type = JointType::fixed;  // no free joint: the modes are exact
  description.links[1].joint.rest_position = 0.0;
  const Model model = ModelBuilder(description).build();
  State rest(model);
  rest.q << 0.0, 0.4;
  const MatrixX M = reduced_inertia(model, rest);
  const MatrixX K = Eigen::Vector2d(40.0, 240.0).asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, M);

  SimulationSetup setup = setup_of(model);
  setup.integrator = testing::dopri5(1e-11);
  RowLayout layout(setup, rest, {Channel::modal_energy});
  class Keeper final : public SimulationObserver {
   public:
    explicit Keeper(RowLayout& layout) : layout_(layout) {}
    void on_output(const SimulationPoint& point) override {
      rows.push_back(values(layout_, point));
    }
    std::vector<VectorX> rows;

   private:
    RowLayout& layout_;
  } keeper(layout);
  State start = rest;
  const double amplitude = 1e-5;
  start.q += amplitude * solver.eigenvectors().col(0);
  Simulator(setup).run(start, 10.0, 0.1, keeper);
  const double energy = 0.5 * amplitude * amplitude * solver.eigenvalues()(0);
  for (const VectorX& row : keeper.rows) {
    // what is not linear is an amplitude smaller
    EXPECT_NEAR(row(0), energy, 100 * amplitude * energy);
    EXPECT_LE(row(1), 100 * amplitude * energy);
  }
}

TEST(ElementEnergy, HasColumnsForWhatCanChange) {
  const Model model = elastic_model();
  SimulationSetup setup = setup_of(model);
  setup.forces.push_back(std::make_shared<AppliedJointTorque>(
      "hum", 2, TimeTable::constant(VectorX::Constant(1, 0.5))));
  setup.controllers.push_back(std::make_shared<FunctionController>(
      "hold it", model.joint_count(),
      [](const EvaluationContext&, VectorRef tau) { tau.setZero(); }));
  setup.events = {{"tick", time_event(1.0), CrossingDirection::rising, {}}};
  RowLayout layout(setup, State(model), {Channel::element_energy});
  EXPECT_THAT(
      names(layout),
      ::testing::ElementsAreArray(
          {"time_s", "elements_passive_joints_work_J", "elements_passive_joints_dissipated_J",
           "elements_passive_joints_stored_J", "elements_hum_work_J", "elements_hum_dissipated_J",
           "elements_hum_stored_J", "elements_hold_it_work_J", "elements_events_work_J",
           "elements_events_dissipated_J"}));
  EXPECT_EQ(layout.columns()[2].dataset, "/elements/passive_joints/dissipated");
  EXPECT_EQ(layout.columns()[7].dataset, "/elements/hold_it/work");
  ExamplePoint point(model, State(model));
  point.sources = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}, {10.0, 11.0, 12.0}};
  EXPECT_EQ(values(layout, point.at(0.0)),
            (VectorX(9) << 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 10.0, 11.0).finished());
}

TEST(DerivedChannels, AllocateNothingPerRow) {
  const Model model = testing::recorded_model();
  const SimulationSetup setup = loaded_setup(model);
  ExamplePoint example(model);
  example.sources.resize(energy_sources(setup).size());
  const SimulationPoint point = example.at(0.5);
  RowLayout layout(setup, State(model), all_channels());
  VectorX row(static_cast<Eigen::Index>(layout.columns().size()));
  layout.fill(point, row);
  const long before = testing::allocation_count();
  for (int i = 0; i < 10; ++i) layout.fill(point, row);
  EXPECT_EQ(testing::allocation_count() - before, 0);
  EXPECT_TRUE(row.allFinite());
}

}  // namespace
}  // namespace spacedyn::derived_channels_test

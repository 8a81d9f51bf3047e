#include "spacedyn/control/joint_pd.hpp"

#include <cmath>
#include <limits>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/contexts.hpp"
#include "support/small_models.hpp"

namespace spacedyn::joint_pd_test {
namespace {

using ::testing::ElementsAre;
using testing::Snapshot;
using ::testing::ThrowsMessage;

JointPd::Settings settings() {
  JointPd::Settings pd;
  pd.joints = {2, 1};
  pd.stiffness = Eigen::Vector2d(300.0, 200.0);
  pd.damping = Eigen::Vector2d(20.0, 10.0);
  pd.effort_limit = Eigen::Vector2d(50.0, std::numeric_limits<double>::infinity());
  pd.reference = std::make_shared<QuinticReference>(Eigen::Vector2d(0.0, 0.0),
                                                    Eigen::Vector2d(1.0, 2.0), 0.0, 2.0);
  return pd;
}

VectorX torque(const Controller& controller, const EvaluationContext& context) {
  VectorX command(controller.command_size());
  controller.command(context, command);
  Loads loads(context.model);
  controller.apply(context, command, loads);
  return loads.tau;
}

TEST(JointPd, PullsEachJointToItsComponentOfTheReference) {
  const Model model = testing::planar_two_link();
  State state(model);
  state.q << 0.95, 0.45;
  state.qd << 0.1, 0.2;
  const Snapshot snapshot(model, state);
  // at half time: positions (0.5, 1), velocities 15/8 of the mean (0.5, 1), for joints 2 and 1
  const VectorX tau = torque(JointPd("pd", settings()), snapshot.at(1.0));
  EXPECT_NEAR(tau(1), 300.0 * (0.5 - 0.45) + 20.0 * (15.0 / 16.0 - 0.2), 1e-12);
  EXPECT_NEAR(tau(0), 200.0 * (1.0 - 0.95) + 10.0 * (15.0 / 8.0 - 0.1), 1e-12);
}

TEST(JointPd, LimitsEffortInBothDirections) {
  const Model model = testing::planar_two_link();
  State state(model);
  state.q << 0.0, 10.0;
  EXPECT_EQ(torque(JointPd("pd", settings()), Snapshot(model, state).at(1.0))(1), -50.0);
  state.q << 0.0, -10.0;
  EXPECT_EQ(torque(JointPd("pd", settings()), Snapshot(model, state).at(1.0))(1), 50.0);
}

TEST(JointPd, TakesTheEffortLimitsOfTheJointsWhereItHasNone) {
  ModelDescription description = testing::planar_two_link().description();
  description.links[0].joint.effort_limit = 7.0;
  const Model model = ModelBuilder(description).build();
  JointPd::Settings pd = settings();
  pd.effort_limit.resize(0);
  State state(model);
  state.q << 1e3, 1e3;
  const JointPd controller("pd", pd);
  const VectorX tau = torque(controller, Snapshot(model, state).at(1.0));
  EXPECT_EQ(tau(0), -7.0);
  EXPECT_LT(tau(1), -1e5) << "the second joint has no limit";
  EXPECT_TRUE(std::isinf(controller.effort_limit(model, 0))) << "joint 2";
  EXPECT_EQ(controller.effort_limit(model, 1), 7.0) << "joint 1";
  // one's own limit goes before that of the joint
  pd.effort_limit = Eigen::Vector2d(2.0, 3.0);
  EXPECT_EQ(torque(JointPd("pd", pd), Snapshot(model, state).at(1.0)), Eigen::Vector2d(-3.0, -2.0));
}

TEST(JointPd, NeedsAnEffortLimitOfTheJointUnderASpeedLimit) {
  JointPd::Settings pd = settings();
  pd.effort_limit.resize(0);
  pd.velocity_limit = Eigen::Vector2d::Ones();
  const JointPd controller("arm", pd);
  EXPECT_THAT([&] { controller.check(testing::planar_two_link()); },
              ThrowsMessage<DomainError>("'arm': velocity_limit 1 needs a finite effort_limit: "
                                         "effort falls from there to zero"));
}

TEST(JointPd, AnnouncesTheBreaksOfItsReferenceUnlessSampled) {
  JointPd::Settings pd = settings();
  std::vector<double> times;
  JointPd("pd", pd).append_discontinuities(times);
  EXPECT_THAT(times, ElementsAre(0.0, 2.0));
  pd.sample_period = 0.1;
  JointPd("pd", pd).append_discontinuities(times);
  EXPECT_EQ(times.size(), 2U);
}

TEST(JointPd, RefusesSettingsThatContradict) {
  const auto broken = [](auto change) {
    JointPd::Settings pd = settings();
    change(pd);
    return [pd] { JointPd("pd", pd); };
  };
  EXPECT_THAT(broken([](auto& pd) { pd.stiffness = VectorX::Ones(3); }),
              ThrowsMessage<DimensionError>("'pd': stiffness has 3 components, expected 2"));
  EXPECT_THAT(broken([](auto& pd) { pd.damping(0) = -1.0; }),
              ThrowsMessage<DomainError>("'pd': damping must not be negative"));
  EXPECT_THAT(broken([](auto& pd) { pd.stiffness(1) = std::nan(""); }),
              ThrowsMessage<DomainError>("'pd': stiffness 2 is not finite"));
  EXPECT_THAT(broken([](auto& pd) { pd.effort_limit(1) = 0.0; }),
              ThrowsMessage<DomainError>("'pd': effort_limit 2 must be positive"));
  EXPECT_THAT(broken([](auto& pd) {
                pd.joints = {1, 1};
              }),
              ThrowsMessage<DomainError>("'pd': joint 1 is controlled twice"));
  EXPECT_THAT(broken([](auto& pd) { pd.sample_period = -0.1; }),
              ThrowsMessage<DomainError>("'pd': sample_period must be finite and not negative"));
  EXPECT_THAT(broken([](auto& pd) { pd.reference = nullptr; }),
              ThrowsMessage<DomainError>("'pd' has no reference"));
  const Model model = testing::one_link();
  EXPECT_THAT(
      [&] { JointPd("pd", settings()).check(model); },
      ThrowsMessage<DomainError>("'pd' acts on joint 2, but model 'one_link' has joints 1 to 1"));
}

TEST(FunctionController, CommandsWhatItsFunctionSays) {
  const Model model = testing::planar_two_link();
  State state(model);
  state.q << 0.3, -0.4;
  const FunctionController spring(
      "spring", 2, [](const EvaluationContext& context, VectorRef tau) { tau = -context.state.q; });
  EXPECT_EQ(torque(spring, Snapshot(model, state).at(0.0)), VectorX(-state.q));
  EXPECT_EQ(spring.sample_period(), 0.0);
}

TEST(FunctionController, DrivesTheJointsThatItNamesAlone) {
  const Model model = testing::planar_two_link();
  const auto law = [](const EvaluationContext&, VectorRef tau) { tau(0) = 3.0; };
  const FunctionController second("second", std::vector<int>{2}, law);
  EXPECT_EQ(torque(second, Snapshot(model, State(model)).at(0.0)),
            VectorX(Eigen::Vector2d(0.0, 3.0)));
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.controllers = {std::make_shared<FunctionController>("one", std::vector<int>{2}, law),
                       std::make_shared<FunctionController>("other", std::vector<int>{2}, law)};
  EXPECT_THAT(
      [&] { Simulator{setup}; },
      ThrowsMessage<DomainError>("'one' and 'other' both drive joint '" + model.joint(2).name +
                                 "': controllers that events turn on and off may share it"));
  EXPECT_THAT(
      [&] {
        FunctionController("law", std::vector<int>{2, 2}, law);
      },
      ThrowsMessage<DomainError>("'law': joint 2 is controlled twice"));
  EXPECT_THAT([&] { FunctionController("law", std::vector<int>{}, law); },
              ThrowsMessage<DomainError>("'law': it drives no joint"));
  EXPECT_THROW(FunctionController("law", std::vector<int>{3}, law).check(model), DomainError);
}

TEST(FunctionController, RefusesAnotherModelAndBadPeriods) {
  const auto law = [](const EvaluationContext&, VectorRef tau) { tau.setZero(); };
  EXPECT_THAT([&] { FunctionController("law", 2, law).check(testing::one_link()); },
              ThrowsMessage<DimensionError>("'law': the command has 2 components, expected 1"));
  EXPECT_THAT([&] { FunctionController("law", 2, law, std::nan("")); },
              ThrowsMessage<DomainError>("'law': sample_period must be finite and not negative"));
  EXPECT_THAT([] { FunctionController("law", 2, nullptr); },
              ThrowsMessage<DomainError>("'law' has no law"));
}

}  // namespace
}  // namespace spacedyn::joint_pd_test

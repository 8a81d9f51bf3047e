// Mechanisms that pass postures where their loops lose rank and paths cross, against motions in the
// one coordinate that they have.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "spacedyn/error.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::singular_posture_test {
namespace {

/// Angle and rate of a mechanism of one coordinate, ½ M(θ) θ̇² + U(θ): θ̈ = −(½ M' θ̇² + U') / M.
struct OneCoordinate {
  double inertia, folded;  ///< M = inertia + folded sin² θ
  double weight;           ///< U = weight sin θ

  /// Runge–Kutta of order 4 at steps so small that its error is below 1e-11.
  Eigen::Vector2d after(double duration, double theta, double rate) const {
    constexpr int kSteps = 60000;
    const double h = duration / kSteps;
    const auto f = [&](const Eigen::Vector2d& y) {
      const double s = std::sin(y(0)), c = std::cos(y(0));
      return Eigen::Vector2d(
          y(1), -(folded * s * c * y(1) * y(1) + weight * c) / (inertia + folded * s * s));
    };
    Eigen::Vector2d y(theta, rate);
    for (int i = 0; i < kSteps; ++i) {
      const Eigen::Vector2d a = f(y), b = f(y + 0.5 * h * a), c = f(y + 0.5 * h * b);
      y += h / 6.0 * (a + 2.0 * b + 2.0 * c + f(y + h * c));
    }
    return y;
  }
};

constexpr double kGravity = 9.81;

/// Crank and rod of one length on a slider through the pivot of the crank. At a right angle the
/// rod lies on the crank, and could as well go on turning with it while the slider rests.
struct SliderCrank {
  double length = 1.0, crank = 1.0, rod = 1.0, slider = 1.0;  // m, kg
  double tilt = 0.0;                                          // of all about z, rad
  double sign = 1.0;                                          // −1: mirrored

  Model model() const {
    ModelDescription robot;
    robot.name = "slider_crank";
    robot.base = base_body(5.0, {1.0, 2.0, 3.0});
    robot.base.fixed = true;
    LinkDescription block =
        link_body("slider", "base", slider, {0.1, 0.1, 0.1}, Vector3::Zero(), Vector3::Zero());
    block.joint.type = JointType::prismatic;
    block.joint.axis = {std::cos(tilt), std::sin(tilt), 0.0};
    robot.links = {testing::rod("crank", "base", crank, length, Vector3::Zero()),
                   testing::rod("rod", "crank", rod, length, {length, 0.0, 0.0}), block};
    robot.frames = {point_on("pin", "rod", {length, 0.0, 0.0})};
    robot.loops = {loop_between("pin", LoopType::revolute, "pin", "slider")};
    return ModelBuilder(robot).build();
  }
  State state(const Model& robot, double theta, double rate) const {
    State state(robot);
    state.q << sign * theta + tilt, -2.0 * sign * theta, 2.0 * length * std::cos(theta);
    state.qd << sign * rate, -2.0 * sign * rate, -2.0 * length * std::sin(theta) * rate;
    return state;
  }
  Vector3 gravity(double g) const {
    return sign * g * Vector3(std::sin(tilt), -std::cos(tilt), 0.0);
  }
  OneCoordinate motion(double g) const {
    const double square = length * length;
    return {square * (crank / 3.0 + rod / 3.0), square * (2.0 * rod + 4.0 * slider),
            g * length * (crank + rod) / 2.0};
  }
};

SimulationSetup setup_of(const Model& model, const IntegratorOptions& options,
                         const Vector3& gravity) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(model);
  setup.base_mode = BaseMode::fixed;
  setup.integrator = options;
  setup.gravity = gravity;
  return setup;
}

/// The angle of the crank after a flight may be wrong by so many tolerances: errors of some hundred
/// steps add up, and grow with the rate.
constexpr double kErrors = 3e4;
/// What is left of rounding where rows are magnified.
constexpr double kRounding = 1e-8;

class SingularPaths : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(SingularPaths, KeepASliderCrank) {
  const SliderCrank mechanism;
  const Model model = mechanism.model();
  std::mt19937 random(20261125);
  std::uniform_real_distribution<double> angle(-1.2, 1.2), rate(1.5, 3.0);
  for (const double tolerance : {1e-6, 1e-9, 1e-10, 1e-11}) {
    if (tolerance < 1e-10 && GetParam() == IntegrationMethod::rodas) continue;  // 5000 steps each
    for (int start = 0; start < 4; ++start) {
      const double theta = angle(random), omega = rate(random);
      const Eigen::Vector2d end = mechanism.motion(0.0).after(6.0, theta, omega);
      const SimulationResult result =
          simulate(setup_of(model, adaptive(GetParam(), tolerance), Vector3::Zero()),
                   mechanism.state(model, theta, omega), 6.0);
      EXPECT_NEAR(result.state.q(0), end(0), kErrors * tolerance + kRounding)
          << "from " << theta << " at " << omega << ", tolerance " << tolerance;
    }
  }
}

/// Two flights whose last angle was computed apart from this program: without weight, and so fast
/// that the weight does not turn the crank back.
TEST_P(SingularPaths, ReachTheLastCrankAngle) {
  struct Flight {
    double rate, gravity, end;
  };
  const SliderCrank mechanism;
  const Model model = mechanism.model();
  for (const LoopStabilization how :
       {LoopStabilization::projection, LoopStabilization::baumgarte}) {
    for (const Flight& flight : {Flight{2.0, 0.0, 8.33359428}, Flight{8.0, kGravity, 33.9466851}}) {
      // of order 4 alone, and slowed down by the rates that draw back: coarser
      const bool is_slow =
          GetParam() == IntegrationMethod::rodas && how == LoopStabilization::baumgarte;
      const double tolerance = is_slow ? 1e-6 : 1e-10;
      IntegratorOptions options = adaptive(GetParam(), tolerance);
      options.constraints = how;
      const SimulationResult result =
          simulate(setup_of(model, options, mechanism.gravity(flight.gravity)),
                   mechanism.state(model, 0.4, flight.rate), 6.0);
      EXPECT_NEAR(result.state.q(0), flight.end, kErrors * tolerance);
      EXPECT_NEAR(result.state.q(1), -2.0 * result.state.q(0), 1e3 * tolerance);
    }
  }
}

/// Stages of a coarse implicit step are far off the loops, and nothing is learnt from them.
TEST(SingularPostures, AreNotJudgedByStagesOffTheLoops) {
  const SliderCrank mechanism;
  const Model model = mechanism.model();
  IntegratorOptions options = adaptive(IntegrationMethod::rodas, 1e-4);
  options.constraints = LoopStabilization::baumgarte;
  const SimulationResult result = simulate(setup_of(model, options, mechanism.gravity(kGravity)),
                                           mechanism.state(model, 0.4, 8.0), 6.0);
  EXPECT_NEAR(result.state.q(0), 33.9466851, 0.05);
  EXPECT_NEAR(result.state.q(1), -2.0 * result.state.q(0), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, SingularPaths,
                         ::testing::Values(IntegrationMethod::dop853, IntegrationMethod::dopri5,
                                           IntegrationMethod::rodas,
                                           IntegrationMethod::bulirsch_stoer),
                         [](const auto& test) {
                           return std::string(method_traits(test.param).name);
                         });

/// With weight, tilted, mirrored, and in other units of mass and length.
TEST(SingularPostures, DoNotDependOnUnitsOrAxes) {
  const double theta = 0.4, rate = 8.0;
  const double turned = SliderCrank().motion(kGravity).after(3.0, theta, rate)(0);
  long steps = 0;
  for (const SliderCrank& mechanism : {SliderCrank{}, SliderCrank{1.0, 1.0, 1.0, 1.0, 0.7},
                                       SliderCrank{1.0, 1.0, 1.0, 1.0, 0.0, -1.0},
                                       SliderCrank{1.0, 1e4, 1e4, 1e4}, SliderCrank{100.0}}) {
    const Model model = mechanism.model();
    const SimulationResult result =
        simulate(setup_of(model, adaptive(IntegrationMethod::dop853, 1e-10),
                          mechanism.gravity(kGravity * mechanism.length)),
                 mechanism.state(model, theta, rate), 3.0);
    EXPECT_NEAR(mechanism.sign * (result.state.q(0) - mechanism.tilt), turned, 1e-5);
    if (steps == 0) steps = result.statistics.steps;
    EXPECT_NEAR(static_cast<double>(result.statistics.steps), static_cast<double>(steps),
                0.2 * static_cast<double>(steps));
  }
}

/// A parallelogram falls through the postures in which it lies flat as one rod on a pivot.
TEST(SingularPostures, PassAParallelogram) {
  const FourBar bar;
  const Model model = bar.model();
  // two rods about their ends, one that does not turn
  const OneCoordinate motion{2.0 / 3.0 + 1.0, 0.0, 2.0 * kGravity};
  for (const double tolerance : {1e-6, 1e-9, 1e-11, 1e-12}) {
    State start(model);
    start.q << 0.6, -0.6, 0.6;
    start.qd << 8.0, -8.0, 8.0;
    const SimulationResult result = simulate(
        setup_of(model, adaptive(IntegrationMethod::dop853, tolerance), {0.0, -kGravity, 0.0}),
        start, 3.0);
    EXPECT_NEAR(result.state.q(0), motion.after(3.0, 0.6, 8.0)(0), kErrors * tolerance + kRounding);
    EXPECT_NEAR(result.state.q(0), result.state.q(2), 1e-8);
  }
}

/// A plate on six legs, all in one plane and around it: no way leads out of the plane, although
/// each leg resists it in second order only.
Model flat_platform() {
  ModelDescription robot;
  robot.name = "flat_platform";
  robot.base = base_body(5.0, {1.0, 2.0, 3.0});
  robot.base.fixed = true;
  robot.links = {
      link_body("plate", "base", 3.0, {0.5, 0.5, 1.0}, Vector3::Zero(), Vector3::Zero())};
  robot.links[0].joint.type = JointType::free;
  const auto at_angle = [](double radius, double angle) {
    return Vector3(radius * std::cos(angle), radius * std::sin(angle), 0.0);
  };
  for (int leg = 0; leg < 6; ++leg) {
    const double corner = 2.1 * (leg / 2), side = leg % 2 == 0 ? 1.0 : -1.0;
    const Vector3 foot = at_angle(2.0, corner + 1.0 - 0.9 * side);
    const Vector3 head = at_angle(1.0, corner + 1.05 - 0.05 * side);
    const std::string name = std::to_string(leg);
    robot.frames.push_back(point_on("foot_" + name, "base", foot));
    robot.frames.push_back(point_on("head_" + name, "plate", head));
    robot.loops.push_back(
        loop_between("leg_" + name, LoopType::distance, "foot_" + name, "head_" + name));
    robot.loops.back().length = (head - foot).norm();
  }
  return ModelBuilder(robot).build();
}

TEST_P(SingularPaths, HoldAFlatPlatform) {
  const Model model = flat_platform();
  for (const double tolerance : {1e-4, 1e-9, 1e-11, 1e-13}) {
    for (const Vector3& gravity : {Vector3(0.0, 0.0, -kGravity), Vector3(2.0, -1.0, kGravity)}) {
      const SimulationResult result =
          simulate(setup_of(model, adaptive(GetParam(), tolerance), gravity), State(model), 1.0);
      EXPECT_LT(result.state.q.norm(), 1e-12) << "at tolerance " << tolerance;
      EXPECT_LT(result.state.qd.norm(), 1e-12) << "at tolerance " << tolerance;
    }
  }
}

/// A velocity out of the plane that no leg allows in second order belongs to no path.
TEST(SingularPostures, StopWhereTheVelocityBelongsToNoPath) {
  const Model model = flat_platform();
  State start(model);
  start.qd(2) = 0.5;
  const std::string message = message_of<NumericalError>([&] {
    simulate(setup_of(model, adaptive(IntegrationMethod::dop853, 1e-9), Vector3::Zero()), start,
             1.0);
  });
  EXPECT_NE(message.find("is at a singular posture where paths branch"), std::string::npos)
      << message;
}

/// At rest in the posture where its paths cross, nothing says which of them it takes.
TEST(SingularPostures, StopWherePathsCrossAtRest) {
  const SliderCrank mechanism;
  const Model model = mechanism.model();
  const std::string message = message_of<NumericalError>([&] {
    simulate(setup_of(model, adaptive(IntegrationMethod::dop853, 1e-9), {1.0, -2.0, 0.0}),
             mechanism.state(model, kPi / 2.0, 0.0), 1.0);
  });
  EXPECT_NE(message.find("loop 'pin' is at a singular posture where paths branch"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("t = 0 s"), std::string::npos) << message;
}

}  // namespace
}  // namespace spacedyn::testing::singular_posture_test

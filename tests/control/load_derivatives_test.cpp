// What elements say about derivatives of their loads, against differences of the loads.
#include "load_differences.hpp"
#include "spacedyn/control/base_pd.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/dry_friction.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/forces/joint_brake.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/forces/passive_joints.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/forces/tether.hpp"
#include "spacedyn/forces/wheel_force.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::load_derivatives_test {
namespace {

constexpr int kJoints = 6;

/// A tree with springs, dampers, wires, friction, and an elastic transmission.
Model equipped_robot(RandomModels& random, double backlash) {
  ModelDescription robot = random.description(TreeShape{kJoints, 3, 0.3, true});
  for (LinkDescription& link : robot.links) {
    link.joint.stiffness = random.number(0.0, 20.0);
    link.joint.damping = random.number(0.0, 2.0);
    link.joint.rest_position = random.number(-1.0, 1.0);
  }
  robot.links[2].joint.type = JointType::screw;
  robot.links[2].joint.pitch = -1.4;
  for (const std::size_t i : {1U, 4U}) {
    robot.links[i].joint.friction = {2.0, 3.0, 0.5, 0.05};
  }
  JointCouplingDescription wires;
  wires.name = "wires";
  wires.joints = {"link_2", "link_5"};
  wires.stiffness = (MatrixX(2, 2) << 30.0, -10.0, -10.0, 20.0).finished();
  wires.damping = 0.1 * wires.stiffness;
  robot.couplings.push_back(wires);
  TransmissionDescription drive;
  drive.name = "drive";
  drive.motor = "link_3";
  drive.joint = "link_4";
  drive.gear_ratio = 5.0;
  drive.stiffness = 100.0;
  drive.damping = 3.0;
  drive.backlash = backlash;
  robot.transmissions.push_back(drive);
  return ModelBuilder(robot).build();
}

struct Case {
  const char* name;
  std::function<std::shared_ptr<const Subject>(const Model&)> subject;
  std::function<void(State&)> prepare = [](State&) {};
  double backlash = 0.0;
};

void PrintTo(const Case& item, std::ostream* stream) { *stream << item.name; }

template <typename Element, typename... Arguments>
std::function<std::shared_ptr<const Subject>(const Model&)> force(Arguments... arguments) {
  return [=](const Model&) {
    return std::make_shared<ForceSubject>(std::make_shared<Element>(arguments...));
  };
}

std::function<std::shared_ptr<const Subject>(const Model&)> wrench(WrenchAxes axes) {
  return [axes](const Model& model) {
    const MatrixX rows = (MatrixX(6, 2) << 1, 2, -2, 1, 3, 0, 0.5, 1, -1, 2, 1, 4).finished();
    return std::make_shared<ForceSubject>(std::make_shared<AppliedWrench>(
        "push", model.frame("hand"), axes, TimeTable({0.0, 1.0}, rows)));
  };
}

/// Frames off the centroids of two bodies, axes askew.
std::pair<Frame, Frame> pair_of(const Model& model, int first, int second) {
  Frame from = material_point(model, first, Vector3(0.3, -0.2, 0.5));
  Frame to = material_point(model, second, Vector3(-0.4, 0.1, 0.2));
  from.rotation = exp_so3(Vector3(0.5, 1.0, -0.3));
  to.rotation = exp_so3(Vector3(-0.2, 0.4, 0.9));
  return {from, to};
}

std::function<std::shared_ptr<const Subject>(const Model&)> bushing(int first, int second) {
  return [=](const Model& model) {
    const auto [from, to] = pair_of(model, first, second);
    Bushing::Settings settings{from, to, Vector6::Zero(), Vector6::Zero()};
    settings.stiffness << 30.0, 5.0, 12.0, 20.0, 2.0, 9.0;
    settings.damping << 3.0, 1.0, 2.0, 0.5, 4.0, 0.2;
    return std::make_shared<ForceSubject>(std::make_shared<Bushing>("cut", settings));
  };
}

std::function<std::shared_ptr<const Subject>(const Model&)> line(int first, int second) {
  return [=](const Model& model) {
    const auto [from, to] = pair_of(model, first, second);
    return std::make_shared<ForceSubject>(
        std::make_shared<SpringDamper>("line", SpringDamper::Settings{from, to, 30.0, 4.0, 0.8}));
  };
}

std::function<std::shared_ptr<const Subject>(const Model&)> joint_pd(
    double effort, double speed, CommandMode mode = CommandMode::continuous,
    double integral = 0.0) {
  return [=](const Model&) {
    JointPd::Settings settings;
    settings.joints = {2, 5};
    settings.stiffness = VectorX::Constant(2, 40.0);
    settings.damping = VectorX::Constant(2, 3.0);
    settings.effort_limit = VectorX::Constant(2, effort);
    settings.velocity_limit = VectorX::Constant(2, speed);
    settings.reference = std::make_shared<QuinticReference>(VectorX::Constant(2, 3.0),
                                                            VectorX::Constant(2, 5.0), 0.0, 1.0);
    if (integral > 0.0) settings.integral = VectorX::Constant(2, integral);
    return std::make_shared<ControllerSubject>(std::make_shared<JointPd>("hold", settings), mode);
  };
}

std::function<std::shared_ptr<const Subject>(const Model&)> base_pd(
    double limit, CommandMode mode = CommandMode::continuous) {
  return [=](const Model&) {
    BasePd::Settings settings;
    settings.position = {20.0, 5.0, limit};
    settings.attitude = {30.0, 4.0, limit};
    settings.motion.position = std::make_shared<QuinticReference>(
        VectorX::Constant(3, 0.0), VectorX::Constant(3, 1.0), 0.0, 1.0);
    settings.motion.angle =
        std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Ones(1), 0.0, 1.0);
    return std::make_shared<ControllerSubject>(std::make_shared<BasePd>("pilot", settings), mode);
  };
}

std::function<void(State&)> joint_at(double q, double qd) {
  return [=](State& state) {
    state.q(2) = q;
    state.qd(2) = qd;
  };
}

/// Twist of the transmission beyond its play of 0.2 rad, q̇ as it was.
std::function<void(State&)> twisted(double delta) {
  return [=](State& state) { state.q(2) = 5.0 * (state.q(3) + delta); };
}

std::vector<Case> all_cases() {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto stop = force<JointStop>("stop", JointStop::Settings{3, -0.5, 0.5, 80.0, 6.0});
  const auto brake = [](double until) {
    JointBrake::Settings settings;
    settings.joint = 3;
    settings.torque = 4.0;
    settings.until = until;
    settings.presliding = 0.05;
    return force<JointBrake>("brake", settings);
  };
  const auto torque =
      force<AppliedJointTorque>("drive", 2, TimeTable({0.0, 1.0}, MatrixX::Random(1, 2)));
  return {
      {"Springs", force<PassiveJoints>()},
      {"TransmissionInItsPlay", force<PassiveJoints>(), twisted(0.05), 0.2},
      {"TransmissionTakingUpItsPlay", force<PassiveJoints>(), twisted(0.101), 0.2},
      {"TransmissionPushing", force<PassiveJoints>(), twisted(0.3), 0.2},
      {"TransmissionPulling", force<PassiveJoints>(), twisted(-0.3), 0.2},
      {"StopAbove", stop, joint_at(0.8, 0.3)},
      {"StopBelow", stop, joint_at(-0.8, -0.3)},
      {"StopThatCannotFollow", stop, joint_at(0.6, -4.0)},
      {"StopInReserve", stop, joint_at(0.1, 2.0)},
      {"Brake", brake(kNone), joint_at(0.1, 0.7)},
      {"BrakeBackwards", brake(kNone), joint_at(0.1, -0.2)},
      {"BrakeLetGo", brake(0.1)},
      {"Friction",
       [](const Model& model) {
         return std::make_shared<ForceSubject>(std::make_shared<DryFriction>(model));
       }},
      {"InertialWrench", wrench(WrenchAxes::inertial)},
      {"BodyWrench", wrench(WrenchAxes::body)},
      {"JointTorque", torque},
      {"Bushing", bushing(2, 6)},
      {"BushingInReverse", bushing(5, 1)},
      {"BushingToTheBase", bushing(0, 4)},
      {"SpringDamper", line(3, 6)},
      {"SpringDamperToTheBase", line(5, 0)},
      {"JointPd", joint_pd(1e3, kNone)},
      {"JointPdAtItsEffort", joint_pd(2.0, kNone)},
      {"JointPdAtItsSpeed", joint_pd(5.0, 8.0),
       [](State& state) { state.qd << 0.1, 0.9, 0.1, 0.1, 0.7, 0.1; }},
      {"JointPdThatHolds", joint_pd(1e3, kNone, CommandMode::held)},
      {"JointPdWithAnIntegral", joint_pd(1e3, kNone, CommandMode::continuous, 7.0)},
      {"JointPdWithAnIntegralThatRests", joint_pd(2.0, kNone, CommandMode::continuous, 7.0)},
      {"BasePd", base_pd(kNone)},
      {"BasePdAtItsLimit", base_pd(3.0)},
      {"BasePdThatHolds", base_pd(kNone, CommandMode::held)},
  };
}

class LoadDerivativesOf : public ::testing::TestWithParam<Case> {};

TEST_P(LoadDerivativesOf, Agree) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    RandomModels random(seed);
    const Model model = equipped_robot(random, GetParam().backlash);
    const std::shared_ptr<const Subject> subject = GetParam().subject(model);
    State state = random.state(model);
    GetParam().prepare(state);
    state.z = random.vector(subject->auxiliaries(), 0.04);
    expect_right_derivatives(model, *subject, state);
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, LoadDerivativesOf, ::testing::ValuesIn(all_cases()),
                         [](const auto& item) { return std::string(item.param.name); });

TEST(LoadDerivatives, OfATautTetherAgree) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    RandomModels random(seed);
    const Model model = equipped_robot(random, 0.0);
    const auto [from, to] = pair_of(model, 3, 6);
    const ForceSubject tether(
        std::make_shared<Tether>("line", Tether::Settings{from, to, {}, 30.0, 0.4, 0.1}));
    State state = random.state(model);
    state.z = VectorX::Ones(1);
    expect_right_derivatives(model, tether, state);
    state.z = -state.z;  // slack
    expect_right_derivatives(model, tether, state);
  }
}

TEST(LoadDerivatives, OfAFunctionAreNotKnown) {
  RandomModels random(4);
  const Model model = equipped_robot(random, 0.0);
  const Snapshot snapshot(model, random.state(model));
  LoadDerivatives derivatives(model, 0);
  const FunctionForce function("law", [](const EvaluationContext&, Loads&) {});
  EXPECT_FALSE(function.differentiate(snapshot.at(0.0), derivatives));
  const FunctionController controller(
      "law", kJoints, [](const EvaluationContext&, VectorRef tau) { tau.setZero(); });
  const VectorX command = VectorX::Zero(kJoints);
  EXPECT_FALSE(
      controller.differentiate(snapshot.at(0.0), command, CommandMode::continuous, derivatives));
  EXPECT_TRUE(stacked(derivatives).isZero(0.0));
}

/// Whatever is shipped, near where it starts: an element added there is an element tested.
class LoadDerivativesIn : public ::testing::TestWithParam<std::string> {};

TEST_P(LoadDerivativesIn, Agree) {
  const Scenario scenario = shipped_scenario(GetParam());
  const Model& model = *scenario.setup.model;
  RandomModels random(7);
  State state = scenario.initial;
  state.q += random.vector(model.joint_count(), 0.02);
  state.qd += random.vector(model.joint_count(), 0.02);
  const auto check = [&](const Subject& subject, const std::string& name) {
    SCOPED_TRACE(name);
    state.z = random.vector(subject.auxiliaries(), 1e-3);
    // elements without derivatives of their own are differentiated numerically
    LoadDerivatives own(model, subject.auxiliaries());
    if (subject.differentiate(Snapshot(model, state).at(kTime), own))
      expect_right_derivatives(model, subject, state);
  };
  check(ForceSubject(std::make_shared<PassiveJoints>()), "passive joints");
  for (const auto& element : scenario.setup.forces) {
    // contacts start within a difference of their kinks: contact_derivatives_test.cpp; soil that
    // stands bends within 1 mm/s, half a difference: wheel_derivatives_test.cpp
    if (std::dynamic_pointer_cast<const ContactForce>(element)) continue;
    if (std::dynamic_pointer_cast<const WheelForce>(element)) continue;
    check(ForceSubject(element), element->name());
  }
  for (const auto& element : scenario.setup.controllers) {
    const CommandMode mode =
        element->sample_period() > 0.0 ? CommandMode::held : CommandMode::continuous;
    check(ControllerSubject(element, mode), element->name());
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, LoadDerivativesIn,
                         ::testing::ValuesIn(shipped_names("scenarios")),
                         [](const auto& item) { return item.param; });

}  // namespace
}  // namespace spacedyn::testing::load_derivatives_test

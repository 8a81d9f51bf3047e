// Spherical and free joints against closed forms, against the floating base, and the order of each
// method on the rotation group.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::spherical_joint_test {
namespace {

BaseDescription bus(bool fixed) {
  BaseDescription base;
  base.name = "bus";
  base.mass = 20.0;
  base.inertia = Vector3(4.0, 5.0, 6.0).asDiagonal();
  base.fixed = fixed;
  return base;
}

LinkDescription body(const char* name, const char* parent, JointType type) {
  LinkDescription link;
  link.name = name;
  link.parent = parent;
  link.mass = 3.0;
  link.center_of_mass = Vector3(0.4, 0.1, -0.2);
  link.inertia = Vector3(0.3, 0.4, 0.5).asDiagonal();
  link.joint.type = type;
  link.joint.origin.position = Vector3(0.5, 0.0, 0.2);
  return link;
}

std::shared_ptr<const Model> robot(bool fixed, std::vector<LinkDescription> links) {
  ModelBuilder builder("robot");
  builder.set_base(bus(fixed));
  for (LinkDescription& link : links) builder.add_link(std::move(link));
  return std::make_shared<const Model>(builder.build());
}

/// Two links on spherical joints that tumble with their base.
struct Tumbling {
  std::shared_ptr<const Model> model = robot(false, {body("upper", "bus", JointType::spherical),
                                                     body("hand", "upper", JointType::spherical)});
  State state{*model};
  Tumbling() {
    state.q << 0.3, -0.5, 1.2, -2.0, 1.5, 0.4;
    state.qd << 1.5, -2.0, 0.7, -1.0, 3.0, 2.5;
    state.omega_0 = Vector3(0.2, -0.3, 0.4);
  }
};

Vector3 hand_position(const Model& model, const State& state) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  return frames.r.back();
}

TEST(SphericalJoint, CarriesATopThatPrecessesSteadily) {
  const Scenario scenario = shipped_scenario("heavy_top");
  const Model& model = *scenario.setup.model;
  // 7 s are 3.3 turns of the axis and 41 turns of the top: its chart moves along many times
  const SimulationResult result = fly(scenario.setup, scenario.initial, 7.0);
  LinkFrames frames(model);
  compute_link_frames(model, result.state, frames);
  const Vector3 axis = frame_orientation(frames, model.frame("top")).col(2);
  const double inclination = kPi / 3.0, turned = 3.0 * 7.0;
  const Vector3 expected(std::sin(inclination) * std::cos(turned),
                         std::sin(inclination) * std::sin(turned), std::cos(inclination));
  EXPECT_LE((axis - expected).norm(), 1e-9);
  EXPECT_NEAR(result.state.qd(2), 36.7, 1e-9);
}

TEST(FreeJoint, LetsABodyFlyAsAFloatingBaseDoes) {
  // on a fixed bus, against the same body as a base of its own
  const auto held = robot(true, {body("probe", "bus", JointType::free)});
  BaseDescription own = bus(false);
  const LinkDescription probe = body("probe", "bus", JointType::free);
  static_cast<BodyDescription&>(own) = probe;
  const auto alone = std::make_shared<const Model>(ModelBuilder("alone").set_base(own).build());

  State start(*alone);
  start.A_0 = exp_so3(Vector3(0.4, -1.0, 0.3));
  start.v_0 = Vector3(0.1, 0.2, -0.3);
  start.omega_0 = Vector3(1.0, -2.0, 0.5);
  State same(*held);
  // from the centroid to the frame origin
  const Vector3 arm = -start.A_0 * probe.center_of_mass;
  same.q << start.r_0 + arm - Vector3(0.5, 0.0, 0.2), log_so3(start.A_0);
  same.qd << start.v_0 + start.omega_0.cross(arm), start.A_0.transpose() * start.omega_0;

  const State expected = fly(tight_setup(alone), start, 12.0).state;
  const State result = fly(tight_setup(held), same, 12.0).state;
  EXPECT_LE((hand_position(*held, result) - expected.r_0).norm(), 1e-9);
  EXPECT_LE((exp_so3(Vector3(result.q.tail<3>())) - expected.A_0).norm(), 1e-9);
  EXPECT_LE((expected.A_0 * result.qd.tail<3>() - expected.omega_0).norm(), 1e-9);
}

TEST(FreeJoint, HoldsNothingOnAFloatingBase) {
  const auto model = robot(false, {body("probe", "bus", JointType::free)});
  State state(*model);
  state.omega_0 = Vector3(0.5, 0.2, -0.1);
  state.qd << 0.1, -0.2, 0.3, 1.0, 0.5, -2.0;
  const Vector3 start = hand_position(*model, state);
  LinkFrames frames(*model);
  LinkVelocities velocities(*model);
  compute_link_frames(*model, state, frames);
  compute_link_velocities(*model, state, frames, velocities);
  const SimulationResult result = fly(tight_setup(model), state, 5.0);
  // both centroids move on straight lines of their own
  EXPECT_LE(result.state.r_0.norm(), 1e-10);
  EXPECT_LE((hand_position(*model, result.state) - start - 5.0 * velocities.v.back()).norm(), 1e-9);
}

TEST(SphericalJoint, KeepsMomentumAndEnergy) {
  const Tumbling tumbling;
  SimulationSetup setup = tight_setup(tumbling.model);
  const SimulationResult result = fly(setup, tumbling.state, 10.0);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);
  EXPECT_LE(result.audit.momentum_drift(), 1e-11);
}

struct MethodOrder {
  IntegrationMethod method;
  double step;
  double order;
  friend std::ostream& operator<<(std::ostream& out, const MethodOrder& each) {
    return out << to_string(each.method);
  }
};

class SphericalJointOrder : public ::testing::TestWithParam<MethodOrder> {};

TEST_P(SphericalJointOrder, IsThatOfTheMethod) {
  const Tumbling tumbling;
  const State reference = fly(tight_setup(tumbling.model), tumbling.state, 2.0).state;
  const auto error = [&](double step) {
    SimulationSetup setup = tight_setup(tumbling.model);
    setup.integrator = IntegratorOptions();
    setup.integrator.method = GetParam().method;
    setup.integrator.step = step;
    const State end = simulate(setup, tumbling.state, 2.0).state;
    return (hand_position(*tumbling.model, end) - hand_position(*tumbling.model, reference)).norm();
  };
  const double coarse = error(GetParam().step), fine = error(0.5 * GetParam().step);
  EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.35) << coarse << ' ' << fine;
}

INSTANTIATE_TEST_SUITE_P(
    Methods, SphericalJointOrder,
    ::testing::Values(MethodOrder{IntegrationMethod::euler, 2e-4, 1.0},
                      MethodOrder{IntegrationMethod::euler_rodrigues, 2e-4, 1.0},
                      MethodOrder{IntegrationMethod::midpoint, 2e-3, 2.0},
                      MethodOrder{IntegrationMethod::newmark, 4e-3, 2.0},
                      MethodOrder{IntegrationMethod::rk4, 1e-2, 4.0},
                      MethodOrder{IntegrationMethod::rk4_quaternion, 1e-2, 4.0}),
    [](const auto& each) { return std::string(to_string(each.param.method)); });

TEST(SphericalJoint, IsTurnedByAdaptiveMethodsWithinTheirTolerance) {
  const Tumbling tumbling;
  const State reference = fly(tight_setup(tumbling.model), tumbling.state, 4.0).state;
  for (const IntegrationMethod method :
       {IntegrationMethod::dopri5, IntegrationMethod::rodas, IntegrationMethod::cash_karp54,
        IntegrationMethod::fehlberg78, IntegrationMethod::bulirsch_stoer}) {
    SimulationSetup setup = tight_setup(tumbling.model);
    setup.integrator = adaptive(method, 1e-9);
    const State end = simulate(setup, tumbling.state, 4.0).state;
    // errors grow along a flight, some tens of the tolerance of a step
    EXPECT_LE(
        (hand_position(*tumbling.model, end) - hand_position(*tumbling.model, reference)).norm(),
        1e-6)
        << to_string(method);
  }
}

TEST(SphericalJoint, IsLockedAsAWhole) {
  const Tumbling tumbling;
  SimulationSetup setup = tight_setup(tumbling.model);
  Event lock;
  lock.name = "lock";
  lock.value = time_event(1.0);
  for (const int joint : {1, 2, 3}) lock.actions.emplace_back(LockAction{joint});
  setup.events.push_back(lock);
  const SimulationResult result = fly(setup, tumbling.state, 3.0);
  EXPECT_TRUE(result.state.qd.head<3>().isZero(0.0));
  EXPECT_FALSE(result.state.qd.tail<3>().isZero(0.1));
  EXPECT_LE(result.audit.momentum_drift(), 1e-11);
  EXPECT_LE(result.audit.energy_residual(), 1e-11);

  setup.events[0].actions.pop_back();
  EXPECT_EQ(message_of<DomainError>([&] { fly(setup, tumbling.state, 3.0); }),
            "event 'lock' must have all three coordinates of the spherical joint that begins with "
            "'upper_x', or none");
}

TEST(SphericalJoint, IsRefusedWhereAPositionIsNeeded) {
  const Tumbling tumbling;
  SimulationSetup setup = tight_setup(tumbling.model);
  JointStop::Settings stop;
  stop.joint = 2;
  stop.stiffness = 1.0;
  stop.upper = 1.0;
  setup.forces.push_back(std::make_shared<JointStop>("end", stop));
  EXPECT_EQ(message_of<DomainError>([&] { fly(setup, tumbling.state, 1.0); }),
            "'end' acts on the position of 'upper_y', which belongs to a spherical joint and has "
            "none of its own");
  setup.forces.clear();
  setup.integrator.method = IntegrationMethod::variational;
  setup.integrator.step = 0.01;
  setup.integrator.max_step = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of<DomainError>([&] { fly(setup, tumbling.state, 1.0); }),
            "variational cannot turn spherical joints; 'upper_x' needs another method");
}

TEST(SphericalJoint, IsDrivenByMomentsInTheAxesOfItsLink) {
  // a symmetric link on its centroid: I dω/dt = τ
  LinkDescription ball = body("ball", "bus", JointType::spherical);
  ball.center_of_mass.setZero();
  ball.inertia = 0.5 * Matrix3::Identity();
  const auto model = robot(true, {ball});
  SimulationSetup setup = tight_setup(model);
  for (int axis = 0; axis < 3; ++axis) {
    setup.forces.push_back(std::make_shared<AppliedJointTorque>(
        "torque_" + std::to_string(axis), axis + 1,
        TimeTable::constant(VectorX::Constant(1, axis + 1.0))));
  }
  const SimulationResult result = fly(setup, State(*model), 2.0);
  EXPECT_LE((result.state.qd - 2.0 / 0.5 * Vector3(1.0, 2.0, 3.0)).norm(), 1e-10);
  const Vector3 turned = 0.5 * 4.0 / 0.5 * Vector3(1.0, 2.0, 3.0);  // about one axis
  EXPECT_LE((exp_so3(Vector3(result.state.q)) - exp_so3(turned)).norm(), 1e-9);
}

}  // namespace
}  // namespace spacedyn::testing::spherical_joint_test

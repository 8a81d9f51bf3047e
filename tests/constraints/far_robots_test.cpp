// Robots far from the origin and from one another: dynamics does not depend on where they are, and
// flights differ by the rounding of places alone.
#include <gtest/gtest.h>

#include "constraints/docked_pair.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/recursive_newton_euler.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::far_robots_test {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Two random robots with slides, turns and branches, each at a place of its own.
class FarRobots : public ::testing::TestWithParam<double> {
 protected:
  FarRobots() {
    RandomModels random(20261125);
    TreeShape shape;
    shape.prismatic_fraction = 0.2;
    shape.links = 5;
    const auto a = std::make_shared<const Model>(random.model(shape));
    shape.links = 4;
    const auto b = std::make_shared<const Model>(random.model(shape));
    model_ = std::make_shared<const Model>(
        ModelBuilder(aggregate("all", {{"a", a, true, {}}, {"b", b, true, {}}})).build());
    near_ = State(*model_);
    set_robot_state(*model_, model_->robots()[0], random.state(*a), near_);
    set_robot_state(*model_, model_->robots()[1], random.state(*b), near_);
    loads_ = random.loads(*model_);
    far_ = moved(near_, GetParam());
  }

  /// Each robot at some distance, in a direction and with a velocity of its own.
  State moved(State state, double distance) const {
    const Vector3 way[] = {{0.6, -0.8, 0.1}, {-0.3, 0.2, 0.9}};
    for (std::size_t i = 0; i < 2; ++i) {
      BaseMotion motion = base_motion(*model_, model_->robots()[i], state);
      motion.r_0 += distance * way[i];
      motion.v_0 += 1e-3 * distance * Vector3(way[i].z(), way[i].x(), way[i].y());
      set_base_motion(*model_, model_->robots()[i], motion, state);
    }
    return state;
  }

  /// Rows and columns of coordinates, which alone are free.
  MatrixX of_joints(const MatrixX& all) const {
    const int n = model_->joint_count();
    return all.bottomRightCorner(std::min<Eigen::Index>(n, all.rows()),
                                 std::min<Eigen::Index>(n, all.cols()));
  }

  SimulationSetup setup(IntegrationMethod method) const {
    SimulationSetup setup;
    setup.base_mode = BaseMode::fixed;
    setup.model = model_;
    setup.integrator = adaptive(method, 1e-9);
    setup.integrator.step = 0.01;
    // the first steps grow by an estimate that is rounding: shorter ones leave nothing of how they
    // grew
    if (is_adaptive(method)) setup.integrator.max_step = 0.01;
    return setup;
  }

  std::shared_ptr<const Model> model_;
  State near_, far_;
  Loads loads_;
};

void expect_near(const MatrixX& actual, const MatrixX& expected, const char* what) {
  EXPECT_LE((actual - expected).norm(), 1e-13 * expected.norm()) << what;
}

TEST_P(FarRobots, HaveTheDynamicsTheyHaveNearby) {
  const Mobility mobility(*model_);
  TreeWorkspace workspace(*model_, mobility);
  VectorX near = VectorX::Zero(model_->velocity_size()), far = near, rest = near;
  ASSERT_EQ(forward_dynamics(near_, loads_, workspace, near, rest), DynamicsStatus::ok);
  ASSERT_EQ(forward_dynamics(far_, loads_, workspace, far, rest), DynamicsStatus::ok);
  expect_near(of_joints(far), of_joints(near), "accelerations");
  VectorX near_forces = rest, far_forces = rest;
  inverse_dynamics(near_, near, loads_, workspace, near_forces);
  inverse_dynamics(far_, far, loads_, workspace, far_forces);
  expect_near(of_joints(far_forces), of_joints(near_forces), "forces");
  const Eigen::Index size = model_->velocity_size();
  MatrixX near_H(size, size), far_H(size, size);
  composite_rigid_body(near_, workspace, near_H);
  composite_rigid_body(far_, workspace, far_H);
  expect_near(of_joints(far_H), of_joints(near_H), "inertia");
}

TEST_P(FarRobots, HaveTheDerivativesTheyHaveNearby) {
  const auto near = forward_dynamics_derivatives(*model_, near_, loads_);
  const auto far = forward_dynamics_derivatives(*model_, far_, loads_);
  expect_near(of_joints(far.configuration), of_joints(near.configuration), "configuration");
  expect_near(of_joints(far.velocity), of_joints(near.velocity), "velocity");
  expect_near(of_joints(far.force), of_joints(near.force), "force");
  const auto near_inverse = inverse_dynamics_derivatives(*model_, near_, near.acceleration, loads_);
  const auto far_inverse = inverse_dynamics_derivatives(*model_, far_, near.acceleration, loads_);
  expect_near(of_joints(far_inverse.configuration), of_joints(near_inverse.configuration),
              "inverse configuration");
  expect_near(of_joints(far_inverse.velocity), of_joints(near_inverse.velocity),
              "inverse velocity");
}

// up to seven million kilometres; at those of a geostationary orbit flights were refused
TEST_P(FarRobots, AreRegular) {
  EXPECT_EQ(find_singularity(*model_, moved(near_, 1e3 * GetParam()), false), std::nullopt);
}

// the root's rows against the recursion without kernels, to rounding of the largest moment
TEST_P(FarRobots, LoadTheRootAsTheRecursionSays) {
  const Mobility mobility(*model_);
  TreeWorkspace workspace(*model_, mobility);
  RandomModels random(3);
  const VectorX acceleration = random.vector(model_->velocity_size());
  VectorX kernel(model_->velocity_size()), expected = kernel;
  inverse_dynamics(far_, acceleration, loads_, workspace, kernel);
  SpatialMotion motion(*model_);
  recursive_newton_euler(*model_, link_inertias(*model_), far_, acceleration, loads_, motion,
                         expected);
  EXPECT_LE((kernel - expected).head<6>().norm(), 1e-12 * expected.head<6>().norm());
}

TEST_P(FarRobots, FlyAsNearbyByEachMethod) {
  for (const IntegrationMethod method : all_integration_methods()) {
    // the free joint of a robot turns as a spherical one, which this method cannot turn
    if (method == IntegrationMethod::variational) continue;
    const SimulationResult near = simulate(setup(method), near_, 0.5);
    const SimulationResult far = simulate(setup(method), far_, 0.5);
    for (std::size_t i = 0; i < 2; ++i) {
      const State expected = robot_state(*model_, model_->robots()[i], near.state);
      const State actual = robot_state(*model_, model_->robots()[i], far.state);
      // rates of 1/s magnify what rounding leaves of positions by some ten, an ulp of 1,000 km;
      // at 1 km nothing is left of that
      const double tolerance = GetParam() <= 1e3 ? 1e-13 : 1e-12;
      EXPECT_LE((actual.q - expected.q).norm(), tolerance) << static_cast<int>(method);
      EXPECT_LE((actual.qd - expected.qd).norm(), tolerance) << static_cast<int>(method);
      EXPECT_LE((actual.A_0 - expected.A_0).norm(), tolerance) << static_cast<int>(method);
      EXPECT_LE((actual.omega_0 - expected.omega_0).norm(), tolerance) << static_cast<int>(method);
    }
    EXPECT_EQ(far.statistics.steps, near.statistics.steps) << static_cast<int>(method);
  }
}

INSTANTIATE_TEST_SUITE_P(Distances, FarRobots, ::testing::Values(1e3, 1e4, 1e6, 7e6),
                         [](const auto& distance) {
                           return "km_" + std::to_string(static_cast<int>(distance.param / 1e3));
                         });

/// How the second robot is and moves against the first, in the axes of the first.
struct Relative {
  Vector3 place, velocity, omega;
  Matrix3 axes;

  Relative(const Model& model, const State& state) {
    const BaseMotion a = base_motion(model, model.robots()[0], state);
    const BaseMotion b = base_motion(model, model.robots()[1], state);
    place = a.A_0.transpose() * (b.r_0 - a.r_0);
    velocity = a.A_0.transpose() * (b.v_0 - a.v_0);
    omega = a.A_0.transpose() * b.omega_0;
    axes = a.A_0.transpose() * b.A_0;
  }
};

/// All bases moved by a vector and a velocity.
void move_all(const Model& model, const Vector3& way, const Vector3& velocity, State& state) {
  for (const Robot& robot : model.robots()) {
    BaseMotion motion = base_motion(model, robot, state);
    motion.r_0 += way;
    motion.v_0 += velocity;
    set_base_motion(model, robot, motion, state);
  }
}

TEST(FarPair, DockedSpinsAsNearby) {
  const DockedPair near(1e-10);
  const Relative expected(*near.setup.model, near.turn(2.0).state);
  for (const double distance : {1e3, 1e4, 1e6, 7e6}) {
    DockedPair far(1e-10);
    move_all(*far.setup.model, distance * Vector3(0.6, 0.8, 0.0), Vector3::Zero(), far.start);
    const SimulationResult result = far.turn(2.0);
    const Relative actual(*far.setup.model, result.state);
    // both places are rounded, and steps begin from rounded ones
    const double rounding = 8.0 * kEps * distance + 1e-12;
    EXPECT_LE((actual.place - expected.place).norm(), rounding) << distance;
    EXPECT_LE((actual.axes - expected.axes).norm(), 1e-12) << distance;
    EXPECT_LE((actual.omega - expected.omega).norm(), 1e-9 + 100.0 * kEps * distance) << distance;
    EXPECT_LE(result.loops.position_residual, rounding) << distance;
  }
}

// docked, they orbit the earth as one body of their mass and inertia would
TEST(FarPair, DockedFliesAboutTheEarthAsOneBody) {
  constexpr double kMu = 3.986004418e14;
  DockedPair pair(1e-10, Vector3::Zero());
  move_all(*pair.setup.model, Vector3(7.0e6, 0.0, 0.0), Vector3(0.0, 7546.05, 0.0), pair.start);
  const auto earth = [] {
    return std::make_shared<CentralBodies>(
        "earth", std::vector<CentralBody>{{"earth", kMu, Vector3::Zero()}});
  };
  pair.setup.forces = {earth()};
  const double duration = 600.0;
  const SimulationResult result = simulate(pair.setup, pair.start, duration);
  const Model& model = *pair.setup.model;

  SimulationSetup one;
  // about the common centroid, at 0.75 m from the first
  const double first = 0.75, second = 1.2 - first;
  const double across = 30.0 * first * first + 50.0 * second * second;
  one.model = std::make_shared<const Model>(single_body(80.0, {7.0, 9.0 + across, 11.0 + across}));
  one.integrator = pair.setup.integrator;
  one.forces = {earth()};
  State start(*one.model);
  const BaseMotion a = base_motion(model, model.robots()[0], pair.start);
  start.r_0 = a.r_0 + Vector3(first, 0.0, 0.0);
  start.omega_0 = a.omega_0;
  start.v_0 = a.v_0 + a.omega_0.cross(Vector3(first, 0.0, 0.0));
  const State expected = simulate(one, start, duration).state;
  const BaseMotion end = base_motion(model, model.robots()[0], result.state);
  const Vector3 centroid = end.r_0 + end.A_0 * Vector3(first, 0.0, 0.0);
  // one body's gravity is to second order in its size, that of two in theirs: (1 m/7000 km)³
  EXPECT_LE((centroid - expected.r_0).norm(), 1e-5);
  // each step closes the dock to the rounding of places, 1.6e-9 m on arms of half a metre, which a
  // random walk of some 3,000 steps and 900 rad make 1e-4 rad
  EXPECT_LE((end.A_0 - expected.A_0).norm(), 3e-4);
  EXPECT_LE((Relative(model, result.state).place - Vector3(1.2, 0.0, 0.0)).norm(), 1e-8);
  EXPECT_LE(result.loops.position_residual, 8.0 * kEps * 7e6);
}

// two bodies on a spring: the relative motion is that of a reduced mass
TEST(FarPair, OnASpringSwingsAsAReducedMass) {
  const auto body = std::make_shared<const Model>(single_body(2.0, {1.0, 1.0, 1.0}));
  const auto model = std::make_shared<const Model>(
      ModelBuilder(aggregate("pair", {{"a", body, true, {}}, {"b", body, true, {}}})).build());
  SimulationSetup setup;
  setup.model = model;
  setup.base_mode = BaseMode::fixed;
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  SpringDamper::Settings spring;
  spring.from = model->frame("a.base");
  spring.to = model->frame("b.base");
  spring.stiffness = 4.0;
  spring.rest_length = 1.0;
  setup.forces = {std::make_shared<SpringDamper>("spring", spring)};
  for (const double distance : {0.0, 1e3, 1e4, 1e6, 7e6}) {
    State start(*model);
    BaseMotion motion;
    motion.r_0 = Vector3(0.0, 1.5, 0.0);
    set_base_motion(*model, model->robots()[1], motion, start);
    move_all(*model, distance * Vector3(0.6, 0.0, 0.8), Vector3::Zero(), start);
    const double duration = 3.0, omega = 2.0;  // √(k/(m/2))
    const SimulationResult result = simulate(setup, start, duration);
    const Relative end(*model, result.state);
    EXPECT_NEAR(end.place.y(), 1.0 + 0.5 * std::cos(omega * duration), 1e-8 + 8.0 * kEps * distance)
        << distance;
  }
}

// a free joint carries nothing: bus and target fly as two robots do, wherever the target is
TEST(FarPair, AFreeJointInsideARobotCarriesNothing) {
  const auto single = [](double mass, const Vector3& inertia) {
    return std::make_shared<const Model>(single_body(mass, inertia));
  };
  ModelBuilder builder("bus_and_target");
  builder.set_base(base_body(100.0, {10.0, 12.0, 14.0}));
  LinkDescription target;
  target.name = "target";
  target.parent = "base";
  target.joint.type = JointType::free;
  target.mass = 50.0;
  target.inertia = Vector3(5.0, 6.0, 7.0).asDiagonal();
  builder.add_link(target);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(builder.build());
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  SimulationSetup alone = setup;
  alone.model = single(100.0, {10.0, 12.0, 14.0});
  State own(*alone.model);
  own.omega_0 = Vector3(0.1, 0.0, 1.0);
  const SimulationResult expected = simulate(alone, own, 10.0);
  long steps = 0;
  for (const double distance : {10.0, 1e3, 1e4}) {
    State start(*setup.model);
    start.omega_0 = own.omega_0;
    start.q.head<3>() = Vector3(0.0, distance, 0.0);
    // at rest against the stars, as seen from a base that turns
    start.qd.head<3>() = -own.omega_0.cross(start.q.head<3>());
    start.qd.segment<3>(3) = Vector3(0.0, 0.1, 0.4) - own.omega_0;
    const SimulationResult result = simulate(setup, start, 10.0);
    EXPECT_LE((result.state.A_0 - expected.state.A_0).norm(), 1e-8) << distance;
    EXPECT_LE((result.state.omega_0 - expected.state.omega_0).norm(), 1e-8) << distance;
    if (steps == 0) steps = result.statistics.steps;
    // where places beside zero change fast the first steps are short
    EXPECT_LE(result.statistics.steps, steps + steps / 3) << distance;
  }
}

/// A crank–rocker that stands somewhere, tilted, beside a body that flies; it swings from rest
/// until something happens to it.
SimulationResult struck_crank_rocker(const EventAction& action, double distance) {
  const FourBar bar{1.0, 0.35, 0.9, 0.7};
  const auto mechanism = std::make_shared<const Model>(bar.model());
  const auto body = std::make_shared<const Model>(single_body(2.0, {1.0, 1.0, 1.0}));
  const Pose place{distance * Vector3(0.6, -0.8, 0.1), exp_so3({0.3, -0.5, 0.2})};
  const std::vector<RobotPart> parts{{"a", body, true, {}}, {"b", mechanism, false, place}};
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(aggregate("pair", parts)).build());
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {1.0, -9.81, 2.0};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-10);
  setup.events = {{"blow", time_event(0.4), CrossingDirection::rising, {action}}};
  State start(*setup.model);
  start.q.tail<3>() = bar.angles(1.0);
  return simulate(setup, start, 0.6);
}

// impulses through loops: a brake takes all energy of a mechanism, an elastic blow none of it
TEST(FarLoop, IsStruckAsNearby) {
  constexpr int kCrank = 7, kRocker = 9;  // after the free joint of the body
  const SimulationResult near = struck_crank_rocker(BounceAction{kCrank, 1.0}, 0.0);
  for (const double distance : {0.0, 1e3, 1e4}) {
    SCOPED_TRACE(distance);
    const SimulationResult held = struck_crank_rocker(LockAction{kRocker}, distance);
    EXPECT_LE(held.state.qd.tail<3>().norm(), 1e-11);
    EXPECT_LE(held.audit.energy_residual(), 1e-8);
    EXPECT_LE(held.audit.momentum_drift(), 1e-8);
    // before the fall of the body, and the heights of both, of which digits are lost
    const SimulationResult thrown = struck_crank_rocker(BounceAction{kCrank, 1.0}, distance);
    EXPECT_NEAR(thrown.final_energy.total(), thrown.initial_energy.total(),
                1e-8 + 64.0 * kEps * std::abs(thrown.initial_energy.total()));
    EXPECT_LE((thrown.state.q.tail<3>() - near.state.q.tail<3>()).norm(), 1e-8);
  }
}

}  // namespace
}  // namespace spacedyn::testing::far_robots_test

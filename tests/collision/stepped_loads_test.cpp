// Loads, sensors and work of systems in rigid contact by fixed steps: against statics, whatever the
// step, and against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/control/prescribed_motion.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/rigid_heaps.hpp"

namespace spacedyn::testing::stepped_loads_test {
namespace {

constexpr double kG = 9.81;
constexpr double kSteps[] = {2.5e-4, 1e-3, 4e-3};

/// Keeps the last output.
class Last final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    forces = point.forces;
    acceleration = point.acceleration;
    sources = point.sources;
    readings.clear();
    for (const auto& sensor : point.discrete.sensors) readings.push_back(sensor.reading);
    contacts = point.rigid_contacts;
    state = point.state;
  }
  VectorX forces, acceleration;
  std::vector<SourceEnergy> sources;
  std::vector<VectorX> readings;
  std::vector<ContactReading> contacts;
  State state;
};

SimulationSetup stepped(SimulationSetup setup, double step) {
  setup.integrator = fixed_step(IntegrationMethod::time_stepping, step);
  setup.integrator.contact_tolerance = 1e-11;
  setup.integrator.contact_iterations = 2000;
  return setup;
}

std::shared_ptr<const Controller> hold(const std::vector<int>& joints, double stiffness,
                                       double damping, const VectorX& position) {
  JointPd::Settings pd;
  pd.joints = joints;
  const auto count = static_cast<Eigen::Index>(joints.size());
  pd.stiffness = VectorX::Constant(count, stiffness);
  pd.damping = VectorX::Constant(count, damping);
  pd.reference = std::make_shared<ConstantReference>(position);
  return std::make_shared<JointPd>("pd", pd);
}

LinkDescription slide(const std::string& name, const std::string& parent, double mass,
                      const Vector3& axis, const Vector3& origin) {
  LinkDescription link =
      link_body(name, parent, mass, Vector3::Constant(1e-3 * mass), origin, Vector3::Zero());
  link.joint.type = JointType::prismatic;
  link.joint.axis = axis;
  return link;
}

/// A body on a leg that slides down, with a pad that is on the ground where the body is at 0.51 m.
ModelBuilder leg(double mass) {
  LinkDescription foot = slide("foot", "base", 0.01 * mass, -Vector3::UnitZ(), {0, 0, -0.5});
  foot.collisions.push_back(shape_of(CollisionType::box, "pad", {0.4, 0.4, 0.02}));
  return ModelBuilder("leg")
      .set_base(base_body(mass, Vector3::Constant(0.1 * mass)))
      .add_link(foot);
}

TEST(SteppedLoads, ALegSagsByItsWeightWhateverTheStep) {
  // mass and force may be of any size; a world that is turned is the same world
  for (const double size : {1.0, 1e3}) {
    for (const Vector3& turn : {Vector3(0, 0, 0), Vector3(0.4, -1.1, 2.0)}) {
      const Matrix3 A = exp_so3(turn);
      const Model model = leg(10.0 * size).build();
      RigidContact::Settings law = on_rigid_ground(model, rigid_law(0.0, 0.5));
      law.terrain = std::make_shared<PlaneTerrain>(A * Vector3::UnitZ(), 0.0);
      SimulationSetup setup = rigid_setup(model, law, A * Vector3(0, 0, -kG));
      setup.controllers = {hold({1}, 1000.0 * size, 200.0 * size, VectorX::Zero(1))};
      State state(model);
      state.r_0 = A * Vector3(0, 0, 0.51);
      state.A_0 = A;
      for (const double h : kSteps) {
        Last last;
        const SimulationResult end = Simulator(stepped(setup, h)).run(state, 3.0, 3.0, last);
        const double sag = 10.0 * kG / 1000.0;
        // e^(−10 · 3 s) of the sag is left
        EXPECT_NEAR(end.state.q(0), -sag, 1e-9) << h;
        EXPECT_NEAR((A.transpose() * end.state.r_0).z(), 0.51 - sag, 1e-9) << h;
        EXPECT_NEAR(last.contacts[0].normal_force, 10.1 * kG * size, 1e-6 * size) << h;
        EXPECT_NEAR(last.sources[1].work, -10.0 * kG * sag * size, 1e-6 * size) << h;
        EXPECT_LE(end.audit.energy_residual(), 1e-9) << h;
      }
    }
  }
}

TEST(SteppedLoads, ASprungLegDeflectsByItsWeight) {
  ModelBuilder builder = leg(10.0);
  ModelDescription description = builder.description();
  description.links[0].joint.stiffness = 2000.0;
  description.links[0].joint.damping = 400.0;
  const Model model = ModelBuilder(description).build();
  SimulationSetup setup =
      rigid_setup(model, on_rigid_ground(model, rigid_law(0.0, 0.5)), {0, 0, -kG});
  State state(model);
  state.r_0 = {0, 0, 0.51};
  for (const double h : kSteps) {
    const SimulationResult end = simulate(stepped(setup, h), state, 4.0);
    EXPECT_NEAR(end.state.q(0), -10.0 * kG / 2000.0, 1e-9) << h;
    EXPECT_LE(end.audit.energy_residual(), 1e-9) << h;
  }
}

TEST(SteppedLoads, AQuadrupedStandsWhereItStood) {
  ModelBuilder builder("quadruped");
  builder.set_base(base_body(15.0, {0.1, 0.4, 0.45}));
  for (int i = 0; i < 4; ++i) {
    const std::string name = "leg_" + std::to_string(i);
    const Vector3 hip(i < 2 ? 0.3 : -0.3, i % 2 == 0 ? 0.15 : -0.15, 0);
    LinkDescription thigh =
        link_body(name, "base", 1.0, {0.006, 0.006, 0.0005}, hip, {0, 0, -0.125});
    LinkDescription shank = link_body(name + "_shank", name, 0.3, {0.002, 0.002, 0.0002},
                                      {0, 0, -0.25}, {0, 0, -0.125});
    thigh.joint.axis = shank.joint.axis = Vector3::UnitY();
    shank.collisions.push_back(sphere_shape(name + "_foot", 0.03, {0, 0, -0.25}));
    builder.add_link(thigh).add_link(shank);
  }
  const Model model = builder.build();
  SimulationSetup setup =
      rigid_setup(model, on_rigid_ground(model, rigid_law(0.0, 0.8)), {0, 0, -kG});
  State state(model);
  state.r_0 = {0, 0, 0.03 + 0.5 * std::cos(0.6)};
  for (int i = 0; i < 8; ++i) state.q(i) = i % 2 == 0 ? 0.6 : -1.2;
  setup.controllers = {hold({1, 2, 3, 4, 5, 6, 7, 8}, 400.0, 8.0, state.q)};
  for (const double h : kSteps) {
    Last last;
    const SimulationResult end = Simulator(stepped(setup, h)).run(state, 2.0, 2.0, last);
    EXPECT_LE(std::abs(end.state.r_0.x()), 0.01) << h;
    EXPECT_LE(std::abs(end.state.r_0.y()), 1e-6) << h;
    EXPECT_LE(end.state.v_0.norm() + end.state.omega_0.norm(), 1e-3) << h;
    EXPECT_NEAR(last.contacts[0].normal_force, 20.2 * kG, 0.05) << h;
    // how it sinks into its knees is followed to h²
    EXPECT_LE(end.audit.energy_residual(), 1e3 * h * h) << h;
  }
}

TEST(SteppedLoads, AForceAgainstAWallPressesAndWorksAsFarAsItMoves) {
  BaseDescription base = base_body(1.0, Vector3::Ones());
  CollisionShape wall = shape_of(CollisionType::box, "wall", {0.1, 1, 1});
  wall.origin.position = {0.25, 0, 0};
  base.collisions.push_back(wall);
  LinkDescription carrier = slide("a", "base", 1.0, Vector3::UnitX(), Vector3::Zero());
  LinkDescription ball = slide("k", "a", 0.5, Vector3::UnitX(), Vector3::Zero());
  ball.collisions.push_back(sphere_shape("ball", 0.1));
  const Model model = ModelBuilder("push").set_base(base).add_link(carrier).add_link(ball).build();
  RigidContact::Settings law = rigid_law(0.0);
  const std::vector<BodyShape> shapes = collision_shapes(model);
  law.pairs = {{shapes[0], shapes[1], false}};
  SimulationSetup setup = rigid_setup(model, law);
  setup.base_mode = BaseMode::fixed;
  setup.locked_joints = {2};
  for (const bool by_pd : {false, true}) {
    setup.controllers.clear();
    setup.forces.resize(1);
    if (by_pd) {
      setup.controllers = {hold({1}, 100.0, 20.0, VectorX::Constant(1, 0.3))};
    } else {
      setup.forces.push_back(std::make_shared<AppliedJointTorque>(
          "push", 1, TimeTable::constant(VectorX::Constant(1, 20.0))));
    }
    for (const double h : kSteps) {
      Last last;
      const SimulationResult end = Simulator(stepped(setup, h)).run(State(model), 5.0, 5.0, last);
      EXPECT_NEAR(end.state.q(0), 0.1, 2e-9) << h;
      EXPECT_NEAR(last.contacts[0].normal_force, 20.0, 1e-6) << h;
      // the lock carries the ball against the wall; what holds the base feels neither
      EXPECT_NEAR(last.forces(7), 20.0, 1e-6) << h;
      EXPECT_NEAR(last.forces(0), 0.0, 1e-6) << h;
      EXPECT_NEAR(last.acceleration.norm(), 0.0, 1e-6) << h;
      // nothing moves at the end: the impact has taken all
      EXPECT_NEAR(last.sources[1].work, by_pd ? end.contacts[0].energy_lost : 2.0, 1e-7) << h;
      EXPECT_LE(end.audit.energy_residual(), 1e-7) << h;
    }
  }
}

TEST(SteppedLoads, SensorsOfABodyAtRestFeelItsWeightFromTheStart) {
  BaseDescription base = base_body(2.0, Vector3::Constant(0.1));
  base.collisions.push_back(shape_of(CollisionType::box, "box", {0.2, 0.2, 0.2}));
  LinkDescription link =
      link_body("l", "base", 1.0, Vector3::Constant(0.01), {0, 0, 0.1}, {0.05, 0, 0});
  link.joint.axis = Vector3::UnitY();
  const Model model = ModelBuilder("scale").set_base(base).add_link(link).build();
  SimulationSetup setup =
      rigid_setup(model, on_rigid_ground(model, rigid_law(0.0, 0.5)), {0, 0, -kG});
  setup.locked_joints = {1};
  Sensor sensor;
  sensor.at = model.frame("l");
  sensor.sample_period = 0.1;
  for (const SensorType type : {SensorType::force_torque, SensorType::accelerometer}) {
    sensor.type = type;
    sensor.name = std::string(to_string(type));
    setup.sensors.push_back(sensor);
  }
  State state(model);
  state.r_0 = {0, 0, 0.1};
  VectorX wrench(6);
  wrench << 0, 0, kG, 0, -0.05 * kG, 0;
  for (const double h : kSteps) {
    for (const double time : {0.0, 1.0}) {
      Last last;
      // an output at the start is all that a run of a step has before its end
      class First final : public SimulationObserver {
       public:
        explicit First(Last& last) : last_(last) {}
        void on_output(const SimulationPoint& point) override {
          if (point.time == 0.0) last_.on_output(point);
        }

       private:
        Last& last_;
      } first(last);
      SimulationObserver& observer = time > 0.0 ? static_cast<SimulationObserver&>(last) : first;
      Simulator(stepped(setup, h)).run(state, 1.0, 0.5, observer);
      EXPECT_LE((last.readings[0] - wrench).norm(), 1e-6) << h << " " << time;
      EXPECT_LE((last.readings[1] - Vector3(0, 0, kG)).norm(), 1e-6) << h << " " << time;
      EXPECT_NEAR(last.forces(6), -0.05 * kG, 1e-6) << h << " " << time;
    }
  }
}

/// A ram on a rail pushes a block over the ground: friction, and what accelerates both.
TEST(SteppedLoads, APrescribedRamFeelsTheBlockThatItPushes) {
  LinkDescription pad = slide("ram", "base", 1.0, Vector3::UnitX(), {-0.15, 0, 0.1});
  pad.collisions.push_back(sphere_shape("pad", 0.05));
  const auto ram = std::make_shared<const Model>(
      ModelBuilder("ram").set_base(base_body(1.0, Vector3::Ones())).add_link(pad).build());
  const auto block = std::make_shared<const Model>(body_with(
      shape_of(CollisionType::box, "box", {0.2, 0.2, 0.2}), 3.0, Vector3::Constant(0.02)));
  const auto model = std::make_shared<const Model>(
      ModelBuilder(aggregate("push", {{"ram", ram, false, {}}, {"block", block, true, {}}}))
          .build());
  SimulationSetup setup;
  setup.model = model;
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, 0, -kG};
  const std::vector<BodyShape> shapes = collision_shapes(*model);
  RigidContact::Settings floor = rigid_law(0.0, 0.4), push = rigid_law(0.0);
  floor.pairs = {{shapes[1], {}, true}};
  floor.terrain = level_ground();
  push.pairs = {{shapes[0], shapes[1], false}};
  setup.forces = {std::make_shared<RigidContact>("floor", floor),
                  std::make_shared<RigidContact>("push", push)};
  const int joint = model->robots()[0].first_joint();
  setup.prescribed_joints = {{joint, std::make_shared<QuinticReference>(
                                         VectorX::Zero(1), VectorX::Constant(1, 0.5), 0.0, 4.0)}};
  State state(*model);
  BaseMotion start;
  start.r_0 = {0, 0, 0.1};
  set_base_motion(*model, model->robots()[1], start, state);
  const auto acceleration = [](double t) {
    const double s = t / 4.0;
    return 0.5 / 16.0 * (60.0 * s - 180.0 * s * s + 120.0 * s * s * s);
  };
  for (const double h : kSteps) {
    for (const double time : {0.5, 1.5, 2.5}) {
      Last last;
      const SimulationResult end = Simulator(stepped(setup, h)).run(state, time, time, last);
      // the mean over the last step lags by half of it: jerk 0.47 m/s³ at most
      EXPECT_NEAR(last.forces(joint + 5), 0.4 * 3.0 * kG + 4.0 * acceleration(time), 1.0 * h)
          << h << " " << time;
      EXPECT_LE(end.audit.energy_residual(), 0.1 * h) << h << " " << time;
    }
  }
}

/// Spring, damper, controller and velocities that turn into each other.
SimulationSetup smooth_flight() {
  ModelBuilder builder("arm");
  builder.set_base(base_body(10.0, {1.0, 2.0, 3.0}));
  LinkDescription upper =
      link_body("upper", "base", 2.0, {0.1, 0.2, 0.3}, {0.5, 0, 0.2}, {0.3, 0.1, 0});
  LinkDescription lower =
      link_body("lower", "upper", 1.0, {0.05, 0.1, 0.1}, {0.6, 0, 0}, {0.2, 0, 0.1});
  upper.joint.axis = Vector3::UnitY();
  upper.joint.stiffness = 20.0;
  upper.joint.damping = 0.3;
  builder.add_link(upper).add_link(lower);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(builder.build());
  setup.gravity = {0, 0, -1.0};
  setup.controllers = {hold({2}, 15.0, 0.5, VectorX::Constant(1, 0.4))};
  return setup;
}

TEST(SteppedLoads, AreOfOrderTwoInSmoothFlight) {
  const SimulationSetup setup = smooth_flight();
  State state(*setup.model);
  state.omega_0 = {0.5, -0.3, 0.8};
  state.q << 0.3, -0.5;
  state.qd << 0.2, 1.0;
  SimulationSetup by_events = setup;
  by_events.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  const SimulationResult exact = simulate(by_events, state, 2.0);
  double before = 0.0;
  for (const double h : {0.02, 0.01, 0.005}) {
    const SimulationResult end = simulate(stepped(setup, h), state, 2.0);
    const double error = (end.state.q - exact.state.q).norm() +
                         log_so3(end.state.A_0.transpose() * exact.state.A_0).norm();
    EXPECT_TRUE(before == 0.0 || std::abs(before / error - 4.0) < 0.4) << before / error;
    before = error;
  }
}

TEST(SteppedLoads, StiffSpringsAndDampersBearAnyStep) {
  // a mass on a rail, k/m and c/m of 10⁶ of the step's
  const Model model = ModelBuilder("rail")
                          .set_base(base_body(1.0, Vector3::Ones()))
                          .add_link(slide("mass", "base", 2.0, Vector3::UnitX(), Vector3::Zero()))
                          .build();
  for (const auto& [stiffness, damping] :
       {std::pair(2e12, 0.0), std::pair(0.0, 2e9), std::pair(2e12, 2e9)}) {
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(model);
    setup.base_mode = BaseMode::fixed;
    setup.controllers = {hold({1}, stiffness, damping, VectorX::Zero(1))};
    setup.forces = {std::make_shared<AppliedJointTorque>(
        "push", 1, TimeTable::constant(VectorX::Constant(1, 3.0)))};
    State state(model);
    state.qd(0) = 1.0;
    const SimulationResult end = simulate(stepped(setup, 1e-3), state, 1.0);
    // what is faster than the step rings about where it belongs with at most its first speed
    EXPECT_LE(std::abs(end.state.qd(0)), 1.0 + 1e-9) << stiffness << " " << damping;
    EXPECT_LE(std::abs(end.state.q(0)), 1e-6) << stiffness << " " << damping;
    EXPECT_LE(end.audit.energy_residual(), 1e-6) << stiffness << " " << damping;
  }
}

}  // namespace
}  // namespace spacedyn::testing::stepped_loads_test

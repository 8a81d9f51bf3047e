// The channel of what each force element and controller does.
#include <cmath>

#include "recording/example_point.hpp"
#include "recording/rows.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/spring_damper.hpp"

namespace spacedyn::element_forces_test {
namespace {

using testing::elastic_model;
using testing::ExamplePoint;
using testing::loaded_setup;
using testing::names;
using testing::setup_of;
using testing::values;

constexpr double kEps = std::numeric_limits<double>::epsilon();

TEST(ElementForces, NameEachElementAndWhatItDoes) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  const SimulationSetup setup = loaded_setup(model);
  RowLayout layout(setup, State(model), {Channel::element_forces});
  const std::vector<std::string> found = names(layout);
  ASSERT_EQ(found.size(), 1U + 3 * 8);
  EXPECT_EQ(found[1], "forces_passive_joints_force_x_N");
  EXPECT_EQ(found[9], "forces_push_force_x_N");
  EXPECT_EQ(found[12], "forces_push_moment_x_N_m");
  EXPECT_EQ(found[15], "forces_push_elbow_torque_N_m");
  EXPECT_EQ(found[16], "forces_push_slide_force_N");
  EXPECT_EQ(layout.columns()[16].dataset, "/forces/push/tau");
  EXPECT_EQ(layout.columns()[16].index, 1);

  const VectorX row = values(layout, point.at(0.0));
  Vector3 centroid = Vector3::Zero();
  for (int i = 0; i <= model.joint_count(); ++i) {
    centroid += model.body(i).mass * point.frames.r[static_cast<std::size_t>(i)];
  }
  centroid /= model.total_mass();
  const Vector3 force(1.0, 2.0, 3.0);
  const Vector3 arm = frame_position(point.frames, model.frames().front()) - centroid;
  const Vector3 moment = Vector3(0.1, 0.2, 0.3) + arm.cross(force);
  EXPECT_EQ(Vector3(row.segment<3>(8)), force);
  EXPECT_LE((row.segment<3>(11) - moment).norm(), 32 * kEps * (1.0 + moment.norm()));
  EXPECT_EQ(Eigen::Vector2d(row.segment<2>(14)), Eigen::Vector2d::Zero());
  EXPECT_EQ(Eigen::Vector2d(row.tail<2>()), Eigen::Vector2d(0.5, 0.0));
}

TEST(ElementForces, OfAForceBetweenFramesAreThoseOnTheSecondBody) {
  const Model model = testing::recorded_model();
  const ExamplePoint point(model);
  const Frame base = model.frame(model.body(0).name), hand = model.frames().front();
  SimulationSetup setup = setup_of(model);
  setup.forces = {
      std::make_shared<SpringDamper>("line", SpringDamper::Settings{base, hand, 50.0, 0.0, 0.25})};
  RowLayout layout(setup, State(model), {Channel::element_forces});
  EXPECT_EQ(names(layout)[9], "forces_line_force_x_N");
  const VectorX row = values(layout, point.at(0.0));
  const Vector3 line = frame_position(point.frames, hand) - frame_position(point.frames, base);
  const Vector3 force = -50.0 * (line.norm() - 0.25) * line.normalized();
  EXPECT_GT(force.norm(), 1.0);
  EXPECT_LE((row.segment<3>(8) - force).norm(), 32 * kEps * force.norm());
  EXPECT_TRUE(row.tail(row.size() - 11).isZero(0.0));
}

TEST(ElementForces, AddUpToTheJointTorquesOfARun) {
  ModelDescription description = elastic_model().description();
  description.links[2].joint.friction.coulomb = 0.3;
  const Model model = ModelBuilder(description).build();
  SimulationSetup setup = setup_of(model);
  setup.forces.push_back(std::make_shared<AppliedJointTorque>(
      "hum", 2, TimeTable::constant(VectorX::Constant(1, 0.5))));
  RowLayout layout(setup, State(model), {Channel::joint_torque, Channel::element_forces});
  class Adder final : public SimulationObserver {
   public:
    explicit Adder(RowLayout& layout) : layout_(layout) {}
    void on_output(const SimulationPoint& point) override {
      const VectorX row = values(layout_, point);
      const Vector3 springs = row.segment<3>(3 + 6);
      const Vector3 hum = row.segment<3>(3 + 9 + 6);
      const Vector3 friction = row.tail<3>();
      EXPECT_EQ(hum, Vector3(0.0, 0.5, 0.0));
      EXPECT_EQ(friction.head<2>(), Eigen::Vector2d::Zero());
      rubs = rubs || friction.z() != 0.0;
      EXPECT_LE((Vector3(row.head<3>()) - springs - hum - friction).norm(),
                8 * kEps * springs.norm());
      ++count;
    }
    int count = 0;
    bool rubs = false;

   private:
    RowLayout& layout_;
  } adder(layout);
  Simulator(setup).run(State(model), 2.0, 0.5, adder);
  EXPECT_EQ(adder.count, 5);
  EXPECT_TRUE(adder.rubs);
  EXPECT_EQ(names(layout).back(), "forces_dry_friction_joint2_torque_N_m");
}

/// τ = −k q at sample instants, or always.
class Restoring final : public Controller {
 public:
  Restoring(double stiffness, double period)
      : Controller("restore"), stiffness_(stiffness), period_(period) {}
  double sample_period() const override { return period_; }
  int command_size() const override { return 1; }
  void command(const EvaluationContext& context, VectorRef command) const override {
    command(0) = -stiffness_ * context.state.q(0);
  }
  void apply(const EvaluationContext&, ConstVectorRef command, Loads& loads) const override {
    loads.tau(0) += command(0);
  }

 private:
  double stiffness_, period_;
};

/// Compares the torque of the only controller with the torque of the joint in each row.
class TorqueComparison final : public SimulationObserver {
 public:
  explicit TorqueComparison(RowLayout& layout) : layout_(layout) {}
  void on_output(const SimulationPoint& point) override {
    const VectorX row = values(layout_, point);
    // of one joint: its torque, then six components and a torque of springs and of the controller
    joint.push_back(row(0));
    controller.push_back(row(row.size() - 1));
  }
  std::vector<double> joint, controller;

 private:
  RowLayout& layout_;
};

SimulationSetup restored_link(double period) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.controllers.push_back(std::make_shared<Restoring>(3.0, period));
  return setup;
}

TEST(ElementForces, OfAControllerThatAnEventSwitchedOffAreZero) {
  SimulationSetup setup = restored_link(0.0);
  setup.events.push_back(
      {"off", time_event(1.0), CrossingDirection::rising, {SwitchAction{"restore", false}}});
  State start(*setup.model);
  start.q(0) = 0.4;
  RowLayout layout(setup, start, {Channel::joint_torque, Channel::element_forces});
  TorqueComparison torques(layout);
  Simulator(setup).run(start, 2.0, 0.5, torques);
  EXPECT_EQ(torques.controller, torques.joint);
  EXPECT_GT(std::abs(torques.controller[1]), 0.5);
  EXPECT_EQ(torques.controller[3], 0.0);
}

TEST(ElementForces, OfASampledControllerAreWhatItHolds) {
  SimulationSetup setup = restored_link(0.4);
  State start(*setup.model);
  start.q(0) = 0.4;
  start.qd(0) = 0.3;
  RowLayout layout(setup, start, {Channel::joint_torque, Channel::element_forces});
  TorqueComparison torques(layout);
  Simulator(setup).run(start, 1.0, 0.1, torques);
  EXPECT_EQ(torques.controller, torques.joint);
  EXPECT_EQ(torques.controller[0], torques.controller[3]);
  EXPECT_EQ(torques.controller[0], -3.0 * 0.4);
  EXPECT_NE(torques.controller[3], torques.controller[5]);
}

}  // namespace
}  // namespace spacedyn::element_forces_test

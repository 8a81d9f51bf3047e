// What one control step of a stack of tasks costs, and a planned motion.
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "spacedyn/control/whole_body.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/optimization/trajectory.hpp"

namespace {

using namespace spacedyn;

/// Arms of revolute joints about alternating axes on a base that floats.
Model robot(int arms, int joints) {
  ModelBuilder builder("robot");
  BaseDescription base;
  base.name = "bus";
  base.mass = 200.0;
  base.inertia = Vector3(30.0, 35.0, 40.0).asDiagonal();
  builder.set_base(base);
  for (int arm = 0; arm < arms; ++arm) {
    std::string parent = "bus";
    for (int i = 0; i < joints; ++i) {
      LinkDescription link;
      link.name = "link_" + std::to_string(arm) + "_" + std::to_string(i);
      link.parent = parent;
      link.mass = 3.0;
      link.inertia = Vector3(0.03, 0.03, 0.01).asDiagonal();
      link.center_of_mass = {0.0, 0.0, 0.1};
      link.joint.origin.position =
          i == 0 ? Vector3(0.0, arm == 0 ? 0.4 : -0.4, 0.5) : Vector3(0.0, 0.0, 0.2);
      link.joint.axis = i % 2 == 0 ? Vector3::UnitZ() : Vector3::UnitY();
      link.joint.velocity_limit = 0.3;
      link.joint.effort_limit = 40.0;
      link.joint.position_lower = -2.9;
      link.joint.position_upper = 2.9;
      parent = link.name;
      builder.add_link(link);
    }
  }
  return builder.build();
}

Task reach(const Model& model, const std::string& link, int priority) {
  Task task;
  task.frame = model.frame(link);
  task.axes = {0, 1, 2, 3, 4, 5};
  task.priority = priority;
  task.gain = VectorX::Constant(6, 2.0);
  task.stiffness = VectorX::Constant(6, 4.0);
  task.damping = VectorX::Constant(6, 4.0);
  PosePath::Stop stop;
  stop.at = 10.0;
  stop.position = Vector3(0.4, 0.5, 1.2);
  stop.rotation = exp_so3(Vector3(0.3, 0.2, 0.1));
  task.pose = std::make_shared<PosePath>(Pose{Vector3(0.3, 0.4, 1.3), Matrix3::Identity()},
                                         std::vector<PosePath::Stop>{stop}, 0.0);
  return task;
}

void step(benchmark::State& run, const Model& model, WholeBody::Settings settings) {
  settings.rate_gain = VectorX::Constant(static_cast<Eigen::Index>(settings.joints.size()), 20.0);
  const WholeBody law("law", settings);
  State state(model);
  for (Eigen::Index i = 0; i < state.q.size(); ++i)
    state.q(i) = 0.3 * static_cast<double>(i % 3) - 0.4;
  state.qd.setConstant(0.02);
  state.omega_0 = {0.01, -0.02, 0.03};
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  VectorX command(law.command_size());
  double time = 0.0;
  for (auto _ : run) {
    time = time < 10.0 ? time + 0.01 : 0.0;
    law.command({time, model, state, frames, velocities, state.z}, command);
    benchmark::DoNotOptimize(command.data());
  }
}

void rates_of_20_joints(benchmark::State& run) {
  const Model model = robot(1, 20);
  WholeBody::Settings settings;
  for (int i = 1; i <= 20; ++i) settings.joints.push_back(i);
  settings.tasks = {reach(model, "link_0_19", 1)};
  step(run, model, settings);
}

void dual_arm(benchmark::State& run, WholeBody::Level level) {
  const Model model = robot(2, 7);
  WholeBody::Settings settings;
  settings.level = level;
  for (int i = 1; i <= 14; ++i) settings.joints.push_back(i);
  Task posture;
  posture.type = Task::Type::posture;
  posture.priority = 3;
  posture.joints = settings.joints;
  posture.reference = std::make_shared<ConstantReference>(VectorX::Constant(14, 0.2));
  posture.gain = posture.stiffness = posture.damping = VectorX::Constant(14, 1.0);
  settings.tasks = {reach(model, "link_0_6", 1), reach(model, "link_1_6", 2), posture};
  step(run, model, settings);
}

/// The shortest motion of seven joints, within limits of the model and of the rate of the base.
void plan_of_7_joints(benchmark::State& run, double base_rate) {
  const Model model = robot(1, 7);
  State state(model);
  TrajectoryGoal goal;
  goal.to.resize(7);
  for (int i = 0; i < 7; ++i) {
    goal.joints.push_back(i + 1);
    state.q(i) = 0.3 * (i % 3) - 0.4;
    goal.to(i) = 1.1 - 0.4 * (i % 4);
  }
  goal.limits = trajectory_limits(model, goal.joints);
  goal.limits->base_rate = base_rate;
  for (auto _ : run) {
    const JointTrajectory plan = plan_trajectory(model, state, goal);
    if (!plan.feasible) run.SkipWithError(plan.message.c_str());
  }
}

BENCHMARK(rates_of_20_joints);
BENCHMARK_CAPTURE(plan_of_7_joints, base_free, 1e300)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_of_7_joints, base_calm, 0.01)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dual_arm, rate, WholeBody::Level::rate);
BENCHMARK_CAPTURE(dual_arm, torque, WholeBody::Level::torque);

}  // namespace

BENCHMARK_MAIN();

// A free-floating robot moves its arm; its base turns against the motion and nothing drifts.
#include <cstdio>
#include <memory>

#include <spacedyn/spacedyn.hpp>

namespace sd = spacedyn;

int main(int argument_count, char** arguments) try {
  if (argument_count != 2) throw sd::Error("usage: example_reach ROBOT.yaml");
  const std::shared_ptr<const sd::Model> robot = sd::load_model(arguments[1]).model;

  // H, and accelerations from torques, as one-liners
  sd::State start(*robot);
  sd::Loads loads(*robot);
  loads.tau(0) = 1.0;
  const sd::MatrixX H = sd::inertia_matrix(*robot, start);
  const sd::VectorX acceleration = sd::forward_dynamics(*robot, start, loads);
  std::printf("w = %g kg, first joint answers 1 N m with %.4f rad/s^2\n", H(0, 0), acceleration(6));

  // both joints go from 0 to a right angle in 10 s
  sd::JointPd::Settings reach;
  reach.joints = {1, 2};
  reach.stiffness = sd::VectorX::Constant(2, 200.0);
  reach.damping = sd::VectorX::Constant(2, 100.0);
  reach.effort_limit = sd::VectorX::Constant(2, 20.0);
  reach.reference = std::make_shared<sd::QuinticReference>(
      sd::VectorX::Zero(2), sd::VectorX::Constant(2, 1.5708), 0.0, 10.0);

  sd::SimulationSetup setup;
  setup.model = robot;
  setup.controllers.push_back(std::make_shared<sd::JointPd>("reach", reach));

  const sd::Trajectory trajectory = sd::simulate(setup, start, 20.0, 5.0);
  for (const sd::TrajectoryPoint& point : trajectory.points) {
    const sd::Vector3 rpy = sd::rpy_from_matrix(point.state.A_0);
    std::printf("%4.0f s  joints %7.4f %7.4f rad  base yaw %7.4f rad\n", point.time,
                point.state.q(0), point.state.q(1), rpy.z());
  }
  std::printf("momentum drift below 1e-9: %s\n",
              trajectory.result.audit.momentum_drift() < 1e-9 ? "yes" : "no");
  return 0;
} catch (const sd::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

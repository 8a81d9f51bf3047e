// How far does the base of a free-floating robot turn if its arm reaches from uncertain postures?
// A thousand flights at once.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include <spacedyn/spacedyn.hpp>

namespace sd = spacedyn;

namespace {

constexpr int kFlights = 1000;

/// A posture within ± 0.2 rad of the middle, spread evenly over both joints.
sd::State start(const sd::Model& robot, int flight) {
  sd::State state(robot);
  state.q(0) = 0.4 * (flight % 40) / 39.0 - 0.2;
  state.q(1) = 0.4 * (flight / 40) / 24.0 - 0.2;
  return state;
}

std::shared_ptr<const sd::JointPd> reach() {
  sd::JointPd::Settings settings;
  settings.joints = {1, 2};
  settings.stiffness = sd::VectorX::Constant(2, 200.0);
  settings.damping = sd::VectorX::Constant(2, 100.0);
  settings.effort_limit = sd::VectorX::Constant(2, 20.0);
  settings.reference = std::make_shared<sd::QuinticReference>(
      sd::VectorX::Zero(2), sd::VectorX::Constant(2, 1.5708), 0.0, 10.0);
  return std::make_shared<const sd::JointPd>("reach", settings);
}

}  // namespace

int main(int argument_count, char** arguments) try {
  if (argument_count != 2) throw sd::Error("usage: example_batch ROBOT.yaml");
  const std::shared_ptr<const sd::Model> robot = sd::load_model(arguments[1]).model;

  sd::BatchStates states(*robot, kFlights);
  for (int flight = 0; flight < kFlights; ++flight) states.set(flight, start(*robot, flight));

  // vector lanes chosen by the CPU, one thread per core; no force but springs, dampers and control
  sd::BatchDynamics dynamics(robot, {0, sd::Vector3::Zero()});
  const sd::TiledVectors forces(robot->velocity_size(), kFlights);
  const int lost = dynamics.integrate(states, forces, {0.0, 0.01, 2000, reach()});

  std::vector<double> yaw;
  for (int flight = 0; flight < kFlights; ++flight) {
    yaw.push_back(sd::rpy_from_matrix(states.get(flight).A_0).z());
  }
  const auto [least, most] = std::minmax_element(yaw.begin(), yaw.end());
  std::printf("%d flights of 20 s, %d lost: base yaw between %.4f and %.4f rad\n", kFlights, lost,
              *least, *most);
  return 0;
} catch (const sd::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

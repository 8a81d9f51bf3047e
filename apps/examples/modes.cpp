// Where a robot with elastic joints vibrates, what holding its base changes, and a linear model of
// it.
#include <cstdio>
#include <memory>

#include <spacedyn/spacedyn.hpp>

namespace sd = spacedyn;

void print(const char* title, const sd::Modes& modes) {
  std::printf("%s: %d rigid-body modes\n", title, modes.rigid_count);
  for (const sd::Mode& mode : modes.modes) {
    if (mode.is_rigid() || mode.frequency() > 1.0) continue;
    std::printf("  %.4f Hz, damping %.2f %%\n", mode.frequency(), 100.0 * mode.damping_ratio);
  }
}

int main(int argument_count, char** arguments) try {
  if (argument_count != 2) throw sd::Error("usage: example_modes ROBOT.yaml");
  const std::shared_ptr<const sd::Model> robot = sd::load_model(arguments[1]).model;
  const sd::State rest(*robot);

  // joints without springs are held, as by their brakes
  const sd::Mobility free = sd::hold_unsprung_joints(*robot, sd::Mobility(*robot));
  std::vector<bool> sprung;
  for (int i = 1; i <= robot->joint_count(); ++i) sprung.push_back(free.joint_free(i));
  print("free", sd::compute_modes(*robot, rest, free));
  print("clamped", sd::compute_modes(*robot, rest, sd::Mobility(false, sprung)));

  // the same as a linear model, dx = A x + B u, ready for a filter or a regulator
  sd::ForcedSystem system;
  system.model = robot;
  for (int i = 1; i <= robot->joint_count(); ++i) {
    if (!free.joint_free(i)) system.locked_joints.push_back(i);
  }
  const sd::Linearization linear = sd::linearize(system, rest);
  std::printf("A is %dx%d, B has %d inputs, the first of them %s\n",
              static_cast<int>(linear.A.rows()), static_cast<int>(linear.A.cols()),
              static_cast<int>(linear.B.cols()), linear.input_names.front().c_str());
  for (const sd::EigenMode& mode : sd::eigenmodes(linear.A)) {
    if (mode.is_rigid()) continue;
    std::printf("slowest pair: %.5f +- %.5f i\n", mode.eigenvalue.real(), mode.eigenvalue.imag());
    break;
  }
  return 0;
} catch (const sd::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

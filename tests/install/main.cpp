// What a consumer of the installed library writes; only spacedyn and Eigen headers are on its path.
#include <cstdio>

#include <spacedyn/spacedyn.hpp>

int main(int argument_count, char** arguments) {
  if (argument_count != 2) return 2;
  const auto loaded = spacedyn::load_model(arguments[1]);
  const spacedyn::Model& robot = *loaded.model;
  spacedyn::State state(robot);
  state.qd.setConstant(0.1);
  const spacedyn::VectorX acceleration =
      spacedyn::forward_dynamics(robot, state, spacedyn::Loads(robot));
  std::printf("%s %s: %d joints, |acceleration| = %g\n", spacedyn::kVersion, robot.name().c_str(),
              robot.joint_count(), acceleration.norm());
  return acceleration.allFinite() ? 0 : 1;
}

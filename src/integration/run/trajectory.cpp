#include "spacedyn/integration/trajectory.hpp"

namespace spacedyn {

void Trajectory::on_output(const SimulationPoint& point) {
  points.push_back({point.time, point.state, point.acceleration, point.forces, point.momentum,
                    point.energy, point.integrals});
}

bool Trajectory::on_step(double time, const IntegratorStatistics& /*statistics*/) {
  step_times.push_back(time);
  return true;
}

Trajectory simulate(const SimulationSetup& setup, const State& initial, double duration,
                    double output_interval) {
  Trajectory trajectory;
  trajectory.result = Simulator(setup).run(initial, duration, output_interval, trajectory);
  return trajectory;
}

}  // namespace spacedyn

// What happens to the discrete state at the beginnings of segments.
#include <algorithm>

#include "integration/equations/equations_of_motion.hpp"

namespace spacedyn {

void EquationsOfMotion::begin_segment(const VectorX& x, double time) {
  segment_start_ = time;
  if (!begin_step(x, time) || !update_kinematics(x, time)) return;
  if (flow_) close_empty_tanks();
  if (!sensor_sampler_.is_idle()) {
    // what acts until controllers have seen the new readings
    sample_sensors(time);
  }
}

void EquationsOfMotion::sample_controllers() {
  if (!failure_) sampler_.sample(context(), discrete_);
}

void EquationsOfMotion::set_memory(std::size_t controller, ConstVectorRef memory) {
  discrete_.controllers[controller].memory = memory;
}

void EquationsOfMotion::sample_sensors(double time) {
  const bool needs_forces = sensor_sampler_.needs_forces(time, discrete_);
  if (needs_forces && !(apply_elements() && solve_dynamics())) return;
  if (!needs_forces || !loops_) {
    return sensor_sampler_.sample(context(), acceleration_, loads_, nullptr, discrete_);
  }
  const LoopEquations& loops = loops_->solver.equations();
  const Sensor* ambiguous = sensor_sampler_.find_ambiguous(loops, mobility_, state_, loop_changes_);
  if (ambiguous != nullptr) {
    fail(Failure::Cause::reaction_not_unique);
    failure_.contact = &ambiguous->name;
    return;
  }
  const LoopReactions reactions{loops, loop_motion().frames, multipliers()};
  sensor_sampler_.sample(context(), acceleration_, loads_, &reactions, discrete_);
}

double EquationsOfMotion::next_sample() const {
  return std::min(sensor_sampler_.next(discrete_), sampler_.next(discrete_));
}

}  // namespace spacedyn

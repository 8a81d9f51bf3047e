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
    const bool is_complete =
        !sensor_sampler_.needs_forces(time, discrete_) || (apply_elements() && solve_dynamics());
    if (is_complete) sensor_sampler_.sample(context(), acceleration_, loads_, discrete_);
  }
  sampler_.sample(context(), discrete_);
}

double EquationsOfMotion::next_sample() const {
  return std::min(sensor_sampler_.next(discrete_), sampler_.next(discrete_));
}

}  // namespace spacedyn

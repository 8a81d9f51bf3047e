#include "spacedyn/control/prescribed_motion.hpp"

#include "math/rodrigues.hpp"

namespace spacedyn {

void PrescribedBase::evaluate(const Instant& now, State& state, Vector6& acceleration) const {
  state.r_0 = initial_position;
  state.v_0.setZero();
  acceleration.setZero();
  if (position) {
    for (int i = 0; i < 3; ++i) {
      const ReferenceValue value = position->at(i, now);
      state.r_0(i) = value.position;
      state.v_0(i) = value.velocity;
      acceleration(i) = value.acceleration;
    }
  }

  const ReferenceValue turn = angle ? angle->at(0, now) : ReferenceValue{};
  state.A_0 = turn_by(turn.position * axis, initial_attitude);
  state.omega_0 = turn.velocity * axis;
  acceleration.tail<3>() = turn.acceleration * axis;
}

}  // namespace spacedyn

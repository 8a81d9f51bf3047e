#include "integration/run/state_corrections.hpp"

namespace spacedyn {

StateCorrections::StateCorrections(const SimulationSetup& setup, double duration,
                                   EquationsOfMotion& equations, RigidContacts& rigid,
                                   RunAccount& account)
    : equations_(equations),
      rigid_(rigid),
      account_(account),
      projects_(setup.integrator.project_momentum),
      loops_(setup, duration, equations),
      centroid_path_(setup) {}

void StateCorrections::start(const AuditPoint& start) {
  centroid_path_.start(start);
  projection_.start(equations_);
}

void StateCorrections::close_path(VectorX& x, double time) {
  if (!loops_.moves_states()) return;
  if (!loops_.close(equations_, x, time) || !loops_.note_ranks(equations_)) account_.fail_at(time);
}

void StateCorrections::settle(Step& step) {
  if (equations_.held().loops() != nullptr || equations_.held().motions() != nullptr) {
    if (loops_.moves_states()) equations_.failure().clear();
    close_path(step.x_old, step.t_old);
    account_.evaluate(step, step.t_old);
    loops_.watch(equations_, account_.result().loops);
  }
  if (RigidContacts::needs_forces(equations_)) {
    equations_.failure().clear();
    if (!rigid_.close(equations_, step.x_old, step.t_old)) account_.fail_at(step.t_old);
    account_.evaluate(step, step.t_old);
    rigid_.watch(equations_);
  }
  if (!projects_) return;
  const MomentumProjection::Removed removed = projection_.apply(equations_, step.x_old, step.t_old);
  account_.result().audit.count_removed(removed.linear, removed.angular);
  equations_(step.x_old, step.rate_old, step.t_old);
}

void StateCorrections::keep_centroid_path(const AuditPoint& end, Step& step) {
  if (!centroid_path_.moves_steps()) return;
  const Vector3 removed = centroid_path_.apply(equations_, end, step.x_new, step.t_new);
  if (removed.isZero(0.0)) return;
  account_.result().audit.count_removed(removed, Vector3::Zero());
  step.rate_new.segment<3>(StateLayout::r_0) = step.x_new.segment<3>(equations_.layout().v_0());
}

void StateCorrections::place_inside(VectorX& x, double time) {
  if (projects_) {
    projection_.apply(equations_, x, time);
  } else if (equations_.update_kinematics(x, time)) {
    centroid_path_.apply(equations_, equations_.audit_point(), x, time);
  }
  if (loops_.moves_states()) loops_.close(equations_, x, time);
  rigid_.close(equations_, x, time);
}

}  // namespace spacedyn

#include <algorithm>

#include "constraints/singular_passage.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "spacedyn/dynamics/composite_rigid_body.hpp"
#include "system/motion_of.hpp"

namespace spacedyn {

void EquationsOfMotion::set_locked(int joint, bool locked) {
  if (is_locked(joint) == locked) return;
  discrete_.locked[static_cast<std::size_t>(joint - 1)] = locked;
  mobility_ = spacedyn::mobility(setup_, discrete_);
  workspace_ = TreeWorkspace(model(), mobility_);
  if (response_workspace_) *response_workspace_ = TreeWorkspace(model(), mobility_);
  if (loops_) rebuild_loops();
  acceleration_.setZero();
  move();
}

void EquationsOfMotion::switch_controller(const std::string& name, bool on, double time,
                                          VectorX& x) {
  for (const SystemElements::Slot& slot : elements_.slots()) {
    if (slot.controller == nullptr || slot.controller->name() != name || slot.slice.size == 0 ||
        !on || discrete_.controllers[slot.controller_index].on) {
      continue;
    }
    // propellant that has been used stays so
    const Eigen::Index begun = slot.slice.size - static_cast<Eigen::Index>(slot.tanks.size());
    VectorX start(slot.slice.size);
    slot.controller->auxiliary_initial(start);
    x.segment(layout_.z() + slot.slice.offset, slot.slice.size).tail(begun) = start.tail(begun);
    state_.z = x.segment(layout_.z(), layout_.auxiliaries);
  }
  spacedyn::switch_controller(setup_, name, on, time, discrete_);
}

void EquationsOfMotion::set_connection(std::size_t connection,
                                       const DiscreteState::ConnectionState& state) {
  discrete_.connections[connection] = state;
  const Connection& changed = setup_.connections[connection];
  motions_are_current_ = false;
  if (changed.is_rigid()) return rebuild_loops();
  if (motion_of(setup_, changed) != nullptr) ++loop_changes_;
}

void EquationsOfMotion::rebuild_loops() {
  std::vector<Loop> loops = spacedyn::active_loops(setup_, discrete_);
  loops_ = loops.empty() ? nullptr
                         : std::make_unique<LoopWorkspace>(model(), mobility_, std::move(loops));
  passage_ = loops_ ? std::make_unique<SingularPassage>(loops_->solver) : nullptr;
  if (!loops_) multipliers_.resize(0);
  loops_are_current_ = false;
  ++loop_changes_;
}

const std::vector<Loop>& EquationsOfMotion::active_loops() const {
  static const std::vector<Loop> kNone;
  return loops_ ? loops_->solver.equations().loops() : kNone;
}

void EquationsOfMotion::add_to_integrals(const AuditIntegrals& integrals, VectorX& x) const {
  // without events, which would be to blame, only rigid contacts change velocities
  const int source = others_.events >= 0 || !rigid_
                         ? others_.events
                         : static_cast<int>(rigid_->points().contacts().front().slot);
  add_integrals(integrals, source, x.tail(layout_.integral_count()));
}

void EquationsOfMotion::add_contact_loss(std::size_t contact, const ContactImpact& impact,
                                         VectorX& x) const {
  const RigidPoints::Contact& own = rigid_->points().contacts()[contact];
  AuditIntegrals lost;
  lost.dissipated = impact.energy_lost;
  add_integrals(lost, static_cast<int>(own.slot), x.tail(layout_.integral_count()));
  auto integrals = x.tail(layout_.element_integrals).segment<2>(own.first_integral);
  integrals(0) += impact.impulse;
  integrals(1) += impact.friction_work;
}

void EquationsOfMotion::transfer(Archive& archive) {
  std::vector<bool> locked = discrete_.locked;
  archive(locked, chart_, segment_start_, segment_last_);
  archive.keep(spherical_charts_);
  archive.require(segment_start_ <= segment_last_);
  archive.tally(evaluations_);
  if (locked.size() != discrete_.locked.size()) {
    throw IoError("the checkpoint is damaged: its joints differ");
  }
  archive(discrete_);
  if (rigid_) {
    double speed = rigid_->speed();
    archive(speed);
    rigid_->set_speed(speed);
  }
  archive(contact_wrenches_);
  for (const BodyWrench& wrench : contact_wrenches_) {
    archive.require(wrench.body >= 0 && wrench.body < model().body_count());
  }
  if (archive.reads()) rebuild_loops();
  for (std::size_t i = 0; i < locked.size(); ++i) set_locked(static_cast<int>(i) + 1, locked[i]);
  if (passage_) archive(*passage_);
}

std::unique_ptr<RigidDynamics> EquationsOfMotion::make_rigid_dynamics() {
  if (discrete_.contact_points.empty()) return nullptr;
  return std::make_unique<RigidDynamics>(elements_, setup_.integrator.relative_tolerance);
}

bool EquationsOfMotion::begin_step(const VectorX& x, double time) {
  discrete_.q_step_start = x.segment(StateLayout::q, layout_.joints);
  if (!rigid_ || !RigidDynamics::any_holds(discrete_)) return true;
  if (!update_kinematics(x, time)) return false;
  rigid_->update_directions(context(), discrete_);
  return true;
}

int EquationsOfMotion::busiest_source() const {
  double most = 0.0;
  int busiest = -1;
  const auto see = [&](int source, double power) {
    if (!(power > most)) return;
    most = power;
    busiest = source;
  };
  int source = 0;
  for (const ElementPower& power : element_workspace_.powers) {
    see(source++, std::abs(power.loads) + std::abs(power.stored) + std::abs(power.dissipated));
  }
  if (others_.motion >= 0) see(others_.motion, std::abs(power_of_motion_));
  return busiest;
}

bool EquationsOfMotion::has_jacobian() const {
  const bool is_drawn = gains_.alpha != 0.0 || gains_.beta != 0.0;
  return !flow_ && !rigid_ && !motions_ && !(loops_ && (is_drawn || passage_->is_near(*loops_)));
}

void EquationsOfMotion::respond(ConstVectorRef force, VectorRef change) {
  respond_in_loops(force, change, change);
  if (motions_ && motions_->any_holds(discrete_) && update_motions()) motions_->restrain(change);
}

/// @param change  may be `without_loops`
void EquationsOfMotion::respond_in_loops(ConstVectorRef force, VectorRef without_loops,
                                         VectorRef change) {
  if (!response_workspace_) {
    response_workspace_ = std::make_unique<TreeWorkspace>(model(), mobility_);
  }
  if (solve_inertia(state_, force, *response_workspace_, without_loops) != DynamicsStatus::ok) {
    fail(Failure::Cause::inertia_not_positive_definite);
  }
  change = without_loops;
  if (!loops_ || !update_loops()) return;
  loop_rate_.resize(loops_->solver.equations().rows());
  loops_->solver.apply(change, loop_rate_);
  loop_change_.resize(change.size());
  loops_->solver.respond(loop_rate_, loop_change_);
  change -= loop_change_;
}

bool EquationsOfMotion::update_loops() {
  if (!loops_ || loops_are_current_) return true;
  const LoopMotion& motion = loop_motion();
  loops_are_current_ = loops_->solver.update(motion.state, motion.frames) == DynamicsStatus::ok;
  return loops_are_current_ || fail(Failure::Cause::inertia_not_positive_definite);
}

bool EquationsOfMotion::update_motions() {
  if (motions_are_current_) return true;
  motions_->update(context(), discrete_,
                   [this](ConstVectorRef force, VectorRef without_loops, VectorRef change) {
                     respond_in_loops(force, without_loops, change);
                   });
  motions_are_current_ = !has_failed();
  return motions_are_current_;
}

bool EquationsOfMotion::hold_motions() {
  if (!motions_ || !motions_->any_holds(discrete_)) return true;
  if (!update_motions()) return false;
  motions_->hold(context(), gains_, acceleration_, loads_);
  body_loads_ = size_of_wrenches(loads_);
  return solve_tree();
}

bool EquationsOfMotion::is_unsupported() const {
  return is_unsupported_ && !(motions_ && motions_->any_on_ground(discrete_));
}

bool EquationsOfMotion::hold_contacts() {
  if (!rigid_) return true;
  if (!RigidDynamics::any_holds(discrete_)) {
    rigid_->clear();
    return true;
  }
  const RigidContact* jammed = rigid_->solve(
      context(), discrete_, acceleration_,
      [this](ConstVectorRef force, VectorRef change) { respond(force, change); }, loads_);
  if (jammed != nullptr) return fail(Failure::Cause::contact_jammed, *jammed);
  body_loads_ = size_of_wrenches(loads_);
  // what contacts do opens rows of motion constraints, whose forces grow
  return solve_tree() && hold_motions();
}

bool EquationsOfMotion::fail(Failure::Cause cause, const Element& element) {
  if (!failure_) failure_ = {cause, 0, nullptr, &element.name()};
  return false;
}

void EquationsOfMotion::fill_contact_powers() {
  const auto& contacts = rigid_->points().contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ElementPower& power = element_workspace_.powers[contacts[i].slot];
    power.dissipated = -rigid_->friction_power(i);
    power.loads = -power.dissipated;
    power.stored = 0.0;
  }
}

void EquationsOfMotion::write_contact_integrands(VectorRef rates) const {
  const auto& contacts = rigid_->points().contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    rates(contacts[i].first_integral) = rigid_->normal_force(i);
    rates(contacts[i].first_integral + 1) = rigid_->friction_power(i);
  }
}

// What happens to the discrete state at the beginnings of segments.

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
  if (needs_forces && (loops_ || motions_)) {
    const LoopEquations* loops = loops_ ? &loops_->solver.equations() : nullptr;
    const Sensor* ambiguous =
        sensor_sampler_.find_ambiguous(loops, context(), mobility_, discrete_, loop_changes_);
    if (ambiguous != nullptr) {
      fail(Failure::Cause::reaction_not_unique);
      failure_.contact = &ambiguous->name;
      return;
    }
  }
  // motion constraints are among the loads
  if (!needs_forces || !loops_) {
    return sensor_sampler_.sample(context(), acceleration_, loads_, nullptr, discrete_);
  }
  const LoopReactions reactions{loops_->solver.equations(), loop_motion().frames, multipliers()};
  sensor_sampler_.sample(context(), acceleration_, loads_, &reactions, discrete_);
}

double EquationsOfMotion::next_sample() const {
  return std::min(sensor_sampler_.next(discrete_), sampler_.next(discrete_));
}

// What methods that step over contacts ask of the equations.

void EquationsOfMotion::receive_contacts(VectorX& rate) const {
  if (contact_wrenches_.empty()) return;
  const Vector3 r_g = center_of_mass(model(), frames());
  auto impulse = rate.segment<3>(layout_.integrals() + StateLayout::impulse);
  auto angular = rate.segment<3>(layout_.integrals() + StateLayout::angular_impulse);
  for (const BodyWrench& wrench : contact_wrenches_) {
    impulse += wrench.force;
    const Vector3 arm = frames().r[static_cast<std::size_t>(wrench.body)] - r_g;
    angular += wrench.moment + arm.cross(wrench.force);
  }
}

void EquationsOfMotion::impose(double time, VectorRef velocities) {
  time_ = std::clamp(time, segment_start_, segment_last_);
  prescribe();
  for (const int row : mobility_.prescribed()) velocities(row) = velocity(row);
}

void EquationsOfMotion::differentiate_known(LoadDifferentiator& differentiator,
                                            LoadDerivatives& derivatives) {
  elements_.differentiate({context(), mobility_, 0.0, false}, discrete_, differentiator,
                          element_workspace_, derivatives);
}

void EquationsOfMotion::auxiliary_rate(ConstVectorRef z, VectorRef zd) {
  state_.z = z;
  elements_.auxiliary_rate(context(), discrete_, element_workspace_, zd);
}

}  // namespace spacedyn

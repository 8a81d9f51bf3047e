#include "integration/equations/equations_of_motion.hpp"

#include <cmath>
#include <limits>

#include "constraints/singular_passage.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

bool note_infinite(const Loads& loads, Failure& failure) {
  const auto size = [](const auto& values) { return static_cast<int>(values.size()); };
  const int joint = first_not_finite(loads.tau);
  if (joint < size(loads.tau)) return failure.note(Failure::Cause::torque_not_finite, joint + 1);
  if (!loads.F_b.allFinite()) return failure.note(Failure::Cause::base_wrench_not_finite);
  const int entry =
      std::min(first_not_finite(loads.force.reshaped()), first_not_finite(loads.moment.reshaped()));
  if (entry < size(loads.force)) {
    return failure.note(Failure::Cause::body_load_not_finite, entry / 3);
  }
  return true;
}

std::unique_ptr<RigidDynamics> make_rigid_dynamics(PlacedSystem& system) {
  const IntegratorOptions& options = system.setup().integrator;
  if (method_traits(options).steps_contacts) system.discrete().contact_points.clear();
  if (system.discrete().contact_points.empty()) return nullptr;
  return std::make_unique<RigidDynamics>(system.elements(), options.relative_tolerance);
}

}  // namespace

void EvaluationWatch::leave_if_asked() const {
  if (observer_ != nullptr && observer_->must_end_now()) throw Interruption();
}

EquationParts::EquationParts(const SimulationSetup& setup)
    : PlacedSystem(setup),
      charts_(*setup.model, layout_),
      held_(*this, failure_),
      rigid_(make_rigid_dynamics(*this)),
      balance_(*this, rigid_.get(), held_.motions()),
      samplers_(*this) {}

void EquationsOfMotion::start(const State& initial, VectorX& x) {
  charts_.start(initial, x);
  x.segment(layout_.z(), layout_.auxiliaries) =
      initial.z.size() > 0 ? initial.z : elements_.initial_auxiliary();
}

void EquationsOfMotion::operator()(const VectorX& x, VectorX& rate, double time) {
  watch_.count();
  if (evaluate_inside(x, time)) {
    write_rate(x, rate);
  } else {
    rate.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

bool EquationsOfMotion::evaluate(const VectorX& x, double time) {
  return update_kinematics(x, time) && apply_elements() && solve_dynamics();
}

bool EquationsOfMotion::differentiate_loads(const VectorX& x, double time, double delay,
                                            LoadDifferentiator& differentiator,
                                            LoadDerivatives& derivatives) {
  watch_.count();
  if (!update_kinematics(x, inside(time)) || !apply_elements()) return false;
  // wrenches act through links even of elements that do not look at them
  elements_.differentiate({context(), mobility(), delay}, discrete_, differentiator,
                          element_memory(), derivatives);
  if (held_.motions() == nullptr) return true;
  held_.motions()->clear();
  return held_.solve_tree(loads_, acceleration_, forces_) &&
         held_.hold_motions(loads_, acceleration_, forces_);
}

bool EquationsOfMotion::update_kinematics(const VectorX& x, double time) {
  watch_.leave_if_asked();
  if (!charts_.unpack(x, state_, failure_)) return false;
  time_ = time;
  if (flow_) {
    flow_->update(state_.z);
    update_tank_masses(tree(), model());
  }
  prescribe();
  follow(model(), state_);
  take_motion();
  return true;
}

void EquationsOfMotion::take_motion() {
  move(acceleration_);
  held_.invalidate();
}

bool EquationsOfMotion::begin_step(const VectorX& x, double time) {
  discrete_.q_step_start = x.segment(StateLayout::q, layout_.joints);
  const bool turns = !model().spherical_joints().empty();
  const bool holds = rigid_ && RigidDynamics::any_holds(discrete_);
  if (!turns && !holds) return true;
  if (!update_kinematics(x, time)) return false;
  // x has rotation vectors from where a chart is centred
  if (turns) discrete_.q_step_start = state_.q;
  if (holds) rigid_->update_directions(context(), discrete_);
  return true;
}

void EquationsOfMotion::begin_segment(const VectorX& x, double time) {
  segment_start_ = time;
  if (!begin_step(x, time) || !update_kinematics(x, time)) return;
  // an event has found the instant to 1e-12 s
  constexpr double kRest = 1e-9;
  for (std::size_t tank = 0; flow_ && tank < discrete_.tank_is_empty.size(); ++tank) {
    if (flow_->left(tank, state_.z) <= kRest * model().tanks()[tank].propellant) {
      discrete_.tank_is_empty[tank] = true;
    }
  }
}

bool EquationsOfMotion::apply_elements() {
  clear_loads(rigid_ != nullptr || held_.motions() != nullptr);
  double wrenches = 0.0;
  elements_.apply(context_of_elements(), discrete_, element_memory(), loads_, [&] {
    const double power = power_on_coordinates(state_, loads_);
    wrenches = size_of_wrenches(loads_);
    return wrenches == 0.0 ? power : power + power_on_bodies(velocities(), loads_);
  });
  for (const BodyWrench& wrench : contact_wrenches_) {
    loads_.force.col(wrench.body) += wrench.force;
    loads_.moment.col(wrench.body) += wrench.moment;
  }
  if (!contact_wrenches_.empty()) wrenches = size_of_wrenches(loads_);
  note_wrenches(wrenches);
  const double others = loads_.tau.lpNorm<1>() + loads_.F_b.lpNorm<1>();
  return std::isfinite(others + wrenches) || note_infinite(loads_, failure_);
}

bool EquationsOfMotion::solve_dynamics() {
  if (held_.motions() != nullptr) held_.motions()->clear();
  if (!held_.solve_tree(loads_, acceleration_, forces_) ||
      !held_.hold_motions(loads_, acceleration_, forces_) || !hold_contacts()) {
    return false;
  }
  // what is given and what is computed for prescribed coordinates, together
  double power = 0.0;
  for (const int row : mobility().prescribed()) {
    power += forces_(row) * velocity(row);
    forces_(row) += row < 6 ? loads_.F_b(row) : loads_.tau(row - 6);
  }
  balance_.note_motion_power(power);
  return true;
}

bool EquationsOfMotion::hold_contacts() {
  if (!rigid_) return true;
  if (!RigidDynamics::any_holds(discrete_)) {
    rigid_->clear();
    return true;
  }
  const RigidContact* jammed = rigid_->solve(
      context(), discrete_, acceleration_,
      [this](ConstVectorRef force, VectorRef change) { held_.respond(force, change); }, loads_);
  if (jammed != nullptr) return failure_.note(Failure::Cause::contact_jammed, jammed->name());
  // what contacts do opens rows of motion constraints, whose forces grow
  return held_.solve_tree(loads_, acceleration_, forces_) &&
         held_.hold_motions(loads_, acceleration_, forces_);
}

void EquationsOfMotion::write_rate(const VectorX& x, VectorX& rate) {
  rate.segment<3>(StateLayout::r_0) = state_.v_0;
  rate.segment<3>(StateLayout::theta) = apply_dexp_inverse_so3(charts_.theta(), state_.omega_0);
  joint_position_rate(model(), x.segment(StateLayout::q, layout_.joints), state_.qd,
                      rate.segment(StateLayout::q, layout_.joints));
  rate.segment<6>(layout_.v_0()) = acceleration_.head<6>();
  rate.segment(layout_.qd(), layout_.joints) = acceleration_.tail(layout_.joints);
  EvaluationContext completed = context_of_elements();
  completed.acceleration = &acceleration_;
  elements_.complete(completed, discrete_, element_memory(),
                     rate.segment(layout_.z(), layout_.auxiliaries));
  balance_.write_rates(rate);

  // prescribed coordinates are set from their references, not integrated
  if (!mobility().base_free()) {
    rate.segment<6>(StateLayout::r_0).setZero();
    rate.segment<6>(layout_.v_0()).setZero();
  }
  for (const int row : mobility().prescribed()) {
    if (row < 6) continue;
    rate(StateLayout::q + row - 6) = 0.0;
    rate(layout_.qd() + row - 6) = 0.0;
  }
}

void EquationsOfMotion::impose(double time, VectorRef velocities) {
  time_ = inside(time);
  prescribe();
  for (const int row : mobility().prescribed()) velocities(row) = velocity(row);
}

void EquationsOfMotion::set_locked(int joint, bool locked) {
  if (is_locked(joint) == locked) return;
  discrete_.locked[static_cast<std::size_t>(joint - 1)] = locked;
  renew_mobility();
  held_.renew_mobility();
  acceleration_.setZero();
  take_motion();
}

void EquationsOfMotion::transfer(Archive& archive) {
  std::vector<bool> locked = discrete_.locked;
  archive(locked, charts_, segment_start_, segment_last_);
  archive.require(segment_start_ <= segment_last_);
  archive(watch_);
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
  if (archive.reads()) held_.rebuild();
  for (std::size_t i = 0; i < locked.size(); ++i) set_locked(static_cast<int>(i) + 1, locked[i]);
  if (held_.passage() != nullptr) archive(*held_.passage());
}

void Samplers::sample_controllers(EquationsOfMotion& equations) {
  if (!equations.failure()) controllers_.sample(equations.context(), equations.discrete());
}

void Samplers::sample_sensors(EquationsOfMotion& equations, const VectorX& x) {
  if (sensors_.is_idle() || equations.failure()) return;
  const bool needs_forces = sensors_.needs_forces(equations.time(), equations.discrete());
  if (needs_forces && !equations.evaluate(x, equations.time())) return;
  HeldConstraints& held = equations.held();
  const LoopEquations* loops =
      held.loops() != nullptr ? &held.loops()->solver.equations() : nullptr;
  if (needs_forces && (loops != nullptr || held.motions() != nullptr)) {
    const Sensor* ambiguous =
        sensors_.find_ambiguous(loops, equations.context(), equations.mobility(),
                                equations.discrete(), held.loop_changes());
    if (ambiguous != nullptr) {
      equations.failure().note(Failure::Cause::reaction_not_unique, ambiguous->name);
      return;
    }
  }
  // motion constraints are among the loads
  if (!needs_forces || loops == nullptr) {
    return sensors_.sample(equations.context(), equations.acceleration(), equations.loads(),
                           nullptr, equations.discrete());
  }
  const LoopReactions reactions{*loops, equations.own_motion().frames, held.multipliers()};
  sensors_.sample(equations.context(), equations.acceleration(), equations.loads(), &reactions,
                  equations.discrete());
}

}  // namespace spacedyn

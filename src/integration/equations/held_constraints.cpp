#include "integration/equations/held_constraints.hpp"

#include <algorithm>

#include "constraints/singular_passage.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "system/motion_of.hpp"

namespace spacedyn {

HeldConstraints::HeldConstraints(PlacedSystem& system, Failure& failure)
    : system_(system),
      failure_(failure),
      is_unsupported_(spacedyn::is_unsupported(system.setup())) {
  const auto& forces = system.setup().forces;
  const bool has_motions = std::any_of(forces.begin(), forces.end(), [](const auto& force) {
    return declarations_of(*force).motion != nullptr;
  });
  if (has_motions) motions_ = std::make_unique<MotionForces>(system.elements());
  rebuild();
}
HeldConstraints::~HeldConstraints() = default;

void HeldConstraints::rebuild() {
  std::vector<Loop> loops = spacedyn::active_loops(system_.setup(), system_.discrete());
  loops_ = loops.empty() ? nullptr
                         : std::make_unique<LoopWorkspace>(system_.model(), system_.mobility(),
                                                           std::move(loops));
  passage_ = loops_ ? std::make_unique<SingularPassage>(loops_->solver) : nullptr;
  if (!loops_) multipliers_.resize(0);
  current_.loops = false;
  ++loop_changes_;
}

void HeldConstraints::renew_mobility() {
  if (response_workspace_) {
    *response_workspace_ = TreeWorkspace(system_.model(), system_.mobility());
  }
  if (loops_) rebuild();
}

void HeldConstraints::set_connection(std::size_t connection,
                                     const DiscreteState::ConnectionState& state) {
  system_.discrete().connections[connection] = state;
  const Connection& changed = system_.setup().connections[connection];
  current_.motions = false;
  if (changed.is_rigid()) return rebuild();
  if (motion_of(system_.setup(), changed) != nullptr) ++loop_changes_;
}

const std::vector<Loop>& HeldConstraints::active_loops() const {
  static const std::vector<Loop> kNone;
  return loops_ ? loops_->solver.equations().loops() : kNone;
}

bool HeldConstraints::update_loops() {
  if (!loops_ || current_.loops) return true;
  const LoopMotion& motion = system_.own_motion();
  current_.loops = loops_->solver.update(motion.state, motion.frames) == DynamicsStatus::ok;
  return current_.loops || failure_.note(Failure::Cause::inertia_not_positive_definite);
}

bool HeldConstraints::update_motions() {
  if (current_.motions) return true;
  motions_->update(system_.context(), system_.discrete(),
                   [this](ConstVectorRef force, VectorRef without_loops, VectorRef change) {
                     respond_in_loops(force, without_loops, change);
                   });
  current_.motions = !failure_;
  return current_.motions;
}

void HeldConstraints::respond(ConstVectorRef force, VectorRef change) {
  respond_in_loops(force, change, change);
  if (motions_ && motions_->any_holds(system_.discrete()) && update_motions()) {
    motions_->restrain(change);
  }
}

/// @param change  may be `without_loops`
void HeldConstraints::respond_in_loops(ConstVectorRef force, VectorRef without_loops,
                                       VectorRef change) {
  if (!response_workspace_) {
    response_workspace_ = std::make_unique<TreeWorkspace>(system_.model(), system_.mobility());
  }
  update_tank_masses(*response_workspace_, system_.model());
  if (solve_inertia(system_.state(), force, *response_workspace_, without_loops) !=
      DynamicsStatus::ok) {
    failure_.note(Failure::Cause::inertia_not_positive_definite);
  }
  change = without_loops;
  if (!loops_ || !update_loops()) return;
  loop_rate_.resize(loops_->solver.equations().rows());
  loops_->solver.apply(change, loop_rate_);
  loop_change_.resize(change.size());
  loops_->solver.respond(loop_rate_, loop_change_);
  change -= loop_change_;
}

const VectorX& HeldConstraints::multipliers() {
  if (loops_ && update_loops()) {
    multipliers_ = loops_->multipliers;
    loops_->solver.shorten(multipliers_);
  } else {
    multipliers_.resize(0);
  }
  if (!motions_) return multipliers_;
  const Eigen::Index rows = multipliers_.size(), added = motions_->forces().size();
  multipliers_.conservativeResize(rows + added);
  multipliers_.tail(added) = motions_->forces();
  return multipliers_;
}

bool HeldConstraints::is_unsupported() const {
  return is_unsupported_ && !(motions_ && motions_->any_on_ground(system_.discrete()));
}

bool HeldConstraints::has_jacobian() const {
  const bool is_drawn = gains_.alpha != 0.0 || gains_.beta != 0.0;
  return !motions_ && !(loops_ && (is_drawn || passage_->is_near(*loops_)));
}

bool HeldConstraints::solve_tree(const Loads& loads, VectorX& acceleration, VectorX& forces) {
  const State& state = system_.state();
  DynamicsStatus status = loops_ ? constrained_dynamics(state, loads, gains_, *loops_,
                                                        system_.tree(), acceleration, forces)
                                 : forward_dynamics(loads, system_.tree(), acceleration, forces);
  if (loops_ && passage_->is_near(*loops_)) {
    const SingularPassage::Path path =
        passage_->find(state, acceleration.tail(system_.layout().joints));
    if (path == SingularPassage::Path::ambiguous) {
      return failure_.note(Failure::Cause::branch_ambiguous, 0, &passage_->weakest_loop());
    }
    if (path == SingularPassage::Path::found) {
      update_tank_masses(passage_->tree(), system_.model());
      status = passage_->accelerate(loads, acceleration, forces);
    }
  }
  if (status != DynamicsStatus::ok) {
    return failure_.note(Failure::Cause::inertia_not_positive_definite);
  }
  if (!is_finite(acceleration)) {
    return failure_.note(Failure::Cause::acceleration_not_finite, first_not_finite(acceleration));
  }
  return true;
}

bool HeldConstraints::hold_motions(Loads& loads, VectorX& acceleration, VectorX& forces) {
  if (!motions_ || !motions_->any_holds(system_.discrete())) return true;
  if (!update_motions()) return false;
  motions_->hold(system_.context(), gains_, acceleration, loads);
  return solve_tree(loads, acceleration, forces);
}

}  // namespace spacedyn

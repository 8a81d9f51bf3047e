#include "spacedyn/inertia/reaction_null_space.hpp"

#include <algorithm>
#include <cmath>

#include "inertia/dense_size.hpp"
#include "inertia/option_checks.hpp"
#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

void write_coupling(const InertiaBlocks& blocks, Reaction reaction, double length, MatrixX& H) {
  if (reaction == Reaction::full) {
    H.topRows<3>() = length * blocks.J_Tw;
    H.bottomRows<3>() = blocks.H_omega_phi;
    return;
  }
  // H_ωφ − w r̃_0g J_Tg, without dividing by w
  H = blocks.H_omega_phi;
  H.noalias() -= tilde(blocks.r_0g).lazyProduct(blocks.J_Tw);
}

/// √(tr(base part) · tr(H_m)), what |H̄| cannot exceed because H is positive semidefinite. A sum of
/// positive terms, so unlike H̄ it cannot cancel.
double largest_coupling(const InertiaBlocks& blocks, Reaction reaction, double length) {
  double base = blocks.H_omega.trace();
  if (reaction == Reaction::full) base += 3.0 * blocks.w * length * length;
  return std::sqrt(std::max(0.0, base * blocks.H_m.trace()));
}

}  // namespace

ReactionNullSpace::ReactionNullSpace(const Model& model, Reaction which)
    : reaction(which),
      coupling(which == Reaction::full ? 6 : 3, dense_size(model, "reaction null space")),
      projector(MatrixX::Zero(model.joint_count(), model.joint_count())) {}

void compute_reaction_null_space(const InertiaBlocks& blocks,
                                 const ReactionNullSpaceOptions& options,
                                 ReactionNullSpace& null_space) noexcept {
  SPACEDYN_ASSERT(null_space.projector.rows() == blocks.H_m.rows());
  SingularValues& coupling = null_space.coupling;
  write_coupling(blocks, null_space.reaction, options.length, coupling.matrix());
  coupling.decompose(options.tolerance *
                     largest_coupling(blocks, null_space.reaction, options.length));
  coupling.project_on_kernel(options.damping, null_space.projector);
}

ReactionNullSpace reaction_null_space(const Model& model, const State& state, Reaction reaction,
                                      const ReactionNullSpaceOptions& options) {
  require_not_negative("tolerance", options.tolerance);
  require_not_negative("damping", options.damping);
  require_positive("length", options.length);
  ReactionNullSpace result(model, reaction);
  compute_reaction_null_space(Snapshot(model, state).blocks, options, result);
  return result;
}

}  // namespace spacedyn

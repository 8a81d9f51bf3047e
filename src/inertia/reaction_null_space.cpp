#include "spacedyn/inertia/reaction_null_space.hpp"

#include <algorithm>
#include <cmath>

#include "inertia/dense_size.hpp"
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

ReactionNullSpace::ReactionNullSpace(Reaction which, int rates)
    : reaction(which),
      coupling(which == Reaction::full ? 6 : 3, rates),
      projector(MatrixX::Zero(rates, rates)) {}

void ReactionNullSpaceOptions::check() const {
  require_not_negative("tolerance", tolerance);
  require_not_negative("damping", damping);
  require_positive("length", length);
}

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

void compute_reaction_null_space(const InertiaBlocks& blocks, const Eigen::Ref<const MatrixX>& G,
                                 const ReactionNullSpaceOptions& options,
                                 ReactionNullSpace& null_space) {
  SPACEDYN_ASSERT(G.rows() == blocks.H_m.rows() && null_space.projector.rows() == G.cols());
  MatrixX H(null_space.coupling.matrix().rows(), G.rows());
  write_coupling(blocks, null_space.reaction, options.length, H);
  SingularValues& coupling = null_space.coupling;
  coupling.matrix() = H * G;
  // G enlarges what the coupling could be as it enlarges the rates
  coupling.decompose(options.tolerance * std::max(1.0, G.norm()) *
                     largest_coupling(blocks, null_space.reaction, options.length));
  coupling.project_on_kernel(options.damping, null_space.projector);
}

ReactionNullSpace reaction_null_space(const Model& model, const State& state, Reaction reaction,
                                      const ReactionNullSpaceOptions& options) {
  options.check();
  ReactionNullSpace result(model, reaction);
  compute_reaction_null_space(Snapshot(model, state).blocks, options, result);
  return result;
}

}  // namespace spacedyn

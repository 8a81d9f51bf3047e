#include "invariants/null_space_path.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::testing {
namespace {

constexpr int kGridPoints = 400;

/// H̄, its kernel, and its derivative at the rates of a state.
struct AngularCoupling {
  AngularCoupling(const Model& model, const State& state)
      : null_space(model, Reaction::angular), rate(3, model.joint_count()) {
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    InertiaBlocks blocks(model);
    InertiaRates rates(model);
    JacobianWorkspace jacobians(model);
    InertiaRatesWorkspace workspace(model);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    compute_inertia_blocks(model, frames, jacobians, blocks);
    compute_inertia_rates(model, frames, velocities, workspace, rates);
    compute_reaction_null_space(blocks, {}, null_space);
    rate = rates.H_omega_phi_dot - tilde(rates.r_0g_dot) * blocks.J_Tw -
           tilde(blocks.r_0g) * rates.J_Tw_dot;
  }

  ReactionNullSpace null_space;
  Matrix3X rate;
};

}  // namespace

NullSpacePath::NullSpacePath(const Model& model, const State& start, VectorX zeta, double duration)
    : model_(model),
      start_(start),
      zeta_(std::move(zeta)),
      duration_(duration),
      grid_(duration / kGridPoints),
      positions_{start.q} {
  start_.v_0.setZero();
  start_.omega_0.setZero();
  State state = start_;
  VectorX qdd;
  for (int i = 1; i <= kGridPoints; ++i) {
    evaluate(i * grid_, state, qdd);
    positions_.push_back(state.q);
  }
}

VectorX NullSpacePath::rate(double time, const VectorX& q) const {
  const double s = std::sin(kPi * time / duration_);
  State posed = start_;
  posed.q = q;
  return reaction_null_space(model_, posed, Reaction::angular).projector * zeta_ * (s * s);
}

void NullSpacePath::evaluate(double time, State& state, VectorX& qdd) const {
  // one step from the last grid point that is known
  const auto known = static_cast<double>(positions_.size() - 1);
  const double i = std::min(std::max(0.0, std::floor(time / grid_)), known);
  const double t = i * grid_;
  const double h = time - t;
  const VectorX& q = positions_[static_cast<std::size_t>(i)];
  const VectorX k1 = rate(t, q);
  const VectorX k2 = rate(t + 0.5 * h, q + 0.5 * h * k1);
  const VectorX k3 = rate(t + 0.5 * h, q + 0.5 * h * k2);
  const VectorX k4 = rate(time, q + h * k3);
  state.q = q + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  evaluate_at(time, state, qdd);
}

void NullSpacePath::evaluate_at(double time, State& state, VectorX& qdd) const {
  const double s = std::sin(kPi * time / duration_), c = std::cos(kPi * time / duration_);
  state.qd = rate(time, state.q);
  State posed = start_;
  posed.q = state.q;
  posed.qd = state.qd;
  const AngularCoupling now(model_, posed);
  const MatrixX& N = now.null_space.projector;
  // Ṅ = −(H̄⁺ Ḣ̄ N) − (H̄⁺ Ḣ̄ N)ᵀ while the rank stays
  MatrixX X(N.rows(), N.cols());
  const MatrixX rate_in_kernel = now.rate * N;
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    now.null_space.coupling.solve(rate_in_kernel.col(j), 0.0, X.col(j));
  }
  qdd = N * zeta_ * (2.0 * s * c * kPi / duration_) - (X + X.transpose()) * zeta_ * (s * s);
}

}  // namespace spacedyn::testing

#include "dynamics/acceleration_size.hpp"
#include "dynamics/derivatives_workspace.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

/// Σ of six or three products of rows from @p a and @p b on.
template <int kCount>
double product(const JointTerms& x, int a, const JointTerms& y, int b) {
  // three sums side by side: the processor need not wait for each
  double sums[3] = {};
  for (int i = 0; i < kCount; ++i) sums[i % 3] += x[a + i] * y[b + i];
  return sums[0] + sums[1] + sums[2];
}

/// ∂τ of the joint above with respect to turning or moving the one below.
/// @param phi  Φ / Ψ̇ of the one below
void write_answer(const JointTerms& upper, const JointTerms& lower, double phi, bool has_wrenches,
                  double& configuration, double& velocity) {
  configuration = product<6>(upper, kTermResponse, lower, kTermTurnRate) +
                  product<3>(upper, kTermResponse + 6, lower, kTermTurn);
  if (has_wrenches) configuration += product<3>(upper, kTermResponse + 9, lower, kTermS);
  velocity = phi * product<6>(upper, kTermResponse, lower, kTermTurn) +
             product<3>(upper, kTermResponse + 6, lower, kTermS);
}

/// Row of (linear, angular) that holds element i of (angular, linear).
constexpr int base_row(int i) { return i < 3 ? i + 3 : i - 3; }

/// Writes the derivatives from the terms of all joints.
struct Writer {
  const DerivativesWorkspace::Implementation& work;
  bool has_wrenches;
  InverseDynamicsDerivatives& derivatives;

  JointTerms joint(int here) const { return {work.terms.data(), here}; }
  int row(int here) const { return work.walk[here].link + 5; }

  /// Rows and columns of one joint against all joints below it, itself included.
  void write_joint(int above) const {
    const JointTerms upper = joint(above);
    const int k = row(above);
    for (int here = above; here > 0; here = work.walk[here].parent) {
      const JointTerms lower = joint(here);
      const int j = row(here);
      write_answer(upper, lower, 2.0, has_wrenches, derivatives.configuration(k, j),
                   derivatives.velocity(k, j));
      const double H = product<6>(lower, kTermS, upper, kTermResponse) +
                       (here == above ? work.memory.tree.links[here].armature : 0.0);
      derivatives.acceleration(k, j) = derivatives.acceleration(j, k) = H;
      if (here == above) continue;
      derivatives.configuration(j, k) = product<6>(upper, kTermLoad, lower, kTermS);
      derivatives.velocity(j, k) = product<6>(upper, kTermRateLoad, lower, kTermS);
    }
  }

  /// Rows and columns of one joint and the base.
  void write_base_coupling(int here) const {
    const JointTerms terms = joint(here);
    const int k = row(here);
    for (int i = 0; i < 6; ++i) {
      const int base = base_row(i);
      derivatives.configuration(base, k) = terms[kTermLoad + i];
      derivatives.velocity(base, k) = terms[kTermRateLoad + i];
      derivatives.acceleration(base, k) = derivatives.acceleration(k, base) =
          terms[kTermResponse + i];
    }
    for (int axis = 0; axis < 3; ++axis) {
      write_answer(terms, {&work.turns, axis}, 1.0, has_wrenches,
                   derivatives.configuration(k, 3 + axis), derivatives.velocity(k, 3 + axis));
    }
  }

  void write_base() const {
    MatrixX& H = derivatives.acceleration;
    H.topLeftCorner<3, 3>().diagonal().setConstant(work.memory.tree.links[0].carried_mass);
    for (int axis = 0; axis < 3; ++axis) {
      const JointTerms turn(&work.turns, axis);
      for (int i = 0; i < 6; ++i) {
        derivatives.configuration(base_row(i), 3 + axis) = turn[kTermLoad + i];
        derivatives.velocity(base_row(i), 3 + axis) = turn[kTermRateLoad + i];
        // H_b (19)
        H(base_row(i), 3 + axis) = H(3 + axis, base_row(i)) = turn[kTermResponse + i];
      }
    }
  }
};

}  // namespace

void inverse_dynamics_derivatives(const State& state, ConstVectorRef acceleration,
                                  const Loads& loads, DerivativesWorkspace& workspace,
                                  InverseDynamicsDerivatives& derivatives) noexcept {
  DerivativesWorkspace::Implementation& work = workspace.implementation();
  TreeWorkspace::Memory& memory = work.memory;
  SPACEDYN_ASSERT(acceleration.size() == work.walk.joint_count() + 6);
  SPACEDYN_ASSERT(derivatives.configuration.rows() == work.walk.joint_count() + 6);
  // nothing is free: all accelerations are given
  memory.kernels.move(memory.tree, memory.zeros.data(), kernel_state(state), acceleration.data(),
                      memory.scratch);
  const bool has_wrenches = memory.kernels.given_terms(
      memory.tree, kernel_loads(loads), memory.scratch, work.terms.data(), &work.turns);
  const Writer writer{work, has_wrenches, derivatives};

  derivatives.configuration.setZero();
  derivatives.velocity.setZero();
  derivatives.acceleration.setZero();
  writer.write_base();
  for (int here = 1; here <= work.walk.joint_count(); ++here) {
    writer.write_base_coupling(here);
    writer.write_joint(here);
  }
}

InverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model, const State& state,
                                                        ConstVectorRef acceleration,
                                                        const Loads& loads) {
  state.check(model);
  loads.check(model);
  check_acceleration_size(model, acceleration);
  InverseDynamicsDerivatives derivatives(model);
  DerivativesWorkspace workspace(model);
  inverse_dynamics_derivatives(state, acceleration, loads, workspace, derivatives);
  return derivatives;
}

}  // namespace spacedyn

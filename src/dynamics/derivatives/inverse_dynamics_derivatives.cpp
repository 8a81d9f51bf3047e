#include "dynamics/derivatives/derivatives_workspace.hpp"
#include "kinematics/acceleration_check.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

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

  /// Φ of a turn of the base has e × w once more than Ψ̇, as seen from an origin that moves with w.
  static double answer_to_moving_origin(const JointTerms& terms, const TermBlock* turns, int axis) {
    const JointTerms turn(turns, axis);
    double answer = 0.0;
    for (int i = 0; i < 3; ++i) {
      double moving = turn[kTermTurn + 3 + i];
      for (int k = 0; k < 3; ++k) {
        moving -= turn[kTermTurn + k] * JointTerms(turns, k)[kTermS + 3 + i];
      }
      answer += terms[kTermResponse + 3 + i] * moving;
    }
    return answer;
  }

  /// Rows and columns of one joint and the base.
  void write_base_coupling(int here) const {
    const JointTerms terms = joint(here);
    const int k = row(here);
    const TermBlock* turns = work.turns.data() + work.memory.tree.origin[here];
    for (int axis = 0; axis < 3; ++axis) {
      derivatives.configuration(axis, k) = terms[kTermLoad + 3 + axis];
      derivatives.velocity(axis, k) = terms[kTermRateLoad + 3 + axis];
      derivatives.acceleration(axis, k) = terms[kTermResponse + 3 + axis];
      const JointTerms turn(turns, axis);
      derivatives.configuration(3 + axis, k) = product<6>(turn, kTermS, terms, kTermLoad);
      derivatives.velocity(3 + axis, k) = product<6>(turn, kTermS, terms, kTermRateLoad);
      derivatives.acceleration(3 + axis, k) = product<6>(turn, kTermS, terms, kTermResponse);
      write_answer(terms, turn, 1.0, has_wrenches, derivatives.configuration(k, 3 + axis),
                   derivatives.velocity(k, 3 + axis));
      derivatives.velocity(k, 3 + axis) += answer_to_moving_origin(terms, turns, axis);
    }
    derivatives.acceleration.row(k).head<6>() = derivatives.acceleration.col(k).head<6>();
  }

  /// A spherical joint turns in the axes of the link that it carries: its own rows are those of
  /// joints above one another whichever is first, and ∂τ/∂ω has H ω̃ besides.
  void correct_spherical(int first, const VectorX& qd) const {
    const Eigen::Index k = row(first);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < j; ++i) {
        derivatives.configuration(k + i, k + j) -=
            spherical_excess(joint(first + j), joint(first + i), has_wrenches);
      }
    }
    const Matrix3 turn = tilde(qd.segment<3>(k - 6));
    for (Eigen::Index i = 0; i < derivatives.velocity.rows(); ++i) {
      const Eigen::RowVector3d H = derivatives.acceleration.block<1, 3>(i, k);
      derivatives.velocity.block<1, 3>(i, k) += H * turn;
    }
  }

  void write_base() const {
    MatrixX& H = derivatives.acceleration;
    H.topLeftCorner<3, 3>().diagonal().setConstant(work.memory.tree.links[0].carried_mass);
    for (int axis = 0; axis < 3; ++axis) {
      const JointTerms turn(work.turns.data(), axis);
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
  memory.kernels.move(memory.tree, memory.zeros.data(), memory.kernel_state(state),
                      acceleration.data(), memory.scratch);
  const bool has_wrenches = memory.kernels.given_terms(
      memory.tree, kernel_loads(loads), memory.scratch, work.terms.data(), work.turns.data());
  const Writer writer{work, has_wrenches, derivatives};

  derivatives.configuration.setZero();
  derivatives.velocity.setZero();
  derivatives.acceleration.setZero();
  writer.write_base();
  for (int here = 1; here <= work.walk.joint_count(); ++here) {
    writer.write_base_coupling(here);
    writer.write_joint(here);
  }
  for (int k = 0; k < memory.tree.spherical_count; ++k) {
    writer.correct_spherical(memory.tree.spherical[k], state.qd);
  }
}

InverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model, const State& state,
                                                        ConstVectorRef acceleration,
                                                        const Loads& loads) {
  state.check(model);
  loads.check(model);
  check_acceleration(model, acceleration);
  InverseDynamicsDerivatives derivatives(model);
  DerivativesWorkspace workspace(model);
  inverse_dynamics_derivatives(state, acceleration, loads, workspace, derivatives);
  return derivatives;
}

}  // namespace spacedyn

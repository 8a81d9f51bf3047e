#include "dynamics/acceleration_size.hpp"
#include "dynamics/derivatives_workspace.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

template <int Size>
double product(const double (&a)[Size], const double* b) {
  // three sums side by side: the processor need not wait for each
  double x = 0.0, y = 0.0, z = 0.0;
  for (int i = 0; i < Size; i += 3) {
    x += a[i] * b[i];
    y += a[i + 1] * b[i + 1];
    z += a[i + 2] * b[i + 2];
  }
  return x + y + z;
}

/// Row of (linear, angular) that holds element i of (angular, linear).
constexpr int base_row(int i) { return i < 3 ? i + 3 : i - 3; }

/// Rows and columns of one joint against all joints below it, itself included.
void write_joint(const TreeWalk& walk, const std::vector<JointTerms>& joints, int above,
                 InverseDynamicsDerivatives& derivatives) {
  const JointTerms& upper = joints[static_cast<std::size_t>(above)];
  const int k = walk[above].link + 5;
  for (int here = above; here > 0; here = walk[here].parent) {
    const JointTerms& lower = joints[static_cast<std::size_t>(here)];
    const int j = walk[here].link + 5;
    derivatives.configuration(k, j) = product(lower.turn, upper.response);
    derivatives.velocity(k, j) = product(lower.rate, upper.response);
    const double H =
        product(lower.axis, upper.response) + (here == above ? walk[here].armature : 0.0);
    derivatives.acceleration(k, j) = derivatives.acceleration(j, k) = H;
    if (here == above) continue;
    derivatives.configuration(j, k) = product(upper.load, lower.axis);
    derivatives.velocity(j, k) = product(upper.rate_load, lower.axis);
  }
}

/// Rows and columns of one joint and the base.
void write_base_coupling(const DerivativeTerms& terms, int here, int k,
                         InverseDynamicsDerivatives& derivatives) {
  const JointTerms& joint = terms.joints[static_cast<std::size_t>(here)];
  for (int i = 0; i < 6; ++i) {
    const int row = base_row(i);
    derivatives.configuration(row, k) = joint.load[i];
    derivatives.velocity(row, k) = joint.rate_load[i];
    derivatives.acceleration(row, k) = derivatives.acceleration(k, row) = joint.response[i];
  }
  for (int axis = 0; axis < 3; ++axis) {
    const JointTerms& base = terms.base[static_cast<std::size_t>(axis)];
    derivatives.configuration(k, 3 + axis) = product(base.turn, joint.response);
    derivatives.velocity(k, 3 + axis) = product(base.rate, joint.response);
  }
}

void write_base(const DerivativeTerms& terms, InverseDynamicsDerivatives& derivatives) {
  for (int i = 0; i < 6; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const JointTerms& base = terms.base[static_cast<std::size_t>(axis)];
      derivatives.configuration(base_row(i), 3 + axis) = base.load[i];
      derivatives.velocity(base_row(i), 3 + axis) = base.rate_load[i];
    }
  }
  // H_b (19)
  const RigidInertia& I = terms.composites[0].I;
  const Matrix3 h = tilde(I.first_moment);
  derivatives.acceleration.topLeftCorner<6, 6>() << I.mass * Matrix3::Identity(), h.transpose(), h,
      I.rotational.matrix();
}

}  // namespace

void inverse_dynamics_derivatives(const State& state, ConstVectorRef acceleration,
                                  const Loads& loads, DerivativesWorkspace& workspace,
                                  InverseDynamicsDerivatives& derivatives) noexcept {
  DerivativesWorkspace::Implementation& work = workspace.implementation();
  const TreeWalk& walk = work.walk;
  SPACEDYN_ASSERT(acceleration.size() == walk.joint_count() + 6);
  SPACEDYN_ASSERT(derivatives.configuration.rows() == walk.joint_count() + 6);
  work.move(state, loads);
  compute_accelerations(walk, state, acceleration, loads.gravity, work.motions);
  add_inertial_forces(work.motions);
  compute_derivative_terms(walk, work.motions, work.terms);

  derivatives.configuration.setZero();
  derivatives.velocity.setZero();
  derivatives.acceleration.setZero();
  write_base(work.terms, derivatives);
  for (int here = 1; here <= walk.joint_count(); ++here) {
    write_base_coupling(work.terms, here, walk[here].link + 5, derivatives);
    write_joint(walk, work.terms.joints, here, derivatives);
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

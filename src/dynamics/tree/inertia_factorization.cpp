#include "spacedyn/dynamics/inertia_factorization.hpp"
#include "dynamics/tree/kernel_choice.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "inertia/base_inverse.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/dynamics/momentum_maps.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"

namespace spacedyn {

/// The shape of the matrix as its kernels see it, of the first free coordinates.
struct InertiaFactorization::Factors {
  Factors(const InertiaFactorization& of, std::size_t free_count)
      : tree{of.free_.data(), static_cast<int>(free_count), of.lower_.data(), of.first_.data()},
        kernels(kernels_of(of.set_)),
        L(of.L_.front().rows),
        stride(static_cast<long>(of.L_.size() / of.lower_.size()) * Rows::kCount) {}
  explicit Factors(const InertiaFactorization& of) : Factors(of, of.free_.size()) {}

  void solve(double* x) const {
    kernels.solve_inward(tree, L, stride, false, x);
    kernels.solve_outward(tree, L, stride, false, x);
  }

  CoordinateTree tree;
  const KernelTable& kernels;
  const double* L;
  long stride;
};

InertiaFactorization::InertiaFactorization(const Model& model, const Mobility& mobility)
    : set_(instruction_set()), free_(mobility.free()) {
  const auto size =
      static_cast<std::size_t>(6 + dense_size(model, "factorization of the inertia matrix"));
  lower_.assign(size, -1);
  first_.assign(size, 0);
  L_.assign(size * ((size + Rows::kCount - 1) / Rows::kCount), Rows{});
  std::vector<bool> is_free(size, false);
  for (const int i : free_) is_free[static_cast<std::size_t>(i)] = true;
  // the base is a chain of six coordinates; what is not free is passed over
  for (std::size_t i = 1; i < size; ++i) {
    const int joint = static_cast<int>(i) - 5;
    const std::size_t below =
        joint < 1 ? i - 1 : static_cast<std::size_t>(model.topology().connection(joint) + 5);
    lower_[i] = is_free[below] ? static_cast<int>(below) : lower_[below];
    first_[i] = lower_[i] + 1 == static_cast<int>(i) ? first_[i - 1] : static_cast<int>(i);
  }
}

DynamicsStatus InertiaFactorization::factorize(const Eigen::Ref<const MatrixX>& H) noexcept {
  SPACEDYN_ASSERT(H.rows() == size() && H.cols() == size());
  const Factors factors(*this);
  return factors.kernels.factorize(factors.tree, H.data(), H.outerStride(), kLeastPivot,
                                   L_.front().rows, factors.stride)
             ? DynamicsStatus::ok
             : DynamicsStatus::inertia_not_positive_definite;
}

void InertiaFactorization::clear_prescribed(VectorRef x) const noexcept {
  SPACEDYN_ASSERT(x.size() == size());
  std::size_t next = 0;
  for (int i = 0; i < static_cast<int>(x.size()); ++i) {
    if (next < free_.size() && free_[next] == i) {
      ++next;
    } else {
      x(i) = 0.0;
    }
  }
}

void InertiaFactorization::solve(VectorRef x) const noexcept {
  clear_prescribed(x);
  Factors(*this).solve(x.data());
}

void InertiaFactorization::solve_from_tips(VectorRef x) const noexcept {
  clear_prescribed(x);
  const Factors factors(*this);
  factors.kernels.solve_inward(factors.tree, factors.L, factors.stride, true, x.data());
}

void InertiaFactorization::solve_from_base(VectorRef x) const noexcept {
  clear_prescribed(x);
  const Factors factors(*this);
  factors.kernels.solve_outward(factors.tree, factors.L, factors.stride, true, x.data());
}

void InertiaFactorization::inverse(Eigen::Ref<MatrixX> H_inverse) const noexcept {
  SPACEDYN_ASSERT(H_inverse.rows() == size() && H_inverse.cols() == size());
  H_inverse.setZero();
  for (std::size_t k = 0; k < free_.size(); ++k) {
    // what is farther from the base is known by symmetry
    double* column = H_inverse.col(free_[k]).data();
    column[free_[k]] = 1.0;
    Factors(*this, k + 1).solve(column);
  }
  H_inverse.triangularView<Eigen::StrictlyLower>() = H_inverse.transpose();
}

namespace {

using MomentumMap = Eigen::Map<Matrix6X>;

/// A_0 in memory of the workspace.
MomentumMap momentum_of(TreeWorkspace::Memory& memory) {
  memory.kernels.momentum_matrix(memory.tree, memory.scratch, memory.momentum.data());
  return {memory.momentum.data(), 6, memory.tree.bodies + 5};
}

}  // namespace

void momentum_matrix(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> A_0) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(A_0.cols() == memory.tree.bodies + 5);
  A_0 = momentum_of(memory);
}

void centroidal_momentum_matrix(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> A_g) noexcept {
  momentum_matrix(workspace, A_g);
  const double w = A_g(0, 0);
  if (!(w > 0.0)) return;
  // the lower left block of H_b is w r̃_0g
  const Vector3 r_0g = Vector3(A_g(5, 1), A_g(3, 2), A_g(4, 0)) / w;
  for (Eigen::Index j = 0; j < A_g.cols(); ++j) {
    const Vector3 P = A_g.col(j).head<3>();
    A_g.col(j).tail<3>() -= r_0g.cross(P);
  }
}

InertiaStatus compute_base_response(TreeWorkspace& workspace, BaseResponse& response) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(response.D.cols() + 1 == memory.tree.bodies);
  const MomentumMap A_0 = momentum_of(memory);
  response.H_b_inverse.setZero();
  const InertiaStatus status = memory.mobility.base_free()
                                   ? invert_base_inertia(A_0.leftCols<6>(), response.H_b_inverse)
                                   : InertiaStatus::ok;
  response.D.noalias() = -response.H_b_inverse.lazyProduct(A_0.rightCols(response.D.cols()));
  return status;
}

void joint_twists(TreeWorkspace& workspace, Eigen::Ref<Matrix6X> S) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(S.cols() + 1 == memory.tree.bodies);
  memory.kernels.joint_twists(memory.tree, memory.scratch, S.data());
}

InertiaStatus generalized_jacobian(TreeWorkspace& workspace, const Frame& frame,
                                   Eigen::Ref<Matrix6X> J_star) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(J_star.cols() + 1 == memory.tree.bodies);
  const int entry = memory.constants.entry()[static_cast<std::size_t>(frame.body)];
  if (!memory.mobility.base_free()) {
    memory.kernels.point_jacobian(memory.tree, memory.scratch, entry, frame.position.data(),
                                  J_star.data(), nullptr);
    return InertiaStatus::ok;
  }
  return memory.kernels.generalized_jacobian(memory.tree, memory.scratch, entry,
                                             frame.position.data(), kLeastPivot, J_star.data())
             ? InertiaStatus::ok
             : InertiaStatus::singular_base_inertia;
}

void composite_rigid_body(const State& state, TreeWorkspace& workspace,
                          Eigen::Ref<MatrixX> H) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  const bool with_base = H.rows() != state.q.size();
  SPACEDYN_ASSERT(H.rows() == state.q.size() + (with_base ? 6 : 0) && H.cols() == H.rows());
  memory.kernels.update_positions(memory.tree, memory.kernel_state(state), memory.scratch);
  memory.kernels.composite_body(memory.tree, memory.scratch, with_base, H.data(),
                                static_cast<int>(H.outerStride()));
}

DynamicsStatus solve_inertia(const State& state, ConstVectorRef b, TreeWorkspace& workspace,
                             VectorRef x) noexcept {
  TreeWorkspace::Memory& memory = workspace.memory();
  SPACEDYN_ASSERT(state.q.size() + 1 == memory.tree.bodies);
  SPACEDYN_ASSERT(b.size() == state.q.size() + 6 && x.size() == b.size());
  // at rest, prescribed coordinates kept there
  const Vector3 zero = Vector3::Zero();
  KernelState<double> rest = memory.kernel_state(state);
  rest.omega_0 = zero.data();
  rest.qd = memory.zeros.data();
  x.setZero();
  memory.kernels.move(memory.tree, memory.free.data(), rest, x.data(), memory.scratch);
  const KernelLoads<double> loads{zero.data(), b.data(), b.data() + 6, nullptr, nullptr};
  return solve_articulated_bodies(memory, loads, x.data(), memory.ignored.data());
}

}  // namespace spacedyn

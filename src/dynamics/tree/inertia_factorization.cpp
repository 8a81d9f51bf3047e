#include "spacedyn/dynamics/inertia_factorization.hpp"

#include "dynamics/tree/kernel_choice.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"

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

}  // namespace spacedyn

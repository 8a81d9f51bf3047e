#include "spacedyn/dynamics/inertia_factorization.hpp"

#include <cmath>

#include "inertia/dense_size.hpp"
#include "inertia/least_pivot.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {

InertiaFactorization::InertiaFactorization(const Model& model, const Mobility& mobility)
    : free_(mobility.free()), lower_(static_cast<std::size_t>(model.velocity_size()), -1) {
  const int size = 6 + dense_size(model, "factorization of the inertia matrix");
  L_ = MatrixX::Zero(size, size);
  std::vector<bool> is_free(static_cast<std::size_t>(size), false);
  for (const int i : free_) is_free[static_cast<std::size_t>(i)] = true;
  // the base is a chain of six coordinates; what is not free is passed over
  for (int i = 1; i < size; ++i) {
    const int body = i < 6 ? 0 : model.topology().connection(i - 5);
    const int below = i < 6 ? i - 1 : body + 5;
    const auto b = static_cast<std::size_t>(below);
    lower_[static_cast<std::size_t>(i)] = is_free[b] ? below : lower_[b];
  }
}

DynamicsStatus InertiaFactorization::factorize(const Eigen::Ref<const MatrixX>& H) noexcept {
  SPACEDYN_ASSERT(H.rows() == L_.rows() && H.cols() == L_.cols());
  L_.triangularView<Eigen::Upper>() = H;
  for (auto last = free_.rbegin(); last != free_.rend(); ++last) {
    const int k = *last;
    const double D = L_(k, k);
    // written so that NaN fails
    if (!(D > kLeastPivot * H(k, k))) return DynamicsStatus::inertia_not_positive_definite;
    for (int i = lower_[static_cast<std::size_t>(k)]; i >= 0;
         i = lower_[static_cast<std::size_t>(i)]) {
      const double l = L_(i, k) / D;
      // H_ij −= l_ki D l_kj of all that is nearer to the base
      for (int j = i; j >= 0; j = lower_[static_cast<std::size_t>(j)]) L_(j, i) -= l * L_(j, k);
      L_(i, k) = l;
    }
  }
  return DynamicsStatus::ok;
}

void InertiaFactorization::solve_from(int last, VectorRef x) const noexcept {
  // x ← D⁻¹ L⁻ᵀ x, from the tips; nothing beyond `last` is loaded
  for (auto row = free_.rbegin(); row != free_.rend(); ++row) {
    const int i = *row;
    if (i > last) continue;
    for (int j = lower_[static_cast<std::size_t>(i)]; j >= 0;
         j = lower_[static_cast<std::size_t>(j)]) {
      x(j) -= L_(j, i) * x(i);
    }
    x(i) /= L_(i, i);
  }
  // x ← L⁻¹ x, from the base
  for (const int i : free_) {
    for (int j = lower_[static_cast<std::size_t>(i)]; j >= 0;
         j = lower_[static_cast<std::size_t>(j)]) {
      x(i) -= L_(j, i) * x(j);
    }
  }
}

void InertiaFactorization::clear_prescribed(VectorRef x) const noexcept {
  SPACEDYN_ASSERT(x.size() == L_.rows());
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
  solve_from(static_cast<int>(x.size()), x);
}

void InertiaFactorization::solve_from_tips(VectorRef x) const noexcept {
  clear_prescribed(x);
  for (auto row = free_.rbegin(); row != free_.rend(); ++row) {
    const int i = *row;
    if (x(i) == 0.0) continue;
    for (int j = lower_[static_cast<std::size_t>(i)]; j >= 0;
         j = lower_[static_cast<std::size_t>(j)]) {
      x(j) -= L_(j, i) * x(i);
    }
    x(i) /= std::sqrt(L_(i, i));
  }
}

void InertiaFactorization::solve_from_base(VectorRef x) const noexcept {
  clear_prescribed(x);
  for (const int i : free_) {
    x(i) /= std::sqrt(L_(i, i));
    for (int j = lower_[static_cast<std::size_t>(i)]; j >= 0;
         j = lower_[static_cast<std::size_t>(j)]) {
      x(i) -= L_(j, i) * x(j);
    }
  }
}

void InertiaFactorization::inverse(Eigen::Ref<MatrixX> H_inverse) const noexcept {
  SPACEDYN_ASSERT(H_inverse.rows() == L_.rows() && H_inverse.cols() == L_.cols());
  H_inverse.setZero();
  for (const int k : free_) {
    H_inverse(k, k) = 1.0;
    solve_from(k, H_inverse.col(k));
  }
  H_inverse.triangularView<Eigen::StrictlyLower>() = H_inverse.transpose();
}

}  // namespace spacedyn

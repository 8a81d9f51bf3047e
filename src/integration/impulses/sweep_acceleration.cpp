#include "integration/impulses/sweep_acceleration.hpp"

#include <Eigen/Cholesky>

namespace spacedyn {
namespace {

/// Part of the squares below which changes follow from each other.
constexpr double kDependentChange = 1e-12;

}  // namespace

void SweepAcceleration::reserve(Eigen::Index size) {
  for (VectorX* vector : {&change_, &last_change_, &last_y_}) vector->resize(size);
  for (VectorX& vector : d_change_) vector.resize(size);
  for (VectorX& vector : d_y_) vector.resize(size);
}

void SweepAcceleration::extrapolate(ConstVectorRef x, VectorRef y) {
  const Eigen::Index size = x.size();
  if (change_.size() < size) {
    reserve(2 * size);
    restart();
  }
  auto change = change_.head(size);
  change = y - x;
  if (count_ > 0) {
    const auto at = static_cast<std::size_t>((count_ - 1) % kMemory);
    d_change_[at].head(size) = change - last_change_.head(size);
    d_y_[at].head(size) = y - last_y_.head(size);
  }
  last_change_.head(size) = change;
  last_y_.head(size) = y;
  const int kept = std::min(count_, kMemory);
  ++count_;
  if (kept == 0) return;
  Small squares(kept, kept);
  SmallVector right(kept);
  for (int i = 0; i < kept; ++i) {
    const auto own = d_change_[static_cast<std::size_t>(i)].head(size);
    right(i) = own.dot(change);
    for (int k = 0; k <= i; ++k) {
      squares(i, k) = squares(k, i) = own.dot(d_change_[static_cast<std::size_t>(k)].head(size));
    }
  }
  squares.diagonal().array() *= 1.0 + kDependentChange;
  squares.diagonal().array() += 1e-300;
  const SmallVector weights = squares.ldlt().solve(right);
  if (!weights.allFinite()) return restart();
  for (int i = 0; i < kept; ++i) {
    y -= weights(i) * d_y_[static_cast<std::size_t>(i)].head(size);
  }
}

}  // namespace spacedyn

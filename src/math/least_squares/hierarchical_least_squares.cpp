#include "spacedyn/math/hierarchical_least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "math/least_squares/active_limits.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// What rounding leaves of rows that depend on others, relative to the matrix.
constexpr double kRounding = 1e-13;
/// Multipliers within it of the gradient's scale are zero.
constexpr double kMultiplier = 1e-13;
/// Multipliers beyond it are none of rounding.
constexpr double kHolding = 1e-9;

}  // namespace

struct HierarchicalLeastSquares::Memory {
  Memory(const Sizes& of, double tolerance)
      : sizes(of),
        rank_tolerance(tolerance),
        limits(of.unknowns, of.limits),
        level(std::max(of.rows, 1), of.unknowns),
        step(std::max(of.rows, 1), of.unknowns),
        exact(std::max(of.rows, 1), of.unknowns),
        kernel(of.unknowns, of.unknowns),
        Z(of.unknowns, of.unknowns),
        M(of.rows, of.unknowns),
        rotated(of.rows, of.unknowns),
        x(VectorX::Zero(of.unknowns)),
        d(of.unknowns),
        p(of.unknowns),
        z(of.unknowns),
        residual(of.rows) {}

  void start() {
    x.setZero();
    Z.setIdentity();
    dimension = sizes.unknowns;
    level_rank = 0;
    latest = nullptr;
    is_unique = false;
    is_shortest = true;
  }
  void leave_level();
  void decide_rank(const Eigen::Ref<const MatrixX>& A);
  void truncate(const Eigen::Ref<const MatrixX>& A, double size);
  void take_step(Eigen::Index rows, double damping);
  bool shorten_in_place();
  bool minimize(const Eigen::Ref<const MatrixX>& A, ConstVectorRef b, double damping);

  Sizes sizes;
  double rank_tolerance;
  ActiveLimits limits;
  RowSpace level, step;  // of M, and of M in what the active limits leave
  SingularValues exact;  // of M Zᵀ, where rounding does not decide the rank
  MatrixX kernel;        // of the same
  MatrixX Z;             // its first columns span what the levels above leave
  Eigen::Index dimension = 0;
  int level_rank = 0;          // of the latest level, which Z does not know of yet
  double norm = 0.0;           // of M
  RowSpace* latest = nullptr;  // of the latest step
  bool is_unique = false;      // by damping, the latest level leaves nothing
  bool is_shortest = true;     // no limit has been active
  MatrixX M, rotated;          // A Z and A Z Q
  VectorX x, d, p, z, residual;
};

/// Z ← what the latest level leaves of it.
void HierarchicalLeastSquares::Memory::leave_level() {
  if (level_rank == 0) return;
  level.rotate(Z.leftCols(dimension));
  const Eigen::Index left = dimension - level_rank;
  for (Eigen::Index j = 0; j < left; ++j) Z.col(j) = Z.col(j + level_rank);
  dimension = left;
  level_rank = 0;
}

/// Factorizes M; singular values below the tolerance are taken out of it.
void HierarchicalLeastSquares::Memory::decide_rank(const Eigen::Ref<const MatrixX>& A) {
  const double size = A.norm();
  const auto rows = M.topLeftCorner(A.rows(), dimension);
  level.factorize(rows, kRounding * size);
  level_rank = level.rank();
  if (level_rank == 0) return;
  // the largest singular value is between |A|/√rows and |A|
  const bool is_certain = level.least_singular_value() > rank_tolerance * size;
  if (is_certain && level.rest() <= 10.0 * kRounding * size) return;
  truncate(A, size);
  level.factorize(rows, kRounding * size);
  level_rank = level.rank();
}

void HierarchicalLeastSquares::Memory::truncate(const Eigen::Ref<const MatrixX>& A, double size) {
  const Eigen::Index rows = A.rows();
  exact.matrix().setZero();
  exact.matrix().topRows(rows) = A;
  exact.decompose(0.0);
  const double threshold = std::max(rank_tolerance * exact.sigma()(0), kRounding * size);
  exact.matrix().setZero();
  for (Eigen::Index j = 0; j < dimension; ++j)
    exact.matrix().col(j).head(rows) = M.col(j).head(rows);
  exact.decompose(threshold);
  exact.project_on_kernel(0.0, kernel);
  exact.matrix().noalias() -= exact.matrix().lazyProduct(kernel);
  M.topLeftCorner(rows, dimension) = exact.matrix().topLeftCorner(rows, dimension);
}

/// p, from x to the least squares of what the active limits leave, in the axes of Q; d = Z Q p.
void HierarchicalLeastSquares::Memory::take_step(Eigen::Index rows, double damping) {
  const Eigen::Index held = limits.count(), left = dimension - held;
  auto all = p.head(dimension);
  all.head(held).setZero();
  auto own = all.tail(left);
  const auto M_left = rotated.topRows(rows).middleCols(held, left);
  const bool is_whole = limits.is_trivial();
  RowSpace& space = is_whole ? level : step;
  if (!is_whole) step.factorize(M_left, kRounding * norm);
  latest = &space;
  if (damping > 0.0) {
    auto z_all = z.head(dimension);
    z_all.noalias() = Z.leftCols(dimension).transpose().lazyProduct(x);
    limits.to_active(z_all);
    residual.head(rows).noalias() += M_left.lazyProduct(z_all.tail(left));
    space.solve(residual.head(rows), damping, own);
    own -= z_all.tail(left);
  } else {
    space.solve(residual.head(rows), 0.0, own);
  }
  limits.from_active(all);
  if (dimension == sizes.unknowns) {
    d = all;
  } else {
    d.noalias() = Z.leftCols(dimension).lazyProduct(all);
  }
}

bool HierarchicalLeastSquares::Memory::minimize(const Eigen::Ref<const MatrixX>& A,
                                                ConstVectorRef b, double damping) {
  const Eigen::Index rows = A.rows();
  leave_level();
  latest = nullptr;
  if (dimension == 0) return true;
  const auto Z_left = Z.leftCols(dimension);
  auto M_left = M.topLeftCorner(rows, dimension);
  if (dimension == sizes.unknowns) {
    M_left = A;  // Z is the identity until a level has left less
  } else {
    M_left.noalias() = A.lazyProduct(Z_left);
  }
  decide_rank(A);
  auto MQ = rotated.topLeftCorner(rows, dimension);
  MQ = M_left;
  limits.enter(Z_left, MQ);
  norm = M_left.norm();
  is_unique = damping > 0.0;
  const int most = 20 * (sizes.unknowns + sizes.limits) + 20;
  int stalls = 0, at_release = sizes.limits + 1;
  bool in_blocks = limits.swaps();
  for (int exchange = 0; exchange < most; ++exchange) {
    residual.head(rows) = b;
    residual.head(rows).noalias() -= A.lazyProduct(x);
    const double scale = norm * (b.norm() + norm * x.norm()) + damping * damping * x.norm();
    take_step(rows, damping);
    if (in_blocks && limits.project(d, MQ, x)) {
      is_shortest = false;
      continue;
    }
    double part = 1.0;
    const int block = limits.find_block(x, d, part);
    x += part * d;
    if (block >= 0) {
      stalls = part > 0.0 ? 0 : stalls + 1;
      limits.activate(block, d, Z_left, MQ, x);
      is_shortest = false;
      continue;
    }
    if (limits.count() == 0) return true;
    residual.head(rows) = b;
    residual.head(rows).noalias() -= A.lazyProduct(x);
    auto g = p.head(dimension);
    g.noalias() = M_left.transpose().lazyProduct(residual.head(rows));
    if (damping > 0.0) {
      z.head(dimension).noalias() = Z_left.transpose().lazyProduct(x);
      g -= damping * damping * z.head(dimension);
    }
    // as many as before: what was released many at a time has come back
    in_blocks = in_blocks && limits.count() < at_release;
    at_release = limits.count();
    int place = -1;
    if (in_blocks) {
      if (limits.release_all(g, kMultiplier * scale, MQ)) continue;
    } else {
      place = limits.find_release(g, kMultiplier * scale, stalls > sizes.unknowns);
    }
    if (place < 0) {
      // of a damped level they hold back |x|, too, which lower levels may change
      if (damping == 0.0) limits.lock(kHolding * scale);
      return true;
    }
    limits.release(place, Z_left, M_left, MQ);
  }
  return false;
}

/// The shortest, if the active limits are those that the latest level cannot do without, and no
/// other is in the way: then x without its part in what that level leaves.
bool HierarchicalLeastSquares::Memory::shorten_in_place() {
  if (latest == nullptr || !limits.are_locked()) return false;
  const Eigen::Index held = limits.count(), left = dimension - held;
  auto all = p.head(dimension);
  all.noalias() = Z.leftCols(dimension).transpose().lazyProduct(x);
  limits.to_active(all);
  all.head(held).setZero();
  latest->leave(all.tail(left));
  limits.from_active(all);
  d.noalias() = -Z.leftCols(dimension).lazyProduct(all);
  double part = 1.0;
  if (limits.find_block(x, d, part) >= 0) return false;
  x += d;
  return true;
}

HierarchicalLeastSquares::HierarchicalLeastSquares(const Sizes& sizes, double rank_tolerance)
    : memory_(std::make_unique<Memory>(sizes, rank_tolerance)) {}
HierarchicalLeastSquares::~HierarchicalLeastSquares() = default;
HierarchicalLeastSquares::HierarchicalLeastSquares(HierarchicalLeastSquares&&) noexcept = default;
HierarchicalLeastSquares& HierarchicalLeastSquares::operator=(HierarchicalLeastSquares&&) noexcept =
    default;

const HierarchicalLeastSquares::Sizes& HierarchicalLeastSquares::sizes() const {
  return memory_->sizes;
}

void HierarchicalLeastSquares::start() {
  memory_->start();
  memory_->limits.clear();
}

void HierarchicalLeastSquares::start(ConstVectorRef lower, ConstVectorRef upper) {
  SPACEDYN_ASSERT(lower.size() == memory_->sizes.unknowns && upper.size() == lower.size());
  memory_->start();
  memory_->limits.set(nullptr, lower, upper);
  memory_->limits.clamp(memory_->x);
  memory_->is_shortest = memory_->limits.count() == 0;
}

void HierarchicalLeastSquares::start(const Eigen::Ref<const MatrixX>& C, ConstVectorRef lower,
                                     ConstVectorRef upper, ConstVectorRef feasible) {
  SPACEDYN_ASSERT(C.rows() <= memory_->sizes.limits && lower.size() == C.rows());
  memory_->start();
  memory_->limits.set(&C, lower, upper);
  memory_->x = feasible;
  memory_->is_shortest = feasible.isZero(0.0);
}

bool HierarchicalLeastSquares::minimize(const Eigen::Ref<const MatrixX>& A, ConstVectorRef b,
                                        double damping) {
  SPACEDYN_ASSERT(A.rows() <= memory_->sizes.rows && A.cols() == memory_->sizes.unknowns);
  return memory_->minimize(A, b, damping);
}

bool HierarchicalLeastSquares::shorten() {
  Memory& memory = *memory_;
  // steps that limits do not cut are the shortest
  if (memory.is_shortest || memory.is_unique || memory.shorten_in_place()) return true;
  // no rows at all: what is least is |x|
  return memory.minimize(memory.M.topRows(0), memory.residual.head(0), 1.0);
}

const VectorX& HierarchicalLeastSquares::solution() const { return memory_->x; }

int HierarchicalLeastSquares::side(int limit) const { return memory_->limits.side(limit); }

}  // namespace spacedyn

// Hierarchical least squares within limits: all sets of active limits tried, and minimum
// conditions.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "spacedyn/math/hierarchical_least_squares.hpp"
#include "support/allocation_guard.hpp"

namespace spacedyn::testing::hierarchical_least_squares_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Problems {
 public:
  explicit Problems(unsigned seed) : engine_(seed) {}
  int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  double number() { return normal_(engine_); }
  MatrixX matrix(int rows, int columns) {
    MatrixX M(rows, columns);
    for (double& value : M.reshaped()) value = number();
    return M;
  }
  VectorX vector(int size) { return matrix(size, 1); }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

struct Limits {
  bool is_box;
  MatrixX C;
  VectorX lower, upper, feasible;
};

Limits random_limits(Problems& random, int unknowns) {
  Limits limits;
  limits.is_box = random.below(2) == 0;
  const int count = limits.is_box ? unknowns : 1 + random.below(5);
  limits.C = limits.is_box ? MatrixX(MatrixX::Identity(unknowns, unknowns))
                           : random.matrix(count, unknowns);
  limits.feasible = random.vector(unknowns);
  limits.lower = limits.upper = limits.C * limits.feasible;
  for (int i = 0; i < count; ++i) {
    // some hold with equality, on one side or both, some are infinite
    if (random.below(5) > 0) limits.lower(i) -= std::abs(random.number());
    if (random.below(5) > 0) limits.upper(i) += std::abs(random.number());
    if (random.below(6) == 0) limits.lower(i) = -kInfinity;
    if (random.below(6) == 0) limits.upper(i) = kInfinity;
  }
  return limits;
}

struct Level {
  MatrixX A;
  VectorX b;
  double damping;
};

double value(const Level& level, const VectorX& x) {
  return (level.A * x - level.b).squaredNorm() + level.damping * level.damping * x.squaredNorm();
}

MatrixX kernel(const MatrixX& A, Eigen::Index columns) {
  if (columns == 0) return MatrixX(0, 0);
  if (A.rows() == 0) return MatrixX::Identity(columns, columns);
  Eigen::FullPivLU<MatrixX> lu(A);
  lu.setThreshold(1e-9);
  return lu.dimensionOfKernel() == 0 ? MatrixX(columns, 0) : MatrixX(lu.kernel());
}

VectorX solve(const MatrixX& A, const VectorX& b) {
  if (A.cols() == 0) return VectorX(0);
  Eigen::CompleteOrthogonalDecomposition<MatrixX> factors(A);
  factors.setThreshold(1e-9);
  return factors.solve(b);
}

/// The least value of a level among all x with E x = E x_0, by all sets of limits that may be
/// active.
double least_value(const Limits& limits, const MatrixX& E, const VectorX& x_0, const Level& level) {
  const Eigen::Index n = x_0.size(), count = limits.C.rows();
  const MatrixX Z = kernel(E, n);
  double best = kInfinity;
  const int choices = static_cast<int>(std::lround(std::pow(3.0, static_cast<double>(count))));
  for (int choice = 0; choice < choices; ++choice) {
    MatrixX C(0, n);
    VectorX ends(0);
    int digits = choice;
    for (Eigen::Index i = 0; i < count; ++i, digits /= 3) {
      if (digits % 3 == 0) continue;
      C.conservativeResize(C.rows() + 1, n);
      ends.conservativeResize(C.rows());
      C.row(C.rows() - 1) = limits.C.row(i);
      ends(C.rows() - 1) = digits % 3 == 1 ? limits.lower(i) : limits.upper(i);
    }
    if (!ends.allFinite()) continue;
    const MatrixX G = C * Z;
    const VectorX need = ends - C * x_0;
    VectorX x = x_0;
    if (C.rows() > 0) {
      const VectorX w = solve(G, need);
      if ((G * w - need).norm() > 1e-9) continue;
      x += Z * w;
    }
    const MatrixX K = Z * kernel(G, Z.cols());
    if (K.cols() > 0) {
      MatrixX stacked(level.A.rows() + n, K.cols());
      stacked << level.A * K, level.damping * K;
      VectorX right(stacked.rows());
      right << level.b - level.A * x, -level.damping * x;
      x += K * solve(stacked, right);
    }
    const VectorX reached = limits.C * x;
    if ((reached - limits.lower).minCoeff() < -1e-9) continue;
    if ((limits.upper - reached).minCoeff() < -1e-9) continue;
    best = std::min(best, value(level, x));
  }
  return best;
}

Level random_level(Problems& random, int unknowns) {
  Level level;
  const int rows = 1 + random.below(4);
  level.A = random.matrix(rows, unknowns);
  level.b = random.vector(rows);
  level.damping = random.below(4) == 0 ? 0.3 : 0.0;
  if (rows > 1 && random.below(4) == 0) level.A.row(1) = level.A.row(0);
  if (random.below(5) == 0) level.A.col(random.below(unknowns)).setZero();
  return level;
}

void expect_best(Problems& random) {
  const int unknowns = 1 + random.below(4);
  const Limits limits = random_limits(random, unknowns);
  HierarchicalLeastSquares solver({unknowns, static_cast<int>(limits.C.rows()), 4});
  if (limits.is_box) {
    solver.start(limits.lower, limits.upper);
  } else {
    solver.start(limits.C, limits.lower, limits.upper, limits.feasible);
  }
  MatrixX E(0, unknowns);
  const int levels = 1 + random.below(3);
  for (int k = 0; k <= levels; ++k) {
    const bool is_last = k == levels;
    const VectorX before = solver.solution();
    Level level = random_level(random, unknowns);
    if (is_last) {
      level = {MatrixX::Identity(unknowns, unknowns), VectorX::Zero(unknowns), 0.0};
    }
    ASSERT_TRUE(is_last ? solver.shorten() : solver.minimize(level.A, level.b, level.damping));
    const VectorX& x = solver.solution();
    const double best = least_value(limits, E, before, level);
    ASSERT_NEAR(value(level, x), best, 1e-9 * (1.0 + best)) << "level " << k << " of " << levels;
    // limits, and what was found above, to rounding
    const VectorX reached = limits.C * x;
    const double rounding = 1e-12 * (1.0 + x.norm());
    ASSERT_GE((reached - limits.lower).minCoeff(), -rounding);
    ASSERT_GE((limits.upper - reached).minCoeff(), -rounding);
    ASSERT_LE((E * (x - before)).norm(), rounding);
    E.conservativeResize(E.rows() + level.A.rows(), unknowns);
    E.bottomRows(level.A.rows()) = level.A;
  }
}

TEST(HierarchicalLeastSquares, IsAsGoodAsAllSetsOfLimits) {
  const char* count = std::getenv("SPACEDYN_PROBLEMS");
  const int problems = count != nullptr ? std::atoi(count) : 1000;
  for (int problem = 0; problem < problems && !HasFatalFailure(); ++problem) {
    SCOPED_TRACE("seed " + std::to_string(problem));
    Problems random(static_cast<unsigned>(problem));
    expect_best(random);
  }
}

TEST(HierarchicalLeastSquares, FulfilsTheConditionsOfAMinimum) {
  // Karush, Kuhn and Tucker: the slope vanishes inside, and points outward at a limit
  Problems random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int columns = 1 + trial % 30, rows = columns + 3;
    const MatrixX A = random.matrix(rows, columns);
    const VectorX b = 3.0 * random.vector(rows);
    HierarchicalLeastSquares solver({columns, columns, rows});
    solver.start(VectorX::Zero(columns), VectorX::Ones(columns));
    ASSERT_TRUE(solver.minimize(A, b));
    const VectorX u = solver.solution(), slope = A.transpose() * (b - A * u);
    for (int j = 0; j < columns; ++j) {
      EXPECT_TRUE(u(j) >= 0.0 && u(j) <= 1.0);
      EXPECT_EQ(solver.side(j), u(j) == 0.0 ? -1 : u(j) == 1.0 ? 1 : 0);
      EXPECT_TRUE(u(j) == 0.0 || slope(j) >= -1e-10);
      EXPECT_TRUE(u(j) == 1.0 || slope(j) <= 1e-10);
    }
  }
}

TEST(HierarchicalLeastSquares, EndsNearSingularMatricesWithoutDamping) {
  // rows that nearly depend on others ask for large steps, and limits are met from both sides
  Problems random(11);
  for (int trial = 0; trial < 20000; ++trial) {
    const int columns = 3 + trial % 6, rows = 1 + trial % 4;
    MatrixX A = random.matrix(rows, columns);
    if (rows > 1) A.row(rows - 1) = A.row(0) + std::pow(10.0, -(trial % 9)) * A.row(rows - 1);
    const VectorX b = 3.0 * random.vector(rows);
    VectorX lower = -random.vector(columns).cwiseAbs(), upper = random.vector(columns).cwiseAbs();
    if (trial % 7 == 0) lower(0) = 0.0;
    HierarchicalLeastSquares solver({columns, columns, columns});
    solver.start(lower, upper);
    ASSERT_TRUE(solver.minimize(A, b)) << trial;
    const VectorX u = solver.solution(), slope = A.transpose() * (b - A * u);
    ASSERT_TRUE(solver.shorten()) << trial;
    EXPECT_LE((A * (solver.solution() - u)).norm(), 1e-6 * (A * u).norm() + 1e-9) << trial;
    // singular values that count as zero are not asked for: the slope along these stays
    if (trial % 9 > 1) continue;
    const double size = 1e-9 * A.norm() * (b.norm() + A.norm() * u.norm());
    for (int j = 0; j < columns; ++j) {
      EXPECT_TRUE(u(j) <= lower(j) || slope(j) >= -size) << trial;
      EXPECT_TRUE(u(j) >= upper(j) || slope(j) <= size) << trial;
    }
  }
}

TEST(HierarchicalLeastSquares, IsThePseudoInverseWithoutLimits) {
  Problems random(6);
  for (const double damping : {0.0, 0.2}) {
    const MatrixX J_1 = random.matrix(3, 7), J_2 = random.matrix(6, 7);
    const VectorX b_1 = random.vector(3), b_2 = random.vector(6);
    HierarchicalLeastSquares solver({7, 0, 6});
    solver.start();
    solver.minimize(J_1, b_1, damping);
    solver.minimize(J_2, b_2, damping);
    const auto inverse = [damping](const MatrixX& J) {
      return MatrixX(J.transpose() *
                     (J * J.transpose() + damping * damping * MatrixX::Identity(J.rows(), J.rows()))
                         .completeOrthogonalDecomposition()
                         .pseudoInverse());
    };
    const VectorX y = inverse(J_1) * b_1;
    const MatrixX N =
        MatrixX::Identity(7, 7) - J_1.completeOrthogonalDecomposition().pseudoInverse() * J_1;
    const VectorX expected = y + inverse(J_2 * N) * (b_2 - J_2 * y);
    EXPECT_LE((solver.solution() - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(HierarchicalLeastSquares, LeavesSmallSingularValuesFree) {
  // 1e-5 of the largest is asked for, 1e-7 is not, and the level below has it
  const auto solve_with = [](double sigma) {
    MatrixX A = MatrixX::Zero(2, 3);
    A(0, 0) = 4.0;
    A(1, 1) = 4.0 * sigma;
    HierarchicalLeastSquares solver({3, 0, 3});
    solver.start();
    solver.minimize(A, Eigen::Vector2d(4.0, 4.0 * sigma));
    solver.minimize(MatrixX::Identity(3, 3), Eigen::Vector3d(5.0, 6.0, 7.0));
    return VectorX(solver.solution());
  };
  EXPECT_LE((solve_with(1e-5) - Eigen::Vector3d(1.0, 1.0, 7.0)).norm(), 1e-12);
  EXPECT_LE((solve_with(1e-7) - Eigen::Vector3d(1.0, 6.0, 7.0)).norm(), 1e-12);
}

TEST(HierarchicalLeastSquares, KnowsNoScale) {
  Problems random(7);
  const MatrixX A = random.matrix(4, 6), P = random.matrix(6, 6);
  const VectorX b = 4.0 * random.vector(4), c = random.vector(6);
  const auto solve_at = [&](double size, double row) {
    HierarchicalLeastSquares solver({6, 6, 6});
    solver.start(VectorX::Constant(6, -size), VectorX::Constant(6, size));
    solver.minimize(row * A, size * row * b);
    solver.minimize(P, size * c);
    return VectorX(solver.solution() / size);
  };
  const VectorX expected = solve_at(1.0, 1.0);
  for (const double size : {1e-12, 1e12}) {
    for (const double row : {1e-9, 1e9}) {
      EXPECT_LE((solve_at(size, row) - expected).norm(), 1e-11 * expected.norm());
    }
  }
}

TEST(HierarchicalLeastSquares, AllocatesNothingAfterItsConstruction) {
  if (!counts_allocations()) GTEST_SKIP();
  Problems random(8);
  const MatrixX J = random.matrix(6, 14), dependent = MatrixX::Ones(6, 14);
  const VectorX b = 3.0 * random.vector(6), lower = VectorX::Constant(14, -1.0), upper = -lower;
  const MatrixX C = random.matrix(20, 14);
  const VectorX low = VectorX::Constant(20, -1.0), high = -low, zero = VectorX::Zero(14);
  HierarchicalLeastSquares solver({14, 20, 6});
  const long before = allocation_count();
  solver.start(lower, upper);
  solver.minimize(J, b, 0.1);
  solver.minimize(dependent, b);
  solver.shorten();
  solver.start(C, low, high, zero);
  solver.minimize(J, b);
  solver.minimize(dependent, b);
  solver.shorten();
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace spacedyn::testing::hierarchical_least_squares_test

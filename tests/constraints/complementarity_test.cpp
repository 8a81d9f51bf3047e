// The conditions of unilateral rows and friction cones, each checked for itself.
#include "constraints/complementarity.hpp"

#include <random>

#include <gtest/gtest.h>

namespace spacedyn::testing::complementarity_test {
namespace {

using Kind = ConstraintRow::Kind;
using Status = ComplementarityProblem::Status;

ConstraintRow unilateral(double least = 0.0, double friction = -1.0) {
  ConstraintRow row;
  row.kind = Kind::unilateral;
  row.least = least;
  row.friction = friction;
  return row;
}

ConstraintRow tangential() {
  ConstraintRow row;
  row.kind = Kind::tangential;
  return row;
}

/// A random K H⁻¹ Kᵀ with so many rows of so many coordinates.
class RandomProblem {
 public:
  explicit RandomProblem(unsigned seed) : random_(seed) {}

  MatrixX delassus(Eigen::Index rows, Eigen::Index coordinates) {
    MatrixX K(rows, coordinates);
    for (double& value : K.reshaped()) value = unit_(random_);
    return K * K.transpose();
  }
  VectorX rates(Eigen::Index rows) {
    VectorX w(rows);
    for (double& value : w) value = unit_(random_);
    return w;
  }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> unit_{-1.0, 1.0};
};

TEST(Complementarity, RowsPushOrPart) {
  RandomProblem random(1);
  for (int i = 0; i < 200; ++i) {
    const MatrixX G = random.delassus(5, 8);
    std::vector<ConstraintRow> rows(5, unilateral());
    rows[0] = {};
    rows[0].least = 0.3;
    ComplementarityProblem problem(rows, G, {}, random.rates(5));
    ASSERT_EQ(problem.solve(), Status::solved);
    const VectorX w = problem.rates();
    EXPECT_NEAR(w(0), 0.3, 1e-12);
    for (Eigen::Index k = 1; k < 5; ++k) {
      EXPECT_GE(w(k), -1e-12);
      EXPECT_GE(problem.reactions()(k), -1e-12);
      EXPECT_NEAR(w(k) * problem.reactions()(k), 0.0, 1e-11);
    }
  }
}

TEST(Complementarity, FrictionOpposesWhatSlidesAndHoldsWhatSticks) {
  RandomProblem random(2);
  int sticking = 0, sliding = 0, open = 0;
  for (int i = 0; i < 200; ++i) {
    const double friction = 0.1 + 0.005 * i;
    const MatrixX G = random.delassus(6, 9);
    ComplementarityProblem problem({unilateral(0.0, friction), tangential(), tangential(),
                                    unilateral(0.2, friction), tangential(), tangential()},
                                   G, G.diagonal(), random.rates(6));
    ASSERT_EQ(problem.solve(), Status::solved) << i;
    EXPECT_LE(problem.residual(), 1e-10);
    const VectorX w = problem.rates(), force = problem.reactions();
    for (const Eigen::Index n : {0, 3}) {
      const double least = n == 0 ? 0.0 : 0.2;
      EXPECT_GE(force(n), 0.0);
      EXPECT_GE(w(n) - least, -1e-9);
      EXPECT_NEAR((w(n) - least) * force(n), 0.0, 1e-9);
      const Eigen::Vector2d t = force.segment<2>(n + 1), slip = w.segment<2>(n + 1);
      EXPECT_LE(t.norm(), friction * force(n) * (1.0 + 1e-9));
      if (force(n) == 0.0) {
        ++open;
      } else if (slip.norm() > 1e-8) {
        ++sliding;
        EXPECT_LE((t + friction * force(n) * slip.normalized()).norm(), 1e-7 * force(n) + 1e-9);
      } else {
        ++sticking;
      }
    }
  }
  EXPECT_GT(sticking, 20);
  EXPECT_GT(sliding, 20);
  EXPECT_GT(open, 20);
}

TEST(Complementarity, RedundantRowsWithFrictionAreSolved) {
  RandomProblem random(3);
  for (int i = 0; i < 100; ++i) {
    const MatrixX G = random.delassus(12, 6);  // as of a box on its corners
    std::vector<ConstraintRow> rows;
    for (int point = 0; point < 4; ++point) {
      rows.push_back(unilateral(0.0, 0.4));
      rows.push_back(tangential());
      rows.push_back(tangential());
    }
    // rates of a motion, as they are of bodies
    ComplementarityProblem problem(rows, G, G.diagonal(), G * random.rates(12));
    EXPECT_EQ(problem.solve(), Status::solved) << i;
    EXPECT_LE(problem.residual(), 1e-10 * (G * VectorX::Ones(12)).norm() * 10.0);
  }
}

TEST(Complementarity, AnImpulseThatMustNotFallBelowOneStays) {
  ConstraintRow row = unilateral();
  row.least_reaction = 2.0;
  ComplementarityProblem problem({row}, MatrixX::Identity(1, 1), {}, VectorX::Constant(1, -1.0));
  ASSERT_EQ(problem.solve(), Status::solved);
  EXPECT_EQ(problem.reactions()(0), 2.0);
}

TEST(Complementarity, ARowWhoseReactionPullsItIsInconsistent) {
  MatrixX G(1, 1);
  G << -0.5;
  ComplementarityProblem problem({unilateral()}, G, VectorX::Ones(1), VectorX::Constant(1, -1.0));
  EXPECT_EQ(problem.solve(), Status::inconsistent);
  EXPECT_EQ(problem.row(), 0);
}

}  // namespace
}  // namespace spacedyn::testing::complementarity_test

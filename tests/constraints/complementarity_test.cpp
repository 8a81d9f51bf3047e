// The conditions of unilateral rows and friction cones, each checked for itself.
#include "constraints/complementarity.hpp"

#include <random>
#include <string>
#include <utility>

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
  /// A Delassus matrix and the rates of a motion, which redundant rows agree about.
  std::pair<MatrixX, VectorX> motion(Eigen::Index rows, Eigen::Index coordinates) {
    MatrixX K(rows, coordinates);
    for (double& value : K.reshaped()) value = unit_(random_);
    return {K * K.transpose(), K * rates(coordinates)};
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

/// Every condition of rows with friction, from reactions and rates alone.
void expect_satisfied(const std::vector<ConstraintRow>& rows, const VectorX& force,
                      const VectorX& w, double scale, const std::string& name) {
  const double rounding = 1e-9 * scale;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].kind != Kind::unilateral) continue;
    const auto n = static_cast<Eigen::Index>(i);
    const double gap = w(n) - rows[i].least, limit = rows[i].friction * force(n);
    EXPECT_GE(gap, -rounding) << name;
    EXPECT_GE(force(n), rows[i].least_reaction) << name;
    const double more = force(n) - rows[i].least_reaction;
    EXPECT_LE(std::min(gap, more), rounding) << name;
    const Eigen::Vector2d t = force.segment<2>(n + 1), slip = w.segment<2>(n + 1);
    EXPECT_LE(t.norm(), limit * (1.0 + 1e-12)) << name;
    // friction at its limit against what slides
    EXPECT_LE(t.dot(slip) + limit * slip.norm(), rounding * (scale + limit + t.norm())) << name;
  }
}

/// Points of one face of a random box that meets the ground.
struct FallingBox {
  std::vector<ConstraintRow> rows;
  MatrixX K;
  VectorX free;

  FallingBox(int points, std::mt19937& random) : K(3 * points, 6) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const Vector3 half(0.2, 0.15, 0.1), inertia(0.02, 0.03, 0.04);
    const double friction = 0.75 * (1.0 + unit(random)), e = 0.5 * (1.0 + unit(random));
    for (int i = 0; i < points; ++i) {
      // four corners, then points between them
      Vector3 r(i % 2 == 0 ? -1 : 1, i / 2 == 0 ? -1 : 1, -1);
      if (i >= 4) r.head<2>() = Eigen::Vector2d(unit(random), unit(random));
      r.array() *= half.array();
      for (int k = 0; k < 3; ++k) {
        const Vector3 axis = Vector3::Unit((k + 2) % 3);
        K.row(3 * i + k) << axis.transpose(),
            r.cross(axis).cwiseQuotient(inertia.cwiseSqrt()).transpose();
      }
    }
    VectorX twist(6);
    for (double& value : twist) value = unit(random);
    twist(2) = -std::abs(twist(2));
    free = K * twist;
    for (int i = 0; i < points; ++i) {
      const double before = free(3 * i);
      rows.push_back(unilateral(before < 0.0 ? -e * before : 0.0, friction));
      rows.push_back(tangential());
      rows.push_back(tangential());
    }
  }
};

TEST(Complementarity, ImpactsOnOneToEightPointsAllHaveImpulses) {
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const FallingBox box(1 + i % 8, random);
    const MatrixX G = box.K * box.K.transpose();
    ComplementarityProblem problem(box.rows, G, G.diagonal(), box.free), again(problem);
    ASSERT_EQ(problem.solve(), Status::solved) << i;
    expect_satisfied(box.rows, problem.reactions(), problem.rates(), 1.0 + box.free.norm(),
                     std::to_string(i));
    again.solve();
    EXPECT_EQ(again.reactions(), problem.reactions()) << i;  // to the bit
  }
}

TEST(Complementarity, RandomRowsWithFrictionAndJointsAreSolved) {
  RandomProblem random(12);
  for (int i = 0; i < 400; ++i) {
    const Eigen::Index points = 1 + i % 6, count = 2 + 3 * points;
    const double friction = 0.005 * i;
    // the first 200 regular, then as many coordinates as a body and two joints have
    const Eigen::Index coordinates = i < 200 ? count + 2 : 8;
    std::vector<ConstraintRow> rows(2);  // bilateral
    for (Eigen::Index k = 0; k < points; ++k) {
      rows.push_back(unilateral(0.0, friction));
      if (i % 3 == 0) rows.back().least_reaction = 0.1;
      rows.push_back(tangential());
      rows.push_back(tangential());
    }
    const auto [G, free] = random.motion(count, coordinates);
    ComplementarityProblem problem(rows, G, G.diagonal(), free);
    ASSERT_EQ(problem.solve(), Status::solved) << i;
    const VectorX w = problem.rates();
    EXPECT_LE(w.head(2).lpNorm<Eigen::Infinity>(), 1e-9) << i;
    expect_satisfied(rows, problem.reactions(), w, 1.0 + free.norm(), std::to_string(i));
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

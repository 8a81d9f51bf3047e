// Subspaces of motions and forces: laws that hold for any basis.
#include "textbook/subspaces.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/explicit_form.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::subspaces_test {
namespace {

Matrix6X vectors(RandomModels& random, int count) {
  Matrix6X result(6, count);
  for (int i = 0; i < count; ++i) result.col(i) = random.vector(6);
  return result;
}

/// A rigid body about a point beside its centroid.
Matrix6 inertia(RandomModels& random) {
  const double m = 3.0;
  const Vector3 c = random.vector(3);
  Matrix6 I;
  I << m * Matrix3::Identity(), -m * tilde(c), m * tilde(c),
      Matrix3(Vector3(1.0, 2.0, 2.5).asDiagonal()) - m * tilde(c) * tilde(c);
  return I;
}

TEST(Subspaces, HaveComplementsWithoutPower) {
  RandomModels random(1);
  for (int m = 0; m <= 6; ++m) {
    const Matrix6X given = vectors(random, m);
    const MotionSubspace S(given);
    EXPECT_EQ(S.dimension(), m);
    const ForceSubspace T = S.complement();
    EXPECT_EQ(T.dimension(), 6 - m);
    EXPECT_LT((T.basis().transpose() * given).norm(), 1e-14 * (1.0 + given.norm()));
    // (S^⊥)^⊥ = S
    for (int i = 0; i < m; ++i) EXPECT_TRUE(T.complement().contains(given.col(i)));
  }
}

TEST(Subspaces, CountWhatIsIndependent) {
  RandomModels random(2);
  Matrix6X given = vectors(random, 4);
  given.col(3) = given.col(0) - 2.0 * given.col(2);
  EXPECT_EQ(MotionSubspace(given).dimension(), 3);
  EXPECT_FALSE(MotionSubspace(given).contains(random.vector(6)));
}

TEST(Subspaces, HaveSumsAndIntersections) {
  RandomModels random(3);
  const Matrix6X all = vectors(random, 5);
  const MotionSubspace first(all.leftCols(3)), second(all.rightCols(3));
  EXPECT_EQ(first.sum(second).dimension(), 5);
  const MotionSubspace common = first.intersection(second);
  EXPECT_EQ(common.dimension(), 1);
  EXPECT_TRUE(common.contains(all.col(2)));
}

TEST(Subspaces, DecomposeInOneWay) {
  RandomModels random(4);
  const Matrix6X all = vectors(random, 6);
  const MotionSubspace first(all.leftCols(2)), second(all.rightCols(4));
  const Vector6 coordinates = random.vector(6);
  const Decomposition parts = decompose(all * coordinates, first, second);
  EXPECT_LT((parts.first - all.leftCols(2) * coordinates.head(2)).norm(), 1e-12);
  EXPECT_LT((parts.second - all.rightCols(4) * coordinates.tail(4)).norm(), 1e-12);
}

TEST(Subspaces, RefuseWhatIsNoDirectSum) {
  RandomModels random(5);
  const Matrix6X all = vectors(random, 5);
  const ForceSubspace first(all.leftCols(3)), second(all.rightCols(3));
  EXPECT_EQ(message_of<DomainError>([&] { decompose(random.vector(6), first, second); }),
            "subspaces of dimensions 3 and 3 are no direct sum of the 6-dimensional space: no "
            "unique decomposition");
}

TEST(Subspaces, SplitForcesAndVelocitiesOfAConstrainedBody) {
  RandomModels random(6);
  const Matrix6 I = inertia(random);
  const Matrix6X given = vectors(random, 3);
  const MotionSubspace S(given);
  const Vector6 f = random.vector(6), v = random.vector(6);
  const Decomposition force = decompose_force(f, S, I);
  EXPECT_TRUE(S.complement().contains(force.second));
  EXPECT_TRUE(S.contains(I.inverse() * force.first));
  // (3.28) as the book has it, with another basis
  const MatrixX small = given.transpose() * I * given;
  const Vector6 expected = I * given * small.inverse() * given.transpose() * f;
  EXPECT_LT((force.first - expected).norm(), 1e-12);
  const Decomposition velocity = decompose_velocity(v, S, I);
  EXPECT_TRUE(S.contains(velocity.first));
  EXPECT_TRUE(S.complement().contains(I * velocity.second));
  // energies add up: the parts are orthogonal in I
  EXPECT_NEAR(v.dot(I * v),
              velocity.first.dot(I * velocity.first) + velocity.second.dot(I * velocity.second),
              1e-12 * v.dot(I * v));
}

TEST(Subspaces, GiveApparentInertias) {
  RandomModels random(7);
  const Matrix6 I = inertia(random);
  const MotionSubspace S(vectors(random, 2));
  const Matrix6 Phi = apparent_inverse_inertia(S, I), apparent = apparent_inertia(S, I);
  EXPECT_LT((Phi * apparent * Phi - Phi).norm(), 1e-12 * Phi.norm());
  const Vector6 s = S.basis().col(0);
  EXPECT_LT((apparent * s - I * s).norm(), 1e-12 * I.norm());
  EXPECT_LT((apparent_inverse_inertia(MotionSubspace(Matrix6::Identity()), I) - I.inverse()).norm(),
            1e-12 * Phi.norm() * 1e2);
}

TEST(Subspaces, RefuseInertiasThatAreNone) {
  EXPECT_EQ(message_of<DomainError>([] {
              apparent_inertia(MotionSubspace(Matrix6::Identity()), -Matrix6::Identity());
            }),
            "the inertia of what is constrained must be symmetric and positive definite");
}

// S = null K = range G of a robot with loops, in Mⁿ: its constraint forces, accelerations and the
// velocities after its loops have closed by an impact follow from H and S alone.
TEST(Subspaces, AreThoseOfASystemWithLoops) {
  FourBar bars{1.0, 0.3, 0.8, 0.6};
  bars.fixed = false;
  const Model model = bars.model();
  State state = bars.state(model, 0.7);
  Loads loads(model);
  RandomModels random(8);
  // a velocity that the loop allows
  const MatrixX allowed = explicit_form(model, state, loads).G;
  const VectorX u = allowed * random.vector(static_cast<int>(allowed.cols()));
  state.v_0 = u.head<3>();
  state.omega_0 = u.segment<3>(3);
  state.qd = u.tail(model.joint_count());
  loads.tau = VectorX::LinSpaced(model.joint_count(), -0.3, 0.5);
  loads.F_b << 1, 2, 3, 0.1, 0.2, 0.3;
  const ExplicitForm form = explicit_form(model, state, loads);
  const ConstrainedMotion motion = constrained_motion(model, state, loads);
  const MatrixX H = inertia_matrix(model, state);

  const MotionSubspace S(form.G);
  const ForceSubspace T(motion.K.transpose());
  EXPECT_EQ(S.size(), model.velocity_size());
  EXPECT_EQ(S.dimension(), motion.degrees_of_freedom);
  EXPECT_EQ(T.dimension(), motion.rank);
  for (Eigen::Index i = 0; i < form.G.cols(); ++i) {
    EXPECT_TRUE(T.complement().contains(form.G.col(i)));
  }
  EXPECT_TRUE(T.contains(form.constraint_force));

  // (3.28) of the system: what drives it beyond g is f = τ − c − H g
  VectorX tau(model.velocity_size());
  tau << loads.F_b, loads.tau;
  const VectorX f = tau - inverse_dynamics(model, state, form.g, loads);
  const Decomposition forces = decompose_force(f, S, H);
  EXPECT_LT((forces.second + form.constraint_force).norm(), 1e-12 * f.norm());
  EXPECT_LT((apparent_inverse_inertia(S, H) * f + form.g - motion.acceleration).norm(),
            1e-11 * motion.acceleration.norm());

  // an impact that closes the loops leaves v_a: K v_a = 0, H (v − v_a) in range Kᵀ
  const VectorX v = random.vector(model.velocity_size());
  const Decomposition velocity = decompose_velocity(v, S, H);
  EXPECT_LT((motion.K * velocity.first).norm(), 1e-12);
  EXPECT_TRUE(T.contains(H * velocity.second));
}

}  // namespace
}  // namespace spacedyn::testing::subspaces_test

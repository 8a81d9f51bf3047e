#include "textbook/articulated_inertia.hpp"

#include "math/spatial/random_spatial.hpp"

namespace spacedyn::testing::articulated_inertia_test {
namespace {

ArticulatedInertia random_articulated(RandomSpatial& random) {
  Matrix6 root;
  for (int column = 0; column < 6; ++column) root.col(column) = random.motion().coordinates();
  const Matrix6 full = root * root.transpose();
  return {SymmetricMatrix::from(full.topLeftCorner<3, 3>()), full.topRightCorner<3, 3>(),
          SymmetricMatrix::from(full.bottomRightCorner<3, 3>())};
}

TEST(ArticulatedInertia, OfARigidBodyIsItsRigidInertia) {
  RandomSpatial random(51);
  for (int i = 0; i < kCases; ++i) {
    const RigidInertia rigid = random.inertia();
    EXPECT_EQ(ArticulatedInertia(rigid).matrix(), rigid.matrix());
  }
}

TEST(ArticulatedInertia, AddsAndMapsMotionsLikeItsMatrix) {
  RandomSpatial random(52);
  for (int i = 0; i < kCases; ++i) {
    const ArticulatedInertia a = random_articulated(random), b = random_articulated(random);
    const MotionVector m = random.motion();
    const Matrix6 sum = a.matrix() + b.matrix();
    EXPECT_LE(((a + b).matrix() - sum).norm(), kRounding);
    EXPECT_LE((((a + b) * m).coordinates() - sum * m.coordinates()).norm(),
              kRounding * (1.0 + sum.norm()));
  }
}

TEST(ArticulatedInertia, TransformsLikeTheProductOfMatrices) {
  RandomSpatial random(53);
  for (int i = 0; i < kCases; ++i) {
    const ArticulatedInertia I = random_articulated(random);
    const PluckerTransform X = random.transform();
    const Matrix6 back = X.matrix().transpose() * I.matrix() * X.matrix();
    EXPECT_LE((transform_back(X, I).matrix() - back).norm(), kRounding * back.norm());
    const Matrix6 inverse = X.inverse().matrix();
    const Matrix6 forth = inverse.transpose() * I.matrix() * inverse;
    EXPECT_LE((transform(X, I).matrix() - forth).norm(), kRounding * forth.norm());
  }
}

TEST(ArticulatedInertia, WithoutAJointDirectionLeavesThatDirectionFree) {
  // Iᵃ = I − U Uᵀ/D with U = I S, D = SᵀI S: the joint's own motion meets no resistance
  RandomSpatial random(54);
  for (int i = 0; i < kCases; ++i) {
    const ArticulatedInertia I = random_articulated(random);
    const MotionVector S = random.motion();
    const ForceVector U = I * S;
    const double D = dot(U, S);
    const ArticulatedInertia left = I.without(U, 1.0 / D);
    const Matrix6 expected = I.matrix() - U.coordinates() * U.coordinates().transpose() / D;
    EXPECT_LE((left.matrix() - expected).norm(), kRounding * I.matrix().norm());
    EXPECT_LE((left * S).coordinates().norm(), kRounding * U.coordinates().norm());
  }
}

TEST(RigidInertia, TransformsLikeTheArticulatedOne) {
  RandomSpatial random(55);
  for (int i = 0; i < kCases; ++i) {
    const RigidInertia I = random.inertia();
    const PluckerTransform X = random.transform();
    const Matrix6 general = transform(X, ArticulatedInertia(I)).matrix();
    EXPECT_LE((transform(X, I).matrix() - general).norm(), kRounding * general.norm());
  }
}

TEST(RigidInertia, TransportToTheCentroidLeavesNoFirstMoment) {
  RandomSpatial random(56);
  for (int i = 0; i < kCases; ++i) {
    const RigidInertia I = random.inertia();
    const RigidInertia moved = transform(PluckerTransform::change_of_point(I.centroid()), I);
    EXPECT_LE(moved.first_moment.norm(), kRounding);
    EXPECT_LE((moved.rotational.matrix() - I.centroidal_inertia().matrix()).norm(),
              kRounding * (1.0 + I.rotational.matrix().norm()));
  }
}

TEST(SymmetricMatrix, WorksLikeTheFullMatrix) {
  RandomSpatial random(57);
  for (int i = 0; i < kCases; ++i) {
    const Matrix3 full = random.centroidal_tensor(), R = random.rotation();
    const auto S = SymmetricMatrix::from(full);
    const Vector3 a = random.vector(), b = random.vector();
    EXPECT_LE((S.matrix() - full).norm(), kRounding);
    EXPECT_LE((S * a - full * a).norm(), kRounding);
    EXPECT_LE((S.rotated(R).matrix() - R * full * R.transpose()).norm(), kRounding);
    const Matrix3 tildes = tilde(a) * tilde(b) + tilde(b) * tilde(a);
    EXPECT_LE((SymmetricMatrix::sum_of_tildes(a, b).matrix() - tildes).norm(), 4.0 * kRounding);
  }
}

}  // namespace
}  // namespace spacedyn::testing::articulated_inertia_test

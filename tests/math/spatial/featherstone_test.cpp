// Every identity of the note on Plücker basis vectors [Featherstone], by its number.

#include "math/spatial/random_spatial.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/math/spatial/acceleration.hpp"
#include "spacedyn/math/spatial/ordering.hpp"
#include "textbook/body_point.hpp"
#include "textbook/moving_coordinates.hpp"
#include "textbook/plucker_basis.hpp"

namespace spacedyn::testing::featherstone_test {
namespace {

class Featherstone : public ::testing::Test {
 protected:
  RandomSpatial random{2006};
  PluckerBasis basis() { return {random.rotation(), random.vector()}; }
};

TEST_F(Featherstone, Equation01VelocityOfEveryPointOfABody) {
  for (int i = 0; i < kCases; ++i) {
    // moving the reference point and reading the linear part gives the same
    const MotionVector v = random.motion();
    const Vector3 point = random.vector();
    const MotionVector moved = PluckerTransform::change_of_point(point) * v;
    EXPECT_LE((point_velocity(v, point) - moved.linear).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equations02To04CoordinatesAreProducts) {
  for (int i = 0; i < kCases; ++i) {
    const Matrix3 C = random.rotation();
    const Vector3 omega = random.vector(), coordinates = C.transpose() * omega;
    const Vector3 sum =
        coordinates[0] * C.col(0) + coordinates[1] * C.col(1) + coordinates[2] * C.col(2);
    EXPECT_LE((sum - omega).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equation05BasisOfUnitRotationsAndTranslations) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    for (int k = 0; k < 3; ++k) {
      const Vector3 axis = frame.axes().col(k);
      // points of the axis through O stay where they are
      const Vector3 on_axis = frame.origin() + random.uniform(-3.0, 3.0) * axis;
      EXPECT_LE(point_velocity(frame.d(k), on_axis).norm(), kRounding);
      EXPECT_LE((frame.d(k).angular - axis).norm(), kRounding);
      EXPECT_LE((frame.d(k + 3).linear - axis).norm(), kRounding);
      EXPECT_LE(frame.d(k + 3).angular.norm(), kRounding);
    }
  }
}

TEST_F(Featherstone, Equations06To08SumOverTheBasis) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    const MotionVector v = random.motion();
    // coordinates: ω and the velocity of the point at O, along the axes
    Vector6 coordinates;
    coordinates << frame.axes().transpose() * v.angular,
        frame.axes().transpose() * point_velocity(v, frame.origin());
    MotionVector sum;
    for (int k = 0; k < 6; ++k) sum += coordinates[k] * frame.d(k);
    EXPECT_LE(difference(sum, v), kRounding);
    EXPECT_LE((frame.coordinates(v) - coordinates).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equations09To14SumOverTheForceBasis) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    const ForceVector f = random.force();
    Vector6 coordinates;
    coordinates << frame.axes().transpose() * (f.angular - frame.origin().cross(f.linear)),
        frame.axes().transpose() * f.linear;
    ForceVector sum;
    for (int k = 0; k < 6; ++k) sum += coordinates[k] * frame.e(k);
    EXPECT_LE(difference(sum, f), kRounding);
    EXPECT_LE((frame.coordinates(f) - coordinates).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equation15TheBasesAreReciprocal) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < 6; ++b) {
        EXPECT_NEAR(dot(frame.d(a), frame.e(b)), a == b ? 1.0 : 0.0, kRounding);
      }
    }
  }
}

TEST_F(Featherstone, Equations16To18ScalarProductByDualCoordinates) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    const MotionVector m = random.motion();
    const ForceVector f = random.force();
    EXPECT_NEAR(dot(m, f), frame.coordinates(m).dot(frame.coordinates(f)), kRounding);
    for (int k = 0; k < 6; ++k) {
      EXPECT_NEAR(dot(frame.e(k), m), frame.coordinates(m)[k], kRounding);
      EXPECT_NEAR(dot(frame.d(k), f), frame.coordinates(f)[k], kRounding);
    }
  }
}

TEST_F(Featherstone, Equations19And20KeepTheScalarProduct) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis A = basis(), B = basis();
    const PluckerTransform X = transform_between(A, B);
    const Matrix6 inverse_transposed = X.matrix().inverse().transpose();
    EXPECT_LE((X.dual().matrix() - inverse_transposed).norm(), 10.0 * kRounding);
    const MotionVector m = random.motion();
    const ForceVector f = random.force();
    EXPECT_NEAR(dot(X * m, X.dual() * f), dot(m, f), 4.0 * kRounding);
  }
}

TEST_F(Featherstone, OrderOfAngularAndLinearPartsIsCosmetic) {
  // the two orders of section 3 are the same vectors: products, transforms and powers agree
  for (int i = 0; i < kCases; ++i) {
    const PluckerTransform X = random.transform();
    const MotionVector m = random.motion();
    const ForceVector f = random.force();
    const Vector6 twist = linear_first(m), wrench = linear_first(f);
    EXPECT_EQ(twist, (Vector6() << m.linear, m.angular).finished());
    EXPECT_EQ(difference(motion_from_linear_first(twist), m), 0.0);
    EXPECT_EQ(difference(force_from_linear_first(wrench), f), 0.0);
    EXPECT_NEAR(twist.dot(wrench), dot(m, f), kRounding);
    const Matrix6 exchanged = exchange_order(X.matrix());
    EXPECT_LE((exchanged * twist - linear_first(X * m)).norm(), kRounding);
    EXPECT_LE((exchange_order(X.dual().matrix()) * wrench - linear_first(X.dual() * f)).norm(),
              kRounding);
    EXPECT_EQ(exchange_order(exchanged), X.matrix());
  }
}

TEST_F(Featherstone, Equations21To26BasisMapsAndTheirInverses) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    const Vector6 u = random.motion().coordinates();
    MotionVector motion;
    ForceVector force;
    Vector6 products_with_e, products_with_d;
    for (int k = 0; k < 6; ++k) {
      motion += u[k] * frame.d(k);
      force += u[k] * frame.e(k);
    }
    EXPECT_LE(difference(frame.motion(u), motion), kRounding);
    EXPECT_LE(difference(frame.force(u), force), kRounding);
    for (int k = 0; k < 6; ++k) {
      products_with_e[k] = dot(frame.e(k), frame.motion(u));
      products_with_d[k] = dot(frame.d(k), frame.force(u));
    }
    EXPECT_LE((products_with_e - u).norm(), kRounding);
    EXPECT_LE((products_with_d - u).norm(), kRounding);
    EXPECT_LE((frame.coordinates(frame.motion(u)) - u).norm(), kRounding);
    EXPECT_LE((frame.coordinates(frame.force(u)) - u).norm(), kRounding);
  }
}

TEST_F(Featherstone, ColumnsOfATransformAreBasisVectors) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis A = basis(), B = basis();
    const Matrix6 X = transform_between(A, B).matrix();
    for (int k = 0; k < 6; ++k) EXPECT_LE((X.col(k) - B.coordinates(A.d(k))).norm(), kRounding);
  }
}

TEST_F(Featherstone, ChangeOfPointAndOfAxesAreSeparate) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis A = basis(), B = basis();
    const PluckerTransform point = transform_between(A, A.at(B.origin()));
    const PluckerTransform turn = transform_between(A, A.with_axes(B.axes()));
    EXPECT_LE((point.rotation - Matrix3::Identity()).norm(), kRounding);
    EXPECT_LE(turn.offset.norm(), kRounding);
    const PluckerTransform both =
        transform_between(A.at(B.origin()), A.at(B.origin()).with_axes(B.axes())) * point;
    EXPECT_LE((both.matrix() - transform_between(A, B).matrix()).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equations27To29VelocityFromTwoEuclideanVectors) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis(), turned = frame.with_axes(random.rotation());
    const Vector3 omega = random.vector(), v_O = random.vector();
    const MotionVector v = frame.rot_motion(omega) + PluckerBasis::lin_motion(v_O);
    EXPECT_LE((v.angular - omega).norm(), kRounding);
    EXPECT_LE((point_velocity(v, frame.origin()) - v_O).norm(), kRounding);
    // the dyads d_Ox i· + …; other axes through the same point give the same
    MotionVector rot, lin;
    for (int k = 0; k < 3; ++k) {
      rot += frame.axes().col(k).dot(omega) * frame.d(k);
      lin += frame.axes().col(k).dot(v_O) * frame.d(k + 3);
    }
    EXPECT_LE(difference(rot, turned.rot_motion(omega)), kRounding);
    EXPECT_LE(difference(lin, PluckerBasis::lin_motion(v_O)), kRounding);
  }
}

TEST_F(Featherstone, Equations30To32ForceFromTwoEuclideanVectors) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis(), turned = frame.with_axes(random.rotation());
    const Vector3 n_O = random.vector(), f = random.vector();
    ForceVector rot, lin;
    for (int k = 0; k < 3; ++k) {
      rot += frame.axes().col(k).dot(n_O) * frame.e(k);
      lin += frame.axes().col(k).dot(f) * frame.e(k + 3);
    }
    EXPECT_LE(difference(rot, PluckerBasis::rot_force(n_O)), kRounding);
    EXPECT_LE(difference(lin, turned.lin_force(f)), kRounding);
    const ForceVector sum = PluckerBasis::rot_force(n_O) + frame.lin_force(f);
    EXPECT_LE((sum.angular - frame.origin().cross(sum.linear) - n_O).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equations33To35DerivativeInMovingCoordinates) {
  // D⁻¹ṁ = ů + D⁻¹Ḋ u, the columns of D⁻¹Ḋ being the rates of the basis vectors
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    const MotionVector v = random.motion(), m0 = random.motion(), m1 = random.motion();
    const auto at = [&](double t) {
      const Matrix3 turn = exp_so3(t * v.angular);
      return PluckerBasis(turn * frame.axes(),
                          frame.origin() + t * point_velocity(v, frame.origin()));
    };
    const Vector6 coordinate =
        (at(h).coordinates(m0 + h * m1) - at(-h).coordinates(m0 - h * m1)) / (2.0 * h);
    Matrix6 rates;
    for (int k = 0; k < 6; ++k) {
      rates.col(k) = frame.coordinates((1.0 / (2.0 * h)) * (at(h).d(k) - at(-h).d(k)));
    }
    const Vector6 absolute = coordinate + rates * frame.coordinates(m0);
    EXPECT_LE((absolute - frame.coordinates(m1)).norm(), 1e-6);
  }
}

TEST_F(Featherstone, Equations36To39RatesOfTheBases) {
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const PluckerBasis frame = basis();
    const MotionVector v = random.motion();
    const MotionVector v_O = MotionVector::from_coordinates(frame.coordinates(v));
    const auto at = [&](double t) {
      const Matrix3 turn = exp_so3(t * v.angular);
      return PluckerBasis(turn * frame.axes(),
                          frame.origin() + t * point_velocity(v, frame.origin()));
    };
    Matrix6 D_rate, E_rate;
    for (int k = 0; k < 6; ++k) {
      D_rate.col(k) = frame.coordinates((1.0 / (2.0 * h)) * (at(h).d(k) - at(-h).d(k)));
      E_rate.col(k) = frame.coordinates((1.0 / (2.0 * h)) * (at(h).e(k) - at(-h).e(k)));
    }
    const Matrix3 C_rate = frame.axes().transpose() * (at(h).axes() - at(-h).axes()) / (2.0 * h);
    EXPECT_LE((C_rate - tilde(v_O.angular)).norm(), 1e-8);
    EXPECT_LE((D_rate - cross_matrix(v_O)).norm(), 1e-7);
    EXPECT_LE((E_rate - cross_star_matrix(v_O)).norm(), 1e-7);
  }
}

TEST_F(Featherstone, Equations40To42ThreeDerivativesOfOneVector) {
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion(), m = random.motion(), rate = random.motion();
    const ForceVector f = random.force(), f_rate = random.force();
    const Vector3 u = random.vector(), u_rate = random.vector();
    const MotionVector m_dot = absolute_derivative(rate, v, m);
    const ForceVector f_dot = absolute_derivative(f_rate, v, f);
    EXPECT_LE(((m_dot - rate).coordinates() - cross_matrix(v) * m.coordinates()).norm(), kRounding);
    EXPECT_LE(((f_dot - f_rate).coordinates() - cross_star_matrix(v) * f.coordinates()).norm(),
              kRounding);
    EXPECT_LE((absolute_derivative(u_rate, v.angular, u) - u_rate - v.angular.cross(u)).norm(),
              kRounding);
    EXPECT_LE(difference(coordinate_derivative(m_dot, v, m), rate), kRounding);
    EXPECT_LE(difference(coordinate_derivative(f_dot, v, f), f_rate), kRounding);
    const Vector3 u_dot = absolute_derivative(u_rate, v.angular, u);
    EXPECT_LE((coordinate_derivative(u_dot, v.angular, u) - u_rate).norm(), kRounding);
  }
}

TEST_F(Featherstone, ApparentDerivativeInCoordinates) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerTransform X = random.transform();  // common frame to moving frame
    const MotionVector v = random.motion(), m = random.motion(), m_dot = random.motion();
    EXPECT_LE(difference(X * apparent_derivative(m_dot, v, m),
                         coordinate_derivative(X * m_dot, X * v, X * m)),
              2.0 * kRounding);
    const ForceVector f = random.force(), f_dot = random.force();
    EXPECT_LE(difference(X.dual() * apparent_derivative(f_dot, v, f),
                         coordinate_derivative(X.dual() * f_dot, X * v, X.dual() * f)),
              2.0 * kRounding);
  }
}

TEST_F(Featherstone, Equation43AccelerationFromAFollowingFrame) {
  // O follows a point of the body without turning: frame velocity [0; v_O]
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion(), coordinate = random.motion();
    const MotionVector a =
        absolute_derivative(coordinate, MotionVector{Vector3::Zero(), v.linear}, v);
    EXPECT_LE((a.angular - coordinate.angular).norm(), kRounding);
    EXPECT_LE((a.linear - coordinate.linear - v.linear.cross(v.angular)).norm(), kRounding);
  }
}

TEST_F(Featherstone, Equation44ClassicalAndSpatialAcceleration) {
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion();
    const ClassicalAcceleration classical{random.vector(), random.vector()};
    const MotionVector a = spatial_acceleration(classical, v);
    EXPECT_LE((a.linear - classical.linear - v.linear.cross(v.angular)).norm(), kRounding);
    const ClassicalAcceleration back = classical_acceleration(a, v);
    EXPECT_LE((back.linear - classical.linear).norm(), kRounding);
    EXPECT_EQ(back.angular, classical.angular);
  }
}

}  // namespace
}  // namespace spacedyn::testing::featherstone_test

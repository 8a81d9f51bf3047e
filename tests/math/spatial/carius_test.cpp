// Every identity of the spatial-algebra tutorial [Carius], by its number; (30)–(38) are in
// tests/dynamics with the recursion, (39)–(51) in rolling_disc_test.cpp.

#include "math/spatial/random_spatial.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/math/spatial/acceleration.hpp"
#include "textbook/moving_coordinates.hpp"

namespace spacedyn::testing::carius_test {
namespace {

class Carius : public ::testing::Test {
 protected:
  RandomSpatial random{2018};
};

TEST_F(Carius, Equation01TildeIsTheCrossProduct) {
  for (int i = 0; i < kCases; ++i) {
    const Vector3 r = random.vector(), a = random.vector();
    EXPECT_EQ(tilde(r) * a, r.cross(a));
  }
}

TEST_F(Carius, Equation02CoordinatesPutTheAngularPartFirst) {
  const MotionVector v{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(v.coordinates(), (Vector6() << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(difference(MotionVector::from_coordinates(v.coordinates()), v), 0.0);
}

TEST_F(Carius, Equations03And04VelocityOfABodyInAFixedFrameAndInItsOwn) {
  for (int i = 0; i < kCases; ++i) {
    const Matrix3 A = random.rotation();  // body axes
    const Vector3 r = random.vector(), velocity = random.vector(), omega = random.vector();
    const MotionVector in_inertial{omega, velocity + r.cross(omega)};
    const MotionVector in_body{A.transpose() * omega, A.transpose() * velocity};
    const PluckerTransform X = PluckerTransform::into_frame(A, r);
    EXPECT_LE(difference(X * in_inertial, in_body), kRounding);
  }
}

TEST_F(Carius, Equation05RateInMovingCoordinates) {
  // a vector s(t) = s0 + t s1 of fixed coordinates, seen from a frame moving with v
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion(), s0 = random.motion(), s1 = random.motion();
    const Vector3 turn = v.angular, shift = v.linear;
    const auto coordinates = [&](double t) {
      const PluckerTransform X = PluckerTransform::into_frame(exp_so3(t * turn), t * shift);
      return X * (s0 + t * s1);
    };
    const MotionVector rate = (1.0 / (2.0 * h)) * (coordinates(h) - coordinates(-h));
    // at t = 0 the frame coincides with the fixed one; truncation h² |v|² |s|
    EXPECT_LE(difference(absolute_derivative(rate, v, s0), s1), 1e-7);
  }
}

TEST_F(Carius, Equation05HoldsForForcesWithCrossStar) {
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion();
    const ForceVector s0 = random.force(), s1 = random.force();
    const auto coordinates = [&](double t) {
      const auto X = PluckerTransform::into_frame(exp_so3(t * v.angular), t * v.linear);
      return X.dual() * (s0 + t * s1);
    };
    const ForceVector rate = (1.0 / (2.0 * h)) * (coordinates(h) - coordinates(-h));
    EXPECT_LE(difference(absolute_derivative(rate, v, s0), s1), 1e-7);
  }
}

TEST_F(Carius, Equation06SpatialAccelerationIsTheRateOfTheFlow) {
  // body turning about a moving point: r(t) = r + t v + t² a/2, ω(t) = ω + t α
  const double h = 1e-4;
  for (int i = 0; i < kCases; ++i) {
    const Vector3 r = random.vector(), v = random.vector(), a = random.vector();
    const Vector3 omega = random.vector(), alpha = random.vector();
    const auto flow = [&](double t) {
      const Vector3 w = omega + t * alpha;
      return MotionVector{w, v + t * a - w.cross(Vector3(r + t * v + 0.5 * t * t * a))};
    };
    const MotionVector rate = (1.0 / (2.0 * h)) * (flow(h) - flow(-h));
    const MotionVector at_body = spatial_acceleration({alpha, a}, {omega, v});
    const auto to_body = PluckerTransform::change_of_point(r);
    EXPECT_LE(difference(to_body * rate, at_body), 1e-6);
  }
}

TEST_F(Carius, Equation07AccelerationsAddWithoutCoriolisTerms) {
  // B moves in A: v_B = v_A + v_AB with v_AB fixed in A but for its own rate
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v_A = random.motion(), a_A = random.motion();
    const MotionVector v_AB = random.motion(), a_AB = random.motion();
    const auto v_B = [&](double t) { return (v_A + t * a_A) + (v_AB + t * a_AB); };
    const MotionVector a_B = (1.0 / (2.0 * h)) * (v_B(h) - v_B(-h));
    EXPECT_LE(difference(a_B, a_A + a_AB), 1e-9);
  }
}

TEST_F(Carius, Equation08PowerIsThatOfTheForceAtAPointOfTheBody) {
  for (int i = 0; i < kCases; ++i) {
    const Vector3 f = random.vector(), point = random.vector();
    const MotionVector v = random.motion();
    const ForceVector force{point.cross(f), f};
    const double expected = f.dot(v.linear + v.angular.cross(point));
    EXPECT_NEAR(dot(force, v), expected, kRounding);
    EXPECT_EQ(dot(v, force), dot(force, v));
  }
}

TEST_F(Carius, Equation09CrossProductOfMotions) {
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion(), m = random.motion();
    const Vector6 expected = cross_matrix(v) * m.coordinates();
    EXPECT_LE((cross(v, m).coordinates() - expected).norm(), kRounding);
    EXPECT_LE(difference(cross(v, m), -cross(m, v)), kRounding);
  }
}

TEST_F(Carius, Equation10CrossProductOfAMotionAndAForce) {
  for (int i = 0; i < kCases; ++i) {
    const MotionVector v = random.motion();
    const ForceVector f = random.force();
    const Vector6 expected = cross_star_matrix(v) * f.coordinates();
    EXPECT_LE((cross_star(v, f).coordinates() - expected).norm(), kRounding);
    EXPECT_EQ(cross_star_matrix(v), -cross_matrix(v).transpose());
  }
}

TEST_F(Carius, Equations11And12TransformOfMotions) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerTransform X = random.transform();
    const MotionVector m = random.motion();
    Matrix6 turn = Matrix6::Zero(), shift = Matrix6::Identity();
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = X.rotation;
    shift.bottomLeftCorner<3, 3>() = -tilde(X.offset);
    EXPECT_LE((X.matrix() - turn * shift).norm(), kRounding);
    EXPECT_LE(((X * m).coordinates() - turn * shift * m.coordinates()).norm(), kRounding);
  }
}

TEST_F(Carius, Equation13InverseTransform) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerTransform X = random.transform();
    Matrix6 printed = Matrix6::Zero();
    const Matrix3 back = X.rotation.transpose();
    printed.topLeftCorner<3, 3>() = printed.bottomRightCorner<3, 3>() = back;
    printed.bottomLeftCorner<3, 3>() = tilde(X.offset) * back;
    EXPECT_LE((X.inverse().matrix() - printed).norm(), kRounding);
    EXPECT_LE((X.matrix() * printed - Matrix6::Identity()).norm(), kRounding);
    const MotionVector m = random.motion();
    EXPECT_LE(difference(X.inverse_times(m), X.inverse() * m), kRounding);
  }
}

TEST_F(Carius, Equations14And15TransformOfForces) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerTransform X = random.transform();
    const ForceVector f = random.force();
    const Matrix6 expected = X.matrix().inverse().transpose();
    EXPECT_LE((X.dual().matrix() - expected).norm(), 4.0 * kRounding);
    EXPECT_LE(((X.dual() * f).coordinates() - expected * f.coordinates()).norm(), 8.0 * kRounding);
    EXPECT_LE((X.transpose().matrix() - X.matrix().transpose()).norm(), kRounding);
    EXPECT_LE(difference(X.transpose_times(f), X.transpose() * f), kRounding);
  }
}

TEST_F(Carius, Equation16RateOfATransform) {
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    // two moving frames, poses and velocities in the fixed frame
    const Matrix3 A = random.rotation(), B = random.rotation();
    const Vector3 a = random.vector(), b = random.vector();
    const Vector3 turn_a = random.vector(), turn_b = random.vector();
    const Vector3 shift_a = random.vector(), shift_b = random.vector();
    const auto into_a = [&](double t) {
      return PluckerTransform::into_frame(exp_so3(t * turn_a) * A, a + t * shift_a);
    };
    const auto into_b = [&](double t) {
      return PluckerTransform::into_frame(exp_so3(t * turn_b) * B, b + t * shift_b);
    };
    const auto X = [&](double t) { return into_b(t) * into_a(t).inverse(); };
    const MotionVector v_A = into_b(0) * MotionVector{turn_a, shift_a - turn_a.cross(a)};
    const MotionVector v_B = into_b(0) * MotionVector{turn_b, shift_b - turn_b.cross(b)};
    const Matrix6 rate = (X(h).matrix() - X(-h).matrix()) / (2.0 * h);
    const Matrix6 expected = transform_derivative(X(0), v_A, v_B);
    EXPECT_LE((rate - expected).norm(), 1e-6 * (1.0 + expected.norm()));
  }
}

TEST_F(Carius, Equations17And18InertiaFromPhysicalParametersAndBack) {
  for (int i = 0; i < kCases; ++i) {
    const double m = random.uniform(0.5, 5.0);
    const Vector3 c = random.vector();
    const Matrix3 I_c = random.centroidal_tensor();
    const auto I = RigidInertia::from_centroidal(m, c, I_c);
    Matrix6 printed;
    printed << I_c + m * tilde(c) * tilde(c).transpose(), m * tilde(c), m * tilde(c).transpose(),
        m * Matrix3::Identity();
    EXPECT_LE((I.matrix() - printed).norm(), 10.0 * kRounding);
    EXPECT_LE((I.centroid() - c).norm(), kRounding);
    EXPECT_LE((I.centroidal_inertia().matrix() - I_c).norm(), 10.0 * kRounding);
    const MotionVector v = random.motion();
    EXPECT_LE(((I * v).coordinates() - printed * v.coordinates()).norm(), 20.0 * kRounding);
  }
}

TEST_F(Carius, Equation19InertiasOfBodiesJoinedRigidlyAdd) {
  for (int i = 0; i < kCases; ++i) {
    const RigidInertia a = random.inertia(), b = random.inertia(), both = a + b;
    const Vector3 centroid = (a.mass * a.centroid() + b.mass * b.centroid()) / (a.mass + b.mass);
    EXPECT_LE((both.matrix() - a.matrix() - b.matrix()).norm(), 10.0 * kRounding);
    EXPECT_LE((both.centroid() - centroid).norm(), kRounding);
  }
}

TEST_F(Carius, Equation20InertiaInOtherCoordinates) {
  for (int i = 0; i < kCases; ++i) {
    const PluckerTransform X = random.transform();
    const RigidInertia I_B = random.inertia();
    const Matrix6 expected = X.matrix().transpose() * I_B.matrix() * X.matrix();
    const double scale = expected.norm();
    EXPECT_LE((transform_back(X, I_B).matrix() - expected).norm(), kRounding * scale);
    EXPECT_LE((transform(X, transform_back(X, I_B)).matrix() - I_B.matrix()).norm(),
              kRounding * scale);
  }
}

TEST_F(Carius, Equation21RateOfTheInertiaOfAMovingBody) {
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const RigidInertia I = random.inertia();
    const MotionVector v = random.motion();
    const auto at = [&](double t) {
      const auto X = PluckerTransform::into_frame(exp_so3(t * v.angular), t * v.linear);
      return transform_back(X, I).matrix();
    };
    const Matrix6 rate = (at(h) - at(-h)) / (2.0 * h), expected = inertia_derivative(I, v);
    EXPECT_LE((rate - expected).norm(), 1e-6 * (1.0 + expected.norm()));
  }
}

TEST_F(Carius, Equation22ForceIsTheRateOfMomentum) {
  const double h = 1e-5;
  for (int i = 0; i < kCases; ++i) {
    const RigidInertia I = random.inertia();
    const MotionVector v = random.motion(), a = random.motion();
    const auto momentum = [&](double t) {
      const auto X = PluckerTransform::into_frame(exp_so3(t * v.angular), t * v.linear);
      return transform_back(X, I) * (v + t * a);
    };
    const ForceVector rate = (1.0 / (2.0 * h)) * (momentum(h) - momentum(-h));
    const ForceVector force = I * a + cross_star(v, I * v);
    EXPECT_LE(difference(rate, force), 1e-6 * (1.0 + force.coordinates().norm()));
  }
}

TEST_F(Carius, Equations23To27TheEquationsOfNewtonAndEuler) {
  // (26) prints ᴮX_I for the weight, which is a force: it takes ᴮX_I*
  for (int i = 0; i < kCases; ++i) {
    const double m = random.uniform(0.5, 5.0);
    const Matrix3 I_c = random.centroidal_tensor(), A = random.rotation();
    const Vector3 r = random.vector(), g(0.0, 0.0, -9.81);
    const auto I = RigidInertia::from_centroidal(m, Vector3::Zero(), I_c);
    const MotionVector v = random.motion(), a = random.motion();
    const Vector3 omega = v.angular;
    const ForceVector needed = I * a + cross_star(v, I * v);
    EXPECT_LE((needed.angular - I_c * a.angular - omega.cross(I_c * omega)).norm(), kRounding);
    EXPECT_LE((needed.linear - m * a.linear - omega.cross(m * v.linear)).norm(), kRounding);
    // weight at the centroid gives no moment about it
    const auto X = PluckerTransform::into_frame(A, r);
    const ForceVector weight = X.dual() * ForceVector{r.cross(m * g), m * g};
    EXPECT_LE(weight.angular.norm(), 20.0 * kRounding);
    EXPECT_LE((weight.linear - A.transpose() * (m * g)).norm(), 20.0 * kRounding);
  }
}

}  // namespace
}  // namespace spacedyn::testing::carius_test

// Laws of the algebra as properties: groups, duality, invariance under change of basis.

#include "math/spatial/random_spatial.hpp"
#include "spacedyn/math/spatial/ordering.hpp"
#include "support/property.hpp"
#include "textbook/articulated_inertia.hpp"
#include "textbook/moving_coordinates.hpp"

namespace rc {

using spacedyn::ForceVector;
using spacedyn::MotionVector;
using spacedyn::PluckerTransform;
using spacedyn::RigidInertia;
using spacedyn::Vector3;

Gen<double> number() {
  return gen::map(gen::inRange(-100000, 100001), [](int i) { return i * 1e-4; });
}
Gen<double> positive() {
  return gen::map(gen::inRange(1, 100001), [](int i) { return i * 1e-4; });
}

template <>
struct Arbitrary<Vector3> {
  static Gen<Vector3> arbitrary() {
    return gen::map(gen::tuple(number(), number(), number()), [](const auto& t) {
      return Vector3(std::get<0>(t), std::get<1>(t), std::get<2>(t));
    });
  }
};

template <>
struct Arbitrary<MotionVector> {
  static Gen<MotionVector> arbitrary() {
    return gen::construct<MotionVector>(gen::arbitrary<Vector3>(), gen::arbitrary<Vector3>());
  }
};

template <>
struct Arbitrary<ForceVector> {
  static Gen<ForceVector> arbitrary() {
    return gen::construct<ForceVector>(gen::arbitrary<Vector3>(), gen::arbitrary<Vector3>());
  }
};

template <>
struct Arbitrary<PluckerTransform> {
  static Gen<PluckerTransform> arbitrary() {
    return gen::map(
        gen::tuple(number(), gen::arbitrary<Vector3>(), gen::arbitrary<Vector3>()),
        [](const auto& t) {
          spacedyn::Quaternion quaternion;
          quaternion.w() = std::get<0>(t);
          quaternion.vec() = std::get<1>(t);
          if (quaternion.norm() == 0.0) quaternion.w() = 1.0;
          return PluckerTransform{quaternion.normalized().toRotationMatrix(), std::get<2>(t)};
        });
  }
};

template <>
struct Arbitrary<RigidInertia> {
  static Gen<RigidInertia> arbitrary() {
    return gen::map(
        gen::tuple(positive(), gen::arbitrary<Vector3>(), gen::arbitrary<Vector3>(), positive()),
        [](const auto& t) {
          // a point mass, a rod and a sphere together obey every rule of a real body
          const Vector3 rod = std::get<2>(t);
          const spacedyn::Matrix3 tensor =
              (rod.squaredNorm() + std::get<3>(t)) * spacedyn::Matrix3::Identity() -
              rod * rod.transpose();
          return RigidInertia::from_centroidal(std::get<0>(t), std::get<1>(t), tensor);
        });
  }
};

}  // namespace rc

namespace spacedyn::properties_test {

// RapidCheck prints counterexamples with these
template <typename Stream>
Stream& operator<<(Stream& stream, const PluckerTransform& X) {
  stream << X.matrix();
  return stream;
}

}  // namespace spacedyn::properties_test

namespace spacedyn::testing::properties_test {
namespace {

template <typename T>
double size(const T& a) {
  return 1.0 + a.coordinates().norm();
}

// relative to the largest intermediate: offsets up to 17 enter up to three times
constexpr double kTolerance = 1e-12;

void expect_equal(const MotionVector& a, const MotionVector& b, double scale) {
  RC_ASSERT(difference(a, b) <= kTolerance * scale);
}
void expect_equal(const ForceVector& a, const ForceVector& b, double scale) {
  RC_ASSERT(difference(a, b) <= kTolerance * scale);
}
void expect_equal(const Matrix6& a, const Matrix6& b) {
  RC_ASSERT((a - b).norm() <= kTolerance * (1.0 + a.norm()));
}
void expect_equal(double a, double b, double scale) {
  RC_ASSERT(std::abs(a - b) <= kTolerance * scale);
}

double size(const PluckerTransform& X) { return 1.0 + X.offset.norm(); }

TEST(SpatialProperties, TransformsFormAGroup) {
  check_property(
      [](const PluckerTransform& X, const PluckerTransform& Y, const PluckerTransform& Z) {
        expect_equal(((X * Y) * Z).matrix(), (X * (Y * Z)).matrix());
        expect_equal((X * Y).matrix(), X.matrix() * Y.matrix());
        expect_equal((X * X.inverse()).matrix(), Matrix6::Identity());
        expect_equal((X.inverse() * X).matrix(), Matrix6::Identity());
        expect_equal((X * Y).inverse().matrix(), (Y.inverse() * X.inverse()).matrix());
        expect_equal((X * PluckerTransform{}).matrix(), X.matrix());
      });
}

TEST(SpatialProperties, ForceTransformsAreTheDualGroup) {
  check_property([](const PluckerTransform& X, const PluckerTransform& Y) {
    expect_equal((X * Y).dual().matrix(), (X.dual() * Y.dual()).matrix());
    expect_equal(X.dual().matrix(), X.inverse().matrix().transpose());
    expect_equal(X.dual().dual().matrix(), X.matrix());
    expect_equal(X.inverse().dual().matrix(), X.dual().inverse().matrix());
    expect_equal((X * Y).transpose().matrix(), (Y.transpose() * X.transpose()).matrix());
  });
}

TEST(SpatialProperties, TransformsActAsTheirProducts) {
  check_property([](const PluckerTransform& X, const PluckerTransform& Y, const MotionVector& m,
                    const ForceVector& f) {
    const double scale = size(X) * size(Y);
    expect_equal((X * Y) * m, X * (Y * m), scale * size(m));
    expect_equal((X * Y).dual() * f, X.dual() * (Y.dual() * f), scale * size(f));
    expect_equal(X.inverse_times(X * m), m, size(X) * size(X) * size(m));
    expect_equal(X.transpose_times(X.dual() * f), f, size(X) * size(X) * size(f));
  });
}

TEST(SpatialProperties, TransformsAreLinear) {
  check_property([](const PluckerTransform& X, const MotionVector& a, const MotionVector& b,
                    const ForceVector& f, const ForceVector& g) {
    expect_equal(X * (2.5 * a - b), 2.5 * (X * a) - X * b, size(X) * (size(a) + size(b)));
    const auto Y = X.dual();
    expect_equal(Y * (f * 2.5 - g), 2.5 * (Y * f) - Y * g, size(X) * (size(f) + size(g)));
  });
}

TEST(SpatialProperties, PowerIsTheSameInEveryBasis) {
  check_property([](const PluckerTransform& X, const MotionVector& m, const ForceVector& f) {
    expect_equal(dot(X * m, X.dual() * f), dot(m, f), size(X) * size(X) * size(m) * size(f));
    expect_equal(dot(X * m, f), dot(m, X.transpose_times(f)), size(X) * size(m) * size(f));
  });
}

TEST(SpatialProperties, CrossProductsAreDual) {
  check_property([](const MotionVector& v, const MotionVector& m, const ForceVector& f) {
    expect_equal(dot(cross(v, m), f), -dot(m, cross_star(v, f)), size(v) * size(m) * size(f));
  });
}

TEST(SpatialProperties, CrossProductOfMotionsIsALieBracket) {
  check_property([](const MotionVector& a, const MotionVector& b, const MotionVector& c) {
    const double scale = size(a) * size(b) * size(c);
    expect_equal(cross(a, a), MotionVector{}, size(a) * size(a));
    expect_equal(cross(a, b), -cross(b, a), size(a) * size(b));
    expect_equal(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)),
                 MotionVector{}, scale);
  });
}

TEST(SpatialProperties, CrossStarRepresentsTheLieBracket) {
  check_property([](const MotionVector& a, const MotionVector& b, const ForceVector& f) {
    expect_equal(cross_star(cross(a, b), f),
                 cross_star(a, cross_star(b, f)) - cross_star(b, cross_star(a, f)),
                 size(a) * size(b) * size(f));
  });
}

TEST(SpatialProperties, CrossProductsCommuteWithChangeOfBasis) {
  check_property([](const PluckerTransform& X, const MotionVector& v, const MotionVector& m,
                    const ForceVector& f) {
    const double scale = size(X) * size(X) * size(v);
    expect_equal(X * cross(v, m), cross(X * v, X * m), scale * size(m));
    expect_equal(X.dual() * cross_star(v, f), cross_star(X * v, X.dual() * f), scale * size(f));
  });
}

TEST(SpatialProperties, InertiaTransformsAsAGroupAction) {
  check_property([](const PluckerTransform& X, const PluckerTransform& Y, const RigidInertia& I) {
    // the translations' squares enter and leave again
    const double scale = std::pow(size(X) * size(Y), 4.0) * (1.0 + I.matrix().norm());
    const auto difference_of = [](const RigidInertia& a, const RigidInertia& b) {
      return (a.matrix() - b.matrix()).norm();
    };
    RC_ASSERT(difference_of(transform(X * Y, I), transform(X, transform(Y, I))) <=
              kTolerance * scale);
    RC_ASSERT(difference_of(transform_back(X, transform(X, I)), I) <= kTolerance * scale);
    RC_ASSERT(difference_of(transform_back(X, I), transform(X.inverse(), I)) <= kTolerance * scale);
  });
}

TEST(SpatialProperties, MomentumAndEnergyAreTheSameInEveryBasis) {
  check_property([](const PluckerTransform& X, const RigidInertia& I, const MotionVector& v) {
    const double scale = std::pow(size(X), 4.0) * (1.0 + I.matrix().norm()) * size(v);
    expect_equal(transform(X, I) * (X * v), X.dual() * (I * v), scale);
    expect_equal(kinetic_energy(transform(X, I), X * v), kinetic_energy(I, v), scale * size(v));
  });
}

TEST(SpatialProperties, InertiaIsSymmetricAndPositive) {
  check_property([](const RigidInertia& I, const MotionVector& a, const MotionVector& b) {
    const double scale = (1.0 + I.matrix().norm()) * size(a) * size(b);
    expect_equal(dot(I * a, b), dot(I * b, a), scale);
    RC_ASSERT(kinetic_energy(I, a) >= -kTolerance * scale);
  });
}

TEST(SpatialProperties, ArticulatedAgreesWithRigidInertia) {
  check_property([](const PluckerTransform& X, const RigidInertia& I, const RigidInertia& J,
                    const MotionVector& a) {
    const double scale =
        std::pow(size(X), 2.0) * (1.0 + I.matrix().norm() + J.matrix().norm()) * size(a);
    const ArticulatedInertia sum = ArticulatedInertia(I) + J;
    expect_equal(sum * a, (I + J) * a, scale);
    expect_equal(transform_back(X, sum) * a, transform_back(X, I + J) * a, scale);
  });
}

TEST(SpatialProperties, AbsoluteDerivativeIgnoresTheFrame) {
  // two frames rigidly joined differentiate alike: X is constant
  check_property([](const PluckerTransform& X, const MotionVector& v, const MotionVector& rate,
                    const MotionVector& m) {
    expect_equal(X * absolute_derivative(rate, v, m), absolute_derivative(X * rate, X * v, X * m),
                 size(X) * size(X) * (size(rate) + size(v) * size(m)));
  });
}

TEST(SpatialProperties, OrderOfTheHalvesIsCosmetic) {
  check_property([](const PluckerTransform& X, const MotionVector& m, const ForceVector& f) {
    expect_equal(linear_first(m).dot(linear_first(f)), dot(m, f), size(m) * size(f));
    const Vector6 moved = exchange_order(X.matrix()) * linear_first(m);
    expect_equal(motion_from_linear_first(moved), X * m, size(X) * size(m));
  });
}

}  // namespace
}  // namespace spacedyn::testing::properties_test

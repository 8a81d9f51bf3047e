// Paths of poses and splines against the equations that define them.
#include "spacedyn/control/pose_reference.hpp"

#include <cmath>

#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/message_of.hpp"

namespace spacedyn::pose_reference_test {
namespace {

using testing::message_of;

PosePath two_legs() {
  PosePath::Stop first, last;
  first.at = 2.0;
  first.position = Vector3(1.0, 0.0, 0.0);
  last.at = 5.0;
  last.position = Vector3(1.0, 2.0, 0.0);
  last.rotation = exp_so3(Vector3(0.0, 0.0, 3.0));
  return {Pose{Vector3::Zero(), Matrix3::Identity()}, {first, last}, 10.0};
}

TEST(PosePath, GoesFromRestToRestThroughItsPoses) {
  const PosePath path = two_legs();
  EXPECT_EQ(path.evaluate(3.0, {}).position, Vector3::Zero()) << "held before it begins";
  EXPECT_EQ(path.evaluate(12.0, {}).position, Vector3(1.0, 0.0, 0.0));
  EXPECT_EQ(path.evaluate(12.0, {}).rotation, Matrix3::Identity()) << "what is left out stays";
  const PoseMotion end = path.evaluate(15.0, {});
  EXPECT_EQ(end.position, Vector3(1.0, 2.0, 0.0));
  EXPECT_EQ(end.rotation, exp_so3(Vector3(0.0, 0.0, 3.0)));
  for (const double time : {10.0, 12.0, 15.0, 20.0}) {
    EXPECT_TRUE(path.evaluate(time, {}).velocity.isZero(1e-12)) << time;
    EXPECT_TRUE(path.evaluate(time, {}).acceleration.isZero(1e-12)) << time;
  }
  // half of a leg: σ = 1/2, σ̇ = 15/8 over the duration
  const PoseMotion half = path.evaluate(13.5, {});
  EXPECT_LE((half.position - Vector3(1.0, 1.0, 0.0)).norm(), 1e-14);
  EXPECT_LE((half.rotation - exp_so3(Vector3(0.0, 0.0, 1.5))).norm(), 1e-14);
  EXPECT_NEAR(half.velocity(1), 2.0 * 15.0 / 8.0 / 3.0, 1e-13);
  EXPECT_NEAR(half.velocity(5), 3.0 * 15.0 / 8.0 / 3.0, 1e-13);
}

TEST(PosePath, HasTheDerivativesOfItsPose) {
  const PosePath path = two_legs();
  constexpr double h = 1e-4;
  for (const double time : {10.7, 12.9, 14.2}) {
    const auto at = [&](double shift) { return path.evaluate(time + shift, {}); };
    const auto rate = [&](const auto& value) {
      return ((8.0 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12.0 * h)).eval();
    };
    const Vector3 v = rate([&](double s) { return at(s).position; });
    const Vector6 a = rate([&](double s) { return at(s).velocity; });
    const Matrix3 spin =
        rate([&](double s) { return at(s).rotation; }) * at(0.0).rotation.transpose();
    EXPECT_LE((v - at(0.0).velocity.head<3>()).norm(), 1e-10);
    EXPECT_LE((a - at(0.0).acceleration).norm(), 1e-10);
    EXPECT_NEAR(spin(1, 0), at(0.0).velocity(5), 1e-10);
  }
}

TEST(PosePath, BeginsWhereTheFrameIsUnlessToldOtherwise) {
  PosePath::Stop stop;
  stop.at = 1.0;
  stop.position = Vector3(2.0, 0.0, 0.0);
  const PosePath path(std::nullopt, {stop}, 0.0);
  EXPECT_TRUE(path.takes_start());
  const Pose start{Vector3(0.0, 5.0, 0.0), exp_so3(Vector3(1.0, 0.0, 0.0))};
  EXPECT_EQ(path.evaluate(0.0, start).position, start.position);
  EXPECT_EQ(path.evaluate(1.0, start).position, Vector3(2.0, 0.0, 0.0));
  EXPECT_EQ(path.evaluate(1.0, start).rotation, start.rotation);
}

TEST(PosePath, BeginsAtAnEvent) {
  PosePath::Stop stop;
  stop.at = 4.0;
  stop.position = Vector3(1.0, 2.0, 3.0);
  const Pose start{Vector3(0.5, 0.0, 0.0), Matrix3::Identity()};
  const PosePath waits(std::nullopt, {stop}, 0.0, 0), begins(std::nullopt, {stop}, 2.0);
  EventTimes events;
  events.instants = {{}};
  EXPECT_EQ(waits.evaluate({9.0, &events}, start).position, start.position);
  EXPECT_LT(waits.since_start({9.0, &events}), 0.0);
  events.instants = {{2.0, 7.0}};
  for (const double time : {2.0, 3.3, 6.0, 8.0}) {
    const PoseMotion found = waits.evaluate({time, &events}, start);
    const PoseMotion expected = begins.evaluate(time, start);
    EXPECT_LE((found.position - expected.position).norm(), 1e-14);
    EXPECT_LE((found.acceleration - expected.acceleration).norm(), 1e-14);
  }
  std::vector<double> times;
  waits.append_discontinuities(times);
  EXPECT_TRUE(times.empty());
  waits.append_event_discontinuities(events, times);
  EXPECT_EQ(times, (std::vector<double>{2.0, 6.0}));
}

TEST(PosePath, RefusesWhatIsNoPath) {
  const Pose start;
  EXPECT_EQ(message_of<DomainError>([&] { PosePath(start, {}, 0.0); }),
            "a path of a pose leads nowhere");
  PosePath::Stop stop;
  stop.at = 0.0;
  EXPECT_EQ(message_of<DomainError>([&] { PosePath(start, {stop}, 0.0); }),
            "the times of poses must be positive and ascend");
  stop.at = 1.0;
  stop.rotation = 2.0 * Matrix3::Identity();
  EXPECT_EQ(message_of<DomainError>([&] { PosePath(start, {stop}, 0.0); }),
            "the attitude of a pose is no rotation");
  EXPECT_EQ(message_of<DimensionError>([] {
              PointPath(std::make_shared<ConstantReference>(VectorX::Zero(2)), Matrix3::Identity());
            }),
            "the reference has 2 components, expected 3");
}

TEST(SplineReference, HasFourContinuousDerivativesAndRestsAtItsEnds) {
  const std::vector<double> times = {0.0, 1.0, 1.5, 4.0, 6.0};
  const MatrixX rows =
      (MatrixX(2, 5) << 0.0, 1.0, -1.0, 2.0, 0.5, 3.0, 3.0, 2.0, 5.0, 1.0).finished();
  const SplineReference spline(times, rows, 2.0);
  for (int i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(spline.evaluate(i, 2.0 + times[k]).position,
                  rows(i, static_cast<Eigen::Index>(k)), 1e-13);
    }
    for (const double end : {2.0, 8.0 - 1e-12}) {
      EXPECT_NEAR(spline.evaluate(i, end).velocity, 0.0, 1e-10);
      EXPECT_NEAR(spline.evaluate(i, end).acceleration, 0.0, 1e-9);
    }
    // third and fourth derivatives from both sides of the inner rows, by differences that are exact
    // for the cubic that the acceleration is
    for (const double row : {3.0, 3.5, 6.0}) {
      const auto derivative = [&](int order, double side) {
        constexpr double h = 0.05;
        const auto a = [&](int k) {
          return spline.evaluate(i, row + side * (k * h + 1e-13)).acceleration;
        };
        return order == 3 ? side * (-11 * a(0) + 18 * a(1) - 9 * a(2) + 2 * a(3)) / (6 * h)
                          : (2 * a(0) - 5 * a(1) + 4 * a(2) - a(3)) / (h * h);
      };
      EXPECT_NEAR(derivative(3, 1.0), derivative(3, -1.0), 1e-8);
      EXPECT_NEAR(derivative(4, 1.0), derivative(4, -1.0), 1e-7);
    }
  }
}

TEST(SplineReference, IsTheQuinticOfTwoRows) {
  const SplineReference spline({0.0, 3.0}, (MatrixX(1, 2) << 1.0, 4.0).finished());
  const QuinticReference quintic(VectorX::Constant(1, 1.0), VectorX::Constant(1, 4.0), 0.0, 3.0);
  for (const double time : {-1.0, 0.4, 1.5, 2.9, 3.5}) {
    EXPECT_NEAR(spline.evaluate(0, time).position, quintic.evaluate(0, time).position, 1e-14);
    EXPECT_NEAR(spline.evaluate(0, time).velocity, quintic.evaluate(0, time).velocity, 1e-14);
    EXPECT_NEAR(spline.evaluate(0, time).acceleration, quintic.evaluate(0, time).acceleration,
                1e-13);
  }
}

TEST(SplineReference, RefusesTimesThatDoNotAscend) {
  EXPECT_THROW(SplineReference({0.0, 0.0}, MatrixX::Zero(1, 2)), DomainError);
  EXPECT_THROW(SplineReference({0.0}, MatrixX::Zero(1, 1)), DimensionError);
}

}  // namespace
}  // namespace spacedyn::pose_reference_test

// Ellipsoids: nearest points by their conditions, contact with balls, rolling by equations of its
// own.
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/contact_models.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::testing::ellipsoid_test {
namespace {

constexpr double kG = 9.81;

Vector3 random_vector(std::mt19937& engine, double size) {
  std::uniform_real_distribution<double> part(-size, size);
  return {part(engine), part(engine), part(engine)};
}

TEST(Ellipsoid, NearestPointsSatisfyTheirConditions) {
  std::mt19937 engine(7);
  for (int i = 0; i < 3000; ++i) {
    ShapePose shape{CollisionType::ellipsoid, {}, random_vector(engine, 1.0), {}, nullptr};
    shape.size = random_vector(engine, 0.5).cwiseAbs() + Vector3::Constant(0.05);
    shape.rotation = exp_so3(random_vector(engine, 3.0));
    Vector3 local = random_vector(engine, 1.0);
    if (i % 5 == 0) local(i % 3) = 0.0;  // on planes of symmetry, and on axes
    if (i % 10 == 0) local((i + 1) % 3) = 0.0;
    const Vector3 point = shape.position + shape.rotation * local;
    // a ball without size
    const ContactPoint foot = contact_point(
        {CollisionType::sphere, Vector3::Zero(), point, Matrix3::Identity(), nullptr}, shape);
    const double distance = -foot.depth;
    const Vector3 normal = foot.normal;
    const Vector3 on_surface =
        shape.rotation.transpose() * (point - distance * normal - shape.position);
    const Vector3 scaled = on_surface.cwiseQuotient(shape.size);
    EXPECT_NEAR(scaled.norm(), 1.0, 1e-11) << i;
    const Vector3 outward = scaled.cwiseQuotient(shape.size).normalized();
    EXPECT_NEAR((shape.rotation * outward - normal).norm(), 0.0, 1e-9) << i;
    EXPECT_EQ(distance > 0.0, local.cwiseQuotient(shape.size).norm() > 1.0) << i;
    // no other point is nearer
    for (int k = 0; k < 50; ++k) {
      const Vector3 other = shape.size.cwiseProduct(random_vector(engine, 1.0).normalized());
      ASSERT_GE((other - local).norm(), std::abs(distance) - 1e-12) << i;
    }
  }
}

TEST(Ellipsoid, OfEqualAxesIsASphere) {
  const ShapePose ball{CollisionType::sphere, {0.3, 0, 0}, {0.1, 0.2, 0.3}, Matrix3::Identity()};
  ShapePose round = ball;
  round.type = CollisionType::ellipsoid;
  round.size = Vector3::Constant(0.3);
  const ShapePose other{CollisionType::sphere, {0.2, 0, 0}, {0.4, -0.1, 0.5}, Matrix3::Identity()};
  const ContactPoint exact = contact_point(ball, other), found = contact_point(round, other);
  EXPECT_NEAR(found.depth, exact.depth, 1e-15);
  EXPECT_NEAR((found.normal - exact.normal).norm(), 0.0, 1e-14);
  EXPECT_NEAR((found.point - exact.point).norm(), 0.0, 1e-14);
  const PlaneTerrain slope({0.2, 0.1, 1.0}, -0.2);
  const ContactPoint below = contact_point(ball, slope, 0),
                     found_below = contact_point(round, slope, 0);
  EXPECT_NEAR(found_below.depth, below.depth, 1e-15);
  EXPECT_NEAR((found_below.point - below.point).norm(), 0.0, 1e-15);
}

TEST(Ellipsoid, TouchesPlanesWhereItReachesFarthest) {
  std::mt19937 engine(8);
  for (int i = 0; i < 500; ++i) {
    ShapePose shape{
        CollisionType::ellipsoid, {0.4, 0.1, 0.2}, random_vector(engine, 1.0), {}, nullptr};
    shape.rotation = exp_so3(random_vector(engine, 3.0));
    const PlaneTerrain ground(random_vector(engine, 1.0) + Vector3(0, 0, 1.5), 0.1);
    const Vector3 normal = ground.normal(0, 0);
    const double reach = shape.size.cwiseProduct(shape.rotation.transpose() * normal).norm();
    const ContactPoint found = contact_point(shape, ground, 0);
    EXPECT_NEAR(found.depth, reach - ground.nearest(shape.position).distance, 1e-14);
    EXPECT_NEAR(ground.nearest(found.point).distance, -found.depth, 1e-14);
  }
}

TEST(Ellipsoid, RefusesShapesThatItCannotTouch) {
  EXPECT_TRUE(may_touch(CollisionType::ellipsoid, CollisionType::sphere));
  for (const CollisionType other : all_collision_types()) {
    EXPECT_EQ(may_touch(CollisionType::ellipsoid, other), other == CollisionType::sphere);
    EXPECT_EQ(may_touch(other, CollisionType::ellipsoid), other == CollisionType::sphere);
    EXPECT_TRUE(may_touch(CollisionType::sphere, other));
  }
  const std::vector<BodyShape> shapes = collision_shapes(
      body_with(shape_of(CollisionType::ellipsoid, "a", {0.2, 0.1, 0.1}), 1.0, {1, 1, 1}));
  RigidContact::Settings settings = rigid_law(0.0);
  settings.pairs.push_back({shapes[0], shapes[0], false});
  EXPECT_THROW(RigidContact("c", settings), DomainError);
}

/// A body with an ellipsoid under it that rolls without slip, in its own axes: spin ω and the
/// vertical γ, both found from the balance of moments about the point of contact.
struct Rolling {
  Vector3 semi_axes, centroid;  // of the body, from the middle of the ellipsoid
  double mass = 1.0;
  Matrix3 inertia;

  using Motion = Eigen::Matrix<double, 6, 1>;

  Motion rate(const Motion& x) const {
    const Vector3 omega = x.head<3>(), gamma = x.tail<3>();
    const Vector3 squares = semi_axes.cwiseProduct(semi_axes);
    const double reach = std::sqrt(gamma.dot(squares.cwiseProduct(gamma)));
    const Vector3 arm = -squares.cwiseProduct(gamma) / reach - centroid;
    const Vector3 gamma_rate = gamma.cross(omega);
    const Vector3 arm_rate = -squares.cwiseProduct(gamma_rate) / reach +
                             squares.cwiseProduct(gamma) *
                                 gamma.dot(squares.cwiseProduct(gamma_rate)) / std::pow(reach, 3);
    const Vector3 pull = arm_rate.cross(omega) + omega.cross(arm.cross(omega)) + kG * gamma;
    Matrix3 across;
    across << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(), arm.x(), 0;
    const Matrix3 about_contact = inertia - mass * across * across;
    const Vector3 right = mass * arm.cross(pull) - omega.cross(inertia * omega);
    return (Motion() << about_contact.lu().solve(right), gamma_rate).finished();
  }
  Motion after(Motion x, double duration, int steps) const {
    const double h = duration / steps;
    for (int i = 0; i < steps; ++i) {
      const Motion a = rate(x), b = rate(x + 0.5 * h * a), c = rate(x + 0.5 * h * b),
                   d = rate(x + h * c);
      x += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
    return x;
  }
};

TEST(Ellipsoid, RollsAsItsOwnEquationsSay) {
  Rolling stone;
  stone.semi_axes = {0.2, 0.03, 0.02};
  stone.centroid = {0.0, 0.0, 0.01};
  stone.inertia << 2e-4, -2e-5, 0, -2e-5, 1.6e-3, 0, 0, 0, 1.7e-3;
  ModelDescription description;
  description.name = "stone";
  description.base.name = "stone";
  description.base.mass = 1.0;
  description.base.inertia = stone.inertia;
  description.base.center_of_mass = stone.centroid;
  description.base.collisions = {shape_of(CollisionType::ellipsoid, "under", stone.semi_axes)};
  const Model model = ModelBuilder(description).build();

  State state(model);
  state.A_0 = exp_so3(Vector3(0.02, -0.01, 0.3));
  state.omega_0 = {0.3, -0.2, 4.0};
  const Vector3 gamma = state.A_0.transpose() * Vector3::UnitZ();
  const Vector3 squares = stone.semi_axes.cwiseProduct(stone.semi_axes);
  const Vector3 arm =
      -squares.cwiseProduct(gamma) / std::sqrt(gamma.dot(squares.cwiseProduct(gamma))) -
      stone.centroid;
  const Vector3 arm_there = state.A_0 * arm;
  state.r_0 = {0.0, 0.0, -arm_there.z()};
  state.v_0 = arm_there.cross(state.omega_0);  // it rolls

  SimulationSetup setup =
      rigid_setup(model, on_rigid_ground(model, rigid_law(0.0, 5.0)), {0, 0, -kG});
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  const double duration = 1.5;
  const SimulationResult end = simulate(setup, state, duration);
  Rolling::Motion start;
  start << state.A_0.transpose() * state.omega_0, gamma;
  const Rolling::Motion exact = stone.after(start, duration, 20000);
  EXPECT_EQ(end.contacts[0].count, 1);  // it never leaves the ground
  EXPECT_NEAR((end.state.A_0.transpose() * end.state.omega_0 - exact.head<3>()).norm(), 0.0, 1e-6);
  EXPECT_NEAR((end.state.A_0.transpose() * Vector3::UnitZ() - exact.tail<3>()).norm(), 0.0, 1e-7);
  // rolling loses nothing
  EXPECT_NEAR(end.contacts[0].friction_work, 0.0, 1e-9);
  EXPECT_NEAR(end.final_energy.total() / end.initial_energy.total(), 1.0, 1e-8);
}

}  // namespace
}  // namespace spacedyn::testing::ellipsoid_test

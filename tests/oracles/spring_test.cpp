// Springs between free bodies, a hub with flexible panels, a struck rod: textbook results.
#include <cmath>

#include <gtest/gtest.h>

#include "oracles/small_vibrations.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::spring_test {
namespace {

BaseDescription body(const std::string& name, double mass, const Vector3& inertia) {
  BaseDescription base;
  base.name = name;
  base.mass = mass;
  base.inertia = inertia.asDiagonal();
  return base;
}

LinkDescription panel(const std::string& name, const Vector3& hinge, double side) {
  LinkDescription link;
  link.name = name;
  link.parent = "hub";
  link.mass = 100.0;
  link.center_of_mass = Vector3(side * 1.5, 0, 0);
  link.inertia = Vector3(50, 50, 50).asDiagonal();
  link.joint.origin.position = hinge;
  link.joint.stiffness = 5000.0;
  return link;
}

VectorX frequencies(const Model& model) { return small_vibrations(model).frequencies; }

TEST(Springs, HubWithTwoPanelsHasTheFrequenciesOfItsTwoModes) {
  const double m = 100, d = 1.5, I = 50, R = 0.5, k = 5000, hub_mass = 750, J = 600;
  ModelBuilder builder("hub_and_panels");
  builder.set_base(body("hub", hub_mass, {900, 800, J}));
  builder.add_link(panel("right", {R, 0, 0}, 1)).add_link(panel("left", {-R, 0, 0}, -1));
  const VectorX free = frequencies(builder.build());

  const double H_uu = 2 * (m * d * d + I);
  const double H_wu = 2 * (m * (R + d) * d + I);
  const double H_ww = J + 2 * (m * (R + d) * (R + d) + I);
  const double rotation = std::sqrt(2 * k / (H_uu - H_wu * H_wu / H_ww));
  const double translation = std::sqrt(2 * k / (H_uu - 4 * m * m * d * d / (hub_mass + 2 * m)));
  EXPECT_NEAR(free(0), std::min(rotation, translation), 1e-12);
  EXPECT_NEAR(free(1), std::max(rotation, translation), 1e-12);

  ModelDescription clamped = builder.description();
  clamped.base.fixed = true;
  const VectorX fixed = frequencies(ModelBuilder(clamped).build());
  EXPECT_NEAR(fixed(0), 4.26401432711, 1e-11);
  EXPECT_NEAR(fixed(1), std::sqrt(k / (m * d * d + I)), 1e-12);
  EXPECT_GT(free(0), fixed(0));
}

TEST(Springs, TwoBodiesOnASpringSwingAboutTheirCentroid) {
  const double m1 = 3.0, m2 = 5.0, k = 40.0, c = 2.0, mu = m1 * m2 / (m1 + m2);
  ModelBuilder builder("two_bodies");
  builder.set_base(body("hub", m1, {1, 1, 1}));
  LinkDescription slider;
  slider.name = "slider";
  slider.parent = "hub";
  slider.mass = m2;
  slider.inertia = Matrix3::Identity();
  slider.joint.type = JointType::prismatic;
  slider.joint.axis = Vector3(1, 2, -2);
  slider.joint.stiffness = k;
  slider.joint.rest_position = 0.5;
  const Vector3 axis = slider.joint.axis.normalized();

  for (const double damping : {0.0, c}) {
    slider.joint.damping = damping;
    ModelDescription description = builder.description();
    description.links = {slider};
    const auto model = std::make_shared<const Model>(ModelBuilder(description).build());
    State state(*model);
    state.q(0) = 0.7;
    const double omega = std::sqrt(k / mu);
    const double zeta = damping / (2 * std::sqrt(k * mu));
    const double omega_d = omega * std::sqrt(1 - zeta * zeta);
    const double time = 1.9;
    const double stretch =
        0.2 * std::exp(-zeta * omega * time) *
        (std::cos(omega_d * time) + zeta * omega / omega_d * std::sin(omega_d * time));
    const SimulationResult result = fly(tight_setup(model), state, time);
    EXPECT_NEAR(result.state.q(0), 0.5 + stretch, 1e-11);
    // the common centroid stays: the hub gives way by m2/(m1+m2) of the stretch
    const Vector3 hub = m2 / (m1 + m2) * (0.7 - result.state.q(0)) * axis;
    EXPECT_LT((result.state.r_0 - hub).norm(), 1e-11);
  }
}

TEST(Springs, RodStruckAtItsEndTurnsAboutTheCentreOfPercussion) {
  const double m = 4.0, length = 3.0, P = 2.5;
  const double inertia = m * length * length / 12;
  const Model rod = ModelBuilder("rod").set_base(body("rod", m, {0.01, inertia, inertia})).build();
  const State state(rod);
  Vector6 impulse;
  impulse << 0, P, 0, Vector3(length / 2, 0, 0).cross(Vector3(0, P, 0));
  const VectorX change = inertia_matrix(rod, state).llt().solve(impulse);
  EXPECT_NEAR(change(1), P / m, 1e-15);
  EXPECT_NEAR(change(5), 6 * P / (m * length), 1e-14);
  const auto velocity_at = [&](double x) { return change(1) + change(5) * x; };
  EXPECT_NEAR(velocity_at(-length / 2), -2 * P / m, 1e-14);
  EXPECT_NEAR(velocity_at(length / 2 - 2 * length / 3), 0.0, 1e-14);
}

TEST(Springs, ShippedPaddleHasItsStatedFrequencyAndDamping) {
  const auto paddle = shipped_robot("parts/solar_paddle");
  const double omega = frequencies(*paddle)(0);
  EXPECT_NEAR(omega / (2 * kPi), 0.15, 1e-9);  // K is given to ten digits
  for (int joint = 1; joint <= paddle->joint_count(); ++joint) {
    // damping in proportion to stiffness gives every joint the ratio of the mode
    EXPECT_NEAR(paddle->joint(joint).damping * omega / (2 * paddle->joint(joint).stiffness), 0.005,
                1e-9);
  }
  // a chain of four thin rods reaches 3.418039 / 3.516015 of the beam's frequency; the panels'
  // thickness adds to their inertia (0.05 m / 1.875 m)² in a small share
  const double stiffness = paddle->joint(2).stiffness * 1.875;
  const double beam = std::sqrt(stiffness / (40.0 / 7.5 * std::pow(7.5, 4)));
  EXPECT_NEAR(omega / beam, 3.418039, 1e-3);
}

}  // namespace
}  // namespace spacedyn::testing::spring_test

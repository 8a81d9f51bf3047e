// Torque-free and heavy tops: Euler's solutions in Jacobi elliptic functions, and steady
// precession.
#include <cmath>

#include <gtest/gtest.h>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::free_top_test {
namespace {

Vector3 body_rates(const State& state) { return state.A_0.transpose() * state.omega_0; }

std::shared_ptr<const Model> top(const Vector3& principal_moments) {
  BaseDescription base;
  base.name = "body";
  base.mass = 1.0;
  base.inertia = principal_moments.asDiagonal();
  return std::make_shared<const Model>(ModelBuilder("top").set_base(base).build());
}

/// Motion with L² > 2 E I2, where ω3 keeps its sign: ω = (a1 cn, a2 sn, a3 dn)(λ t).
struct EllipticTop {
  double a1, a2, a3, lambda, k;

  EllipticTop(const Vector3& I, const Vector3& omega) {
    const double L2 = I.cwiseProduct(omega).squaredNorm();
    const double E2 = omega.dot(I.cwiseProduct(omega));
    a1 = std::sqrt((E2 * I(2) - L2) / (I(0) * (I(2) - I(0))));
    a2 = std::sqrt((E2 * I(2) - L2) / (I(1) * (I(2) - I(1))));
    a3 = std::sqrt((L2 - E2 * I(0)) / (I(2) * (I(2) - I(0))));
    lambda = std::sqrt((I(2) - I(1)) * (L2 - E2 * I(0)) / (I(0) * I(1) * I(2)));
    k = std::sqrt((I(1) - I(0)) * (E2 * I(2) - L2) / ((I(2) - I(1)) * (L2 - E2 * I(0))));
  }

  double period() const { return 4 * boost::math::ellint_1(k) / lambda; }
  Vector3 rates(double time) const {
    double cn = 0.0, dn = 0.0;
    const double sn = boost::math::jacobi_elliptic(k, lambda * time, &cn, &dn);
    // Boost's own dn loses half its digits near the quarter period
    return {a1 * cn, a2 * sn, a3 * std::sqrt(1 - k * k * sn * sn)};
  }
};

TEST(FreeTop, AsymmetricTopFollowsTheEllipticSolution) {
  const auto model = shipped_robot("asymmetric_top");
  const EllipticTop form(Vector3(1, 2, 3), Vector3(0, 0.5, 1));
  EXPECT_NEAR(form.lambda, 1.04083299973, 1e-11);
  EXPECT_NEAR(form.k * form.k, 1.0 / 13, 1e-15);
  EXPECT_NEAR(form.period(), 6.15808767432, 1e-11);

  for (const double fraction : {0.1, 0.25, 0.6, 1.0, 3.3}) {
    State state(*model);
    state.omega_0 = form.rates(0.0);
    const double time = fraction * form.period();
    const SimulationResult result = fly(tight_setup(model), state, time);
    EXPECT_LT((body_rates(result.state) - form.rates(time)).norm(), 1e-10) << "t = " << time;
  }
}

TEST(FreeTop, ShippedWingNutFlipsWhenItShould) {
  const Scenario scenario = shipped_scenario("dzhanibekov");
  const Vector3 start = scenario.initial.omega_0;
  // here L² < 2 E I2: the roles of the first and the third axis change places
  const EllipticTop form(Vector3(3, 2, 1), Vector3(start.z(), start.y(), start.x()));
  EXPECT_NEAR(form.k * form.k, 0.9999000100, 1e-10);
  EXPECT_NEAR(form.period(), 41.50921952931, 1e-9);

  const SimulationResult half = fly(scenario.setup, scenario.initial, form.period() / 2);
  EXPECT_LT((body_rates(half.state) - Vector3(0.01, -1.0, 0.0)).norm(), 1e-8);
  const SimulationResult whole = fly(scenario.setup, scenario.initial, form.period());
  EXPECT_LT((body_rates(whole.state) - start).norm(), 1e-8);
  EXPECT_GT(scenario.duration, 2 * form.period());
}

TEST(FreeTop, SymmetricTopPrecessesAndNutatesAtConstantRates) {
  struct Case {
    double I, I3;
    Vector3 omega;
    double cone_rate, precession;
  };
  for (const Case& c : {Case{1.0, 2.0, {0.5, 0.0, 1.0}, 1.0, 2.06155281281},
                        Case{0.04, 0.02, {2.0, 0.0, 7.0}, -3.5, 4.03112887415}}) {
    const auto model = top(Vector3(c.I, c.I, c.I3));
    State state(*model);
    state.omega_0 = c.omega;
    const Vector3 L = Vector3(c.I, c.I, c.I3).cwiseProduct(c.omega);
    EXPECT_NEAR((c.I3 - c.I) / c.I * c.omega.z(), c.cone_rate, 1e-15);
    EXPECT_NEAR(L.norm() / c.I, c.precession, 1e-11);

    const double time = 2.7;
    const SimulationResult result = fly(tight_setup(model), state, time);
    // in the body, ω turns about the symmetry axis
    const double angle = c.cone_rate * time;
    const double across = c.omega.x();
    EXPECT_LT((body_rates(result.state) -
               Vector3(across * std::cos(angle), across * std::sin(angle), c.omega.z()))
                  .norm(),
              1e-10);
    // in space, the symmetry axis turns about the angular momentum at a fixed nutation angle
    const Vector3 direction = L.normalized();
    const Vector3 axis = Eigen::AngleAxisd(L.norm() / c.I * time, direction) * Vector3::UnitZ();
    EXPECT_LT((result.state.A_0.col(2) - axis).norm(), 1e-10);
    const double nutation = std::atan2(c.I * across, c.I3 * c.omega.z());
    EXPECT_NEAR(std::acos(result.state.A_0.col(2).dot(direction)), nutation, 1e-10);
  }
  EXPECT_NEAR(std::atan2(0.5, 2.0) * 180 / kPi, 14.0362434679, 1e-10);
}

LinkDescription gimbal(const std::string& name, const std::string& parent, const Vector3& axis) {
  LinkDescription link;
  link.name = name;
  link.parent = parent;
  link.joint.axis = axis;
  return link;
}

TEST(FreeTop, HeavyTopPrecessesSteadilyAtTheTwoRootsOfItsEquation) {
  // Euler angles as three hinges about z, x, z; only the last carries the top
  const double I = 0.02, I3 = 0.01, m = 0.5, l = 0.1, spin = 100.0, theta = kPi / 6, g = 9.81;
  BaseDescription ground;
  ground.name = "ground";
  ground.fixed = true;
  LinkDescription body = gimbal("top", "inner", Vector3::UnitZ());
  body.mass = m;
  body.center_of_mass = Vector3(0, 0, l);
  const double about_centroid = I - m * l * l;  // I is about the fixed point
  body.inertia = Vector3(about_centroid, about_centroid, I3).asDiagonal();
  const Model model = ModelBuilder("heavy_top")
                          .set_base(ground)
                          .add_link(gimbal("outer", "ground", Vector3::UnitZ()))
                          .add_link(gimbal("inner", "outer", Vector3::UnitX()))
                          .add_link(body)
                          .build();
  Loads loads(model);
  loads.gravity = Vector3(0, 0, -g);
  for (const double precession : {0.494739491651, 57.2402874273}) {
    State state(model);
    state.q << 0.4, theta, 1.1;
    state.qd << precession, 0.0, spin - precession * std::cos(theta);
    const VectorX acceleration = forward_dynamics(model, state, loads);
    // the roots are given to twelve digits; each digit of theirs costs up to |I3 ω3| / I here
    EXPECT_LT(acceleration.tail(3).cwiseAbs().maxCoeff(), 1e-7);
    state.qd(0) *= 1.01;
    EXPECT_GT(forward_dynamics(model, state, loads).tail(3).cwiseAbs().maxCoeff(), 1e-2);
  }
}

}  // namespace
}  // namespace spacedyn::testing::free_top_test

// Runs in which shapes touch along patches: momentum, energy, statics.

#include <gtest/gtest.h>

#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/contact_models.hpp"
#include "support/dice.hpp"
#include "support/passes.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::patch_contact_test {
namespace {

using T = CollisionType;

/// Two bodies that float apart with a shape each.
Model two_bodies(const CollisionShape& first, const CollisionShape& second) {
  BaseDescription base = base_body(2.0, {0.03, 0.04, 0.05});
  base.collisions.push_back(first);
  LinkDescription other =
      link_body("other", "base", 1.0, {0.02, 0.02, 0.03}, Vector3::Zero(), Vector3::Zero());
  other.joint.type = JointType::free;
  other.collisions.push_back(second);
  return ModelBuilder("two").set_base(base).add_link(other).build();
}

SimulationSetup flight_of(const Model& model, const ContactForce::Settings& contact) {
  SimulationSetup setup = contact_setup(model, contact);
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
  return setup;
}

struct Pair {
  CollisionType a, b;
};
class PatchContact : public ::testing::TestWithParam<Pair> {};

TEST_P(PatchContact, KeepsMomentumAndEnergy) {
  const Model model = two_bodies(shape_of(GetParam().a, "a", {0.2, 0.5, 0.4}),
                                 shape_of(GetParam().b, "b", {0.25, 0.4, 0.3}));
  for (const bool sticks : {false, true}) {
    State state(model);
    state.v_0 = {0.5, 0.02, 0.01};
    state.omega_0 = {0.3, 0.2, -0.1};
    state.q(0) = 0.9;
    state.qd(0) = -0.5;
    state.qd(5) = 0.4;
    const SimulationSetup setup =
        flight_of(model, between_two(model, hunt_crossley(2e5, 0.5),
                                     sticks ? bristle(0.4, 1e4, 20.0) : coulomb(0.4)));
    // they touch after 1 to 1.4 s; cylinders take the longest to compute
    const double duration = GetParam().a == T::cylinder ? 1.2 : 1.7;
    const SimulationResult result = simulate(setup, state, duration);
    ASSERT_GE(result.contacts.at(0).count, 1);
    // forces are opposite at one place: roundings
    EXPECT_LT(result.audit.momentum_drift(), 1e-11);
    // of the tolerance of the run; about 1 J meets
    EXPECT_LT(result.audit.energy_residual(), 1e-7);
    EXPECT_LT(result.final_energy.total(), result.initial_energy.total());
    EXPECT_LT(result.contacts[0].friction_work, 0.0);
  }
}

/// Falls of random attitude on a larger shape, one in four flat on it, with a spring and a damper
/// and friction: no step may stand still where points of a patch begin to touch.
TEST_P(PatchContact, FallsTakeSomeHundredSteps) {
  Dice dice(31);
  const auto size_of = [&](CollisionType type, double scale) {
    Vector3 size = Vector3::Zero();
    if (type == T::box || type == T::mesh) {
      for (const Eigen::Index axis : {2, 1, 0}) size(axis) = dice.number(0.12, 0.3);
    } else {
      size(1) = dice.number(0.15, 0.35);
      size(0) = dice.number(0.06, 0.12);
    }
    return Vector3(scale * size);
  };
  for (int fall = 0; fall < passes(3); ++fall) {
    CollisionShape below = shape_of(GetParam().a, "a", size_of(GetParam().a, 2.0));
    const CollisionShape above = shape_of(GetParam().b, "b", size_of(GetParam().b, 1.0));
    const Model model = two_bodies(below, above);
    State state(model);
    state.r_0.setZero();
    for (const Eigen::Index axis : {1, 0}) state.q(axis) = dice.number(-0.05, 0.05);
    state.q(2) = 0.7;
    state.qd(2) = -2.0;
    if (fall > 0) {
      state.A_0 = exp_so3(dice.vector(3.0));
      state.q.segment<3>(3) = dice.vector(1.5);
    }
    SimulationSetup setup =
        contact_setup(model, between_two(model, linear_law(1e4, 20.0), coulomb(0.3)));
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-9);
    const SimulationResult result = simulate(setup, state, 0.6);
    ASSERT_GE(result.contacts.at(0).count, 1);
    if (!(result.contacts[0].first > 0.0)) continue;  // no fall: it begins inside
    EXPECT_LT(result.statistics.steps, 1500) << fall;
    // roundings of a thousand steps
    EXPECT_LT(result.audit.momentum_drift(), 3e-11) << fall;
    EXPECT_LT(result.audit.energy_residual(), 1e-6) << fall;
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, PatchContact,
                         ::testing::Values(Pair{T::box, T::box}, Pair{T::mesh, T::mesh},
                                           Pair{T::capsule, T::box}, Pair{T::cylinder, T::box},
                                           Pair{T::capsule, T::cylinder},
                                           Pair{T::cylinder, T::cylinder}),
                         [](const auto& of) {
                           return std::string(to_string(of.param.a)) + "_" +
                                  std::string(to_string(of.param.b));
                         });

TEST(PatchContact, AFlatImpactHasTheRestitutionThatWasAskedFor) {
  const Model model =
      two_bodies(shape_of(T::box, "a", {0.4, 0.4, 0.4}), shape_of(T::box, "b", {0.4, 0.4, 0.4}));
  for (const double e : {0.2, 0.6, 1.0}) {
    State state(model);
    state.r_0.setZero();
    state.q(0) = 0.45;
    state.qd(0) = -0.3;
    const SimulationResult result =
        simulate(flight_of(model, between_two(model, hunt_crossley(1e6, e))), state, 1.0);
    EXPECT_NEAR(result.state.qd(0), 0.3 * e, 1e-5) << e;
  }
}

TEST(PatchContact, BodiesThatAreLatchedWhereTheyTouchDoNotRattle) {
  // a weld holds them at a depth of zero; what contacts add to it are roundings
  const Scenario scenario = parse_scenario(R"(spacedyn: 1
scenario:
  name: latch
  duration: 4
  robots:
    - name: a
      model:
        name: a
        base: {name: body, mass: 3, inertia: [0.1, 0.2, 0.15], collision: [{name: palm, shape: sphere, radius: 0.1}]}
      initial: {base: {velocity: [0.3, 0.01, 0], angular_velocity: [0.2, 0.1, 0.3]}}
    - name: b
      model:
        name: b
        base: {name: body, mass: 2, inertia: [0.1, 0.1, 0.05], collision: [{name: handle, shape: capsule, radius: 0.05, length: 0.4}]}
      initial: {base: {position: [0.4, 0.02, 0.05], angular_velocity: [0, 0.3, -0.2]}}
  connections: [{name: latch, type: weld, from: a.body, to: b.body, active: false}]
  contacts: [{name: palm, between: [a.palm, b.handle], normal: {law: hunt_crossley, stiffness: 1.0e5, restitution: 0.5}, friction: {coefficient: 0.3}}]
  events:
    - {type: contact, name: latched, contact: palm, actions: [{type: connect, connection: latch, snap: true}]}
    - {type: time, time: 3, actions: [{type: disconnect, connection: latch}]}
)",
                                           "latch.yaml");
  const SimulationResult result = simulate(scenario.setup, scenario.initial, scenario.duration);
  EXPECT_EQ(result.contacts.at(0).count, 1);
  EXPECT_EQ(result.connections.size(), 1U);
  EXPECT_GT(result.connections.at(0).energy_lost, 0.0);
  EXPECT_LT(result.audit.momentum_drift(), 1e-12);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
}

}  // namespace
}  // namespace spacedyn::testing::patch_contact_test

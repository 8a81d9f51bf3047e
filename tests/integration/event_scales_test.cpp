// Units of mass, length and time mean nothing to loops, stops, motion constraints and landings:
// unit_scales_test.cpp for flights with events.
#include <gtest/gtest.h>

#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/motion_constraint.hpp"
#include "spacedyn/integration/position_stops.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/loop_models.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"
#include "support/units.hpp"

namespace spacedyn::testing::event_scales_test {
namespace {

struct Flight {
  SimulationSetup setup;
  State start;
  double duration = 0.0;     // usual seconds
  std::vector<bool> slides;  // joints that are lengths
};

VectorX in_usual_units(const Flight& flight, const State& state, const Units& unit) {
  const Eigen::Index joints = state.q.size();
  VectorX all(2 * joints + 18);
  all << state.q, unit.time * state.qd, state.r_0 / unit.length, state.v_0 / unit.speed(),
      unit.time * state.omega_0, state.A_0.reshaped();
  for (std::size_t i = 0; i < flight.slides.size(); ++i) {
    if (!flight.slides[i]) continue;
    const auto at = static_cast<Eigen::Index>(i);
    all(at) /= unit.length;
    all(joints + at) /= unit.length;
  }
  return all;
}

/// Flies a set-up in six other units: to 1e-8, of flights with a tolerance of 1e-11, in the same
/// steps but for a few, which roundings choose.
template <class Make>
void expect_same_in_any_units(const Make& make, std::size_t least_events) {
  const auto fly = [](Flight& flight, const Units& unit) {
    flight.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
    scale(flight.setup.integrator.absolute_tolerance, unit, false);
    return simulate(flight.setup, flight.start, flight.duration * unit.time);
  };
  Flight flight = make(Units());
  const SimulationResult usual = fly(flight, {});
  const VectorX usual_end = in_usual_units(flight, usual.state, {});
  ASSERT_GE(usual.events.size(), least_events);
  for (const Units& unit : random_units(6)) {
    SCOPED_TRACE(::testing::Message() << unit.mass << ' ' << unit.length << ' ' << unit.time);
    flight = make(unit);
    const SimulationResult result = fly(flight, unit);
    // tolerances of joints are one number of rad and of m
    const double steps = static_cast<double>(usual.statistics.steps);
    EXPECT_NEAR(static_cast<double>(result.statistics.steps), steps,
                4.0 + (flight.slides.empty() ? 0.02 : 0.1) * steps);
    const VectorX difference = in_usual_units(flight, result.state, unit) - usual_end;
    EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), 1e-8);
    ASSERT_EQ(result.events.size(), usual.events.size());
    for (std::size_t i = 0; i < usual.events.size(); ++i) {
      EXPECT_EQ(result.events[i].name, usual.events[i].name);
      EXPECT_NEAR(result.events[i].time / unit.time, usual.events[i].time, 1e-8);
    }
  }
}

/// A crank with a rod as long as itself turns through both singular postures, where the slider is
/// above the crank's joint and the rod could go either way.
Flight turn_crank(const Units& unit) {
  ModelDescription robot;
  robot.name = "press";
  robot.base = base_body(unit.mass, unit.inertia() * Vector3::Ones());
  robot.base.fixed = true;
  const double size = unit.length;
  robot.links = {rod("crank", "base", unit.mass, size, Vector3::Zero()),
                 link_body("slider", "base", unit.mass, unit.inertia() * Vector3::Ones(),
                           Vector3::Zero(), Vector3::Zero()),
                 rod("rod", "crank", unit.mass, size, {size, 0.0, 0.0})};
  robot.links[1].joint.type = JointType::prismatic;
  robot.links[1].joint.axis = Vector3::UnitX();
  robot.frames = {point_on("pin", "rod", {size, 0.0, 0.0})};
  robot.loops = {loop_between("pin", LoopType::revolute, "pin", "slider")};
  Flight flight;
  flight.setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
  flight.setup.base_mode = BaseMode::fixed;
  flight.setup.gravity = Vector3(0.0, -5.0, 0.0) * unit.acceleration();
  flight.start = State(*flight.setup.model);
  flight.start.q << 0.0, 2.0 * size, 0.0;
  flight.start.qd << 8.0 / unit.time, 0.0, -16.0 / unit.time;
  flight.duration = 2.0;
  flight.slides = {false, true, false};
  return flight;
}

TEST(EventScales, UnitsChangeNoLoopAtASingularPosture) {
  Flight flight = turn_crank({});
  flight.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  // more than a turn: both singular postures are passed
  const State end = simulate(flight.setup, flight.start, flight.duration).state;
  EXPECT_GT(end.q(0), 2.0 * kPi);
  EXPECT_NEAR(end.q(2), -2.0 * end.q(0), 1e-9);
  expect_same_in_any_units(turn_crank, 0);
}

/// An arm of two on a floating base, driven into stops that bounce.
Flight hit_stops(const Units& unit) {
  ModelBuilder builder("arm");
  builder.set_base(base_body(5.0 * unit.mass, unit.inertia() * Vector3(2.0, 2.5, 3.0)));
  std::string parent = "base";
  for (const char* name : {"upper", "lower"}) {
    LinkDescription link =
        link_body(name, parent, unit.mass, unit.inertia() * Vector3(0.1, 0.2, 0.25),
                  unit.length * Vector3(0.5, 0.0, 0.1), unit.length * Vector3(0.3, 0.0, 0.0));
    link.joint.position_lower = -0.2;
    link.joint.position_upper = 0.3;
    builder.add_link(link);
    parent = name;
  }
  Flight flight;
  flight.setup.model = std::make_shared<const Model>(builder.build());
  for (const int joint : {1, 2}) {
    const double torque = (joint == 1 ? 1.0 : 0.7) * unit.torque();
    flight.setup.forces.push_back(
        std::make_shared<AppliedJointTorque>("drive " + std::to_string(joint), joint,
                                             TimeTable::constant(VectorX::Constant(1, torque))));
  }
  add_impulsive_stops(flight.setup, 0.4);
  flight.start = State(*flight.setup.model);
  flight.start.qd << 1.0 / unit.time, -2.0 / unit.time;
  flight.start.omega_0 = Vector3(0.1, 0.2, 0.3) / unit.time;
  flight.duration = 2.0;
  return flight;
}

TEST(EventScales, UnitsChangeNoStops) { expect_same_in_any_units(hit_stops, 10); }

/// A sled on a blade with an elastic arm, drawn sideways.
Flight skate(const Units& unit) {
  BaseDescription sled = base_body(5.0 * unit.mass, unit.inertia() * Vector3::Constant(0.2));
  LinkDescription arm =
      link_body("arm", "base", unit.mass, unit.inertia() * Vector3::Constant(0.02),
                unit.length * Vector3(0.1, 0.0, 0.0), unit.length * Vector3(0.3, 0.0, 0.0));
  arm.joint.stiffness = 3.0 * unit.torque();
  Flight flight;
  flight.setup.model =
      std::make_shared<const Model>(ModelBuilder("sled").set_base(sled).add_link(arm).build());
  KnifeEdge::Settings blade;
  blade.at.position.x() = 0.2 * unit.length;
  flight.setup.forces.push_back(std::make_shared<KnifeEdge>("blade", blade));
  flight.setup.gravity = Vector3(1.0, 0.5, 0.0) * unit.acceleration();
  flight.start = State(*flight.setup.model);
  flight.start.v_0 = Vector3(1.0, -0.2 * 0.7, 0.0) * unit.speed();
  flight.start.omega_0 = Vector3(0.0, 0.0, 0.7) / unit.time;
  flight.start.q(0) = 0.5;
  flight.duration = 3.0;
  return flight;
}

TEST(EventScales, UnitsChangeNoMotionConstraint) { expect_same_in_any_units(skate, 0); }

/// A box that lands askew, bounces, slides and comes to rest.
Flight land(const Units& unit) {
  const Model model =
      body_with(shape_of(CollisionType::box, "box", unit.length * Vector3(0.3, 0.4, 0.2)),
                5.0 * unit.mass, unit.inertia() * Vector3(0.15, 0.2, 0.25));
  Flight flight;
  flight.setup = rigid_setup(model, on_rigid_ground(model, rigid_law(0.3, 0.4)),
                             Vector3(0.0, 0.0, -9.0) * unit.acceleration());
  flight.start = State(*flight.setup.model);
  flight.start.r_0.z() = 0.4 * unit.length;
  flight.start.A_0 = exp_so3({0.3, 0.2, 0.1});
  flight.start.v_0 = Vector3(0.5, 0.1, 0.0) * unit.speed();
  flight.start.omega_0 = Vector3(0.5, 1.0, 0.7) / unit.time;
  flight.duration = 1.0;
  return flight;
}

TEST(EventScales, UnitsChangeNoLanding) { expect_same_in_any_units(land, 8); }

}  // namespace
}  // namespace spacedyn::testing::event_scales_test

#!/usr/bin/env python3
"""Constraints on velocities, winches, equilibria and planned motions."""

import pickle
import unittest

import numpy as np

import spacedyn as sd
from support import ROOT, Case


class Motions(Case):
    def body(self):
        return sd.parse_model("""
spacedyn: 1
model:
  name: body
  base: {name: body, mass: 2, inertia: [0.072, 0.072, 0.072]}
""")

    def scenario(self, model, state, duration):
        scenario = sd.Scenario(model, state, duration=duration, output_interval=duration)
        scenario.relative_tolerance = 1e-11
        return scenario

    def test_a_ball_rolls_down_a_plane(self):
        model = self.body()
        normal = np.array([0.3, 0.0, 0.9]) / np.hypot(0.3, 0.9)
        state = sd.State(model)
        state.r_0 = 0.3 * normal
        scenario = self.scenario(model, state, 2.0)
        scenario.gravity = [0, 0, -9.81]
        ball = sd.RollingConstraint("ball", model.frame("body"), 0.3, normal=normal)
        result = sd.simulate(scenario, forces=[ball])
        down = np.array([0, 0, -9.81]) + 9.81 * normal[2] * normal
        # g sin α / (1 + 2/5)
        self.assert_equal_arrays(result.final_state.v_0, 2.0 * down / 1.4, 1e-9)

    def test_a_knife_edge_holds_a_direction(self):
        model = self.body()
        state = sd.State(model)
        state.v_0 = [1.0, 0.0, 0.5]
        state.omega_0 = [0.0, 0.0, np.pi / 4]
        edge = sd.KnifeEdge("edge", model.frame("body"), normal=[0, 1, 0])
        final = sd.simulate(self.scenario(model, state, 2.0), forces=[edge]).final_state
        self.assert_equal_arrays(final.v_0, [0.0, 1.0, 0.5], 1e-9)
        with self.assertRaisesRegex(sd.DomainError, "normal must be finite and not zero"):
            sd.KnifeEdge("edge", model.frame("body"), normal=[0, 0, 0])
        state.v_0 = [1.0, 0.2, 0.0]
        with self.assertRaisesRegex(sd.DomainError, "violates constraint 'edge' by 0.2 m/s"):
            sd.simulate(self.scenario(model, state, 2.0), forces=[edge])

    def pair(self):
        return sd.parse_model("""
spacedyn: 1
model:
  name: pair
  base: {name: tug, mass: 3, inertia: [1, 1, 1]}
  links: [{name: load, parent: tug, mass: 2, inertia: [1, 1, 1],
           joint: {name: apart, type: free, origin: {xyz: [3, 0, 0]}}}]
""")

    def test_reels(self):
        model = self.pair()
        length = sd.QuinticReference([3.0], [2.0], 0.0, 4.0)
        ends = model.frame("tug"), model.frame("load")
        held = sd.RheonomicDistance("reel", *ends, length)
        final = sd.simulate(self.scenario(model, sd.State(model), 5.0), forces=[held]).final_state
        self.assertAlmostEqual(final.q[0], -1.0, delta=1e-12)
        hauled = sd.WinchTether("haul", *ends, 50.0, length)
        final = sd.simulate(self.scenario(model, sd.State(model), 5.0), forces=[hauled]).final_state
        self.assertLess(final.q[0], -0.5)

    def test_points_on_a_surface_of_its_own(self):
        model = self.body()
        state = sd.State(model)
        state.r_0 = [0.0, 0.0, -1.3]
        state.v_0 = [2.0, 1.0, 0.0]

        def sphere(p, _):
            return [p[0] @ p[0] - 1.3**2], 2.0 * p

        held = sd.PointConstraint("sphere", [model.frame("body")], sphere)
        final = sd.simulate(self.scenario(model, state, 3.0), forces=[held]).final_state
        angle = np.sqrt(5.0) / 1.3 * 3.0
        expected = np.cos(angle) * np.array([0, 0, -1.3]) + 1.3 * np.sin(angle) * np.array([2, 1, 0]) / np.sqrt(5.0)
        self.assert_equal_arrays(final.r_0, expected, 1e-8)
        exact = sd.PointConstraint("sphere", [model.frame("body")], sphere, bias=lambda p, v, t: 2.0 * np.sum(v * v))
        final = sd.simulate(self.scenario(model, state, 3.0), forces=[exact]).final_state
        self.assert_equal_arrays(final.r_0, expected, 1e-8)

    def test_points_of_two_bodies_that_time_moves(self):
        model = self.pair()
        ends = [model.frame("tug"), model.frame("load")]

        def reel(p, t):
            d = p[1] - p[0]
            length = np.linalg.norm(d)
            return length - 3.0 + 0.1 * t**3, np.array([-d, d]) / length, 0.3 * t**2

        final = sd.simulate(self.scenario(model, sd.State(model), 2.0),
                            forces=[sd.PointConstraint("reel", ends, reel)]).final_state
        self.assertAlmostEqual(final.q[0], -0.8, delta=1e-12)

    def test_refuses_functions_that_do_not_fit(self):
        model = self.body()
        point = [model.frame("body")]
        for function, error, words in ((lambda p, t: ([0.0], np.zeros(2)), sd.DimensionError, "gradient"),
                                       (lambda p, t: ([0.0],), ValueError, "value, gradient"),
                                       (lambda p, t: 1 / 0, ZeroDivisionError, "")):
            with self.assertRaisesRegex(error, words):
                sd.simulate(self.scenario(model, sd.State(model), 1.0),
                            forces=[sd.PointConstraint("own", point, function)])
        with self.assertRaisesRegex(sd.DomainError, "expected 1 to 3 rows, got 0"):
            sd.PointConstraint("own", point, lambda p, t: None, rows=0)

    def test_the_worst_instant_of_an_audit(self):
        model = self.body()
        state = sd.State(model)
        state.r_0 = [0.0, 0.0, -1.3]
        state.v_0 = [2.0, 1.0, 0.0]

        def kick(context, loads):
            if context.time > 1.0:
                loads.F_b[:3] = -50.0 * context.state.r_0

        scenario = self.scenario(model, state, 3.0)
        scenario.method, scenario.step = "rk4", 0.03
        result = sd.simulate(scenario, forces=[sd.FunctionForce("kick", kick)])
        worst = result.worst_energy
        self.assertEqual(worst["cause"], {"source": "kick"})
        self.assertLess(worst["from"], worst["to"])
        self.assertGreater(worst["from"], 0.95)
        self.assertGreater(result.energy_residual, 0.0)
        self.assertEqual(pickle.loads(pickle.dumps(result)).worst_energy, worst)

    def test_equilibria(self):
        robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        start = sd.State(robot, q=[0.4, 0.3])
        rest = sd.find_equilibrium(robot, start, hold=["shoulder", "elbow"])
        self.assertTrue(rest.found)
        self.assertLess(rest.residual, 1e-9)
        free = sd.find_equilibrium(robot, start, gravity=[0, 0, -9.81])
        self.assertFalse(free.found)
        self.assertIn("base", free.unbalanced)
        scenario = self.scenario(robot, start, 1.0)
        self.assertTrue(sd.find_equilibrium(scenario).found)
        with self.assertRaises(sd.DomainError):
            sd.find_equilibrium(robot, start, hold=["wrist"])


class Plans(Case):
    def setUp(self):
        self.robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
        self.start = sd.State(self.robot, q=[0.2, -0.7, 1.4, 0.1, -1.0, 0.3])
        self.goal = [0.8, -0.2, 0.9, 0.4, -0.5, 0.0]
        self.names = [self.robot.joint(i).name for i in range(1, 7)]

    def fly(self, plan):
        track = sd.controllers.ComputedTorque(
            name="track", joints=self.names, stiffness=1, damping=2,
            reference=sd.references.Spline(time=plan.time, position=plan.position))
        return sd.simulate(sd.make_scenario(
            self.robot, duration=plan.duration, initial=self.start, control=[track],
            output={"interval": plan.duration / 200, "channels": ["state", "joint_torque"]}))

    def test_a_plan_flies_as_it_is(self):
        plan = sd.plan_trajectory(self.robot, self.start, self.goal, rate=np.full(6, 0.1),
                                  effort=np.full(6, 30.0), base_rate=0.002)
        self.assertTrue(plan.feasible, plan.message)
        self.assertEqual(plan.position.shape, (8, 6))
        self.assertGreater(max(plan.used.values()), 0.999)
        flight = self.fly(plan)
        self.assert_equal_arrays(flight.final_state.q, self.goal, 1e-6)
        rates = np.linalg.norm(flight["base/angular_velocity"], axis=1)
        self.assertLessEqual(rates.max(), 0.002 * (1 + 1e-6))
        self.assertLessEqual(np.abs(flight["joints/qd"]).max(), 0.1 * (1 + 1e-6))
        self.assertLessEqual(np.abs(flight["joints/tau"]).max(), 30.0 * (1 + 1e-6))

    def test_references_begin_where_a_state_is(self):
        slew = sd.references.Quintic(to=self.goal, duration=10)
        track = sd.controllers.ComputedTorque(name="track", joints=list(self.robot.joint_names), stiffness=1, damping=2,
                                              reference=slew)
        flight = sd.simulate(sd.make_scenario(self.robot, duration=10, initial=self.start, control=[track],
                                              output={"interval": 0.5, "channels": ["state"]}))
        # the tolerance of the integration
        self.assert_equal_arrays(flight["joints/q"][10], (self.start.q + self.goal) / 2, 1e-6)

    def test_a_path_without_reaction(self):
        path = sd.plan_reactionless_path(self.robot, self.start, self.goal, duration=60)
        self.assertRegex(path.message, "cannot be reached")
        self.assertLess(np.linalg.norm(path.base_turn), 1e-6)
        self.assertLess(np.linalg.norm(path.position[-1] - self.goal),
                        np.linalg.norm(path.position[0] - self.goal))

    def test_wrong_goals_are_refused(self):
        with self.assertRaisesRegex(ValueError, "no joint 'shoulder'"):
            sd.plan_trajectory(self.robot, self.start, [0.1], joints=["shoulder"], duration=5)
        with self.assertRaisesRegex(ValueError, "to"):
            sd.plan_trajectory(self.robot, self.start, [0.1], duration=5)
        with self.assertRaisesRegex(sd.DomainError, "duration must be"):
            sd.plan_trajectory(self.robot, self.start, self.goal, duration=-5)
        with self.assertRaisesRegex(sd.DomainError, "without gravity"):
            sd.plan_trajectory(self.robot, self.start, self.goal, duration=5, gravity=[0, 0, -1])


if __name__ == "__main__":
    unittest.main()

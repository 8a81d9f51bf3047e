#!/usr/bin/env python3
"""Constraints on velocities, winches and equilibria."""

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


if __name__ == "__main__":
    unittest.main()

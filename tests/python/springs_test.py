#!/usr/bin/env python3
"""Springs whose force is no straight line."""

import unittest

import numpy as np

import spacedyn as sd
from support import ROOT, Case


class Springs(Case):
    def setUp(self):
        self.model = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        self.state = sd.State(self.model, q=[0.3, -0.2])

    def scenario(self, duration=2.0):
        scenario = sd.Scenario(self.model, self.state, duration=duration, output_interval=0.1)
        scenario.relative_tolerance = 1e-10
        return scenario

    def test_springs_that_are_no_straight_line(self):
        progressive = sd.SpringLaw.polynomial([2.0, 0.0, 12.0])  # 2 s + 12 s³
        self.assert_equal_arrays(progressive.at(0.5), [2.5, 11.0, 0.4375], 1e-15)
        straight = sd.SpringLaw.table([-1.0, 0.0, 3.0], [-4.0, 0.0, 12.0])
        self.assert_equal_arrays(straight.at(5.0), [20.0, 4.0, 50.0], 1e-12)
        # what the springs have given is what moves: their energies in closed form
        joint = sd.JointSpring("elbow", self.model, "elbow", progressive, rest_position=0.1)
        hand = sd.SpringDamper("rope", self.model.frame("base"), self.model.frame("hand"), spring=straight,
                               rest_length=0.2)

        def stored(state):
            bend = state.q[1] - 0.1
            points = [sd.frame_position(self.model, state, name) for name in ("base", "hand")]
            stretch = np.linalg.norm(points[1] - points[0]) - 0.2
            return bend**2 + 3 * bend**4 + 2 * stretch**2

        result = sd.simulate(self.scenario(), forces=[joint, hand])
        moved = sd.kinetic_energy(self.model, result.final_state)
        self.assertGreater(moved, 0.1)
        self.assertAlmostEqual(moved, stored(self.state) - stored(result.final_state), delta=1e-8 * moved + 1e-9)


if __name__ == "__main__":
    unittest.main()

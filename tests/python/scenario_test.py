#!/usr/bin/env python3
"""Scenarios that are made from keys: the flights of the files that say the same, and what is wrong with them."""

import pathlib
import shutil
import tempfile
import unittest

import numpy as np
import yaml

import spacedyn as sd
from support import ROOT, SCENARIOS, Case, random_state

URDF = """<robot name="arm">
  <link name="bus"><inertial><mass value="100"/><inertia ixx="9" iyy="9" izz="9"/></inertial></link>
  <joint name="shoulder" type="continuous"><parent link="bus"/><child link="boom"/></joint>
  <link name="boom"><inertial><mass value="5"/><inertia ixx="0.1" iyy="0.4" izz="0.4"/></inertial></link>
</robot>
"""


def planar():
    return sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))


class MadeScenarios(Case):
    def test_shipped_scenarios_fly_alike(self):
        for name in ("planar_reorientation", "wheel_dump", "lander", "newtons_cradle"):
            with self.subTest(name):
                path = SCENARIOS / f"{name}.yaml"
                with open(path, encoding="utf-8") as file:
                    keys = yaml.safe_load(file)["scenario"]
                keys["duration"] = 0.2
                keys.pop("checks", None)
                model = sd.load_model(str(SCENARIOS / keys.pop("model")))
                made = sd.make_scenario(model, folder=SCENARIOS, **keys)
                self.assert_equal_arrays(sd.simulate(made).values, sd.simulate(path, duration=0.2).values)

    def test_keys_stand_in_any_order(self):
        with tempfile.TemporaryDirectory() as folder:
            models = pathlib.Path(shutil.copytree(ROOT / "models", pathlib.Path(folder) / "models"))
            for path in models.rglob("*.yaml"):
                path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text(encoding="utf-8"))), encoding="utf-8")
            for path in (models / "robots").glob("*.yaml"):
                with self.subTest(path.name):
                    plain = sd.load_model(ROOT / "models" / "robots" / path.name)
                    self.assertEqual(sd.write_model(sd.load_model(path)), sd.write_model(plain))
            for name in ("ets7_arm_slew", "lander", "rover_turn"):
                with self.subTest(name):
                    flights = [sd.simulate(base / "scenarios" / f"{name}.yaml", duration=0.1).values
                               for base in (models, ROOT / "models")]
                    self.assert_equal_arrays(*flights)

    def test_elements_of_every_kind(self):
        scenario = sd.make_scenario(
            planar(), duration=2.0, integrator={"method": "dop853"}, output={"interval": 0.1},
            initial={"joints": {"elbow": {"velocity": 0.5}}},
            forces=[{"type": "spring_damper", "name": "cable: thin", "from": "base", "to": "hand", "stiffness": 3.0}],
            control=[{"type": "joint_pd", "name": "hold", "joints": ["shoulder"], "stiffness": 20, "damping": 5,
                      "reference": {"type": "quintic", "to": "20 deg", "duration": 2}}],
            sensors=[{"type": "encoder", "name": "angle", "joint": "elbow", "sample_period": "10 ms"}],
            events=[{"type": "time", "name": "half", "time": 1, "actions": [{"type": "lock", "joint": "elbow"}]}])
        self.assertEqual((scenario.forces, scenario.controllers), (["cable: thin"], ["hold"]))
        result = sd.simulate(scenario)
        self.assertEqual(result.events, [(1.0, "half")])
        self.assertEqual(result.final_state.qd[1], 0.0)
        self.assertLess(result.momentum_drift, 1e-9)

    def test_a_state_may_begin_it(self):
        model = planar()
        state = random_state(model, 1)
        scenario = sd.make_scenario(model, initial=state, duration=1, output={"interval": 1},
                                    integrator={"method": "rk4", "step": 0.01})
        self.assert_equal_arrays(scenario.initial.q, state.q)
        self.assert_equal_arrays(scenario.initial.A_0, state.A_0)
        self.assertEqual((scenario.name, scenario.duration, scenario.method), ("scenario", 1.0, "rk4"))

    def test_what_is_wrong_is_named_by_its_key(self):
        keys = {"duration": 1, "output": {"interval": 1}, "integrator": {"method": "dop853"}}
        force = {"type": "spring_damper", "from": "base", "to": "hand", "stifness": 3}
        error = self.assert_raises(sd.ParseError, "expected the key 'stiffness'", sd.make_scenario, planar(), **keys,
                                   forces=[force])
        self.assertTrue(error.path.startswith("scenario.forces.0"), error.path)
        self.assert_raises(sd.ParseError, "duraton", sd.make_scenario, planar(), **keys, duraton=3)
        self.assert_raises(TypeError, "got object", sd.make_scenario, planar(), **keys, forces=[object()])
        self.assert_raises(sd.DimensionError, "", sd.make_scenario, planar(), **keys,
                           initial=sd.State(sd.load_model(str(ROOT / "models" / "robots" / "ets7.yaml"))))

    def test_a_foreign_model_flies_without_a_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "arm.urdf"
            path.write_text(URDF, encoding="utf-8")
            result = sd.simulate(path, duration=1)
            self.assertEqual(result.scenario.name, "arm")
        self.assertTrue(sd.is_foreign_model("arm.urdf"))
        self.assertFalse(sd.is_foreign_model("arm.yaml"))
        self.assertNotEqual(result.final_state.qd[0], 0.0)
        self.assertLess(result.momentum_drift, 1e-8)


class ResolvedRates(Case):
    def setUp(self):
        self.model = sd.load_model(str(ROOT / "models" / "robots" / "ets7.yaml"))
        self.J = sd.generalized_jacobian(self.model, random_state(self.model, 4), "hand")
        self.twist = np.array([0.1, -0.2, 0.05, 0.02, 0.01, -0.03])

    def test_regular(self):
        rates, achieved = sd.resolve_rates(self.J, self.twist)
        # two decompositions of a matrix whose condition is some 100
        self.assert_equal_arrays(rates, np.linalg.solve(self.J, self.twist), 1e-12)
        self.assertEqual(achieved.rank, 6)
        self.assertLess(achieved.residual, 1e-13)

    def test_damped_and_redundant(self):
        rates, _ = sd.resolve_rates(self.J[:3], self.twist[:3], damping=0.1)
        J = self.J[:3]
        expected = np.linalg.solve(J.T @ J + 0.01 * np.eye(6), J.T @ self.twist[:3])
        self.assert_equal_arrays(rates, expected, 1e-12)

    def test_singular(self):
        J = np.vstack([self.J[0], self.J[0]])
        rates, achieved = sd.resolve_rates(J, [1.0, -1.0])
        self.assertEqual(achieved.rank, 1)
        self.assertAlmostEqual(achieved.residual, np.sqrt(2.0), delta=1e-12)
        self.assert_equal_arrays(rates, np.zeros(6), 1e-12)

    def test_bad_input(self):
        self.assert_raises(sd.DimensionError, "twist", sd.resolve_rates, self.J, [1, 2, 3])
        self.assert_raises(sd.DimensionError, "jacobian", sd.resolve_rates, [1, 2, 3], [1, 2, 3])
        self.assert_raises(sd.DimensionError, "jacobian", sd.resolve_rates, np.zeros((0, 3)), [])


if __name__ == "__main__":
    unittest.main()

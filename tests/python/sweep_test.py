"""Sweeps from Python: rows as arrays, rows alone, files, errors."""

import os
import tempfile
import unittest

import numpy as np

import spacedyn as sd

SCENARIO = """spacedyn: 1
scenario:
  name: oscillator
  model:
    name: rotor
    base: {name: stand, fixed: true}
    links:
      - name: disc
        parent: stand
        joint: {name: hinge, type: revolute, axis: [0, 0, 1], stiffness: 8.0, damping: 0.4}
        mass: 1.0
        inertia: [1, 1, 2]
  duration: 1.0
  integrator: {method: rk4, step: 0.01}
  output: {interval: 0.1}
"""
SWEEP = """spacedyn: 1
sweep:
  name: study
  scenario: oscillator.yaml
  runs: 8
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: model.links.disc.mass, uniform: [-1, 3]}
  collect:
    - {name: last, channel: joint_position}
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "sweep.yaml")
        for name, text in (("oscillator.yaml", SCENARIO), ("sweep.yaml", SWEEP)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text)

    def assert_equal(self, one, other):
        self.assertEqual(list(one), list(other))
        for name in one:
            if name != "wall_seconds":
                np.testing.assert_array_equal(one[name], other[name], name)

    def test_rows_are_those_of_single_flights(self):
        table = sd.sweep(self.path, threads=2, seed=4)
        self.assertEqual(list(table["run"]), list(range(8)))
        for row in range(8):
            failed = table["parameters/model.links.disc.mass"][row] < 0
            self.assertEqual(table["status"][row], 3 if failed else 0)
            self.assertEqual(bool(table["message"][row]), failed)
            if failed:
                continue
            position = float(table["parameters/initial.joints.hinge.position"][row])
            mass = float(table["parameters/model.links.disc.mass"][row])
            result = sd.simulate(os.path.join(self.folder, "oscillator.yaml"), overrides={
                "initial.joints.hinge.position": position, "model.links.disc.mass": mass})
            self.assertEqual(table["collected/last"][row], result["joints/q"][-1, 0])

    def test_rows_can_be_shared_out(self):
        whole = sd.sweep(self.path, runs=6)
        parts = [sd.sweep(self.path, runs=6, rows=rows, threads=1) for rows in ([5, 0, 2], range(3, 5), [1])]
        self.assertEqual(list(parts[0]["run"]), [0, 2, 5])
        self.assert_equal(sd.SweepTable.concatenate(parts), whole)

    def test_files_are_those_of_the_command(self):
        out = os.path.join(self.folder, "out")
        table = sd.sweep(self.path, directory=out)
        self.assert_equal(sd.load_sweep(os.path.join(out, "study.h5")), table)
        self.assert_equal(sd.sweep(self.path, directory=out, resume=True), table)
        with self.assertRaises(sd.IoError):
            sd.sweep(self.path, directory=out)
        self.assertEqual(len(table.to_dataframe()), 8)
        with self.assertRaisesRegex(sd.DomainError, "resume: expected a directory"):
            sd.sweep(self.path, resume=True)

    def test_derivatives_are_those_of_the_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "oscillator.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SCENARIO + "  initial: {joints: {hinge: {position: 0.5, velocity: 0.1}}}\n")
            start = {"initial.joints.hinge.velocity": 0.0}
            found = sd.sensitivities(path, ["initial.joints.hinge.position"], overrides=start)
            row = found["states"].index("hinge.position")
            self.assertEqual(found["by"].shape, (11, 14, 1))
            self.assertEqual(found["by"][0, row, 0], 1.0)
            # linear in its start
            motion = sd.simulate(path, overrides=start)
            np.testing.assert_allclose(found["by"][-1, row, 0], motion["joints/q"][-1, 0] / 0.5, rtol=1e-9)
            with self.assertRaises(sd.DomainError):
                sd.sensitivities(path, ["duration"])

    def test_linear_covariance_is_that_of_a_linear_motion(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "oscillator.yaml"), "w", encoding="utf-8") as file:
                file.write(SCENARIO + "  initial: {joints: {hinge: {position: 0.5, velocity: 0}}}\n")
            path = os.path.join(folder, "spread.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write("spacedyn: 1\nsweep:\n  name: spread\n  scenario: oscillator.yaml\n  runs: 10\n"
                           "  parameters: [{key: initial.joints.hinge.position,"
                           " normal: {mean: 0.5, standard_deviation: 0.1}}]\n"
                           "  collect: [{name: angle, channel: joint_position, component: 0}]\n")
            answer = sd.linear_covariance(path)
            self.assertEqual((answer["parameters"], answer["collected"]),
                             (["initial.joints.hinge.position"], ["angle"]))
            np.testing.assert_allclose(answer["parameter_covariance"], [[0.01]], rtol=1e-14)
            # the angle is in proportion to that of the start
            np.testing.assert_allclose(answer["gradient"], [[answer["values"][0] / 0.5]], rtol=1e-9)
            np.testing.assert_allclose(answer["covariance"], 0.01 * answer["gradient"] ** 2, rtol=1e-12)
            row = answer["states"].index("hinge.position")
            self.assertEqual(answer["state_deviations"].shape, answer["by"].shape[:2])
            np.testing.assert_allclose(answer["state_deviations"][:, row] ** 2,
                                       0.01 * answer["by"][:, row, 0] ** 2, rtol=1e-12)

    def test_bad_input_is_named(self):
        with self.assertRaisesRegex(sd.OverrideError, "rnus"):
            sd.sweep(self.path, rnus=3)
        with self.assertRaisesRegex(sd.DomainError, "no row 8"):
            sd.sweep(self.path, rows=[8])
        with self.assertRaisesRegex(sd.DomainError, "at least one row"):
            sd.sweep(self.path, rows=[])
        with self.assertRaisesRegex(sd.DomainError, "threads"):
            sd.sweep(self.path, threads=-1)
        with self.assertRaisesRegex(sd.ParseError, "this is a scenario file"):
            sd.sweep(os.path.join(self.folder, "oscillator.yaml"))
        with self.assertRaises(sd.IoError):
            sd.load_sweep(os.path.join(self.folder, "none.h5"))


if __name__ == "__main__":
    unittest.main()

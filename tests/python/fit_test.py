"""Fits from Python: results like those of scipy, and scipy's own on the closed form."""

import os
import tempfile
import unittest

import numpy as np
from scipy.optimize import least_squares

import spacedyn as sd

SCENARIO = """spacedyn: 1
scenario:
  name: ring_down
  model:
    name: rotor
    base: {name: stand, fixed: true}
    links:
      - name: disc
        parent: stand
        joint: {name: hinge, type: revolute, axis: [0, 0, 1], stiffness: 6.5, damping: 0.7}
        mass: 1.0
        inertia: [1, 1, 2]
  duration: 10.0
  initial: {joints: {hinge: {position: 0.5}}}
  integrator: {method: dop853, relative_tolerance: 1.0e-10, absolute_tolerance: 1.0e-12}
"""
FIT = """spacedyn: 1
fit:
  name: study
  scenario: ring_down.yaml
  data: [{file: data.csv, columns: {angle: {channel: joint_position, sigma: 0.001}}}]
  parameters:
    - {key: model.links.disc.joint.stiffness, from: 1, to: 100}
    - {key: model.links.disc.joint.damping}
"""
TIME = np.arange(1, 101) / 10


def angle(parameters):
    stiffness, damping = parameters
    decay = damping / 4
    omega = np.sqrt(stiffness / 2 - decay**2)
    return 0.5 * np.exp(-decay * TIME) * (np.cos(omega * TIME) + decay / omega * np.sin(omega * TIME))


class Fit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = self.write("fit.yaml", FIT)
        self.write("ring_down.yaml", SCENARIO)
        self.data = angle([8, 0.4]) + 0.001 * np.random.default_rng(2).standard_normal(100)
        rows = "".join(f"{time},{value!r}\n" for time, value in zip(TIME.tolist(), self.data.tolist()))
        self.write("data.csv", "time_s,angle\n" + rows)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_agrees_with_scipy_on_the_closed_form(self):
        result = sd.fit(self.path, threads=2)
        other = least_squares(lambda p: (angle(p) - self.data) / 0.001, [6.5, 0.7], x_scale="jac", xtol=1e-14, ftol=1e-14)
        covariance = np.linalg.inv(other.jac.T @ other.jac)
        self.assertTrue(result.success)
        # both stop within a thousandth of a standard deviation of the minimum
        np.testing.assert_array_less(np.abs(result.x - other.x), 1e-3 * result.standard_deviation)
        self.assertAlmostEqual(result.fun / other.cost, 1, places=6)
        # J of scipy is a forward difference
        np.testing.assert_allclose(result.cov, covariance, rtol=1e-3)
        self.assertEqual(list(result.parameters), result["keys"])
        self.assertGreater(result.nfev, result.nit)

    def test_has_samples_of_each_column_and_takes_keys(self):
        result = sd.fit(self.path, name="other", directory=os.path.join(self.folder, "out"))
        samples = result.columns["angle"]
        np.testing.assert_array_equal(samples["data"], self.data)
        np.testing.assert_allclose(samples["model"], angle(result.x), atol=1e-8)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out", "other.h5")))
        self.assertIn("cov", dir(result))
        with self.assertRaises(AttributeError):
            result.covariances

    def test_wrong_input_names_its_place(self):
        self.write("data.csv", "time_s,angle\n1,0\n0.5,0\n")
        with self.assertRaisesRegex(sd.ParseError, r"data.csv:3:1: error: expected times that ascend"):
            sd.fit(self.path)
        self.write("data.csv", "time_s,angle\n1,0\n")
        with self.assertRaises(sd.DomainError):
            sd.fit(self.path, threads=-1)

    def test_optimizes_what_a_flight_costs(self):
        path = self.write(
            "best.yaml",
            """spacedyn: 1
optimize:
  name: best
  scenario: ring_down.yaml
  variables: [{key: model.links.disc.joint.damping, from: 0.1, to: 4, start: 3}]
  minimize: [{channel: joint_position, at: rms}]
""",
        )
        result = sd.optimize(path, threads=2)
        self.assertTrue(result.success, result.message)
        # ∫q² dt of a ring-down from rest is least with ζ = 1/2: c = √(k I)
        self.assertAlmostEqual(result.x[0], np.sqrt(6.5 * 2), delta=0.02)
        self.assertEqual(result.x_iters.shape, (result.nit, 1))
        self.assertEqual(result.fun, result.fun_iters.min())
        # again without the flights that are known, to the same bits
        out = os.path.join(self.folder, "searched")
        sd.optimize(path, directory=out, max_evaluations=2)
        resumed = sd.optimize(path, directory=out, resume=True)
        np.testing.assert_array_equal(resumed.x_iters, result.x_iters)
        self.assertLess(resumed.nfev, result.nfev)
        with self.assertRaisesRegex(sd.DomainError, "resume: expected a directory"):
            sd.optimize(path, resume=True)


if __name__ == "__main__":
    unittest.main()

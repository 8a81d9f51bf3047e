"""What the tests of the Python package have in common."""

import json
import os
import pathlib
import subprocess
import unittest

import numpy as np

import spacedyn as sd

ROOT = pathlib.Path(os.environ["SPACEDYN_SOURCE"])
PROGRAM = os.environ["SPACEDYN_PROGRAM"]
ROBOTS = sorted((ROOT / "models" / "robots").glob("*.yaml"))
SCENARIOS = ROOT / "models" / "scenarios"


def random_state(model, seed):
    """A state in which everything moves; numbers of magnitude 1."""
    random = np.random.default_rng(seed)
    n = model.joint_count
    return sd.State(model, q=random.uniform(-1, 1, n), qd=random.uniform(-1, 1, n), r_0=random.uniform(-1, 1, 3),
                    quaternion=random.normal(size=4), v_0=random.uniform(-1, 1, 3), omega_0=random.uniform(-1, 1, 3))


def evaluate(robot, state, **more):
    """Every quantity of a model at a state, as the program computes it."""
    given = {"r0": state.r_0, "A0": state.A_0, "v0": state.v_0, "w0": state.omega_0, "q": state.q, "qd": state.qd}
    given.update(more)
    text = json.dumps({key: np.asarray(value).tolist() for key, value in given.items()})
    run = subprocess.run([PROGRAM, "evaluate", str(robot), "-"], input=text, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


class Case(unittest.TestCase):
    def assert_raises(self, kind, pattern, function, *arguments, **keywords):
        with self.assertRaisesRegex(kind, pattern) as caught:
            function(*arguments, **keywords)
        return caught.exception

    def assert_equal_arrays(self, actual, expected, tolerance=0.0):
        np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)

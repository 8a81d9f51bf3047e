#!/usr/bin/env python3
"""The types of the package: complete, true of the module, and accepted by mypy where it is installed."""

import ast
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import spacedyn as sd
from support import ROOT, Case

PACKAGE = pathlib.Path(sd.__file__).parent
# the types of numpy are read once, in some ten seconds
CACHE = os.path.join(os.environ.get("SPACEDYN_WORK", tempfile.gettempdir()), "mypy_cache")
HAS_MYPY = importlib.util.find_spec("mypy") is not None
RIGHT = """import numpy as np
import spacedyn as sd

robot = sd.load_model("robot.yaml")
state = sd.State(robot, q=[0.1, 0.2])
state.q = np.zeros(2)
mass: float = robot.total_mass
joint: int = robot.joint_index("elbow")
H = sd.inertia_matrix(robot, state)
size: int = H.shape[0]
drift = sd.simulate("flight.yaml", duration=3).time
"""
WRONG = (("sd.inertia_matrix(state)", "arg"), ("sd.inertia_matrx(robot, state)", "attribute"),
         ("robot.total_mass = 3.0", "read-only"), ("text: str = sd.kinetic_energy(robot, state)", "Incompatible"),
         ("state.q = None", "Incompatible"))


class Texts(Case):
    def test_each_class_prints_what_it_holds(self):
        for name, kind in inspect.getmembers(sd, inspect.isclass):
            self.assertIsNot(kind.__repr__, object.__repr__, name)

    def test_a_text_has_the_name_first_and_is_short(self):
        friction = sd.JointFriction()
        friction.coulomb = 0.25
        self.assertIn("coulomb=0.25", repr(friction))
        model = sd.load_model(sd.MODELS / "robots" / "ets7.yaml")
        for thing in (model.body(1), model.joint(1), sd.ModelDescription(), sd.Pose()):
            text = repr(thing)
            self.assertTrue(text.startswith(f"<spacedyn.{type(thing).__name__} "), text)
            self.assertLess(len(text), 180)
        self.assertTrue(repr(model.joint(1)).startswith("<spacedyn.Joint name='"))


class Stub(Case):
    def setUp(self):
        self.tree = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))

    def test_every_name_of_the_module_is_there(self):
        stated = {node.name for node in self.tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        for name in dir(sd._core):
            kind = getattr(sd._core, name)
            if not name.startswith("_") and callable(kind) and getattr(kind, "__module__", "") == "spacedyn._core":
                self.assertIn(name, stated)

    def test_every_function_says_what_it_does(self):
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name != "fly":
                self.assertTrue(ast.get_docstring(node), node.name)

    def test_the_package_says_that_it_has_types(self):
        self.assertTrue((PACKAGE / "py.typed").exists())

    def test_import_is_quick(self):
        # numpy takes most of it; nothing else that is slow is imported
        run = subprocess.run([sys.executable, "-c", "import sys, spacedyn; print(*sys.modules)"], capture_output=True,
                             text=True, check=True)
        for heavy in ("pandas", "matplotlib", "scipy", "IPython"):
            self.assertNotIn(heavy, run.stdout.split())


@unittest.skipUnless(HAS_MYPY, "mypy is not installed")
class Mypy(Case):
    def mypy(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "script.py"
            file.write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", CACHE, str(file)],
                                 capture_output=True, text=True, cwd=folder, check=False)
        return run.stdout + run.stderr

    def test_right_and_wrong_use(self):
        said = self.mypy(RIGHT)
        self.assertIn("Success", said)
        said = self.mypy(RIGHT + "\n".join(line for line, _ in WRONG) + "\n")
        first = len(RIGHT.splitlines()) + 1
        for number, (line, what) in enumerate(WRONG, start=first):
            with self.subTest(line):
                problems = [text for text in said.splitlines() if f"script.py:{number}:" in text]
                self.assertTrue(any(what in problem for problem in problems), said)


if __name__ == "__main__":
    unittest.main()

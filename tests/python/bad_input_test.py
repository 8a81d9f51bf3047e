#!/usr/bin/env python3
"""Misuse of each kind: an exception that says what was expected and what came, never a crash."""

import pathlib
import pickle
import re
import tempfile
import unittest

import numpy as np

import spacedyn as sd
from support import ROOT, Case, random_state

MODEL = str(ROOT / "models" / "robots" / "ets7.yaml")


class Arrays(Case):
    def setUp(self):
        self.model = sd.load_model(MODEL)
        self.state = random_state(self.model, 1)

    def test_shapes_are_told(self):
        self.assert_raises(sd.DimensionError, r"q: expected an array of shape \(6,\), got \(2,\)", sd.State, self.model,
                           q=[1, 2])
        self.assert_raises(sd.DimensionError, r"q: expected an array of shape \(6,\), got \(6, 1\)", sd.State, self.model,
                           q=np.zeros((6, 1)))
        self.assert_raises(sd.DimensionError, r"A_0: expected an array of shape \(3, 3\), got \(9,\)", sd.State,
                           self.model, A_0=np.zeros(9))
        self.assert_raises(sd.DimensionError, r"tau: expected .* \(6,\), got \(12,\)", sd.forward_dynamics, self.model,
                           self.state, tau=np.zeros(12))
        self.assert_raises(sd.DimensionError, r"acceleration: expected .* \(12,\), got \(\)", sd.inverse_dynamics,
                           self.model, self.state, 1.0)
        self.assert_raises(sd.DimensionError, r"acceleration: expected .* \(12,\), got \(6,\)",
                           sd.inverse_dynamics_regressor, self.model, self.state, np.zeros(6))
        self.assert_raises(sd.DimensionError, r"out: expected .* \(6, 70\)", sd.momentum_regressor, self.model, self.state,
                           out=np.zeros((6, 7)))
        with self.assertRaises(ValueError):  # the hierarchy of Python holds as well
            self.state.q = np.zeros(5)

    def test_types_are_told(self):
        for wrong, what in (("abc", "real numbers"), ([1, "x", 3, 4, 5, 6], "real numbers"),
                            (np.zeros(6, dtype=complex), "complex128"), (np.zeros(6, dtype=bool), "bool"),
                            ([None] * 6, "object"), (object(), "object")):
            self.assert_raises(TypeError, what, sd.State, self.model, q=wrong)
        self.assert_raises(TypeError, "incompatible", sd.inertia_matrix, self.model, None)
        self.assert_raises(TypeError, "incompatible", sd.inertia_matrix, "ets7", self.state)
        self.assert_raises(TypeError, "incompatible", sd.frame_position, self.model, self.state, 3)

    def test_any_layout_of_memory_is_read(self):
        q = np.linspace(0.1, 0.6, 6)
        wide = np.zeros((6, 3))
        wide[:, 1] = q
        packed = np.zeros(6, dtype=[("name", "i1"), ("q", "f8")])
        packed["q"] = q
        for other in (wide[:, 1], q[::-1].copy()[::-1], q.astype(">f8"), q.tolist(), packed["q"], q.astype("f8", order="F"),
                      np.frombuffer(b"x" + q.tobytes(), dtype="u1")[1:].view("f8")):
            self.assert_equal_arrays(sd.State(self.model, q=other).q, q)
        self.assert_equal_arrays(sd.State(self.model, q=[1, 2, 3, 4, 5, 6]).q, np.arange(1, 7))
        self.assert_equal_arrays(sd.State(self.model, A_0=np.asfortranarray(self.state.A_0)).A_0, self.state.A_0)

    def test_outputs_must_fit(self):
        H = np.zeros((12, 12))
        self.assertIs(sd.inertia_matrix(self.model, self.state, out=H), H)
        self.assert_equal_arrays(H, sd.inertia_matrix(self.model, self.state))
        locked = np.zeros((12, 12))
        locked.flags.writeable = False
        call = lambda out: sd.inertia_matrix(self.model, self.state, out=out)
        self.assert_raises(sd.DimensionError, r"out: expected .* \(12, 12\), got one of float64 and shape \(3, 3\)", call,
                           np.zeros((3, 3)))
        self.assert_raises(TypeError, "float32", call, np.zeros((12, 12), dtype=np.float32))
        self.assert_raises(TypeError, "list", call, [[0.0] * 12] * 12)
        self.assert_raises(ValueError, "read-only", call, locked)
        self.assert_raises(ValueError, "not contiguous", call, np.zeros((12, 24))[:, ::2])
        self.assert_raises(ValueError, "not contiguous", call, np.zeros((12, 12), order="F"))

    def test_numbers_that_are_none(self):
        self.assert_raises(sd.DomainError, "finite", sd.State, self.model, q=[np.nan] * 6)
        self.assert_raises(sd.DomainError, "rotation", sd.State, self.model, A_0=2 * np.eye(3))
        self.assert_raises(sd.DomainError, "quaternion", sd.State, self.model, quaternion=[0, 0, 0, 0])
        self.state.q[0] = np.inf  # a view does not ask; the next function does
        self.assert_raises(sd.DomainError, "finite", sd.inertia_matrix, self.model, self.state)


    def test_every_array_that_is_not_finite_is_named(self):
        model, state, wrong = self.model, self.state, [0, 0, np.nan, 0, 0, 0]
        planar = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        loads = sd.Loads(model)
        calls = {
            r"tau\[2\]: expected a finite number, got nan": lambda: sd.forward_dynamics(model, state, tau=wrong),
            r"gravity\[1\]: .* got inf": lambda: sd.forward_dynamics(model, state, gravity=[0, np.inf, 0]),
            r"acceleration\[11\]: .* got -inf": lambda: sd.inverse_dynamics(model, state, [0] * 11 + [-np.inf]),
            "tau: expected numbers, got a masked array without some": lambda: sd.forward_dynamics(
                model, state, tau=np.ma.masked_array(np.ones(6), mask=[0, 0, 1, 0, 0, 0])),
            r"gravity\[0\]": lambda: sd.linearize(model, state, gravity=[np.nan] * 3),
            r"F_b\[2\]": lambda: sd.Loads(model, F_b=wrong),
            r"A_0\[1, 2\]": lambda: sd.State(model, A_0=[[1, 0, 0], [0, 1, np.nan], [0, 0, 1]]),
            r"qd\[2\]": lambda: setattr(state, "qd", wrong),
            r"stiffness\[0\]": lambda: sd.JointPd("pd", planar, [1], [np.nan], [1.0], None),
            r"A\[0, 0\]": lambda: sd.eigenmodes([[np.nan]]),
        }
        for what, call in calls.items():
            with self.subTest(what):
                self.assert_raises(sd.DomainError, what, call)
        for name in ("tau", "F_b", "gravity", "force", "moment"):  # a view does not ask; the next function does
            loads = sd.Loads(model)
            getattr(loads, name).flat[-1] = np.inf
            for call in (lambda: sd.forward_dynamics(model, state, loads),
                         lambda: sd.inverse_dynamics(model, state, np.zeros(12), loads),
                         lambda: sd.forward_dynamics_derivatives(model, state, loads)):
                with self.subTest(name):
                    self.assert_raises(sd.DomainError, f"{name} of the loads is not finite", call)

    def test_springs_without_a_law(self):
        robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        law = sd.SpringLaw.polynomial([1.0])
        start, end = robot.frame("base"), robot.frame("hand")
        calls = {
            "one coefficient at least must not be zero": lambda: sd.SpringLaw.polynomial([0, 0]),
            r"coefficients\[1\]: expected a finite number, got nan": lambda: sd.SpringLaw.polynomial([1, np.nan]),
            "one force for each stretch": lambda: sd.SpringLaw.table([0, 1], [0]),
            "at least two points": lambda: sd.SpringLaw.table([0], [0]),
            "stretches must ascend": lambda: sd.SpringLaw.table([1, 0], [0, 1]),
            "elbw": lambda: sd.JointSpring("s", robot, "elbw", law),
            "damping": lambda: sd.JointSpring("s", robot, "elbow", law, damping=-1),
            "stiffness": lambda: sd.SpringDamper("s", start, end),
            "spring": lambda: sd.SpringDamper("s", start, end, 1.0, spring=law),
        }
        for what, call in calls.items():
            with self.subTest(what):
                self.assert_raises(sd.Error, what, call)
        self.assertRaises(TypeError, sd.SpringDamper, "s", start, end, spring=[1.0])

    def test_a_law_that_gives_no_number_ends_the_run(self):
        scenario = str(ROOT / "models" / "scenarios" / "planar_reorientation.yaml")
        law = sd.FunctionController("law", 2, lambda context: [np.nan, 0])
        self.assert_raises(sd.NumericalError, "'shoulder' is not finite", sd.simulate, scenario, controllers=[law])


class Names(Case):
    def setUp(self):
        self.model = sd.load_model(MODEL)
        self.state = sd.State(self.model)

    def test_nearest_names_are_told(self):
        self.assert_raises(sd.DomainError, "did you mean 'hand'", sd.frame_position, self.model, self.state, "hnd")
        self.assert_raises(sd.DomainError, "did you mean 'elbow_pitch'", self.model.joint_index, "elbow_pich")
        self.assert_raises(sd.DomainError, "no body 7, expected 0 to 6", self.model.body, 7)
        self.assert_raises(sd.DomainError, "no joint 0, expected 1 to 6", self.model.joint, 0)
        self.assert_raises(sd.DomainError, "no body -1", sd.translational_jacobian, self.model, self.state, -1)
        self.assert_raises(sd.DomainError, "body 9", sd.frame_position, self.model, self.state, sd.Frame("x", 9))

    def test_a_state_of_another_model(self):
        other = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        state = sd.State(other)
        given = {"frame": "hand", "at": "hand", "direction": [1, 0, 0], "body": 1, "gravity": [0, 0, 0],
                 "acceleration": np.zeros(12), "b": np.zeros(12), "momentum": np.zeros(6), "position_L": [0, 0, 0], "position": [0, 0, 0],
                 "reaction": sd.Reaction.full, "joints": ["elbow_pitch"], "new_base": self.model.body_names[2],
                 "link": self.model.body_names[2], "to": np.zeros(6), "times": [1.0], "positions": np.zeros((1, 6)),
                 "first": 1, "first_positions": [0.0], "second": 2, "second_positions": [0.0],
                 "goals": [sd.FrameGoal(self.model.frame("hand"), [1, 0, 0])]}
        tried = 0
        for name, function in vars(sd).items():
            found = re.match(name + r"\(model: [\w.]+, state: [\w.]+(.*)\) ->", getattr(function, "__doc__", None) or "")
            if found is None:
                continue
            arguments = re.sub(r"\[.*?\]", "", found.group(1)).split(", *")[0].split(", ")[1:]
            needed = [text.split(":")[0] for text in arguments if "=" not in text]
            tried += 1
            with self.subTest(name):
                self.assert_raises(sd.DimensionError, "", function, self.model, state, *(given[key] for key in needed))
        self.assertGreater(tried, 40)
        self.assert_raises(sd.DimensionError, "", sd.forward_dynamics, self.model, self.state, sd.Loads(other))


class Files(Case):
    def test_the_place_of_a_problem_is_an_attribute(self):
        text = "spacedyn: 1\nmodel:\n  name: x\n  base: {name: b, mass: -3, inertia: {diagonal: [1, 1, 1]}}\n"
        error = self.assert_raises(sd.ParseError, "robot.yaml:4:", sd.parse_model, text, "robot.yaml")
        self.assertEqual((error.file, error.line), ("robot.yaml", 4))
        self.assertGreater(error.column, 1)
        self.assertIn("mass", error.path)
        self.assertEqual(error.diagnostics[0].line, 4)
        self.assertIsInstance(error, sd.Error)
        self.assertIsInstance(error, ValueError)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.line, str(again)), (error.line, str(error)))

    def test_a_missing_file(self):
        error = self.assert_raises(sd.IoError, "/nowhere.yaml", sd.load_model, "/nowhere.yaml")
        self.assertIsInstance(error, OSError)
        self.assert_raises(sd.IoError, "/nowhere.yaml", sd.simulate, "/nowhere.yaml")

    def test_paths_of_each_kind(self):
        class Named:
            def __fspath__(self):
                return MODEL

        for path in (MODEL, pathlib.Path(MODEL), Named()):
            self.assertEqual(sd.load_model(path).name, sd.load_model(MODEL).name)
            self.assertFalse(sd.is_foreign_model(path))
        scenario = ROOT / "models" / "scenarios" / "planar_reorientation.yaml"
        self.assertEqual(sd.load_scenario(scenario).name, sd.open_scenario(str(scenario)).name)
        self.assert_raises(TypeError, "incompatible", sd.load_model, 3)
        self.assert_raises(TypeError, "incompatible", sd.load_model, None)

    def test_files_that_are_no_models(self):
        for text in ("", "\0", "[1, 2", "a: *b", "spacedyn: 1\nmodel: 3\n", "%" * 1000, "- " * 5000):
            self.assert_raises(sd.ParseError, "", sd.parse_model, text)
        with tempfile.NamedTemporaryFile(suffix=".yaml") as file:
            file.write(bytes(range(256)))
            file.flush()
            self.assert_raises(sd.Error, "", sd.load_model, file.name)

    def test_overrides(self):
        scenario = str(ROOT / "models" / "scenarios" / "planar_reorientation.yaml")
        self.assert_raises(sd.OverrideError, "duratoin", sd.simulate, scenario, duratoin=3)
        self.assert_raises(TypeError, "a value is a number", sd.simulate, scenario, duration=object())
        self.assert_raises(sd.Error, "", sd.simulate, scenario, duration=-1)
        self.assert_raises(TypeError, "expected a path", sd.simulate, 3)


class Singular(Case):
    def test_a_motion_without_inertia(self):
        builder = sd.ModelBuilder("massless")
        builder.set_base(sd.BaseDescription(name="base", mass=1.0, inertia=np.eye(3)))
        builder.add_link(sd.LinkDescription(name="arm", parent="base", joint=sd.JointDescription(name="j")))
        try:
            model = builder.build()
        except sd.ModelError:
            return
        error = self.assert_raises(sd.NumericalError, "positive definite", sd.forward_dynamics, model, sd.State(model))
        self.assertEqual(error.quantity, "inertia matrix")
        self.assertIsInstance(error, ArithmeticError)

    def test_a_description_that_breaks_rules(self):
        builder = sd.ModelBuilder("bad").set_base(sd.BaseDescription(name="base", mass=-1.0, inertia=np.eye(3)))
        builder.add_link(sd.LinkDescription(name="arm", parent="missing", mass=1.0, inertia=np.eye(3)))
        error = self.assert_raises(sd.ModelError, "mass", builder.build)
        self.assertGreaterEqual(len(error.problems), 2)
        self.assert_raises(TypeError, "no attribute 'masss'", sd.BaseDescription, masss=1.0)
        self.assert_raises(sd.DimensionError, r"\(3, 3\)", sd.BaseDescription, inertia=[1, 1, 1])


if __name__ == "__main__":
    unittest.main()

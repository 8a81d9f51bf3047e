#!/usr/bin/env python3
"""Flights from Python: results, elements written in Python, exceptions, interrupts, the lock of the interpreter."""

import contextlib
import csv
import io
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import spacedyn as sd
from support import PROGRAM, ROOT, SCENARIOS, Case, random_state

PLANAR = SCENARIOS / "planar_reorientation.yaml"


def flown_by_program(scenario, *settings):
    """Columns that the program writes for the same scenario."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "simulate", str(scenario), "-o", folder + "/out", "--format", "csv", "-q", *settings],
                       check=True, capture_output=True)
        with open(next(pathlib.Path(folder).rglob("*.csv")), encoding="utf-8") as file:
            rows = list(csv.reader(file))
    return rows[0], np.array(rows[1:], dtype=float)


class Results(Case):
    @classmethod
    def setUpClass(cls):
        cls.result = sd.simulate(PLANAR, duration=5)

    def test_numbers_are_those_of_the_program(self):
        names, values = flown_by_program(PLANAR, "--set", "duration=5")
        self.assertEqual(self.result.columns, names)
        self.assert_equal_arrays(self.result.values, values)

    def test_arrays_by_name(self):
        result = self.result
        self.assertEqual(result["joints/q"].shape, (len(result), result.model.joint_count))
        self.assert_equal_arrays(result["joints/q"], result["joints.q"])
        self.assertEqual(len(result.labels("joints/q")), result.model.joint_count)
        self.assertEqual(set(result.units("joints/q")), {"rad"})
        self.assertIn("state", result.channels)
        self.assert_equal_arrays(result[result.labels("joints/q")[0]], result["joints/q"][:, 0])
        self.assert_equal_arrays(result.time, result["time_s"])
        self.assertIn("did you mean 'joints/q'", str(self.assert_raises(KeyError, "", lambda: result["jonts/q"])))
        self.assertFalse(result.values.flags.writeable)
        self.assertLess(result.momentum_drift, 1e-8)
        self.assert_equal_arrays(result.final_state.q, result["joints/q"][-1])

    def test_warnings_are_those_of_the_program(self):
        scenario = SCENARIOS / "ets7_wheels.yaml"
        settings = {"model.reaction_wheels.0.torque_limit": "1.0e-3"}
        warnings = sd.simulate(scenario, overrides=settings, duration=5).warnings
        with tempfile.TemporaryDirectory() as folder:
            command = [PROGRAM, "simulate", str(scenario), "-o", folder + "/out", "--json", "--no-report", "--set",
                       "duration=5", "--set", "model.reaction_wheels.0.torque_limit=1.0e-3"]
            summary = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        self.assertIn("is cut off", warnings[0])
        self.assertEqual(warnings, summary["warnings"])

    def test_series_that_plot_derives_have_names(self):
        result = self.result
        angles = result["base_attitude"]
        self.assertEqual(result.labels("base_attitude"), ["base_attitude_" + part for part in ("roll", "pitch", "yaw")])
        self.assertEqual(result.units("base_attitude"), ["rad"] * 3)
        # the motion is planar: the quaternion is (cos ψ/2, 0, 0, sin ψ/2)
        w, z = result["base_quaternion_w"], result["base_quaternion_z"]
        np.testing.assert_allclose(angles[:, 2], 2 * np.arctan2(z, w), atol=1e-12)
        np.testing.assert_allclose(angles[:, :2], 0, atol=1e-12)
        self.assert_equal_arrays(result["base_attitude_yaw"], angles[:, 2])
        self.assertEqual(result["energy_balance"].shape, (len(result),))
        self.assertEqual(result["body_angular_velocity"].shape, (len(result), 3))
        self.assertIn("base_attitude", result)
        self.assertNotIn("base_attitude", result.columns)
        self.assertIn("did you mean 'base_attitude'", str(self.assert_raises(KeyError, "", lambda: result["base_atitude"])))

    def test_views_outlive_the_result(self):
        column = sd.simulate(PLANAR, duration=1)["joints/q"]
        expected = column.copy()
        junk = [sd.simulate(PLANAR, duration=1) for _ in range(3)]
        self.assert_equal_arrays(column, expected)
        del junk

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.h5", "a.csv"):
                self.result.save(pathlib.Path(folder) / name)
                self.assertGreater((pathlib.Path(folder) / name).stat().st_size, 1000)
            self.result.report(folder + "/a.html")
            self.assertGreater(os.path.getsize(folder + "/a.html"), 100000)
            self.assert_raises(sd.IoError, "", self.result.save, folder + "/a.xyz")

    def test_pandas_and_matplotlib(self):
        try:
            import matplotlib
            import pandas
        except ImportError:
            self.skipTest("pandas or matplotlib is not installed")
        frame = self.result.to_pandas()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(frame.index.name, "time_s")
        self.assert_equal_arrays(frame.values, self.result.values[:, 1:])
        matplotlib.use("Agg")
        axes = self.result.plot("joints/q")
        self.assertEqual(len(axes.get_lines()), self.result.model.joint_count)
        self.assertEqual(axes.get_ylabel(), "rad")


    def test_completion_and_misspelt_attributes(self):
        for name in ("momentum_drift", "warnings", "status", "to_pandas", "time", "name"):
            self.assertIn(name, dir(self.result))
            getattr(self.result, name)
        self.assertIn("joints/q", self.result._ipython_key_completions_())
        self.assert_raises(AttributeError, "did you mean 'momentum_drift'", lambda: self.result.momentum_drft)
        self.assertFalse(hasattr(self.result, "page"))

    def test_a_result_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in ("a.h5", "a.csv"):
                self.result.save(folder / name)
                again = sd.load_result(folder / name)
                self.assertEqual(again.columns, self.result.columns)
                self.assert_equal_arrays(again.values, self.result.values)
                self.assertEqual(repr(again), repr(self.result))
                self.assertEqual(again.units("joints/q"), self.result.units("joints/q"))
                for fact in ("name", "status", "momentum_drift", "events", "warnings"):
                    self.assertEqual(getattr(again, fact), getattr(self.result, fact))
            subprocess.run([PROGRAM, "simulate", str(PLANAR), "-o", str(folder / "out"), "-q", "--set", "duration=5"],
                           check=True, capture_output=True)
            flown = sd.load_result(folder / "out")
            self.assert_equal_arrays(flown.values, self.result.values)
            self.assert_equal_arrays(flown["joints/q"], self.result["joints/q"])
            self.assertEqual(flown.channels, self.result.channels)
            self.assertEqual(flown.model.joint_names, self.result.model.joint_names)
            self.assertEqual((flown.name, flown.status), (self.result.name, "complete"))
            self.assertEqual(flown.momentum_drift, self.result.momentum_drift)
            self.assertGreater(len(flown.report()), 100000)
            self.assert_raises(sd.DomainError, "no final state", lambda: flown.final_state)
            self.assert_raises(sd.IoError, "", sd.load_result, folder / "nothing.h5")

    def test_copies_by_pickle(self):
        again = pickle.loads(pickle.dumps(self.result))
        self.assert_equal_arrays(again.values, self.result.values)
        self.assert_equal_arrays(again["state"], self.result["state"])
        self.assertEqual(again.units("joints/q"), self.result.units("joints/q"))
        self.assertEqual(again.momentum_drift, self.result.momentum_drift)
        self.assertEqual(repr(again), repr(self.result))
        state = self.result.final_state
        self.assert_equal_arrays(again.final_state.A_0, state.A_0)
        self.assert_equal_arrays(pickle.loads(pickle.dumps(again)).final_state.qd, state.qd)
        copy = pickle.loads(pickle.dumps(state))
        for name in ("r_0", "A_0", "q", "v_0", "omega_0", "qd", "z"):
            self.assert_equal_arrays(getattr(copy, name), getattr(state, name))
        model = pickle.loads(pickle.dumps(self.result.model))
        self.assert_equal_arrays(sd.inertia_matrix(model, copy), sd.inertia_matrix(self.result.model, state))

    def test_what_an_exception_leaves(self):
        class Mine(Exception):
            pass

        def observe(point):
            if point.time > 2.0:
                raise Mine

        error = self.assert_raises(Mine, "", sd.simulate, PLANAR, observer=observe)
        part = error.result
        self.assertEqual(part.status, "failed")
        self.assert_equal_arrays(part.values[:-1], self.result.values[: len(part) - 1])
        self.assertGreater(part.time[-1], 2.0)
        self.assert_equal_arrays(part.final_state.q, part["joints/q"][-1])
        self.assertIsNone(part.momentum_drift)
        self.assertIn("failed", repr(part))
        passing = sd.load_scenario(PLANAR, [("events", "[{name: passed, type: time, time: 1}]")])
        error = self.assert_raises(Mine, "", sd.simulate, passing, observer=observe)
        self.assertEqual([name for _, name in error.result.events], ["passed"])
        law = sd.FunctionController("c", 2, lambda c: [np.nan if c.time > 1.0 else 0.0, 0.0])
        error = self.assert_raises(sd.NumericalError, "", sd.simulate, PLANAR, controllers=[law])
        self.assertGreater(len(error.result), 3)

    def test_xarray(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("xarray is not installed")
        data = self.result.to_xarray()
        self.assert_equal_arrays(data["joints_q"].values, self.result["joints/q"])
        self.assertEqual(data["joints_q"].attrs["units"], "rad")
        self.assert_equal_arrays(data["time"].values, self.result.time)


class Settings(Case):
    def test_overrides(self):
        one = sd.simulate(PLANAR, duration=1, integrator__relative_tolerance=1e-6)
        other = sd.simulate(PLANAR, overrides={"duration": "1", "integrator.relative_tolerance": 1e-6})
        self.assertEqual(one.scenario.relative_tolerance, 1e-6)
        self.assert_equal_arrays(one.values, other.values)

    def test_a_scenario_made_in_python(self):
        model = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        state = sd.State(model, qd=[0.1, -0.2])
        scenario = sd.Scenario(model, state, duration=2.0, output_interval=0.5)
        result = sd.simulate(scenario, method="rk4", step=0.01)
        self.assertEqual(len(result), 5)
        self.assertEqual(result.steps, 200)
        self.assertLess(result.momentum_drift, 1e-6)
        self.assertEqual(scenario.method, "dop853")  # simulate() leaves the scenario as it is
        self.assert_raises(sd.DomainError, "did you mean 'rk4'", sd.simulate, scenario, method="rk5")
        self.assert_raises(sd.OverrideError, "no such setting", sd.simulate, scenario, duratoin=3)
        self.assert_raises(sd.DimensionError, "", sd.Scenario, model, random_state(sd.load_model(
            str(ROOT / "models" / "robots" / "ets7.yaml")), 1), duration=1, output_interval=1)

    def test_progress(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            sd.simulate(PLANAR, duration=1, progress=True)
        self.assertIn("planar_reorientation [####", said.getvalue())
        # of a run that ends before its time
        with contextlib.redirect_stderr(io.StringIO()) as said:
            sd.simulate(PLANAR, duration=100, progress=True, observer=lambda point: point.time < 1)
        self.assertRegex(said.getvalue(), r"\[\.{30}\] 1 s\n$")


class Elements(Case):
    def setUp(self):
        self.model = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        self.state = sd.State(self.model, q=[0.3, -0.2])

    def scenario(self, duration=2.0):
        scenario = sd.Scenario(self.model, self.state, duration=duration, output_interval=0.1)
        scenario.relative_tolerance = 1e-10
        return scenario

    def test_a_controller_does_what_the_same_one_in_cpp_does(self):
        goal, K, D = np.array([1.0, -0.5]), np.array([2.0, 1.0]), np.array([1.0, 0.5])
        native = sd.JointPd("pd", self.model, self.model.joint_names, K, D, sd.ConstantReference(goal),
                            effort_limit=[np.inf, np.inf])
        python = sd.FunctionController("pd", 2, lambda c: K * (goal - c.q) - D * c.qd)
        a = sd.simulate(self.scenario(), controllers=[native])
        b = sd.simulate(self.scenario(), controllers=[python])
        # the same equations; two tolerances of 1e-10 over 2 s
        self.assert_equal_arrays(a["joints/q"], b["joints/q"], 1e-8)
        self.assertGreater(np.ptp(a["joints/q"]), 0.1)

    def test_a_sampled_controller_is_called_once_each_period(self):
        times = []

        def law(context):
            times.append(context.time)
            return [0.1, 0.0]

        sd.simulate(self.scenario(), controllers=[sd.FunctionController("s", 2, law, sample_period=0.25)])
        self.assert_equal_arrays(np.unique(np.round(times, 9))[:8], 0.25 * np.arange(8), 1e-9)

    def test_a_force_moves_the_system(self):
        def push(context, loads):
            loads.F_b[0] += 3.0

        result = sd.simulate(self.scenario(), forces=[sd.FunctionForce("push", push)])
        momentum = sd.momentum(self.model, result.final_state).linear
        self.assert_equal_arrays(momentum, [6.0, 0.0, 0.0], 1e-8)  # F t

    def test_an_observer_sees_each_output_and_may_end_the_run(self):
        seen = []

        def observer(point):
            seen.append((point.time, point.q, point.kinetic_energy))
            return point.time < 0.95

        result = sd.simulate(self.scenario(), observer=observer)
        self.assertTrue(result.interrupted)
        self.assert_equal_arrays([t for t, _, _ in seen], result.time)
        self.assert_equal_arrays([q for _, q, _ in seen], result["joints/q"])

    def test_exceptions_come_out(self):
        class Mine(Exception):
            pass

        def law(context, *_):
            if context.time > 0.5:
                raise Mine("at half a second")
            return [0.0, 0.0]

        for keywords in ({"controllers": [sd.FunctionController("c", 2, law)]},
                         {"forces": [sd.FunctionForce("f", law)]}, {"observer": law}):
            self.assert_raises(Mine, "half a second", sd.simulate, self.scenario(), **keywords)
        for wrong, what in ((lambda c: [1.0], r"controller 'c' returned: expected .* \(2,\), got \(1,\)"),
                            (lambda c: None, "expected numbers, got None")):
            self.assert_raises((sd.DimensionError, TypeError), what, sd.simulate, self.scenario(),
                               controllers=[sd.FunctionController("c", 2, wrong)])
        self.assert_raises(sd.NumericalError, "", sd.simulate, self.scenario(),
                           controllers=[sd.FunctionController("c", 2, lambda c: [np.nan, 0.0])])
        self.assert_raises(TypeError, "expected a function", sd.FunctionController, "c", 2, 3)
        self.assert_raises(sd.Error, "", sd.simulate, self.scenario(),
                           controllers=[sd.FunctionController("c", 3, lambda c: [0.0] * 3)])
        self.assert_raises(sd.DomainError, "'c' and 'd' both drive", sd.simulate, self.scenario(),
                           controllers=[sd.FunctionController(name, [2], lambda c: [0.1]) for name in "cd"])

    def test_an_instant_is_over_after_the_call(self):
        kept = []

        def law(context):
            kept.append((context, context.q, context.state))
            return [0.0, 0.0]

        sd.simulate(self.scenario(0.2), controllers=[sd.FunctionController("c", 2, law)])
        context, q, state = kept[0]
        self.assert_raises(ReferenceError, "valid only during the call", lambda: context.q)
        self.assert_equal_arrays(q, [0.3, -0.2])
        self.assert_equal_arrays(state.q, [0.3, -0.2])

    def test_elements_outlive_their_owners(self):
        scenario = self.scenario(0.2)
        scenario.add_controller(sd.FunctionController("c", 2, lambda c: [0.1, 0.0]))
        scenario.add_force(sd.FunctionForce("f", lambda c, loads: None))
        self.model = None
        result = sd.simulate(scenario)
        self.assertGreater(np.ptp(result["joints/q"]), 0.0)


class Interpreter(Case):
    def long_scenario(self):
        model = sd.load_model(str(ROOT / "models" / "robots" / "ets7.yaml"))
        scenario = sd.Scenario(model, random_state(model, 1), duration=1e6, output_interval=1e5)
        scenario.method, scenario.step = "rk4", 1e-3
        return scenario

    def test_ctrl_c_ends_a_run(self):
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        start = time.monotonic()
        error = self.assert_raises(KeyboardInterrupt, "", sd.simulate, self.long_scenario())
        self.assertEqual(error.result.status, "interrupted")
        self.assertLess(time.monotonic() - start, 20.0)
        timer.join()

    def test_the_interpreter_may_end_during_a_run(self):
        calls = ("sd.simulate(scenario)", "sd.simulate(scenario, observer=lambda point: None)",
                 "sd.simulate(scenario, progress=True)",
                 "sd.simulate(scenario, controllers=[sd.FunctionController('c', 6, lambda c: [0.0] * 6)])",
                 "sd.Batch(model, threads=2).rollout(rows, np.zeros((200, 2000, 6)), 1e-3)")
        for call in calls:
            script = f"""
import threading, time
import numpy as np
import spacedyn as sd
model = sd.load_model({str(ROOT / "models" / "robots" / "ets7.yaml")!r})
scenario = sd.Scenario(model, sd.State(model), duration=1e6, output_interval=1.0)
scenario.method, scenario.step = "rk4", 1e-3
rows = np.tile(sd.state_row(sd.State(model)), (200, 1))
threading.Thread(target=lambda: {call}, daemon=True).start()
time.sleep(0.3)
"""
            with self.subTest(call):
                done = subprocess.run([sys.executable, "-B", "-c", script], capture_output=True, timeout=120)
                self.assertEqual((done.returncode, b"terminate" in done.stderr), (0, False), done.stderr)

    def test_other_threads_go_on(self):
        counted = [0]
        stop = threading.Event()

        def count():
            while not stop.is_set():
                counted[0] += 1
                time.sleep(0)

        class Enough(Exception):
            pass

        left = [0]

        def observe(point):
            # between two calls only the library runs: the thread counts if it has the interpreter
            if counted[0] > left[0] > 0:
                raise Enough
            left[0] = counted[0]

        thread = threading.Thread(target=count)
        scenario = self.long_scenario()
        scenario.output_interval = 1.0
        thread.start()
        try:
            self.assert_raises(Enough, "", sd.simulate, scenario, observer=observe)
        finally:
            stop.set()
            thread.join()


if __name__ == "__main__":
    unittest.main()

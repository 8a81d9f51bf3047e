#!/usr/bin/env python3
"""Flights from Python: results, elements written in Python, exceptions, interrupts, the lock of the interpreter."""

import contextlib
import csv
import io
import os
import pathlib
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

    def test_views_outlive_the_result(self):
        column = sd.simulate(PLANAR, duration=1)["joints/q"]
        expected = column.copy()
        junk = [sd.simulate(PLANAR, duration=1) for _ in range(3)]
        self.assert_equal_arrays(column, expected)
        del junk

    def test_pages_and_files(self):
        html = self.result._repr_html_()
        self.assertIn("<iframe srcdoc=", html)
        self.assertNotIn("<script", html.split("srcdoc=", 1)[1].split('" sandbox', 1)[0].replace("&lt;", ""))
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
        self.assert_raises(KeyboardInterrupt, "", sd.simulate, self.long_scenario())
        self.assertLess(time.monotonic() - start, 20.0)
        timer.join()

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

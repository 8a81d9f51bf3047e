#!/usr/bin/env python3
"""Scenarios that Python advances step by step: the numbers of a run in one go, commands, and environments."""

import importlib.util
import threading
import unittest

import numpy as np

import spacedyn as sd
from support import ROOT, SCENARIOS, Case

PLANAR = SCENARIOS / "planar_reorientation.yaml"


def script(name):
    """A script of the documentation as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "python" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commanded(**more):
    robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
    policy = sd.controllers.External(name="policy", joints=["shoulder"], sample_period=0.1, effort_limit=2)
    return sd.make_scenario(robot, duration=2, control=[policy], output={"interval": 0.1}, **more)


class Stepping(Case):
    def test_numbers_are_those_of_a_run_in_one_go(self):
        whole = sd.simulate(PLANAR, duration=5, output__interval=0.1)
        simulation = sd.Simulation(PLANAR, duration=5, output__interval=0.1)
        rows = [simulation.observe()]
        while not simulation.is_over:
            simulation.step(0.1)
            rows.append(simulation.observe())
        self.assertEqual(simulation.columns, whole.columns)
        self.assert_equal_arrays(np.array(rows), whole.values)
        self.assertEqual(simulation.momentum_drift, whole.momentum_drift)
        self.assertEqual(simulation.energy_residual, whole.energy_residual)
        self.assertEqual((simulation.time, simulation.stopped_by, simulation.events), (5.0, "", whole.events))
        self.assert_raises(sd.DomainError, "the run is over: reset", simulation.step, 0.1)

    def test_observations_by_name(self):
        simulation = sd.Simulation(PLANAR, duration=5)
        simulation.step(1.0)
        state = simulation.state
        self.assert_equal_arrays(simulation.observe("joints/qd", "time_s"), np.append(state.qd, 1.0))
        self.assert_equal_arrays(simulation.observe("joints.q"), state.q)
        self.assertIn("did you mean 'joints/q'", str(self.assert_raises(KeyError, "", simulation.observe, "jonts/q")))

    def test_commands_are_held_and_cut(self):
        simulation = sd.Simulation(commanded())
        simulation.command("policy", [5.0])
        simulation.step(0.1)
        at = simulation.state.qd[0]
        limited = sd.Simulation(commanded())
        limited.command("policy", [2.0])
        limited.step(0.1)
        self.assertEqual(at, limited.state.qd[0])
        self.assertGreater(at, 0.0)
        self.assert_raises(sd.DomainError, "got 'polcy', did you mean 'policy'", simulation.command, "polcy", [1.0])
        self.assert_raises(sd.DimensionError, "has 2 components, expected 1", simulation.command, "policy", [1.0, 2.0])
        self.assert_raises(sd.DomainError, "values", simulation.command, "policy", [np.nan])
        self.assert_raises(sd.DomainError, "finite and positive, got -1 s", simulation.step, -1.0)

    def test_begins_again(self):
        simulation = sd.Simulation(commanded())
        start = simulation.state
        start.q[1] = 0.7
        simulation.step(0.5)
        simulation.reset(seed=3, initial=start)
        self.assertEqual(simulation.time, 0.0)
        self.assertEqual(simulation.state.q[1], 0.7)
        simulation.reset()
        self.assertEqual(simulation.state.q[1], 0.0)
        self.assert_raises(sd.DomainError, "has no result", lambda: simulation.stopped_by)

    def test_an_exception_in_a_law_comes_out_and_ends_the_run(self):
        scenario = commanded()

        def fail(now):
            if now.time > 0.35:
                raise ValueError("too late")
            return [0.0, 0.0]

        scenario.add_controller(sd.FunctionController("fails", 2, fail))
        simulation = sd.Simulation(scenario)
        simulation.step(0.3)
        self.assert_raises(ValueError, "too late", simulation.step, 0.3)
        self.assertTrue(simulation.is_over)

    def test_one_call_at_a_time(self):
        scenario = commanded()
        entered, leave = threading.Event(), threading.Event()

        def wait(now):
            if now.time > 0.1:
                entered.set()
                leave.wait(60)
            return [0.0, 0.0]

        scenario.add_controller(sd.FunctionController("waits", 2, wait))
        simulation = sd.Simulation(scenario)
        thread = threading.Thread(target=simulation.step, args=(0.5,))
        thread.start()
        self.assertTrue(entered.wait(60))
        self.assert_raises(sd.DomainError, "in use by another call", lambda: simulation.time)
        leave.set()
        thread.join()
        self.assertEqual(simulation.time, 0.5)


class Controllers(Case):
    def test_two_on_one_joint_are_refused(self):
        robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        hold = sd.references.Constant(position=0)
        alone = sd.controllers.ComputedTorque(name="track", joints=["elbow"], stiffness=1, damping=1, reference=hold)
        scenario = sd.make_scenario(robot, duration=1, control=[alone])
        scenario.add_controller(sd.ExternalController("policy", robot, ["shoulder", "elbow"], 0.1))
        for fly in (sd.Simulation, sd.simulate):
            self.assert_raises(sd.DomainError, "'track' and 'policy' both drive joint 'elbow'", fly, scenario)
        both = sd.controllers.External(name="policy", joints=["shoulder", "elbow"], sample_period=0.1)
        error = self.assert_raises(sd.ParseError, "which 'track' drives", sd.make_scenario, robot, duration=1,
                                   control=[alone, both])
        self.assertEqual(error.path, "scenario.control.1.joints.1")

    def test_unstable_sample_periods_are_named(self):
        robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))

        def warnings(period):
            hold = sd.controllers.JointPd(name="hold", joints=["shoulder", "elbow"], stiffness=20, damping=30,
                                          sample_period=period, reference=sd.references.Constant(position=0))
            return sd.make_scenario(robot, duration=1, control=[hold]).warnings

        self.assertEqual(warnings(0.02), [])
        found = warnings(0.5)
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], "scenario.control.0.sample_period: expected a sample period at which the loop of 'hold' is "
                                   "stable, got 0.5 s: linearized about the start, it has the eigenvalue -")

    def test_a_law_may_remember(self):
        robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        period, integral = 0.05, np.array([3.0, 2.0])

        def law(now):
            return 20 * (0.5 - now.q) - 30 * now.qd + integral * now.auxiliary

        def fly(**memory):
            scenario = sd.Scenario(robot, sd.State(robot), duration=2, output_interval=0.5)
            scenario.add_controller(sd.FunctionController("pid", 2, law, period, **memory))
            return sd.simulate(scenario).final_state

        found = fly(memory=2, update=lambda now: now.auxiliary + period * (0.5 - now.q))
        same = sd.controllers.JointPd(name="pid", joints=["shoulder", "elbow"], stiffness=20, damping=30, integral=[3, 2],
                                      integral_limit=100, sample_period=period,
                                      reference=sd.references.Constant(position=0.5))
        expected = sd.simulate(sd.make_scenario(robot, duration=2, control=[same])).final_state
        self.assert_equal_arrays(found.q, expected.q, 1e-12)
        self.assert_raises(sd.DimensionError, "what the update of controller 'pid' returned", fly, memory=2,
                           update=lambda now: [1.0])
        self.assert_raises(sd.DomainError, "memory needs a positive size and an update", fly, memory=2)
        self.assert_raises(TypeError, "expected a function", fly, memory=2, update=3)

    def test_what_makes_no_sense_is_refused(self):
        robot = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        self.assert_raises(sd.DomainError, "sample_period must be positive and finite",
                           sd.ExternalController, "p", robot, ["elbow"], 0.0)
        self.assert_raises(sd.DomainError, "it drives no joint", sd.ExternalController, "p", robot, [], 0.1)
        self.assert_raises(sd.DomainError, "effort_limit 1 must be positive", sd.ExternalController, "p", robot, ["elbow"],
                           0.1, effort_limit=[-1])
        self.assert_raises(sd.DomainError, "joint 2 is controlled twice", sd.ExternalController, "p", robot,
                           ["elbow", "elbow"], 0.1)


class Environment(Case):
    def test_has_the_interface_of_gymnasium(self):
        environment = script("gymnasium_environment").Reach(duration=1)
        observation, info = environment.reset(seed=5)
        self.assertTrue(environment.observation_space.contains(observation))
        self.assertEqual((observation.dtype, info), (np.dtype(np.float32), {}))
        actions = np.random.default_rng(1).uniform(-1, 1, (10, 2)).astype(np.float32)

        def episode():
            return [environment.step(action) for action in actions]

        steps = episode()
        for observation, reward, terminated, truncated, info in steps:
            self.assertTrue(environment.observation_space.contains(observation))
            self.assertIsInstance(reward, float)
            self.assertIs(type(terminated), bool)
            self.assertIs(type(truncated), bool)
            self.assertIn("time", info)
        self.assertEqual([step[3] for step in steps], [False] * 9 + [True])
        environment.reset(seed=5)
        for before, after in zip(steps, episode()):
            self.assert_equal_arrays(before[0], after[0])
        environment.close()


if __name__ == "__main__":
    unittest.main()

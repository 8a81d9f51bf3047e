#!/usr/bin/env python3
"""Views, their owners, and memory that must not grow."""

import copy
import gc
import os
import resource
import unittest

import numpy as np

import spacedyn as sd
from support import ROOT, Case, random_state

CALLS = int(os.environ.get("SPACEDYN_CALLS", "20000"))
MODEL = str(ROOT / "models" / "robots" / "ets7.yaml")


class Views(Case):
    def setUp(self):
        self.model = sd.load_model(MODEL)
        self.state = random_state(self.model, 1)

    def test_a_view_writes_into_its_state(self):
        q = self.state.q
        q[2] = 0.7
        self.assertEqual(self.state.q[2], 0.7)
        self.state.q = np.arange(6) * 0.1
        self.assert_equal_arrays(q, np.arange(6) * 0.1)  # the same memory as before
        self.assertTrue(np.shares_memory(q, self.state.q))
        self.state.A_0[:] = sd.rotation_z(0.3)
        self.assert_equal_arrays(self.state.A_0, sd.rotation_z(0.3))
        twice = self.state.copy()
        twice.q[0] = 9.0
        self.assertNotEqual(self.state.q[0], 9.0)
        self.assertEqual(copy.deepcopy(twice).q[0], 9.0)

    def test_a_view_keeps_its_owner_alive(self):
        views = [sd.State(self.model, q=[i] * 6).q for i in range(200)]
        views += [sd.compute_link_frames(self.model, self.state).r for _ in range(200)]
        loads = [sd.Loads(self.model, tau=[i] * 6).tau for i in range(200)]
        gc.collect()
        junk = [np.full(6, -1.0) for _ in range(1000)]
        for i, q in enumerate(views[:200]):
            self.assert_equal_arrays(q, [i] * 6)
        for i, tau in enumerate(loads):
            self.assert_equal_arrays(tau, [i] * 6)
        expected = sd.compute_link_frames(self.model, self.state).r
        for r in views[200:]:
            self.assert_equal_arrays(r, expected)
        del junk

    def test_results_are_read_only_views_or_copies(self):
        blocks = sd.compute_inertia_blocks(self.model, self.state)
        with self.assertRaises(ValueError):
            blocks.H_m[0, 0] = 1.0
        H = sd.inertia_matrix(self.model, self.state)
        H[:] = 0.0
        self.assertGreater(sd.inertia_matrix(self.model, self.state)[0, 0], 0.0)

    def test_parts_outlive_the_model(self):
        body, frame = self.model.body(1), self.model.frame("hand")
        loads = sd.Loads(self.model)
        del self.model
        gc.collect()
        self.assertGreater(body.mass, 0.0)
        self.assertEqual(frame.name, "hand")
        self.assertEqual(body.inertia.shape, (3, 3))
        self.assertEqual(loads.tau.shape, (6,))


    def test_parts_outlive_the_list_they_come_from(self):
        whole = sd.description(self.model)
        links = whole.links
        names = [link.name for link in links]
        whole.links = []
        junk = [sd.description(self.model) for _ in range(20)]
        self.assertEqual([link.name for link in links], names)
        self.assertEqual(whole.links, [])
        links[0].mass = 3.0
        self.assertNotEqual(junk[0].links[0].mass, 3.0)


class Memory(Case):
    def test_calls_do_not_grow_memory(self):
        model = sd.load_model(MODEL)
        state, loads, out = random_state(model, 1), sd.Loads(model), np.zeros(12)
        goal = [0.1] * 6

        def calls(count):
            for _ in range(count):
                sd.forward_dynamics(model, state, loads, out)
                sd.forward_dynamics(model, state, tau=goal)
                sd.inertia_matrix(model, state)
                state.q = goal
                sd.frame_position(model, state, "hand")
                sd.momentum(model, state).linear
                try:
                    state.q = [1.0]
                except sd.DimensionError:
                    pass

        calls(2000)
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        calls(CALLS)
        gc.collect()
        # kB: a leak of 32 bytes in any one call would be 640 kB in the shortest test
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 512)

    def test_batches_and_flights_do_not_grow_memory(self):
        model = sd.load_model(str(ROOT / "models" / "robots" / "planar_2r.yaml"))
        batch, rows, tau = sd.Batch(model), np.tile(sd.state_row(sd.State(model)), (100, 1)), np.zeros((100, 2))

        def fails(now):
            raise ValueError("at once")

        def calls(count):
            for _ in range(count):
                batch.forward_dynamics(rows, tau)
                batch.rollout(rows[:9], np.zeros((9, 2, 2)), 0.01)
                scenario = sd.Scenario(model, sd.State(model), duration=0.1, output_interval=0.05)
                sd.simulate(scenario).time.sum()
                scenario.add_controller(sd.FunctionController("fails", 2, fails))
                with self.assertRaises(ValueError):
                    sd.simulate(scenario)

        calls(100)
        gc.collect()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        calls(CALLS // 100)
        gc.collect()
        # kB: what threads leave in the arenas of malloc; a leak of 10 kB in each would be 2 MB
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 1024)


if __name__ == "__main__":
    unittest.main()

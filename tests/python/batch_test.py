#!/usr/bin/env python3
"""Batches against single evaluations, and what they refuse."""

import os
import threading
import unittest

import numpy as np

import spacedyn as sd
from support import ROOT, Case, random_state


class Batches(Case):
    def setUp(self):
        self.model = sd.load_model(str(ROOT / "models" / "robots" / "dual_arm.yaml"))
        self.count = 700  # more than one portion for each thread, and a part of a tile
        self.states = [random_state(self.model, seed) for seed in range(self.count)]
        self.rows = np.array([sd.state_row(state) for state in self.states])
        self.tau = np.random.default_rng(1).uniform(-1, 1, (self.count, self.model.joint_count))
        self.batch = sd.Batch(self.model)

    def test_rows_are_states(self):
        again = sd.state_from_row(self.model, self.rows[3])
        for name in ("q", "qd", "r_0", "v_0", "omega_0"):
            self.assert_equal_arrays(getattr(again, name), getattr(self.states[3], name))
        self.assert_equal_arrays(again.A_0, self.states[3].A_0, 1e-15)

    def test_forward_dynamics_is_that_of_each_state(self):
        rates = self.batch.forward_dynamics(self.rows, self.tau)
        for k in range(0, self.count, 53):
            single = sd.forward_dynamics(self.model, self.states[k], tau=self.tau[k])
            # 20 eps cond(H) is stated for batches; cond(H) is below 1e5 here
            self.assert_equal_arrays(rates[k], single, 1e-9 * max(1.0, np.abs(single).max()))
        wide = np.hstack([np.zeros((self.count, 6)), self.tau])
        self.assert_equal_arrays(self.batch.forward_dynamics(self.rows, wide), rates)

    def test_bits_do_not_depend_on_threads_or_neighbours(self):
        rates = self.batch.forward_dynamics(self.rows, self.tau)
        self.assert_equal_arrays(sd.Batch(self.model, threads=1).forward_dynamics(self.rows, self.tau), rates)
        self.assert_equal_arrays(self.batch.forward_dynamics(self.rows[5:6], self.tau[5:6]), rates[5:6])
        self.assert_equal_arrays(self.batch.forward_dynamics(self.rows[::-1], self.tau[::-1]), rates[::-1])

    def test_inverse_dynamics_undoes_it(self):
        rates = self.batch.forward_dynamics(self.rows, self.tau)
        forces = self.batch.inverse_dynamics(self.rows, rates)
        self.assert_equal_arrays(forces[:, 6:], self.tau, 1e-9)
        self.assert_equal_arrays(forces[:, :6], np.zeros((self.count, 6)), 1e-8)

    def test_matrices_are_those_of_each_state(self):
        H = self.batch.inertia_matrix(self.rows)
        H_inverse = self.batch.inverse_inertia(self.rows)
        found = self.batch.forward_dynamics_derivatives(self.rows, self.tau)
        for k in range(0, self.count, 53):
            self.assert_equal_arrays(H[k], sd.inertia_matrix(self.model, self.states[k]), 1e-11)
            single = sd.inverse_inertia(self.model, self.states[k])
            self.assert_equal_arrays(H_inverse[k], single, 1e-11 * np.abs(single).max())
            loads = sd.Loads(self.model)
            loads.tau = self.tau[k]
            single = sd.forward_dynamics_derivatives(self.model, self.states[k], loads)
            for name in ("acceleration", "configuration", "velocity", "force"):
                expected = np.array(getattr(single, name))
                self.assert_equal_arrays(getattr(found, name)[k], expected, 1e-11 * np.abs(expected).max())
        size = self.model.velocity_size
        self.assertEqual(self.batch.inertia_matrix(self.rows[:0]).shape, (0, size, size))
        self.assertIs(self.batch.inverse_inertia(-self.rows, out=H), H)
        self.assertIs(self.batch.forward_dynamics_derivatives(self.rows, -self.tau, out=found), found)
        none = self.batch.forward_dynamics_derivatives(self.rows[:0], self.tau[:0])
        self.assertEqual(none.force.shape, (0, size, size))
        self.assert_raises(sd.DimensionError, "tau: expected n", self.batch.forward_dynamics_derivatives,
                           self.rows, self.tau[:5])
        self.assert_raises(sd.DimensionError, "out: expected derivatives of 3", self.batch.forward_dynamics_derivatives,
                           self.rows[:3], self.tau[:3], out=found)
        for matrix in (self.batch.inertia_matrix, self.batch.inverse_inertia):
            self.assert_raises(sd.DimensionError, "out", matrix, self.rows, out=np.empty((3, 3)))

    def test_frames_are_those_of_each_state(self):
        frame = "left_hand" if "left_hand" in [frame.name for frame in self.model.frames] else self.model.frames[0].name
        position, orientation = self.batch.frame_poses(self.rows, frame)
        J, J_star = self.batch.frame_jacobian(self.rows, frame), self.batch.generalized_jacobian(self.rows, frame)
        for k in range(0, self.count, 53):
            state = self.states[k]
            self.assert_equal_arrays(position[k], sd.frame_position(self.model, state, frame), 1e-13)
            self.assert_equal_arrays(orientation[k], sd.frame_orientation(self.model, state, frame), 1e-14)
            self.assert_equal_arrays(J[k], sd.frame_jacobian(self.model, state, frame), 1e-13)
            self.assert_equal_arrays(J_star[k], sd.generalized_jacobian(self.model, state, frame), 1e-12)
        self.assertEqual(self.batch.frame_jacobian(self.rows[:0], frame).shape, (0, 6, self.model.joint_count))
        self.assert_raises(sd.DomainError, "frame", self.batch.frame_poses, self.rows, "elbow_of_nobody")

    def test_output_and_empty_batches(self):
        out = np.empty((self.count, self.model.velocity_size))
        self.assertIs(self.batch.forward_dynamics(self.rows, self.tau, out=out), out)
        self.assertEqual(self.batch.forward_dynamics(self.rows[:0], self.tau[:0]).shape, (0, self.model.velocity_size))

    def test_any_layout_of_memory_is_read(self):
        rates = self.batch.forward_dynamics(self.rows, self.tau)
        wide = np.zeros((self.count, 2 * self.rows.shape[1]))
        wide[:, ::2] = self.rows
        for rows in (wide[:, ::2], np.asfortranarray(self.rows), self.rows.astype(">f8"), self.rows.tolist()):
            self.assert_equal_arrays(self.batch.forward_dynamics(rows, np.asfortranarray(self.tau)), rates)

    def test_threads_and_forked_processes_share_a_batch(self):
        rates = self.batch.forward_dynamics(self.rows, self.tau)
        results = [None] * 4

        def call(i):
            results[i] = self.batch.forward_dynamics(self.rows, self.tau)

        threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            self.assert_equal_arrays(result, rates)
        child = os.fork()  # its copy of the batch has no threads any more
        if child == 0:
            os._exit(0 if np.array_equal(self.batch.forward_dynamics(self.rows, self.tau), rates) else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assert_equal_arrays(self.batch.forward_dynamics(self.rows, self.tau), rates)

    def test_rollouts_are_flights(self):
        steps, step = 20, 0.02
        controls = np.repeat(self.tau[:3, np.newaxis], steps, axis=1)
        states = sd.rollout(self.model, self.rows[:3], controls, step)
        self.assertEqual(states.shape, (3, steps + 1, self.rows.shape[1]))
        out = np.empty(states.shape)
        self.assertIs(self.batch.rollout(self.rows[:3], controls, step, out=out), out)
        self.assert_equal_arrays(out, states)
        scenario = sd.Scenario(self.model, self.states[1], duration=steps * step, output_interval=step)
        torque = self.tau[1]
        scenario.add_controller(sd.FunctionController("tau", len(torque), lambda context: torque))
        result = sd.simulate(scenario, relative_tolerance=1e-11)
        end = sd.state_from_row(self.model, states[1, -1])
        # rk4 with steps of 20 ms: error of order 4, measured 2e-6
        self.assert_equal_arrays(end.q, result.final_state.q, 1e-5)
        self.assert_equal_arrays(end.A_0, result.final_state.A_0, 1e-5)
        self.assertGreater(np.abs(end.q - self.states[1].q).max(), 0.05)

    def test_bad_input(self):
        rows, tau = self.rows[:10].copy(), self.tau[:10]
        call = self.batch.forward_dynamics
        self.assert_raises(sd.DimensionError, r"states: expected .* \(any, \d+\), got \(10, 3\)", call, rows[:, :3], tau)
        self.assert_raises(sd.DimensionError, "tau: expected n = ", call, rows, tau[:9])
        self.assert_raises(sd.DimensionError, "tau: expected n = ", call, rows, tau[:, :2])
        self.assert_raises(sd.DimensionError, "out", call, rows, tau, out=np.zeros((9, 3)))
        rows[7, 0] = np.nan
        self.assert_raises(sd.DomainError, "row 7 holds a number that is not finite", call, rows, tau)
        rows[7] = 0.0
        self.assert_raises(sd.DomainError, "row 7 has a quaternion", call, rows, tau)
        self.assert_raises(sd.DomainError, "threads", sd.Batch, self.model, threads=-1)
        self.assert_raises(sd.DomainError, "step", sd.rollout, self.model, self.rows[:1],
                           np.zeros((1, 2, self.model.joint_count)), -0.1)


if __name__ == "__main__":
    unittest.main()

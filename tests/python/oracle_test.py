#!/usr/bin/env python3
"""Every function against the value that the program prints for the same state, on every shipped robot."""

import unittest

import numpy as np

import spacedyn as sd
from support import ROBOTS, Case, evaluate, random_state


def has_loops(said):
    """Whether the accelerations are those that loops leave; the module has those of the tree."""
    return "constraint_jacobian" in said


class Oracle(Case):
    """The module calls the functions the program calls, so numbers agree to the last bit but one."""

    @classmethod
    def setUpClass(cls):
        cls.cases = []
        for seed, robot in enumerate(ROBOTS):
            model = sd.load_model(str(robot))
            if len(model.coordinates) < model.joint_count:
                continue  # the program lists coordinates, the module's functions know all joints
            state = random_state(model, seed)
            random = np.random.default_rng(1000 + seed)
            rates = random.uniform(-1, 1, model.velocity_size)
            tau = random.uniform(-1, 1, model.joint_count)
            gravity = [0.1, -0.2, -1.6]
            said = evaluate(robot, state, vd0=rates[:3], wd0=rates[3:6], qdd=rates[6:], tau=tau, gravity=gravity)
            cls.cases.append((robot.stem, model, state, rates, tau, gravity, said))

    def compare(self, actual, expected, what):
        expected = np.asarray(expected, dtype=float)
        scale = max(1.0, np.max(np.abs(expected), initial=0.0))
        np.testing.assert_allclose(np.asarray(actual).reshape(expected.shape), expected, rtol=0, atol=1e-15 * scale,
                                   err_msg=what)

    def test_links(self):
        for name, model, state, rates, _, _, said in self.cases:
            with self.subTest(name):
                frames = sd.compute_link_frames(model, state)
                velocities = sd.compute_link_velocities(model, state)
                for array, key in ((frames.A, "AA"), (frames.r, "RR"), (frames.p, "joints"), (velocities.v, "vv"),
                                   (velocities.omega, "ww")):
                    self.compare(array[1:], said[key], key)
                if has_loops(said):
                    continue
                accelerations = sd.compute_link_accelerations(model, state, rates)
                for array, key in ((accelerations.vd, "vd"), (accelerations.omegad, "wd")):
                    self.compare(array[1:], said[key], key)

    def test_frames(self):
        for name, model, state, _, _, _, said in self.cases:
            for frame, expected in said["frames"].items():
                with self.subTest(f"{name} {frame}"):
                    twist = sd.frame_velocity(model, state, frame)
                    all_ = sd.frame_jacobians(model, state, frame)
                    for actual, key in ((sd.frame_position(model, state, frame), "position"),
                                        (sd.frame_orientation(model, state, frame), "orientation"),
                                        (twist[:3], "velocity"), (twist[3:], "angular_velocity"),
                                        (sd.frame_jacobian(model, state, frame), "J_m"),
                                        (sd.base_jacobian(model, state, frame), "J_b"), (all_.J_m_dot, "J_m_dot"),
                                        (all_.J_b_dot, "J_b_dot"),
                                        (sd.generalized_jacobian(model, state, frame), "generalized_jacobian")):
                        self.compare(actual, expected[key], key)

    def test_link_jacobians(self):
        for name, model, state, _, _, _, said in self.cases:
            with self.subTest(name):
                for i in range(model.joint_count):
                    self.compare(sd.translational_jacobian(model, state, i + 1), said["JJ_t"][i], "JJ_t")
                    self.compare(sd.rotational_jacobian(model, state, i + 1), said["JJ_r"][i], "JJ_r")

    def test_inertia_and_dynamics(self):
        for name, model, state, rates, tau, gravity, said in self.cases:
            with self.subTest(name):
                loads = sd.Loads(model, tau=tau, gravity=gravity)
                forward = said["forward_dynamics"]
                for actual, expected, key in (
                        (sd.inertia_matrix(model, state), said["H"], "H"),
                        (sd.bias_forces(model, state, gravity), said["bias"], "bias"),
                        (sd.reduced_inertia(model, state), said["H_star"], "H_star"),
                        (sd.inverse_dynamics(model, state, rates, loads), said["inverse_dynamics"], "inverse_dynamics"),
                        (sd.passive_torque(model, state), said["passive_torque"], "passive_torque")):
                    self.compare(actual, expected, key)
                if has_loops(said):
                    continue
                accelerations = forward["vd0"] + forward["wd0"] + forward["qdd"]
                self.compare(sd.forward_dynamics(model, state, loads), accelerations, "u̇")
                self.compare(sd.forward_dynamics(model, state, tau=tau, gravity=gravity), accelerations,
                             "u̇ of torques")

    def test_regressors(self):
        for name, model, state, rates, _, gravity, said in self.cases:
            with self.subTest(name):
                parameters = sd.inertial_parameters(model)
                Y = sd.inverse_dynamics_regressor(model, state, rates, gravity)
                self.compare(parameters, said["parameters"], "parameters")
                self.compare(Y, said["regressor"], "regressor")
                forces = sd.inverse_dynamics(model, state, rates, gravity=gravity)
                forces[6:] -= [model.joint(i + 1).armature * rates[6 + i] for i in range(model.joint_count)]
                scale = max(1.0, np.abs(Y).max() * np.abs(parameters).max())
                self.assert_equal_arrays(Y @ parameters / scale, forces / scale, 1e-13)
                momentum = sd.momentum(model, state)
                self.assert_equal_arrays(sd.momentum_regressor(model, state) @ parameters / scale,
                                         np.r_[momentum.linear, momentum.angular_base] / scale, 1e-13)
                self.assert_equal_arrays(sd.energy_regressor(model, state, gravity)[1] @ parameters / scale,
                                         sd.gravity_potential(model, state, gravity) / scale, 1e-13)

    def test_closed_chains(self):
        for name, model, state, rates, tau, gravity, said in self.cases:
            if not has_loops(said):
                continue
            with self.subTest(name):
                expected = said["closed_chain"]
                chain = sd.closed_chain(model, state)
                self.assertEqual([model.joint_names[joint - 1] for joint in chain.independent], expected["independent"])
                for actual, key in ((chain.G, "G"), (chain.g, "g"), (chain.H_star, "H_star")):
                    self.compare(actual, expected[key], key)
                for frame, J in expected["generalized_jacobian"].items():
                    self.compare(sd.generalized_jacobian(model, state, frame, chain=chain), J, frame)
                for reaction in (sd.Reaction.angular, sd.Reaction.full):
                    self.compare(sd.reaction_null_space(model, state, reaction, chain=chain).basis,
                                 expected["reaction_null_space"][reaction.name], reaction.name)
                drive = sd.closed_inverse_dynamics(model, state, rates, sd.Loads(model, tau=tau, gravity=gravity))
                for actual, key in ((drive.tau, "tau"), (drive.F_b[:3], "F0"), (drive.F_b[3:], "T0"),
                                    (drive.multipliers, "multipliers")):
                    self.compare(actual, expected["inverse_dynamics"][key], key)
                chosen = sd.closed_chain(model, state, expected["independent"])
                self.assert_equal_arrays(chosen.G, chain.G)

    def test_totals(self):
        for name, model, state, _, _, gravity, said in self.cases:
            with self.subTest(name):
                momentum = sd.momentum(model, state)
                self.compare(momentum.linear, said["momentum"]["linear"], "P")
                self.compare(momentum.angular_base, said["momentum"]["angular"], "L_0")
                self.compare(momentum.angular_origin, said["momentum"]["angular_origin"], "L")
                self.compare(sd.kinetic_energy(model, state), said["kinetic_energy"], "T")
                self.compare(sd.gravity_potential(model, state, gravity), said["gravity_potential"], "V")
                self.compare(sd.elastic_energy(model, state), said["elastic_energy"], "elastic")
                self.compare(sd.center_of_mass(model, state), said["center_of_mass"], "r_g")
                self.compare(model.total_mass, said["mass"], "w")
                self.assertEqual(list(model.joint_names), said["joint_order"])
                self.assertEqual(list(model.connection), said["B"])


class Laws(Case):
    """What has no value in the program is held against laws and other functions."""

    def setUp(self):
        self.robots = [sd.load_model(str(robot)) for robot in ROBOTS]

    def test_dynamics_solve_the_equations_of_motion(self):
        # H of the shipped robots has condition numbers up to 1e6
        for seed, model in enumerate(self.robots):
            state = random_state(model, seed)
            H, bias = sd.inertia_matrix(model, state), sd.bias_forces(model, state)
            free = slice(6 if model.has_fixed_base else 0, None)
            expected = np.zeros(model.velocity_size)
            expected[free] = np.linalg.solve(H[free, free], -bias[free])
            scale = max(1.0, np.max(np.abs(expected)))
            rates = sd.forward_dynamics(model, state)
            self.assert_equal_arrays(rates / scale, expected / scale, 1e-9)
            self.assert_equal_arrays(sd.solve_inertia(model, state, -bias) / scale, expected / scale, 1e-9)
            # forces may cancel, those of a ball that spins for instance: the scale is that of their parts
            speed = max(np.max(np.abs(part)) for part in (state.v_0, state.omega_0, state.qd) if part.size)
            size = np.max(np.abs(H)) * (np.max(np.abs(rates)) + speed**2)
            self.assert_equal_arrays(sd.inverse_dynamics(model, state, rates) / size, (H @ rates + bias) / size, 1e-13)

    def test_derivatives_agree_with_differences(self):
        model = self.robots[[m.name for m in self.robots].index("dual_arm")]
        state, tau, h = random_state(model, 3), np.ones(model.joint_count), 1e-6
        loads = sd.Loads(model, tau=tau)
        exact = sd.forward_dynamics_derivatives(model, state, loads)
        for j in range(model.joint_count):
            plus, minus = state.copy(), state.copy()
            plus.q[j] += h
            minus.q[j] -= h
            column = (sd.forward_dynamics(model, plus, loads) - sd.forward_dynamics(model, minus, loads)) / (2 * h)
            # error of central differences, h² times the third derivative, and rounding, eps/h
            self.assert_equal_arrays(exact.configuration[:, 6 + j], column, 1e-6 * max(1.0, np.abs(column).max()))
        for H_inverse in (exact.force, sd.inverse_inertia(model, state)):
            self.assert_equal_arrays(H_inverse @ sd.inertia_matrix(model, state), np.eye(model.velocity_size), 1e-9)

    def test_motions_in_the_reaction_null_space_do_not_turn_the_base(self):
        model = self.robots[[m.name for m in self.robots].index("dual_arm")]
        state = random_state(model, 5)
        space = sd.reaction_null_space(model, state, sd.Reaction.angular)
        self.assertEqual(space.dimension, model.joint_count - 3)
        # with no angular momentum about the system centroid the base keeps its attitude
        twist = sd.base_response(model, state).D[3:] @ space.basis
        self.assert_equal_arrays(twist, np.zeros_like(twist), 1e-10)

    def test_coriolis_matrix_gives_the_bias(self):
        for seed, model in enumerate(self.robots):
            state = random_state(model, seed)
            bias = sd.bias_forces(model, state)
            scale = max(1.0, np.max(np.abs(bias)))
            self.assert_equal_arrays(sd.coriolis_matrix(model, state) @ state.velocity() / scale, bias / scale, 1e-11)

    def test_conventions_go_there_and_back(self):
        for seed, model in enumerate(self.robots):
            state = random_state(model, seed)
            if model.name in ("gripper", "heavy_top", "joint_types"):
                with self.assertRaises(sd.DomainError):  # spherical joints
                    sd.positions_in(sd.Convention.pinocchio, model, state)
                continue
            for convention in sd.Convention.__members__.values():
                q, v = sd.positions_in(convention, model, state), sd.velocities_in(convention, model, state)
                again = sd.state_from(convention, model, q, v)
                for name in ("q", "qd", "r_0", "A_0", "v_0", "omega_0"):
                    # base origin and centroid are exchanged, at most a few metres apart
                    self.assert_equal_arrays(getattr(again, name), getattr(state, name), 1e-13)
                self.assert_equal_arrays(sd.velocity_map(convention, model, state) @ state.velocity(), v, 1e-13)


if __name__ == "__main__":
    unittest.main()

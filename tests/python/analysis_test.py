#!/usr/bin/env python3
"""Modes, linear models, inverse kinematics, models built and changed in Python."""

import unittest

import numpy as np

import spacedyn as sd
from support import ROBOTS, ROOT, Case, random_state

ROBOT = ROOT / "models" / "robots"


class Analysis(Case):
    def test_modes_of_the_paddles(self):
        model = sd.load_model(str(ROBOT / "ets7_paddles.yaml"))
        clamped = sd.compute_modes(model, sd.State(model), base_free=False, hold_unsprung=True)
        # the model file is tuned to this frequency
        self.assertAlmostEqual(clamped.modes[0].frequency, 0.15, places=4)
        free = sd.compute_modes(model, sd.State(model), hold_unsprung=True)
        self.assertEqual(free.rigid_count, 6)

    def test_linear_model_of_a_pendulum(self):
        model = sd.load_model(str(ROBOT / "pendulum_a01.yaml"))
        state = sd.State(model)
        linear = sd.linearize(model, state, gravity=[0, 0, 0])
        states = len(linear.state_names)
        self.assertEqual(linear.A.shape, (states, states))
        self.assertEqual(linear.B.shape, (states, len(linear.input_names)))
        self.assertEqual(len(sd.eigenmodes(linear.A)) > 0, True)
        scenario = sd.load_scenario(str(ROOT / "models" / "scenarios" / "ets7_arm_slew.yaml"))
        self.assertIn("shoulder_yaw.position", sd.linearize(scenario).state_names)

    def test_inverse_kinematics(self):
        model = sd.load_model(str(ROBOT / "ets7.yaml"))
        goal = sd.State(model, q=[0.2, -0.4, 0.9, -0.3, 0.2, 0.1])
        position = sd.frame_position(model, goal, "hand")
        orientation = sd.frame_orientation(model, goal, "hand")
        target = sd.FrameGoal(model.frame("hand"), position, orientation)
        start = sd.State(model, q=[0.1, -0.3, 0.8, -0.2, 0.1, 0.0])
        found = sd.solve_inverse_kinematics(model, start, [target])
        self.assertTrue(found.report.converged)
        reached = sd.State(model, q=found.q)
        self.assert_equal_arrays(sd.frame_position(model, reached, "hand"), position, 1e-8)
        self.assert_raises(TypeError, "got neither", sd.FrameGoal, model.frame("hand"))

    def test_a_floating_arm_reaches_its_goal(self):
        model = sd.load_model(str(ROBOT / "ets7.yaml"))
        start = sd.State(model, q=[0.1, -0.3, 0.8, -0.2, 0.1, 0.0])
        goal = sd.frame_position(model, start, "hand") + [0.05, 0.02, -0.03]
        found = sd.solve_free_floating_inverse_kinematics(model, start, [sd.FrameGoal(model.frame("hand"), goal)])
        self.assertTrue(found.report.converged)
        end = found.path.states[-1]
        self.assert_equal_arrays(sd.frame_position(model, end, "hand"), goal, 1e-8)
        # momentum is zero all along, so the centroid stays
        self.assert_equal_arrays(sd.center_of_mass(model, end), sd.center_of_mass(model, start), 1e-9)

    def test_base_parameters_of_a_floating_arm(self):
        model = sd.load_model(str(ROBOT / "ets7.yaml"))
        base = sd.base_parameters(model)
        # ten of the base, seven of each link that turns
        self.assertEqual(base.count, 10 + 7 * 6)
        self.assertEqual(base.names[0], "chaser.mass + " + " + ".join(
            f"{model.body_names[i]}.mass" for i in range(1, 7)))
        self.assertEqual(base.combination.shape, (52, 70))
        state = random_state(model, 2)
        Y = sd.inverse_dynamics_regressor(model, state, np.ones(12))
        self.assert_equal_arrays(Y[:, base.columns] @ base.combination, Y, 1e-9)
        # one motion determines no more than it has equations
        names = sd.inertial_parameter_names(model)
        self.assertEqual(sd.base_parameters(Y, names).count, np.linalg.matrix_rank(Y))
        self.assert_raises(sd.DimensionError, "names: 1 are given, expected 70", sd.base_parameters, Y, names[:1])

    def test_physical_consistency(self):
        box = np.array([2, 0, 0, 0, 1, 0, 0, 1.2, 0, 2.1])
        self.assertTrue(sd.is_physically_consistent(box))
        wrong = box + np.eye(10)[9]
        self.assertFalse(sd.is_physically_consistent(wrong))
        nearest = sd.nearest_consistent_parameters(wrong, length=0.5)
        self.assertTrue(sd.is_physically_consistent(nearest))
        self.assert_equal_arrays(sd.inertial_parameters_of(sd.pseudo_inertia(wrong)), wrong, 1e-15)
        self.assert_equal_arrays(sd.nearest_consistent_parameters(box, 0.5), box, 1e-14)
        self.assert_raises(sd.DomainError, "length is -1", sd.nearest_consistent_parameters, box, -1)
        self.assert_raises(sd.DimensionError, r"parameters: expected .* \(10,\), got \(9,\)",
                           sd.is_physically_consistent, box[:9])


class Impacts(Case):
    def test_the_index_is_that_of_the_worst_impulse(self):
        model = sd.load_model(str(ROBOT / "ets7.yaml"))
        state = sd.State(model, q=[0.1, -0.3, 0.8, -0.2, 0.1, 0.0])
        index = sd.impact_index(model, state, "hand")
        response = sd.impulse_response(model, state, "hand").velocity_per_impulse[:, :3]
        self.assert_equal_arrays(index.velocity_per_impulse, response, 1e-15)
        self.assertAlmostEqual(index.turning.index, np.linalg.norm(response[3:6], 2), places=15)
        worst = index.turning.directions[:, 0]
        self.assertAlmostEqual(np.linalg.norm(response[3:6] @ worst), index.turning.index, places=15)
        self.assertEqual(index.base.free_directions.shape, (3, 3 - index.base.rank))
        # joints that give way take part of the blow
        self.assertGreater(sd.impact_index(model, state, "hand", locked=True).turning.index, index.turning.index)

    def test_a_map_over_two_joints(self):
        model = sd.load_model(str(ROBOT / "ets7.yaml"))
        state = sd.State(model)
        angles = np.linspace(-1, 1, 3)
        found = sd.impact_map(model, state, "hand", "shoulder_pitch", angles, "elbow_pitch", [0.2, 0.4])
        self.assertEqual(found.turning.shape, (3, 2))
        state = sd.State(model, q=[0, angles[2], 0.2, 0, 0, 0])
        self.assertEqual(found.turning[2, 0], sd.impact_index(model, state, "hand").turning.index)
        along = sd.impact_map(model, state, "hand", 2, angles, 3, [0.2], direction=[0, 0, 2])
        self.assertTrue(np.all(along.virtual_mass >= found.virtual_mass[:, :1]))
        self.assert_raises(sd.DomainError, "a map of impacts needs two joints", sd.impact_map, model, state, "hand",
                           2, angles, 2, angles)
        self.assert_raises(sd.DomainError, "expected 1 to 6|joint", sd.impact_map, model, state, "hand", 2, angles,
                           "elbow", angles)


class Building(Case):
    def arm(self):
        builder = sd.ModelBuilder("arm")
        builder.set_base(sd.BaseDescription(name="hub", mass=100.0, inertia=np.diag([20.0, 20.0, 20.0])))
        builder.add_link(sd.LinkDescription(
            name="boom", parent="hub", mass=5.0, center_of_mass=[0.5, 0, 0], inertia=np.diag([0.01, 0.4, 0.4]),
            joint=sd.JointDescription(name="hinge", axis=[0, 0, 1], origin=sd.Pose([1.0, 0, 0], rpy=[0, 0, 0.3]))))
        builder.add_frame(sd.FrameDescription(name="tip", link="boom", origin=sd.Pose([1.0, 0, 0])))
        return builder.build()

    def test_a_model_built_here_is_the_one_written(self):
        model = self.arm()
        self.assertEqual((model.joint_names, model.frame_names), (["hinge"], ["tip"]))
        self.assertAlmostEqual(model.total_mass, 105.0)
        position = sd.frame_position(model, sd.State(model), "tip")
        self.assert_equal_arrays(position, [1 + np.cos(0.3), np.sin(0.3), 0], 1e-15)

    def test_a_screw_turns_and_slides(self):
        pitch, m, J = -0.3, 1.7, 0.02
        builder = sd.ModelBuilder("descending")
        builder.set_base(sd.BaseDescription(name="ground", mass=1.0, inertia=np.eye(3), fixed=True))
        builder.add_link(sd.LinkDescription(name="nut", parent="ground", mass=m, inertia=np.diag([0.05, 0.04, J]),
                                            joint=sd.JointDescription(type=sd.JointType.screw, pitch=pitch)))
        model, h = builder.build(), pitch / (2 * np.pi)
        self.assertEqual((model.joint(1).type, model.joint(1).turn), ("screw", 1.0))
        self.assertAlmostEqual(model.joint(1).slide, h, delta=1e-17)
        self.assertAlmostEqual(sd.inertia_matrix(model, sd.State(model))[6, 6], J + m * h * h, delta=1e-16)
        turned = sd.State(model, q=[0.5])
        self.assert_equal_arrays(sd.frame_position(model, turned, "nut"), [0, 0, 0.5 * h], 1e-16)
        acceleration = sd.forward_dynamics(model, turned, gravity=[0, 0, -9.81])
        self.assertAlmostEqual(acceleration[6], -9.81 * m * h / (J + m * h * h), delta=1e-13)
        with self.assertRaisesRegex(sd.ModelError, "length per turn other than 0"):
            builder.add_link(sd.LinkDescription(name="other", parent="nut", mass=1.0, inertia=np.eye(3),
                                                joint=sd.JointDescription(type=sd.JointType.screw)))
            builder.build()

    def test_models_written_and_read_compute_the_same_bits(self):
        for model in [self.arm()] + [sd.load_model(str(robot)) for robot in ROBOTS]:
            again = sd.parse_model(sd.write_model(model))
            state = random_state(model, 2)
            self.assert_equal_arrays(sd.inertia_matrix(again, state), sd.inertia_matrix(model, state))
            built = sd.ModelBuilder(sd.description(model)).build()
            self.assert_equal_arrays(sd.inertia_matrix(built, state), sd.inertia_matrix(model, state))

    def test_reconfiguration_keeps_momentum(self):
        model = sd.load_model(str(ROBOT / "dual_arm.yaml"))
        state = random_state(model, 4)
        before = sd.momentum(model, state)
        locked, after = sd.lock_joints(model, state, [model.joint_names[0]])
        self.assertEqual(locked.joint_count, model.joint_count - 1)
        self.assert_equal_arrays(sd.momentum(locked, after).linear, before.linear, 1e-9)
        self.assertLessEqual(sd.kinetic_energy(locked, after), sd.kinetic_energy(model, state) + 1e-12)
        (rest, a), (part, b) = sd.detach(model, state, model.body_names[-1])
        total = sd.momentum(rest, a).linear + sd.momentum(part, b).linear
        self.assert_equal_arrays(total, before.linear, 1e-9)


class Configurations(Case):
    def test_spherical_joints_are_turned_not_added_to(self):
        builder = sd.ModelBuilder("ball")
        builder.set_base(sd.BaseDescription(name="hub", mass=100.0, inertia=np.eye(3)))
        builder.add_link(sd.LinkDescription(name="arm", parent="hub", mass=5.0, inertia=np.eye(3),
                                            joint=sd.JointDescription(type=sd.JointType.spherical)))
        model = builder.build()
        q, turn = np.array([0.3, -0.2, 0.5]), np.array([0.1, 0.4, -0.3])
        moved = sd.displace_joints(model, turn, q)
        self.assert_equal_arrays(sd.exp_so3(moved), sd.exp_so3(q) @ sd.exp_so3(turn), 1e-14)
        self.assert_equal_arrays(sd.joint_difference(model, q, moved), turn, 1e-14)
        h = 1e-6
        rate = (sd.displace_joints(model, h * turn, q) - sd.displace_joints(model, -h * turn, q)) / (2 * h)
        # central differences: h² and eps/h
        self.assert_equal_arrays(sd.joint_position_rate(model, q, turn), rate, 1e-9)


class Rotations(Case):
    def test_each_one_has_its_inverse(self):
        random = np.random.default_rng(1)
        for _ in range(20):
            x = random.uniform(-1.5, 1.5, 3)
            for there, back in ((sd.matrix_from_rpy, sd.rpy_from_matrix), (sd.exp_so3, sd.log_so3),
                                (sd.matrix_from_twist, sd.twist_from_matrix)):
                self.assert_equal_arrays(back(there(x)), x, 1e-13)
            A = sd.exp_so3(x)
            self.assert_equal_arrays(sd.matrix_from_quaternion(sd.quaternion_from_matrix(A)), A, 1e-15)
            self.assert_equal_arrays(sd.orientation_error(A, np.eye(3)), x, 1e-13)
        self.assert_equal_arrays(sd.quaternion_from_matrix(np.eye(3)), [1, 0, 0, 0])  # w first


if __name__ == "__main__":
    unittest.main()

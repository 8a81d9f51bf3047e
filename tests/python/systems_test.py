#!/usr/bin/env python3
"""Loops, several robots, impacts, attitudes and foreign files: against the program, closed forms and each other."""

import pathlib
import tempfile
import unittest

import numpy as np

import spacedyn as sd
from support import ROBOTS, ROOT, Case, evaluate, random_state


def load(name):
    return sd.load_model(str(ROOT / "models" / "robots" / f"{name}.yaml"))


def four_bar():
    """A parallelogram of three bars of 1 m on a free base, built here: its loop holds at any common angle."""
    builder = sd.ModelBuilder("four_bar")
    builder.set_base(sd.BaseDescription(name="base", mass=10, inertia=np.eye(3)))
    for name, parent, x in (("left", "base", 0.0), ("top", "left", 1.0), ("right", "base", 2.0)):
        origin = sd.Pose([0.0 if parent == "base" else x, 0, 0] if name != "right" else [0, x, 0])
        builder.add_link(sd.LinkDescription(name=name, parent=parent, mass=1.0, center_of_mass=[0.5, 0, 0],
                                            inertia=np.diag([0.01, 0.1, 0.1]),
                                            joint=sd.JointDescription(axis=[0, 0, 1], origin=origin)))
    builder.add_frame(sd.FrameDescription(name="top_end", link="top", origin=sd.Pose([2, 0, 0])))
    builder.add_frame(sd.FrameDescription(name="right_end", link="right", origin=sd.Pose([1, 0, 0])))
    whole = builder.description
    whole.loops = [sd.LoopDescription(name="closure", type=sd.LoopType.spherical, from_="top_end", to="right_end")]
    return sd.ModelBuilder(whole).build()


class Loops(Case):
    def setUp(self):
        self.model = four_bar()
        angle, rate = 0.3, 0.7
        self.state = sd.State(self.model, q=[angle, np.pi / 2 - angle, angle], qd=[rate, -rate, rate],
                              omega_0=[0.1, -0.2, 0.3])
        self.loads = sd.Loads(self.model, tau=[0.3, 0.0, -0.1])

    def test_a_loop_that_is_built_here_is_one(self):
        motion = sd.constrained_motion(self.model, self.state, self.loads)
        # two bars stay parallel: one freedom of the mechanism and six of the base
        self.assertEqual(motion.degrees_of_freedom, 7)
        self.assert_equal_arrays(motion.K @ self.state.velocity(), np.zeros(len(motion.k)), 1e-14)
        self.assert_equal_arrays(motion.K @ motion.acceleration, motion.k, 1e-12)
        again = sd.parse_model(sd.write_model(self.model))
        self.assert_equal_arrays(sd.constrained_motion(again, self.state, self.loads).acceleration, motion.acceleration)

    def test_multipliers_hold_the_loop(self):
        motion = sd.constrained_motion(self.model, self.state, self.loads)
        needed = sd.inverse_dynamics(self.model, self.state, motion.acceleration)
        given = np.concatenate([np.zeros(6), self.loads.tau])
        self.assert_equal_arrays(given + motion.K.T @ motion.multipliers, needed, 1e-12)

    def test_explicit_form_moves_alike(self):
        motion, form = (function(self.model, self.state, self.loads)
                        for function in (sd.constrained_motion, sd.explicit_form))
        self.assert_equal_arrays(form.acceleration(), motion.acceleration, 1e-12)
        self.assert_equal_arrays(form.G.T @ form.G, np.eye(7), 1e-14)
        self.assertAlmostEqual(form.kinetic_energy(), sd.kinetic_energy(self.model, self.state), delta=1e-13)
        self.assertAlmostEqual(form.power(), self.loads.tau @ self.state.qd, delta=1e-14)
        self.assert_equal_arrays(form.H_G @ form.rate_change, form.force - form.C_G, 1e-12)

    def test_derivatives_are_those_of_the_motion(self):
        derivatives = sd.constrained_derivatives(self.model, self.state, self.loads)
        motion = sd.constrained_motion(self.model, self.state, self.loads)
        self.assert_equal_arrays(derivatives.motion.acceleration, motion.acceleration, 1e-12)
        step = 1e-5
        for joint in range(3):
            ends = []
            for sign in (1, -1):
                loads = sd.Loads(self.model, tau=self.loads.tau + sign * step * np.eye(3)[joint])
                ends.append(sd.constrained_motion(self.model, self.state, loads).acceleration)
            # linear in the forces: what is left is rounding over the step
            self.assert_equal_arrays(derivatives.motion.force[:, 6 + joint], (ends[0] - ends[1]) / (2 * step), 1e-9)

    def test_joints_are_moved_onto_the_loops(self):
        start = sd.State(self.model, q=[0.3, 1.2, 0.35], qd=[0.7, 0.0, 0.0])
        self.assertGreater(sd.position_residual(self.model, start).value, 1e-2)
        assembly = sd.assemble_loops(self.model, start, ["left"])
        self.assertTrue(assembly.assembled)
        # the bars stay parallel
        self.assert_equal_arrays(assembly.state.q, [0.3, np.pi / 2 - 0.3, 0.3], 1e-8)
        self.assert_equal_arrays(assembly.state.qd, [0.7, -0.7, 0.7], 1e-8)
        for residual in (sd.position_residual, sd.velocity_residual):
            self.assertLess(residual(self.model, assembly.state).value, 1e-9)
        self.assertEqual(sd.position_residual(self.model, start).loop, "closure")
        self.assert_raises(sd.DomainError, "lefd", sd.assemble_loops, self.model, start, ["lefd"])

    def test_against_the_program(self):
        robot = ROOT / "models" / "robots" / "rocker_bogie.yaml"
        model = sd.load_model(str(robot))
        state = sd.State(model, omega_0=[0.1, 0.2, -0.3])
        tau = np.linspace(-1, 1, model.joint_count)
        said = evaluate(robot, state, tau=tau)
        motion = sd.constrained_motion(model, state, sd.Loads(model, tau=tau))
        for actual, key in ((motion.K, "constraint_jacobian"), (motion.k, "constraint_bias"),
                            (motion.multipliers, "multipliers")):
            expected = np.array(said[key])
            self.assert_equal_arrays(actual, expected, 1e-15 * max(1.0, np.abs(expected).max()))
        self.assertEqual((motion.rank, motion.degrees_of_freedom), (said["rank"], said["degrees_of_freedom"]))

    def test_bad_input(self):
        other = load("planar_2r")
        self.assert_raises(sd.DimensionError, "", sd.constrained_motion, self.model, sd.State(other))
        self.assert_raises(sd.DimensionError, "", sd.explicit_form, self.model, self.state, sd.Loads(other))
        self.assert_raises(TypeError, "no attribute 'form'", sd.LoopDescription, form="x")
        whole = sd.description(self.model)
        whole.loops = [sd.LoopDescription(name="closure", from_="top_end", to="nowhere")]
        self.assert_raises(sd.ModelError, "nowhere", sd.ModelBuilder(whole).build)


class Robots(Case):
    def setUp(self):
        self.arm, self.planar = load("ets7"), load("planar_2r")
        self.both = sd.aggregate("pair", [sd.RobotPart("chaser", self.arm), sd.RobotPart("target", self.planar)])
        self.state = sd.State(self.both)
        self.own = random_state(self.arm, 3)

    def test_states_go_there_and_back(self):
        self.assertEqual(sd.robot_names(self.both), ["chaser", "target"])
        sd.set_robot_state(self.both, "chaser", self.own, self.state)
        again = sd.robot_state(self.both, "chaser", self.state)
        for name in ("q", "qd", "r_0", "A_0", "v_0", "omega_0"):
            self.assert_equal_arrays(getattr(again, name), getattr(self.own, name), 1e-14)
        self.assertEqual(sd.kinetic_energy(self.planar, sd.robot_state(self.both, "target", self.state)), 0.0)

    def test_each_moves_as_if_alone(self):
        sd.set_robot_state(self.both, "chaser", self.own, self.state)
        self.assertAlmostEqual(sd.kinetic_energy(self.both, self.state), sd.kinetic_energy(self.arm, self.own), delta=1e-9)
        rates = sd.forward_dynamics(self.both, self.state)
        expected = sd.forward_dynamics(self.arm, self.own)[6:]
        first = self.both.joint_names.index("chaser." + self.arm.joint_names[0])
        self.assert_equal_arrays(rates[6 + first : 12 + first], expected, 1e-9 * np.abs(expected).max())

    def test_bases_are_moved(self):
        motion = sd.BaseMotion()
        motion.r_0, motion.A_0 = [1, 2, 3], sd.rotation_x(0.4)
        motion.omega_0[2] = 0.5
        sd.set_base_motion(self.both, "target", motion, self.state)
        again = sd.base_motion(self.both, "target", self.state)
        for name in ("r_0", "A_0", "v_0", "omega_0"):
            self.assert_equal_arrays(getattr(again, name), getattr(motion, name), 1e-15)

    def test_bad_input(self):
        self.assert_raises(sd.DomainError, "no robot 'arm', it has chaser, target", sd.robot_state, self.both, "arm",
                           self.state)
        self.assert_raises(sd.DomainError, "single one", sd.robot_state, self.arm, "arm", self.own)
        self.assert_raises(sd.DimensionError, "", sd.base_motion, self.both, "chaser", self.own)
        self.assert_raises(sd.DimensionError, "", sd.set_robot_state, self.both, "target", self.own, self.state)
        self.assert_raises(sd.DomainError, "", sd.aggregate, "none", [])
        fixed = sd.aggregate("wall", [sd.RobotPart("arm", self.arm, floats=False, base=sd.Pose([0, 0, 1]))])
        self.assert_equal_arrays(sd.base_motion(fixed, "arm", sd.State(fixed)).r_0, [0, 0, 1], 1e-15)
        self.assert_raises(sd.DomainError, "", sd.set_base_motion, fixed, "arm", sd.BaseMotion(), sd.State(fixed))


class Impacts(Case):
    def test_against_the_program(self):
        tried = 0
        for seed, robot in enumerate(ROBOTS[:12]):
            model = sd.load_model(str(robot))
            state = random_state(model, seed)
            for frame, said in evaluate(robot, state)["frames"].items():
                if said.get("effective_mass") is None:
                    continue
                for axis, expected in zip(np.eye(3), said["effective_mass"]):
                    effect = sd.impact_effect(model, state, frame, axis)
                    if expected is None:
                        continue
                    # the program inverts the whole 6 × 6 response, this solves for one direction
                    self.assertAlmostEqual(effect.effective_mass / expected, 1.0, delta=1e-9)
                    tried += 1
        self.assertGreater(tried, 10)

    def test_inner_impulses_keep_momentum(self):
        model = load("dual_arm")
        state = random_state(model, 1)
        first, second = model.frame_names[:2]
        effect = sd.impact_effect(model, state, first, [0, 0, 2], second)
        change = sd.centroidal_quantities(model, state).A_g @ effect.velocity_change
        self.assert_equal_arrays(change[:3], np.zeros(3), 1e-13)

    def test_bad_input(self):
        model = load("ets7")
        state = sd.State(model)
        self.assert_raises(sd.DomainError, "", sd.impact_effect, model, state, "hand", [0, 0, 0])
        self.assert_raises(sd.DimensionError, r"direction: expected .* \(3,\)", sd.impact_effect, model, state, "hand", [1])
        self.assert_raises(sd.DomainError, "hand", sd.impact_effect, model, state, "hnad", [1, 0, 0])
        self.assert_raises(sd.DimensionError, "", sd.impact_effect, model, sd.State(load("planar_2r")), "hand", [1, 0, 0])


class Attitudes(Case):
    def test_all_kinds_go_there_and_back(self):
        A = sd.exp_so3([0.3, -0.5, 0.8])
        for kind in sd.AttitudeCoordinates.__members__.values():
            attitude = sd.attitude_from_matrix(kind, A)
            self.assert_equal_arrays(sd.matrix_from_attitude(kind, attitude), A, 4e-15)
            omega, step = np.array([0.2, 0.1, -0.4]), 1e-6
            rate = sd.attitude_rate(kind, attitude, omega)
            self.assert_equal_arrays(sd.attitude_rate_matrix(kind, attitude) @ omega, rate, 4e-15)
            ends = [sd.attitude_from_matrix(kind, sd.exp_so3(sign * step * omega) @ A) for sign in (1, -1)]
            self.assert_equal_arrays(rate, (ends[0] - ends[1]) / (2 * step), 1e-9)

    def test_derivative_of_the_exponential(self):
        theta = np.array([0.4, -1.1, 0.6])
        self.assert_equal_arrays(sd.dexp_so3(theta) @ sd.dexp_inverse_so3(theta), np.eye(3), 4e-15)
        self.assert_equal_arrays(sd.dexp_so3(theta) @ theta, theta, 4e-15)
        self.assert_equal_arrays(sd.nearest_rotation(3.0 * sd.exp_so3(theta)), sd.exp_so3(theta), 4e-15)

    def test_bad_input(self):
        quaternion, euler = sd.AttitudeCoordinates.quaternion, sd.AttitudeCoordinates.euler_313
        self.assert_raises(sd.DimensionError, r"attitude: expected .* \(4,\), got \(3,\)", sd.matrix_from_attitude,
                           quaternion, [0, 0, 1])
        self.assert_raises(sd.DomainError, "", sd.matrix_from_attitude, quaternion, [0, 0, 0, 0])
        self.assert_raises(sd.DomainError, "", sd.attitude_rate, euler, [0, 0, 0], [1, 0, 0])
        self.assert_raises(sd.DomainError, "", sd.dexp_inverse_so3, [6, 0, 0])
        self.assert_raises(sd.DomainError, "", sd.nearest_rotation, np.zeros((3, 3)))


class Conventions(Case):
    def test_mujoco_numbers_of_a_body_with_shifted_centroid(self):
        builder = sd.ModelBuilder("box")
        builder.set_base(sd.BaseDescription(name="box", mass=2, center_of_mass=[0.5, 0, 0], inertia=np.eye(3)))
        model = builder.build()
        state = sd.State(model, r_0=[1, 2, 3], A_0=sd.rotation_z(np.pi / 2), v_0=[0.1, 0.2, 0.3], omega_0=[1, 0, 2])
        half = np.sqrt(0.5)
        # x of the box points along y: its origin is at y = 1.5 and moves with v_0 + ω × (0, −0.5, 0)
        self.assert_equal_arrays(sd.positions_in(sd.Convention.mujoco, model, state), [1, 1.5, 3, half, 0, 0, half], 1e-15)
        self.assert_equal_arrays(sd.velocities_in(sd.Convention.mujoco, model, state), [1.1, 0.2, -0.2, 0, -1, 2], 1e-15)


class Foreign(Case):
    def test_a_robot_goes_through_urdf(self):
        model = load("ets7")
        text, losses = sd.export_urdf(model)
        self.assertIsInstance(losses, list)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "ets7.urdf"
            path.write_text(text, encoding="utf-8")
            yaml, warnings = sd.import_model(str(path))
            direct = sd.load_model(str(path))
        state = random_state(model, 2)
        again = sd.parse_model(yaml)
        self.assertIsInstance(warnings, list)
        H = sd.inertia_matrix(model, state)
        for other in (again, direct):
            # centroids are written with 17 digits; tensors are turned twice
            self.assert_equal_arrays(sd.inertia_matrix(other, state), H, 1e-12 * np.abs(H).max())

    def test_bad_input(self):
        self.assert_raises(sd.IoError, "nowhere.urdf", sd.import_model, "nowhere.urdf")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "broken.urdf"
            path.write_text("<robot name='x'>\n  <link>\n</robot>", encoding="utf-8")
            error = self.assert_raises(sd.ParseError, "broken.urdf", sd.import_model, str(path))
            self.assertGreaterEqual(error.line, 2)
        self.assert_raises(sd.DomainError, "", sd.export_urdf, load("joint_types"))


def flown(model, state, duration=0.5):
    scenario = sd.Scenario(model, state, duration=duration, output_interval=duration)
    return sd.simulate(scenario, method="dop853", relative_tolerance=1e-9, absolute_tolerance=1e-10).final_state


class DriveTrains(Case):
    def test_couplings_pull_at_their_joints(self):
        whole = sd.description(load("planar_2r"))
        K = np.array([[3.0, -1.0], [-1.0, 2.0]])
        whole.couplings = [sd.JointCouplingDescription(name="belt", joints=["shoulder", "elbow"], stiffness=K)]
        model = sd.ModelBuilder(whole).build()
        state = sd.State(model, q=[0.2, -0.4])
        end = flown(model, state)
        # what the springs lose the bodies gain; the flight has a relative tolerance of 1e-9
        gained = sd.kinetic_energy(model, end)
        self.assertGreater(gained, 0.01)
        self.assertAlmostEqual(gained, 0.5 * (state.q @ K @ state.q - end.q @ K @ end.q), delta=1e-8)
        again = sd.description(sd.parse_model(sd.write_model(model))).couplings[0]
        self.assert_equal_arrays(again.stiffness, K)
        self.assertEqual(again.damping.size, 0)

    def test_a_rotor_becomes_a_link_behind_a_spring(self):
        whole = sd.description(load("planar_2r"))
        links = whole.links
        joint = links[1].joint
        joint.rotor_inertia, joint.gear_ratio = 1e-4, 100.0
        links[1].joint = joint
        driven, rotor, transmission = sd.separate_rotor(links[1], stiffness=500.0, damping=0.0, backlash=1e-3)
        self.assertEqual((driven.joint.rotor_inertia, rotor.name), (0.0, "forearm_rotor"))
        self.assertEqual((transmission.motor, transmission.joint), ("elbow_motor", "elbow"))
        whole.links = [links[0], driven, rotor]
        whole.transmissions = [transmission]
        model = sd.ModelBuilder(whole).build()
        state = sd.State(model, q=[0.0, 0.0, 1.0])
        end = flown(model, state, 0.02)

        def energy(q):  # of the twist beyond the play
            twist = q[2] / 100.0 - q[1]
            return 0.5 * 500.0 * max(0.0, abs(twist) - 0.5e-3) ** 2

        gained = sd.kinetic_energy(model, end)
        self.assertGreater(gained, 1e-3)
        self.assertAlmostEqual(gained, energy(state.q) - energy(end.q), delta=1e-8)
        self.assert_raises(sd.DomainError, "", sd.separate_rotor, links[0], 1.0, 0.0)

    def test_bad_input(self):
        whole = sd.description(load("planar_2r"))
        whole.couplings = [sd.JointCouplingDescription(name="belt", joints=["shoulder", "elbw"], stiffness=np.eye(2))]
        self.assert_raises(sd.ModelError, "elbw", sd.ModelBuilder(whole).build)
        self.assert_raises(sd.DimensionError, "stiffness", setattr, whole.couplings[0], "stiffness", 3.0)


class Shapes(Case):
    def test_shapes_are_built_and_written(self):
        builder = sd.ModelBuilder("crate")
        builder.set_base(sd.BaseDescription(
            name="crate", mass=2, inertia=np.eye(3), visuals=[sd.Visual(shape="box", size=[1, 2, 3], color="#aabbcc")],
            collisions=[sd.CollisionShape(name="hull", type=sd.CollisionType.box, size=[1, 2, 3])]))
        again = sd.description(sd.parse_model(sd.write_model(builder.build()))).base
        self.assertEqual((again.visuals[0].shape, again.visuals[0].color), ("box", "#aabbcc"))
        self.assert_equal_arrays(again.visuals[0].size, [1, 2, 3])
        self.assertEqual((again.collisions[0].name, again.collisions[0].type), ("hull", sd.CollisionType.box))


if __name__ == "__main__":
    unittest.main()

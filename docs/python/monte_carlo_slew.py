#!/usr/bin/env python3
"""Monte Carlo of a slew: what uncertain torques and postures do to base and hand, 1000 flights at once."""

import numpy as np

import spacedyn as sd

robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
n, flights, steps, step = robot.joint_count, 1000, 200, 0.05
random = np.random.default_rng(42)

# nominal torques: accelerate, then brake, from those that inverse dynamics asks for at the start
start = sd.State(robot, q=np.deg2rad([0, -30, 60, -30, 0, 0]))
acceleration = np.zeros(robot.velocity_size)
acceleration[6:] = np.deg2rad([1.0, -0.5, 0.5, -0.5, 0.0, 0.0])
acceleration[:6] = sd.base_response(robot, start).D @ acceleration[6:]
torque = sd.inverse_dynamics(robot, start, acceleration)[6:]
nominal = np.where(np.arange(steps)[:, np.newaxis] < steps // 2, torque, -torque)

# each flight has its own gains of the drives, 2 % off, and its own posture, 1 deg off
controls = nominal * random.normal(1.0, 0.02, (flights, 1, n))
initial = np.tile(sd.state_row(start), (flights, 1))
initial[:, 7:7 + n] += np.deg2rad(random.normal(0.0, 1.0, (flights, n)))

states = sd.rollout(robot, initial, controls, step)
ends = [sd.state_from_row(robot, row) for row in states[:, -1]]
turned = np.rad2deg([np.linalg.norm(sd.log_so3(end.A_0)) for end in ends])
hands = np.array([sd.frame_position(robot, end, "hand") for end in ends])
print(f"{flights} flights of {steps * step:g} s, {np.isnan(states).any(axis=(1, 2)).sum()} lost")
print(f"the base turns by {turned.mean():.3f} deg, standard deviation {turned.std():.3f} deg")
print("the hand scatters by", np.round(1000 * hands.std(axis=0), 1), "mm")
drift = [np.abs(sd.momentum(robot, end).angular_centroid).max() for end in ends[:50]]
print("momentum at the end is below 1e-6 kg m²/s:", max(drift) < 1e-6)

#!/usr/bin/env python3
"""First steps: a robot, a state, some quantities of both, and a flight.

Usage: first_steps.py [FOLDER]; the page of the flight is written there.
"""

import pathlib
import sys

import numpy as np

import spacedyn as sd

robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
print(f"{robot.name}: {robot.total_mass:.0f} kg, joints {', '.join(robot.joint_names)}")

# a state is a set of arrays that one writes into
state = sd.State(robot, q=np.deg2rad([0, -30, 60, -30, 0, 0]))
state.qd[1] = 0.05
state.omega_0 = [0, 0, 0.01]

H = sd.inertia_matrix(robot, state)
print(f"H is {H.shape[0]}×{H.shape[1]}, kinetic energy {sd.kinetic_energy(robot, state):.3f} J")
print("½ uᵀHu is  ", f"{0.5 * state.velocity() @ H @ state.velocity():.3f} J")
print("the hand is at", np.round(sd.frame_position(robot, state, "hand"), 3), "m")
print("momentum", np.round(sd.momentum(robot, state).angular_centroid, 3), "kg m²/s about the centroid")

# accelerations from torques, and torques from accelerations
tau = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
rates = sd.forward_dynamics(robot, state, tau=tau)
forces = sd.inverse_dynamics(robot, state, rates)
print("inverse dynamics gives the torques back:", np.allclose(forces[6:], tau, atol=1e-9))

# a flight of a shipped scenario, ten seconds of it
result = sd.simulate(sd.MODELS / "scenarios" / "ets7_arm_slew.yaml", duration=10)
print(result)
for joint in ("shoulder_yaw", "shoulder_pitch", "elbow_pitch"):
    print(f"{joint} goes from {np.rad2deg(result[f'joints_{joint}_rad'][0]):.1f} to "
          f"{np.rad2deg(result[f'joints_{joint}_rad'][-1]):.1f} deg")
print("momentum is conserved to 1e-9:", result.momentum_drift < 1e-9)

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
result.report(folder / "ets7_arm_slew.html")
print("open ets7_arm_slew.html in a browser to see it move; in a notebook, `result` alone shows it")

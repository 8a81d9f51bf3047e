#!/usr/bin/env python3
"""J* against J: where the hand of ETS-VII goes if its joints are driven as on a fixed base."""

import numpy as np

import spacedyn as sd

robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
start = sd.State(robot, q=np.deg2rad([10, -30, 60, -30, 10, 0]))
wanted = np.array([0.2, 0.1, -0.1])  # m, a straight line of the hand
seconds, steps = 10.0, 100


def drive(jacobian):
    """Where resolved rates with a Jacobian lead, the robot flying free."""
    twist = np.concatenate([wanted / seconds, np.zeros(3)])
    state = start.copy()
    for _ in range(steps):
        # midpoint rule in the joints; the base moves as momentum conservation demands
        half = state.copy()
        half.q += 0.5 * seconds / steps * np.linalg.solve(jacobian(robot, state, "hand"), twist)
        rates = np.linalg.solve(jacobian(robot, half, "hand"), twist)
        q = state.q + seconds / steps * rates
        state = sd.continue_free_floating_path(robot, state, [seconds / steps], [q]).states[-1]
    return state


hand = sd.frame_position(robot, start, "hand")
for name, jacobian in (("J  (base taken as fixed)", sd.frame_jacobian), ("J* (base floats)", sd.generalized_jacobian)):
    end = drive(jacobian)
    error = np.linalg.norm(sd.frame_position(robot, end, "hand") - hand - wanted)
    turned = np.rad2deg(np.linalg.norm(sd.log_so3(end.A_0 @ start.A_0.T)))
    print(f"{name:25s} misses by {1000 * error:6.2f} mm, the base turns by {turned:.3f} deg")

D = sd.base_response(robot, start).D
print("base rotation per joint rate, |D| of each column:", np.round(np.linalg.norm(D[3:], axis=0), 4))
measure = sd.free_floating_manipulability(robot, start, "hand")
print(f"smallest singular value of J*: {measure.sigma_min:.4f}, of J: "
      f"{sd.fixed_base_manipulability(robot, start, 'hand').sigma_min:.4f}")

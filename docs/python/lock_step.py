#!/usr/bin/env python3
"""A controller in a process of its own, in lock step with the simulation: hardware in the loop."""

import struct
import subprocess
import sys

import numpy as np

import spacedyn as sd

# The other side: it reads time, q and q̇ of each joint, and answers with torques. It could be a flight computer.
CONTROLLER = """
import struct, sys
while True:
    message = sys.stdin.buffer.read(40)
    if len(message) < 40:
        break
    time, *motion = struct.unpack("<5d", message)
    torques = [10.0 * (0.8 - motion[i]) - 15.0 * motion[2 + i] for i in range(2)]
    sys.stdout.buffer.write(struct.pack("<2d", *torques))
    sys.stdout.buffer.flush()
"""
PERIOD = 0.05

robot = sd.load_model(str(sd.MODELS / "robots" / "planar_2r.yaml"))
scenario = sd.Scenario(robot, sd.State(robot), duration=30, output_interval=PERIOD)
lock_step = scenario.copy()
lock_step.add_controller(sd.ExternalController("computer", robot, ["shoulder", "elbow"], PERIOD))

simulation = sd.Simulation(lock_step)
with subprocess.Popen([sys.executable, "-c", CONTROLLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as computer:
    exchanges, goes_on = 0, True
    while goes_on:
        now = simulation.state
        computer.stdin.write(struct.pack("<5d", simulation.time, *now.q, *now.qd))
        computer.stdin.flush()
        simulation.command("computer", struct.unpack("<2d", computer.stdout.read(16)))
        goes_on = simulation.step(PERIOD)
        exchanges += 1
    computer.stdin.close()

print(f"{exchanges} exchanges in {simulation.time:g} s, the joints are at", np.round(simulation.state.q, 3), "rad")

# the same law inside of a run in one go
scenario.add_controller(sd.FunctionController(
    "computer", 2, lambda now: [10.0 * (0.8 - q) - 15.0 * qd for q, qd in zip(now.q, now.qd)], PERIOD))
inside = sd.simulate(scenario).final_state
print("equal to the last bit to a run with the law inside:", np.array_equal(sd.state_row(simulation.state), sd.state_row(inside)))

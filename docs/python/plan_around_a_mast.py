#!/usr/bin/env python3
"""A planned motion of seven joints around a mast: within limits, clear of it, and flown by computed torque."""

import numpy as np

import spacedyn as sd

LENGTHS = [0.3, 0.7, 0.3, 0.7, 0.3, 0.3, 0.2]
AXES = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0]]


def link(i, parent, place):
    length = LENGTHS[i]
    return f"""
    - name: link_{i + 1}
      parent: {parent}
      joint: {{name: joint_{i + 1}, type: revolute, axis: {AXES[i]}, origin: {{xyz: {place}}}, position_limits: [-170 deg, 170 deg],
              velocity_limit: 6 deg/s, effort_limit: 40}}
      mass: {8 * length + 1}
      center_of_mass: [{length / 2}, 0, 0]
      inertia: [0.01, {length**2 + 0.02}, {length**2 + 0.02}]
      collision: [{{name: tube_{i + 1}, shape: capsule, radius: 0.05, length: {length}, origin: {{xyz: [{length / 2}, 0, 0], rpy: [0, 90 deg, 0]}}}}]"""


text = """spacedyn: 1
model:
  name: servicer
  base:
    name: bus
    mass: 400
    inertia: [90, 80, 100]
    collision:
      - {name: bus, shape: box, size: [1, 1.2, 1]}
      - {name: mast, shape: cylinder, radius: 0.06, length: 1.4, origin: {xyz: [1.5, 0, 0.3]}}
  links:""" + "".join(link(i, "bus" if i == 0 else f"link_{i}", [0.5, 0, 0.6] if i == 0 else [LENGTHS[i - 1], 0, 0])
                     for i in range(7))

robot = sd.parse_model(text)
start = sd.State(robot, q=np.deg2rad([-60, 30, 0, 40, 0, 20, 0]))
goal = np.deg2rad([60, 30, 0, 40, 0, 20, 0])

blind = sd.plan_trajectory(robot, start, goal)
plan = sd.plan_trajectory(robot, start, goal, clearance=0.05)
print(f"{plan.duration:.1f} s, without a clearance {blind.duration:.1f} s; it is feasible: {plan.feasible}")
print(f"shapes stay 0.05 m apart: {plan.clearance > 0.05 - 1e-9}")

track = sd.controllers.ComputedTorque(name="track", joints=[f"joint_{i}" for i in range(1, 8)], stiffness=1, damping=2,
                                      reference=sd.references.Spline(time=plan.time, position=plan.position))
flight = sd.simulate(sd.make_scenario(robot, duration=plan.duration, initial=start, control=[track],
                                      output={"interval": 0.1}))
print(f"flown: at the goal to 1e-6 rad: {np.abs(flight.final_state.q - goal).max() < 1e-6}")

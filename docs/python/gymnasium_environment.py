#!/usr/bin/env python3
"""Reinforcement learning: an environment with the interface of Gymnasium, which need not be installed.

A floating robot brings its hand to a goal; its base moves with the arm.
"""

import numpy as np

import spacedyn as sd

try:
    from gymnasium import Env
    from gymnasium.spaces import Box
except ImportError:

    class Env:
        """What environments have in common."""

        metadata, render_mode, spec = {"render_modes": []}, None, None

        def close(self):
            """Nothing is open."""

    class Box:
        """Arrays between bounds."""

        def __init__(self, low, high, shape, dtype):
            self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)
            self.shape, self.dtype = shape, dtype

        def contains(self, x):
            return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))


class Reach(Env):
    """Actions are parts of the greatest torques; observations are q, q̇, the twist of the base and the way to the goal."""

    PERIOD, TORQUE, NEAR = 0.1, 20.0, 0.05  # s, N m, m

    def __init__(self, duration=40):
        self.robot = sd.load_model(str(sd.MODELS / "robots" / "planar_2r.yaml"))
        joints = [self.robot.joint(1).name, self.robot.joint(2).name]
        policy = sd.controllers.External(name="policy", joints=joints, sample_period=self.PERIOD, effort_limit=self.TORQUE)
        self.simulation = sd.Simulation(sd.make_scenario(
            self.robot, duration=duration, control=[policy], output={"interval": self.PERIOD, "channels": ["state"]}))
        self.action_space = Box(-1.0, 1.0, (2,), np.float32)
        self.observation_space = Box(-np.inf, np.inf, (9,), np.float32)
        self.random, self.goal = np.random.default_rng(), np.zeros(3)

    def to_goal(self):
        return self.goal - sd.frame_position(self.robot, self.simulation.state, "hand")

    def observe(self):
        now = self.simulation.state
        return np.concatenate([now.q, now.qd, now.v_0[:2], now.omega_0[2:], self.to_goal()[:2]]).astype(np.float32)

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.random = np.random.default_rng(seed)
        start = sd.State(self.robot, q=self.random.uniform([-0.5, 0.5], [0.5, 1.5]))
        self.goal = sd.frame_position(self.robot, start, "hand") + np.append(self.random.uniform(-0.3, 0.3, 2), 0.0)
        self.simulation.reset(initial=start)
        return self.observe(), {}

    def step(self, action):
        self.simulation.command("policy", self.TORQUE * np.clip(np.asarray(action, dtype=float), -1.0, 1.0))
        goes_on = self.simulation.step(self.PERIOD)
        distance = float(np.linalg.norm(self.to_goal()))
        terminated = distance < self.NEAR and float(np.linalg.norm(self.simulation.state.qd)) < 0.05
        return self.observe(), -distance, terminated, not (goes_on or terminated), {"time": self.simulation.time}


def steer(environment):
    """A policy without learning: a force towards the goal by J*ᵀ, damped."""
    now = environment.simulation.state
    J = sd.generalized_jacobian(environment.robot, now, "hand")
    return (J[:3].T @ (20.0 * environment.to_goal()) - 12.0 * now.qd) / environment.TORQUE


def main():
    environment, reached, rewards = Reach(), 0, []
    for episode in range(10):
        _, _ = environment.reset(seed=episode)
        done, total = False, 0.0
        while not done:
            _, reward, terminated, truncated, _ = environment.step(steer(environment))
            done, total = terminated or truncated, total + reward
        reached += terminated
        rewards.append(total)
    print(f"{reached} of {len(rewards)} goals are reached")
    first = environment.reset(seed=3)[0]
    print("the same seed gives the same episode:", np.array_equal(first, environment.reset(seed=3)[0]))


if __name__ == "__main__":
    main()

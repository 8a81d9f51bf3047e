#!/usr/bin/env python3
"""An optimal reorientation: the loop of two joints with the least effort that turns a floating base by 10 deg.

At zero momentum the base turns by φ = ∮ D(q) dq, D being the row of the base disturbance map about z. The joints run
through closed Fourier series with coefficients p; the effort is ½ ∫ q̇² dt = ½ pᵀ W p. The gradient of φ is analytic:
δφ = ∫ (∂D/∂q δq · q̇ + D δq̇) dt, with ∂D/∂q from jacobian_gradient(): for a point of the base J* is D.
"""

import numpy as np

import spacedyn as sd

robot = sd.load_model(str(sd.MODELS / "robots" / "planar_2r.yaml"))
n, period, harmonics, samples = robot.joint_count, 10.0, 2, 64
centre, wanted = np.array([0.5, 1.0]), np.deg2rad(10.0)
base = sd.material_point(robot, 0, [0, 0, 0])

# functions of time for each coefficient: all are zero at both ends
time = period * np.arange(samples) / samples
omega = 2 * np.pi / period * np.arange(1, harmonics + 1)
value = np.concatenate([np.sin(np.outer(time, omega)), np.cos(np.outer(time, omega)) - 1], axis=1)
rate = np.concatenate([np.cos(np.outer(time, omega)) * omega, -np.sin(np.outer(time, omega)) * omega], axis=1)
W = np.kron(np.diag(np.tile(omega**2 * period / 2, 2)), np.eye(n))


def turn(p):
    """φ and its gradient. The integrand is periodic: the trapezoidal rule converges faster than any power."""
    p = p.reshape(-1, n)
    angle, gradient = 0.0, np.zeros_like(p)
    for q, qd, f, fd in zip(centre + value @ p, rate @ p, value, rate):
        state = sd.State(robot, q=q)
        D = sd.generalized_jacobian(robot, state, base)[5]
        slopes = np.array([J[5] for J in sd.jacobian_gradient(robot, state, base).J_star[6:]])  # (j, i): ∂D_i/∂q_j
        angle += D @ qd
        gradient += np.outer(f, slopes @ qd) + np.outer(fd, D)
    return angle * period / samples, gradient.ravel() * period / samples


p = np.zeros((2 * harmonics, n))
p[0, 0], p[harmonics, 1] = 0.6, 0.6
p = p.ravel()

# the gradient is right: central differences agree to their own accuracy
exact, h = turn(p)[1], 1e-5
differences = [(turn(p + h * e)[0] - turn(p - h * e)[0]) / (2 * h) for e in np.eye(p.size)]
print("the gradient agrees with differences to 1e-8:", np.abs(exact - differences).max() < 1e-8)

# least pᵀWp with φ(p) = wanted: the constraint is linearized, the quadratic problem solved, 0.8 of a step taken
for _ in range(300):
    angle, gradient = turn(p)
    direction = np.linalg.solve(W, gradient)
    target = direction * (wanted - angle + gradient @ p) / (gradient @ direction)
    step = 0.8 * (target - p)
    p = p + step
    if np.abs(step).max() < 1e-9:
        break
angle, gradient = turn(p)
multiplier = (p @ W @ p) / (gradient @ p)
print(f"φ = {np.rad2deg(angle):.6f} deg, effort {0.5 * p @ W @ p:.4f} rad²/s")
print("it is a stationary point, Wp = λ∇φ to 1e-6:", np.abs(W @ p - multiplier * gradient).max() < 1e-6)

# the proof of it: the loop is flown with momentum conserved
fine = np.linspace(0.0, period, 401)[1:]
functions = np.concatenate([np.sin(np.outer(fine, omega)), np.cos(np.outer(fine, omega)) - 1], axis=1)
path = sd.continue_free_floating_path(robot, sd.State(robot, q=centre), fine, centre + functions @ p.reshape(-1, n))
print(f"flown: the base has turned by {np.rad2deg(sd.log_so3(path.states[-1].A_0)[2]):.3f} deg")

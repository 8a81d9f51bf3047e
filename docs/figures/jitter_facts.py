"""Facts of telescope_jitter, see scenario_facts.py: a flight against a transfer function by hand."""

import math

NANO = 1e9


def solve(rows, right):
    """Gauss's elimination with pivots, for numbers of any kind."""
    table = [list(row) + [value] for row, value in zip(rows, right)]
    size = len(table)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(table[k][i]))
        table[i], table[pivot] = table[pivot], table[i]
        for k in range(size):
            if k != i:
                factor = table[k][i] / table[i][i]
                table[k] = [a - factor * b for a, b in zip(table[k], table[i])]
    return [table[i][size] / table[i][i] for i in range(size)]


def amplitude(times, values, angles):
    """Of the part of a series that turns with an angle, beside a constant and a slope, by least squares."""
    shapes = [(1.0, t - times[0], math.cos(a), math.sin(a)) for t, a in zip(times, angles)]
    normal = [[sum(s[i] * s[k] for s in shapes) for k in range(4)] for i in range(4)]
    right = [sum(s[i] * v for s, v in zip(shapes, values)) for i in range(4)]
    return math.hypot(*solve(normal, right)[2:])


def mass_matrix():
    """M = Σ m JᵀJ + I of (x, y, θ, φ): place and turn of the bus in the plane, turn of the tower against it."""
    bodies = [(900.0, 1000.0, (0.0, 0.0), None), (8.0, 0.0, (-0.6, 0.3), None),
              (40.0, 40.0, (0.9 + 2.2, 0.0), 2.2)]
    result = [[0.0] * 4 for _ in range(4)]
    for mass, inertia, (x, y), arm in bodies:
        rows = [(1.0, 0.0, -y, 0.0), (0.0, 1.0, x, arm or 0.0), (0.0, 0.0, 1.0, 1.0 if arm else 0.0)]
        for weight, row in zip((mass, mass, inertia), rows):
            for i in range(4):
                for k in range(4):
                    result[i][k] += weight * row[i] * row[k]
    return result


def response(speed):
    """Turns of bus and tower (rad) by U = 1e-5 kg m at a speed: (−Ω² M + iΩ D + K) x = f."""
    system = [[-speed ** 2 * value for value in row] for row in mass_matrix()]
    system[3][3] += 2.5e5 + 1j * speed * 80.0
    push = 1e-5 * speed ** 2
    force = [push, -1j * push, -1j * push * -0.6 - push * 0.3, 0.0]
    turns = solve(system, force)
    return abs(turns[2]), abs(turns[3])


def roll_of_dynamic_imbalance():
    """I_xz Ω²/(I_xx Ω²), I_xx of the whole about its centroid."""
    masses, offsets = (900.0, 8.0, 40.0), (0.0, 0.3, 0.0)
    center = sum(m * y for m, y in zip(masses, offsets)) / sum(masses)
    inertia = 700.0 + 0.05 + 5.0 + sum(m * (y - center) ** 2 for m, y in zip(masses, offsets))
    return 2e-6 / inertia


def telescope_jitter(flight):
    rows = []
    yaw = [math.radians(angle) for angle in flight.yaw()]
    roll_rate = [a * math.cos(y) + b * math.sin(y) for a, b, y in zip(
        flight["base_angular_velocity_x_rad_s"], flight["base_angular_velocity_y_rad_s"], yaw)]
    for place, end, impulse in (("below", 40.0, 1.6), ("at", 90.0, 3.1522), ("above", 135.0, 4.7522)):
        window = range(flight.at(end - 10.0), flight.at(end) + 1)
        part = lambda series: [series[i] for i in window]
        times, angles = part(flight.times), part(flight["joints_wheel_rad"])
        speed = (angles[-1] - angles[0]) / (times[-1] - times[0])
        bus, tower = response(speed)
        expected = impulse / 0.08  # less what the bus turns back, 1/15,000
        bending = part(flight["joints_bending_rad"])
        rows += [(f"speed of the wheel {place} the resonance, rad/s", f"{speed:.1f}", f"{expected:.1f}"),
                 ("… the tower bends by, nrad", f"{NANO * amplitude(times, bending, angles):.3g}", f"{NANO * tower:.3g}"),
                 ("… the bus turns by, nrad", f"{NANO * amplitude(times, part(yaw), angles):.3g}", f"{NANO * bus:.3g}"),
                 ("… and across, by the dynamic imbalance, nrad",
                  f"{NANO * amplitude(times, part(roll_rate), angles) / speed:.3g}",
                  f"{NANO * roll_of_dynamic_imbalance():.3g}")]
    mode = math.sqrt(2.5e5 * solve(mass_matrix(), [0.0, 0.0, 0.0, 1.0])[3])
    rows.append(("first mode, rad/s", f"{2 * math.pi * flight.frequencies()[0]:.2f}", f"{mode:.2f}"))
    return rows


JITTER_FACTS = {"telescope_jitter": telescope_jitter}

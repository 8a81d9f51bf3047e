"""Facts of elliptic_formation, see scenario_facts.py: the closed form of Tschauner and Hempel."""

import math

MU, PERIGEE, E = 3.986004418e14, 6378137.0 + 500e3, 0.3
AXIS = PERIGEE / (1 - E)
PERIOD = 2 * math.pi * math.sqrt(AXIS ** 3 / MU)


def true_anomaly(time):
    mean = 2 * math.pi * time / PERIOD
    eccentric = mean
    for _ in range(50):
        eccentric -= (eccentric - E * math.sin(eccentric) - mean) / (1 - E * math.cos(eccentric))
    return 2 * math.atan2(math.sqrt(1 + E) * math.sin(eccentric / 2), math.sqrt(1 - E) * math.cos(eccentric / 2))


def elliptic_formation(flight):
    x, y, z = (flight[f"base_position_{axis}_m"] for axis in "xyz")
    off = 0.0
    for time, *place in zip(flight.times, x, y, z):
        nu = true_anomaly(time)
        rho = 1 + E * math.cos(nu)
        law = (x[0] * math.cos(nu), -x[0] * math.sin(nu) * (1 + 1 / rho), z[0] * (1 + E) * math.cos(nu) / rho)
        off = max(off, math.dist(place, law))
    back = math.dist((x[-1], y[-1], z[-1]), (x[0], y[0], z[0]))
    return [("revolutions", f"{flight.times[-1] / PERIOD:.3f}", "2.000"),
            ("largest distance from the closed form, m", f"{off:.6f}", f"{0:.6f}"),
            ("distance of the end from the start, m", f"{back:.6f}", f"{0:.6f}"),
            ("farthest along the track, m", f"{max(y):.1f}", f"{farthest(x[0]):.1f}")]


def farthest(x):
    """Largest value of −x sin ν (2 + e cos ν)/(1 + e cos ν)."""
    return max(x * math.sin(a) * (1 + 1 / (1 + E * math.cos(a))) for a in (i * 1e-4 for i in range(62832)))


ELLIPTIC_FACTS = {"elliptic_formation": elliptic_formation}

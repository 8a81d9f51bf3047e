"""Facts of asteroid_landing, see scenario_facts.py."""

import math


def split(triangle, times):
    """A triangle in 4^times equal ones."""
    if times == 0:
        return [triangle]
    a, b, c = triangle
    middle = lambda p, q: tuple((x + y) / 2 for x, y in zip(p, q))
    ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
    parts = []
    for part in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)):
        parts += split(part, times - 1)
    return parts


def rock_points(folder, density, cuts=24):
    """Point masses in place of the solid: cones from its origin to parts of its triangles, cut into pieces."""
    vertices, points = [], []
    for line in (folder / "terrains" / "two_lobes.obj").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[0] == "v":
            vertices.append(tuple(float(word) for word in words[1:]))
        elif words[0] == "f":
            for a, b, c in split([vertices[int(word) - 1] for word in words[1:]], 2):
                volume = sum(a[i] * (b[i - 2] * c[i - 1] - b[i - 1] * c[i - 2]) for i in range(3)) / 6
                middle = [(a[i] + b[i] + c[i]) / 3 for i in range(3)]
                for k in range(cuts):
                    low, high = k / cuts, (k + 1) / cuts
                    part = high ** 3 - low ** 3
                    arm = [0.75 * (high ** 4 - low ** 4) / part * x for x in middle]
                    points.append((density * volume * part, arm))
    return points


def asteroid_landing(flight):
    points = rock_points(flight.models, 1900)
    place = lambda row: [flight[f"base_position_{axis}_m"][row] for axis in "xyz"]
    potential = lambda at: -6.67430e-11 * sum(mass / math.dist(at, arm) for mass, arm in points)
    speed = math.hypot(*(flight[f"base_velocity_{axis}_m_s"][-1] for axis in "xyz"))
    expected = math.sqrt(0.02 ** 2 + 2 * (potential(place(0)) - potential(place(-1))))
    sideways = place(-1)[0] - place(0)[0]
    touched = [event["time"] for event in flight.summary["events"] if event["name"] == "touched"]
    return [("speed at the touch, mm/s", f"{1000 * speed:.1f}", f"{1000 * expected:.1f}"),
            ("time of the touch, s", f"{touched[0]:.0f}", ""),
            ("drawn towards the neck by, m", f"{sideways:.1f}",
             "more than 0, the pull of the other lobe")]


LANDING_FACTS = {"asteroid_landing": asteroid_landing}

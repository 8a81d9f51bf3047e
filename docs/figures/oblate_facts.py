"""Facts of oblate_orbit, see scenario_facts.py: osculating elements, averaged over revolutions."""

import math

MU, RADIUS, J2 = 3.986004418e14, 6378137.0, 1.08263e-3
PER_DAY = math.degrees(86400)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unwrapped(angles):
    result = angles[:1]
    for angle in angles[1:]:
        result.append(angle - 2 * math.pi * round((angle - result[-1]) / (2 * math.pi)))
    return result


class Elements:
    """Semi-major axis, eccentricity, inclination, node and argument of perigee at each output."""

    def __init__(self, flight):
        places = list(zip(*(flight[f"base_position_{axis}_m"] for axis in "xyz")))
        speeds = list(zip(*(flight[f"base_velocity_{axis}_m_s"] for axis in "xyz")))
        rows = [self.osculating(r, v) for r, v in zip(places, speeds)]
        self.axis, self.eccentricity, self.inclination, node, perigee, self.energy, self.polar = (
            list(column) for column in zip(*rows))
        self.times, self.node, self.perigee = flight.times, unwrapped(node), unwrapped(perigee)

    @staticmethod
    def osculating(r, v):
        distance, h = math.sqrt(dot(r, r)), cross(r, v)
        spin = math.sqrt(dot(h, h))
        to_perigee = [a / MU - b / distance for a, b in zip(cross(v, h), r)]
        kepler = dot(v, v) / 2 - MU / distance
        oblate = MU / distance * J2 * (RADIUS / distance) ** 2 * (3 * (r[2] / distance) ** 2 - 1) / 2
        node = math.atan2(h[0], -h[1])
        to_node = (math.cos(node), math.sin(node), 0.0)
        across = cross([part / spin for part in h], to_node)
        return (-MU / (2 * kepler), math.sqrt(dot(to_perigee, to_perigee)), math.acos(h[2] / spin), node,
                math.atan2(dot(to_perigee, across), dot(to_perigee, to_node)), kepler + oblate, h[2])

    def mean(self, values, start, end):
        """∫ of a line through the outputs between two instants over their distance."""
        def value(time):
            i = min(max(sum(t <= time for t in self.times), 1), len(self.times) - 1)
            share = (time - self.times[i - 1]) / (self.times[i] - self.times[i - 1])
            return values[i - 1] + share * (values[i] - values[i - 1])
        inner = [(t, x) for t, x in zip(self.times, values) if start < t < end]
        points = [(start, value(start)), *inner, (end, value(end))]
        return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(points, points[1:])) / (end - start)


def oblate_orbit(flight):
    elements = Elements(flight)
    period = 2 * math.pi * math.sqrt((sum(elements.axis) / len(elements.axis)) ** 3 / MU)
    count = int(flight.times[-1] / period)
    whole = count * period
    a, e, i = (elements.mean(x, 0.0, whole)
               for x in (elements.axis, elements.eccentricity, elements.inclination))
    rate = math.sqrt(MU / a ** 3) * J2 * (RADIUS / (a * (1 - e * e))) ** 2
    expected = (-1.5 * rate * math.cos(i), 0.75 * rate * (5 * math.cos(i) ** 2 - 1))
    drift = [(elements.mean(x, whole - period, whole) - elements.mean(x, 0.0, period)) / (whole - period)
             for x in (elements.node, elements.perigee)]
    off = [abs(got / law - 1) / J2 for got, law in zip(drift, expected)]
    spread = lambda x: 1e9 * max(abs(value / x[0] - 1) for value in x)
    return [("revolutions", f"{count}", "15"),
            ("the node turns, degrees per day", f"{PER_DAY * drift[0]:.4f}",
             f"{PER_DAY * expected[0]:.4f}, and {360 / 365.2422:.4f} of the sun"),
            ("the perigee turns, degrees per day", f"{PER_DAY * drift[1]:.4f}", f"{PER_DAY * expected[1]:.4f}"),
            ("relative difference of the node from its law", f"{off[0]:.1f} J₂", "at most 2 J₂, terms of second order"),
            ("relative difference of the perigee from its law", f"{off[1]:.1f} J₂", "at most 2 J₂"),
            ("largest change of the energy of the orbit, parts in 10⁹", f"{spread(elements.energy):.1f}", f"{0:.1f}"),
            ("largest change of the momentum about the poles, parts in 10⁹", f"{spread(elements.polar):.1f}", f"{0:.1f}")]


OBLATE_FACTS = {"oblate_orbit": oblate_orbit}

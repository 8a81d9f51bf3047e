"""Facts of geostationary_year, see scenario_facts.py: the pole of the orbit."""

import math

from oblate_facts import Elements

YEAR, DAY, SIDEREAL = 31557600.0, 86400.0, 86164.0905


def rate(period, share, inclination):
    """Degrees per year by which a body in the distance turns the pole of an orbit in the equator."""
    n_b, n = 2 * math.pi / (period * DAY), 2 * math.pi / SIDEREAL
    return math.degrees(3 / 8 * share * n_b ** 2 / n * math.sin(2 * math.radians(inclination)) * YEAR)


def geostationary_year(flight):
    elements = Elements(flight)
    years = flight.times[-1] / YEAR
    expected = rate(365.256, 1.0, 23.44) + rate(27.3217, 1 / 82.3, 28.5)
    axes = [value / 1e3 for value in elements.axis]
    return [("inclination at the end, degrees", f"{math.degrees(elements.inclination[-1]):.3f}",
             f"{expected * years:.3f} by the mean rates, some hundredths about them"),
            ("right ascension of the node at the end, degrees", f"{math.degrees(elements.node[-1]):.0f}",
             "90 but for the node of the moon, up to 10"),
            ("semi-major axis, least and greatest, km", f"{min(axes):.0f} and {max(axes):.0f}",
             "within some km of 42164 + 2 of J₂"),
            ("largest eccentricity", f"{max(elements.eccentricity):.1e}", "a few 10⁻⁴")]


GEOSTATIONARY_FACTS = {"geostationary_year": geostationary_year}

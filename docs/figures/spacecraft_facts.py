"""Facts of the scenarios of spacecraft, see scenario_facts.py."""

import math

EXHAUST = 220 * 9.80665


def mean_period(times, values, start, end):
    """Twice the mean distance of the zeros between two instants."""
    zeros = [times[i] - values[i] * (times[i + 1] - times[i]) / (values[i + 1] - values[i])
             for i in range(len(values) - 1)
             if start <= times[i] and times[i + 1] <= end and values[i] * values[i + 1] < 0]
    return 2 * (zeros[-1] - zeros[0]) / (len(zeros) - 1)


def slosh_burn(flight):
    """Rocket equation of all masses; two masses on a spring before and after the burn."""
    used = flight.summary["propellant"]["used"]
    burnt_out = [event["time"] for event in flight.summary["events"] if event["name"] == "main is empty"]
    rows = [("propellant used, kg", f"{used:.6f}", f"{40:.6f}"),
            ("end of the burn, s", f"{burnt_out[0]:.4f}", f"{20 + 40 * EXHAUST / 220:.4f}"),
            ("speed gained, m/s", f"{flight['base_velocity_z_m_s'][-1]:.4f}",
             f"{EXHAUST * math.log(360 / 320):.4f}")]
    for when, start, end, mass in (("before", 0.0, 20.0, 300.0), ("after", 413.0, 500.0, 260.0)):
        period = mean_period(flight.times, flight["joints_liquid_x_m"], start, end)
        expected = 2 * math.pi / math.sqrt(120 * (1 / 60 + 1 / mass))
        rows.append((f"period of the slosh {when} the burn, s", f"{period:.2f}", f"{expected:.2f}"))
    return rows


def wheel_dump(flight):
    """Momentum is kept until the jets begin, then it decays with their gain."""
    i = flight.times.index(60.0)
    momentum = flight["angular_momentum_centroid_y_kg_m2_s"]
    fastest = max(abs(speed) for speed in flight["joints_wheel_y_rad_s"])
    row = max(range(len(flight.times)), key=lambda k: max(abs(angle) for angle in flight.rpy()[k]))
    largest = max(abs(angle) for angle in flight.rpy()[row])
    at_end = max(abs(angle) for angle in flight.rpy()[-1])
    left = 0.06 * 400 * math.exp(-0.02 * (flight.times[-1] - 60))
    used = flight.summary["propellant"]["used"]
    return [("fastest wheel, rad/s", f"{fastest:.0f}", f"{500:.0f}, its momentum limit"),
            ("largest angle of the chaser, degrees", f"{largest:.2f}",
             "more than the 0.27 of wheels that begin at rest, ets7_wheels"),
            ("angle of the chaser at the end, degrees", f"{at_end:.2f}", f"{0:.2f}"),
            ("angular momentum about y at 60 s, kg m²/s", f"{momentum[i]:.4f}", f"{0.06 * 400:.4f}"),
            ("angular momentum about y at the end, kg m²/s", f"{momentum[-1]:.2f}", f"{left:.2f}"),
            ("propellant used, g", f"{1000 * used:.1f}",
             f"{1000 * (0.06 * 400 - left) / (0.95 * 200 * 9.80665):.1f}")]


SPACECRAFT_FACTS = {"slosh_burn": slosh_burn, "wheel_dump": wheel_dump}

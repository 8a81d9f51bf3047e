"""Facts of artificial_gravity, see scenario_facts.py: tension along a tether that turns."""

import math

HABITAT, COUNTERWEIGHT, TETHER, LUMPS = 1000.0, 1500.0, 40.0, 10


def artificial_gravity(flight):
    late = [k for k, t in enumerate(flight.times) if t >= 30]

    def mean(values):
        return sum(values) / len(values)

    def tension(piece):
        columns = [flight[f"forces_line_{piece}_force_{axis}_N"] for axis in "xyz"]
        return mean([math.hypot(*(column[k] for column in columns)) for k in late])

    def distance(robot):
        columns = [flight[f"robots_{robot}_base_position_{axis}_m"] for axis in "xyz"]
        return mean([math.hypot(*(column[k] for column in columns)) for k in late])

    out, back = distance("habitat"), distance("counterweight")
    turn = mean([flight["robots_habitat_base_angular_velocity_z_rad_s"][k] for k in late])
    inner = [-(back - 1.0), out - 1.0]  # the hooks
    per_length = TETHER / (inner[1] - inner[0])
    end = COUNTERWEIGHT * back * turn ** 2

    def law(x):
        return end + 0.5 * per_length * turn ** 2 * (inner[0] ** 2 - x ** 2)

    middle = round(-inner[0] / (inner[1] - inner[0]) * LUMPS)  # the piece next to the centroid
    place = inner[0] + middle / LUMPS * (inner[1] - inner[0])
    rows = [("acceleration in the habitat, parts of 9.81 m/s²", f"{out * turn ** 2 / 9.81:.3f}", "ω² x"),
            ("tension at the counterweight, N", f"{tension(0):.0f}", f"{end:.0f} of M x ω²"),
            (f"tension of piece {middle} near the centroid, N", f"{tension(middle):.1f}", f"{law(place):.1f}"),
            ("tension at the habitat, N", f"{tension(LUMPS):.0f}", f"{HABITAT * out * turn ** 2:.0f} of M x ω²")]
    return rows


TETHER_FACTS = {"artificial_gravity": artificial_gravity}

"""Facts of the scenarios of spacecraft, see scenario_facts.py."""

import math

from rendezvous_facts import RENDEZVOUS_FACTS

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
            ("speed gained, m/s", f"{flight['base_velocity_z_m_s'][-1]:.2f}",
             f"{EXHAUST * math.log(360 / 320):.2f}")]
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
    angles = [max(abs(angle) for angle in row) for row in flight.rpy()]
    largest, at_end = max(angles), angles[-1]
    left = 0.06 * 400 * math.exp(-0.02 * (flight.times[-1] - 60))
    used = flight.summary["propellant"]["used"]
    return [("fastest wheel, rad/s", f"{fastest:.0f}", f"{500:.0f}, its momentum limit"),
            ("largest angle of the chaser, degrees", f"{largest:.2f}",
             "more than the 0.27 of wheels that begin at rest, ets7_wheels"),
            ("angle of the chaser at the end, degrees", f"{at_end:.2f}", f"{0:.2f}"),
            ("angular momentum about y at 60 s, kg m²/s", f"{momentum[i]:.2f}", f"{0.06 * 400:.2f}"),
            ("angular momentum about y at the end, kg m²/s", f"{momentum[-1]:.2f}", f"{left:.2f}"),
            ("propellant used, g", f"{1000 * used:.1f}",
             f"{1000 * (0.06 * 400 - left) / (0.95 * 200 * 9.80665):.1f}")]


def pull_of_rock(folder, place):
    """Acceleration by a solid of cones from its origin to its triangles, each cut into 40 point masses."""
    vertices, pull, cuts = [], [0.0, 0.0, 0.0], 40
    for line in (folder / "terrains" / "two_lobes.obj").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[0] == "v":
            vertices.append([float(word) for word in words[1:]])
        elif words[0] == "f":
            a, b, c = (vertices[int(word) - 1] for word in words[1:])
            volume = sum(a[i] * (b[i - 2] * c[i - 1] - b[i - 1] * c[i - 2]) for i in range(3)) / 6
            middle = [(a[i] + b[i] + c[i]) / 3 for i in range(3)]
            for k in range(cuts):
                low, high = k / cuts, (k + 1) / cuts
                part = high ** 3 - low ** 3
                arm = [place[i] - 0.75 * (high ** 4 - low ** 4) / part * middle[i] for i in range(3)]
                scale = -6.67430e-11 * 1900 * volume * part / math.hypot(*arm) ** 3
                pull = [pull[i] + scale * arm[i] for i in range(3)]
    return pull


def asteroid_orbit(flight):
    """What turns with Ω keeps E − Ω·L; the acceleration at the start is that of a sum of point masses."""
    energy, momentum = flight["energy_total_J"], flight["angular_momentum_origin_z_kg_m2_s"]
    start = (flight["base_velocity_x_m_s"][1] - flight["base_velocity_x_m_s"][0]) / flight.times[1]
    pull = pull_of_rock(flight.models, (420.0, 0.0, 0.0))[0]
    gain = max(energy) - energy[0]
    i = energy.index(max(energy))
    return [("acceleration at the start, μm/s²", f"{1e6 * start:.1f}", f"{1e6 * pull:.1f}"),
            ("most energy that the spin gives, mJ", f"{1000 * gain:.2f}",
             f"{1000 * 1.44e-4 * (momentum[i] - momentum[0]):.2f}, Ω ΔL")]


def jet_limit_cycle(flight):
    """Each pulse reverses the rate at the edge of the band; valves open late by their delay."""
    moment, inertia, pulse, delay, stiffness, damping = 1.0, 12.0, 0.06, 0.008, 20.0, 100.0
    rate = moment * pulse / (2 * inertia)
    edge = (moment / 2 - damping * rate) / stiffness + rate * delay
    yaw = flight.yaw()
    pulses = [i for i in range(1, len(flight.times))
              if sum(flight[f"actuators_z_{side}_front_force_N"][i] for side in ("plus", "minus")) > 0
              and sum(flight[f"actuators_z_{side}_front_force_N"][i - 1] for side in ("plus", "minus")) == 0]
    used = flight.summary["propellant"]["used"]
    return [("amplitude, degrees", f"{max(abs(angle) for angle in yaw):.2f}",
             f"{math.degrees(edge + moment * pulse ** 2 / (8 * inertia)):.2f}"),
            ("period, s", f"{mean_period(flight.times, yaw, 1.0, flight.times[-1]):.1f}",
             f"{4 * edge / rate + 2 * pulse:.1f}"),
            ("pulses", f"{len(pulses)}", f"{10}"),
            ("gas used, g", f"{1000 * used:.3f}", f"{1000 * 20 * pulse / (68 * 9.80665):.3f}")]


SPACECRAFT_FACTS = {"asteroid_orbit": asteroid_orbit, "jet_limit_cycle": jet_limit_cycle, "slosh_burn": slosh_burn,
                    "wheel_dump": wheel_dump, **RENDEZVOUS_FACTS}

"""Facts of tethered_capture, net_catch, biased_capture, ball_between_two and asteroid_walk, see scenario_facts.py."""

import math

from task_facts import below, cross, turned


def vector(flight, name, i):
    """Three columns in a row, as in base_position_{}_m."""
    return [flight[name.format(axis)][i] for axis in "xyz"]


def add(a, b, factor=1.0):
    return [x + factor * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def momenta(flight, bodies, i):
    """P and L about the common centroid of single bodies {name: (mass, principal inertia)}, and the kinetic energy."""
    total = sum(mass for mass, _ in bodies.values())
    moving = {}
    for name, (mass, inertia) in bodies.items():
        base = f"robots_{name}_base"
        spin = vector(flight, base + "_angular_velocity_{}_rad_s", i)
        axes = zip(*(turned(flight, base, i, unit) for unit in ([1, 0, 0], [0, 1, 0], [0, 0, 1])))
        own = [0, 0, 0]
        for axis, moment in zip(axes, inertia):
            own = add(own, axis, moment * dot(axis, spin))
        moving[name] = (mass, vector(flight, base + "_position_{}_m", i), vector(flight, base + "_velocity_{}_m_s", i), own, spin)
    linear, angular, centre, energy = [0, 0, 0], [0, 0, 0], [0, 0, 0], 0.0
    for mass, place, speed, own, spin in moving.values():
        linear = add(linear, speed, mass)
        centre = add(centre, place, mass / total)
        energy += 0.5 * mass * dot(speed, speed) + 0.5 * dot(spin, own)
    for mass, place, speed, own, _ in moving.values():
        angular = add(angular, add(own, cross(add(place, centre, -1), speed), mass))
    return linear, angular, energy


def tethered_capture(flight):
    """Free flight of a top until the tether is taut, momentum from the motion of both bodies, energy from the tension."""
    spin = [math.radians(rate) for rate in (0.6, 0.3, 1.25)]
    own = [900 * spin[0], 4200 * spin[1], 4200 * spin[2]]
    rate = math.hypot(*own) / 4200  # at which the axis of the top goes round the angular momentum
    about = [part / math.hypot(*own) for part in own]
    reel = [0.95 * math.cos(math.radians(40)), 0.95 * math.sin(math.radians(40)), 0]

    def length(time):
        along = dot(about, [1, 0, 0])
        across = add([1, 0, 0], about, -along)
        axis = add(add([along * part for part in about], across, math.cos(rate * time)),
                   cross(about, [1, 0, 0]), math.sin(rate * time))
        nozzle = add(add([25, -14, 0], [0.05, 0.95, 0.02], time), axis, -4)
        return math.dist(nozzle, reel)

    low, high = 20.0, 60.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if length(middle) < 30 else (low, middle)
    taut = [event["time"] for event in flight.summary["events"] if event["name"] == "line taut"]
    bodies = {"chaser": (600, [120, 160, 160]), "stage": (1400, [900, 4200, 4200])}
    linear, angular, energy = momenta(flight, bodies, 0)
    changes = [momenta(flight, bodies, i) for i in range(len(flight.times))]
    drift = [max(math.dist(change[k], start) for change in changes) for k, start in ((0, linear), (1, angular))]
    # what the winch has done is in the motion of the bodies, or in the tether
    work = flight["elements_line_work_J"][-1]
    balance = changes[-1][2] + flight["elements_line_stored_J"][-1] + flight["elements_line_dissipated_J"][-1] - energy
    return [("the tether is taut first, s", f"{taut[0]:.6f}", f"{0.5 * (low + high):.6f}"),
            ("taut and slack again, times", f"{len(taut)}", ""),
            ("P of both bodies changes by, N s", below(drift[0], 1e-9), "at most 1e-09"),
            ("L of both bodies changes by, N m s", below(drift[1], 1e-6), "at most 1e-06"),
            ("work of the winch, J", f"{work:.4f}", f"{balance:.4f}")]


def net_catch(flight):
    """Momentum from the motion of all bodies; what holds is a plastic impact."""
    catchers, beads = ["c00", "c02", "c20", "c22"], ["k01", "k10", "k11", "k12", "k21"]
    bodies = {"debris": (60, [18, 22, 22])}
    bodies.update({name: (12, [0.2, 0.2, 0.2]) for name in catchers})
    bodies.update({name: (0.5, [5e-4, 5e-4, 5e-4]) for name in beads})
    changes = [momenta(flight, bodies, i) for i in range(0, len(flight.times), 10)]
    drift = [max(math.dist(change[k], changes[0][k]) for change in changes) for k in (0, 1)]
    debris = [vector(flight, "robots_debris_base_position_{}_m", i) for i in range(len(flight.times))]

    def farthest(names):
        return max(math.dist(vector(flight, f"robots_{name}_base_position_{{}}_m", i), debris[i])
                   for name in names for i, time in enumerate(flight.times) if time >= 20)

    common = changes[-1][0][0] / sum(mass for mass, _ in bodies.values())
    spin = vector(flight, "robots_debris_base_angular_velocity_{}_rad_s", -1)
    late = [speed for time, speed in zip(flight.times, flight["robots_debris_base_velocity_x_m_s"]) if time >= 20]
    return [("speed of all together, m/s", f"{common:.4f}", f"{50.5 * 0.3 / 110.5:.4f}"),
            ("that of the debris from 20 s on differs by", below(max(abs(speed - common) for speed in late), 0.01, 1e-2),
             "at most 1 cm/s"),
            ("beads from its centre from then on", below(farthest(beads), 0.97), "at most 0.97 m"),
            ("satellites from its centre", below(farthest(catchers), 1.12), "at most 1.12 m"),
            ("the debris turns at the end, deg/s", "slower" if math.degrees(math.hypot(*spin)) < 5.4 else
             f"{math.degrees(math.hypot(*spin)):.2f}", "slower than 5.48"),
            ("P of all bodies changes by, N s", below(drift[0], 1e-10), "at most 1e-10"),
            ("L of all bodies changes by, N m s", below(drift[1], 1e-9), "at most 1e-09")]


def biased_capture(flight):
    """Momentum of the satellite and that of the wheel add up; without a bias what is beyond the limit stays in the pair."""
    still = flight.changed("still", "robots.chaser.initial.joints.wheel_z.velocity=0")
    wheel, rate = "actuators_chaser_wheel_z_momentum_N_m_s", "robots_target_base_angular_velocity_z_rad_s"
    return [("wheel at the end, N m s", f"{flight[wheel][-1]:.3f}", f"{12 - 6:.3f}"),
            ("the satellite turns at the end, deg/s", below(abs(math.degrees(flight[rate][-1])), 1e-3), "at most 0.001"),
            ("wheel at the end without bias, N m s", f"{still[wheel][-1]:.3f}", f"{8:.3f}"),
            ("the satellite then turns, deg/s", "on" if math.degrees(still[rate][-1]) > 0.05 else
             f"{math.degrees(still[rate][-1]):.4f}", "on")]


def ball_between_two(flight):
    """Without slip it turns by the difference of the plates, which lean a little, over their distance."""
    left, right = (vector(flight, f"robots_{name}_base_position_{{}}_m", -1) for name in ("left", "right"))
    gap = right[0] - left[0] - 2 * 0.32
    # a body that leans by a moves the plate before it by 0.32 m a
    lean = [2 * math.atan(flight["robots_left_base_quaternion_z"][-1] / flight["robots_left_base_quaternion_w"][-1]),
            -2 * math.atan(flight["robots_right_base_quaternion_w"][-1] / flight["robots_right_base_quaternion_z"][-1])]
    across = right[1] - left[1] - 0.32 * sum(lean)
    turned_by = 2 * math.atan2(flight["robots_payload_base_quaternion_z"][-1], flight["robots_payload_base_quaternion_w"][-1])
    place = flight["robots_payload_base_position_y_m"][-1]
    pressed = [flight[f"contacts_{name}_plate_normal_force_N"][-1] for name in ("left", "right")]
    return [("the ball turns by, deg", f"{math.degrees(turned_by):.0f}", f"{math.degrees(across / gap):.0f}"),
            ("the ball goes, m", f"{place:.4f}", f"{0.5 * (left[1] + right[1]):.4f}"),
            ("force on the left plate, N", f"{pressed[0]:.4f}", f"{20 * (-0.53 - left[0]):.4f}"),
            ("force on the right plate, N", f"{pressed[1]:.4f}", f"{20 * (right[0] - 0.53):.4f}")]


LEGS = [f"{place}_{side}" for place in ("front", "middle", "rear") for side in ("left", "right")]


def asteroid_walk(flight):
    forces = {leg: flight[f"contacts_{leg}_normal_force_N"] for leg in LEGS}
    slip, used, weight = 0.0, 0.0, []
    stands = {}
    for i, time in enumerate(flight.times):
        for leg in LEGS:
            place = [flight[f"frames_{leg}_foot_position_{axis}_m"][i] for axis in "xy"]
            if forces[leg][i] == 0.0:
                stands.pop(leg, None)
                continue
            slip = max(slip, math.dist(place, stands.setdefault(leg, place)))
            if 200 < time < 340 or 530 < time < 670:
                used = max(used, flight[f"contacts_{leg}_friction_N"][i] / (0.7 * forces[leg][i]))
        if 200 < time < 340:
            weight.append(sum(forces[leg][i] for leg in LEGS))
    return [("the body advances by, m", f"{flight['base_position_x_m'][-1]:.3f}", f"{0.12:.3f}"),
            ("weight on six feet while it does, mN", f"{1000 * sum(weight) / len(weight):.3f}", f"{1000 * 10.1 * 8.5e-5:.3f}"),
            ("share of the friction that is used meanwhile", below(used, 0.95), "at most 0.95"),
            ("feet that stand move by", below(slip, 1e-3, 1e-3), "at most 1 mm")]


ENCOUNTER_FACTS = {"tethered_capture": tethered_capture, "net_catch": net_catch, "biased_capture": biased_capture,
                   "ball_between_two": ball_between_two, "asteroid_walk": asteroid_walk}

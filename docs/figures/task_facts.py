"""Facts of ets7_tool_path, ets7_reactionless_slew, ets7_detumble and the like, see scenario_facts.py."""

import math


def below(value, limit, unit=1.0):
    """A figure that only has a bound: what is kept, since its digits are those of rounding or of an inner loop."""
    return "kept" if value < limit else f"exceeded: {value / unit:.2g}"


def quintic(s):
    s = min(max(s, 0.0), 1.0)
    return s ** 3 * (10 - 15 * s + 6 * s * s)


def place(columns, frame, i):
    return [float(columns[f"{frame}_position_{axis}_m"][i]) for axis in "xyz"]


def farthest_from_path(columns, times):
    """Of the hand of ets7_tool_path from the straight line of its reference, m."""
    start = place(columns, "frames_hand", 0)
    gap = 0.0
    for i, time in enumerate(times):
        done = quintic(time / 40)
        path = [a + done * (b - a) for a, b in zip(start, (0.2, 0.4, 1.7))]
        gap = max(gap, math.dist(path, place(columns, "frames_hand", i)))
    return gap


def ets7_tool_path(flight):
    fixed = flight.changed("fixed", "control.tool.jacobian=fixed")
    own, other = farthest_from_path(flight, flight.times), farthest_from_path(fixed, flight.times)
    end = ", ".join(f"{value:.4f}" for value in place(flight.columns, "frames_hand", -1))
    return [("hand at the end, m", end, "0.2000, 0.4000, 1.7000"),
            ("farthest from the path with J*", below(own, 2.5e-4, 1e-3), "at most 0.25 mm"),
            ("times as far with J_m", "more" if other > 20 * own else f"{other / own:.1f}", "more than 20")]


def ets7_wheel_assist(flight):
    """Beside ets7_tool_path, whose base is free."""
    def turned(one):
        return max(2 * math.asin(math.hypot(*parts)) for parts in zip(*(one[f"base_quaternion_{axis}"] for axis in "xyz")))

    gap = farthest_from_path(flight.columns, flight.times)
    wheels = [flight[f"actuators_wheel_{axis}_momentum_N_m_s"] for axis in "xyz"]
    most = max(max(map(abs, wheel)) for wheel in wheels)
    return [("hand at the end, m", ", ".join(f"{value:.4f}" for value in place(flight.columns, "frames_hand", -1)),
             "0.2000, 0.4000, 1.7000"),
            ("farthest from the path", below(gap, 1e-5, 1e-3), "at most 0.01 mm"),
            ("the base turns against that of ets7_tool_path", below(turned(flight) / turned(flight.other("ets7_tool_path")), 1e-2),
             "at most 0.01"),
            ("a wheel takes up, N m s", f"{most:.1f}" if most > 30 else "kept", "at most 30, its limit"),
            ("wheels at the end, N m s", below(max(abs(wheel[-1]) for wheel in wheels), 0.05), "at most 0.05")]


def ets7_reactionless_slew(flight):
    """Beside the slew of ets7_arm_slew, whose joints are about as fast."""
    def fastest(one):
        return max(math.hypot(*rate) for rate in zip(*(one[f"base_angular_velocity_{axis}_rad_s"] for axis in "xyz")))

    turned = max(math.hypot(*parts) for parts in zip(*(flight[f"base_quaternion_{axis}"] for axis in "xyz")))
    elbow = math.degrees(flight["joints_elbow_pitch_rad"][-1] - flight["joints_elbow_pitch_rad"][0])
    return [("rate of the base against ets7_arm_slew", below(fastest(flight), 1e-6 * fastest(flight.other("ets7_arm_slew"))),
             "at most 1e-06"),
            ("the base turns by", below(2 * math.degrees(turned), 1e-8), "at most 1e-08 deg"),
            ("while the elbow turns", "more" if elbow > 30 else f"{elbow:.1f}", "more than 30 deg")]


def impedance_on_a_table(flight):
    """Springs in series, K of the impedance and k of the table, that are 2 cm too short."""
    expected = 0.02 * 500 * 2e4 / (500 + 2e4)
    sliding = [force for time, force in zip(flight.times, flight["contacts_table_normal_force_N"]) if time > 6]
    return [("force on the table, N", f"{sliding[-1]:.6f}", f"{expected:.6f}"),
            ("its change while the tip slides, N", below(max(sliding) - min(sliding), 1e-6), "at most 1e-06"),
            ("the tip slides to, m", f"{flight['frames_tool_position_x_m'][-1]:.6f}", f"{0.85:.6f}")]


def ets7_detumble(flight):
    """Momentum decays as exp(−0.1 t), the error of the hand as ë + ė + e/4 = 0 from e = 0."""
    def gap(name, start):
        # components in the order of the scenario
        return max(abs(value - first * math.exp(-0.1 * time)) for axis, first in zip("xyz", start)
                   for time, value in zip(flight.times, flight[name.format(axis)]))

    first = [float(flight[f"frames_hand_position_{axis}_m"][0]) for axis in "xyz"]
    # the joints are at rest at first
    base, moving, spin = ([float(flight[f"base_{what}_{axis}_{unit}"][0]) for axis in "xyz"]
                          for what, unit in (("position", "m"), ("velocity", "m_s"), ("angular_velocity", "rad_s")))
    speed = [a + b for a, b in zip(moving, cross(spin, [a - b for a, b in zip(first, base)]))]
    far = 0.0
    for i, time in enumerate(flight.times):
        done = quintic(time / 30)
        wanted = [a + done * (b - a) + v * time * math.exp(-time / 2) for a, b, v in zip(first, (-0.8, 0.5, 2.2), speed)]
        far = max(far, math.dist(wanted, place(flight.columns, "frames_hand", i)))
    linear, angular = "linear_momentum_{}_kg_m_s", "angular_momentum_centroid_{}_kg_m2_s"
    left = math.hypot(*(flight[angular.format(axis)][-1] for axis in "xyz"))
    return [("angular momentum at the end, N m s", f"{left:.6f}", f"{math.hypot(30, 20, 15) * math.exp(-4):.6f}"),
            ("P from its exponential, N s", below(gap(linear, (10, -5, 8)), 1e-6), "at most 1e-06"),
            ("L from its exponential, N m s", below(gap(angular, (30, -20, 15)), 1e-6), "at most 1e-06"),
            ("the hand from its motion, m", below(far, 1e-6), "at most 1e-06")]


def srms_mini_arm_calm(flight):
    """Beside the same flight with next to no damping."""
    free = flight.changed("free", "control.calm.damping_ratio=1e-6")

    def left(columns, mode):
        # of the first half second, in the last half second before 10 s: a part of a swing each
        energy = columns[f"modes_{mode}_energy_J"]
        return max(energy[190:201]) / max(energy[:11])

    rows = []
    for mode in (1, 2):
        calm, swinging = left(flight, mode), left(free, mode)
        rows.append((f"energy of mode {mode} left after 10 s", below(calm, 0.01), "at most 0.01"))
        rows.append((f"energy of mode {mode} left without damping", "more" if swinging > 0.5 else f"{swinging:.2f}",
                     "more than 0.5"))
    return rows


def turned(flight, frame, i, vector):
    """A vector in the axes of a frame."""
    w, x, y, z = (flight[f"{frame}_quaternion_{axis}"][i] for axis in "wxyz")
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    return [sum(rows[k][j] * vector[k] for k in range(3)) for j in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def tumbling_grasp(flight):
    """The hand in the axes of the handle, by ë + ė + e/4 = 0: from rest against the stars until `go`, then along a path
    that begins where it is."""
    def relative(i):
        gap = [a - b for a, b in zip(place(flight.columns, "frames_chaser_hand", i),
                                     place(flight.columns, "frames_target_handle", i))]
        return turned(flight, "frames_target_handle", i, gap)

    spin, start = [math.radians(rate) for rate in (0.2, 0.3, 0.5)], relative(0)
    first = [-a - b for a, b in zip(cross(spin, [0, 0, -0.85]), cross(spin, start))]

    def expected(time):
        fading = math.exp(-min(time, 5) / 2)
        begun = [a + v * min(time, 5) * fading for a, v in zip(start, first)]
        if time <= 5:
            return begun
        left, late = 1 - quintic((time - 5) / 30), time - 5
        return [a * left + v * (1 - 2.5) * fading * late * math.exp(-late / 2) for a, v in zip(begun, first)]

    grasp = next(i for i, time in enumerate(flight.times) if time >= 40)
    gap = max(math.dist(expected(flight.times[i]), relative(i)) for i in range(grasp))
    middle = flight.at(20)
    return [("the hand before the handle after 20 s, m", f"{math.hypot(*relative(middle)):.6f}",
             f"{math.hypot(*expected(flight.times[middle])):.6f}"),
            ("farthest from this motion until the grasp", below(gap, 1e-9), "at most 1e-09 m"),
            ("the hand from the handle after it", below(math.hypot(*relative(-1)), 1e-6), "at most 1e-06 m")]


def estimated_grasp(flight):
    """The filter against the truth; readings are 0.2 s old at the most when the grasp is at hand."""
    def gap(what, unit, truth, i):
        return math.dist(*([float(flight[f"{name}_{what}_{axis}{unit}"][i]) for axis in "xyz"]
                           for name in ("sensors_estimate", truth)))

    sampled, grasp = flight.at(49.5), flight.at(49.9)
    # the latest reading at 49.7 is that of 49.5
    seen = flight.at(49.7)
    place_error = math.dist(*([float(flight[f"{name}_position_{axis}_m"][i]) for axis in "xyz"]
                              for name, i in (("sensors_estimate", seen), ("frames_target_handle", sampled))))
    rate = gap("angular_velocity", "_rad_s", "robots_target_base", seen)
    wrong = max(abs(float(flight[f"sensors_estimate_inertia_ratio_{axis}"][seen]) - moment / 430)
                for axis, moment in zip("xyz", (100, 150, 180)))
    hand = math.dist(*(place(flight.columns, f"frames_{frame}", grasp) for frame in ("chaser_hand", "target_handle")))
    return [("the handle from where it is estimated, m", below(place_error, 0.002), "at most 0.002"),
            ("error of the rate, deg/s", below(math.degrees(rate), 0.02), "at most 0.02"),
            ("error of the ratios of the inertia", below(wrong, 0.06), "at most 0.06"),
            ("the hand from the handle before the grasp, m", below(hand, 0.003), "at most 0.003")]


TASK_FACTS = {"estimated_grasp": estimated_grasp, "ets7_tool_path": ets7_tool_path, "ets7_wheel_assist": ets7_wheel_assist,
              "ets7_reactionless_slew": ets7_reactionless_slew, "ets7_detumble": ets7_detumble,
              "srms_mini_arm_calm": srms_mini_arm_calm,
              "impedance_on_a_table": impedance_on_a_table, "tumbling_grasp": tumbling_grasp}

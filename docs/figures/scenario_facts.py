"""What each shipped scenario shows, in numbers computed from its flight, and what it must agree with.

Each function takes a Flight and gives rows (what, from the flight, expected); an expectation comes
from a closed form, from another scenario or from `spacedyn modes`, never from the flight itself.
"""

import csv
import json
import math
import subprocess

from elliptic_facts import ELLIPTIC_FACTS
from encounter_facts import ENCOUNTER_FACTS
from geostationary_facts import GEOSTATIONARY_FACTS
from heap_facts import HEAP_FACTS
from jitter_facts import JITTER_FACTS
from kerb_facts import KERB_FACTS
from landing_facts import LANDING_FACTS
from mission_facts import MISSION_FACTS
from oblate_facts import OBLATE_FACTS
from spacecraft_facts import SPACECRAFT_FACTS
from station_facts import STATION_FACTS
from steering_facts import STEERING_FACTS
from task_facts import TASK_FACTS
from tether_facts import TETHER_FACTS
from walk_facts import WALK_FACTS
from wheel_facts import WHEEL_FACTS


class Flight:
    """Rows and summary of a scenario that PROGRAM flies, changed or not."""

    def __init__(self, program, models, work, name, label="", changes=()):
        self.program, self.models, self.work, self.name = program, models, work, name
        self.file = models / "scenarios" / f"{name}.yaml"
        folder = work / (name + label)
        done = self.run("simulate", self.file, "-o", folder, "--force", "--format", "csv",
                        "--no-report", "--no-progress", "--json",
                        *(word for each in changes for word in ("--set", each)))
        self.summary = json.loads(done)
        with open(folder / f"{name}.csv", encoding="utf-8", newline="") as stream:
            names, *rows = csv.reader(line for line in stream if not line.startswith("#"))
        self.columns = dict(zip(names, zip(*rows)))  # as text, which few become numbers

    def run(self, *words):
        command = [str(word) for word in (self.program, *words)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def __getitem__(self, column):
        values = self.columns[column]
        if isinstance(values, tuple):
            values = self.columns[column] = [float(value) for value in values]
        return values

    @property
    def times(self):
        return self["time_s"]

    def other(self, name):
        return Flight(self.program, self.models, self.work, name)

    def changed(self, label, *changes):
        """The same with keys changed, as KEY=VALUE."""
        return Flight(self.program, self.models, self.work, self.name, "_" + label, changes)

    def at(self, time):
        """Index of the output nearest to a time."""
        return min(range(len(self.times)), key=lambda i: abs(self.times[i] - time))

    def frequencies(self, *options):
        """Natural frequencies of the elastic modes at the start, Hz."""
        modes = json.loads(self.run("modes", "--json", *options, self.file))["modes"]
        return [mode["frequency"] for mode in modes if mode["omega"] > 0]

    def rpy(self):
        """Roll, pitch, yaw of the base at each output, degrees."""
        parts = zip(*(self["base_quaternion_" + axis] for axis in "wxyz"))
        return [[math.degrees(angle) for angle in (
            math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
            math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))] for w, x, y, z in parts]

    def yaw(self):
        return [angles[2] for angles in self.rpy()]


def crossings(times, values, falling=False):
    """Times at which a series rises (or falls) through zero, by cubic interpolation."""
    sign = -1.0 if falling else 1.0
    found = []
    for i in range(1, len(values) - 2):
        a, b = sign * values[i], sign * values[i + 1]
        if not a <= 0.0 < b:
            continue
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if sign * cubic(values[i - 1:i + 3], middle) <= 0 else \
                (low, middle)
        found.append(times[i] + low * (times[i + 1] - times[i]))
    return found


def cubic(p, s):
    """Lagrange's cubic through four equally spaced values, s from the second to the third."""
    return (-p[0] * s * (s - 1) * (s - 2) / 6 + p[1] * (s + 1) * (s - 1) * (s - 2) / 2
            - p[2] * (s + 1) * s * (s - 2) / 2 + p[3] * (s + 1) * s * (s - 1) / 6)


def quarter_period(modulus):
    """Complete elliptic integral K(k), by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1.0 - modulus * modulus)
    while abs(a - b) > 1e-15:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return math.pi / (2 * a)


def a01_pendulum(flight):
    i = flight.at(5.0)
    x, y = flight["frames_bob_position_x_m"][i], flight["frames_bob_position_y_m"][i]
    # it starts at a turning point; the speed changes its sign twice a period
    turns = crossings(flight.times, flight["joints_pivot_rad_s"])
    period = (turns[-1] - turns[0]) / (len(turns) - 1)
    expected = 4 * quarter_period(math.sqrt(0.5)) / math.sqrt(9.81)
    return [("position after 5 s, m", f"{x:.7f}, {y:.7f}", "-0.9423054, -0.3347543"),
            ("period, s", f"{period:.4f}", f"{expected:.4f}")]


def dzhanibekov(flight):
    spin = []
    parts = zip(*(flight["base_quaternion_" + axis] for axis in "wxyz"),
                *(flight[f"base_angular_velocity_{axis}_rad_s"] for axis in "xyz"))
    for w, x, y, z, a, b, c in parts:  # component along the body's y axis
        spin.append(2 * (x * y - w * z) * a + (1 - 2 * (x * x + z * z)) * b
                    + 2 * (y * z + w * x) * c)
    flips = sorted(crossings(flight.times, spin) + crossings(flight.times, spin, True))
    # I = 1, 2, 3 and ω(0) = (0.01, 1, 0): L² > 2 E I_2 fails, so the branch about I_1
    energy, square = 1 * 0.01 ** 2 + 2, 0.01 ** 2 + 4
    rate = math.sqrt((2 - 1) * (3 * energy - square) / 6)
    modulus = math.sqrt((3 - 2) * (square - energy) / ((2 - 1) * (3 * energy - square)))
    expected = 2 * quarter_period(modulus) / rate
    return [("time between flips, s", f"{flips[1] - flips[0]:.4f}", f"{expected:.4f}"),
            ("and the next, s", f"{flips[2] - flips[1]:.4f}", f"{expected:.4f}")]


def believed_payload(flight):
    """At rest H' K e = g − g' of a planar arm of unit links, loaded and believed to be empty."""
    wanted, weight, stiffness = (math.radians(20), math.radians(40)), 1.62, 25.0

    def torques(a, b, load):
        elbow = weight * (10 * 0.5 + load) * math.cos(a + b)
        return weight * (10 * 0.5 + 10 + load) * math.cos(a) + elbow, elbow

    a, b = wanted
    for _ in range(100):
        c = math.cos(b)
        inertia = (1 + 10 * 0.25 + 1 + 10 * (1 + 0.25 + c), 1 + 10 * (0.25 + 0.5 * c), 1 + 10 * 0.25)
        first, second = (x - y for x, y in zip(torques(a, b, 5), torques(a, b, 0)))
        det = inertia[0] * inertia[2] - inertia[1] ** 2
        errors = ((inertia[2] * first - inertia[1] * second) / det / stiffness,
                  (inertia[0] * second - inertia[1] * first) / det / stiffness)
        a, b = wanted[0] - errors[0], wanted[1] - errors[1]
    return [(f"error of the {name} at rest, deg",
             f"{math.degrees(goal - flight[f'joints_{name}_rad'][-1]):.4f}", f"{math.degrees(error):.4f}")
            for name, goal, error in zip(("shoulder", "elbow"), wanted, errors)]


def planar_reorientation(flight):
    """Angular momentum zero: dθ = −(N_1 dq_1 + N_2 dq_2)/N_0, by the trapezoidal rule."""
    q1, q2, yaw = flight["joints_shoulder_rad"], flight["joints_elbow_rad"], flight.yaw()
    m, inertia = (100.0, 10.0, 10.0), (20.0, 1.0, 1.0)

    def coefficients(a, b):
        # planar links of length 1, centroids in the middle, joint 1 at 0.5; angles from the base
        points = [(0.0, 0.0), (0.5 + 0.5 * math.cos(a), 0.5 * math.sin(a)),
                  (0.5 + math.cos(a) + 0.5 * math.cos(a + b), math.sin(a) + 0.5 * math.sin(a + b))]
        pivots = [(0.0, 0.0), (0.5, 0.0), (0.5 + math.cos(a), math.sin(a))]
        total = sum(m)
        center = [sum(w * p[k] for w, p in zip(m, points)) / total for k in range(2)]
        result = []
        for pivot in range(3):
            moving = range(pivot, 3)
            drift = [sum(m[i] * (points[i][k] - pivots[pivot][k]) for i in moving) / total
                     for k in range(2)]
            value = 0.0
            for i in range(3):
                arm = [points[i][k] - center[k] for k in range(2)]
                move = [(points[i][k] - pivots[pivot][k] if i in moving else 0.0) - drift[k]
                        for k in range(2)]
                value += m[i] * (arm[0] * move[0] + arm[1] * move[1])
                value += inertia[i] if i in moving else 0.0
            result.append(value)
        return result

    angle = 0.0
    for i in range(len(q1) - 1):
        n = coefficients(0.5 * (q1[i] + q1[i + 1]), 0.5 * (q2[i] + q2[i + 1]))
        angle -= (n[1] * (q1[i + 1] - q1[i]) + n[2] * (q2[i + 1] - q2[i])) / n[0]
    return [("rotation of the base, deg", f"{yaw[-1]:.1f}", f"{math.degrees(angle):.1f}")]


def final_attitude(flight):
    return ", ".join(f"{angle:.2f}" for angle in flight.rpy()[-1])


def ringing(flight, column, start):
    """Frequency of a series about its mean after a time, Hz."""
    first = flight.at(start)
    values = flight[column][first:]
    mean = sum(values) / len(values)
    rising = crossings(flight.times[first:], [value - mean for value in values])
    return (len(rising) - 1) / (rising[-1] - rising[0])


def ets7_arm_slew(flight):
    rung = ringing(flight, "joints_paddle_left_hinge_1_rad", 30.0)
    point = json.loads(flight.run("linearize", "--json", "--time", "50", flight.file))["points"][0]
    modes = [mode["frequency"] for mode in point["modes"] if 0 < mode["damping_ratio"] < 0.02]
    near = min(modes, key=lambda mode: abs(mode - rung))
    return [("roll, pitch, yaw of the base after 60 s, deg", final_attitude(flight),
             final_attitude(flight.other("ets7_arm_slew_modal")) + " (modal paddles)"),
            ("paddles ring at, Hz", f"{rung:.3f}", f"{near:.3f} (`linearize --time 50`)")]


def ets7_arm_slew_modal(flight):
    chain = flight.other("ets7_arm_slew")
    return [("roll, pitch, yaw of the base after 60 s, deg", final_attitude(flight),
             final_attitude(chain) + " (chains of panels)"),
            ("paddles ring at, Hz", f"{ringing(flight, 'joints_paddle_left_mode_1_m', 30.0):.3f}",
             f"{ringing(chain, 'joints_paddle_left_hinge_1_rad', 30.0):.3f} (chains of panels)")]


def ets7_coast(flight):
    start, end = flight.summary["energy"]["initial"], flight.summary["energy"]["final"]
    turned = max(abs(angle) for angles in flight.rpy() for angle in angles)
    return [("kinetic energy at the end, J", f"{end['kinetic']:.9f}", f"{start['kinetic']:.9f}"),
            ("largest angle of the base, deg", f"{turned:.1f}", "")]


def servicer(flight):
    turned = max(math.degrees(2 * math.acos(min(1.0, abs(w)))) for w in flight["base_quaternion_w"])
    return [("largest rotation of the base, deg", f"{turned:.2f}", ""),
            ("steps", str(flight.summary["integrator"]["steps"]), "10 s / 10 ms = 1000")]


def servicer_flight(flight):
    goal = (2.0, 0.5, -0.3)
    place = [flight[f"base_position_{axis}_m"] for axis in "xyz"]
    miss = math.dist([p[-1] for p in place], goal)
    speed = [flight[f"linear_momentum_{axis}_kg_m_s"] for axis in "xyz"]
    most = max(math.hypot(*p) for p in zip(*speed))
    return [("distance from the goal at the end below 1 mm", "yes" if miss < 1e-3 else "no", "yes"),
            ("yaw at the end, deg", f"{flight.yaw()[-1]:.3f}", "60.000"),
            ("largest momentum, all of it given by thrusters, kg m/s", f"{most:.2f}", "")]


def tip_lag(flight):
    """How far the boom's tip is behind the straight line through the hub at each output, m."""
    turns = (math.radians(yaw) for yaw in flight.yaw())
    tips = zip(flight["frames_boom_tip_position_x_m"], flight["frames_boom_tip_position_y_m"])
    return [math.sin(turn) * x - math.cos(turn) * y for turn, (x, y) in zip(turns, tips)]


def spinning_boom(flight):
    lags = tip_lag(flight)
    late = lags[flight.at(16.0):]
    return [("largest lag of the tip, m", f"{max(lags):.3f}", ""),
            ("reached at, s", f"{flight.times[lags.index(max(lags))]:.2f}", ""),
            ("mean lag at constant speed, mm", f"{abs(1000 * sum(late) / len(late)):.1f}",
             "0.0: centrifugal force holds it straight"),
            ("vibration that is left, mm", f"{500 * (max(late) - min(late)):.1f}", "")]


def shake(flight):
    """Peak to peak of the yaw after the slew, deg."""
    late = flight.yaw()[flight.at(30.0):]
    return max(late) - min(late)


def telescope_slew(flight):
    late = flight.at(30.0)
    rung = ringing(flight, "joints_panel_left_1_z_rad", 30.0)
    yaw = flight.yaw()[late:]
    free, clamped = flight.frequencies(), flight.frequencies("--clamped")
    near = min(free, key=lambda mode: abs(mode - rung))
    return [("mean yaw after the slew, deg", f"{sum(yaw) / len(yaw):.2f}", "30"),
            ("shaking of the hub, peak to peak, deg", f"{shake(flight):.3f}", ""),
            ("panels ring at, Hz", f"{rung:.4f}", f"{near:.4f} (`modes`, hub free)"),
            ("the same panels clamped, Hz", f"{clamped[0]:.4f}", "lower, by the theory of the free hub")]


def telescope_slew_shaped(flight):
    plain = shake(flight.other("telescope_slew"))
    return [("shaking of the hub, peak to peak, deg", f"{shake(flight):.4f}",
             f"{plain:.3f} with the plain command"),
            ("mean yaw after the slew, deg",
             f"{sum(flight.yaw()[flight.at(30.0):]) / len(flight.yaw()[flight.at(30.0):]):.2f}", "30")]


def srms(flight):
    free = flight.other("srms_mini_arm").frequencies("--lock-unsprung")
    held = flight.other("srms_mini_arm_clamped").frequencies("--lock-unsprung")
    above = all(f > c for f, c in zip(free, held))
    rows = [(f"mode {i + 1}, orbiter free and held, Hz", f"{f:.4f}", f"above {c:.4f}")
            for i, (f, c) in enumerate(list(zip(free, held))[:4])]
    return rows + [("every frequency is higher with the orbiter free", "yes" if above else "no", "yes")]


# of models/robots/geared_joint.yaml: stiffness, play, static friction, gear ratio
GEAR = (4000.0, math.radians(0.5), 4.0, 100.0)


def geared_joint(flight):
    stiffness, play, friction, ratio = GEAR
    motor, arm = flight["joints_elbow_motor_rad"], flight["joints_elbow_rad"]
    slack = math.degrees(abs(motor[-1] / ratio - arm[-1]))
    most = math.degrees(0.5 * play + friction / stiffness)
    return [("arm behind the motor at the end, deg", f"{slack:.3f}",
             f"at most {most:.3f}: half the play, and the twist that friction holds"),
            ("motor from its reference at the end, deg", f"{abs(-1500 - math.degrees(motor[-1])):.1f}",
             "")]


def swinging_gripper(flight):
    names = [[f"frames_{side}_tip_position_{axis}_m" for axis in "xyz"] for side in ("left", "right")]
    worst = 0.0
    for row in range(len(flight.times)):
        apart = math.dist(*([flight[name][row] for name in side] for side in names))
        worst = max(worst, abs(apart - 0.04 - 2.0 * flight["joints_grip_m"][row]))
    at = flight.at(5.0)
    half = 0.5 * math.hypot(*(flight[f"joints_shoulder_{axis}_rad"][at] for axis in "xyz"))
    turned = 2.0 * math.acos(min(1.0, abs(flight["base_quaternion_w"][-1])))
    return [("attitude of the arm at 5 s, deg", f"{math.degrees(2.0 * half):.9f}", "60"),
            ("tips apart, less what the left finger says, at most, m", "below 1e-15" if worst < 1e-15 else f"{worst:.0e}", "below 1e-15"),
            ("base turned by the loop of attitudes, deg", f"{math.degrees(turned):.4f}", "")]


BRAKED = ("shoulder_roll", "shoulder_pitch", "upper_roll", "elbow")
PRESLIDING = 0.1  # mrad


def emergency_brake(flight):
    held, late = flight.at(5.0), flight.at(7.95)
    rows = []
    for joint in BRAKED:
        creep = 1e3 * abs(flight[f"joints_{joint}_rad"][late] - flight[f"joints_{joint}_rad"][held])
        rows.append((f"{joint} between 5 s and 7.95 s, mrad", f"{creep:.3f}",
                     f"at most {PRESLIDING:.3f}: what a brake yields before it slides"))
    return rows


def four_bars(flight):
    """Columns and beams of one angle: (c/3 + b) θ̈ = −(g/L) (c/2 + b) cos θ, c columns and b beams."""
    beams = int(flight.name.rsplit("_", 1)[1])
    columns = beams + 1
    rate = 9.81 * (columns / 2 + beams) / (columns / 3 + beams)

    def slope(angle, speed):
        return speed, -rate * math.cos(angle)

    angle, speed, steps = math.pi / 2 + 2 * math.pi / 3, 0.0, 40000
    h = flight.times[-1] / steps
    for _ in range(steps):
        a = slope(angle, speed)
        b = slope(angle + h / 2 * a[0], speed + h / 2 * a[1])
        c = slope(angle + h / 2 * b[0], speed + h / 2 * b[1])
        d = slope(angle + h * c[0], speed + h * c[1])
        angle += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        speed += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
    turned = flight["joints_column_0_rad"][-1]
    spread = max(abs(flight[f"joints_column_{i}_rad"][k] - flight["joints_column_0_rad"][k])
                 for i in range(1, columns) for k in range(len(flight.times)))
    return [("angle at the end, rad", f"{turned:.5f}", f"{angle - math.pi / 2:.5f}"),
            ("largest difference between columns, rad", f"{spread:.6f}", f"{0:.6f}")]


def four_bars_40(flight):
    """The row of four_bars, upright at the start and at 1 rad/s: no angle beside the one of all columns."""
    bars, columns = 40, 41
    inertia, weight = columns / 3 + bars, 9.81 * (columns / 2 + bars)
    angle, speed, steps = 0.0, -1.0, 40000
    h = flight.times[-1] / steps

    def slope(q, rate):
        return rate, weight * math.sin(q) / inertia

    for _ in range(steps):
        a = slope(angle, speed)
        b = slope(angle + h / 2 * a[0], speed + h / 2 * a[1])
        c = slope(angle + h / 2 * b[0], speed + h / 2 * b[1])
        d = slope(angle + h * c[0], speed + h * c[1])
        angle += h / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        speed += h / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
    spread = max(abs(flight[f"joints_column_{i}_rad"][k] - flight["joints_column_0_rad"][k])
                 for i in range(1, columns) for k in range(len(flight.times)))
    return [("angle at the end, rad", f"{flight['joints_column_0_rad'][-1]:.5f}", f"{angle:.5f}"),
            ("largest difference between columns, rad", f"{spread:.5f}", f"{0:.5f}")]


def andrews_squeezer(flight):
    """The reference solution of the Test Set for IVP Solvers at 0.03 s."""
    reference = {"beta": 15.81077119629904, "theta": -15.75637105984298, "gamma": 0.04082224013073101,
                 "phi": -0.5347301163226948, "delta": 0.5244099658805304, "omega": 0.5347301163226948,
                 "epsilon": 1.048080741042263}
    return [(f"{name} at the end, rad", f"{flight[f'joints_{name}_rad'][-1]:.8f}", f"{value:.8f}")
            for name, value in reference.items()]


def bricard(flight):
    """Joints of the ring turn in two groups of three, as the threefold symmetry asks."""
    first = [flight["joints_rod_1_rad"][-1], flight["joints_rod_3_rad"][-1], flight["joints_rod_5_rad"][-1]]
    return [("joint 3 less joint 1, rad", f"{abs(abs(first[1]) - abs(first[0])):.8f}", f"{0:.8f}"),
            ("joint 5 less joint 1, rad", f"{abs(abs(first[2]) - abs(first[0])):.8f}", f"{0:.8f}")]


def flyball_governor(flight):
    """Nothing turns the axis from outside."""
    spin = flight["angular_momentum_origin_y_kg_m2_s"]
    return [("angular momentum about the axis at the end, kg m²/s", f"{spin[-1]:.6f}", f"{spin[0]:.6f}")]


def stewart_platform(flight):
    """A satellite at rest that nothing pushes keeps no momentum, whatever the legs do."""
    momentum = max(abs(flight[f"linear_momentum_{axis}_kg_m_s"][-1]) for axis in "xyz")
    return [("linear momentum at the end, kg m/s", f"{momentum:.9f}", f"{0:.9f}")]


def scissor_deployment(flight):
    """Two cells of rods of 1.2 m whose feet are s apart are 2 √(1.2² − s²) high."""
    foot = flight["joints_guide_m"][-1]
    height = 2 * math.sqrt(1.2 ** 2 - foot ** 2)
    expected = math.hypot(foot - 0.4, height + 0.3)  # from the centroid of the satellite
    tip = math.dist(*([flight[f"{name}_{axis}_m"][-1] for axis in "xyz"]
                      for name in ("base_position", "frames_tip_position")))
    momentum = max(abs(flight[f"linear_momentum_{axis}_kg_m_s"][-1]) for axis in "xyz")
    return [("tip from the centroid of the satellite at the end, m", f"{tip:.6f}", f"{expected:.6f}"),
            ("linear momentum at the end, kg m/s", f"{momentum:.9f}", f"{0:.9f}")]


def rotation(w, x, y, z):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def docking(flight):
    """The docked pair turns as one body with the angular momentum of the start."""
    i = flight.at(75.0)
    spin = merged_spin(flight, i, [("robots_chaser_base", 300.0, (60.0, 45.0, 65.0)),
                                   ("robots_target_base", 500.0, (140.0, 110.0, 150.0))])
    turned = [flight[f"robots_chaser_base_angular_velocity_{axis}_rad_s"][i] for axis in "xyz"]
    speed = [flight["robots_chaser_base_velocity_y_m_s"][flight.at(t)] for t in (101.0, 120.0)]
    return [("spin of the docked pair, rad/s", ", ".join(f"{x:.7f}" for x in turned),
             ", ".join(f"{x:.7f}" for x in spin)),
            ("velocity of the chaser after parting, m/s", f"{speed[1]:.9f}", f"{speed[0]:.9f}")]


def merged_spin(flight, instant, bodies):
    """Angular velocity of bodies that move as one, from the angular momentum of the start.

    bodies: (name of the columns of position and attitude, mass, principal moments)
    """
    places = [[flight[f"{name}_position_{axis}_m"][instant] for axis in "xyz"] for name, _, _ in bodies]
    mass = sum(m for _, m, _ in bodies)
    centroid = [sum(m * r[k] for (_, m, _), r in zip(bodies, places)) / mass for k in range(3)]
    inertia = [[0.0] * 3 for _ in range(3)]
    for (name, m, own), place in zip(bodies, places):
        a = rotation(*(flight[f"{name}_quaternion_{axis}"][instant] for axis in "wxyz"))
        arm = [place[k] - centroid[k] for k in range(3)]
        square = sum(x * x for x in arm)
        for j in range(3):
            for k in range(3):
                inertia[j][k] += sum(a[j][n] * own[n] * a[k][n] for n in range(3))
                inertia[j][k] += m * ((square if j == k else 0.0) - arm[j] * arm[k])
    momentum = [flight[f"angular_momentum_centroid_{axis}_kg_m2_s"][0] for axis in "xyz"]
    return solve(inertia, momentum)


def capture_one_arm(flight):
    """With the brakes on the pair is one body with the angular momentum of the start."""
    i = flight.at(50.0)
    bodies = [("robots_chaser_base", 300.0, (60.0, 55.0, 65.0)), ("robots_target_base", 400.0, (100.0, 150.0, 180.0)),
              ("frames_chaser_turret_mass", 3.0, (0.02, 0.02, 0.02)), ("frames_chaser_upper_mass", 7.0, (0.03, 0.6, 0.6)),
              ("frames_chaser_lower_mass", 5.0, (0.02, 0.42, 0.42)), ("frames_chaser_hand_mass", 4.0, (0.02, 0.04, 0.04))]
    spin = merged_spin(flight, i, bodies)
    turned = [flight[f"robots_chaser_base_angular_velocity_{axis}_rad_s"][i] for axis in "xyz"]
    speed = [flight["robots_chaser_linear_momentum_x_kg_m_s"][flight.at(t)] / 319.0 for t in (75.0, 90.0)]
    before, after = (sum(flight[f"robots_{name}_linear_momentum_x_kg_m_s"][k] for name in ("chaser", "target"))
                     for k in (0, -1))
    return [("spin of the pair with the brakes on, rad/s", ", ".join(f"{x:.7f}" for x in turned),
             ", ".join(f"{x:.7f}" for x in spin)),
            ("linear momentum of both along x at the end, kg m/s", f"{after:.9f}", f"{before:.9f}"),
            ("velocity of the chaser along x after the release, m/s", f"{speed[1]:.9f}", f"{speed[0]:.9f}")]


def solve(matrix, right):
    """Three linear equations by Cramer's rule."""
    def determinant(m):
        return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
                - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))
    whole = determinant(matrix)
    return [determinant([[right[j] if k == column else matrix[j][k] for k in range(3)]
                         for j in range(3)]) / whole for column in range(3)]


def force_of_both_hands(flight, time):
    """What two hands exert on a crate of 40 kg, beside its mass times acceleration, inertial axes."""
    i = flight.at(time)
    step = flight.times[i + 1] - flight.times[i]
    velocity = [flight[f"robots_payload_base_velocity_{axis}_m_s"] for axis in "xyz"]
    expected = [40.0 * (v[i + 1] - v[i - 1]) / (2 * step) for v in velocity]
    force = [0.0] * 3
    for grasp, hand in (("left_grasp", "servicer_left_hand"), ("right_grasp", "servicer_right_hand")):
        a = rotation(*(flight[f"frames_{hand}_quaternion_{axis}"][i] for axis in "wxyz"))
        own = [flight[f"constraints_{grasp}_force_{axis}_N"][i] for axis in "xyz"]
        force = [force[j] + sum(a[j][k] * own[k] for k in range(3)) for j in range(3)]
    return (f"force of both hands on the crate after {time:.0f} s, N",
            *(", ".join(f"{round(x, 3) + 0.0:.3f}" for x in each) for each in (force, expected)))


def dual_arm_grasp(flight):
    """Nothing acts from outside."""
    momentum = max(abs(flight[f"linear_momentum_{axis}_kg_m_s"][-1]) for axis in "xyz")
    return [force_of_both_hands(flight, 10.0), ("linear momentum at the end, kg m/s", f"{momentum:.9f}", f"{0:.9f}")]


def dual_arm_transport(flight):
    """Place of the crate in the axes of the servicer, of two links of 0.8 m."""
    a = rotation(*(flight[f"robots_servicer_base_quaternion_{axis}"][-1] for axis in "wxyz"))
    d = [flight[f"robots_payload_base_position_{axis}_m"][-1] - flight[f"robots_servicer_base_position_{axis}_m"][-1]
         for axis in "xyz"]
    place = [sum(a[j][k] * d[j] for j in range(3)) for k in (0, 2)]
    upper, lower = math.radians(100), math.radians(20)
    expected = [0.6 + 0.8 * (math.cos(upper) + math.cos(lower)), 0.8 * (math.sin(upper) + math.sin(lower))]
    return [("crate from the servicer at the end, x and z, m", ", ".join(f"{x:.4f}" for x in place),
             ", ".join(f"{x:.4f}" for x in expected)),
            force_of_both_hands(flight, 8.0)]


def heavy_top(flight):
    """The axis is inclined by 60° and turns about the vertical by 3 rad/s."""
    i = flight.at(9.0)
    tip = [flight[f"frames_tip_position_{axis}_m"][i] for axis in "xyz"]
    ends = [0.4 * math.sin(math.pi / 3) * math.cos(27.0), 0.4 * math.sin(math.pi / 3) * math.sin(27.0),
            0.4 * math.cos(math.pi / 3)]
    return [("tip after 9 s, m", ", ".join(f"{x:.7f}" for x in tip),
             ", ".join(f"{x:.7f}" for x in ends)),
            ("spin after 9 s, rad/s", f"{flight['joints_pivot_z_rad_s'][i]:.7f}", f"{36.7:.7f}")]


def joint_types(flight):
    """No torque from outside; what dampers take is missing in the end."""
    spin = [math.hypot(*(flight[f"angular_momentum_centroid_{axis}_kg_m2_s"][i] for axis in "xyz"))
            for i in (0, -1)]
    lost = flight["energy_total_J"][0] - flight["energy_total_J"][-1]
    return [("angular momentum at the end, kg m²/s", f"{spin[1]:.9f}", f"{spin[0]:.9f}"),
            ("energy that is missing at the end, J", f"{lost:.7f}",
             f"{flight['dissipated_J'][-1]:.7f}: what the dampers took")]


def complete_elliptic_integral(k):
    """K(k) by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def gravity_gradient(flight):
    """Twice the angle is that of a pendulum: T = 4 K(sin of the amplitude) / √(3 (I_y − I_x)/I_z) n."""
    yaw, times = flight.yaw(), flight.times
    zeros = [times[i] - yaw[i] * (times[i + 1] - times[i]) / (yaw[i + 1] - yaw[i])
             for i in range(len(yaw) - 1) if yaw[i] * yaw[i + 1] < 0]
    period = 2 * (zeros[-1] - zeros[0]) / (len(zeros) - 1)
    n = math.sqrt(3.986004418e14 / (6378137 + 550e3) ** 3)
    rate = n * math.sqrt(3 * 10000 / 10017.7)
    expected = 4 * complete_elliptic_integral(math.sin(math.radians(20))) / rate
    return [("period of the libration, s", f"{period:.2f}", f"{expected:.2f}"),
            ("largest angle, degrees", f"{max(abs(angle) for angle in yaw):.4f}", f"{20:.4f}")]


def ets7_wheels(flight):
    """The whole has no angular momentum: wheels that stand still again have given back all of it."""
    largest = max(abs(angle) for row in flight.rpy() for angle in row)
    at_end = max(abs(angle) for angle in flight.rpy()[-1])
    speeds = [flight[f"joints_wheel_{axis}_rad_s"] for axis in "xyz"]
    fastest = max(abs(speed) for row in speeds for speed in row)
    end = max(abs(row[-1]) for row in speeds)
    without = flight.other("ets7_arm_slew")
    free = max(abs(angle) for row in without.rpy() for angle in row)
    return [("largest angle of the chaser, degrees", f"{largest:.2f}",
             f"below the {free:.2f} of the free chaser in ets7_arm_slew"),
            ("angle of the chaser at the end, degrees", f"{at_end:.2f}", f"{0:.2f}"),
            ("fastest wheel, rad/s", f"{fastest:.0f}", "at most 500, its momentum limit"),
            ("fastest wheel at the end, rad/s", f"{end:.1f}", f"{0:.1f}")]


def block_on_slope(flight):
    """A sliding block: a = g (sin α − μ cos α), friction −μ m g cos α over the distance."""
    angle, mu, end = math.radians(25.0), 0.3, flight.times[-1]
    down = [-math.cos(angle), 0.0, -math.sin(angle)]
    speed = sum(flight[f"base_velocity_{axis}_m_s"][-1] * down[k] for k, axis in enumerate("xyz"))
    way = sum((flight[f"base_position_{axis}_m"][-1] - flight[f"base_position_{axis}_m"][0]) * down[k]
              for k, axis in enumerate("xyz"))
    pull = 9.81 * (math.sin(angle) - mu * math.cos(angle))
    work = flight.summary["contacts"][0]["friction_work"]
    return [("acceleration, m/s²", f"{speed / end:.3f}", f"{pull:.3f}"),
            ("distance, m", f"{way:.3f}", f"{pull * end ** 2 / 2:.3f}"),
            ("work of friction, J", f"{work:.2f}", f"{-mu * 3 * 9.81 * math.cos(angle) * way:.2f}")]


def lander(flight):
    """It falls until a pad reaches the slope; at rest the pads carry the weight."""
    angle, azimuth = math.radians(8.0), math.radians(30.0)
    n = [-math.sin(angle) * math.cos(azimuth), -math.sin(angle) * math.sin(azimuth), math.cos(angle)]
    touches = []
    for x, y in ((1.4, 0.0), (-1.4, 0.0), (0.0, 1.4), (0.0, -1.4)):
        a = -1.62 / 2 * n[2]
        b = 0.3 * n[0] - 1.2 * n[2]
        c = n[0] * x + n[1] * y + n[2] * (2.2 - 1.4) - 0.15
        touches.append((-b - math.sqrt(b * b - 4 * a * c)) / (2 * a))
    names = ("front", "back", "left", "right")
    normal = sum(flight[f"contacts_{name}_normal_force_N"][-1] for name in names)
    speed = math.hypot(*(flight[f"base_velocity_{axis}_m_s"][-1] for axis in "xyz"))
    first = min(contact["first"] for contact in flight.summary["contacts"])
    momentum = sum(contact["impulse"] for contact in flight.summary["contacts"])
    return [("normal forces at the end, N", f"{normal:.1f}",
             f"{640 * 1.62 * math.cos(math.radians(8.0)):.1f}"),
            ("speed at the end, m/s", f"{speed:.6f}", f"{0:.6f}"),
            ("impulse of all pads, N s", f"{momentum:.0f}",
             f"{640 * math.cos(math.radians(8.0)) * 1.62 * flight.times[-1]:.0f} and what stopped it"),
            ("first touch, s", f"{first:.6f}", f"{min(touches):.6f}")]


def complete_elliptic(k):
    """K(k) by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1.0 - k * k)
    for _ in range(8):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def newtons_cradle(flight):
    """Equal masses exchange their velocities; the end balls swing like single pendulums."""
    omega = math.sqrt(0.5138 * 9.81 * 0.3 / (1.2845e-4 + 0.5138 * 0.3 ** 2))
    quarter = complete_elliptic(math.sin(math.radians(20.0))) / omega
    last = [math.degrees(angle) for angle in flight["joints_ball_5_rad"]]
    middle = max(abs(math.degrees(angle)) for name in "234" for angle in flight[f"joints_ball_{name}_rad"])
    contact = flight.summary["contacts"][0]
    return [("first impact, s", f"{contact['first']:.6f}", f"{quarter:.6f}"),
            ("highest angle of the last ball, degrees", f"{max(last):.1f}", f"{40:.1f}"),
            ("largest angle of the balls between, degrees", f"{middle:.1f}", f"{0:.1f}"),
            ("impacts", f"{contact['count']}", f"{int((flight.times[-1] / quarter + 1) / 2)}")]


def muses_touchdown(flight):
    """The tip falls until it reaches the slope; what the ground gives is what the momentum changes by."""
    angle, gravity, time = math.radians(20.0), 8.0e-5, flight.times[-1]
    n = [-math.sin(angle), 0.0, math.cos(angle)]
    fall = 1.775 - 0.525 - 1.0 - 0.1 / math.cos(angle)  # along the vertical
    touch = (-0.085 + math.sqrt(0.085 ** 2 + 2 * gravity * fall)) / gravity
    tip = flight.summary["contacts"][0]
    change = [flight[f"linear_momentum_{axis}_kg_m_s"][-1] - flight[f"linear_momentum_{axis}_kg_m_s"][0]
              for axis in "xyz"]
    change[2] += 440.0 * gravity * time
    level = run_level(flight)
    # horn and ground in series, each damper with its share of the stroke
    stiffness = 1 / (1 / 3000.0 + 1 / 2.0e4)
    loss = 460.0 * (stiffness / 3000.0) ** 2 + 100.0 * (stiffness / 2.0e4) ** 2
    damping = loss / (2 * math.sqrt(stiffness * 440.0))
    root = math.sqrt(1 - damping ** 2)
    restitution = math.exp(-damping / root * math.atan2(2 * damping * root, 2 * damping ** 2 - 1))
    return [("first touch, s", f"{tip['first']:.6f}", f"{touch:.6f}"),
            ("impulse of the normal force, N s", f"{tip['impulse']:.4f}",
             f"{sum(a * b for a, b in zip(n, change)):.4f}"),
            ("restitution on level ground", f"{level:.2f}",
             f"{restitution:.2f} for a horn without mass")]


def distance_to_mesh(path, point):
    """Least distance to the triangles of an OBJ file, one by one."""
    def minus(a, b):
        return [x - y for x, y in zip(a, b)]
    def dot(a, b):
        return sum(x * y for x, y in zip(a, b))
    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    corners, least = [], math.inf
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if words[0] == "v":
            corners.append([float(word) for word in words[1:]])
        if words[0] != "f":
            continue
        c = [corners[int(word) - 1] for word in words[1:]]
        normal = cross(minus(c[1], c[0]), minus(c[2], c[0]))
        over = True
        for k in range(3):
            edge, to = minus(c[(k + 1) % 3], c[k]), minus(point, c[k])
            share = max(0.0, min(1.0, dot(edge, to) / dot(edge, edge)))
            least = min(least, math.dist(to, [share * x for x in edge]))
            over = over and dot(normal, cross(edge, to)) >= 0
        if over:
            least = min(least, abs(dot(normal, minus(point, c[0]))) / math.sqrt(dot(normal, normal)))
    return least


def asteroid_touchdown(flight):
    """The tip starts 1.525 m below the centroid of the bus; the fall is that to a point mass."""
    start = [flight[f"base_position_{axis}_m"][0] for axis in "xyz"]
    gap = distance_to_mesh(flight.models / "terrains" / "asteroid.obj", [start[0], start[1], start[2] - 1.525])
    i = flight.at(1.0)
    def energy(k):
        place = [flight[f"base_position_{axis}_m"][k] for axis in "xyz"]
        speed = [flight[f"base_velocity_{axis}_m_s"][k] for axis in "xyz"]
        return sum(v * v for v in speed) / 2 - 2.3427 / math.hypot(*place), place
    (first, _), (_, place) = energy(0), energy(i)
    speed = math.hypot(*(flight[f"base_velocity_{axis}_m_s"][i] for axis in "xyz"))
    return [("gap below the tip at the start, m", f"{-flight['contacts_tip_depth_m'][0]:.6f}", f"{gap - 0.1:.6f}"),
            ("speed after 1 s, m/s", f"{speed:.6f}",
             f"{math.sqrt(2 * (first + 2.3427 / math.hypot(*place))):.6f}")]


def berthing(flight):
    """At the end, with the probe at rest, both are one body with the angular momentum of the start."""
    plate = 0.58 ** 2 * 499.0 / 500.0  # the plate is part of the base
    spin = merged_spin(flight, -1, [("robots_chaser_base", 300.0, (60.0, 45.0, 65.0)),
                                    ("frames_chaser_probe_mass", 2.0, (0.03, 0.002, 0.03)),
                                    ("robots_target_base", 500.0, (140.002 + plate, 110.004, 150.002 + plate))])
    turned = [flight[f"robots_target_base_angular_velocity_{axis}_rad_s"][-1] for axis in "xyz"]
    speed = [flight[f"robots_{name}_linear_momentum_y_kg_m_s"][-1] / mass
             for name, mass in (("chaser", 302.0), ("target", 500.0))]
    return [("spin of the pair at the end, rad/s", ", ".join(f"{x:.7f}" for x in turned),
             ", ".join(f"{x:.7f}" for x in spin)),
            ("velocity of both along y, weighted with their masses, m/s",
             f"{(302 * speed[0] + 500 * speed[1]) / 802:.9f}", f"{0.06 * 302 / 802:.9f}")]


def run_level(flight):
    """Speed after over speed before the touch of the same spacecraft on level ground."""
    level = flight.changed("level", "environment.terrain.angle=0")
    tip = level.summary["contacts"][0]
    after = level["linear_momentum_z_kg_m_s"][-1] / 440.0 + 8.0e-5 * (flight.times[-1] - tip["last"])
    return after / (0.085 + 8.0e-5 * tip["first"])


FACTS = {
    "newtons_cradle": newtons_cradle,
    "asteroid_touchdown": asteroid_touchdown, "berthing": berthing, "muses_touchdown": muses_touchdown, "capture_one_arm": capture_one_arm,
    "believed_payload": believed_payload,
    "a01_pendulum": a01_pendulum, "block_on_slope": block_on_slope, "lander": lander,
    "dzhanibekov": dzhanibekov, "emergency_brake": emergency_brake,
    "ets7_arm_slew": ets7_arm_slew, "ets7_arm_slew_modal": ets7_arm_slew_modal, "ets7_coast": ets7_coast,
    "docking": docking, "dual_arm_grasp": dual_arm_grasp, "dual_arm_transport": dual_arm_transport, "ets7_wheels": ets7_wheels, "four_bars_2": four_bars,
    "andrews_squeezer": andrews_squeezer, "bricard": bricard, "flyball_governor": flyball_governor,
    "four_bars_40": four_bars_40, "stewart_platform": stewart_platform,
    "geared_joint": geared_joint, "gravity_gradient": gravity_gradient, "heavy_top": heavy_top,
    "joint_types": joint_types,
    "planar_reorientation": planar_reorientation,
    "scissor_deployment": scissor_deployment, "swinging_gripper": swinging_gripper,
    "servicer_20": servicer, "servicer_150": servicer, "servicer_1500": servicer,
    "servicer_flight": servicer_flight, "spinning_boom": spinning_boom, "srms_mini_arm": srms,
    "srms_mini_arm_clamped": srms, "telescope_slew": telescope_slew,
    "telescope_slew_shaped": telescope_slew_shaped,
    **ELLIPTIC_FACTS,
    **ENCOUNTER_FACTS, **GEOSTATIONARY_FACTS, **HEAP_FACTS, **JITTER_FACTS, **KERB_FACTS, **MISSION_FACTS, **LANDING_FACTS, **OBLATE_FACTS, **SPACECRAFT_FACTS, **STATION_FACTS,
    **STEERING_FACTS, **TASK_FACTS, **TETHER_FACTS, **WALK_FACTS, **WHEEL_FACTS,
}

"""What flights of bodies in rigid contact must agree with."""

import csv
import math

from rolling_stone import RollingStone, dot

MASS, GRAVITY, LENGTH, HEIGHT = 3.5, 9.81, 0.24, 0.071
BRICKS = 8


def places(share):
    """Along the stack: each brick reaches beyond the one below by a share of what statics allows."""
    x = [0.0]
    for below in range(1, BRICKS):
        x.append(x[-1] + share * LENGTH / (2 * (BRICKS - below)))
    return x


def toppled(flight, share):
    """Whether the top brick falls where each reaches beyond the one below by another share."""
    sets = ["--set", "checks.energy_residual=1.0e-3"]  # bricks that tumble
    for i, x in enumerate(places(share)):
        z = HEIGHT / 2 + HEIGHT * i + 0.002 * (i + 1)
        sets += ["--set", f"robots.{i}.initial.base.position=[{x:.6g}, 0, {z:.6g}]"]
    folder = flight.work / "brick_stack_toppled"
    flight.run("simulate", flight.file, "-o", folder, "--force", "--format", "csv", "--no-report", "--no-progress", *sets)
    with open(folder / "brick_stack.csv", encoding="utf-8", newline="") as stream:
        last = list(csv.DictReader(line for line in stream if not line.startswith("#")))[-1]
    return float(last["robots_brick_8_base_position_z_m"]) < HEIGHT * (BRICKS - 1)


def brick_stack(flight):
    """Statics: weights, centroids over what bears them; what falls loses its energy."""
    weight = MASS * GRAVITY
    ground, stack = flight.summary["contacts"]
    top = flight[f"robots_brick_{BRICKS}_base_position_z_m"][-1]
    reach = flight[f"robots_brick_{BRICKS}_base_position_x_m"][-1] - flight["robots_brick_1_base_position_x_m"][-1]
    fastest = max(abs(flight[f"robots_brick_{i + 1}_base_velocity_{axis}_m_s"][-1])
                  for i in range(BRICKS) for axis in "xyz")
    beyond = "falls" if toppled(flight, 1.03) else "stands"
    return [("height of the top centroid, mm", f"{1e3 * top:.3f}", f"{1e3 * HEIGHT * (BRICKS - 0.5):.3f}"),
            ("top brick ahead of the lowest, mm", f"{1e3 * reach:.0f}", f"more than {1e3 * LENGTH:.0f}"),
            ("force on the ground, N", f"{flight['contacts_ground_normal_force_N'][-1]:.3f}", f"{BRICKS * weight:.3f}"),
            ("forces between bricks, N", f"{flight['contacts_stack_normal_force_N'][-1]:.3f}",
             f"{BRICKS * (BRICKS - 1) / 2 * weight:.3f}"),
            ("energy lost, J", f"{ground['energy_lost'] + stack['energy_lost']:.4f}",
             f"{weight * 0.002 * BRICKS * (BRICKS + 1) / 2:.4f}"),
            ("largest speed at the end, mm/s", f"{1e3 * fastest:.4f}", f"{0:.4f}"),
            ("with 1.03 of what statics allows", beyond, "falls")]


def wave_speed(times, columns):
    """Speed at which pieces 20 to 40 pass ten degrees, m/s."""
    passed = []
    for piece in (20, 40):
        x, y = (columns(f"robots_piece_{piece}_base_quaternion_{axis}") for axis in "xy")
        upright = [1 - 2 * (a * a + b * b) for a, b in zip(x, y)]
        limit = math.cos(math.radians(10))
        k = next(i for i, cosine in enumerate(upright) if cosine < limit)
        part = (upright[k - 1] - limit) / (upright[k - 1] - upright[k])
        passed.append(times[k - 1] + part * (times[k] - times[k - 1]))
    return 20 * 0.02 / (passed[1] - passed[0])


def another_wave(flight, name, push, *options):
    """The wave of a row whose first piece is pushed with so many rad/s, m/s."""
    folder = flight.work / name
    base = (f"robots.0.initial.base={{position: [0, 0, 0.024], velocity: [{push * 0.024:g}, 0, {push * 0.00375:g}], "
            f"angular_velocity: [0, {push:g}, 0]}}")
    flight.run("simulate", flight.file, "-o", folder, "--force", "--format", "csv", "--no-report", "--no-progress",
               "--set", base, *(word for option in options for word in ("--set", option)))
    with open(folder / "dominoes.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(line for line in stream if not line.startswith("#")))
    return wave_speed([float(row["time_s"]) for row in rows], lambda key: [float(row[key]) for row in rows])


def dominoes(flight):
    """The wave forgets its push, and is similar in another field: v² is in proportion to g."""
    speed = wave_speed(flight.times, flight.__getitem__)
    pushed = another_wave(flight, "dominoes_pushed", 9.0, "duration=1.2")
    slow = another_wave(flight, "dominoes_slow", 3.0, "duration=2.4", "environment.gravity=[0, 0, -2.4525]",
                        "integrator.step=0.001", "integrator.contact_tolerance=5.0e-7", "output.interval=0.01")
    fallen = sum(flight[f"robots_piece_{i}_base_position_z_m"][-1] < 0.02 for i in range(1, 51))
    return [("pieces that have fallen", f"{fallen}", "50"),
            ("speed of the wave, m/s", f"{speed:.2f}", f"{pushed:.2f}, pushed by 9 rad/s"),
            ("speed over √(g h)", f"{speed / math.sqrt(9.81 * 0.048):.2f}",
             f"{slow / math.sqrt(9.81 / 4 * 0.048):.2f}, in a quarter of g")]


def tippe_top(flight):
    """Friction at the point of contact keeps Jellett's integral: it decides the spin after the turn."""
    mass, inertia, radius, offset = 0.02, 3.2e-6, 0.02, 0.0025

    def axis(k):
        w, x, y, z = (flight["base_quaternion_" + part][k] for part in "wxyz")
        return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]

    def spin(k):
        return [flight[f"base_angular_velocity_{part}_rad_s"][k] for part in "xyz"]

    def jellett(k):
        arm = [offset * part for part in axis(k)]
        arm[2] -= radius
        return inertia * sum(a * b for a, b in zip(arm, spin(k)))

    tilt = math.acos(axis(-1)[2])
    left = jellett(0) / (inertia * (offset * math.cos(tilt) - radius))
    rise = offset * (axis(0)[2] - axis(-1)[2])
    lost = 0.5 * inertia * (180.0 ** 2 - left ** 2) - mass * GRAVITY * rise
    about = [sum(a * b for a, b in zip(axis(k), spin(k))) for k in (0, -1)]
    return [("Jellett's integral at the end, N m s m", f"{jellett(-1):.8e}", f"{jellett(0):.8e}"),
            ("tilt at the end, degrees", f"{math.degrees(tilt):.0f}", "more than 90"),
            ("spin at the end, rad/s", f"{spin(-1)[2]:.0f}", f"{left:.0f}"),
            ("sense about its own axis, before and after", f"{'+' if about[0] > 0 else '-'}, {'+' if about[1] > 0 else '-'}",
             "+, -"),
            ("centroid risen by, mm", f"{1e3 * (flight['base_position_z_m'][-1] - flight['base_position_z_m'][0]):.3f}",
             f"{1e3 * rise:.3f}"),
            ("work of friction, mJ", f"{1e3 * flight.summary['contacts'][0]['friction_work']:.1f}", f"{-1e3 * lost:.1f}")]


def rattleback(flight):
    """The stone rolls as equations of its own say, which know nothing of contacts."""
    stone = RollingStone([0.2, 0.03, 0.02], [0.0, 0.0, -0.01], 1.0,
                         [[2e-4, -2e-5, 0.0], [-2e-5, 1.6e-3, 0.0], [0.0, 0.0, 1.7e-3]], GRAVITY)
    roll = pitch = math.radians(0.5)
    vertical = [-math.sin(pitch), math.cos(pitch) * math.sin(roll), math.cos(pitch) * math.cos(roll)]
    state, h = [-5.0 * part for part in vertical] + vertical, 1.25e-4
    spins = [-5.0]
    for k in range(round(flight.times[-1] / h)):
        state = stone.step(state, h)
        if (k + 1) % 40 == 0:
            spins.append(dot(state[:3], state[3:]))
    found = flight["base_angular_velocity_z_rad_s"]
    turn = [next(k for k, spin in enumerate(row) if spin > 0.0) for row in (found, spins)]
    energy = flight["energy_total_J"]
    apart = max(abs(a - b) for a, b in zip(found, spins))
    change = abs(energy[-1] / energy[0] - 1)
    slip = max(abs(x) for x in flight["contacts_floor_slip_velocity_m_s"])
    at = [round(time / 0.005) for time in (1.0, 3.0, 6.0)]
    return [("first turning forwards after, s", f"{0.005 * turn[0]:.3f}", f"{0.005 * turn[1]:.3f}"),
            ("spin after 1, 3 and 6 s, rad/s", ", ".join(f"{found[k]:.4f}" for k in at),
             ", ".join(f"{spins[k]:.4f}" for k in at)),
            ("largest difference of the spins, rad/s", "below 1e-5" if apart < 1e-5 else f"{apart:.0e}", "below 1e-5"),
            ("fastest spin forwards, rad/s", f"{max(found):.4f}", f"{max(spins):.4f}"),
            ("largest slip, m/s", "below 1e-9" if slip < 1e-9 else f"{slip:.0e}", "below 1e-9"),
            ("change of the energy, as a part of it", "below 1e-7" if change < 1e-7 else f"{change:.0e}", "below 1e-7")]


def capture_two_arms(flight):
    """Momentum of both robots is that of the start; the joints come to rest, and the pair turns as one body."""
    end = len(flight.times) - 1
    names = ("chaser", "target")
    linear = [[sum(flight[f"robots_{name}_linear_momentum_{axis}_kg_m_s"][k] for name in names) for axis in "xyz"]
              for k in (0, end)]
    turning = [[flight[f"robots_{name}_base_angular_velocity_{axis}_rad_s"][end] for axis in "xyz"] for name in names]
    slowest = max(abs(flight[f"joints_chaser_{side}_{joint}_rad_s"][end]) for side in ("left", "right")
                  for joint in ("yaw", "shoulder", "elbow", "wrist"))
    drift = max(abs(a - b) for a, b in zip(*linear))
    made = [event["time"] for event in flight.summary["events"] if event["name"].endswith("latched")]
    return [("latches closed, s", ", ".join(f"{time:.4f}" for time in made), "once each, one after the other"),
            ("linear momentum of both along x at the end, kg m/s", f"{linear[1][0]:.9f}", f"{linear[0][0]:.9f}"),
            ("largest change of linear momentum, kg m/s", f"{drift:.0e}" if drift > 1e-10 else "below 1e-10", "below 1e-10"),
            ("spin of the chaser at the end, rad/s", ", ".join(f"{x:.4f}" for x in turning[0]),
             ", ".join(f"{x:.4f}" for x in turning[1]) + ", of the target"),
            ("fastest joint at the end, rad/s", f"{slowest:.4f}", "0.0000")]


HEAP_FACTS = {"capture_two_arms": capture_two_arms, "brick_stack": brick_stack, "dominoes": dominoes, "rattleback": rattleback,
              "tippe_top": tippe_top}

"""Facts of the scenarios with wheels: see scenario_facts.py."""

import math

from wheel_theory import Wheel, axle_forces, zero

# the soil of models/scenarios/wheel_test_bed.yaml, rover_stall.yaml and rover_arm.yaml
REGOLITH = {"cohesion": 800.0, "friction_angle": math.radians(37.2), "k_c": 1.37e3, "k_phi": 8.14e5,
            "exponent": 1.0, "shear_modulus_x": (0.036, 0.043), "a0": 0.4, "a1": 0.15, "lambda": 0.9}
LUNAR = {"cohesion": 170.0, "friction_angle": math.radians(35.0), "k_c": 1.4e3, "k_phi": 8.2e5,
         "exponent": 1.0, "shear_modulus_x": (0.0178, 0.0)}


def wheel_test_bed(flight):
    wheel = Wheel(0.09, 0.11, REGOLITH, math.radians(5))
    rows = []
    for time, slip in ((9.9, 0.0), (19.9, 0.1), (29.9, 0.2), (39.9, 0.5)):
        i = flight.at(time)
        sinkage, pull, torque = wheel.under_load(6.6 * 9.8, slip)
        rows += [(f"sinkage at slip {slip}, mm", f"{1e3 * flight['wheels_wheel_sinkage_m'][i]:.5f}",
                  f"{1e3 * sinkage:.5f}"),
                 (f"drawbar pull at slip {slip}, N",
                  f"{flight['wheels_wheel_drawbar_pull_N'][i]:.5f}", f"{pull:.5f}"),
                 (f"torque at slip {slip}, N m",
                  f"{flight['wheels_wheel_resistance_torque_N_m'][i]:.5f}", f"{torque:.5f}")]
    return rows


def rover_stall(flight):
    """Statics at slip 1 on an arc: both axles, each on its own slope, and the body between."""
    radius, base, weight = 6.0, 0.6, 40 * 9.81
    height, ahead = (15.6 * 0.1 + 0.4 * 0.06 + 16 * 0.1) / 40, -0.4 * 0.26 / 40  # of the centroid
    wheel = Wheel(0.09, 0.11, REGOLITH)

    def statics(slope):
        half = math.asin(0.5 * base / (radius - 0.07))
        slopes = (slope + half, slope - half)

        def loads_from(forces):
            """From the sum along z and the moment about the centroid, both wheels of an axle."""
            pitch = slope + math.atan((forces[1][0] - forces[0][0]) / base)
            rows = []
            for place, angle, (_, pull, torque) in zip((0.5 * base, -0.5 * base), slopes, forces):
                x = (place - ahead) * math.cos(pitch) + height * math.sin(pitch)
                z = (place - ahead) * math.sin(pitch) - height * math.cos(pitch)
                up = (-math.sin(angle), math.cos(angle))
                rows.append((up[1], z * up[0] - x * up[1], pull * math.sin(angle),
                             pull * (z * math.cos(angle) - x * math.sin(angle)) - torque))
            (a, c, p, q), (b, d, r, s) = rows
            lift, turn = weight / 2 - p - r, -q - s
            det = a * d - b * c
            return (lift * d - b * turn) / det, (a * turn - c * lift) / det

        forces, loads = axle_forces(wheel, 1.0, loads_from, (weight / 4, weight / 4))
        along = sum(pull * math.cos(angle) - load * math.sin(angle)
                    for (_, pull, _), load, angle in zip(forces, loads, slopes))
        return along, slope + math.atan((forces[1][0] - forces[0][0]) / base), forces

    slope = zero(lambda angle: statics(angle)[0], 0.42, 0.46)
    _, pitch, forces = statics(slope)
    got = -flight.rpy()[-1][1]
    moved = flight["base_position_x_m"][-1] - flight["base_position_x_m"][flight.at(50.0)]
    rows = [("pitch where it stalls, deg", f"{got:.2f}", f"{math.degrees(pitch):.2f}")]
    for name, (sinkage, _, _) in zip(("front", "rear"), forces):
        rows.append((f"sinkage of the {name} wheels there, mm",
                     f"{1e3 * flight[f'wheels_{name}_left_sinkage_m'][-1]:.2f}",
                     f"{1e3 * sinkage:.2f}"))
    return rows + [("moved in the last ten seconds, mm", f"{1e3 * moved:.1f}", "")]


def static_loads(flight, time):
    i = flight.at(time)
    return {name: flight[f"wheels_{name}_vertical_force_N"][i] for name in
            (f"{axle}_{side}" for axle in ("front", "middle", "rear") for side in ("left", "right"))
            if f"wheels_{name}_vertical_force_N" in flight.columns}


def rocker_bogie_loads():
    """One side on level ground: rocker and half the body about the bogie's pivot, then the bogie."""
    g, bogie = 3.72, -0.626
    front = g / (1.095 - bogie) * (225 * (-0.052 - bogie) + 35 * (0.148 - bogie)
                                   + 30 * (1.095 - bogie))
    below = 375 * g - front  # what the bogie's wheels carry
    arms = (-0.089 - bogie, -1.163 - bogie)
    turning = g * (30 * arms[0] + 30 * arms[1])
    middle = (turning - below * arms[1]) / (arms[0] - arms[1])
    return {"front": front, "middle": middle, "rear": below - middle}


def rocker_bogie_step(flight):
    got = static_loads(flight, 1.9)
    rows = [(f"load of a {name} wheel at rest, N", f"{got[name + '_left']:.0f}", f"{load:.0f}")
            for name, load in rocker_bogie_loads().items()]
    start, end = flight.at(1.9), len(flight.times) - 1
    climbed = flight["base_position_z_m"][end] - flight["base_position_z_m"][start]
    tilt = max(math.degrees(abs(flight["joints_rocker_left_rad"][i] + flight["joints_rocker_right_rad"][i]))
               for i in range(len(flight.times)))
    steepest = min(angles[1] for angles in flight.rpy())
    return rows + [("climbed in the end, m", f"{climbed:.4f}", "0.5000"),
                   ("sum of the rockers' angles, at most, deg", f"{tilt:.6f}", f"{0:.6f}"),
                   ("steepest pitch of the body, deg", f"{-steepest:.1f}", "")]


def rover_ditch(flight):
    """Geometry of rocker and bogie where one axle is at the bottom; tyres yield by their loads."""
    depth, stiffness, arm = 0.3, 6e4, math.hypot(1.721, 0.25)

    def angles(i, below):
        """Of the bogie and of the rocker, both against the horizon, rad."""
        drop = {name: flight[f"wheels_{name}_left_vertical_force_N"][i] / stiffness + (depth if name == below else 0)
                for name in ("front", "middle", "rear")}
        bogie = math.asin((drop["middle"] - drop["rear"]) / 1.074)
        pivot = 0.25 * math.cos(bogie) - (drop["middle"] + drop["rear"]) / 2
        return bogie, math.asin((pivot + drop["front"]) / arm) - math.asin(0.25 / arm)

    pitch = [rpy[1] for rpy in flight.rpy()]
    joint = [math.degrees(q) for q in flight["joints_bogie_left_rad"]]
    first, second, third = pitch.index(max(pitch)), joint.index(max(joint)), joint.index(min(joint))
    rows = [("pitch, front wheels at the bottom, deg", f"{pitch[first]:.1f}",
             f"{math.degrees(angles(first, 'front')[1]):.1f}")]
    for i, name in ((second, "middle"), (third, "rear")):
        bogie, rocker = angles(i, name)
        rows.append((f"bogie against rocker, {name} wheels at the bottom, deg", f"{joint[i]:.1f}",
                     f"{math.degrees(bogie - rocker):.1f}"))
    end = len(flight.times) - 1
    got = static_loads(flight, flight.times[end])
    rows += [(f"load of a {name} wheel behind the ditch, N", f"{got[name + '_left']:.0f}", f"{load:.0f}")
             for name, load in rocker_bogie_loads().items()]
    speed = flight["base_velocity_x_m_s"][end]
    least = min(flight[f"wheels_{name}_left_vertical_force_N"][i]
                for name in ("front", "middle", "rear") for i in range(flight.at(1.0), end))
    return rows + [("speed behind the ditch, m/s", f"{speed:.4f}", "0.2500"),
                   ("least load of a wheel, N", f"{least:.0f}", "")]


def rover_turn(flight):
    late = flight.at(30.0)
    rate = math.degrees(flight["base_angular_velocity_z_rad_s"][late])
    away = math.hypot(flight["base_position_x_m"][-1], flight["base_position_y_m"][-1])
    turned = sum((b - a + 180) % 360 - 180 for a, b in zip(flight.yaw(), flight.yaw()[1:]))
    return [("yaw rate, deg/s", f"{rate:.3f}", "10.000"), ("turned in all, deg", f"{turned:.1f}", "360.0"),
            ("from where it started, mm", f"{1e3 * away:.1f}", "0.0")]


def lunar_loads(forces, carried, spin_up):
    """Loads of both axles of the lunar vehicle, from those before and the forces of their wheels.

    spin_up: angular acceleration of the wheels, rad/s^2
    """
    mass, g, base = 700, 1.62, 2.3
    # springs carry what is above them; the body pitches with them and with the ruts
    springs = [(load - 25 * g) / 2400 for load in carried]
    rise = (forces[1][0] - springs[0]) - (forces[0][0] - springs[1])
    pitch = math.asin(rise / base)
    places = [x * math.cos(pitch) - q * math.sin(pitch)
              for x, q in zip((0.5 * base, -0.5 * base), springs)]
    heights = [x * math.sin(pitch) + q * math.cos(pitch)
               for x, q in zip((0.5 * base, -0.5 * base), springs)]
    ahead = (-600 * 0.25 * math.sin(pitch) + 50 * sum(places)) / mass
    above = (600 * 0.25 * math.cos(pitch) + 50 * sum(heights)) / mass
    moment = sum(2 * ((z - above) * one[1] - one[2]) for z, one in zip(heights, forces))
    moment -= 4 * 1.8 * spin_up
    rear = (mass * g * (places[0] - ahead) - moment) / (2 * (places[0] - places[1]))
    return mass * g / 2 - rear, rear


def lunar_drive(flight):
    """Constant acceleration on level ground: both axles pull; the pull and the torques load the rear."""
    mass, g, rim = 700, 1.62, 0.41 * 1.2
    wheel = Wheel(0.41, 0.23, LUNAR)

    def cruise(slip):
        acceleration, carried = rim * (1 - slip), [mass * g / 4] * 2

        def loads_from(forces):
            carried[:] = lunar_loads(forces, carried, 1.2)
            return tuple(carried)

        forces, loads = axle_forces(wheel, slip, loads_from, (mass * g / 4, mass * g / 4))
        return 2 * sum(one[1] for one in forces) - mass * acceleration, forces

    slip = zero(lambda s: cruise(s)[0], 0.15, 0.25)
    forces = cruise(slip)[1]
    i = flight.at(5.8)
    got = flight["wheels_front_left_slip"][i]
    rows = [("slip while it gains speed", f"{got:.4f}", f"{slip:.4f}")]
    for name, (sinkage, _, _) in zip(("front", "rear"), forces):
        rows.append((f"sinkage of the {name} wheels, mm",
                     f"{1e3 * flight[f'wheels_{name}_left_sinkage_m'][i]:.2f}", f"{1e3 * sinkage:.2f}"))
    flying = sum(flight["wheels_front_left_sinkage_m"][k] <= 0 for k in range(len(flight.times)))
    return rows + [("front wheels in the air, s", f"{0.02 * flying:.1f}", "")]


def slip_control(flight):
    """At 7 s: wheels turn at v/(1 - 0.2) less what their torque makes the drives lag; all pull gives speed."""
    mass, g, radius, inertia, damping, limit = 700, 1.62, 0.41, 1.8, 2000.0, 0.2
    wheel, i = Wheel(radius, 0.23, LUNAR), flight.at(7.0)
    speed = flight["base_velocity_x_m_s"][i]
    slips, loads, acceleration = [limit, limit], [mass * g / 4] * 2, 0.0
    for _ in range(60):
        forces = [wheel.under_load(load, slip) for load, slip in zip(loads, slips)]
        acceleration = 2 * sum(one[1] for one in forces) / mass
        spin_up = acceleration / (radius * (1 - limit))
        loads = lunar_loads(forces, loads, spin_up)
        slips = [1 - 1 / (1 / (1 - limit) - (one[2] + inertia * spin_up) * radius / (damping * speed))
                 for one in forces]
    rows = []
    for name, slip, load, one in zip(("front", "rear"), slips, loads, forces):
        got = {key: flight[f"wheels_{name}_left_{key}"][i] for key in
               ("slip", "sinkage_m", "vertical_force_N", "drawbar_pull_N")}
        rows += [(f"slip of the {name} wheels at 7 s", f"{got['slip']:.4f}", f"{slip:.4f}"),
                 (f"load of the {name} wheels, N", f"{got['vertical_force_N']:.2f}", f"{load:.2f}"),
                 (f"sinkage of the {name} wheels, mm", f"{1e3 * got['sinkage_m']:.3f}", f"{1e3 * one[0]:.3f}"),
                 (f"drawbar pull of the {name} wheels, N", f"{got['drawbar_pull_N']:.2f}", f"{one[1]:.2f}")]
    before, after = flight.at(6.9), flight.at(7.1)
    gained = flight["base_velocity_x_m_s"][after] - flight["base_velocity_x_m_s"][before]
    slip = max(slip for slip, v in zip(flight["wheels_front_left_slip"], flight["base_velocity_x_m_s"]) if v > 0.3)
    return rows + [("acceleration, m/s²", f"{gained / (flight.times[after] - flight.times[before]):.5f}",
                    f"{acceleration:.5f}"),
                   ("slip from 0.3 m/s on", f"at most {slip:.4f}", f"at most {limit:.4f}")]


def crab_drive(flight):
    """Rolling without slip: the direction of travel is that of the wheels, the heading stays."""
    start, end = flight.at(6.0), len(flight.times) - 1
    track = [[flight[f"base_position_{axis}_m"][k] for axis in "xyz"] for k in range(start, end + 1)]
    dx, dy = (track[-1][axis] - track[0][axis] for axis in (0, 1))
    duration = flight.times[end] - flight.times[start]
    loads = [sum(flight[f"wheels_{axle}_{side}_vertical_force_N"][k]
                 for axle in ("front", "rear") for side in ("left", "right")) for k in range(start, end + 1)]
    steered = [math.degrees(flight[f"joints_steer_{axle}_{side}_rad"][end])
               for axle in ("front", "rear") for side in ("left", "right")]
    headings = [rpy[2] for rpy in flight.rpy()[start:]]
    aslant = math.degrees(math.atan2(dy, dx)) - sum(headings) / len(headings)
    heights = [place[2] for place in track]
    return [("travel against the heading from 6 s on, deg", f"{aslant:.1f}", "25.0"),
            ("heading, deg", f"{min(headings):.1f} to {max(headings):.1f}", ""),
            ("speed in the plane, mean, m/s", f"{math.hypot(dx, dy) / duration:.3f}", "0.800"),
            ("steering of all wheels, deg", f"{min(steered):.1f} to {max(steered):.1f}", "25.0"),
            ("load of all wheels, mean, N", f"{sum(loads) / len(loads):.0f}", f"{700 * 1.62:.0f}"),
            ("up and down of the chassis, mm", f"{1e3 * (max(heights) - min(heights)):.0f}", "")]


def rover_arm(flight):
    """At rest: masses and places give the load of each axle; the roll hinge leaves the arm to the front."""
    g, roll = 3.72, math.radians(flight.rpy()[-1][0])
    angle = flight["joints_shoulder_pitch_rad"][-1]
    links = [(1.4, 0.09, 0.0), (1.2, 0.16, angle), (1.0, 0.16, angle)]
    angle += flight["joints_elbow_rad"][-1]
    links += [(1.0, 0.15, angle), (0.8, 0.15, angle), (0.7, 0.09, angle), (0.5, 0.1, angle), (2.0, 0.0, angle)]
    y, z = 0.0, 0.015
    arm = []
    for mass, length, angle in links:
        arm.append((mass, y + 0.5 * length * math.sin(angle), z + 0.5 * length * math.cos(angle)))
        y, z = y + length * math.sin(angle), z + length * math.cos(angle)
    front = (15.6 * 0.56 + 0.4 * 0.3 + 16 * 0.04 + 9.6 * 0.5 + 4 * 0.6) * g / 0.6  # about the rear axle
    # moments about the hinge; what is z above it leans out; loads act where the wheels touch
    turning = g * sum(mass * (y * math.cos(roll) - (z + 0.13) * math.sin(roll))
                      for mass, y, z in [*arm, (1.0, 0.0, 0.0), (15.6, 0.0, -0.09), (4.0, 0.0, -0.19)])
    below = (0.19 + 0.085 - 0.13) * math.sin(roll)
    more = (turning - front * below) / (0.5 * math.cos(roll))
    rear = (50.6 - 2 * 0.5) * g - front
    got = static_loads(flight, 10.0)
    wanted = {"front_left": front / 2 + more, "front_right": front / 2 - more,
              "rear_left": rear / 2, "rear_right": rear / 2}
    sink = [1e3 * flight[f"wheels_front_{side}_sinkage_m"][-1] for side in ("left", "right")]
    return [(f"load of the {name.replace('_', ' ')} wheel, N", f"{got[name]:.0f}", f"{load:.0f}")
            for name, load in wanted.items()] + \
        [("sinkage of the front wheels, mm", f"{sink[0]:.1f} and {sink[1]:.1f}", "")]


def rover_ruts(flight):
    """Level ground at a constant speed: all wheels slip alike and pull each other; statics, the rear in ruts."""
    base, weight = 0.6, 40 * 9.81
    height, ahead = (15.6 * 0.1 + 0.4 * 0.06 + 16 * 0.1) / 40, -0.4 * 0.26 / 40
    soil = {**REGOLITH, "unloading_modulus": (0.0, 5.0e8)}
    front_wheel, quarter = Wheel(0.09, 0.11, soil), weight / 4

    def statics(slip):
        loads = (quarter, quarter)
        for _ in range(60):
            forces = [front_wheel.under_load(loads[0], slip)]
            forces.append(Wheel(0.09, 0.11, soil, pressed=forces[0][0]).under_load(loads[1], slip))
            pitch = math.atan((forces[1][0] - forces[0][0]) / base)
            x = [(place - ahead) * math.cos(pitch) + height * math.sin(pitch) for place in (0.3, -0.3)]
            z = [(place - ahead) * math.sin(pitch) - height * math.cos(pitch) for place in (0.3, -0.3)]
            moment = sum(z_i * one[1] - one[2] for z_i, one in zip(z, forces))
            rear = (x[0] * weight / 2 - moment) / (x[0] - x[1])
            better = (weight / 2 - rear, rear)
            change, loads = abs(better[1] - loads[1]), better
            if change < 1e-9:
                break
        return forces[0][1] + forces[1][1], forces, loads

    slip = zero(lambda s: statics(s)[0], 0.01, 0.012)
    _, forces, loads = statics(slip)
    i = len(flight.times) - 1
    rows = [("slip of all wheels", f"{flight['wheels_front_left_slip'][i]:.4f}", f"{slip:.4f}")]
    for name, one, load in zip(("front", "rear"), forces, loads):
        got = {key: flight[f"wheels_{name}_left_{key}"][i] for key in
               ("sinkage_m", "drawbar_pull_N", "vertical_force_N", "resistance_torque_N_m")}
        rows += [(f"sinkage of the {name} wheels, mm", f"{1e3 * got['sinkage_m']:.3f}", f"{1e3 * one[0]:.3f}"),
                 (f"load of the {name} wheels, N", f"{got['vertical_force_N']:.2f}", f"{load:.2f}"),
                 (f"drawbar pull of the {name} wheels, N", f"{got['drawbar_pull_N']:.3f}", f"{one[1]:.3f}"),
                 (f"torque of the {name} wheels, N m", f"{got['resistance_torque_N_m']:.4f}", f"{one[2]:.4f}")]
    before = flight.at(5.0)
    return rows + [("sinkage of the rear wheels on untouched soil, mm",
                    f"{1e3 * flight['wheels_rear_left_sinkage_m'][before]:.3f}", "")]


def rover_path(flight):
    """Rolling without slip: a point that moves along its heading and turns after a target two metres on."""
    radius, step = 5.0, 0.01
    corner = [(3 + radius * math.sin(math.radians(a)), radius - radius * math.cos(math.radians(a)))
              for a in range(0, 91, 5)]
    corners, dots = [(0.0, 0.0), *corner, (8.0, 12.0)], []
    for (ax, ay), (bx, by) in zip(corners, corners[1:]):
        count = round(math.hypot(bx - ax, by - ay) / step)
        dots += [(ax + (bx - ax) * k / count, ay + (by - ay) * k / count) for k in range(count)]

    def nearest(x, y):
        return min(range(len(dots)), key=lambda k: math.hypot(dots[k][0] - x, dots[k][1] - y))

    x, y, heading, places, dt = -0.037, -0.3, 0.0, {}, 0.02
    for k in range(2001):
        places[k] = (x, y, math.degrees(heading))
        to = dots[min(nearest(x, y) + round(2.0 / step), len(dots) - 1)]
        dx, dy = to[0] - x, to[1] - y
        curvature = 2 * (dy * math.cos(heading) - dx * math.sin(heading)) / (dx * dx + dy * dy)
        ramp = min(max((k + 0.5) * dt - 1, 0) / 2, 1)
        moved = 0.4 * ramp ** 3 * (10 - 15 * ramp + 6 * ramp ** 2) * dt
        middle = heading + 0.5 * curvature * moved
        x, y, heading = x + moved * math.cos(middle), y + moved * math.sin(middle), heading + curvature * moved
    rows = []
    for time in (10.0, 20.0, 30.0, 40.0):
        i = flight.at(time)
        got = [flight[f"frames_middle_axle_position_{axis}_m"][i] for axis in "xy"]
        rows += [(f"x and y at {time:.0f} s, m", f"{got[0]:.2f}, {got[1]:.2f}",
                  f"{places[time / dt][0]:.2f}, {places[time / dt][1]:.2f}"),
                 (f"heading at {time:.0f} s, deg", f"{flight.rpy()[i][2]:.1f}", f"{places[time / dt][2]:.1f}")]
    rate = math.degrees(flight["base_angular_velocity_z_rad_s"][flight.at(21.0)])

    def within(track):
        return max(radius - math.hypot(x - 3, y - radius) for x, y in track)

    got = within((flight["frames_middle_axle_position_x_m"][k], flight["frames_middle_axle_position_y_m"][k])
                 for k in range(flight.at(14.0), flight.at(24.0)))
    wanted = within(places[k][:2] for k in range(700, 1200))
    return rows + [("yaw rate on the circle, deg/s", f"{rate:.2f}", f"{(places[1100][2] - places[1000][2]) / (100 * dt):.2f}"),
                   ("inside of the circle, at most, mm", f"{1e3 * got:.0f}", f"{1e3 * wanted:.0f}")]


def legged_wheels(flight):
    """A leg at rest: weights below each joint and the load of its wheel, which rolls freely, bend hip and knee."""
    g, stiffness, length, hip, knee = 9.81, 6000.0, 0.35, math.radians(64), math.radians(-128)
    thigh, shank, wheel, load = 3 * g, 2 * g, 2.5 * g, 70 * g / 4
    a, b = hip, knee
    for _ in range(50):
        at_knee, middle = length * math.sin(a), 0.5 * length * math.sin(a + b)
        beyond = shank * middle + 2 * (wheel - load) * middle
        a, b = hip - (0.5 * thigh * at_knee + (shank + wheel - load) * at_knee + beyond) / stiffness, \
            knee - beyond / stiffness
    height = 0.12 - load / 1e5 + length * (math.cos(a) + math.cos(a + b))
    loads = [flight[f"wheels_{end}_{side}_vertical_force_N"][-1]
             for end in ("front", "rear") for side in ("left", "right")]
    knees = [flight[f"joints_knee_{end}_left_rad"][-1] for end in ("front", "rear")]
    return [("height of the hips at the end, mm", f"{1e3 * flight['base_position_z_m'][-1]:.2f}",
             f"{1e3 * height:.2f}"),
            ("bend of hips at the end, deg", f"{math.degrees(flight['joints_hip_front_left_rad'][-1]):.3f}",
             f"{math.degrees(a):.3f}"),
            ("bend of knees at the end, mean, deg", f"{math.degrees(sum(knees) / 2):.2f}", f"{math.degrees(b):.2f}"),
            ("load of all wheels at the end, N", f"{sum(loads):.2f}", f"{70 * g:.2f}"),
            ("speed at the end, m/s", f"{flight['base_velocity_x_m_s'][-1]:.4f}", f"{0.5:.4f}"),
            ("greatest pitch, deg", f"{max(abs(rpy[1]) for rpy in flight.rpy()):.2f}", "")]


WHEEL_FACTS = {"legged_wheels": legged_wheels,
               "wheel_test_bed": wheel_test_bed, "rover_stall": rover_stall,
               "rocker_bogie_step": rocker_bogie_step, "rover_turn": rover_turn,
               "lunar_drive": lunar_drive, "rover_arm": rover_arm, "rover_ruts": rover_ruts,
               "rover_path": rover_path, "slip_control": slip_control, "crab_drive": crab_drive,
               "rover_ditch": rover_ditch}

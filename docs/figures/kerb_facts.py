"""Facts of rocker_bogie_kerb: see scenario_facts.py."""

import math

from wheel_facts import rocker_bogie_loads

RADIUS, STEP, GRAVITY, FRICTION = 0.25, 0.5, 3.72, 0.9
AXLES = ("front", "middle", "rear")


def turned(angle, x, z):
    """Of a pitch, nose up."""
    return x * math.cos(angle) - z * math.sin(angle), x * math.sin(angle) + z * math.cos(angle)


def bodies(heights):
    """Places of one side about the bogie's pivot, from the heights of its axles.

    Returns the axles, and masses with their places of rocker (with half the body) and of bogie.
    """
    bogie = math.asin((heights[1] - heights[2]) / 1.074)
    pivot = (heights[1] + heights[2]) / 2 + 0.25 * math.cos(bogie)
    rocker = math.asin((heights[0] - pivot) / math.hypot(1.721, 0.25)) + math.atan2(0.25, 1.721)
    axles = (turned(rocker, 1.721, -0.25), turned(bogie, 0.537, -0.25), turned(bogie, -0.537, -0.25))
    on_rocker = ((225, turned(rocker, 0.574, 0.35)), (35, turned(rocker, 0.774, 0.15)),
                 (5, turned(rocker, 1.721, -0.05)), (25, axles[0]))
    on_bogie = ((25, (0.0, 0.0)), (30, axles[1]), (5, turned(bogie, -0.537, -0.05)), (25, axles[2]))
    return axles, on_rocker, on_bogie


def solution(rows):
    """Of linear equations, each with its right side last; by elimination with the largest pivots."""
    rows = [list(row) for row in rows]
    for k in range(len(rows)):
        best = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i, row in enumerate(rows):
            if i != k:
                factor = row[k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(row, rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def at_the_face(axle, height, friction):
    """Normal forces of one side's wheels, and the friction that lifts the one of an axle at the face.

    Those before it are on top, those behind it on the floor, all sliding. Forces on the side and
    moments of rocker and bogie about the bogie's pivot are in balance: four equations.
    """
    heights = [STEP + RADIUS if k < axle else height if k == axle else RADIUS for k in range(3)]
    axles, on_rocker, on_bogie = bodies(heights)

    def column(k, force, touch):
        x, z = axles[k][0] + touch[0], axles[k][1] + touch[1]
        moment = x * force[1] - z * force[0]
        return (*force, moment if k == 0 else 0.0, 0.0 if k == 0 else moment)

    down, ahead = (0.0, -RADIUS), (RADIUS, 0.0)
    columns = [column(k, (-1.0, 0.0), ahead) if k == axle else column(k, (friction, 1.0), down)
               for k in range(3)]
    columns.append(column(axle, (0.0, 1.0), ahead))
    weights = [GRAVITY * sum(mass * x for mass, (x, _) in side) for side in (on_rocker, on_bogie)]
    columns.append((0.0, GRAVITY * sum(mass for mass, _ in on_rocker + on_bogie), *weights))
    return solution(zip(*columns))


def friction_needed(axle, height):
    """The least coefficient with which all wheels together keep an axle at a height on the face."""
    low, high = 0.3, 1.2
    for _ in range(60):
        middle = (low + high) / 2
        forces = at_the_face(axle, height, middle)
        low, high = (middle, high) if forces[3] > middle * forces[axle] else (low, middle)
    return low


def halfway(flight, axle, column):
    """Mean of a column while the left wheel of an axle touches the face near 0.375 m."""
    places = flight[f"contacts_{AXLES[axle]}_left_point_z_m"]
    inside = [i for i, z in enumerate(places) if abs(z - 0.375) < 0.05]
    return sum(flight[column][i] for i in inside) / len(inside)


def rocker_bogie_kerb(flight):
    start, end = flight.at(1.9), len(flight.times) - 1
    rows = [(f"load of a {name} wheel at rest, N",
             f"{flight[f'contacts_{name}_left_normal_force_N'][start]:.0f}", f"{load:.0f}")
            for name, load in rocker_bogie_loads().items()]
    for axle, name in enumerate(AXLES):
        forces = at_the_face(axle, 0.375, FRICTION)
        for what, column, force in (("force of", "normal_force", forces[axle]),
                                    ("friction that lifts", "friction", forces[3])):
            flown = halfway(flight, axle, f"contacts_{name}_left_{column}_N")
            rows.append((f"{what} a {name} wheel halfway up the face, N", f"{flown:.0f}",
                         f"{force:.0f}"))
    torque = halfway(flight, 0, "joints_wheel_rear_left_torque_N_m")
    sliding = FRICTION * at_the_face(0, 0.375, FRICTION)[2] * RADIUS
    rows.append(("torque of a rear wheel meanwhile, front ones halfway up, N m", f"{torque:.0f}",
                 f"{sliding:.0f}"))
    risen = flight["base_position_z_m"][end] - flight["base_position_z_m"][start]
    gained = flight["energy_gravity_J"][end] - flight["energy_gravity_J"][start]
    return rows + [("climbed in the end, m", f"{risen:.4f}", f"{STEP:.4f}"),
                   ("potential energy gained, J", f"{gained:.1f}", f"{750 * GRAVITY * STEP:.1f}"),
                   ("work of the drives, J", f"{flight['elements_drive_work_J'][end]:.0f}", "")]


KERB_FACTS = {"rocker_bogie_kerb": rocker_bogie_kerb}

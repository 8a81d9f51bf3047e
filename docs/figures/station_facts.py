"""Facts of station_berthing, see scenario_facts.py: tide, static torques and the path of the centroid by hand."""

import math

RATE = math.sqrt(3.986004418e14 / (6378137 + 408e3) ** 3)
TIDE = (3 * RATE ** 2, 0.0, -RATE ** 2)  # of what rests in Hill's frame


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def turn(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def about(axis, angle):
    c, s = math.cos(angle), math.sin(angle)
    i, k = (axis + 1) % 3, (axis + 2) % 3
    result = [[float(m == n) for n in range(3)] for m in range(3)]
    result[i][i] = result[k][k] = c
    result[i][k], result[k][i] = -s, s
    return result


def of_quaternion(w, x, y, z):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


# joint, its axis, its place on the link before, mass, centroid along x, inertia
ARM = [("shoulder_yaw", 0, (2.2, -6, 0), 100, 0.4, (5, 8, 8)), ("shoulder_pitch", 2, (0.8, 0, 0), 300, 3.5, (10, 1300, 1300)),
       ("elbow_pitch", 2, (7, 0, 0), 300, 3.5, (10, 1300, 1300)), ("wrist_pitch", 2, (7, 0, 0), 80, 0.3, (5, 5, 5)),
       ("wrist_yaw", 1, (0.6, 0, 0), 80, 0.3, (5, 5, 5)), ("wrist_roll", 0, (0.6, 0, 0), 80, 0.3, (5, 5, 5))]


class Posture:
    """Bodies (mass, inertia, attitude, centroid), vehicle first, and joints (place, axis) at a row of the flight."""

    def __init__(self, flight, row):
        at = lambda name: flight[name][row]
        robot = lambda name: ([at(f"robots_{name}_base_position_{axis}_m") for axis in "xyz"],
                              of_quaternion(*(at(f"robots_{name}_base_quaternion_{axis}") for axis in "wxyz")))
        place, attitude = robot("vehicle")
        self.bodies = [(12000, (3e4, 5e4, 5e4), attitude, place)]
        place, attitude = robot("station")
        self.bodies.append((60000, (1.6e6 + 10, 1.2e6 + 10, 8e5 + 10), attitude, place))
        self.joints = {}
        for name, axis, offset, mass, centroid, inertia in ARM:
            place = plus(place, turn(attitude, offset))
            attitude = times(attitude, about(axis, at(f"joints_station_{name}_rad")))
            self.joints[name] = (place, [row[axis] for row in attitude], len(self.bodies))
            self.bodies.append((mass, inertia, attitude, plus(place, turn(attitude, (centroid, 0, 0)))))
        self.mass = sum(body[0] for body in self.bodies)
        self.centroid = [sum(body[0] * body[3][i] for body in self.bodies) / self.mass for i in range(3)]

    def torque(self, point, bodies):
        """Of the tide about a point, less that of the acceleration that the centroid has."""
        total = [0.0, 0.0, 0.0]
        for mass, inertia, A, place in bodies:
            force = [mass * TIDE[i] * (place[i] - self.centroid[i]) for i in range(3)]
            total = plus(total, cross([a - b for a, b in zip(place, point)], force))
            half = sum(inertia) / 2
            spread = [[sum(A[i][k] * (half - inertia[k]) * A[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
            total = plus(total, [spread[i][k] * (TIDE[k] - TIDE[i]) for i, k in ((1, 2), (2, 0), (0, 1))])
        return total

    def shoulder_pitch(self):
        """What holds the arm beyond the joint and the vehicle against the tide."""
        place, axis, first = self.joints["shoulder_pitch"]
        held = self.torque(place, [self.bodies[0]] + self.bodies[first:])
        return -sum(a * b for a, b in zip(axis, held))


def drift(start, time):
    """Velocity of Clohessy and Wiltshire's solution from rest."""
    c, s = math.cos(RATE * time), math.sin(RATE * time)
    x, _, z = start
    return [3 * RATE * s * x, 6 * RATE * (c - 1) * x, -RATE * s * z]


def station_berthing(flight):
    held, end = flight.at(220.0), flight.times[-1]
    posture, first = Posture(flight, held), Posture(flight, 0)
    velocity = drift(first.centroid, end)
    rows = [(f"speed of the centroid at the end {where}, mm/s", f"{1000 * flight[f'linear_momentum_{axis}_kg_m_s'][-1] / first.mass:.3f}",
             f"{1000 * velocity[i]:.3f}") for i, (axis, where) in enumerate(
                 (("x", "outward"), ("y", "along the track"), ("z", "along the normal")))]
    rows.append(("torque of the shoulder against the tide after 220 s, N m",
                 f"{flight['joints_station_shoulder_pitch_torque_N_m'][held]:.2f}", f"{posture.shoulder_pitch():.2f}"))
    wheels = [flight[f"joints_station_wheel_{axis}_rad_s"] for axis in "xyz"]
    momentum = [10 * wheel[held] for wheel in wheels]
    gradient = posture.torque(posture.centroid, posture.bodies)
    expected = plus(gradient, [RATE * momentum[1], -RATE * momentum[0], 0.0])
    for i, axis in enumerate("xyz"):
        rate = 10 * (wheels[i][held + 5] - wheels[i][held - 5]) / (flight.times[held + 5] - flight.times[held - 5])
        rows.append((f"the wheel about {axis} takes up then, N m", f"{rate:.2f}", f"{expected[i]:.2f}"))
    angle = max(abs(2 * flight[f"robots_station_base_quaternion_{axis}"][i])
                for axis in "xyz" for i in range(len(flight.times)))
    latched = flight.at(1258.0)
    gap = flight["frames_vehicle_port_position_x_m"][latched] - flight["frames_station_port_position_x_m"][latched]
    return rows + [("gap of the ports before the latch, mm", f"{1000 * gap:.0f}", "10 on the path, more as the arm yields"),
                   ("largest angle of the station, degrees", f"{math.degrees(angle):.2f}", "below 0.5"),
                   ("fastest wheel, rad/s", f"{max(abs(speed) for wheel in wheels for speed in wheel):.0f}",
                    "at most 1000, its momentum limit")]


STATION_FACTS = {"station_berthing": station_berthing}

"""Check cases 1 and 2 of the NASA Engineering and Safety Center."""

import numpy as np

from support import Row, body, case, fly, matrix_from, model, section, shared_table

KEY = section("nesc", "NASA NESC check cases",
              "NASA/TM-2015-218675, series of nasa/simupy-flight (70754e6). The simulations differ: numbers are held against the "
              "one that agrees best with the others, sim_04 (12 digits); sim_02 is coarse, sim_05 and sim_06 have errors of "
              "integration of 5e-5 and 5e-3 deg/s in case 2.")
FOOT, SLUG = 0.3048, 0.45359237 * 9.80665 / 0.3048
RADIUS, RATE = 6378137.0, 7.292115e-05
EARTH = {"bodies": {"earth": {"mu": 398600441800000.0, "planet_radius": RADIUS, "j2": 0.00108262982}},
         "gravity_gradient": False}
INITIAL_AXES = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]], float)


def flight(mass, inertia, rates, interval):
    omega = np.deg2rad(rates)
    result = fly(model("vehicle", {"name": "vehicle", **body(mass, inertia)}, []), duration=30, interval=interval,
                 environment=EARTH,
                 initial={"base": {"position": [RADIUS + 30000 * FOOT, 0, 0],
                                   "velocity": [0, RATE * (RADIUS + 30000 * FOOT), 0],
                                   "matrix": INITIAL_AXES, "angular_velocity": INITIAL_AXES @ omega}},
                 integrator={"method": "dop853", "relative_tolerance": 1.0e-13, "absolute_tolerance": 1.0e-12})
    r, v = result["base/position"], result["base/velocity"]
    distance = np.linalg.norm(r, axis=1)
    down = -np.sum(r * v, axis=1) / distance
    east = (r[:, 0] * v[:, 1] - r[:, 1] * v[:, 0]) / np.hypot(r[:, 0], r[:, 1]) - RATE * np.hypot(r[:, 0], r[:, 1])
    return result, {"altitudeMsl_ft": (distance - RADIUS) / FOOT, "feVelocity_ft_s_Z": down / FOOT,
                    "feVelocity_ft_s_Y": east / FOOT}


def theirs(file, simulation, column):
    table = shared_table(f"nesc/{file}")
    return np.array([value for name, value in zip(table["simulation"], table[column]) if name == simulation])


@case(KEY, "nesc_1", "Check case 1: sphere dropped without drag, 30 s")
def sphere():
    _, ours = flight(SLUG, 3 * [3.6 * SLUG * FOOT**2], [0, 0, 0], 1.0)
    for column, quantity, unit, bound in (("altitudeMsl_ft", "altitude", "ft", 6e-7),
                                          ("feVelocity_ft_s_Z", "velocity down", "ft/s", 2e-9),
                                          ("feVelocity_ft_s_Y", "velocity east", "ft/s", 5e-11)):
        yield Row(f"{quantity}, 31 rows", unit, theirs("case_01.csv", "sim_04", column), ours[column], bound,
                  "digits of sim_04")


@case(KEY, "nesc_2", "Check case 2: tumbling brick, 30 s")
def brick():
    result, ours = flight(0.155404754 * SLUG, np.array([0.00189422, 0.006211019, 0.007194665]) * SLUG * FOOT**2,
                          [10, 20, 30], 0.5)
    yield Row("altitude, 61 rows", "ft", theirs("case_02.csv", "sim_04", "altitudeMsl_ft"), ours["altitudeMsl_ft"], 6e-7,
              "digits of sim_04")
    rates = np.array([matrix_from(q).T @ w for q, w in
                      zip(result["base/quaternion_wxyz"], result["base/angular_velocity"])])
    published = np.column_stack([theirs("case_02.csv", "sim_04", f"bodyAngularRateWrtEi_deg_s_{name}")
                                 for name in ("Roll", "Pitch", "Yaw")])
    yield Row("angular velocity in body axes, 61 rows", "deg/s", published, np.rad2deg(rates), 1e-9, "digits of sim_04")

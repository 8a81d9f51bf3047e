"""Joints of ADAMS as the tests of Project Chrono ship them."""

import numpy as np
import spacedyn as sd

from support import (AXES, TIGHT, Row, body, case, fly, from_rpy, ground, joint, link, matrix_from, model, robot_of,
                     section, shared_table, shared_yaml)

KEY = section("adams", "MSC ADAMS",
              "Joint library of ADAMS in the tests of Project Chrono (projectchrono/chrono, 7689fbc, BSD-3-Clause): 5 s under "
              "9.80665 m/s², seven digits printed. Differences are the largest over the rows of each series. Spherical 1 and "
              "Universal 1 and 2 are the same motion as Revolute 1, which ADAMS itself gives differently by 6e-4 m: those three "
              "are right to three digits only.")
GRAVITY = [0, 0, -9.80665]


def data(name):
    table = shared_table(f"adams_joints/{name.lower()}.csv")
    return {**{key: np.array(values) for key, values in table.items()},
            **{short: np.column_stack([table[c] for c in columns]) for short, columns in {
                "position": ["pos_x_m", "pos_y_m", "pos_z_m"], "velocity": ["vel_x_m_s", "vel_y_m_s", "vel_z_m_s"],
                "omega": ["omega_x_rad_s", "omega_y_rad_s", "omega_z_rad_s"],
                "quaternion": ["quat_w", "quat_x", "quat_y", "quat_z"]}.items()}}


def record(name):
    return shared_yaml("adams_joints/cases.yaml")["cases"][name]


def rows_of(name, result, force=None):
    """Rows at the instants of the source; frame `com` is the centroid, in the axes of the body."""
    theirs, verified = data(name), record(name)["verified"]
    rows = [int(np.argmin(np.abs(result.time - t))) for t in theirs["time_s"]]
    attitudes = result["frames/com/quaternion_wxyz"][rows]
    signs = np.sign(np.sum(attitudes * theirs["quaternion"], axis=1))[:, None]

    def bound(key, floor):
        return max(3 * verified.get(key, 0.0), floor)

    yield Row("place of the centroid", "m", theirs["position"], result["frames/com/position"][rows],
              bound("pos_m", 1e-6), "digits of ADAMS")
    yield Row("its velocity", "m/s", theirs["velocity"], result["frames/com/velocity"][rows], bound("vel_m_s", 5e-6),
              "digits of ADAMS")
    if "omega_rad_s" in verified:
        yield Row("angular velocity", "rad/s", theirs["omega"], result["frames/com/angular_velocity"][rows],
                  bound("omega_rad_s", 1e-6), "digits of ADAMS")
    if "quaternion" in verified:
        yield Row("attitude", "", theirs["quaternion"], signs * attitudes, bound("quaternion", 1e-6),
                  "digits of ADAMS")
    if force is not None:
        on_ground = -np.array([matrix_from(q) @ f for q, f in zip(attitudes, result[f"sensors/{force}/force"][rows])])
        yield Row("force on the ground", "N", np.column_stack([theirs[f"rforce_{axis}_N"] for axis in "xyz"]), on_ground,
                  bound("force_N", 1e-5), "digits of ADAMS")


def flown(description, name, channels=("frames", "frame_twists"), **scenario):
    return fly(description, duration=5, interval=0.01, channels=channels, environment={"gravity": GRAVITY}, name=name,
               **scenario)


def pendulum(name, first, *second, **more):
    """A body on a joint at a place of the ground; with `second` a massless link lies between."""
    p = record(name)["parameters"]
    rpy = np.deg2rad(p["joint_rotation_rpy_deg"])
    centroid = p.get("centroid_from_joint_in_body_axes", [0, 0, 0])
    inertial = body(p["mass"], p["inertia_about_centroid_body_axes"], centroid)
    links, carrier = [], "ground"
    place = {"xyz": p["joint_location"], "rpy": rpy}
    for i, (kind, axis) in enumerate((first, *second)):
        last = i == len(second)
        own = "body" if last else "cross"
        links.append(link(own, carrier, joint(kind, place["xyz"], axis, **({"rpy": place["rpy"].tolist()} if i == 0 else {}),
                                              **(more if last else {})),
                          **(inertial if last else {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]})))
        carrier, place = own, {"xyz": [0, 0, 0]}
    return model("adams", ground(), links, frames=[{"name": "com", "link": "body", "xyz": centroid}])


SENSOR = [{"type": "force_torque", "name": "reaction", "joint": "body", "sample_period": 0.01}]
MEASURED = ("frames", "frame_twists", "sensors")
Z = AXES["z"]


def add_pendulum(name, title, *joints, measured=True, **more):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        result = flown(pendulum(name, *joints, **more), name, MEASURED if measured else MEASURED[:2],
                       **({"sensors": SENSOR} if measured else {}))
        yield from rows_of(name, result, "reaction" if measured else None)


for NUMBER in (1, 2):
    add_pendulum(f"Revolute_Case0{NUMBER}", f"Revolute joint {NUMBER}", ("revolute", Z))
    add_pendulum(f"Spherical_Case0{NUMBER}", f"Spherical joint {NUMBER}", ("spherical", None))
    add_pendulum(f"Universal_Case0{NUMBER}", f"Universal joint {NUMBER}", ("revolute", AXES["x"]), ("revolute", AXES["y"]))
for NUMBER in (1, 2, 3):
    add_pendulum(f"Cylindrical_Case0{NUMBER}", f"Cylindrical joint {NUMBER}", ("cylindrical", Z))
    add_pendulum(f"Prismatic_Case0{NUMBER}", f"Prismatic joint {NUMBER}", ("prismatic", Z))
add_pendulum("RotSpring_Case01", "Spring and damper on a revolute joint", ("revolute", Z), stiffness=200.0, damping=10.0)


def free_body(name):
    """A body on a free joint and the points of a spring or rod; axes of the body at the start."""
    p = record(name)["parameters"]
    A = from_rpy(np.deg2rad(p["start_rotation_rpy_deg"]))
    start = np.array(p["start_centroid"], float)
    return model("adams", ground(),
                 [link("body", "ground", joint("free", start, matrix=A.tolist()),
                       **body(p["mass"], p["inertia_about_centroid_body_axes"]))],
                 frames=[{"name": "com", "link": "body"},
                         {"name": "anchor", "link": "ground", "xyz": p["ground_point"]},
                         {"name": "hook", "link": "body", "xyz": A.T @ (p["body_point_global_at_start"] - start)}]), p


def add_distance(name, title):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        description, p = free_body(name)
        length = float(np.linalg.norm(np.subtract(p["body_point_global_at_start"], p["ground_point"])))
        description["loops"] = [{"name": "rod", "type": "distance", "from": "anchor", "to": "hook", "length": length}]
        yield from rows_of(name, flown(description, name))


for NUMBER in (1, 2, 3):
    add_distance(f"Distance_Case0{NUMBER}", f"Rigid distance {NUMBER}")


def add_spring(name, title):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        description, p = free_body(name)
        spring = {"type": "spring_damper", "name": "spring", "from": "anchor", "to": "hook", "stiffness": p["stiffness"],
                  "damping": p["damping"],
                  "rest_length": float(np.linalg.norm(np.subtract(p["body_point_global_at_start"], p["ground_point"])))}
        yield from rows_of(name, flown(description, name, forces=[spring]))


def add_falling_spring(name, title):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        p = record(name)["parameters"]
        description = model("adams", ground(),
                            [link("body", "ground", joint("prismatic", axis=Z, stiffness=float(p["stiffness"]),
                                                          damping=float(p["damping"])),
                                  **body(p["mass"], p["inertia_about_centroid_body_axes"]))],
                            frames=[{"name": "com", "link": "body"}])
        yield from rows_of(name, flown(description, name))


for KIND, TITLE in (("TranSpring", "Spring and damper"), ("TranSpringCB", "Spring and damper by a callback")):
    add_falling_spring(f"{KIND}_Case01", f"{TITLE} 1, straight fall")
    add_spring(f"{KIND}_Case02", f"{TITLE} 2")


def add_crank(name, title):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        p = record(name)["parameters"]
        root, end, start = (np.array(p[key], float) for key in ("ground_point", "body_point_global_at_start",
                                                                 "start_centroid"))
        description = model("adams", ground(), [
            link("crank", "ground", joint("revolute", root, p["revolute_axis"]), mass=0.0, inertia=[0.0, 0.0, 0.0]),
            link("body", "crank", joint("spherical", end - root),
                 **body(p["mass"], p["inertia_about_centroid_body_axes"], start - end))],
            frames=[{"name": "com", "link": "body", "xyz": start - end}])
        yield from rows_of(name, flown(description, name))


for NUMBER in (1, 2):
    add_crank(f"RevSpherical_Case0{NUMBER}", f"Massless crank of revolute and spherical joint {NUMBER}")


def add_actuator(name, title):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        p = record(name)["parameters"]
        time = np.arange(-40.0, 46.0)  # its ends are far from the flight
        result = flown(pendulum(name, ("prismatic", Z)), name,
                       prescribed=[{"joint": "body", "reference": {"type": "table", "interpolation": "cubic", "time": time,
                                                                   "position": p["imposed_speed"] * time}}])
        yield from rows_of(name, result)


for NUMBER in (1, 2):
    add_actuator(f"LinActuator_Case0{NUMBER}", f"Linear actuator of constant speed {NUMBER}")


@case(KEY, "adams_rotspring_case02", "Nonlinear spring and damper on a revolute joint, −(50 + 10 |q|) q − 10 q̇")
def nonlinear_spring():
    name = "RotSpring_Case02"
    scenario = sd.make_scenario(robot_of(pendulum(name, ("revolute", Z))), duration=5, output={"interval": 0.01, "channels": ["frames", "frame_twists"]},
                                integrator=TIGHT, environment={"gravity": GRAVITY})

    def spring(now, loads):
        loads.tau[0] += -(50 + 10 * abs(now.q[0])) * now.q[0] - 10 * now.qd[0]

    scenario.add_force(sd.FunctionForce("spring", spring))
    yield from rows_of(name, sd.simulate(scenario))


def add_quadratic_spring(name, title):
    @case(KEY, f"adams_{name.lower()}", title)
    def rows():
        description, p = free_body(name)
        anchor = np.array(p["ground_point"], float)
        arm = np.subtract(p["body_point_global_at_start"], p["start_centroid"])  # inertial axes at the start
        length = float(np.linalg.norm(np.subtract(p["body_point_global_at_start"], anchor)))
        scenario = sd.make_scenario(robot_of(description), duration=5, integrator=TIGHT, environment={"gravity": GRAVITY},
                                    output={"interval": 0.01, "channels": ["frames", "frame_twists"]})
        start = []  # attitude of the first evaluation

        def spring(now, loads):
            frames, velocities = now.frames, now.velocities
            if not start:
                start.append(frames.A[-1])
            own = frames.A[-1] @ start[0].T @ arm
            line = frames.r[-1] + own - anchor
            along = line / np.linalg.norm(line)
            x = np.linalg.norm(line) - length
            rate = along @ (velocities.v[-1] + np.cross(velocities.omega[-1], own))
            force = -(p["stiffness"] * x + p["quadratic_stiffness"] * abs(x) * x + p["damping"] * rate) * along
            loads.force[:, -1] += force
            loads.moment[:, -1] += np.cross(own, force)

        scenario.add_force(sd.FunctionForce("spring", spring))
        yield from rows_of(name, sd.simulate(scenario))


for NUMBER in (3, 4):
    add_quadratic_spring(f"TranSpringCB_Case0{NUMBER}", f"Spring of a quadratic law and damper by a callback {NUMBER}")

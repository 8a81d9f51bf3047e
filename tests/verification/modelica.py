"""Reference results of the Modelica Standard Library."""

import numpy as np

from support import (AXES, Row, body, case, fly, ground, joint, link, matrix_from, model, section, shared_table)

KEY = section("modelica", "Modelica Standard Library",
              "Multibody examples with the series of modelica/MAP-LIB_ReferenceResults (d6a2b9b), computed by Dymola with DASSL "
              "at a tolerance of 1e-6: two to four digits can be trusted, the energy of its orbit wanders by 5e-4 of itself.")
GRAVITY = {"gravity": [0, -9.81, 0]}
LOOSE = {"method": "dop853", "relative_tolerance": 1.0e-11, "absolute_tolerance": 1.0e-12}
MASSLESS = {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]}
REASON = "errors of DASSL"


def columns(file, *names):
    table = shared_table(f"modelica/{file}.csv")
    return np.array(table["time"]), np.column_stack([table[name] for name in names])


def at_times(result, time, *names):
    rows = [int(np.argmin(np.abs(result.time - t))) for t in time]
    assert np.allclose(result.time[rows], time, atol=1e-9)
    return np.column_stack([result[name][rows] for name in names])


def flown(description, time, **more):
    step = float(np.min(np.diff(time)))
    return fly(description, duration=float(time[-1]), interval=step, integrator=LOOSE, **more)


def rod(r, diameter, density=7700.0):
    """A cylinder along r from the origin: mass, inertia about its centroid, centroid."""
    r = np.asarray(r, float)
    length = np.linalg.norm(r)
    mass = density * np.pi * diameter**2 * length / 4
    along, across = mass * diameter**2 / 8, mass * (length**2 + 3 * diameter**2 / 4) / 12
    e = r / length
    return body(mass, along * np.outer(e, e) + across * (np.eye(3) - np.outer(e, e)), r / 2)


@case(KEY, "double_pendulum", "Double pendulum with a damper, 3 s")
def double_pendulum():
    mass = 7700 * 0.5 * 0.06**2
    inertia = mass / 12 * np.array([2 * 0.06**2, 0.5**2 + 0.06**2, 0.5**2 + 0.06**2])
    description = model("pendulum", ground(), [
        link("upper", "ground", joint("revolute", axis=AXES["z"], damping=0.1), **body(mass, inertia, [0.25, 0, 0])),
        link("lower", "upper", joint("revolute", [0.5, 0, 0], AXES["z"]), **body(mass, inertia, [0.25, 0, 0]))])
    time, theirs = columns("doublependulum", "revolute1.phi", "revolute2.phi")
    result = flown(description, time, environment=GRAVITY)
    yield Row(f"angles, {len(time)} rows", "rad", theirs, at_times(result, time, "joints_upper_rad", "joints_lower_rad"),
              2e-2, REASON)


@case(KEY, "free_body", "Free body on two springs")
def free_body():
    turn = [np.deg2rad(10)] * 3
    description = model("body", ground(), [
        link("body", "ground", joint("free", [0.2, -0.5, 0.1], twist=turn), **body(1, [1, 1, 1], [0.2, 0, 0]))],
        frames=[{"name": "a", "link": "body"}, {"name": "b", "link": "body", "xyz": [0.4, 0, 0]},
                {"name": "hook", "link": "ground", "xyz": [0.8, 0, 0]}])
    time, theirs = columns("freebody", *(f"body.body.frame_a.r_0[{i}]" for i in (1, 2, 3)))
    _, rates = columns("freebody", *(f"body.body.w_a[{i}]" for i in (1, 2, 3)))
    spring = {"type": "spring_damper", "stiffness": 20.0, "damping": 0.0, "rest_length": 0.0}
    result = flown(description, time, environment=GRAVITY, channels=["frames", "frame_twists"],
                   forces=[{**spring, "name": "first", "from": "ground", "to": "a"},
                           {**spring, "name": "second", "from": "hook", "to": "b"}])
    rows = [int(np.argmin(np.abs(result.time - t))) for t in time]
    yield Row(f"place, {len(time)} rows", "m", theirs, result["frames/a/position"][rows], 6e-4, REASON)
    omega = np.array([matrix_from(q).T @ w for q, w in zip(result["frames/a/quaternion_wxyz"][rows],
                                                           result["frames/a/angular_velocity"][rows])])
    yield Row("angular velocity in its axes", "rad/s", rates, omega, 1e-6, REASON)


@case(KEY, "point_gravity", "Two bodies in the field of a point")
def point_gravity():
    for number, velocity, place, bound in ((1, 1.0, [0, 0.6, 0], 1e-3), (2, 0.6, [0.6, 0.6, 0], 1.5e-2)):
        time, theirs = columns("pointgravity", *(f"body{number}.frame_a.r_0[{i}]" for i in (1, 2, 3)))
        result = flown(model("point", {"name": "point", **body(1, [1, 1, 1])}, []), time,
                       environment={"bodies": {"sun": {"mu": 1.0}}, "gravity_gradient": False},
                       initial={"base": {"position": place, "velocity": [velocity, 0, 0]}})
        rows = [int(np.argmin(np.abs(result.time - t))) for t in time]
        yield Row(f"place of body {number}, {len(time)} rows", "m", theirs, result["base/position"][rows], bound, REASON)


@case(KEY, "spring_pendulum", "Pendulum on a spring and damper")
def spring_pendulum():
    description = model("pendulum", ground(), [
        link("arm", "ground", joint("revolute", [0.3, 0, 0], AXES["z"]), **MASSLESS),
        link("bob", "arm", joint("prismatic", axis=AXES["x"]), **body(1, [1, 1, 1]))],
        frames=[{"name": "pivot", "link": "arm"}])
    time, theirs = columns("pendulumwithspringdamper", "prismatic.s", "revolute.phi")
    result = flown(description, time, environment=GRAVITY, initial={"joints": {"bob": {"position": 0.5}}},
                   forces=[{"type": "spring_damper", "name": "spring", "from": "pivot", "to": "bob", "stiffness": 20.0,
                            "damping": 1.0, "rest_length": 0.2}])
    yield Row(f"slide and angle, {len(time)} rows", "m, rad", theirs,
              at_times(result, time, "joints_bob_m", "joints_arm_rad"), 6e-3, REASON)


@case(KEY, "fourbar1", "Fourbar1: spatial four-bar with a spherical joint")
def fourbar():
    r1, r2, r3 = np.array([0, 0.5, 0.1]), np.array([0, 0.2, 0]), np.array([-1, 0.3, 0.1])
    description = model("fourbar", ground(), [
        link("b1", "ground", joint("revolute", axis=AXES["x"]), **rod(r1, 0.05)),
        link("b2", "ground", joint("prismatic", [1.2, 0, 0], AXES["x"]), **rod(r2, 0.05)),
        link("turn", "b2", joint("revolute", r2, AXES["y"]), **MASSLESS),
        link("b3", "turn", joint("revolute", axis=AXES["z"]), **rod(r3, 0.05))],
        frames=[{"name": "end_1", "link": "b1", "xyz": r1}, {"name": "end_3", "link": "b3", "xyz": r3}],
        loops=[{"name": "ball", "type": "spherical", "from": "end_1", "to": "end_3"}])
    time, theirs = columns("fourbar1", "j1.phi")
    result = flown(description, time, environment=GRAVITY,
                   initial={"joints": {"b1": {"velocity": 5.235987755982988}, "b2": {"position": -0.2}}, "assemble": True,
                            "hold": ["b1"]})
    yield Row(f"crank angle, {len(time)} rows", "rad", theirs, at_times(result, time, "joints_b1_rad"), 2e-2, REASON)


@case(KEY, "gyroscope", "Gyroscope on a spherical joint, 2 s", "The motion amplifies errors: three digits until 2 s.")
def gyroscope():
    description = model("gyroscope", ground(), [
        link("arm", "ground", joint("spherical"), **rod([0.25, 0, 0], 0.05)),
        link("rotor", "arm", joint("revolute", [0.25, 0, 0], AXES["x"], twist=[0.0, np.pi / 4, 0.0]),
             **{**rod([0.2, 0, 0], 0.1), "center_of_mass": [0.0, 0.0, 0.0]})])
    time, theirs = columns("gyroscopiceffects", "revolute.phi")
    early = time <= 2
    result = flown(description, time[early], environment=GRAVITY, initial={"joints": {"rotor": {"velocity": 10.0}}})
    yield Row(f"angle of the rotor, {int(np.sum(early))} rows", "rad", theirs[early],
              at_times(result, time[early], "joints_rotor_rad"), 2e-2, REASON)

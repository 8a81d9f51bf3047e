"""Numbers in the unit tests of Pinocchio."""

import numpy as np

from support import Row, body, case, evaluate, ground, joint, link, model, section, shared_yaml

KEY = section("pinocchio", "Pinocchio",
              "Unit tests of Pinocchio (stack-of-tasks/pinocchio, c51d923, BSD-2-Clause). The humanoid's torques were computed "
              "by RBDL and printed with ten digits.")


def humanoid():
    """The model of simple_humanoid: 29 joints on a floating waist."""
    bodies = shared_yaml("pinocchio.yaml")["simple_humanoid"]["bodies"]
    root = bodies[0]
    return model("humanoid", {"name": root["name"], **body(root["mass"], root["inertia"], root["centroid"])},
                 [link(part["name"], part["parent"], joint("revolute", part["origin"], part["axis"], name=part["joint"]),
                       **body(part["mass"], part["inertia"], part["centroid"])) for part in bodies[1:]])


# largest rounding of the print: ten digits of the largest number
HUMANOID = {"test_000": 1e-12, "test_0V0": 1e-6, "test_0VA": 1e-6, "test_Q00": 1e-6, "test_QVA": 1e-6}


def add_humanoid(name, bound):
    @case(KEY, f"humanoid_{name[5:].lower()}", f"Inverse dynamics of a floating humanoid, 6 + 29 coordinates, {name[5:]}")
    def rows():
        data = shared_yaml("pinocchio.yaml")["simple_humanoid"]
        numbers = data["cases"][name]
        k = np.arange(29) + 6
        order = data["order_of_joints"]
        state = {key: dict(zip(order, k * numbers[factor])) for key, factor in (("q", "cq"), ("qd", "cv"), ("qdd", "ca"))}
        answer = evaluate(humanoid(), {**state, "gravity": data["gravity"], "r0": data["bodies"][0]["centroid"]})
        force = np.array(answer["inverse_dynamics"])
        # theirs: moment about the origin of the base frame, joints in their order
        moment = force[3:6] + np.cross(data["bodies"][0]["centroid"], force[:3])
        torque = dict(zip(answer["joint_order"], force[6:]))
        yield Row("force and moment on the base, torques", "N, N m", numbers["expected"],
                  np.concatenate([force[:3], moment, [torque[j] for j in order]]), bound,
                  "exact" if name == "test_000" else "digits printed")


for NAME, BOUND in HUMANOID.items():
    add_humanoid(NAME, BOUND)

SPHERICAL = [
    ([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, -4.905, 0], [[1.25, 0, 0], [0, 1.25, 0], [0, 0, 1]]),
    ([1, 1, 1], [1, 1, 1], [1, 1, 1], [-0.53611600195085, -0.74621832606188, -0.38177329067604],
     [[1.0729816454316, 0, -0.8414709848079], [0, 1.25, 0], [-0.8414709848079, 0, 1]]),
    ([3, 2, 1], [1, 1, 1], [1, 1, 1], [0.73934458094049, 2.7804530848031, 0.50684940972146],
     [[1.043294547392, 0, -0.90929742682568], [0, 1.25, 0], [-0.90929742682568, 0, 1]])]


def add_spherical(number, q, qd, qdd, tau, H):
    @case(KEY, f"spherical_zyx_{number}", f"Rotations z, y, x at q = {tuple(q)}: torques and inertia matrix")
    def rows():
        links = []
        for i, axis in enumerate(([0, 0, 1], [0, 1, 0], [1, 0, 0])):
            inertial = body(1, [1, 1, 1], [0.5, 0, 0]) if i == 2 else {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]}
            links.append(link(f"b{i}", links[-1]["name"] if links else "ground", joint("revolute", axis=axis), **inertial))
        answer = evaluate(model("spherical", ground(), links), {"q": q, "qd": qd, "qdd": qdd, "gravity": [0, 0, -9.81]})
        yield Row("torques", "N m", tau, answer["inverse_dynamics"][6:], 1e-13, "14 digits printed")
        yield Row("inertia matrix", "kg m²", H, np.array(answer["H"])[6:, 6:], 1e-13, "13 digits printed")


for NUMBER, CASE in enumerate(SPHERICAL, 1):
    add_spherical(NUMBER, *CASE)

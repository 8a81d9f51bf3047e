"""Reactions of SD/FAST in the tests of Simbody."""

import numpy as np

from support import AXES, Row, body, case, fly, ground, joint, link, model, rotation, section

KEY = section("sd_fast", "SD/FAST",
              "Joint reactions in the tests of Simbody (simbody/simbody, f312d0d, Apache-2.0), computed by SD/FAST: moment and "
              "force of the joint on the body, at the joint's point, in the axes of the body. Six decimals are printed.")
INERTIA = [[0.1, 0.01, 0.01], [0.01, 0.1, 0.01], [0.01, 0.01, 0.1]]


def mechanism(bodies, inertias, frames=()):
    """A tree of bodies (name, parent, joint, mass, inboard, outboard), centroids at their origins."""
    outboards = {"ground": np.zeros(3)}
    links, last = [], {"ground": "ground"}
    for (name, parent, kind, mass, inboard, outboard), inertia in zip(bodies, inertias):
        outboards[name] = np.array(outboard, float)
        at = np.array(inboard) - outboards[parent]
        inertial = body(mass, inertia, -outboards[name])
        if kind == "gimbal":
            carrier = last[parent]
            for axis in "xyz":
                own = name if axis == "z" else f"{name}_{axis}"
                links.append(link(own, carrier, joint("revolute", at, AXES[axis]),
                                  **(inertial if axis == "z" else {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]})))
                carrier, at = own, np.zeros(3)
        else:
            links.append(link(name, last[parent], joint("revolute" if kind == "pin" else "prismatic", at,
                                                        AXES["z" if kind == "pin" else "x"]), **inertial))
        last[name] = name
    return model("mechanism", ground(), links, frames=list(frames))


def reactions(description, bodies, gravity, joints, **scenario):
    """Moment and force on each body at t = 0."""
    result = fly(description, duration=1e-6, channels=["sensors"], environment={"gravity": gravity},
                 initial={"joints": joints},
                 sensors=[{"type": "force_torque", "name": f"at_{name}", "at": name, "sample_period": 1.0}
                          for name, *_ in bodies], **scenario)
    return np.array([np.concatenate([result[f"sensors/at_{name}/torque"][0], result[f"sensors/at_{name}/force"][0]])
                     for name, *_ in bodies])


def angles_xyz(R):
    return [np.arctan2(-R[1, 2], R[2, 2]), np.arcsin(R[0, 2]), np.arctan2(-R[0, 1], R[0, 0])]


def turned(*steps):
    R = np.eye(3)
    for axis, angle in steps:
        R = R @ rotation(axis, angle)
    return R


def gimbal(name, angles=(0, 0, 0), rates=(0, 0, 0)):
    own = (f"{name}_x", f"{name}_y", name)
    return {joint_name: {"position": float(a), "velocity": float(v)} for joint_name, a, v in zip(own, angles, rates)}


TREE = [("b1", "ground", "slider", 10, [0, 0, 0], [0, 0, 0]), ("b2", "b1", "pin", 20, [0.1, 0.1, 0], [0, -0.2, 0]),
        ("b3", "b2", "gimbal", 20, [0, 0.2, 0], [0, -0.2, 0]), ("b4", "b3", "pin", 30, [0, 0.2, 0], [0, -0.2, 0])]
TREE_CASES = {
    "a": ("all coordinates zero", lambda: {},
          [[0, 0, 68.6, 0, 784, 0], [0, 0, 0, 0, 686, 0], [0, 0, 0, 0, 490, 0], [0, 0, 0, 0, 294, 0]]),
    "b": ("at rest, turned", lambda: {"b1": {"position": 1.0}, "b2": {"position": 0.5}, "b4": {"position": -0.5},
                                      **gimbal("b3", angles_xyz(turned(("z", 0.2), ("x", -0.1), ("y", 2.0))))},
          [[1.647327, 0.783211, 34.088183, 0, 359.274099, 3.34238], [1.688077, 0.351125, 0, 55.399123, 267.45557, 3.34238],
           [0, 0, 0, -17.757553, 174.663042, -11.383057], [0.91089, 0.082353, 0, -13.977214, 74.444715, 4.943682]]),
    "c": ("moving", lambda: {"b2": {"velocity": 1.0}, "b4": {"velocity": 5.0}, **gimbal("b3", rates=(3, 4, 2))},
          [[-13.549253, 2.723897, -6.355912, 0, 34, -27.088584], [-10.840395, 0.015039, 0, -0.440882, -64, -27.088584],
           [0, 0, 0, 0.692814, -256, -27.088584], [3.27693, -0.281928, 0, 3.796164, -372, 21.472977]])}


def add_tree(name, title, joints, expected):
    @case(KEY, f"sd_fast_tree_{name}", f"Reactions in a tree of slider, pin, gimbal and pin, {title}")
    def rows():
        ours = reactions(mechanism(TREE, [INERTIA] * 4), TREE, [0, -9.8, 0], joints())
        yield Row("moments and forces on the bodies", "N m, N", expected, ours, 1e-6, "decimals printed")


for NAME, (TITLE, JOINTS, EXPECTED) in TREE_CASES.items():
    add_tree(NAME, TITLE, JOINTS, EXPECTED)

LEG = [("femur", "ground", "pin", 8.806, [0, -0.07, 0.0935], [0.002, 0.1715, 0]),
       ("tibia", "femur", "slider", 3.51, [0.0033, -0.2294, 0], [0, 0.1862, 0])]
LEG_INERTIAS = [[0.1268, 0.0332, 0.1337], [0.0477, 0.0048, 0.0484]]
LEG_CASES = {
    "a": ("straight", {}, [[0, 0, 0, 0.438079, 120.773069, 0], [0, 0, 0.01404, 0, 34.422139, 0]]),
    "b": ("femur at −90°, tibia at 0.1 m", {"femur": {"position": "-90 deg"}, "tibia": {"position": 0.1}},
          [[0, 0, 0, -39.481457, 10.489344, 0], [0, 0, 1.502242, 0, 11.035987, 0]])}


def add_leg(name, title, joints, expected):
    @case(KEY, f"sd_fast_leg_{name}", f"Reactions in a leg of pin and slider, {title}")
    def rows():
        ours = reactions(mechanism(LEG, LEG_INERTIAS), LEG, [0, -9.8065, 0], joints)
        yield Row("moments and forces on the bodies", "N m, N", expected, ours, 1e-6, "decimals printed")


for NAME, (TITLE, JOINTS, EXPECTED) in LEG_CASES.items():
    add_leg(NAME, TITLE, JOINTS, EXPECTED)

"""Numbers in the unit tests of RBDL."""

import numpy as np

from support import AXES, Row, body, case, evaluate, ground, joint, link, model, section

KEY = section("rbdl", "RBDL",
              "Unit tests of RBDL (rbdl/rbdl, d2ca037, Zlib), computed by spatial_v1, the HuMAnS toolbox and RBDL. Gravity is "
              "9.81 m/s² along −y, bodies have 1 kg and unit inertia unless named. 14 to 15 digits are printed.")
GRAVITY = [0, -9.81, 0]
BOUND, REASON = 1e-13, "rounding"


def chain(*parts):
    """Each part: axis, origin, centroid, inertia; name and parent follow."""
    links = []
    for i, (axis, origin, centroid, inertia) in enumerate(parts):
        links.append(link(f"b{i}", links[-1]["name"] if links else "ground", joint("revolute", origin, AXES[axis]),
                          **body(1, inertia, centroid)))
    return model("chain", ground(), links)


ONE = [1, 1, 1]
AHEAD = ("z", [1, 0, 0], [1, 0, 0], ONE)
CHAINS = {
    "single_chain": ("one body", [("z", [0, 0, 0], [1, 0, 0], ONE)], [-4.905]),
    "single_chain_inertia": ("one body with other inertia", [("z", [0, 0, 0], [1.5, 1, 1], [1, 2, 3])], [-2.3544]),
    "double_chain": ("two bodies", [("z", [0, 0, 0], [1, 0, 0], ONE), AHEAD], [-5.886, 3.924]),
    "triple_chain": ("three bodies", [("z", [0, 0, 0], [1, 0, 0], ONE), AHEAD, AHEAD],
                     [-6.03692307692308, 3.77307692307692, 1.50923076923077]),
    "double_chain_3d": ("two bodies in space", [("z", [0, 0, 0], [1, 0, 0], ONE), ("y", [1, 0, 0], [0, 1, 0], ONE)],
                        [-3.924, 0])}


def add_chain(name, title, parts, qdd):
    @case(KEY, name, f"Accelerations of a chain: {title}")
    def rows():
        answer = evaluate(chain(*parts), {"gravity": GRAVITY})
        yield Row("accelerations", "rad/s²", qdd, answer["forward_dynamics"]["qdd"], BOUND, REASON)


for NAME, (TITLE, PARTS, QDD) in CHAINS.items():
    add_chain(NAME, TITLE, PARTS, QDD)


@case(KEY, "tree_3d", "Accelerations of a tree of five bodies")
def tree():
    parts = [("a", "ground", "z", [0, 0, 0], [1, 0, 0]), ("b1", "a", "y", [1, 0, 0], [0, 1, 0]),
             ("c1", "b1", "x", [0, 1, 0], [0, 0, 1]), ("b2", "a", "y", [-0.5, 0, 0], [0, 1, 0]),
             ("c2", "b2", "x", [0, -0.5, 0], [0, 0, 1])]
    description = model("tree", ground(), [link(name, parent, joint("revolute", origin, AXES[axis]), **body(1, ONE, centroid))
                                           for name, parent, axis, origin, centroid in parts])
    answer = evaluate(description, {"gravity": GRAVITY})
    qdd = dict(zip(answer["joint_order"], answer["forward_dynamics"]["qdd"]))
    yield Row("accelerations", "rad/s²",
              [-1.6031906614786, -0.534396887159533, 4.1034046692607, 0.267198443579767, 5.30579766536965],
              [qdd[name] for name, *_ in parts], BOUND, REASON)


def six_coordinates(kinds, centroid):
    """Massless links, the last one with a body."""
    links = []
    for i, (kind, axis) in enumerate(kinds):
        inertial = body(1, ONE, centroid) if i == len(kinds) - 1 else {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]}
        links.append(link(f"b{i}", links[-1]["name"] if links else "ground", joint(kind, axis=AXES[axis]), **inertial))
    return model("coordinates", ground(), links)


@case(KEY, "three_dof", "Rotations z, y, x at one point")
def three_dof():
    kinds = [("revolute", axis) for axis in "zyx"]
    answer = evaluate(six_coordinates(kinds, [0, 0.5, 0]), {"q": [1, 0, 0], "gravity": GRAVITY})
    yield Row("accelerations", "rad/s²", [3.301932144386186, 0, 0], answer["forward_dynamics"]["qdd"], BOUND, REASON)


@case(KEY, "floating_base_torque", "Floating base with one link, torque of 1 N m")
def floating_base():
    description = model("floating", {"name": "base", **body(1, ONE, [1, 0, 0])},
                        [link("arm", "base", joint("revolute", [2, 0, 0], AXES["z"]), **body(1, ONE, [1, 0, 0]))],
                        frames=[{"name": "origin", "link": "base"}])
    answer = evaluate(description, {"tau": [1], "gravity": GRAVITY, "r0": [1, 0, 0]})["forward_dynamics"]
    # acceleration of the base's origin, which is 1 m behind the centroid; at rest
    origin = np.array(answer["vd0"]) + np.cross(answer["wd0"], [-1, 0, 0])
    yield Row("acceleration of the base origin", "m/s²", [0, -8.81, 0], origin, BOUND, REASON)
    yield Row("angular acceleration z, y, x", "rad/s²", [-1, 0, 0], answer["wd0"][::-1], BOUND, REASON)
    yield Row("joint acceleration", "rad/s²", [2], answer["qdd"], BOUND, REASON)


POINT = [0.1, 1.1, 1.2, 1.3, 1.5, 1.7]
COORDINATES = [("prismatic", axis) for axis in "xyz"] + [("revolute", axis) for axis in "zyx"]


def point(place, state):
    """Position, velocity and acceleration of a point of the last body."""
    description = six_coordinates(COORDINATES, [0, 1, 0])
    description["frames"] = [{"name": "point", "link": "b5", "xyz": place}]
    answer = evaluate(description, state)
    frame = answer["frames"]["point"]
    acceleration = np.array(frame["J_m"])[:3] @ state.get("qdd", np.zeros(6)) + \
        np.array(frame["J_m_dot"])[:3] @ state.get("qd", np.zeros(6))
    return frame["position"], frame["velocity"], acceleration


@case(KEY, "point_velocity", "Velocity of a point, six coordinates")
def point_velocity():
    _, velocity, _ = point([1.0, 0, 0], {"q": POINT, "qd": POINT})
    yield Row("velocity", "m/s", [-0.3888503432977729, -0.3171179347202455, 1.093894197498446], velocity, BOUND, REASON)


@case(KEY, "point_no_qdd", "Position, velocity and acceleration of a point without q̈")
def point_no_qdd():
    position, velocity, acceleration = point([-1.9, -1.8, 0], {"q": POINT, "qd": POINT})
    yield Row("position", "m", [-0.6357089363622626, -0.6831041744630977, 2.96897480591697], position, BOUND, REASON)
    yield Row("velocity", "m/s", [0.3091226260907569, 3.891012095550828, 4.100277995030419], velocity, BOUND, REASON)
    yield Row("acceleration", "m/s²", [-5.30276015884716, 6.541369639625232, -4.795115077652286], acceleration, BOUND,
              REASON)


@case(KEY, "point_only_qdd", "Acceleration of a point from q̈ alone")
def point_only_qdd():
    _, _, acceleration = point([-1.9, -1.8, 0], {"qdd": POINT})
    yield Row("acceleration", "m/s²", [2.44, -1.37, 0.99], acceleration, BOUND, REASON)


@case(KEY, "point_full", "Acceleration of a point, all terms")
def point_full():
    _, _, acceleration = point([-1.9, -1.8, 0], {"q": POINT, "qd": POINT, "qdd": POINT})
    yield Row("acceleration", "m/s²", [-4.993637532756404, 10.43238173517606, -0.6948370826218673], acceleration, BOUND,
              REASON)

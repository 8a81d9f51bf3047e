"""Numbers of MotionGenesis and MATLAB, as the tests of Drake print them."""

import numpy as np

from support import EARTH, Row, body, case, evaluate, fly, ground, joint, link, model, section

KEY = section("motion_genesis", "MotionGenesis",
              "Printed in the tests of Drake (RobotLocomotion/drake, be259df, BSD-3-Clause), computed by MotionGenesis and "
              "MATLAB.")


@case(KEY, "babyboot", "Chaotic babyboot (Kane 1974), 10 s",
      "The motion is unstable: the four published runs differ by 5e-7 deg and 1e-5 rad/s among themselves.")
def babyboot():
    description = model("babyboot", ground(), [
        link("rod", "ground", joint("revolute", axis=[1, 0, 0]), **body(0.01, [5e-6, 5e-6, 1e-8], [0, 0, -0.075])),
        link("plate", "rod", joint("revolute", axis=[0, 0, 1]), **body(0.1, [2.5e-4, 5e-5, 2e-4], [0, 0, -0.2]))])
    result = fly(description, duration=10, environment={"gravity": EARTH},
                 initial={"joints": {"rod": {"position": "90 deg"}, "plate": {"position": "1 deg"}}},
                 integrator={"method": "dop853", "relative_tolerance": 1.0e-14, "absolute_tolerance": 1.0e-15})
    end = result.final_state
    yield Row("q_A, q_B at 10 s", "deg", [-61.312983517329, -929.47789818494], np.rad2deg(end.q), 5e-7,
              "spread of the published runs")
    yield Row("rates", "rad/s", [-6.7440080750248, -2.7795696971631], end.qd, 6.3e-6, "spread of the published runs")
    answer = evaluate(description, {"q": end.q, "qd": end.qd, "gravity": EARTH})
    yield Row("accelerations", "rad/s²", [41.137023170384, 19.483647506439], answer["forward_dynamics"]["qdd"], 4e-6,
              "spread of the published runs")


IIWA = [  # place and attitude of the joint in the parent, mass, centroid, inertia
    ([0, 0, 0.1575], [0, 0, 0], 5.76, [0, -0.03, 0.12], [0.033, 0.0333, 0.0123]),
    ([0, 0, 0.2025], [np.pi / 2, 0, np.pi], 6.35, [0.0003, 0.059, 0.042], [0.0305, 0.0304, 0.011]),
    ([0, 0.2045, 0], [np.pi / 2, 0, np.pi], 3.5, [0, 0.03, 0.13], [0.025, 0.0238, 0.0076]),
    ([0, 0, 0.2155], [np.pi / 2, 0, 0], 3.5, [0, 0.067, 0.034], [0.017, 0.0164, 0.006]),
    ([0, 0.1845, 0], [-np.pi / 2, np.pi, 0], 3.5, [0.0001, 0.021, 0.076], [0.01, 0.0087, 0.00449]),
    ([0, 0, 0.2155], [np.pi / 2, 0, 0], 1.8, [0, 0.0006, 0.0004], [0.0049, 0.0047, 0.0036]),
    ([0, 0.081, 0], [-np.pi / 2, np.pi, 0], 1.2, [0, 0, 0.02], [0.001, 0.001, 0.001])]


def iiwa():
    links = []
    for i, (xyz, rpy, mass, centroid, inertia) in enumerate(IIWA, 1):
        links.append(link(f"link_{i}", links[-1]["name"] if links else "ground", joint("revolute", xyz, rpy=rpy),
                          **body(mass, inertia, centroid)))
    return model("iiwa", ground(), links, frames=[{"name": "hand", "link": "link_7"}])


@case(KEY, "iiwa", "KUKA iiwa, seven joints: place, attitude, torques")
def kuka():
    q = np.deg2rad([60, 30, 60, 30, 60, 30, 60])
    answer = evaluate(iiwa(), {"q": q})
    yield Row("place of link 7", "m", [0.2970356451892219, 0.1727696964662288, 1.154681973689345],
              answer["frames"]["hand"]["position"], 1e-14, "rounding")
    yield Row("attitude of link 7", "", [[-0.5939002959880204, 0.8043869080239565, -0.015625],
                                          [-0.8043869080239565, -0.5932991120359317, 0.03094940802395521],
                                          [0.015625, 0.03094940802395527, 0.9993988160479114]],
              answer["frames"]["hand"]["orientation"], 1e-14, "rounding; π/2 of the file has 16 digits")
    yield Row("place, arm straight", "m", [0, 0, 1.261], evaluate(iiwa(), {"q": np.zeros(7)})["frames"]["hand"]["position"],
              1e-14, "rounding")
    spin = {"q": np.zeros(7), "qdd": [0, 0, 0, 0, 0, 0, 1000]}
    yield Row("torques, last joint accelerates", "N m", [1, 0, 1, 0, 1, 0, 1],
              evaluate(iiwa(), spin)["inverse_dynamics"][6:], 1e-12, "rounding")
    yield Row("the same under gravity", "N m", [1, 0.02212155, 1, -0.0034335, 1, 0, 1],
              evaluate(iiwa(), {**spin, "gravity": EARTH})["inverse_dynamics"][6:], 1e-12, "rounding")


@case(KEY, "mass_on_spring", "Overdamped mass on a spring, 0.25 s")
def mass_on_spring():
    description = model("mass", ground(), [
        link("mass", "ground", joint("prismatic", axis=[1, 0, 0], stiffness=9.0, damping=9.0), **body(1, [1, 1, 1]))])
    result = fly(description, duration=0.25, initial={"joints": {"mass": {"position": 0.0, "velocity": 3.0}}},
                 integrator={"method": "dop853", "relative_tolerance": 1.0e-14, "absolute_tolerance": 1.0e-15})
    end = result.final_state
    x, v = end.q[0], end.qd[0]
    yield Row("x, v, a", "m, m/s, m/s²", [0.2730433627750083, 0.1082082477370706, -3.43126449460871], [x, v, -9 * x - 9 * v],
              1e-13, "rounding")

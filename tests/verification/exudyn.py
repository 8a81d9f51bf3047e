"""Reference values of the test suite of Exudyn, and the car axis of the IVP Test Set."""

import numpy as np
import spacedyn as sd

from support import SOURCE, AXES, Row, body, case, fly, ground, joint, link, model, section

KEY = section("exudyn", "Exudyn",
              "Test suite of Exudyn (jgerstmayr/EXUDYN, e44aca1, BSD-like).")
FINE = {"method": "dop853", "relative_tolerance": 1.0e-13, "absolute_tolerance": 1.0e-14}


@case(KEY, "kinematic_tree", "Chain of five joints with turned axes, 1 s")
def kinematic_tree():
    turns = [(0, 0), (90, 45), (90, 45), (0, 45), (90, 45)]
    inertia = np.array([0.02, 4.01, 4.01]) * 20 / 12
    links = []
    for i, (a, b) in enumerate(turns):
        links.append(link(f"b{i}", links[-1]["name"] if links else "ground",
                          joint("revolute", [2, 0, 0] if links else [0, 0, 0], AXES["z"],
                                twist=[np.deg2rad(a), np.deg2rad(b), 0.0]), **body(20, inertia, [1, 0, 0])))
    result = fly(model("chain", ground(), links), duration=1, environment={"gravity": [0, -10, 0]})
    yield Row("sum of the angles", "rad", [-1.3093839514061], [np.sum(result.final_state.q)], 1e-12,
              "14 digits printed; tolerance of the flight")


@case(KEY, "free_top", "Free body with a constant force at a point, 150 rad/s")
def free_top():
    description = model("top", {"name": "top", **body(15, [15.234375, 0.46875, 15.234375])}, [],
                        frames=[{"name": "point", "link": "top", "xyz": [0, 1, 0]}])
    for time, omega, bound in ((0.01, 149.8473939540758, 1e-11), (2, -106.16380414306643, 2e-9)):
        result = fly(description, duration=time, integrator=FINE, initial={"base": {"angular_velocity": [0, 150, -4.61538]}},
                     forces=[{"type": "wrench", "name": "weight", "at": "point", "frame": "inertial",
                              "force": [0, 0, -147.15]}])
        yield Row(f"ω_y at {time:g} s", "rad/s", [omega], [result.final_state.omega_0[1]], bound, "digits of the reference")


@case(KEY, "heavy_top", "Heavy top, 0.2 s")
def heavy_top():
    description = model("top", ground(), [link("top", "ground", joint("spherical"),
                                               **body(15, [0.234375, 0.46875, 0.234375], [0, 1, 0]))],
                        frames=[{"name": "axes", "link": "top"}])
    result = fly(description, duration=0.2, channels=["frames"], environment={"gravity": [0, 0, -9.81]},
                 initial={"joints": {"top": {"angular_velocity": [0, 150, -4.61538]}}})
    theirs = np.array([-0.70828, 0.43878, 0.54573, 0.0894])
    yield Row("attitude, MATLAB RK4", "", theirs * np.sign(theirs[0]),
              result["frames/axes/quaternion_wxyz"][-1], 5e-6, "five decimals printed")


@case(KEY, "four_bars_a02", "IFToMM A02 with N = 2 through its flat posture, 10 s",
      "Extrapolated from four step sizes of a method of second order: last + (last − one before)/3.")
def four_bars():
    rod = [1 / 12, 1e-4, 1 / 12]
    links = [link(f"column_{i}", "ground", joint("revolute", [i, 0, 0], AXES["z"]), **body(1, rod, [0, 0.5, 0]))
             for i in range(3)]
    links += [link(f"beam_{i}", f"column_{i - 1}", joint("revolute", [0, 1, 0], AXES["z"]),
                   **body(1, [1e-4, 1 / 12, 1 / 12], [0.5, 0, 0])) for i in (1, 2)]
    frames = [{"name": f"top_{i}", "link": f"column_{i}", "xyz": [0, 1, 0]} for i in range(3)]
    frames += [{"name": f"end_{i}", "link": f"beam_{i}", "xyz": [1, 0, 0]} for i in (1, 2)]
    loops = [{"name": f"pin_{i}", "type": "revolute", "from": f"end_{i}", "to": f"top_{i}", "axis": [0, 0, 1]}
             for i in (1, 2)]
    joints = {f"column_{i}": {"velocity": -1.0} for i in range(3)}
    joints.update({f"beam_{i}": {"velocity": 1.0} for i in (1, 2)})
    result = fly(model("four_bars", ground(), links, frames=frames, loops=loops), duration=10,
                 channels=["frames", "frame_twists"], environment={"gravity": [0, -9.81, 0]}, initial={"joints": joints},
                 integrator={"method": "dop853", "relative_tolerance": 1.0e-10, "absolute_tolerance": 1.0e-11})
    ours = np.concatenate([result["frames/top_0/position"][-1][:2], result["frames/top_0/velocity"][-1][:2]])
    yield Row("corner x, y and its velocity", "m, m/s", [0.3284580986, 0.9445185427, 1.423051428, -0.4948688096], ours, 3e-7,
              "seven digits after extrapolation")


IVP = section("ivp", "Test Set for IVP Solvers",
              "References in 14 and more digits (Bari test set, transcribed in deTestSet of R): GAMD in quadruple precision, and "
              "PSIDE with a tolerance of 1e-14.")


@case(IVP, "car_axis", "Car axis, 3 s",
      "The axle's angle asin(r sin ωt) is imposed as a cubic table of 1 ms.")
def car_axis():
    begin = -0.3
    time = np.arange(begin, 3.3, 1e-3)
    links = [link("axle", "ground", joint("revolute", axis=AXES["z"]), mass=0.0, inertia=[0.0, 0.0, 0.0]),
             link("left", "axle", joint("prismatic", axis=AXES["y"]), **body(5e-4, [0, 0, 0])),
             link("rod", "left", joint("revolute", axis=AXES["z"]), mass=0.0, inertia=[0.0, 0.0, 0.0]),
             link("right", "rod", joint("fixed", [1, 0, 0]), **body(5e-4, [0, 0, 0]))]
    frames = [{"name": "left_mass", "link": "left"}, {"name": "right_foot", "link": "axle", "xyz": [1, 0, 0]}, {"name": "right_mass", "link": "rod", "xyz": [1, 0, 0]}]
    spring = {"type": "spring_damper", "stiffness": 1.0, "damping": 0.0, "rest_length": 0.5}
    result = fly(model("car_axis", ground(), links, frames=frames), duration=3, channels=["frames", "frame_twists"],
                 environment={"gravity": [0, -1, 0]},
                 initial={"joints": {"left": {"position": 0.5}, "rod": {"velocity": -1.0}}},
                 prescribed=[{"joint": "axle", "reference": {"type": "table", "interpolation": "cubic", "time": time,
                                                             "position": np.arcsin(0.1 * np.sin(10 * time))}}],
                 forces=[{**spring, "name": "left_spring", "from": "ground", "to": "left"},
                         {**spring, "name": "right_spring", "from": "right_foot", "to": "right_mass"}],
                 integrator={"method": "dop853", "relative_tolerance": 1.0e-11, "absolute_tolerance": 1.0e-13})
    places = np.concatenate([result[f"frames/{name}/position"][-1][:2] for name in ("left_mass", "right_mass")])
    rates = np.concatenate([result[f"frames/{name}/velocity"][-1][:2] for name in ("left_mass", "right_mass")])
    yield Row("x, y of the masses", "m", [0.04934557842754028, 0.49698946023017115, 1.0417425248854215, 0.37391102726536124],
              places, 1e-11, "tolerance of the flight, table of 1 ms")
    yield Row("their rates", "m/s", [-0.07705836840409723, 0.007446866587237785, 0.017556815753723223, 0.7703410437793519],
              rates, 3e-10, "tolerance of the flight, table of 1 ms")


@case(IVP, "andrews", "Andrews' squeezing mechanism (IFToMM A03), 0.03 s",
      "The shipped scenario `andrews_squeezer` as it is, with its own tolerances.")
def andrews():
    angles = {"beta": 15.8107711962990, "theta": -15.7563710598430, "gamma": 0.0408222401307310,
              "phi": -0.534730116322695, "delta": 0.524409965880530, "omega": 0.534730116322695,
              "epsilon": 1.04808074104226}
    result = sd.simulate(SOURCE / "models/scenarios/andrews_squeezer.yaml")
    yield Row("seven angles", "rad", list(angles.values()), [result[f"joints_{name}_rad"][-1] for name in angles], 3e-8,
              "tolerance of the flight")

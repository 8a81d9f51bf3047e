"""Puma 560 of the Robotics Toolbox for Python."""

import numpy as np

from support import EARTH, Row, body, case, evaluate, ground, joint, link, model, rotation, section

KEY = section("puma", "Robotics Toolbox",
              "Puma 560 in the tests of the Robotics Toolbox for Python (petercorke/robotics-toolbox-python, MIT), parameters of "
              "Corke and Armstrong-Hélouvry (ICRA 1994). Rotors act through their gears. Four decimals are printed unless said.")

# d, a, alpha, mass, centroid and inertia in the frame after the link, rotor inertia, gear, viscous and Coulomb friction
LINKS = [(0.672, 0, 90, 0, [0, 0, 0], [0, 0.35, 0], 2e-4, -62.6111, 1.48e-3, 0.395),
         (0, 0.4318, 0, 17.4, [-0.3638, 0.006, 0.2275], [0.13, 0.524, 0.539], 2e-4, 107.815, 8.17e-4, 0.126),
         (0.15005, 0.0203, -90, 4.8, [-0.0203, -0.0141, 0.07], [0.066, 0.086, 0.0125], 2e-4, -53.7063, 1.38e-3, 0.132),
         (0.4318, 0, 90, 0.82, [0, 0.019, 0], [0.0018, 0.0013, 0.0018], 3.3e-5, 76.0364, 7.12e-5, 0.0112),
         (0, 0, -90, 0.34, [0, 0, 0], [0.0003, 0.0004, 0.0003], 3.3e-5, 71.923, 8.26e-5, 0.00926),
         (0, 0, 0, 0.09, [0, 0, 0.032], [0.00015, 0.00015, 4e-5], 3.3e-5, 76.686, 3.67e-5, 0.00396)]
Q_N = [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]
BOUND, REASON = 1e-4, "four decimals printed"


def puma():
    """The link frame is the one before the shift along z: the Denavit–Hartenberg frame turned back."""
    links, place, turn, carrier = [], [0, 0, 0], np.eye(3), "ground"
    for i, (d, a, alpha, mass, centroid, inertia, rotor, gear, _, _) in enumerate(LINKS, 1):
        to_frame = rotation("x", np.deg2rad(alpha))
        links.append(link(f"link_{i}", carrier,
                          joint("revolute", place, matrix=turn.tolist(), rotor_inertia=rotor, gear_ratio=gear),
                          unphysical_inertia=True,
                          **body(mass, to_frame @ np.diag(inertia) @ to_frame.T, [a, 0, d] + to_frame @ centroid)))
        place, turn, carrier = [a, 0, d], to_frame, f"link_{i}"
    return model("puma560", ground(), links)


def friction(rates):
    """On the joint's side of the gear, positive rates."""
    return np.array([viscous * gear**2 * rate + abs(gear) * coulomb
                     for (*_, gear, viscous, coulomb), rate in zip(LINKS, rates)])


def inverse(gravity=EARTH, **state):
    return np.array(evaluate(puma(), {"q": Q_N, "gravity": gravity, **state})["inverse_dynamics"][6:])


@case(KEY, "puma_gravity", "Puma 560: torques of gravity")
def puma_gravity():
    yield Row("torques", "N m", [0, 31.6399, 6.0351, 0, 0.0283, 0], inverse(), BOUND, REASON)


@case(KEY, "puma_inertia", "Puma 560: inertia matrix")
def puma_inertia():
    yield Row("H", "kg m²", [[3.6594, -0.4044, 0.1006, -0.0025, 0, 0], [-0.4044, 4.4137, 0.3509, 0, 0.0024, 0],
                             [0.1006, 0.3509, 0.9378, 0, 0.0015, 0], [-0.0025, 0, 0, 0.1925, 0, 0],
                             [0, 0.0024, 0.0015, 0, 0.1713, 0], [0, 0, 0, 0, 0, 0.1941]],
              np.array(evaluate(puma(), {"q": Q_N})["H"])[6:, 6:], BOUND, REASON)


@case(KEY, "puma_inverse", "Puma 560: inverse dynamics at rest")
def puma_inverse():
    yield Row("torques", "N m", [3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133], inverse(qdd=np.ones(6)), 5e-5,
              "six digits printed")


@case(KEY, "puma_inertia_torque", "Puma 560: torques of inertia")
def puma_inertia_torque():
    yield Row("torques", "N m", [3.15, 9.4805, 3.6189, 0.1901, 0.3519, 0.5823],
              inverse(gravity=[0, 0, 0], qdd=[1, 2, 3, 1, 2, 3]), BOUND, REASON)


@case(KEY, "puma_coriolis", "Puma 560: Coriolis torques C q̇")
def puma_coriolis():
    C = np.array([[-0.1735, -2.0494, -0.1178, -0.0002, -0.0045, 0.0001], [0.6274, 1.1572, 1.9287, -0.0015, -0.0003, 0],
                  [-0.3608, -0.7734, -0.0018, -0.0009, -0.0064, 0], [0.0011, 0.0005, -0.0001, 0.0002, 0.0002, -0.0001],
                  [-0.0002, 0.0028, 0.0046, -0.0002, 0, 0], [0.0001, 0, 0, 0, 0, 0]])
    rates = np.array([1, 2, 3, 1, 2, 3])
    yield Row("C q̇", "N m", C @ rates, inverse(gravity=[0, 0, 0], qd=rates), 6e-4,
              "six entries of 5e-5, times rates up to 3")


FRICTION = [("accelerating", [1] * 6, EARTH, [32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781]),
            ("at constant rates", [0] * 6, EARTH, [29.1421, 56.5044, 16.3528, 1.26448, 1.12392, 0.519648]),
            ("accelerating without gravity", [1] * 6, [0, 0, 0],
             [32.4952, 29.2271, 11.7085, 1.45452, 1.27086, 0.713781])]


def add_friction(number, title, qdd, gravity, tau):
    @case(KEY, f"puma_friction_{number}", f"Puma 560 with friction of its motors, {title}",
          "B G² q̇ + |G| τ_C is added by hand: the toolbox scales friction with the gear.")
    def rows():
        yield Row("torques", "N m", tau, inverse(gravity=gravity, qd=np.ones(6), qdd=qdd) + friction(np.ones(6)), 1e-4,
                  "six digits printed")


for NUMBER, FRICTION_CASE in enumerate(FRICTION, 1):
    add_friction(NUMBER, *FRICTION_CASE)


@case(KEY, "puma_forward", "Puma 560: accelerations under torques and friction")
def puma_forward():
    rates = np.array([0.1, 0.2, 0.8, 0.2, 0.5, 1.0])
    tau = np.array([1, 3.2, 1.8, 0.1, 0.7, 4.6]) - friction(rates)
    answer = evaluate(puma(), {"q": Q_N, "qd": rates, "tau": tau, "gravity": EARTH})
    yield Row("accelerations", "rad/s²", [-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228],
              answer["forward_dynamics"]["qdd"], BOUND, REASON)

"""Truth values in the unit tests of Basilisk."""

import numpy as np

from support import Row, body, case, fly, joint, link, matrix_from, model, quaternion_from, section, shared_table

KEY = section("basilisk", "Basilisk",
              "Unit tests of Basilisk (AVSLab/basilisk, babdff7, ISC). Gravity is that of a point mass and acts at the centroid "
              "of the craft. σ are modified Rodrigues parameters.")
MU = 398600441500000.0
EARTH = {"bodies": {"earth": {"mu": MU}}, "gravity_gradient": False}
R_C = np.array([-4020338.690396649, 7490566.741852513, 5248299.211589362])
V_C = np.array([-5199.77710904224, -3436.681645356935, 1041.576797498721])
RPM = 2 * np.pi / 60
PRINT = "nine digits printed"
ORBIT = {"method": "dop853", "relative_tolerance": 1.0e-12, "absolute_tolerance": 1.0e-10}


def quaternion(sigma):
    s = float(np.dot(sigma, sigma))
    return np.array([1 - s, *(2 * np.asarray(sigma))]) / (1 + s)


def attitude(sigma):
    return matrix_from(quaternion(sigma))


def sigma_of(state):
    q = quaternion_from(np.asarray(state.A_0))
    return q[1:] / (1 + q[0])


def base(mass, inertia, centroid=(0, 0, 0)):
    return {"name": "hub", **body(mass, inertia, centroid)}


def start(centroid=(0, 0, 0), sigma=(0, 0, 0), omega=(0, 0, 0), r=R_C, v=V_C, c=(0, 0, 0), c_rate=(0, 0, 0)):
    """State of the base centroid: the craft's centroid is at c in hub axes and moves there with c_rate."""
    A = attitude(sigma)
    origin = r - A @ c
    velocity = v - A @ (np.asarray(c_rate) + np.cross(omega, c))
    return {"base": {"position": origin + A @ centroid, "velocity": velocity + A @ np.cross(omega, centroid),
                     "quaternion": quaternion(sigma), "angular_velocity": A @ omega}}


def origin_of(state, centroid):
    """Where the origin of the hub's axes is."""
    return np.asarray(state.r_0) - np.asarray(state.A_0) @ centroid


@case(KEY, "hub_in_orbit", "Hub in orbit, 10 s")
def hub_in_orbit():
    result = fly(model("hub", base(100, [500, 200, 300]), []), duration=10, environment=EARTH, integrator=ORBIT,
                 initial=start(omega=[0.5, -0.4, 0.7]))
    end = result.final_state
    yield Row("position", "m", [-4072255.7737936215, 7456050.4649078, 5258610.029627514], end.r_0, 1e-7,
              "16 digits printed")
    yield Row("σ", "", [0.373034285, -0.00239564413, 0.208570797], sigma_of(end), 5e-10, PRINT)


@case(KEY, "hub_rotation", "Hub turning without forces, 10 s")
def hub_rotation():
    result = fly(model("hub", base(100, [500, 200, 300]), []), duration=10,
                 initial=start(r=np.zeros(3), v=np.zeros(3), omega=[0.5, -0.4, 0.7],
                               sigma=[0.09734747293664257, 0.6236177619407739, 0.04678628874123789]))
    yield Row("σ", "", [0.572693314, 0.510734375, -0.307377611], sigma_of(result.final_state), 1e-9, PRINT)


PUSHES = [("body", [1, 2, 3], [-6781364.23, 4946285.99, 5486553.95]),
          ("inertial", [-1, -0.5, 0.5], [-6781839.0, 4946749.63, 5486862.74])]


def add_push(axes, force, place):
    @case(KEY, f"force_{axes}", f"Force in {axes} axes with a torque, 600 s",
          "σ of the reference has errors of 4e-7: its RK4 with 0.1 s, repeated in numpy, gives its digits.")
    def rows():
        result = fly(model("hub", base(750, [900, 800, 600]), []), duration=600, environment=EARTH, integrator=ORBIT,
                     initial=start(sigma=[0.1, 0.2, -0.3], omega=[0.001, -0.01, 0.03]),
                     forces=[{"type": "wrench", "name": "force", "at": "hub.com", "frame": axes, "force": force},
                             {"type": "wrench", "name": "torque", "at": "hub.com", "frame": "body",
                              "torque": [-1, 1, -1]}])
        yield Row("position", "m", place, result.final_state.r_0, 6e-3, "two decimals printed")
        yield Row("σ", "", [0.491025978, -0.421586707, 0.361459503], sigma_of(result.final_state), 6e-7,
                  "error of the reference")


for PUSH in PUSHES:
    add_push(*PUSH)


@case(KEY, "mass_depletion", "Thruster on a tank, 600 s",
      "The reference switches off inside a step of RK4, whose first stage still burns: that is 0.1/6 s more than the 9.9 s "
      "commanded, and is flown here.")
def mass_depletion():
    description = model("hub", base(750, [900, 800, 600]), [], frames=[{"name": "nozzle", "link": "hub", "xyz": [1, 0, 0]}],
                        tanks=[{"name": "main", "body": "hub", "position": [0, 0, 0], "propellant": 40,
                                "radius": 0.584199999112016}],
                        thrusters=[{"name": "jet", "at": "nozzle", "direction": [0, 1, 0], "force": 0.9,
                                    "specific_impulse": 227.5, "tank": "main"}])
    result = fly(description, duration=600, environment=EARTH, integrator=ORBIT,
                 initial=start(sigma=[0.1, 0.2, -0.3], omega=[0.001, -0.01, 0.03]),
                 forces=[{"type": "thruster", "name": "burn", "thruster": "jet", "from": 0, "until": 9.9 + 0.1 / 6}])
    yield Row("position", "m", [-6781593.393533828, 4946868.597981589, 5486741.66967767], result.final_state.r_0, 1e-5,
              "13 digits")
    yield Row("σ", "", [0.14401781243854264, -0.064168702021364, 0.3016608682490097], sigma_of(result.final_state), 2e-7,
              "seven digits: RK4 with 0.1 s")


HUB_CENTROID = np.array([-0.0002, 0.0001, 0.1])
SPIN = 0.15915494309189535
OMEGA = [0.08, 0.01, 0]


@case(KEY, "wheels_balanced", "Three balanced reaction wheels, 1 s")
def wheels_balanced():
    wheels = [{"name": f"w{i}", "body": "hub", "axis": axis, "position": np.multiply(axis, 0.1), "spin_inertia": SPIN}
              for i, axis in enumerate(np.eye(3), 1)]
    inertia = np.array([900, 800, 600]) - SPIN
    description = model("hub", base(750, inertia, HUB_CENTROID), [], reaction_wheels=wheels)
    initial = start(HUB_CENTROID, omega=OMEGA, c=HUB_CENTROID)
    initial["joints"] = {f"w{i}": {"velocity": speed * RPM} for i, speed in enumerate((500, 200, -150), 1)}
    result = fly(description, duration=1, environment=EARTH, integrator=ORBIT, initial=initial,
                 forces=[{"type": "joint_torque", "name": f"t{i}", "joint": f"w{i}", "torque": torque, "from": 0, "until": 0.5}
                         for i, torque in enumerate((0.2, 0.1, -0.2), 1)])
    end = result.final_state
    yield Row("position", "m", [-4025537.66, 7487128.57, 5249339.64], origin_of(end, HUB_CENTROID), 6e-3, PRINT)
    yield Row("σ", "", [0.0199853994, 0.00245647716, 8.45356279e-06], sigma_of(end), 1e-10, PRINT)


def unit(v):
    return np.asarray(v, float) / np.linalg.norm(v)


@case(KEY, "wheels_coupled", "Three unbalanced reaction wheels as links, 0.1 s")
def wheels_coupled():
    mass, static, dynamic, transverse = 12.0, 0.048, 0.0154, 0.07957747154594767
    speeds, torques = np.array([500, 200, -150]) * RPM, (0.2, 0.1, -0.2)
    links, c, c_rate = [], 750 * HUB_CENTROID, np.zeros(3)
    for i, g in enumerate(np.eye(3)):
        second = unit(np.cross(g, [0, 1, 0] if i == 0 else [1, 0, 0]))
        axes = np.column_stack([g, second, np.cross(g, second)])
        offset = static / mass * second
        inertia = axes @ np.array([[SPIN, 0, dynamic], [0, transverse, 0], [dynamic, 0, transverse]]) @ axes.T
        links.append(link(f"w{i + 1}", "hub", joint("revolute", 0.1 * g, g), **body(mass, inertia, offset)))
        c = c + mass * (0.1 * g + offset)
        c_rate = c_rate + mass * np.cross(speeds[i] * g, offset)
    total = 750 + 3 * mass
    initial = start(HUB_CENTROID, omega=OMEGA, c=c / total, c_rate=c_rate / total)
    initial["joints"] = {f"w{i + 1}": {"velocity": speeds[i]} for i in range(3)}
    result = fly(model("hub", base(750, [900, 800, 600], HUB_CENTROID), links), duration=0.1, environment=EARTH,
                 integrator=ORBIT, initial=initial,
                 forces=[{"type": "joint_torque", "name": f"t{i + 1}", "joint": f"w{i + 1}", "torque": torques[i], "from": 0,
                          "until": 0.05} for i in range(3)])
    end = result.final_state
    yield Row("position", "m", [-4020858.66, 7490223.06, 5248403.26], origin_of(end, HUB_CENTROID), 6e-3, PRINT)
    yield Row("σ", "", [0.00198708924, 0.000226086385, -1.60335529e-05], sigma_of(end), 1e-11, PRINT)


TILT = np.deg2rad(54.75)
GYROS = [([1, 0, 0], [0, 0, 1], 2000, 0.06, [0.1, 0.002, -0.02]),
         ([0, 1, 0], [np.cos(TILT), 0, np.sin(TILT)], 350, 0.011, [0, -0.05, 0]),
         ([0, -1, 0], [-np.cos(TILT), 0, np.sin(TILT)], -900, -0.003, [-0.1, 0.05, 0.05])]


def gyro_craft(gyros, coupled):
    """The hub with gyros as links; its centroid in hub axes and how that moves there; rates of the joints."""
    links, c, c_rate, total, joints = [], 750 * HUB_CENTROID, np.zeros(3), 750.0, {}
    for i, (gs, gg, speed, rate, place) in enumerate(gyros, 1):
        gs, gg = np.array(gs, float), unit(gg)
        axes = np.column_stack([gs, np.cross(gg, gs), gg])
        gimbal_centroid = axes @ [0.0001, -0.02, 0.1] if coupled else np.zeros(3)
        wheel_at = axes @ [0.01, 0, 0.1] if coupled else np.zeros(3)
        wheel_centroid = axes @ [0, 4.8e-2 / 6, 0] if coupled else np.zeros(3)
        product = 1.54e-2 if coupled else 0.0
        wheel_inertia = np.array([[SPIN, 0, product], [0, SPIN / 2, 0], [product, 0, SPIN / 2]])
        links.append(link(f"gimbal_{i}", "hub", joint("revolute", place, gg),
                          **body(6, axes @ np.diag([0.1, 0.2, 0.3]) @ axes.T, gimbal_centroid)))
        links.append(link(f"wheel_{i}", f"gimbal_{i}", joint("revolute", wheel_at, gs),
                          **body(6, axes @ wheel_inertia @ axes.T, wheel_centroid)))
        joints[f"gimbal_{i}"] = {"velocity": rate}
        joints[f"wheel_{i}"] = {"velocity": speed * RPM}
        c = c + 6 * (np.array(place) + gimbal_centroid) + 6 * (np.array(place) + wheel_at + wheel_centroid)
        c_rate = c_rate + 6 * np.cross(rate * gg, gimbal_centroid) + 6 * (
            np.cross(rate * gg, wheel_at + wheel_centroid) + np.cross(speed * RPM * gs, wheel_centroid))
        total += 12
    return model("hub", base(750, [900, 800, 600], HUB_CENTROID), links), c / total, c_rate / total, joints


@case(KEY, "gyros_balanced", "Three variable-speed gyros, 1 s")
def gyros_balanced():
    description, c, c_rate, joints = gyro_craft(GYROS, coupled=False)
    initial = {**start(HUB_CENTROID, omega=OMEGA, c=c, c_rate=c_rate), "joints": joints}
    end = fly(description, duration=1, environment=EARTH, integrator=ORBIT, initial=initial).final_state
    yield Row("position", "m", [-4025537.664298894, 7487128.570444949, 5249339.643828076], origin_of(end, HUB_CENTROID),
              2e-5, "twelve digits")
    yield Row("σ", "", [0.0185829763256, 0.00212563436704, -0.00118728497031], sigma_of(end), 1e-10, PRINT)


@case(KEY, "gyros_coupled", "Two unbalanced variable-speed gyros, 0.01 s")
def gyros_coupled():
    description, c, c_rate, joints = gyro_craft([GYROS[0], GYROS[2]], coupled=True)
    initial = {**start(HUB_CENTROID, omega=OMEGA, c=c, c_rate=c_rate, r=np.array([0.1, -0.2, 0.3]),
                       v=np.array([-0.4, 0.5, -0.8])), "joints": joints}
    end = fly(description, duration=0.01, initial=initial).final_state
    yield Row("position", "m", [0.0970572658434, -0.195562924079, 0.191874379545], origin_of(end, HUB_CENTROID), 1e-9,
              PRINT)
    yield Row("σ", "", [0.000201909373901, 2.9217809421e-05, 4.00231302121e-06], sigma_of(end), 1e-15, "twelve digits")


@case(KEY, "gyros_gravity", "Three unbalanced variable-speed gyros in orbit, 0.01 s",
      "The reference is wrong at the fourth digit of σ: its gimbal equation has the gravity on the gimbal's centroid and not "
      "the one on the wheel, a torque of up to 0.26 N m that does not exist. With that torque put in, spacedyn comes within "
      "7e-10 of it.")
def gyros_gravity():
    description, c, c_rate, joints = gyro_craft(GYROS, coupled=True)
    initial = {**start(HUB_CENTROID, omega=OMEGA, c=c, c_rate=c_rate), "joints": joints}
    torques = {**{f"wheel_{i}": t for i, t in enumerate((0.001, 0.005, -0.009), 1)},
               **{f"gimbal_{i}": t for i, t in enumerate((0.008, -0.0015, -0.006), 1)}}
    end = fly(description, duration=0.01, environment=EARTH, integrator=ORBIT, initial=initial,
              forces=[{"type": "joint_torque", "name": f"on_{name}", "joint": name, "torque": torque}
                      for name, torque in torques.items()]).final_state
    yield Row("position", "m", [-4020390.68802, 7490532.37502, 5248309.52745], origin_of(end, HUB_CENTROID), 1e-5,
              "twelve digits")
    yield Row("σ", "", [0.000201662012765, 2.92123940252e-05, 4.15606551702e-06], sigma_of(end), 2e-8,
              "slip of the reference, see below")


R_0 = [-2816801.6010234933, 5248174.846916148, 3677157.264677298]
V_0 = [-6179.638215820374, -4159.86207019883, 1204.771179618298]
ORBITS = {
    "rk4": [[-6379381.726549218, -1468856.5370540658, 2480785.7675497606],
            [-2230094.305694789, -6410420.020364709, -1714627.7675541767],
            [4614900.659014343, -3602242.07689023, -3837022.825958977],
            [5879095.186201691, 3561495.655367985, -1319582.1703218794]],
    "euler": [[-7061548.530211288, -1448879.0844105487, 2823580.168201031],
              [-4831279.689590867, -8015202.650472983, -1143485.1461593418],
              [719606.5825106134, -10537603.309084207, -4966060.248346598],
              [6431097.055190775, -9795566.286964862, -7438012.269629238]]}


def orbit(integrator):
    result = fly(model("point", base(1, [1, 1, 1]), []), duration=4320, interval=1080, environment=EARTH,
                 integrator=integrator, initial={"base": {"position": R_0, "velocity": V_0}})
    return result["base/position"][1:]


def add_orbit(method):
    @case(KEY, f"orbit_{method}", f"Orbit by {method} with steps of 120 s, 4,320 s")
    def rows():
        yield Row("positions", "m", ORBITS[method], orbit({"method": method, "step": 120}), 2e-7, "14 digits")


for METHOD in ORBITS:
    add_orbit(METHOD)


@case(KEY, "orbit_adaptive", "Orbit by an adaptive method, 4,320 s")
def orbit_adaptive():
    yield Row("position", "m", [5879286.370258273, 3561242.50810664, -1319786.625981673], orbit({**ORBIT, "relative_tolerance": 1.0e-13})[-1], 1e-6, "14 digits")


@case(KEY, "eros", "Orbit about the polyhedron 433 Eros for a day",
      "Computed by MATLAB's ode45 with tolerances of 1e-12.")
def eros():
    vertices, faces = shared_table("eros/eros_vertices.csv"), shared_table("eros/eros_faces.csv")
    series = shared_table("eros/eros_orbit.csv")
    mesh = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in zip(*vertices.values()))
    mesh += "".join(f"f {a:.0f} {b:.0f} {c:.0f}\n" for a, b, c in zip(*faces.values()))
    rate = 2 * np.pi / 18972
    r = np.array([series[f"{axis}_m"] for axis in "xyz"]).T
    v = np.array([series[f"v{axis}_m_s"] for axis in "xyz"]).T
    result = fly(model("point", base(1, [1, 1, 1]), []), duration=86400, interval=600, files={"eros.obj": mesh},
                 environment={"bodies": {"eros": {"mesh": "eros.obj", "scale": 1000, "mu": 446275.472004,
                                                  "angular_velocity": [0, 0, rate]}}, "gravity_gradient": False},
                 initial={"base": {"position": r[0], "velocity": v[0] + np.cross([0, 0, rate], r[0])}},
                 integrator={"method": "dop853", "relative_tolerance": 1.0e-12, "absolute_tolerance": 1.0e-6})
    angle, ours = rate * result.time, result["base/position"]
    turned = np.column_stack([np.cos(angle) * ours[:, 0] + np.sin(angle) * ours[:, 1],
                              -np.sin(angle) * ours[:, 0] + np.cos(angle) * ours[:, 1], ours[:, 2]])
    yield Row("position in the asteroid's axes, 145 rows", "m", r, turned, 5e-5, "tolerance of the reference")

"""Facts of gyro_slew, magnetic_dump and ets7_feed_forward, see scenario_facts.py."""

import math


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def gyros(angles):
    """Directions of the momenta and of the torques per gimbal rate, of the pyramid of gyro_craft."""
    spins, torques = [], []
    for i, angle in enumerate(angles):
        c, s = math.cos(i * math.pi / 2), math.sin(i * math.pi / 2)
        gimbal, start = (c * math.sqrt(2 / 3), s * math.sqrt(2 / 3), math.sqrt(1 / 3)), (s, -c, 0.0)
        side = cross(gimbal, start)
        spins.append([math.cos(angle) * a + math.sin(angle) * b for a, b in zip(start, side)])
        torques.append(cross(gimbal, spins[-1]))
    return spins, torques


def measure(angles):
    """√det(Â Âᵀ) of the torques."""
    torques = gyros(angles)[1]
    rows = [[sum(t[i] * t[k] for t in torques) for k in range(3)] for i in range(3)]
    return math.sqrt(sum(a * b for a, b in zip(rows[0], cross(rows[1], rows[2]))))


def largest_angle(flight):
    """Of the base against where it starts, degrees, about any axis."""
    columns = [flight["base_quaternion_" + axis] for axis in "xyz"]
    return math.degrees(2 * math.asin(max(math.hypot(*parts) for parts in zip(*columns))))


def gyro_slew(flight):
    angles = list(zip(*(flight[f"joints_g{i}_rad"] for i in (1, 2, 3, 4))))
    given = flight["actuators_slew_singularity"]
    low = given.index(min(given))
    rates = list(zip(*(flight[f"base_angular_velocity_{axis}_rad_s"] for axis in "xyz")))
    fast = max(range(len(rates)), key=lambda i: math.hypot(*rates[i]))
    momentum = [60 * sum(spin[k] for spin in gyros(angles[fast])[0]) for k in range(3)]
    # the rate is along a fixed axis, of body and space alike
    body = math.radians(1.875 * 60 / 30)
    expected = body * math.hypot(0.6 * 900, 0.8 * 1100)
    acceleration = math.radians(10 / math.sqrt(3) * 60 / 30 ** 2)
    motor = max(abs(torque) for i in (1, 2, 3, 4) for torque in flight[f"actuators_g{i}_torque_N_m"])
    end = 2 * math.degrees(math.asin(math.hypot(*(flight["base_quaternion_" + axis][-1] for axis in "xyz"))))
    return [("singularity measure at the start", f"{given[0]:.4f}", f"{4 / 3 * math.sqrt(2 / 3):.4f}, 4 cos²β sin β"),
            ("least singularity measure", f"{given[low]:.4f}", f"{measure(angles[low]):.4f}, from the gimbal angles"),
            ("fastest rate of the body, degrees per s", f"{math.degrees(math.hypot(*rates[fast])):.1f}",
             f"{1.875 * 60 / 30:.1f}"),
            ("momentum of the rotors then, N m s", f"{math.hypot(*momentum):.0f}", f"{expected:.0f}"),
            ("largest torque of a motor of the gimbals, N m", f"{motor:.2f}",
             f"below the {acceleration * math.hypot(0.6 * 900, 0.8 * 1100):.1f} that turn the body"),
            ("angle at the end, degrees", f"{end:.2f}", f"{60:.2f}")]


def dumped(start, duration, step=1.0):
    """h of ḣ = −n × h − k (h − b̂ b̂·h) in Hill's frame, b̂ of a dipole, by Runge and Kutta."""
    n, tilt, gain = math.sqrt(3.986004418e14 / (6378137 + 550e3) ** 3), math.radians(51.6), 5e-4

    def rate(time, h):
        u = n * time
        north = (math.sin(tilt) * math.sin(u), math.sin(tilt) * math.cos(u), math.cos(tilt))
        field = (-2 * north[0], north[1], north[2])
        along = sum(a * b for a, b in zip(field, h)) / sum(b * b for b in field)
        turn = (-n * h[1], n * h[0], 0.0)
        return [-turn[i] - gain * (h[i] - along * field[i]) for i in range(3)]

    h = list(start)
    for i in range(round(duration / step)):
        t = i * step
        a = rate(t, h)
        b = rate(t + step / 2, [x + step / 2 * y for x, y in zip(h, a)])
        c = rate(t + step / 2, [x + step / 2 * y for x, y in zip(h, b)])
        d = rate(t + step, [x + step * y for x, y in zip(h, c)])
        h = [x + step / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(h, a, b, c, d)]
    return h


def magnetic_dump(flight):
    rows = []
    for orbits in (1, 3):
        end = flight.at(orbits * 5738.99)
        h = [1000 * 0.002 * flight[f"joints_w{axis}_rad_s"][end] for axis in "xyz"]
        expected = [1000 * part for part in dumped((0.5, -0.3, 0.4), flight.times[end])]
        rows += [(f"momentum of wheel {axis} after {orbits} orbit{'s' if orbits > 1 else ''}, N mm s", f"{h[i]:.1f}",
                  f"{expected[i]:.1f}") for i, axis in enumerate("xyz")]
    return rows + [("largest angle of the satellite, degrees", f"{largest_angle(flight):.2f}", "below 0.1")]


def by_feedback(flight):
    """The same flight without its feed_forward."""
    folder = flight.work / "feedback"
    (folder / "scenarios").mkdir(parents=True, exist_ok=True)
    text = flight.file.read_text(encoding="utf-8").replace("../robots", str(flight.models / "robots"))
    start = text.index(",\n       feed_forward:")
    text = text[:start] + text[text.index("]", start) + 1:]
    (folder / "scenarios" / f"{flight.name}.yaml").write_text(text, encoding="utf-8")
    return type(flight)(flight.program, folder, folder, flight.name)


def ets7_feed_forward(flight):
    wheels = [flight[f"joints_wheel_{axis}_rad_s"] for axis in "xyz"]
    friction = [math.hypot(*(1e-5 * speed + 1e-3 * math.tanh(1000 * speed) for speed in speeds))
                for speeds in zip(*wheels)]
    angle = math.radians(largest_angle(flight))
    return [("largest angle of the chaser, μrad", f"{1e6 * angle:.1f}",
             f"at most {1e6 * max(friction) / 600:.1f}, friction of the wheels over the stiffness"),
            ("by feedback alone, μrad", f"{1e6 * math.radians(largest_angle(by_feedback(flight))):.0f}", ""),
            ("fastest wheel, rad/s", f"{max(abs(speed) for wheel in wheels for speed in wheel):.0f}",
             "at most 500, its momentum limit"),
            ("fastest wheel at the end, rad/s", f"{max(abs(wheel[-1]) for wheel in wheels):.1f}", f"{0:.1f}")]


STEERING_FACTS = {"ets7_feed_forward": ets7_feed_forward, "gyro_slew": gyro_slew, "magnetic_dump": magnetic_dump}

"""Facts of rbar_approach and hill_rendezvous, see scenario_facts.py: Clohessy's and Wiltshire's equations."""

import math

RATE = math.sqrt(3.986004418e14 / (6378137 + 550e3) ** 3)
MASS, EXHAUST = 156.6, 220 * 9.80665
# two jets of 1 N; the shortest pulse, with its rise and fall, in each second
FORCE, PULSE, PERIOD, DAMPING = 2.0, 0.020, 1.0, 60.0
LEAST_CHANGE = FORCE * (PULSE + 0.5 * (0.012 - 0.008)) / MASS


def turning_points(times, values, start):
    """Local maxima and minima after a time, as (time, value)."""
    highs, lows = [], []
    for i in range(1, len(values) - 1):
        if times[i] < start:
            continue
        if values[i] > values[i - 1] and values[i] >= values[i + 1]:
            highs.append((times[i], values[i]))
        if values[i] < values[i - 1] and values[i] <= values[i + 1]:
            lows.append((times[i], values[i]))
    return highs, lows


def rbar_approach(flight):
    """a_x = ẍ − 3 n² x and a_y = 2 n ẋ down the line; a hold whose pulses answer the tide."""
    first, last, way, stiffness = 0.15, 0.01, 55.0, 2.0
    slope = (first - last) / way
    duration = math.log(first / last) / slope
    path = (5 - last / slope) * duration + (way + last / slope) * (1 - math.exp(-slope * duration)) / slope
    tide = 3 * RATE ** 2
    change = (tide * 60 * 60 + first + (first - last - tide * path) + last + 2 * RATE * way
              + tide * 5 * (1500 - 60 - duration))
    highs, lows = turning_points(flight.times, flight["base_position_x_m"], 1380)
    between = (highs[-1][0] - highs[0][0]) / (len(highs) - 1)
    height = sum(value for _, value in highs) / len(highs) - sum(value for _, value in lows) / len(lows)
    edge = (FORCE * PULSE / PERIOD - DAMPING * LEAST_CHANGE / 2) / stiffness
    used = flight.summary["propellant"]["used"]
    off_line = max(abs(y) for y in flight["base_position_y_m"])
    return [("change of velocity paid for, m/s", f"{used * EXHAUST / MASS:.3f}", f"at least {change:.3f}"),
            ("propellant, g", f"{1000 * used:.1f}", f"at least {1000 * MASS * change / EXHAUST:.1f}"),
            ("place at the end, m", f"{flight['base_position_x_m'][-1]:.2f}", f"{5 + edge:.2f}"),
            ("farthest from the line, cm", f"{100 * off_line:.1f}",
             f"at most {100 * (2 * RATE * first * MASS + FORCE * PULSE / PERIOD) / stiffness:.1f}"),
            ("time between pulses of the hold, s", f"{between:.1f}", f"{LEAST_CHANGE / (tide * 5):.1f}"),
            ("width of its limit cycle, mm", f"{1000 * height:.2f}",
             f"{1000 * LEAST_CHANGE ** 2 / (8 * tide * 5):.2f}")]


def arc(turn, start, departure):
    """Place and velocity on free motion that begins on the track."""
    s, c = math.sin(turn), math.cos(turn)
    u, v = departure
    return ((u * s + 2 * v * (1 - c)) / RATE, start + (v * (4 * s - 3 * turn) - 2 * u * (1 - c)) / RATE,
            u * c + 2 * v * s, v * (4 * c - 3) - 2 * u * s)


def hill_rendezvous(flight):
    """Two changes of the velocity, the arc between them, and the band in which no pulse is given."""
    start, end, duration, stiffness = -300.0, -20.0, 1800.0, 1.0
    turn = RATE * duration
    s, c = math.sin(turn), math.cos(turn)
    scale = RATE * (end - start) / (s * (4 * s - 3 * turn) + 4 * (1 - c) ** 2)
    departure = (-2 * (1 - c) * scale, s * scale)
    arrival = arc(turn, start, departure)[2:]
    change = sum(abs(part) for part in departure + arrival)
    half = flight.times.index(60 + duration / 2)
    x, y = arc(turn / 2, start, departure)[:2]
    used = flight.summary["propellant"]["used"]
    off = max(math.hypot(flight["base_position_x_m"][i], flight["base_position_y_m"][i] - end)
              for i in range(flight.times.index(2300), len(flight.times)))
    return [("outward place at half time, m", f"{flight['base_position_x_m'][half]:.1f}", f"{x:.1f}"),
            ("place along the track at half time, m", f"{flight['base_position_y_m'][half]:.1f}", f"{y:.1f}"),
            ("change of velocity paid for, m/s", f"{used * EXHAUST / MASS:.3f}", f"at least {change:.3f}"),
            ("propellant, g", f"{1000 * used:.1f}", f"at least {1000 * MASS * change / EXHAUST:.1f}"),
            ("place along the track at the end, m", f"{flight['base_position_y_m'][-1]:.1f}", f"{end:.1f}"),
            ("farthest from the hold, cm", f"{100 * off:.1f}",
             f"at most {100 * math.sqrt(2) * FORCE * PULSE / PERIOD / stiffness:.1f}")]


RENDEZVOUS_FACTS = {"hill_rendezvous": hill_rendezvous, "rbar_approach": rbar_approach}

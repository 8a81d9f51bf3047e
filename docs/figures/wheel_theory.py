"""A wheel on loose soil, computed apart from the program: Simpson sums of the stresses, statics.

Formulas as in docs/wheels.md, without their rounding below 1 deg of slip angle and beyond |slip| = 1.
"""

import math


class Wheel:
    """A rigid wheel on a soil: the keys of `soils`, angles in rad."""

    def __init__(self, radius, width, soil, slip_angle=0.0, pressed=0.0):
        self.radius, self.width, self.soil, self.slip_angle = radius, width, soil, slip_angle
        self.pressed = pressed  # depth to which a wheel before has pressed the soil, m

    def pressure(self, depth):
        s = self.soil
        return (s["k_c"] / self.width + s["k_phi"]) * depth ** s["exponent"]

    def bed(self):
        """Wong's unloading: depth of what is left of a rut, and the modulus from there on."""
        if self.pressed == 0.0:
            return 0.0, 0.0
        first, second = self.soil["unloading_modulus"]
        modulus = first + second * self.pressed
        return self.pressed - self.pressure(self.pressed) / modulus, modulus

    def forces(self, sinkage, slip, panels=24):
        """Drawbar pull, vertical force in N and torque in N m."""
        s, r, b = self.soil, self.radius, self.width
        floor, reload = self.bed()
        sinkage -= floor
        front = math.acos(1 - sinkage / r)
        back = -math.acos(1 - s.get("lambda", 0.0) * sinkage / r)
        peak = (s.get("a0", 0.4) + s.get("a1", 0.15) * slip) * front
        give = s["shear_modulus_x"][0] + s["shear_modulus_x"][1] * abs(self.slip_angle)
        grip = math.tan(s["friction_angle"])

        def stresses(angle):
            above = angle if angle >= peak else \
                front - (angle - back) / (peak - back) * (front - peak)
            depth = r * max(0.0, math.cos(above) - math.cos(front))
            normal = reload * depth if floor + depth < self.pressed else self.pressure(floor + depth)
            moved = r * (front - angle - (1 - slip) * (math.sin(front) - math.sin(angle)))
            strength = s["cohesion"] + normal * grip
            return normal, math.copysign(strength * -math.expm1(-abs(moved) / give), moved)

        pull = lift = torque = 0.0
        for low, high in ((back, peak), (peak, front)):
            step = (high - low) / (2 * panels)
            for i in range(2 * panels + 1):
                weight = step / 3 * (1 if i in (0, 2 * panels) else 4 if i % 2 else 2)
                angle = low + i * step
                normal, shear = stresses(angle)
                pull += weight * (shear * math.cos(angle) - normal * math.sin(angle))
                lift += weight * (shear * math.sin(angle) + normal * math.cos(angle))
                torque += weight * shear
        return r * b * pull, r * b * lift, r * r * b * torque

    def sinkage(self, load, slip):
        floor, start = self.bed()[0], 0.05 * self.radius
        return floor + zero(lambda h: self.forces(floor + max(h, 1e-9), slip)[1] - load,
                            start, 1.1 * start)

    def under_load(self, load, slip):
        """Sinkage, drawbar pull, torque."""
        sinkage = self.sinkage(load, slip)
        pull, _, torque = self.forces(sinkage, slip)
        return sinkage, pull, torque


def zero(function, a, b):
    """A zero by the secant method."""
    at_a, at_b = function(a), function(b)
    for _ in range(50):
        if at_b == at_a or abs(b - a) < 1e-13 * max(1.0, abs(b)):
            break
        a, at_a, b = b, at_b, b - at_b * (b - a) / (at_b - at_a)
        at_b = function(b)
    return b


def axle_forces(wheel, slip, loads_from, loads):
    """Sinkage, drawbar pull and torque of a wheel of each axle, and its load.

    loads_from tells the loads from these forces; it starts from some loads.
    """
    for _ in range(100):
        forces = [wheel.under_load(load, slip) for load in loads]
        better = loads_from(forces)
        change = max(abs(a - b) for a, b in zip(better, loads))
        loads = better
        if change < 1e-9:
            break
    return forces, loads

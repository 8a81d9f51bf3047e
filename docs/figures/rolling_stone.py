"""A body with an ellipsoid under it that rolls on a plane without slip, by equations of its own.

Its state is the angular velocity and the vertical in axes of the body; both follow from the moments about the point of
contact, which the forces there do not enter.
"""

import math


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def added(*vectors):
    return [sum(parts) for parts in zip(*vectors)]


def scaled(factor, a):
    return [factor * x for x in a]


def solved(matrix, right):
    """By Cramer's rule, the matrix in columns."""
    determinant = dot(matrix[0], cross(matrix[1], matrix[2]))
    return [dot(right, cross(matrix[(k + 1) % 3], matrix[(k + 2) % 3])) / determinant for k in range(3)]


class RollingStone:
    def __init__(self, semi_axes, centroid, mass, inertia, gravity):
        self.squares = [length * length for length in semi_axes]
        self.centroid, self.mass, self.inertia, self.gravity = centroid, mass, inertia, gravity

    def arm(self, vertical):
        """From the centroid to the point of contact."""
        lowest = [-square * part for square, part in zip(self.squares, vertical)]
        return added(scaled(1.0 / math.sqrt(-dot(lowest, vertical)), lowest), scaled(-1.0, self.centroid))

    def arm_rate(self, vertical, rate):
        lowest = [-square * part for square, part in zip(self.squares, vertical)]
        moved = [-square * part for square, part in zip(self.squares, rate)]
        reach = math.sqrt(-dot(lowest, vertical))
        return added(scaled(1.0 / reach, moved), scaled(dot(lowest, rate) / reach ** 3, lowest))

    def rate(self, state):
        spin, vertical = state[:3], state[3:]
        turning = cross(vertical, spin)
        arm, arm_rate = self.arm(vertical), self.arm_rate(vertical, turning)
        held = added(cross(arm_rate, spin), cross(spin, cross(arm, spin)), scaled(self.gravity, vertical))
        momentum = [dot(row, spin) for row in self.inertia]
        right = added(scaled(self.mass, cross(arm, held)), scaled(-1.0, cross(spin, momentum)))
        columns = []
        for k in range(3):
            unit = [float(i == k) for i in range(3)]
            columns.append(added([row[k] for row in self.inertia],
                                 scaled(-self.mass, cross(arm, cross(arm, unit)))))
        return solved(columns, right) + turning

    def step(self, state, h):
        a = self.rate(state)
        b = self.rate(added(state, scaled(0.5 * h, a)))
        c = self.rate(added(state, scaled(0.5 * h, b)))
        d = self.rate(added(state, scaled(h, c)))
        return added(state, scaled(h / 6.0, added(a, scaled(2.0, b), scaled(2.0, c), d)))

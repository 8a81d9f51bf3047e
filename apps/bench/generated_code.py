#!/usr/bin/env python3
"""Times dynamics generated for one robot beside those of the library: what knowing the robot is worth.

Usage: generated_code.py BENCH FOLDER PAGE COMPILER [FLAG…]

BENCH is generated_bench; the table goes between the markers of PAGE. The recursions below run once with expressions in place of numbers: constants fold, zeros
and ones vanish, equal expressions are shared, and what is left is C++ without loops, as CppADCodeGen makes it.
"""

import json
import pathlib
import subprocess
import sys

ROBOTS = "AB"
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"
INPUTS = ("sine", "cosine", "A_0", "omega_0", "qd", "tau", "acceleration")


class Trace:
    """Operations on expressions, each kept once; an expression is a float or the index of one."""

    def __init__(self):
        self.nodes, self.known = [], {}

    def node(self, *parts):
        if parts not in self.known:
            self.known[parts] = len(self.nodes)
            self.nodes.append(parts)
        return self.known[parts]

    def input(self, name, index):
        return self.node("input", f"{name}[{index}]")

    def is_negative(self, a):
        return isinstance(a, int) and self.nodes[a][0] == "-" and len(self.nodes[a]) == 2

    def negative(self, a):
        if isinstance(a, float):
            return 0.0 - a
        return self.nodes[a][1] if self.is_negative(a) else self.node("-", a)

    def plus(self, a, b):
        if isinstance(a, float) and isinstance(b, float):
            return rounded(a + b)
        if a == 0.0 and isinstance(a, float):
            return b
        if b == 0.0 and isinstance(b, float):
            return a
        if self.is_negative(b):
            return self.node("-", a, self.nodes[b][1])
        if self.is_negative(a):
            return self.node("-", b, self.nodes[a][1])
        return self.node("+", *sorted((a, b), key=lambda each: (isinstance(each, int), each)))

    def minus(self, a, b):
        return 0.0 if isinstance(a, int) and isinstance(b, int) and a == b else self.plus(a, self.negative(b))

    def times(self, a, b):
        if isinstance(b, float):
            a, b = b, a
        if isinstance(a, float):
            if isinstance(b, float):
                return rounded(a * b)
            if a in (0.0, 1.0, -1.0):
                return {0.0: 0.0, 1.0: b, -1.0: self.negative(b)}[a]
        if self.is_negative(b):
            return self.negative(self.times(a, self.nodes[b][1]))
        if self.is_negative(a):
            return self.negative(self.times(self.nodes[a][1], b))
        return self.node("*", *sorted((a, b), key=lambda each: (isinstance(each, int), each)))

    def inverse(self, a):
        return 1.0 / a if isinstance(a, float) else self.node("/", a)

    def function(self, name, results):
        """C++ of all that the results need, in order."""
        needed, open_nodes = set(), [e for e in results.values() if isinstance(e, int)]
        while open_nodes:
            index = open_nodes.pop()
            if index not in needed:
                needed.add(index)
                open_nodes += [part for part in self.nodes[index][1:] if isinstance(part, int)]
        arguments = ", ".join(f"const double* __restrict {each}" for each in INPUTS)
        lines = [f'extern "C" void {name}({arguments}, double* __restrict result) {{']
        for index in sorted(needed):
            operation, *parts = self.nodes[index]
            texts = [part if isinstance(part, str) else text_of(part) for part in parts]
            value = {"input": lambda t: t[0], "/": lambda t: "1.0 / " + t[0]}.get(
                operation, lambda t: f" {operation} ".join(t) if len(t) > 1 else operation + t[0])(texts)
            lines.append(f"  const double t{index} = {value};")
        lines += [f"  result[{row}] = {text_of(value)};" for row, value in results.items()]
        return "\n".join(lines + ["}", ""])


def rounded(x):
    """Zeros and ones as they were before sines and products rounded them."""
    return float(round(x)) if abs(x - round(x)) < 1e-15 else x


def text_of(a):
    return f"({a!r})" if isinstance(a, float) else f"t{a}"


class Algebra(Trace):
    """Vectors as lists of three, matrices as lists of rows."""

    def dot(self, a, b):
        total = 0.0
        for x, y in zip(a, b):
            total = self.plus(total, self.times(x, y))
        return total

    def add(self, *vectors):
        total = vectors[0]
        for other in vectors[1:]:
            total = [self.plus(x, y) for x, y in zip(total, other)]
        return total

    def scaled(self, a, factor):
        return [self.times(x, factor) for x in a]

    def cross(self, a, b):
        return [self.minus(self.times(a[i], b[j]), self.times(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))]

    def turned(self, matrix, vector):
        return [self.dot(row, vector) for row in matrix]

    def product(self, left, right):
        columns = transposed(right)
        return [[self.dot(row, column) for column in columns] for row in left]

    def added(self, *matrices):
        return [self.add(*rows) for rows in zip(*matrices)]

    def tilde(self, a):
        return [[0.0, self.negative(a[2]), a[1]], [a[2], 0.0, self.negative(a[0])],
                [self.negative(a[1]), a[0], 0.0]]

    def symmetric(self, element):
        matrix = [[0.0] * 3 for _ in range(3)]
        for i in range(3):
            for j in range(i, 3):
                matrix[i][j] = matrix[j][i] = element(i, j)
        return matrix

    def similar(self, R, matrix):
        """R M Rᵀ of a symmetric M."""
        half = self.product(R, matrix)
        return self.symmetric(lambda i, j: self.dot(half[i], R[j]))


def transposed(matrix):
    return [list(column) for column in zip(*matrix)]


class Robot(Algebra):
    """Link frames whose z axes are those of the joints; spatial vectors are (angular, linear)."""

    def __init__(self, description, held):
        super().__init__()
        self.links, self.held = description["links"], held
        self.count = len(self.links) - 1
        self.A_0 = [[self.input("A_0", 3 * j + i) for j in range(3)] for i in range(3)]
        for link in self.links:
            for key in ("I", "C"):
                link[key] = [[rounded(float(x)) for x in row] for row in link[key]]
            link["c"], link["l"] = ([rounded(float(x)) for x in link[key]] for key in ("c", "l"))
        self.R = [None] + [self.rotation(i) for i in range(1, self.count + 1)]

    def rotation(self, i):
        s, c = self.input("sine", i - 1), self.input("cosine", i - 1)
        return self.product(self.links[i]["C"], [[c, self.negative(s), 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def joint(self, name, i):
        return self.input(name, i - 1)

    def lower(self, i):
        return self.links[i]["lower"]

    def stops_at(self, i):
        """Whether nothing asks what the lower body of a joint feels."""
        return self.held and self.lower(i) == 0

    def inertia(self, i):
        """[J, H; Hᵀ, M] about the frame origin."""
        link = self.links[i]
        c, m = self.tilde(link["c"]), float(link["mass"])
        square = self.product(c, c)
        J = self.added(link["I"], [self.scaled(row, -m) for row in square])
        return J, [self.scaled(row, m) for row in c], [[m if i == j else 0.0 for j in range(3)] for i in range(3)]

    def apply(self, I, motion):
        J, H, M = I
        return (self.add(self.turned(J, motion[0]), self.turned(H, motion[1])),
                self.add(self.turned(M, motion[1]), self.turned(transposed(H), motion[0])))

    def bias(self, I, v):
        moment, force = self.apply(I, v)
        return self.add(self.cross(v[0], moment), self.cross(v[1], force)), self.cross(v[0], force)

    def base(self, vector):
        """In axes of the base; zero where it is held."""
        if self.held:
            return [0.0] * 3
        return self.turned(transposed(self.A_0), vector)

    def outward(self, i, motion, rate):
        """Motion of a body from that of its lower one."""
        back = transposed(self.R[i])
        angular = self.turned(back, motion[0])
        linear = self.turned(back, self.add(motion[1], self.cross(motion[0], self.links[i]["l"])))
        return [angular[0], angular[1], self.plus(angular[2], rate)], linear

    def inward(self, i, force):
        linear = self.turned(self.R[i], force[1])
        return self.add(self.turned(self.R[i], force[0]), self.cross(self.links[i]["l"], linear)), linear

    def velocities(self):
        omega = self.base([self.input("omega_0", k) for k in range(3)])
        v = [(omega, self.cross(self.links[0]["c"], omega))]
        for i in range(1, self.count + 1):
            v.append(self.outward(i, v[self.lower(i)], self.joint("qd", i)))
        return v

    def gyration(self, i, v):
        """v × s q̇."""
        rate = self.joint("qd", i)
        return tuple([self.times(part[1], rate), self.negative(self.times(part[0], rate)), 0.0] for part in v)

    def moved_inertia(self, i, I):
        """About the origin and in axes of the lower body."""
        J, H, M = I
        R, o = self.R[i], self.tilde(self.links[i]["l"])
        M = self.similar(R, M)
        turned = self.product(self.product(R, H), transposed(R))
        H = self.added(turned, self.product(o, M))
        left, right = self.product(o, transposed(turned)), self.product(H, transposed(o))
        J = self.similar(R, J)
        return self.symmetric(lambda i, j: self.plus(self.plus(J[i][j], left[i][j]), right[i][j])), H, M

    def forward_dynamics(self):
        v = self.velocities()
        I = [self.inertia(i) for i in range(self.count + 1)]
        p = [self.bias(I[i], v[i]) for i in range(self.count + 1)]
        U, inverse, residual, gyration = ([None] * (self.count + 1) for _ in range(4))
        for i in range(self.count, 0, -1):
            J, H, M = I[i]
            U[i] = [J[0][2], J[1][2], J[2][2]], H[2]
            inverse[i], gyration[i] = self.inverse(J[2][2]), self.gyration(i, v[i])
            residual[i] = self.minus(self.joint("tau", i), p[i][0][2])
            if self.stops_at(i):
                continue
            T = [self.scaled(part, inverse[i]) for part in U[i]]
            J = self.symmetric(
                lambda a, b: 0.0 if b == 2 else self.minus(J[a][b], self.times(T[0][a], U[i][0][b])))
            H = [[0.0 if a == 2 else self.minus(H[a][b], self.times(T[0][a], U[i][1][b])) for b in range(3)]
                 for a in range(3)]
            M = self.symmetric(lambda a, b: self.minus(M[a][b], self.times(T[1][a], U[i][1][b])))
            own = self.apply((J, H, M), gyration[i])
            rate = self.times(residual[i], inverse[i])
            moment, force = (self.add(p[i][k], own[k], self.scaled(U[i][k], rate)) for k in range(2))
            moment[2] = self.joint("tau", i)
            self.hand_down(i, (J, H, M), (moment, force), I, p)
        a, results = [([0.0] * 3, [0.0] * 3)], {}
        if not self.held:
            a[0] = self.solve_base(I[0], p[0])
            linear = self.add(a[0][1], self.cross(v[0][0], v[0][1]))
            results = dict(enumerate(self.turned(self.A_0, linear) + self.turned(self.A_0, a[0][0])))
        for i in range(1, self.count + 1):
            angular, linear = self.outward(i, a[self.lower(i)], 0.0)
            angular, linear = self.add(angular, gyration[i][0]), self.add(linear, gyration[i][1])
            known = self.plus(self.dot(U[i][0], angular), self.dot(U[i][1], linear))
            results[5 + i] = self.times(self.minus(residual[i], known), inverse[i])
            a.append(([angular[0], angular[1], self.plus(angular[2], results[5 + i])], linear))
        return results

    def hand_down(self, i, inertia, force, I, p):
        lower = self.lower(i)
        I[lower] = tuple(self.added(own, more) for own, more in zip(I[lower], self.moved_inertia(i, inertia)))
        p[lower] = tuple(self.add(own, more) for own, more in zip(p[lower], self.inward(i, force)))

    def solve_base(self, I, p):
        """By L D Lᵀ, forces before moments."""
        J, H, M = I
        A = [M[i] + [H[j][i] for j in range(3)] for i in range(3)] + [H[i] + J[i] for i in range(3)]
        b = [self.negative(x) for x in p[1] + p[0]]
        inverse, x = [], [0.0] * 6
        for k in range(6):
            inverse.append(self.inverse(A[k][k]))
            for i in range(k + 1, 6):
                factor = self.times(A[k][i], inverse[k])
                A[i] = [self.minus(A[i][j], self.times(factor, A[k][j])) if j >= i else 0.0 for j in range(6)]
                b[i] = self.minus(b[i], self.times(factor, b[k]))
        for k in reversed(range(6)):
            x[k] = self.times(self.minus(b[k], self.dot(A[k][k + 1:], x[k + 1:])), inverse[k])
        return x[3:], x[:3]

    def inverse_dynamics(self):
        v = self.velocities()
        given = [self.input("acceleration", k) for k in range(6)]
        minus = [self.negative(x) for x in self.cross(v[0][0], v[0][1])]
        a = [(self.base(given[3:]), self.add(self.base(given[:3]), minus))]
        for i in range(1, self.count + 1):
            next_one = self.outward(i, a[self.lower(i)], self.input("acceleration", 5 + i))
            a.append(tuple(self.add(x, y) for x, y in zip(next_one, self.gyration(i, v[i]))))
        forces = []
        for i in range(self.count + 1):
            I = self.inertia(i)
            forces.append(tuple(self.add(x, y) for x, y in zip(self.apply(I, a[i]), self.bias(I, v[i]))))
        results = {}
        for i in range(self.count, 0, -1):
            results[5 + i] = forces[i][0][2]
            if not self.stops_at(i):
                lower = self.lower(i)
                forces[lower] = tuple(self.add(x, y) for x, y in zip(forces[lower], self.inward(i, forces[i])))
        if not self.held:
            results |= dict(enumerate(self.turned(self.A_0, forces[0][1]) + self.turned(self.A_0, forces[0][0])))
        return results

    def moved_rigid(self, i, I):
        """J about the origin of the lower body, first moment and mass, in axes of the lower body."""
        J, h, m = I
        R, l = self.R[i], self.links[i]["l"]
        h = self.turned(R, h)
        moved = self.add(h, self.scaled(l, m))
        J, o = self.similar(R, J), self.tilde(l)
        left, right = self.product(o, self.tilde(h)), self.product(self.tilde(moved), o)
        return self.symmetric(lambda a, b: self.minus(self.minus(J[a][b], left[a][b]), right[a][b])), moved, m

    def inertia_matrix(self):
        """Column after column, the base first; of a held base the joints alone."""
        base = 0 if self.held else 6
        size = base + self.count
        results = {k: 0.0 for k in range(size * size)}

        def put(i, j, value):
            results[j * size + i] = results[i * size + j] = value

        I = [(self.inertia(i)[0], self.scaled(link["c"], float(link["mass"])), float(link["mass"]))
             for i, link in enumerate(self.links)]
        for i in range(self.count, 0, -1):
            if not self.stops_at(i):
                own, more = I[self.lower(i)], self.moved_rigid(i, I[i])
                I[self.lower(i)] = self.added(own[0], more[0]), self.add(own[1], more[1]), own[2] + more[2]
        for i in range(1, self.count + 1):
            J, h, _ = I[i]
            force, at = ([J[0][2], J[1][2], J[2][2]], [self.negative(h[1]), h[0], 0.0]), i
            put(base + i - 1, base + i - 1, J[2][2])
            while at > 0 and not self.stops_at(at):
                force, at = self.inward(at, force), self.lower(at)
                if at > 0:
                    put(base + at - 1, base + i - 1, force[0][2])
            if base > 0:
                column = self.turned(self.A_0, force[1]) + self.turned(self.A_0, force[0])
                for row, value in enumerate(column):
                    put(row, base + i - 1, value)
        if base > 0:
            J, h, m = I[0]
            J, H = self.similar(self.A_0, J), self.tilde(self.turned(self.A_0, h))
            for i in range(3):
                put(i, i, m)
                for j in range(3):
                    put(3 + i, 3 + j, J[i][j])
                    put(3 + i, j, H[i][j])
        return results


def main():
    bench, folder, page, *compiler = sys.argv[1:]
    folder, page = pathlib.Path(folder), pathlib.Path(page)
    for robot in ROBOTS:
        text = subprocess.run([bench, "describe", robot], check=True, capture_output=True, text=True).stdout
        code = []
        for held in (False, True):
            for name in ("forward_dynamics", "inverse_dynamics", "inertia_matrix"):
                traced = Robot(json.loads(text), held)
                code.append(traced.function(f"{name}_{'held' if held else 'free'}", getattr(traced, name)()))
        source, library = folder / f"generated_{robot}.cpp", folder / f"generated_{robot}.so"
        source.write_text("\n".join(code), encoding="utf-8")
        subprocess.run([*compiler, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    table = subprocess.run([bench, "time", str(folder), ROBOTS], check=True, capture_output=True, text=True).stdout
    before, after = page.read_text(encoding="utf-8").split(BEGIN)[0], page.read_text(encoding="utf-8").split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{table}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Facts of itokawa_walk, see scenario_facts.py: weight by the field of the mesh, computed once more here."""

import math

from encounter_facts import add, dot, vector
from task_facts import below, cross

MU, MASS = 2.3427, 8 + 4 * 0.35
LEGS = [f"{place}_{side}" for place in ("front", "rear") for side in ("left", "right")]


def read_mesh(path):
    corners, faces = [], []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *rest = line.split()
        if kind == "v":
            corners.append([float(x) for x in rest])
        elif kind == "f":
            faces.append([int(x) - 1 for x in rest])
    return corners, faces


def attraction(corners, faces, place):
    """Of a homogeneous polyhedron with μ, by sums over its faces and edges (Werner and Scheeres 1997)."""
    r = [add(corner, place, -1) for corner in corners]
    far = [math.hypot(*x) for x in r]
    volume, total, normals = 0.0, [0.0, 0.0, 0.0], {}
    for a, b, c in faces:
        normal = cross(add(corners[b], corners[a], -1), add(corners[c], corners[a], -1))
        normal = [x / math.hypot(*normal) for x in normal]
        triple = dot(r[a], cross(r[b], r[c]))
        angle = 2 * math.atan2(triple, far[a] * far[b] * far[c] + far[a] * dot(r[b], r[c]) +
                               far[b] * dot(r[c], r[a]) + far[c] * dot(r[a], r[b]))
        total = add(total, normal, dot(normal, r[a]) * angle)
        volume += dot(corners[a], cross(corners[b], corners[c])) / 6
        for edge in ((a, b), (b, c), (c, a)):
            normals[edge] = normal
    for (i, j), normal in normals.items():
        along = add(corners[j], corners[i], -1)
        length = math.hypot(*along)
        outward = cross([x / length for x in along], normal)
        part = math.log((far[i] + far[j] + length) / (far[i] + far[j] - length))
        total = add(total, normal, -dot(outward, r[i]) * part)
    return [MU / volume * x for x in total]


def itokawa_walk(flight):
    corners, faces = read_mesh(flight.models / "terrains" / "itokawa_pair.obj")
    tilt = 2 * math.atan2(flight["base_quaternion_y"][0], flight["base_quaternion_w"][0])
    ahead, up = [math.cos(tilt), 0, -math.sin(tilt)], [math.sin(tilt), 0, math.cos(tilt)]
    start, end = (vector(flight, "base_position_{}_m", i) for i in (0, -1))
    forces = {leg: flight[f"contacts_{leg}_normal_force_N"] for leg in LEGS}
    slip, stands = 0.0, {}
    for i in range(len(flight.times)):
        for leg in LEGS:
            foot = vector(flight, f"frames_{leg}_foot_position_{{}}_m", i)
            if forces[leg][i] == 0.0:
                stands.pop(leg, None)
                continue
            foot = add(foot, up, -dot(foot, up))
            slip = max(slip, math.dist(foot, stands.setdefault(leg, foot)))
    weight = -MASS * dot(attraction(corners, faces, start), up)
    standing = sum(forces[leg][0] for leg in LEGS)
    return [("the body advances by, m", f"{dot(add(end, start, -1), ahead):.3f}", f"{0.12:.3f}"),
            ("weight on four feet at first, mN", f"{1000 * standing:.3f}", f"{1000 * weight:.3f}"),
            ("feet that stand move by", below(slip, 3e-3, 1e-3), "at most 3 mm")]


WALK_FACTS = {"itokawa_walk": itokawa_walk}

#!/usr/bin/env python3
"""Flies muses_touchdown over slopes and coefficients of friction: the table and the picture of its page.

Usage: touchdown_sweep.py DOCS MODELS PROGRAM WORK_FOLDER

Writes the table between the markers of DOCS/scenarios/muses_touchdown.md and the picture
DOCS/gallery/muses_touchdown_sweep.svg.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys

BEGIN, END = "<!-- sweep: begin -->", "<!-- sweep: end -->"
SLOPES = range(0, 55, 5)
FRICTION = (0.2, 0.5, 1.0)
COLORS = ("#b5474a", "#2b6cb0", "#3a8a4d")
GRAVITY = 8.0e-5


def fly(program, scenario, folder, slope, friction):
    """One touchdown: what became of contacts, and how the spacecraft moves at its end."""
    command = [program, "simulate", scenario, "-o", folder, "--force", "--format", "csv", "--no-report",
               "--no-progress", "--json", "--set", f"environment.terrain.angle={slope}deg",
               "--set", f"contacts.tip.friction.coefficient={friction}",
               "--set", f"contacts.bus.friction.coefficient={friction}"]
    summary = json.loads(subprocess.run([str(word) for word in command], capture_output=True, text=True,
                                        check=True).stdout)
    with open(folder / "muses_touchdown.csv", encoding="utf-8", newline="") as stream:
        last = list(csv.DictReader(line for line in stream if not line.startswith("#")))[-1]
    number = {key: float(value) for key, value in last.items()}
    tip, bus = (next(c for c in summary["contacts"] if c["name"] == name) for name in ("tip", "bus"))
    w, x, y, z = (number["base_quaternion_" + axis] for axis in "wxyz")
    angle = math.radians(slope)
    momentum = [number[f"linear_momentum_{axis}_kg_m_s"] / 440.0 for axis in "xyz"]
    return {"slope": slope, "friction": friction, "lasts": tip["last"] - tip["first"],
            "force": tip["largest_force"], "count": tip["count"],
            "rise": -math.sin(angle) * momentum[0] + math.cos(angle) * momentum[2],
            "spin": math.degrees(math.sqrt(sum(number[f"base_angular_velocity_{a}_rad_s"] ** 2 for a in "xyz"))),
            "tilt": math.degrees(math.acos(max(-1.0, min(1.0, 1 - 2 * (x * x + y * y))))),
            "bus": bus["count"] > 0}


def table(flights):
    lines = ["", "| slope | friction | contact, s | largest force, N | leaves the slope with, cm/s | turns by, °/s | "
             "tilt after 60 s | bus touches | upright |", "|---|---|---|---|---|---|---|---|---|"]
    for one in flights:
        upright = not one["bus"] and one["tilt"] < 90.0
        lines.append(f"| {one['slope']}° | {one['friction']} | {one['lasts']:.2f} | {one['force']:.0f} | "
                     f"{100 * one['rise']:.1f} | {one['spin']:.2f} | {one['tilt']:.0f}° | "
                     f"{'yes' if one['bus'] else 'no'} | {'yes' if upright else 'no'} |")
    return "\n".join(lines) + "\n"


def panel(flights, key, title, left, most, step):
    """A plot of one number over the slope."""
    width, height, top = 300.0, 210.0, 40.0
    def at(slope, value):
        return left + width * slope / 50.0, top + height * (1.0 - min(value, most) / most)
    parts = [f'<text x="{left}" y="{top - 14}" font-weight="bold">{title}</text>']
    value = 0.0
    while value <= most + 1e-9:
        y = at(0, value)[1]
        parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="#8884" fill="none"/>'
                     f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        value += step
    for slope in range(0, 60, 10):
        parts.append(f'<text x="{at(slope, 0)[0]:.1f}" y="{top + height + 18}" '
                     f'text-anchor="middle">{slope}°</text>')
    for friction, color in zip(FRICTION, COLORS):
        points = [at(one["slope"], one[key]) for one in flights if one["friction"] == friction]
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" '
                     f'stroke="{color}" stroke-width="2" fill="none"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in points]
    return "\n".join(parts)


def picture(flights):
    legend = "".join(f'<text x="{60 + 130 * i}" y="300" fill="{color}">● friction {friction}</text>'
                     for i, (friction, color) in enumerate(zip(FRICTION, COLORS)))
    most = max(one["tilt"] for one in flights)
    step = 30.0 if most > 60 else 10.0
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 315" font-family="sans-serif" '
            'font-size="12" fill="#667">\n'
            + panel(flights, "tilt", "tilt 58 s after the touch, °, over the slope", 50.0,
                    step * math.ceil(most / step), step) + "\n"
            + panel(flights, "rise", "speed off the slope, m/s", 430.0, 0.06, 0.01) + "\n" + legend
            + "\n</svg>\n")


def main():
    docs, models, program, work = (pathlib.Path(path).resolve() for path in sys.argv[1:5])
    flights = [fly(program, models / "scenarios" / "muses_touchdown.yaml", work / "sweep", slope, friction)
               for slope in SLOPES for friction in FRICTION]
    page = docs / "scenarios" / "muses_touchdown.md"
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    page.write_text(before + BEGIN + table(flights) + END + rest.split(END)[1], encoding="utf-8")
    (docs / "gallery" / "muses_touchdown_sweep.svg").write_text(picture(flights), encoding="utf-8")


if __name__ == "__main__":
    main()

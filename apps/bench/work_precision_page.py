"""Writes the tables of work_precision.csv into a page, between its two marks.

usage: work_precision_page.py CSV PAGE.md
"""

import csv
import pathlib
import sys
from collections import defaultdict

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LIMITS = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
DEFAULT = "dopri5"


def read(path):
    """Of each scenario and method the points (error, processor time)."""
    flights = defaultdict(lambda: defaultdict(list))
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            flights[row["scenario"]][row["method"]].append(
                (float(row["error"]), float(row["processor_s"])))
    return flights


def fastest(curve, limit):
    """The least time of a method for an error up to the limit, or None."""
    return min((seconds for error, seconds in curve if error <= limit), default=None)


def table(scenario, methods):
    lines = [f"### {scenario}", "",
             "| milliseconds for an error up to | " + " | ".join(f"{x:.0e}" for x in LIMITS) + " |",
             "|---|" + "---:|" * len(LIMITS)]
    best = [min((t for t in (fastest(c, x) for c in methods.values()) if t is not None),
                default=None) for x in LIMITS]
    for method, curve in methods.items():
        times = [fastest(curve, x) for x in LIMITS]
        if all(time is None for time in times):
            continue
        cells = ["–" if time is None else f"**{1e3 * time:.3g}**" if time == least else
                 f"{1e3 * time:.3g}" for time, least in zip(times, best)]
        lines.append(f"| `{method}` | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def front(flights):
    """Which points of the default method are beaten in both error and time by another method."""
    lines = []
    for scenario, methods in flights.items():
        others = [point for method, curve in methods.items() if method != DEFAULT
                  for point in curve]
        points = methods[DEFAULT]
        kept = sum(not any(o[0] <= p[0] and o[1] <= p[1] for o in others) for p in points)
        lines.append(f"- {scenario}: {kept} of {len(points)} points of `{DEFAULT}` are on the front.")
    return "\n".join(lines)


def main():
    source, page = sys.argv[1:]
    flights = read(source)
    parts = [table(scenario, methods) for scenario, methods in flights.items()]
    parts += ["### The default method on the Pareto front",
              "A point is on the front if no other method is both as accurate and as fast.",
              front(flights)]
    path = pathlib.Path(page)
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(before + BEGIN + "\n\n" + "\n\n".join(parts) + "\n\n" + END + after,
                    encoding="utf-8")


if __name__ == "__main__":
    main()

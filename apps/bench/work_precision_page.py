"""Writes the tables of work_precision.csv into a page, between its two marks.

usage: work_precision_page.py CSV PAGE.md
"""

import csv
import pathlib
import sys
from collections import defaultdict

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
LIMITS = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
MEASURED_TO = 0.1  # times of equal flights differ by so much


class Flights:
    """Of each scenario and method the points (error, processor time), and those of the default."""

    def __init__(self):
        self.methods = defaultdict(lambda: defaultdict(list))
        self.default = {}  # of each scenario the point and the name of the method


def read(path):
    """The flights with all outputs and those with the end only."""
    flights = {"all": Flights(), "end": Flights()}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            kind, scenario, method = flights[row["outputs"]], row["scenario"], row["method"]
            point = float(row["error"]), float(row["processor_s"])
            if row["settings"] == "default":
                kind.default[scenario] = method, point
            else:
                kind.methods[scenario][method].append(point)
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


def verdict(others, error, seconds):
    """Whether another method is as accurate and as fast, and how long the fastest takes."""
    rivals = {method: fastest(curve, error) for method, curve in others.items()}
    rivals = {method: time for method, time in rivals.items() if time is not None}
    if not rivals:
        return "yes: no other method is as accurate"
    best = min(rivals, key=rivals.get)
    ratio = rivals[best] / seconds
    word = "yes" if ratio > 1.0 else "yes, within the measurement" if ratio > 1.0 - MEASURED_TO \
        else "no"
    return f"{word}: `{best}` takes {ratio:.2f} times as long"


def front(kind):
    """Where the default settings lie among the points of the other methods."""
    lines = ["| scenario | error | milliseconds | on the Pareto front |", "|---|---:|---:|---|"]
    for scenario, (method, (error, seconds)) in kind.default.items():
        others = {name: curve for name, curve in kind.methods[scenario].items() if name != method}
        lines.append(f"| {scenario} | {error:.1e} | {1e3 * seconds:.3g} | "
                     f"{verdict(others, error, seconds)} |")
    return "\n".join(lines)


def main():
    source, page = sys.argv[1:]
    flights = read(source)
    parts = ["### The default settings on the Pareto front",
             "With all outputs:", front(flights["all"]),
             "With no output but the end:", front(flights["end"])]
    parts += [table(scenario, methods) for scenario, methods in flights["all"].methods.items()]
    path = pathlib.Path(page)
    before, rest = path.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(before + BEGIN + "\n\n" + "\n\n".join(parts) + "\n\n" + END + after,
                    encoding="utf-8")


if __name__ == "__main__":
    main()

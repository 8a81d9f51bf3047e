#!/usr/bin/env python3
"""Keeps the pages of the shipped scenarios in step with what the program computes.

Usage: scenario_pages.py --write|--check DOCS MODELS PROGRAM WORK_FOLDER [NAME…]

Every scenario has a page DOCS/scenarios/NAME.md with a table between its markers: what its flight
gives beside what it must agree with (scenario_facts.py), and the audit beside the limits under its
`checks:`. --write replaces the tables; --check fails, saying where, if a page, a table, a picture, a
link from the gallery or `checks:` is missing, or a number differs.
"""

import pathlib
import sys

from scenario_facts import FACTS, Flight

BEGIN, END = "<!-- numbers: begin -->", "<!-- numbers: end -->"


def audit(summary):
    """Rows of the audit; figures of rounding differ between processors, their limits do not."""
    return [(name.replace("_", " "), "kept" if check["passed"] else "exceeded",
             f"at most {check['limit']:.0e}") for name, check in summary["checks"].items()]


def table(flight):
    rows = FACTS[flight.name](flight) + audit(flight.summary)
    lines = ["", "| | from the flight | must be |", "|---|---|---|"]
    return "\n".join(lines + [f"| {what} | {got} | {expected} |" for what, got, expected in rows]) + "\n"


def missing(docs, name, text, flight):
    """What a page lacks besides its numbers."""
    gallery = (docs / "gallery.md").read_text(encoding="utf-8")
    problems = []
    if f"spacedyn examples {name}" not in text:
        problems.append(f"does not say `spacedyn examples {name}`")
    if f"(../gallery/{name}." not in text:
        problems.append(f"shows no picture ../gallery/{name}.*")
    if "## What to learn" not in text:
        problems.append("has no section 'What to learn'")
    if f"(scenarios/{name}.md)" not in gallery:
        problems.append("is not linked from gallery.md")
    checks = flight.summary["checks"]
    if not checks:
        problems.append("has a scenario without `checks:`")
    # another processor or compiler may round differently: half of each limit stays free
    problems += [f"has a scenario that comes near its limit of {check}: {found['value']:.2g}"
                 for check, found in checks.items() if found["value"] > 0.5 * found["limit"]]
    # attitudes that jets hold move by some hundredths of a radian, quaternions by half as much
    if moved(flight) < 0.002:
        problems.append("has a scenario in which next to nothing moves")
    return problems


def moved(flight):
    """Farthest that base or joints are from their start; a mechanism may be back there at the end."""
    state = [name for name in flight.columns if ("position" in name or "quaternion" in name)
             and name.startswith(("base_", "robots_")) or name.startswith("joints_") and
             name.endswith(("_rad", "_m"))]
    return max(sum(abs(values[row] - values[0]) for values in map(flight.__getitem__, state))
               for row in range(len(flight.times)))


def page_problems(docs, name, flight, write):
    path = docs / "scenarios" / f"{name}.md"
    if not path.exists():
        return [f"docs/scenarios/{name}.md is missing"]
    text = path.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        return [f"{path.name} has no place for its numbers: {BEGIN} … {END}"]
    before, rest = text.split(BEGIN)
    written, after = rest.split(END)
    computed = table(flight)
    if write:
        path.write_text(before + BEGIN + computed + END + after, encoding="utf-8")
        return []
    problems = [f"{path.name} {what}" for what in missing(docs, name, text, flight)]
    if written != computed:
        problems.append(f"{path.name} says\n{written}but the flight gives\n{computed}")
    return problems


def main():
    action, *paths = sys.argv[1:6]
    docs, models, program, work = (pathlib.Path(path).resolve() for path in paths)
    shipped = sorted(path.stem for path in (models / "scenarios").glob("*.yaml"))
    problems = [f"scenario_facts.py knows nothing about {name}" for name in shipped
                if name not in FACTS]
    for name in sys.argv[6:] or [name for name in shipped if name in FACTS]:
        flight = Flight(program, models, work, name)
        problems += page_problems(docs, name, flight, action == "--write")
    print("\n".join(problems) if problems else "the pages of the scenarios are up to date")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

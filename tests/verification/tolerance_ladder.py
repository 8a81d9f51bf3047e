#!/usr/bin/env python3
"""Flies every shipped scenario with tolerances from 1e-4 to 1e-13: errors fall or stay.

    tolerance_ladder.py PROGRAM             all scenarios of adaptive methods
    tolerance_ladder.py PROGRAM NAME…       only these
    tolerance_ladder.py PROGRAM --write     writes the table of docs/verification.md

Both tolerances are set. The error is the largest difference of a number of the final state from the
flight at 1e-13, relative to the largest of its vector, or to 1. It may not exceed 30 times the least
error at a larger tolerance, or 30 times the tolerance where that is more: errors of single flights
scatter. Each flight must end by itself; limits that a scenario sets itself need not hold.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGE = SOURCE / "docs/verification.md"
BEGIN = "<!-- written by tests/verification/tolerance_ladder.py --write -->"
END = "<!-- end of the ladder -->"
LADDER = [10.0 ** -k for k in range(4, 14)]
SCATTER = 30.0
# s, of scenarios whose whole flight takes minutes at 1e-13, or is not determined by its start: the
# attitude of a satellite that is left to the gradient tumbles without order, and so does a net that wraps
DURATIONS = {"artificial_gravity": 5, "asteroid_walk": 100, "flyball_governor": 2, "geostationary_year": 100000,
             "itokawa_walk": 30, "net_catch": 8, "oblate_orbit": 25000, "rover_stall": 20, "srms_mini_arm_calm": 10}
COMPLETE, CHECKS_FAILED = 0, 5


def numbers(value, key: str, into: dict):
    if isinstance(value, dict):
        for name, part in value.items():
            numbers(part, f"{key}/{name}", into)
    elif isinstance(value, list):
        for part in value:
            numbers(part, key, into)
    elif isinstance(value, (int, float)):
        into.setdefault(key, []).append(value)


def fly(program: str, name: str, tolerance: float) -> dict:
    """Numbers of the final state by their vectors."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "simulate", str(SOURCE / f"models/scenarios/{name}.yaml"), "-o", f"{folder}/run",
                   "--json", "--no-report", "--no-progress", "--channels", "state", "--format", "csv"]
        for kind in ("relative", "absolute"):
            command += ["--set", f"integrator.{kind}_tolerance={tolerance:g}"]
        if name in DURATIONS:
            command += ["--duration", str(DURATIONS[name])]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (COMPLETE, CHECKS_FAILED):
        raise RuntimeError(f"{name} at {tolerance:g} ends with {run.returncode}: {run.stdout[-500:]}{run.stderr[-500:]}")
    state = {}
    numbers(json.loads(run.stdout)["final_state"], "", state)
    return state


def difference(one: dict, other: dict) -> float:
    largest = 0.0
    for key, values in other.items():
        size = max(1.0, max(abs(value) for value in values))
        largest = max(largest, max(abs(a - b) for a, b in zip(one[key], values)) / size)
    return largest


def errors_of(program: str, name: str) -> list:
    states = [fly(program, name, tolerance) for tolerance in LADDER]
    return [difference(state, states[-1]) for state in states[:-1]]


def faults(name: str, errors: list) -> list:
    found, least = [], errors[0]
    for tolerance, error in zip(LADDER, errors):
        if not error <= SCATTER * max(least, tolerance):
            found.append(f"{name}: the error rises to {error:.1e} at {tolerance:g}, from {least:.1e}")
        least = min(least, error)
    return found


def scenarios() -> list:
    names = []
    for path in sorted((SOURCE / "models/scenarios").glob("*.yaml")):
        if re.search(r"\brelative_tolerance\b", path.read_text(encoding="utf-8")):
            names.append(path.stem)
    return names


def power(value: float) -> str:
    return "0" if value == 0 else f"{value:.0e}".replace("e-0", "e-").replace("-", "−")


def table(rows: dict) -> str:
    head = "| scenario | " + " | ".join(power(t) for t in LADDER[:-1]) + " |\n|---|" + "---:|" * (len(LADDER) - 1)
    lines = [f"| `{name}` | " + " | ".join(power(e) for e in errors) + " |" for name, errors in rows.items()]
    shorter = ", ".join(f"`{name}` {duration:,} s" for name, duration in DURATIONS.items())
    note = textwrap.fill(f"Shorter than the scenario: {shorter}.", 120)
    return "\n".join([head, *lines, "", note])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows, wrong = {}, []
    for name in options.names or scenarios():
        rows[name] = errors_of(options.program, name)
        print(f"{name:26}", *(f"{error:7.0e}" for error in rows[name]), flush=True)
        wrong += faults(name, rows[name])
    for text in wrong:
        print(text, file=sys.stderr)
    if options.write and not options.names:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{table(rows)}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

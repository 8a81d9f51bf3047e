#!/usr/bin/env python3
"""Keeps the table of results in README.md in step with what the program computes.

Usage: readme_table.py --write|--check README RESULT_CSV SUMMARY_JSON

RESULT_CSV and SUMMARY_JSON come from `spacedyn simulate --json` of ets7_arm_slew. --write replaces the
table between its markers; --check fails, saying where, if the table does not hold these results.
"""

import csv
import json
import math
import sys

BEGIN = "<!-- ets7_arm_slew: begin -->"
END = "<!-- ets7_arm_slew: end -->"


def attitude(row):
    """Roll, pitch, yaw in degrees."""
    w, x, y, z = (float(row["base_quaternion_" + axis]) for axis in "wxyz")
    return [math.degrees(angle) for angle in (
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        math.asin(2 * (w * y - z * x)),
        math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))]


def paddle_tip(row, side):
    """Deflection of a paddle's tip from its four hinges, mm."""
    return 1000 * sum(arm * float(row[f"joints_paddle_{side}_hinge_{hinge}_rad"])
                      for hinge, arm in enumerate((7.5, 5.625, 3.75, 1.875), 1))


def ringing(rows):
    """Largest deflection of a tip after the arm has come to rest, and its frequency in Hz."""
    late = [(float(row["time_s"]), paddle_tip(row, "left")) for row in rows
            if float(row["time_s"]) >= 25]
    mean = sum(tip for _, tip in late) / len(late)
    rising = [before[0] + (after[0] - before[0]) * (mean - before[1]) / (after[1] - before[1])
              for before, after in zip(late, late[1:]) if before[1] < mean <= after[1]]
    frequency = (len(rising) - 1) / (rising[-1] - rising[0])
    return max(abs(tip) for _, tip in late), frequency


def decade_above(value):
    """The power of ten that a rounding error stays below."""
    return f"{10.0 ** math.ceil(math.log10(value)):.0e}" if value > 0 else "0"


def table(rows, summary):
    """List of (label, text)."""
    roll, pitch, yaw = attitude(rows[-1])
    amplitude, frequency = ringing(rows)
    torque = max(abs(float(row["joints_shoulder_pitch_torque_N_m"])) for row in rows)
    return [
        ("base attitude after 60 s: roll, pitch, yaw", f"{roll:.3f}°, {pitch:.3f}°, {yaw:.3f}°"),
        ("largest pitch of the base during the flight",
         f"{max(abs(attitude(row)[1]) for row in rows):.3f}°"),
        ("largest torque at the shoulder pitch", f"{torque:.2f} N m"),
        ("paddle tip after the slew: amplitude, frequency",
         f"{amplitude:.2f} mm, {frequency:.4f} Hz"),
        ("momentum drift, relative, below", decade_above(summary["momentum_drift"])),
        ("energy residual, relative, below", decade_above(summary["energy_residual"])),
    ]


def agrees(label, written, computed):
    """Rounding differs between processors: bounds may be a decade off, numbers not at all."""
    if label.endswith("below"):
        return 0.05 < float(written) / float(computed) < 20
    return written == computed


def check(written, computed):
    """Problems, as lines of text."""
    found = {}
    for line in written.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 2:
            found[cells[0]] = cells[1]
    return [f"{label}: README says {found.get(label, 'nothing')}, computed {text}"
            for label, text in computed
            if label not in found or not agrees(label, found[label], text)]


def main():
    action, readme, result, summary = sys.argv[1:]
    with open(result, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    with open(summary, encoding="utf-8") as stream:
        computed = table(rows, json.load(stream))
    with open(readme, encoding="utf-8") as stream:
        before, rest = stream.read().split(BEGIN)
    written, after = rest.split(END)
    if action == "--check":
        problems = check(written, computed)
        print("\n".join(problems) if problems else "README.md is up to date")
        return 1 if problems else 0
    lines = ["", "| ETS-VII moves its arm | |", "|---|---|"]
    lines += [f"| {label} | {text} |" for label, text in computed]
    with open(readme, "w", encoding="utf-8") as stream:
        stream.write(before + BEGIN + "\n".join(lines) + "\n" + END + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())

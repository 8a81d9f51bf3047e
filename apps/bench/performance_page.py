#!/usr/bin/env python3
"""Writes the figures of docs/performance.md and its picture from what performance_bench measured.

Usage: performance_page.py JSON PAGE SVG COMPILER

Repetitions of all libraries are interleaved at random within one run; a table shows their medians,
and the smallest times in brackets. What stands between the markers of PAGE is replaced.
"""

import collections
import json
import math
import pathlib
import re
import statistics
import sys

import log_chart

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
PEERS = ("MuJoCo", "Bullet", "DART", "Simbody")
ROBOTS = "ABCDE"
CLOCK = " by the clock"
QUANTITIES = (
    ("forward_dynamics", "Forward dynamics"),
    ("inverse_dynamics", "Inverse dynamics"),
    ("inertia_matrix", "Inertia matrix"),
    ("frame_jacobian", "Positions of all bodies and Jacobian of one frame"),
    ("one_frame", "Pose and Jacobian of one frame"),
    ("all_jacobians", "Positions and Jacobians of all bodies"),
    ("rk4_steps", "One rk4 step"),
    ("generalized_jacobian", "Generalized Jacobian"),
    ("derivatives", "Forward dynamics and its derivatives"))
BATCHES = (("forward_dynamics", "forward dynamics", "forward_dynamics"),
           ("inverse_dynamics", "inverse dynamics", "inverse_dynamics"),
           ("rk4_steps", "rk4 step", "rk4_steps"))


def read(path):
    """{name: (median, minimum)} in µs per item, and the context of the run."""
    document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    times = collections.defaultdict(list)
    for entry in document["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        name = entry["run_name"].replace("/process_time/real_time", "")
        times[name].append(entry["cpu_time"] / entry["items"] / 1000.0)
        times[name + CLOCK].append(entry["real_time"] / entry["items"] / 1000.0)
    return ({name: (statistics.median(all), min(all)) for name, all in times.items()},
            document["context"])


def number(value):
    """Three significant digits."""
    if value >= 100:
        return f"{value:.0f}"
    digits = max(0, 2 - math.floor(math.log10(value)))
    return f"{value:.{digits}f}"


def cell(time):
    return f"{number(time[0])} ({number(time[1])})" if time else ""


def fastest(times, robot, quantity, index=0):
    """Median (index 0) or minimum (1) of the fastest peer, None where no peer offers it."""
    found = [times[f"{robot}/{quantity}/{peer}"][index] for peer in PEERS
             if f"{robot}/{quantity}/{peer}" in times]
    return min(found) if found else None


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---" + "|---:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def single(times, quantity, title):
    peers = [peer for peer in PEERS if f"A/{quantity}/{peer}" in times]
    rows = []
    for robot in ROBOTS:
        ours = times[f"{robot}/{quantity}/spacedyn"]
        row = [robot, cell(ours)] + [cell(times.get(f"{robot}/{quantity}/{peer}"))
                                     for peer in peers]
        if peers:
            row.append(f"{fastest(times, robot, quantity) / ours[0]:.1f}")
        if quantity == "derivatives":
            row.append(f"{ours[0] / times[f'{robot}/forward_dynamics/spacedyn'][0]:.1f}")
        rows.append(row)
    header = ["", "spacedyn"] + peers + (["fastest peer / spacedyn"] if peers else [])
    if quantity == "derivatives":
        header.append("/ forward dynamics alone")
    return f"### {title}\n\n" + table(header, rows)


def batches(times):
    threads = sorted({int(name.rsplit("/", 1)[1]) for name in times
                      if "A/batch_" in name and not name.endswith(CLOCK)})
    parts = []
    for key, title, peer_key in BATCHES:
        rows = []
        for robot in ROBOTS:
            name = f"{robot}/batch_{key}/"
            one = times[name + "1"]
            row = [robot, cell([1000 * t for t in one])]
            row += [f"{fastest(times, robot, peer_key, index) / one[index]:.1f}"
                    for index in (0, 1)]
            for n in threads[1:]:
                together, clock = times[f"{name}{n}"], times[f"{name}{n}{CLOCK}"]
                row += [cell([1000 * t for t in together]), cell([1000 * t for t in clock]),
                        f"{times[name + '1' + CLOCK][1] / clock[1]:.2f}"]
            rows.append(row)
        header = ["", "1 thread, ns", "fastest peer / this, medians", "minima"]
        for n in threads[1:]:
            header += [f"{n} threads, CPU time, ns", "by the clock, ns",
                       f"1 thread / {n}, minima by the clock"]
        parts.append(f"### Batched {title}, per state\n\n" + table(header, rows))
    return "\n\n".join(parts)


def chain_times(times, suffix):
    found = []
    for name, (median, _) in times.items():
        match = re.fullmatch(r"chain_(\d+)/" + suffix, name)
        if match:
            found.append((int(match.group(1)), median))
    return sorted(found)


def chains(times):
    one = dict(chain_times(times, "forward_dynamics/spacedyn"))
    batch = dict(chain_times(times, r"batch_forward_dynamics/1"))
    rows = [[str(n), number(1000 * one[n] / n) if n in one else "", number(1000 * batch[n] / n)]
            for n in sorted(batch)]
    return ("### Forward dynamics of a chain, ns per joint\n\n" +
            table(["joints", "one state", "batch, 1 thread"], rows) + memory(times, one))


def memory(times, one):
    """How the longest chain compares with three sweeps at the pace of the memory."""
    update = times.get("memory/update_20_MB")
    if not update or 10000 not in one:
        return ""
    per_link = 1000.0 * update[0] / 10000
    return (f"\n\nUpdating 20 MB in place, 2 KiB for each of 10,000 links, takes {number(update[0])} µs here: "
            f"{per_link:.0f} ns per link.\nThe three sweeps of forward dynamics take {3 * per_link:.0f} ns at "
            f"that pace, and were measured to take {1000 * one[10000] / 10000:.0f} ns.")


def picture(times):
    """Time per state against the number of joints."""
    series = [("one state", chain_times(times, "forward_dynamics/spacedyn")),
              ("batch, per state", chain_times(times, r"batch_forward_dynamics/1"))]
    return log_chart.draw(series, "Time of forward dynamics against the number of joints",
                          "joints of a chain on a floating base", "forward dynamics, µs")


def cpu():
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.M)
    return match.group(1) if match else "unknown CPU"


def main():
    source, page, svg, compiler = sys.argv[1:]
    times, context = read(source)
    load = ", ".join(f"{value:.1f}" for value in context["load_avg"])
    parts = [f"Measured {context['date'][:10]} on {cpu()}, {context['num_cpus']} cores, load average "
             f"{load} at the start; {compiler}.",
             "Times in µs: median and, in brackets, minimum."]
    parts += [single(times, key, title) for key, title in QUANTITIES
              if f"A/{key}/spacedyn" in times]
    parts += [batches(times), chains(times)]
    path = pathlib.Path(page)
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(before + BEGIN + "\n" + "\n\n".join(parts) + "\n" + END + after,
                    encoding="utf-8")
    pathlib.Path(svg).write_text(picture(times), encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the tables of docs/constraints.md and their picture from what loop_bench printed.

Usage: loop_bench | loop_page.py PAGE SVG

The first table goes between the markers `loop times`, the second between `loop peers`.
"""

import pathlib
import re
import sys

import log_chart


def tables(text):
    """Tables of Markdown in a text, each as its lines."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    starts = [index - 1 for index, line in enumerate(lines) if set(line) <= set("|-")]
    return [lines[start:end] for start, end in zip(starts, starts[1:] + [len(lines)])]


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def times(cell):
    """Microseconds in a cell, one for each number of threads."""
    return [None if part.strip() == "–" else float(part) for part in cell.split("(")[0].split("/")]


def picture(table):
    """Time of ladders of four-bars against their joints."""
    methods = ("incremental", "spanning tree", "maximal", "divide and conquer, 1 thread",
               "divide and conquer, 2 threads")
    series = {method: [] for method in methods}
    for line in table[2:]:
        kind, joints, *columns = cells(line)
        if not kind.startswith("ladder"):
            continue
        measured = [time for column in columns for time in times(column)]
        for method, time in zip(methods, measured):
            if time is not None:
                series[method].append((int(joints), time))
    return log_chart.draw(list(series.items()), "Time of accelerations with loops against the number of joints",
                          "joints of a ladder of four-bars", "accelerations, µs")


def put(text, marker, table):
    begin, end = f"<!-- {marker}: begin -->", f"<!-- {marker}: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    block = "\n".join([begin, *table, end])
    return pattern.sub(lambda _: block, text)


def main():
    page, svg = map(pathlib.Path, sys.argv[1:])
    procedures, peers = tables(sys.stdin.read())
    text = page.read_text(encoding="utf-8")
    text = put(put(text, "loop times", procedures), "loop peers", peers)
    page.write_text(text, encoding="utf-8")
    svg.write_text(picture(procedures), encoding="utf-8")


if __name__ == "__main__":
    main()

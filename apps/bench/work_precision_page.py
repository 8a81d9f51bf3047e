"""Draws work_precision.csv as work-precision diagrams and prints their tables as Markdown.

usage: work_precision_page.py CSV SVG > TABLES.md
"""

import csv
import math
import sys
from collections import defaultdict

COLOURS = ["#1b6ca8", "#c8553d", "#3a7d44", "#8a4fa0", "#b08900", "#00798c", "#d1495b", "#5c6b73",
           "#6f4e37", "#2f4b7c", "#a05195", "#488f31", "#de425b", "#444444"]
WIDTH, HEIGHT, LEFT, TOP, GAP = 430, 300, 60, 30, 70


def read(path):
    flights = defaultdict(lambda: defaultdict(list))
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            point = (max(float(row["error"]), 1e-16), max(float(row["processor_s"]), 1e-5))
            flights[row["scenario"]][row["method"]].append(point)
    return flights


def panel(scenario, methods, colours, x0, y0):
    points = [p for curve in methods.values() for p in curve]
    low_x, high_x = (math.floor(math.log10(min(p[0] for p in points))), 0)
    low_y = math.floor(math.log10(min(p[1] for p in points)))
    high_y = math.ceil(math.log10(max(p[1] for p in points)))

    def place(point):
        x = x0 + WIDTH * (min(math.log10(point[0]), high_x) - low_x) / (high_x - low_x)
        y = y0 + HEIGHT * (high_y - math.log10(point[1])) / max(high_y - low_y, 1)
        return f"{x:.1f},{y:.1f}"

    out = [f'<text x="{x0}" y="{y0 - 10}" font-weight="bold">{scenario}</text>',
           f'<rect x="{x0}" y="{y0}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for digit in range(low_x, high_x + 1, 2):
        x = x0 + WIDTH * (digit - low_x) / (high_x - low_x)
        out.append(f'<text x="{x:.1f}" y="{y0 + HEIGHT + 16}" text-anchor="middle">1e{digit}</text>')
    for digit in range(low_y, high_y + 1):
        y = y0 + HEIGHT * (high_y - digit) / max(high_y - low_y, 1)
        out.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">1e{digit}</text>')
    for method, curve in methods.items():
        line = " ".join(place(point) for point in curve)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colours[method]}"/>')
        out += [f'<circle cx="{xy.split(",")[0]}" cy="{xy.split(",")[1]}" r="2.5" '
                f'fill="{colours[method]}"/>' for xy in line.split()]
    return out


def draw(flights, path):
    names = list(dict.fromkeys(m for methods in flights.values() for m in methods))
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    out = []
    for i, (scenario, methods) in enumerate(flights.items()):
        x0 = LEFT + (i % 2) * (WIDTH + GAP)
        y0 = TOP + (i // 2) * (HEIGHT + GAP)
        out += panel(scenario, methods, colours, x0, y0)
    rows = (len(flights) + 1) // 2
    bottom = TOP + rows * (HEIGHT + GAP)
    for i, name in enumerate(names):
        x, y = LEFT + (i % 5) * 190, bottom + (i // 5) * 18
        out.append(f'<text x="{x}" y="{y}" fill="{colours[name]}">■ {name}</text>')
    height = bottom + 18 * ((len(names) + 4) // 5) + 10
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="1010" height="{height}" '
                   'font-family="sans-serif" font-size="12">\n'
                   '<rect width="100%" height="100%" fill="white"/>\n'
                   f'<text x="10" y="14" fill="#555">processor seconds over error at the end</text>\n')
        file.write("\n".join(out) + "\n</svg>\n")


def tables(flights):
    for scenario, methods in flights.items():
        print(f"| {scenario}: s for an error of | 1e-4 | 1e-6 | 1e-8 | 1e-10 |\n|---|---|---|---|---|")
        for method, curve in methods.items():
            cells = []
            for limit in (1e-4, 1e-6, 1e-8, 1e-10):
                fast = [seconds for error, seconds in curve if error <= limit]
                cells.append(f"{min(fast):.2g}" if fast else "–")
            if any(cell != "–" for cell in cells):
                print(f"| `{method}` | " + " | ".join(cells) + " |")
        print()


if __name__ == "__main__":
    data = read(sys.argv[1])
    draw(data, sys.argv[2])
    tables(data)

"""Lines over logarithmic axes, as SVG."""

import math

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 520, 320, 88, 16, 28, 48
COLORS = ("#0b62a4", "#c2410c", "#15803d", "#7e22ce", "#525252")


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def number(decade):
    """A power of ten in full."""
    return f"{10 ** decade:,}" if decade >= 0 else f"{10.0 ** decade:g}"


def draw(series, title, x_label, y_label):
    """A chart of (label, [(x, y), …]); series without points are left out."""
    series = [(label, points) for label, points in series if points]
    first_x, last_x = decades([x for _, points in series for x, _ in points])
    first_y, last_y = decades([y for _, points in series for _, y in points])

    def across(x):
        return LEFT + (math.log10(x) - first_x) / (last_x - first_x) * (WIDTH - LEFT - RIGHT)

    def up(y):
        return HEIGHT - BOTTOM - (math.log10(y) - first_y) / (last_y - first_y) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'font-family="sans-serif" font-size="12" role="img" aria-label="{title}">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for decade in range(first_x, last_x + 1):
        at = across(10.0 ** decade)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{number(decade)}</text>')
    for decade in range(first_y, last_y + 1):
        at = up(10.0 ** decade)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{number(decade)}</text>')
    for index, (label, points) in enumerate(series):
        color = COLORS[index]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        dots = "".join(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="2.5"/>' for x, y in points)
        parts.append(f'<g color="{color}" fill="{color}"><polyline points="{path}" fill="none" '
                     f'stroke="currentColor" stroke-width="1.6"/>{dots}</g>')
        parts.append(f'<text x="{LEFT + 12}" y="{TOP + 18 + 18 * index}" fill="{color}">{label}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{x_label}</text>')
    parts.append(f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" '
                 f'text-anchor="middle">{y_label}</text></svg>')
    return "\n".join(parts) + "\n"

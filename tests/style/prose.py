#!/usr/bin/env python3
"""Pages of documentation keep to 120 columns outside tables and blocks, and avoid some words.

Usage: prose.py [--fix] ROOT

With --fix paragraphs that are too wide are wrapped again.
"""

import pathlib
import re
import sys
import textwrap

WIDTH = 120
# Words that a plainer one says better: method, direction, account, person, look.
WORDS = re.compile(r"\b(somebody|books|glance|ways?)\b", re.I)
ITEM = re.compile(r"(\s*)([-*]|\d+\.) ")
FENCE = re.compile(r"\s*```")
# Lines that stand as they are: headings, tables, comments, pictures, quotations.
FIXED = re.compile(r"\s*(#|\||<!--|!\[|>|$)")


def pages(root):
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/scenarios/*.md",
                    "models/README.md"):
        yield from sorted(pathlib.Path(root).glob(pattern))


def paragraphs(lines):
    """(first, last + 1) of runs of lines that flow together, fenced and indented blocks left out."""
    first, fenced = None, False
    for number, line in enumerate(lines + [""]):
        is_fence = bool(FENCE.match(line))
        fixed = fenced or is_fence or FIXED.match(line)
        if is_fence:
            fenced = not fenced
        starts = ITEM.match(line) is not None
        if first is not None and (fixed or starts):
            yield first, number
            first = None
        if first is None and not fixed and (starts or not line.startswith("    ")):
            first = number


def wrapped(lines):
    """A paragraph in lines of at most WIDTH columns."""
    item = ITEM.match(lines[0])
    lead = item.group(0) if item else re.match(r"\s*", lines[0]).group(0)
    words = " ".join([lines[0][len(lead):]] + [line.strip() for line in lines[1:]])
    # a line must not begin with what would make it an item or a heading
    words = re.sub(r" (?=([-+*#>|]|\d+\.)( |$))", "\0", words)
    rest = " " * len(lead)
    filled = textwrap.wrap(words, WIDTH, initial_indent=lead, subsequent_indent=rest,
                           break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in filled]


def fix(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    for first, end in reversed(list(paragraphs(lines))):
        if max(len(line) for line in lines[first:end]) > WIDTH:
            lines[first:end] = wrapped(lines[first:end])
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def problems_of(path, name):
    lines = path.read_text(encoding="utf-8").splitlines()
    problems = []
    for first, end in paragraphs(lines):
        problems += [f"{name}:{number + 1}: {len(lines[number])} columns, at most {WIDTH}; "
                     "prose.py --fix wraps them" for number in range(first, end)
                     if len(lines[number]) > WIDTH]
    text_lines = re.sub(r"`[^`]*`", lambda match: re.sub(r"\S", " ", match.group(0)),
                        "\n".join(lines)).splitlines()
    for number, line in enumerate(text_lines, 1):
        problems += [f"{name}:{number}: '{match.group(0)}': say it in a plainer word"
                     for match in WORDS.finditer(line)]
    return problems


def check(root):
    """All problems below root, as lines of text."""
    return [problem for path in pages(root)
            for problem in problems_of(path, path.relative_to(root))]


def main():
    root = pathlib.Path(sys.argv[-1])
    if "--fix" in sys.argv:
        for path in pages(root):
            fix(path)
    problems = check(root)
    print("\n".join(problems) if problems else "every page keeps to it")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

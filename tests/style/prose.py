#!/usr/bin/env python3
"""Pages of documentation keep to 120 columns outside tables and blocks, and avoid some words. Guides
name no test suites: what was compared with what stands in docs/verification.md.

Usage: prose.py [--fix] ROOT

With --fix paragraphs that are too wide are wrapped again.
"""

import pathlib
import re
import sys
import textwrap

import dictionary

WIDTH = 120
# Words that a plainer one says better: person, no one, account, counted, look, fixed, in the same manner, method.
WORDS = re.compile(r"\b(somebody|nobody|books|booked|glance|nailed|mended|likewise|ways?)\b", re.I)
ITEM = re.compile(r"(\s*)([-*]|\d+\.) ")
FENCE = re.compile(r"\s*```")
# Pages about tests, and that of names of other programs, some of which suites have too. All others are guides.
NO_GUIDES = {"CONTRIBUTING.md", "models/README.md", "docs/verification.md", "docs/work-precision.md",
             "docs/dictionary.md"}
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
    # a line must not begin with what would make it an item, a heading or a row of a table
    words = re.sub(r" (?=([-+*#>]|\d+\.)( |$)|\|)", "\0", words)
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


def public_types(root):
    """Names of the classes, enumerations and aliases of the public interface and of the textbook."""
    headers = dictionary.texts(root, "include", "*.hpp") + dictionary.texts(root, "apps/textbook", "*.hpp")
    return set(re.findall(r"\b(?:class|struct|enum|using|namespace)\s+(?:SPACEDYN_\w+\s+)?(\w+)", headers))


def suites_named(text, suites, types):
    """(line, name) of code spans that are a suite or one of its cases: `Suite`, `folder.Suite.*`."""
    outside = re.sub(r"^```.*?^```", lambda match: re.sub(r"[^\n]", " ", match.group(0)), text,
                     flags=re.M | re.S)
    for match in re.finditer(r"`([^`]+)`", outside):
        case = re.fullmatch(r"(?:[a-z]\w*\.)?(?:\w+/)?(\w+)(\.(?:\*|[A-Z]\w*\W?)|/\w+)?", match.group(1))
        if case and case.group(1) in (suites if case.group(2) else suites - types):
            yield outside.count("\n", 0, match.start()) + 1, match.group(1)


def check(root):
    """All problems below root, as lines of text."""
    root = pathlib.Path(root)
    suites, types = dictionary.suites(root), public_types(root)
    problems = []
    for path in pages(root):
        name = path.relative_to(root)
        problems += problems_of(path, name)
        if name.as_posix() not in NO_GUIDES:
            found = suites_named(path.read_text(encoding="utf-8"), suites, types)
            problems += [f"{name}:{line}: '{suite}' is a test suite; its place is docs/verification.md"
                         for line, suite in found]
    return problems


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

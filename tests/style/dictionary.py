#!/usr/bin/env python3
"""Every name that docs/dictionary.md gives as ours exists in a public header, every test in the suite."""

import pathlib
import re
import sys

NAME = re.compile(r"`([^`]+)`")


def tables(text):
    """Rows of each Markdown table as dictionaries by column heading, with line numbers."""
    headings = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("|"):
            headings = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if headings is None:
            headings = cells
        elif not all(set(cell) <= set("-: ") for cell in cells):
            yield number, dict(zip(headings, cells)), len(cells) == len(headings)


def words(root, folder, pattern):
    """All identifiers in the files of a folder."""
    found = set()
    for file in sorted((root / folder).rglob(pattern)):
        found.update(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    return found


def suites(root):
    """Names of the test suites, parametrized or not."""
    text = "".join(file.read_text(encoding="utf-8")
                   for file in sorted((root / "tests").rglob("*_test.cpp")))
    return set(re.findall(r"\b(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+)", text))


def check(root):
    """Returns one line for each problem of the page."""
    page = root / "docs" / "dictionary.md"
    known, tested = words(root, "include", "*.hpp"), suites(root)
    problems = []
    for number, row, complete in tables(page.read_text(encoding="utf-8")):
        place = f"docs/dictionary.md:{number}: "
        if not complete:
            problems.append(place + "the row has another number of cells than its heading")
            continue
        ours, tests = NAME.findall(row["here"]), NAME.findall(row["tested by"])
        if not ours:
            problems.append(place + "the row gives no name of ours")
        if not tests:
            problems.append(place + "the row has no test")
        problems += [place + f"no header has '{name}'" for name in ours
                     if not all(part in known for part in name.split("::"))]
        problems += [place + f"no test suite is named '{name}'" for name in tests
                     if name not in tested]
    return problems


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)

#!/usr/bin/env python3
"""Names in tables of the documentation exist: those of docs/dictionary.md in a public header, those of
suites in docs/verification.md in the tests."""

import pathlib
import re
import sys

NAME = re.compile(r"`([^`]+)`")


def tables(text):
    """(line number, headings, cells) of each row of the Markdown tables."""
    headings = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("|"):
            headings = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if headings is None:
            headings = cells
        elif not all(set(cell) <= set("-: ") for cell in cells):
            yield number, headings, cells


def texts(root, folder, pattern):
    """Contents of the files of a folder, joined."""
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted((root / folder).rglob(pattern)))


def words(root, folder, pattern):
    """All identifiers in the files of a folder."""
    return set(re.findall(r"\w+", texts(root, folder, pattern)))


def suites(root):
    """Names of the test suites, parametrized or not."""
    return set(re.findall(r"\b(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+)", texts(root, "tests", "*.cpp")))


def programs(root):
    """Names of the tests that are whole programs, as the benches and the tests declare them."""
    declared = "".join(texts(root, folder, "CMakeLists.txt") for folder in ("apps", "tests"))
    pages = re.findall(r"spacedyn_viewer_test\((\w+)", declared)
    return set(re.findall(r"add_test\(NAME\s+([\w.]+)", declared)).union("viewer." + page for page in pages)


def missing(root, page, column, exists, absent):
    """Problems with the names in one column of the tables of a page."""
    file = root / "docs" / page
    if not file.exists():
        return []
    problems, rows = [], 0
    for number, headings, cells in tables(file.read_text(encoding="utf-8")):
        if column not in headings:
            continue
        rows += 1
        place = f"docs/{page}:{number}: "
        if len(cells) != len(headings):
            problems.append(place + "the row has another number of cells than its heading")
            continue
        names = NAME.findall(cells[headings.index(column)])
        if not names:
            problems.append(place + f"the row gives no name under '{column}'")
        problems += [place + f"{absent} '{name}'" for name in names if not exists(name)]
    return problems if rows else [f"docs/{page}: no table has a column '{column}'"]


def check(root):
    """Returns one line for each problem of the pages."""
    known = words(root, "include", "*.hpp")
    tested = suites(root) | programs(root)
    return (missing(root, "dictionary.md", "here", lambda name: set(name.split("::")) <= known, "no header has")
            + missing(root, "verification.md", "suite", tested.__contains__, "no test suite is named"))


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1]))
    print("\n".join(found))
    sys.exit(1 if found else 0)

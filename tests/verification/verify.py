#!/usr/bin/env python3
"""Holds spacedyn against numbers that other people published.

    verify.py              all cases against their bounds, and docs/verification.md for being current
    verify.py NAME…        only these, with what was compared
    verify.py --list       names of the cases
    verify.py --write      writes the tables of docs/verification.md
"""

import argparse
import re
import sys
import textwrap
import time

from support import SECTIONS, SOURCE, Absent, Case, Row

import motion_genesis  # noqa: F401, the order of the page
import rbdl  # noqa: F401
import pinocchio  # noqa: F401
import sd_fast  # noqa: F401
import puma  # noqa: F401
import exudyn  # noqa: F401
import adams  # noqa: F401
import nesc  # noqa: F401
import basilisk  # noqa: F401
import modelica  # noqa: F401

PAGE = SOURCE / "docs/verification.md"
BEGIN, END = "<!-- written by tests/verification/verify.py --write -->", "<!-- end of what is written -->"
HEAD = ("| case | quantity | published | spacedyn | largest difference | allowed | why |\n"
        "|---|---|---|---|---|---|---|\n")


def number(value: float) -> str:
    return f"{value:.15g}".replace("-", "−")


def power(value: float) -> str:
    return "0" if value == 0 else f"{value:.1e}".replace("-", "−").replace("−0", "−").replace("+0", "")


def cells(case: Case, row: Row, first: bool) -> list:
    i, count = row.largest, row.published.size
    what = row.quantity if count == 1 else f"{row.quantity} ({count} numbers)"
    return [f"`{case.name}`: {case.title}" if first else f"`{case.name}`", f"{what}, {row.unit}" if row.unit else what, number(row.published.reshape(-1)[i]),
            number(row.ours.reshape(-1)[i]), power(row.difference), power(row.bound), row.reason]


def filled(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def lines_of(case: Case, rows: list) -> list:
    return ["| " + " | ".join(cells(case, row, i == 0)) + " |" for i, row in enumerate(rows)]


def stable(line: str) -> tuple:
    """What of a line of the page does not depend on the machine."""
    parts = [part.strip() for part in line.strip().strip("|").split("|")]
    return tuple(parts[i] for i in (0, 1, 2, 5, 6))


def write(tables: dict) -> str:
    rows = [row for table in tables.values() for row in table]
    text = [f"\n{len(tables)} cases, {len(rows)} rows, {sum(row.published.size for row in rows):,} numbers.\n"]
    for key, part in SECTIONS.items():
        text += [f"\n## {part.title}\n\n{filled(part.text)}\n\n{HEAD}"]
        for case in part.cases:
            text += [line + "\n" for line in lines_of(case, tables[case.name])]
        text += ["\n" + filled(f"`{case.name}`: {case.note}") + "\n" for case in part.cases if case.note]
    return "".join(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = [case for part in SECTIONS.values() for case in part.cases]
    if options.list:
        print("\n".join(f"{case.name:28} {case.title}" for case in cases))
        return 0
    unknown = set(options.names) - {case.name for case in cases}
    if unknown:
        print(f"no case {', '.join(sorted(unknown))}; --list names them", file=sys.stderr)
        return 2

    tables, absent, failures = {}, [], []
    for case in cases:
        if options.names and case.name not in options.names:
            continue
        began = time.monotonic()
        try:
            tables[case.name] = list(case.rows())
        except Absent as missing:
            absent.append(case.name)
            print(f"{case.name}: not run, {missing} is absent")
            continue
        except Exception as error:  # one case that fails hides none of the others
            failures.append(f"{case.name}: {type(error).__name__}: {error}")
            continue
        for row in tables[case.name]:
            if options.names:
                print(" | ".join(cells(case, row, False)[1:]))
            if not row.difference <= row.bound:
                failures.append(f"{case.name}: {row.quantity} differs by {row.difference:.3g} {row.unit}, "
                                f"allowed are {row.bound:.3g} ({row.reason})")
        if options.names:
            print(f"{case.name}: {time.monotonic() - began:.2f} s")
    if options.write and not failures:
        if absent:
            print("the page is not written without the files of others", file=sys.stderr)
            return 1
        old = PAGE.read_text(encoding="utf-8")
        head, _, rest = old.partition(BEGIN)
        tail = rest.partition(END)[2]
        PAGE.write_text(f"{head}{BEGIN}\n{write(tables)}\n{END}{tail}", encoding="utf-8")
    elif not options.names:
        written = PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
        lines = [line for line in written.splitlines() if re.match(r"\| `", line)]
        on_page = {stable(line) for line in lines}
        wanted = {stable(line) for case in cases if case.name in tables for line in lines_of(case, tables[case.name])}
        failures += [f"docs/verification.md lacks {row}" for row in sorted(wanted - on_page)]
        if not absent and not failures:
            failures += [f"docs/verification.md has {row}" for row in sorted(on_page - wanted)]
    print("\n".join(failures), file=sys.stderr)
    compared = sum(row.published.size for rows in tables.values() for row in rows)
    print(f"{len(tables)} cases, {sum(map(len, tables.values()))} rows, {compared} published numbers; "
          f"{len(failures)} failures, {len(absent)} cases without their files")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Holds a page of documentation against the programs whose numbers and lines it shows.

Usage: check_page.py [--update] PAGE PROGRAMS SOURCES

A comment `<!-- output of NAME -->` in PAGE is followed by a fenced block: the next paragraph of
what PROGRAMS/NAME prints. Every paragraph must be shown, in order. A comment `<!-- from FILE -->`
is followed by a fenced block whose lines stand so, one after another, in SOURCES/FILE, whatever
their indentation. With --update the blocks of output are rewritten instead of compared.
"""

import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"<!-- (output of|from) (\S+) -->\n```\w*\n(.*?)```", re.S)


def paragraphs(program):
    """What a program prints, split at empty lines."""
    text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]


def dense(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def stands_in(part, whole):
    """Whether the lines of `part` stand one after another in `whole`."""
    part, whole = dense(part), dense(whole)
    return any(whole[i:i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def main():
    update = sys.argv[1] == "--update"
    page, programs, sources = map(pathlib.Path, sys.argv[-3:])
    text, outputs, problems = page.read_text(encoding="utf-8"), {}, []

    def visit(match):
        kind, name, shown = match.groups()
        if kind == "from":
            if not stands_in(shown, (sources / name).read_text(encoding="utf-8")):
                problems.append(f"{name} does not hold these lines:\n{shown}")
            return match.group(0)
        left = outputs.setdefault(name, paragraphs(programs / name))
        expected = left.pop(0) if left else ""
        if shown.strip("\n") != expected:
            problems.append(f"{name} prints\n{expected}\nbut the page shows\n{shown}")
        return f"<!-- output of {name} -->\n```text\n{expected}\n```"

    rewritten = BLOCK.sub(visit, text)
    problems += [f"the page does not show this part of {name}:\n{part}"
                 for name, left in outputs.items() for part in left]
    if not outputs:
        problems.append("the page shows no output at all")
    if update:
        page.write_text(rewritten, encoding="utf-8")
        return 0
    print("\n".join(problems) if problems else f"{page.name} shows what the programs print")
    return 1 if problems else 0


sys.exit(main())

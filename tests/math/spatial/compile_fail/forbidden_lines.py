#!/usr/bin/env python3
"""Succeeds if exactly the lines of a source that are marked as forbidden do not compile.

Usage: forbidden_lines.py SOURCE COMPILER [OPTION…]

A line ending in "// forbidden" must be an error that speaks of types: no such operator, function
or conversion. No other line may be an error.
"""

import pathlib
import re
import subprocess
import sys

REASONS = re.compile(r"no match for|no matching|no viable|invalid operands|cannot convert|"
                     r"could not convert|no known conversion|invalid initialization")


def main():
    source = pathlib.Path(sys.argv[1])
    lines = source.read_text(encoding="utf-8").splitlines()
    forbidden = {n for n, line in enumerate(lines, 1) if line.endswith("// forbidden")}
    result = subprocess.run(sys.argv[2:] + ["-DFORBIDDEN", "-fsyntax-only", str(source)],
                            capture_output=True, text=True, check=False)
    refused, problems = set(), []
    for match in re.finditer(r"^(.*?):(\d+):\d+: (?:fatal )?error: (.*)$", result.stderr, re.M):
        number = int(match.group(2))
        if pathlib.Path(match.group(1)).name != source.name or not REASONS.search(match.group(3)):
            problems.append(f"fails for another reason: {match.group(0)}")
        refused.add(number)
    problems += [f"compiles, but must not: {lines[n - 1].strip()}"
                 for n in sorted(forbidden - refused)]
    problems += [f"does not compile, but must: {lines[n - 1].strip()}"
                 for n in sorted(refused - forbidden)]
    print("\n".join(problems) if problems else f"{len(forbidden)} lines refused")
    return 1 if problems or not forbidden else 0


sys.exit(main())

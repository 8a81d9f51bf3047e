#!/usr/bin/env python3
"""Fails where a header has more than 300 lines or a source more than 400.

Usage: file_sizes.py ROOT
"""

import pathlib
import sys

LIMITS = {".hpp": 300, ".cpp": 400, ".py": 400}
FOLDERS = ("include", "src", "apps", "tests")


def check(root):
    """All files below root that are too long, as lines of text."""
    root = pathlib.Path(root)
    problems = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            limit = LIMITS.get(path.suffix)
            if limit is None:
                continue
            count = len(path.read_text(encoding="utf-8").splitlines())
            if count > limit:
                problems.append(f"{path.relative_to(root)}: {count} lines, at most {limit}")
    return problems


def main():
    problems = check(sys.argv[1])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes the tables of docs/wheels.md from what wheel_bench printed.

Usage: wheel_bench MODELS | wheel_page.py PAGE
"""

import pathlib
import sys

from loop_page import put, tables

MARKERS = ("wheel times", "rover times", "rovers in threads")


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    for marker, table in zip(MARKERS, tables(sys.stdin.read()), strict=True):
        text = put(text, marker, table)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes the table of docs/contact.md from what contact_bench printed.

Usage: contact_bench | contact_page.py PAGE
"""

import pathlib
import sys

from loop_page import put, tables


def main():
    page = pathlib.Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    page.write_text(put(text, "heaps", tables(sys.stdin.read())[0]), encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Doxygen writes the reference without a warning, and its pages have their pictures and links.

Usage: reference_test.py DOXYGEN DOXYFILE
"""

import pathlib
import re
import subprocess
import sys
import tempfile

LOCAL = re.compile(r'<(?:img|object|a)\b[^>]*?\b(?:src|data|href)="([^"#]+)')
ELSEWHERE = re.compile(r"https?:|javascript:|mailto:")


def missing(html):
    """Files that pages name and that are not there."""
    found = set()
    for page in html.glob("*.html"):
        for target in LOCAL.findall(page.read_text(encoding="utf-8", errors="replace")):
            if not ELSEWHERE.match(target) and not (html / target).exists():
                found.add(f"{page.name} names {target}")
    return sorted(found)


def main():
    doxygen, doxyfile = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(doxyfile).read_text(encoding="utf-8")
        done = subprocess.run([doxygen, "-"], input=f"{text}\nOUTPUT_DIRECTORY = {folder}\n",
                              text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        html = pathlib.Path(folder) / "html"
        problems = done.stdout.splitlines() + missing(html)
        index = (html / "index.html").read_text(encoding="utf-8")
        if "ets7_arm_slew.jpg" not in index:
            problems.append("the first page has no picture")
    print("\n".join(problems) if problems else "the reference is complete")
    return 1 if problems or done.returncode != 0 else 0


sys.exit(main())

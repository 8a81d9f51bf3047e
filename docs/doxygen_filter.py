#!/usr/bin/env python3
"""Hands a Markdown page to Doxygen with links that hold in the reference.

Usage: doxygen_filter.py PAGE

Pictures are named from their folder on, for Doxygen copies them; a link to a page loses its heading,
which has another name there; a link to a file that is no page becomes its text.
"""

import pathlib
import re
import sys

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def rewritten(match):
    bang, text, target = match.groups()
    if "://" in target or target.startswith("#"):
        return match.group(0)
    path = target.split("#")[0]
    if bang:
        return f"![{text}]({pathlib.Path(path).parent.name}/{pathlib.Path(path).name})"
    return f"[{text}]({path})" if path.endswith(".md") else text


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    parts = re.split(r"(^```.*?^```)", text, flags=re.M | re.S)
    parts[::2] = [LINK.sub(rewritten, part) for part in parts[::2]]
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write("".join(parts))


main()

#!/usr/bin/env python3
"""Keeps the C++ example of README.md in step with the file that is compiled.

Usage: readme_example.py --write|--check README ROOT

The example stands between `<!-- PATH: begin -->` and `<!-- PATH: end -->`, PATH being a file below ROOT.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"(<!-- (\S+\.cpp): begin -->\n)(.*?)(<!-- \2: end -->)", re.DOTALL)


def main():
    action, readme, root = sys.argv[1:]
    readme = pathlib.Path(readme)
    written = readme.read_text(encoding="utf-8")

    def renew(match):
        source = (pathlib.Path(root) / match.group(2)).read_text(encoding="utf-8")
        return f"{match.group(1)}```cpp\n{source}```\n{match.group(4)}"

    renewed, count = BLOCK.subn(renew, written)
    if count == 0:
        print("README.md shows no example")
        return 1
    if action == "--write":
        readme.write_text(renewed, encoding="utf-8")
    elif renewed != written:
        print("README.md shows other code than is compiled; renew it with the target `figures`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs a script of the documentation in an empty folder; its output is what the page shows.

Usage: script_test.py SCRIPT PAGE
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def shown(page, name):
    """The block below the mention of a script that holds its output."""
    found = re.search(r"\]\(python/" + re.escape(name) + r"\).*?```text\n(.*?)```", page, re.DOTALL)
    if found is None:
        sys.exit(f"the page shows no output of {name}")
    return found.group(1).splitlines()


def main():
    script, page = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sys.executable, "-B", str(script)], capture_output=True, text=True, cwd=folder, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr)
    expected, said = shown(page, script.name), run.stdout.splitlines()
    if said != expected:
        sys.exit("it says\n" + "\n".join(said) + "\nthe page\n" + "\n".join(expected))


if __name__ == "__main__":
    main()

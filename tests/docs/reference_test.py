#!/usr/bin/env python3
"""Doxygen reads the public headers without a warning, and finds what they declare.

Usage: reference_test.py DOXYGEN DOXYFILE SITE
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    doxygen, doxyfile, site = sys.argv[1:]
    sys.path.insert(0, site)
    from cpp_reference import CppReference

    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(doxyfile).read_text(encoding="utf-8")
        done = subprocess.run([doxygen, "-"], input=f"{text}\nOUTPUT_DIRECTORY = {folder}\n", text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        problems = done.stdout.splitlines()
        if done.returncode == 0:
            header = CppReference(f"{folder}/xml", "include").header("spacedyn/inertia/generalized_jacobian.hpp")
            problems += [f"no {name} in the reference" for name in ("generalized_jacobian(", "throws")
                         if name not in header]
    print("\n".join(problems) if problems else "the reference is complete")
    return 1 if problems or done.returncode != 0 else 0


sys.exit(main())

#!/usr/bin/env python3
"""Doxygen reads the public headers without a warning, and finds what they declare; the site has all guides.

Usage: reference_test.py DOXYGEN DOXYFILE SITE
"""

import pathlib
import subprocess
import sys
import tempfile


def missing_guides(site):
    contents = (site / "build.py").read_text(encoding="utf-8")
    return [f"no {page.name} in the contents of the site" for page in sorted(site.parent.glob("*.md"))
            if f'"{page.stem}"' not in contents]


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
            wheels = CppReference(f"{folder}/xml", "include").header("spacedyn/forces/wheel_force.hpp")
            problems += ["a forward declaration is in the reference"] * ("spacedyn::Dual" in wheels)
    problems += missing_guides(pathlib.Path(site))
    print("\n".join(problems) if problems else "the reference is complete")
    return 1 if problems or done.returncode != 0 else 0


sys.exit(main())

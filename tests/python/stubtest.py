#!/usr/bin/env python3
"""Holds the types of the package against the module itself, by mypy's stubtest; takes a minute.

Usage: stubtest.py PACKAGE_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile

PARENT = str(pathlib.Path(sys.argv[1]).resolve())
# what pybind11's classes have that no stub can say
NOISE = ("is inconsistent, metaclass differs", '.__init__ is inconsistent, stub does not have *args argument "args"')

with tempfile.NamedTemporaryFile("w", suffix=".ini") as config:
    # pandas and matplotlib have no types here
    config.write("[mypy]\nignore_missing_imports = True\n")
    config.flush()
    command = [sys.executable, "-m", "mypy.stubtest", "--concise", "--mypy-config-file", config.name, "spacedyn._core"]
    run = subprocess.run(command, check=False, capture_output=True, text=True,
                         env=dict(os.environ, MYPYPATH=PARENT, PYTHONPATH=PARENT))
print(run.stderr, end="")
problems = [line for line in run.stdout.splitlines()
            if line.startswith(("spacedyn", "error")) and not any(noise in line for noise in NOISE)]
print("\n".join(problems))
sys.exit(bool(problems) or not run.stdout)

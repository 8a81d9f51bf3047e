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
with tempfile.NamedTemporaryFile("w", suffix=".ini") as config:
    # pandas and matplotlib have no types here
    config.write("[mypy]\nignore_missing_imports = True\n")
    config.flush()
    command = [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", config.name, "spacedyn"]
    sys.exit(subprocess.run(command, check=False, env=dict(os.environ, MYPYPATH=PARENT, PYTHONPATH=PARENT)).returncode)

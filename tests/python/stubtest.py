#!/usr/bin/env python3
"""Holds the types of the package against the module itself, by mypy's stubtest; takes a minute.

Usage: stubtest.py PACKAGE_FOLDER
"""

import os
import pathlib
import subprocess
import sys

PARENT = str(pathlib.Path(sys.argv[1]).resolve())
sys.exit(subprocess.run([sys.executable, "-m", "mypy.stubtest", "spacedyn"], check=False,
                        env=dict(os.environ, MYPYPATH=PARENT, PYTHONPATH=PARENT)).returncode)

#!/usr/bin/env python3
"""`pip install .` of a clone into an environment of its own, without a network; the wheel needs no build folder.

Usage: install_test.py SOURCE WORK
"""

import os
import pathlib
import shutil
import subprocess
import sys

PROGRAM = """
import pathlib, spacedyn as sd
assert "site-packages" in sd.__file__, sd.__file__
robot = sd.load_model(str(sd.MODELS / "robots" / "ets7.yaml"))
print(sd.inertia_matrix(robot, sd.State(robot)).shape)
result = sd.simulate(sd.MODELS / "scenarios" / "planar_reorientation.yaml", duration=1)
result.save("flight.h5")
print(result)
"""


def main():
    source, work = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    clone, environment = work / "clone", work / "environment"
    for folder in (clone, environment):
        shutil.rmtree(folder, ignore_errors=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=source, capture_output=True, check=True).stdout.split(b"\0")
    for name in filter(None, files):
        target = clone / os.fsdecode(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if (source / os.fsdecode(name)).exists():
            shutil.copy2(source / os.fsdecode(name), target)
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(environment)], check=True)
    python = environment / "bin" / "python"
    quiet = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    # no index: whatever is fetched would fail
    subprocess.run([str(python), "-m", "pip", "install", "--no-index", "."], cwd=clone, env=quiet, check=True)
    shutil.rmtree(clone)
    subprocess.run([str(python), "-c", PROGRAM], cwd=work, env=quiet, check=True)
    (work / "flight.h5").unlink()
    command = str(environment / "bin" / "spacedyn")
    listed = subprocess.run([command, "examples"], cwd=work, env=quiet, check=True, capture_output=True, text=True)
    assert "ets7_arm_slew" in listed.stdout, listed.stdout
    shutil.rmtree(environment)


if __name__ == "__main__":
    main()

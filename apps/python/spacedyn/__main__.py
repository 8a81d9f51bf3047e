"""The command-line program, as `spacedyn` of an installed package and as `python3 -m spacedyn`."""

import os
import pathlib
import shutil
import sys


def main():
    """Becomes the program: that of the wheel, of the build folder, or the installed one."""
    here = pathlib.Path(__file__).resolve()
    for program in (here.parent / "bin" / "spacedyn", here.parents[2] / "spacedyn"):
        if program.is_file():
            os.execv(program, ["spacedyn", *sys.argv[1:]])
    installed = shutil.which("spacedyn", path="/usr/local/bin:/usr/bin")
    if installed is None:
        sys.exit("spacedyn: the command-line program is not installed beside the Python package")
    os.execv(installed, ["spacedyn", *sys.argv[1:]])


if __name__ == "__main__":
    main()

"""Runs the program and says where things are in its results."""

import json
import pathlib
import subprocess

SCENARIO = "planar_reorientation.yaml"


def run(program, *words):
    """The output of the program, which must succeed."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{words}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def make_all_formats(program, scenarios, folder):
    """One flight as .h5, .csv and .mat, the latter two converted."""
    folder = pathlib.Path(folder)
    run(program, "simulate", "-q", "--no-report", pathlib.Path(scenarios) / SCENARIO, "-o", folder)
    original = next(folder.glob("*.h5"))
    for extension in (".csv", ".mat"):
        run(program, "convert", original, original.with_suffix(extension))
    return original


def metadata(original):
    """What .meta.json says."""
    return json.loads(original.with_suffix(".meta.json").read_text(encoding="utf-8"))

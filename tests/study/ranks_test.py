"""Sweeps on the ranks of an MPI job: the same rows as on threads, also after ranks have been killed.

Usage: ranks_test.py PROGRAM [unittest arguments]
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

import batch_system

PROGRAM = sys.argv.pop(1)
SCENARIO = """spacedyn: 1
scenario:
  name: oscillator
  model:
    name: rotor
    base: {name: stand, fixed: true}
    links:
      - name: disc
        parent: stand
        joint: {name: hinge, type: revolute, axis: [0, 0, 1], stiffness: 8.0, damping: 0.4}
        mass: 1.0
        inertia: [1, 1, 2]
  duration: 12.0
  integrator: {method: rk4, step: 0.01}
  output: {interval: 0.1}
"""
SWEEP = """spacedyn: 1
sweep:
  name: study
  scenario: oscillator.yaml
  seed: 3
  runs: 600
  parameters:
    - {key: initial.joints.hinge.position, uniform: [0, 1]}
    - {key: model.links.disc.mass, uniform: [-0.1, 1]}
  collect:
    - {name: last, channel: joint_position}
    - {name: most, channel: joint_velocity, at: max_abs}
"""
SURROUNDINGS = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def rows_of(path):
    """All data sets as bytes, but for elapsed times."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and name != "wall_seconds":
            found[name] = np.asarray(item[()]).tobytes()

    with h5py.File(path, "r", swmr=True) as file:
        file.visititems(visit)
    return found


def flown(path):
    try:
        with h5py.File(path, "r", swmr=True) as file:
            return int(np.count_nonzero(file["status"][()] >= 0))
    except (OSError, KeyError):
        return 0


def process_of(rank, launcher):
    """Number of the process that a launcher has started as a rank."""
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{name}/environ", "rb") as file:
                if parent == launcher and b"OMPI_COMM_WORLD_RANK=%d\0" % rank in file.read():
                    return int(name)
        except (OSError, ValueError):
            continue
    raise AssertionError(f"no rank {rank}")


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in (("oscillator.yaml", SCENARIO), ("sweep.yaml", SWEEP)):
            self.write(name, text)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def file(self, directory):
        return os.path.join(self.folder, directory, "study.h5")

    def alone(self, directory, *arguments):
        return subprocess.run([PROGRAM, "sweep", "sweep.yaml", "-q", "-o", directory, *arguments], cwd=self.folder,
                              capture_output=True, text=True, check=False)

    def start(self, ranks, directory, *arguments, options=()):
        return subprocess.Popen(
            ["mpirun", "--oversubscribe", "-n", str(ranks), *options, PROGRAM, "sweep", "sweep.yaml", "-o", directory,
             *arguments], cwd=self.folder, env=SURROUNDINGS, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def assert_whole(self, directory):
        if not os.path.exists(self.file("alone")):
            self.assertEqual(self.alone("alone").returncode, 4)  # some rows fail
        whole = rows_of(self.file("alone"))
        self.assertIn("collected/most", whole)
        self.assertEqual(rows_of(self.file(directory)), whole)


def kill_one(folder, rank, directory, *options):
    """Kills a rank in the middle of a sweep of four. Returns exit code, output and errors of mpirun."""
    job = folder.start(4, directory, options=options)
    end = time.monotonic() + 60
    while flown(folder.file(directory)) < 50:
        folder.assertLess(time.monotonic(), end)
        time.sleep(0.02)
    os.kill(process_of(rank, job.pid), signal.SIGKILL)
    out, err = job.communicate(timeout=120)
    folder.assertGreaterEqual(flown(folder.file(directory)), 50)
    return job.returncode, out, err


class Ranks(Folder):
    def test_rows_are_those_of_threads(self):
        for ranks in (1, 4):
            job = self.start(ranks, f"with_{ranks}")
            out, err = job.communicate(timeout=120)
            self.assertEqual(job.returncode, 4, err)
            self.assertIn("study: 600 of 600 rows flown", out)
            self.assert_whole(f"with_{ranks}")

    def test_goes_on_after_a_rank_was_killed(self):
        for rank, others in ((2, 3), (0, 2)):
            directory = f"killed_{rank}"
            code, _, _ = kill_one(self, rank, directory)
            self.assertNotIn(code, (0, 4))
            self.assertLess(flown(self.file(directory)), 600)
            job = self.start(others, directory, "--resume")
            _, err = job.communicate(timeout=120)
            self.assertEqual(job.returncode, 4, err)
            self.assert_whole(directory)

    def test_threads_go_on_where_ranks_ended(self):
        kill_one(self, 3, "killed")
        self.assertEqual(self.alone("killed", "--resume").returncode, 4)
        self.assert_whole("killed")

    def test_says_once_what_is_wrong(self):
        self.write("sweep.yaml", SWEEP.replace("runs", "rnus"))
        job = self.start(3, "out")
        _, err = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 3)
        self.assertEqual(err.count("sweep.yaml:"), 1, err)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))


class Recovery(Folder):
    def test_others_fly_the_rows_of_a_rank_that_was_killed(self):
        self.write("sweep.yaml", SWEEP.replace("runs: 600", "runs: 1200"))
        _, out, err = kill_one(self, 2, "out", "--enable-recovery")
        self.assertIn("study: 1200 of 1200 rows flown", out)
        self.assertIn("1 of 4 ranks no longer answered; others have flown their rows", err)
        self.assert_whole("out")


class BatchSystem(Folder):
    def test_the_script_of_the_guide_flies_the_sweep(self):
        guide = pathlib.Path(__file__).parents[2] / "docs" / "sweeps.md"
        script = re.search(r"```sh\n(#!/bin/bash\n#SBATCH.*?)```", guide.read_text(encoding="utf-8"), re.S).group(1)
        for general, here in (("--ntasks=64", f"--ntasks=4 --chdir={self.folder}"), ("study.yaml", "sweep.yaml"),
                              ("mpirun spacedyn", f"mpirun {PROGRAM}")):
            self.assertIn(general, script)
            script = script.replace(general, here)
        self.write("job.sh", script)
        os.environ.update(SURROUNDINGS)
        code, text = batch_system.run(os.path.join(self.folder, "job.sh"))
        self.assertEqual(code, 4, text)
        self.assertIn("study: 600 of 600 rows flown", text)
        self.assert_whole("results/study")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Holds h5py, pandas and SciPy against one another on the same flight.

Usage: formats_test.py PROGRAM SCENARIOS
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np
import pandas
import scipy.io

import results

PROGRAM, SCENARIOS = sys.argv[1:3]


def arrays(file):
    """All datasets of rows by path, with the names of their columns."""
    found = {}

    def visit(name, item):
        if "columns" in item.attrs:
            found["/" + name] = (item[()], list(item.attrs["columns"]))

    file.visititems(visit)
    return found


def rotations(quaternions):
    """3×3×N from rows w, x, y, z."""
    w, x, y, z = quaternions.T
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class Formats(unittest.TestCase):
    """One flight, three files."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.original = results.make_all_formats(PROGRAM, SCENARIOS, cls.folder.name)
        cls.table = pandas.read_csv(cls.original.with_suffix(".csv"), float_precision="round_trip")
        with h5py.File(cls.original) as file:
            cls.arrays = arrays(file)
        cls.mat = scipy.io.loadmat(
            cls.original.with_suffix(".mat"), squeeze_me=False, struct_as_record=False
        )["r"][0, 0]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_hdf5_holds_the_numbers_of_csv(self):
        seen = set()
        for path, (values, names) in self.arrays.items():
            with self.subTest(path):
                np.testing.assert_array_equal(
                    values.reshape(len(self.table), -1), self.table[names].to_numpy()
                )
                seen.update(names)
        self.assertEqual(seen, set(self.table.columns))
        self.assertGreater(len(self.table), 100)
        self.assertGreater(np.ptp(self.arrays["/joints/q"][0]), 0.1)

    def test_hdf5_says_what_it_holds(self):
        with h5py.File(self.original) as file:
            self.assertEqual(file.attrs["format"], "spacedyn-result/1")
            self.assertEqual(list(file["base/position"].attrs["units"]), ["m"] * 3)
            self.assertEqual(file["base/position"].attrs["frame"], "inertial")
            self.assertEqual(file["time"].shape, (len(self.table),))
            record = json.loads(file["meta/record"][()])
            self.assertEqual(record["outcome"]["status"], "complete")
            self.assertGreater(record["integrator"]["steps"], 0)
            self.assertIn("hdf5", record["versions"])
            inputs = {item.attrs["path"]: item[()].decode() for item in file["meta/inputs"].values()}
        expected = results.metadata(self.original)["inputs"]["files"]
        self.assertEqual(inputs, {item["path"]: item["text"] for item in expected})

    def test_what_runs_do_not_share_is_beside_the_file(self):
        beside = results.metadata(self.original)
        with h5py.File(self.original) as file:
            record = json.loads(file["meta/record"][()])
        self.assertIn("wall_seconds", beside["outcome"])
        self.assertIn("name", beside["host"])
        self.assertNotIn("wall_seconds", record["outcome"])
        self.assertNotIn("host", record)

    def test_mat_holds_the_numbers_of_hdf5_in_the_names_of_spacedyn(self):
        r = self.mat
        base = {"R0": "position", "v0": "velocity", "w0": "angular_velocity"}
        np.testing.assert_array_equal(r.time[:, 0], self.arrays["/time"][0])
        for name, path in base.items():
            np.testing.assert_array_equal(getattr(r, name), self.arrays["/base/" + path][0])
        for name in ("q", "qd", "tau"):
            np.testing.assert_array_equal(
                getattr(r.joints[0, 0], name), self.arrays["/joints/" + name][0]
            )
        names = [str(item[0]) for item in r.joints[0, 0].q_names[0]]
        self.assertEqual(names, self.arrays["/joints/q"][1])
        for name in ("kinetic", "total", "work"):
            np.testing.assert_array_equal(
                getattr(r.energy[0, 0], name)[:, 0], self.arrays["/energy/" + name][0]
            )

    def test_mat_holds_rotations_as_matrices(self):
        r = self.mat
        expected = {"A0": rotations(self.arrays["/base/quaternion_wxyz"][0])}
        found = {"A0": r.A0}
        for frame in r.frames[0, 0]._fieldnames:
            end = getattr(r.frames[0, 0], frame)[0, 0]
            found[frame] = end.ORI_e
            expected[frame] = rotations(self.arrays[f"/frames/{frame}/quaternion_wxyz"][0])
            np.testing.assert_array_equal(
                end.POS_e, self.arrays[f"/frames/{frame}/position"][0]
            )
        self.assertGreater(len(found), 1)
        for name, matrices in found.items():
            # products of unit numbers, rounded in another order
            np.testing.assert_allclose(matrices, expected[name], rtol=0, atol=8e-16)

    def test_mode_frequencies_stand_beside_their_energies(self):
        folder = pathlib.Path(self.folder.name) / "modes"
        results.run(PROGRAM, "simulate", "-q", "--no-report", "--set", "duration=0.2", "--channels",
                    "modal_energy,singular_values", pathlib.Path(SCENARIOS) / "ets7_arm_slew.yaml",
                    "-o", folder)
        original = next(folder.glob("*.h5"))
        model = results.run(PROGRAM, "modes", "--json", "--lock-unsprung",
                            pathlib.Path(SCENARIOS) / "ets7_arm_slew.yaml")
        expected = [mode["frequency"] for mode in json.loads(model)["modes"]]
        expected = [frequency for frequency in expected if frequency > 0]
        back, mat = folder / "back.h5", folder / "result.mat"
        results.run(PROGRAM, "convert", original, folder / "result.csv")
        results.run(PROGRAM, "convert", folder / "result.csv", back)
        results.run(PROGRAM, "convert", original, mat)
        for path in (original, back):
            with h5py.File(path) as file:
                energy, frequency = file["modes/energy"], file["modes/frequency"]
                self.assertEqual(frequency.shape[0], energy.shape[1])
                self.assertEqual(list(frequency.attrs["units"]), ["Hz"] * frequency.shape[0])
                np.testing.assert_allclose(frequency[()], expected, rtol=1e-9)
                for name in ("linear", "angular"):
                    sigma = file[f"frames/hand/{name}_singular_values"]
                    unit = "m/rad" if name == "linear" else "rad/rad"
                    self.assertEqual(list(sigma.attrs["units"]), [unit] * 3)
        r = scipy.io.loadmat(mat, squeeze_me=False, struct_as_record=False)["r"][0, 0]
        np.testing.assert_allclose(r.modes[0, 0].frequency[0], expected, rtol=1e-9)

    def test_files_of_the_former_layout_are_read(self):
        former, current = (pathlib.Path(self.folder.name) / name for name in ("former.h5", "now.h5"))
        former.write_bytes(self.original.read_bytes())
        with h5py.File(former, "r+") as file:
            file.move("frames", "endpoints")
        results.run(PROGRAM, "convert", former, current)
        with h5py.File(current) as file:
            found = arrays(file)
            self.assertNotIn("endpoints", file)
        self.assertEqual(found.keys(), self.arrays.keys())
        for path, (values, _) in found.items():
            np.testing.assert_array_equal(values, self.arrays[path][0])

    def test_mat_keeps_the_metadata(self):
        metadata = json.loads(self.mat.metadata[0])
        self.assertEqual(metadata["scenario"], results.metadata(self.original)["scenario"])

    def test_converting_back_and_forth_changes_nothing(self):
        folder = pathlib.Path(self.folder.name)
        results.run(PROGRAM, "convert", self.original, folder / "copy.csv")
        results.run(PROGRAM, "convert", folder / "copy.csv", folder / "again.h5")
        with h5py.File(folder / "again.h5") as file:
            again = arrays(file)
        self.assertEqual(again.keys(), self.arrays.keys())
        for path, (values, names) in again.items():
            np.testing.assert_array_equal(values, self.arrays[path][0])
            self.assertEqual(names, self.arrays[path][1])
        results.run(PROGRAM, "convert", folder / "again.h5", folder / "again.csv")
        self.assertEqual(
            (folder / "again.csv").read_bytes(), self.original.with_suffix(".csv").read_bytes()
        )

    def test_compressed_files_hold_the_same(self):
        small = pathlib.Path(self.folder.name) / "small.h5"
        results.run(PROGRAM, "convert", self.original, small, "--compress", "6")
        self.assertLess(small.stat().st_size, self.original.stat().st_size)
        with h5py.File(small) as file:
            for path, (values, _) in arrays(file).items():
                np.testing.assert_array_equal(values, self.arrays[path][0])


class KilledRun(unittest.TestCase):
    """What other programs and ours can do with the file of a run that was killed."""

    def test_opens_for_reading_while_written_and_plainly_after_conversion(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            scenario = pathlib.Path(SCENARIOS) / results.SCENARIO
            words = [PROGRAM, "simulate", scenario, "-o", folder / "run", "--set", "duration=1e7"]
            with subprocess.Popen(
                words + ["--set", "output.interval=0.01"], stderr=subprocess.DEVNULL
            ) as process:
                file = self.wait_for_rows(folder / "run")
                process.send_signal(signal.SIGKILL)
                process.wait()
            with self.assertRaises(OSError):
                h5py.File(file)
            with h5py.File(file, swmr=True) as killed:
                time_kept = killed["time"][()]
                position_kept = killed["joints/q"][()][: len(time_kept)]
            plain = folder / "plain.h5"
            results.run(PROGRAM, "convert", file, plain)
            with h5py.File(plain) as converted:
                np.testing.assert_array_equal(converted["time"][()], time_kept)
                np.testing.assert_array_equal(converted["joints/q"][()], position_kept)
                record = json.loads(converted["meta/record"][()])
            self.assertEqual(record["outcome"]["status"], "running")
            self.assertTrue(np.all(np.diff(time_kept) > 0))

    def wait_for_rows(self, folder):
        """The result file, when rows have reached it."""
        for _ in range(600):
            for file in folder.glob("*.h5"):
                try:
                    with h5py.File(file, swmr=True) as growing:
                        if len(growing["time"]) > 10:
                            return file
                except (OSError, KeyError):
                    pass  # not yet ready for readers
            time.sleep(0.1)
        raise AssertionError("no rows in a minute")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

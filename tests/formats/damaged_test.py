#!/usr/bin/env python3
"""Gives the program result files that are damaged or made to harm: it refuses them or reads what is
intact, soon and with little memory.

Usage: damaged_test.py PROGRAM SCENARIOS [CASES]

CASES is how many randomly damaged files each of the two random tests tries. SPACEDYN_SHADOW_BYTES is what a sanitizer
keeps for each byte of the program.
"""

import json
import os
import pathlib
import random
import select
import signal
import subprocess
import sys
import tempfile
import unittest
import zlib

import h5py
import numpy as np

import results

PROGRAM, SCENARIOS = sys.argv[1:3]
CASES = int(sys.argv[3]) if len(sys.argv) > 3 else 60
SEED = 20240611
MOST_SECONDS = 10.0
MOST_BYTES = (1 << 30) * (1 + int(os.environ.get("SPACEDYN_SHADOW_BYTES", "0")))


class Outcome:
    """How a run of the program ended."""

    def __init__(self, words, folder):
        with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
            process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = usage.ru_utime + usage.ru_stime
        self.code = process.returncode
        self.bytes = usage.ru_maxrss * 1024
        self.err = (folder / "err").read_text(encoding="utf-8", errors="replace")


def replace_record(file, record):
    """Puts other metadata into a result."""
    del file["meta/record"]
    file["meta/record"] = np.bytes_(json.dumps(record) if isinstance(record, dict) else record)


def change_record(file, *keys, value):
    """Changes one value of the metadata."""
    record = json.loads(file["meta/record"][()])
    place = record
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    replace_record(file, record)


def replace_array(file, path, **how):
    """Puts an array of another kind in the place of one, with its attributes."""
    attributes = dict(file[path].attrs)
    del file[path]
    array = file.create_dataset(path, **how)
    for name, value in attributes.items():
        array.attrs[name] = value
    return array


def keep_only_time(file):
    for name in list(file):
        if name not in ("time", "meta"):
            del file[name]


def make_bomb(file):
    """A list of times that unpacks into 4 GiB."""
    keep_only_time(file)
    piece, count = 1 << 20, 512
    array = replace_array(file, "time", shape=(piece * count,), dtype="f8", chunks=(piece,),
                          compression="gzip")
    packed = zlib.compress(bytes(8 * piece), 9)
    for i in range(count):
        array.id.write_direct_chunk((piece * i,), packed)


def make_slow(file):
    """A list of times in one piece of 240 MiB, of zeros, which takes a while to unpack."""
    keep_only_time(file)
    count = 30 << 20
    array = replace_array(file, "time", shape=(count,), dtype="f8", chunks=(count,),
                          compression="gzip", shuffle=True)
    array.id.write_direct_chunk((0,), zlib.compress(bytes(8 * count), 9))


def nest(file):
    group = file
    for _ in range(2000):
        group = group.create_group("g")


def make_virtual(file, other):
    width = file["joints/q"].shape
    layout = h5py.VirtualLayout(shape=width, dtype="f8")
    layout[:] = h5py.VirtualSource(other, "joints/q", shape=width)
    attributes = dict(file["joints/q"].attrs)
    del file["joints/q"]
    file.create_virtual_dataset("joints/q", layout)
    for name, value in attributes.items():
        file["joints/q"].attrs[name] = value


def move(file, path, link):
    del file[path]
    file[path] = link


class Damaged(unittest.TestCase):
    """One flight, damaged in many ways."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.directory.name)
        words = [pathlib.Path(SCENARIOS) / results.SCENARIO, "-o", cls.folder / "run"]
        results.run(PROGRAM, "simulate", "-q", "--no-report", *words)
        cls.original = next((cls.folder / "run").glob("*.h5"))
        cls.intact = cls.original.read_bytes()
        cls.path = cls.folder / "damaged.h5"
        with h5py.File(cls.original) as file:
            cls.time = file["time"][:]

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def run_on_it(self, *words):
        """Runs the program; whatever it makes of the file, it ends well, soon and small."""
        outcome = Outcome(words, self.folder)
        self.assertIn(outcome.code, (0, 3), outcome.err)
        self.assertNotIn("fault of spacedyn", outcome.err)
        # a warning may quote the error of a damaged input
        errors = [line for line in outcome.err.splitlines()
                  if "error:" in line and "warning:" not in line]
        self.assertEqual(outcome.code == 3, bool(errors), outcome.err)
        self.assertLess(outcome.seconds, MOST_SECONDS)
        self.assertLess(outcome.bytes, MOST_BYTES)
        return outcome

    def all_commands(self):
        """What each command that reads results makes of the file."""
        for words in (["convert", self.path, self.folder / "out.csv"],
                      ["convert", self.path, self.folder / "out.mat"],
                      ["convert", self.path, self.folder / "out.h5"],
                      ["report", self.path, "-o", self.folder / "out.html"],
                      ["plot", self.path, "state", "-o", self.folder / "out.svg"]):
            yield self.run_on_it(*words, "--force")

    def refuses(self, change, reason):
        """Asserts that all commands refuse a file and say why."""
        self.path.write_bytes(self.intact)
        if callable(change):
            with h5py.File(self.path, "r+", libver="latest") as file:
                change(file)
        else:
            self.path.write_bytes(change)
        for outcome in self.all_commands():
            self.assertEqual(outcome.code, 3, outcome.err)
            self.assertIn(reason, outcome.err)

    def test_intact_files_are_read(self):
        self.path.write_bytes(self.intact)
        for outcome in self.all_commands():
            self.assertEqual((outcome.code, outcome.err), (0, ""))

    def test_the_reader_ends_with_its_listener(self):
        """A program that is killed leaves no process behind that computes on."""
        self.path.write_bytes(self.intact)
        with h5py.File(self.path, "r+") as file:
            make_slow(file)
        reader = pathlib.Path(PROGRAM).parent / "libexec/spacedyn/spacedyn-read-hdf5"
        with open(self.path, "rb") as file:
            process = subprocess.Popen([reader, "0", "0", "900", "60"], stdin=file,
                                       stdout=subprocess.PIPE)
        while select.select([process.stdout], [], [], 0.05)[0]:  # up to the piece
            self.assertTrue(os.read(process.stdout.fileno(), 1 << 16))
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # at its next heartbeat, or by the pipe if it just wrote
        self.assertIn(process.returncode, (1, -signal.SIGPIPE))
        # to unpack the piece takes some 0.8 s
        self.assertLess(usage.ru_utime + usage.ru_stime, 0.45)

    def test_files_that_unpack_into_gigabytes(self):
        self.refuses(make_bomb, "says that it unpacks into 4096.0 MiB")

    def test_sizes_that_no_file_has(self):
        def many_rows(file):
            keep_only_time(file)
            replace_array(file, "time", shape=(1 << 40,), dtype="f8", chunks=(1024,))

        def large_pieces(file):
            replace_array(file, "joints/q", shape=(1 << 27, 2), dtype="f8", chunks=(1 << 27, 2),
                          compression="gzip")

        def long_text(file):
            del file["meta/record"]
            file.create_dataset("meta/record", shape=(), dtype="S2000000000")

        self.refuses(many_rows, "says that it unpacks into")
        self.refuses(large_pieces, "'/joints/q' is stored in pieces of more than 256 MiB")
        self.path.write_bytes(self.intact)
        with h5py.File(self.path, "r+") as file:
            long_text(file)
        for outcome in self.all_commands():
            self.assertEqual(outcome.code, 0)
            self.assertIn("the record in", outcome.err)

    def test_links_that_lead_elsewhere(self):
        link = "is a link to another place or file"
        other = str(self.original)
        for path in ("joints/q", "meta/record", "time"):
            self.refuses(lambda f, p=path: move(f, p, h5py.ExternalLink(other, "/" + p)), link)
            self.refuses(lambda f, p=path: move(f, p, h5py.SoftLink("/base/position")), link)
        self.refuses(lambda f: move(f, "joints/qd", f["joints/q"]), "linked from more than one")
        self.refuses(lambda f: move(f, "joints/qd", f["/"]), "linked from more than one")
        self.refuses(nest, "more than 16 deep")

    def test_numbers_in_other_files(self):
        elsewhere = "are said to be in another file"
        self.refuses(lambda f: make_virtual(f, str(self.original)), elsewhere)

        def external(file):
            count = file["time"].shape
            replace_array(file, "time", shape=count, dtype="f8",
                          external=[("/etc/passwd", 0, 8 * count[0])])

        self.refuses(external, elsewhere)

    def test_wrong_types(self):
        numbers = "does not hold numbers"
        count = len(self.time)
        for kind in ("S8", h5py.string_dtype(), np.dtype([("a", "f8")]), "c16"):
            self.refuses(lambda f, k=kind: replace_array(f, "joints/q", shape=(count, 2), dtype=k),
                         numbers)
        self.refuses(lambda f: replace_array(f, "joints/q", shape=(count, 2, 1), dtype="f8"),
                     "has a wrong shape")
        self.refuses(lambda f: replace_array(f, "joints/q", shape=(count, 3), dtype="f8"),
                     "another number of columns than names")
        self.refuses(lambda f: f["time"].attrs.__setitem__("columns", 7), "there is no time")
        self.refuses(lambda f: f["joints/q"].attrs.__setitem__("columns", ["a\x1b[31m", "b"]),
                     "names of the columns")
        self.refuses(lambda f: f.attrs.__setitem__("format", 7), "it has no text 'format'")
        self.refuses(lambda f: replace_array(f, "joints/q", shape=(count, 2), dtype="f8",
                                             chunks=(64, 2), compression="lzf"), "filter 32000")

    def test_times_that_are_none(self):
        for value in (np.nan, -np.inf):
            def spoil(file, value=value):
                file["time"][0] = np.nan
                file["time"][1:] = value
            self.refuses(spoil, "holds no complete row")

    def test_rows_before_a_wrong_time_are_read(self):
        for value in (np.nan, -1.0):
            self.path.write_bytes(self.intact)
            with h5py.File(self.path, "r+") as file:
                file["time"][50] = value
            for outcome in self.all_commands():
                self.assertEqual(outcome.code, 0)
                self.assertIn("the first 50 of its", outcome.err)

    def test_metadata_of_wrong_kinds(self):
        refused = "must be "
        for keys, value in ((("outcome",), "complete"), (("outcome", "status"), 7),
                            (("outcome", "warnings"), "one"), (("outcome", "energy"), []),
                            (("format",), 1), (("scenario",), {}), (("duration",), "long"),
                            (("integrator",), []), (("versions",), 3)):
            self.refuses(lambda f, k=keys, v=value: change_record(f, *k, value=v),
                         f"'{'.'.join(keys)}' {refused}")
        self.refuses(lambda f: replace_record(f, "[1, 2]"), "they must be an object, got array")

    def test_metadata_that_are_none_are_left_out(self):
        deep = '{"a": ' + "[" * 100000 + "]" * 100000 + "}"
        for text in ("{", deep, "[" + "0," * 2000000 + "0]", "\x00"):
            self.path.write_bytes(self.intact)
            with h5py.File(self.path, "r+") as file:
                replace_record(file, text)
            for outcome in self.all_commands():
                self.assertEqual(outcome.code, 0)
                self.assertIn("is damaged: how its run ended is not known", outcome.err)

    def test_metadata_beside_csv_of_wrong_kinds(self):
        table = self.folder / "table.csv"
        table.write_text("time_s,x_m\n0,1\n1,2\n", encoding="utf-8")
        beside = self.folder / "table.meta.json"
        for text, code in (('{"format": 7}', 3), ("[]", 3), ("{", 0), ('{"format": "other"}', 3),
                           ('{"format": "spacedyn-result/1", "outcome": "x"}', 3),
                           ('{"format": "spacedyn-result/1", "columns": [{"name": 1}]}', 3),
                           ('{"format": "spacedyn-result/1", "columns": [{"name": "x_m", '
                            '"dataset": "/meta/record", "index": 0}]}', 0)):
            beside.write_text(text, encoding="utf-8")
            for words in (["convert", table, self.folder / "out.h5"], ["report", table, "-o",
                          self.folder / "out.html"], ["plot", table, "x_m"]):
                self.assertEqual(self.run_on_it(*words, "--force").code if words[0] != "plot" else
                                 self.run_on_it(*words).code, code, text)

    def test_heaps_of_texts(self):
        """Sizes and places of texts have no checksum in HDF5."""
        place = self.intact.index(b"GCOL")
        for at in range(place + 8, place + 64, 1 if CASES > 1000 else 3):
            for value in {0x00, 0xFF} - {self.intact[at]}:
                bad = bytearray(self.intact)
                bad[at] = value
                self.path.write_bytes(bad)
                self.run_on_it("convert", self.path, self.folder / "out.csv", "--force")

    def test_superblocks(self):
        """The first 48 bytes lead to all others."""
        for bit in range(0, 48 * 8, 1 if CASES > 1000 else 13):
            bad = bytearray(self.intact)
            bad[bit // 8] ^= 1 << bit % 8
            self.path.write_bytes(bad)
            self.run_on_it("convert", self.path, self.folder / "out.csv", "--force")

    def test_random_bits(self):
        chance = random.Random(SEED)
        refused = 0
        for case in range(CASES):
            bad = bytearray(self.intact)
            # from here to there, since most of the file is rows
            width = chance.choice((len(bad), len(bad), 4096, 512))
            begin = chance.randrange(len(bad) - width + 1)
            for _ in range(int(10 ** chance.uniform(0, 3))):
                bad[begin + chance.randrange(width)] ^= 1 << chance.randrange(8)
            self.path.write_bytes(bad)
            with self.subTest(seed=SEED, case=case):
                words = chance.choice((["convert", self.path, self.folder / "out.csv", "--force"],
                                       ["convert", self.path, self.folder / "out.mat", "--force"],
                                       ["convert", self.path, self.folder / "out.h5", "--force"],
                                       ["report", self.path, "-o", self.folder / "r.html", "--force"],
                                       ["plot", self.path, "state", "-o", self.folder / "p.svg",
                                        "--force"]))
                refused += self.run_on_it(*words).code == 3
        self.assertGreater(refused, CASES // 10, "the damage must be worth its name")

    def test_cuts(self):
        chance = random.Random(SEED)
        read = 0
        for case in range(CASES):
            self.path.write_bytes(self.intact[: chance.randrange(len(self.intact))])
            table = self.folder / "cut.csv"
            with self.subTest(seed=SEED, case=case):
                if self.run_on_it("convert", self.path, table, "--force").code == 0:
                    times = np.loadtxt(table, delimiter=",", skiprows=1, ndmin=2)[:, 0]
                    np.testing.assert_array_equal(times, self.time[: len(times)])
                    read += 1
        self.assertGreater(read, CASES // 10, "most of the file is rows")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

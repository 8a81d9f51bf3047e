#!/usr/bin/env python3
"""What is installed carries the protections that the build asks for, as readelf sees them.

Usage: hardening_test.py PROGRAM…: shared libraries and programs; the first one must also call functions of the C
library that check lengths.
"""

import pathlib
import re
import struct
import subprocess
import sys
import unittest

FILES = [pathlib.Path(name) for name in sys.argv[1:]]


def readelf(file, *options):
    return subprocess.run(["readelf", "-W", *options, file], check=True, capture_output=True, text=True).stdout


def imported(file):
    return set(re.findall(r" UND (\w+)", readelf(file, "--dyn-syms")))


def exported_functions(file):
    """Addresses of the functions that other files may call, through pointers, too."""
    pattern = r"^ *\d+: ([0-9a-f]+) +\d+ FUNC +(?:GLOBAL|WEAK) +DEFAULT +\d+ (spacedyn|_ZN8spacedyn|_ZNK8spacedyn|PyInit)"
    return [int(address, 16) for address, _ in re.findall(pattern, readelf(file, "--dyn-syms"), re.M)]


def bytes_at(file, addresses):
    """Four bytes each of what is loaded at some addresses."""
    segments = [tuple(int(x, 16) for x in found)
                for found in re.findall(r"LOAD +(0x\w+) (0x\w+) 0x\w+ (0x\w+)", readelf(file, "-l"))]
    content = file.read_bytes()
    for address in addresses:
        offset, start, _ = next(s for s in segments if s[1] <= address < s[1] + s[2])
        yield content[offset + address - start:][:4]


class Hardening(unittest.TestCase):
    def check_each(self, check):
        for file in FILES:
            with self.subTest(file.name):
                check(file)

    def test_tables_of_the_loader_are_read_only(self):
        def check(file):
            self.assertIn("GNU_RELRO", readelf(file, "-l"))
            self.assertRegex(readelf(file, "-d"), r"BIND_NOW|FLAGS_1.*NOW")

        self.check_each(check)

    def test_the_stack_holds_no_code(self):
        self.check_each(lambda file: self.assertRegex(readelf(file, "-l"), r"GNU_STACK .* RW +0x"))

    def test_everything_is_loaded_at_random_addresses(self):
        self.check_each(lambda file: self.assertRegex(readelf(file, "-h"), r"Type: +DYN"))

    def test_overwritten_stacks_are_found(self):
        self.check_each(lambda file: self.assertIn("__stack_chk_fail", imported(file)))

    def test_lengths_are_checked(self):
        self.assertTrue([name for name in imported(FILES[0]) if re.fullmatch(r"__\w+_chk", name)])

    def test_calls_through_pointers_land_on_functions(self):
        if struct.calcsize("P") != 8 or "X86-64" not in readelf(FILES[0], "-h"):
            self.skipTest("of x86-64 only")

        def check(file):
            functions = exported_functions(file)
            self.assertTrue(functions or file != FILES[0])
            begins = set(bytes_at(file, functions))
            self.assertLessEqual(begins, {bytes.fromhex("f30f1efa")})  # endbr64

        self.check_each(check)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

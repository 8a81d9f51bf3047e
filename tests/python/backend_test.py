#!/usr/bin/env python3
"""What pip asks of the backend: answered at once, and only then built."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import zipfile

from support import ROOT


def load_backend():
    spec = importlib.util.spec_from_file_location("wheel_backend", pathlib.Path(ROOT) / "apps/python/wheel_backend.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    return backend


class Backend(unittest.TestCase):
    def setUp(self):
        self.backend = load_backend()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_metadata_comes_without_a_build(self):
        with unittest.mock.patch.object(self.backend, "run", side_effect=AssertionError("it builds")):
            begin = time.perf_counter()
            name = self.backend.prepare_metadata_for_build_wheel(self.folder)
            self.assertLess(time.perf_counter() - begin, 30)  # it starts Python once; a build takes minutes
            editable = self.backend.prepare_metadata_for_build_editable(self.folder / "editable")
        self.assertEqual(editable, name)
        self.assertRegex((self.folder / name / "METADATA").read_text(), r"\nName: spacedyn\n(.*\n)*Requires-Dist: numpy\n")

    def test_the_wheel_says_the_same_and_has_a_command(self):
        def build(staging):
            package = pathlib.Path(staging) / "spacedyn"
            package.mkdir()
            (package / "__init__.py").write_text("")

        name = self.backend.prepare_metadata_for_build_wheel(self.folder)
        with unittest.mock.patch.object(self.backend, "build", side_effect=build):
            wheel = zipfile.ZipFile(self.folder / self.backend.build_wheel(self.folder))
        for file in (self.folder / name).iterdir():
            self.assertEqual(wheel.read(f"{name}/{file.name}"), file.read_bytes(), file)
            self.assertIn(f"{name}/{file.name},sha256=", wheel.read(f"{name}/RECORD").decode())
        command = re.search(r"\[console_scripts\]\nspacedyn = ([\w.]+):(\w+)\n", wheel.read(f"{name}/entry_points.txt").decode())
        module = importlib.util.find_spec(command[1])
        self.assertIn(f"def {command[2]}(", pathlib.Path(module.origin).read_text())

    def test_numpy_is_asked_for_before_anything_is_compiled(self):
        # an interpreter that finds no packages
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder) / "python"
            python.write_text("#!/bin/sh\necho \"No module named 'numpy'\" >&2\nexit 1\n")
            python.chmod(0o755)
            with unittest.mock.patch.object(self.backend.sys, "executable", str(python)), \
                    unittest.mock.patch.object(self.backend, "run", side_effect=AssertionError("it builds")):
                for ask in (self.backend.prepare_metadata_for_build_wheel, self.backend.build_wheel):
                    with self.assertRaisesRegex(SystemExit, "has no numpy: install python3-numpy"):
                        ask(self.folder)

    def test_what_is_compiled_is_printed_line_by_line(self):
        printed = []
        with unittest.mock.patch("builtins.print", side_effect=lambda *words, **_: printed.append(words[0])), \
                unittest.mock.patch.object(self.backend, "show") as shown:
            self.backend.run("printf", "[1/2] Building a\\n[2/2] Linking b\\n")
        self.assertEqual(printed[1:], ["[1/2] Building a\n", "[2/2] Linking b\n"])
        self.assertEqual([call.args[0] for call in shown.call_args_list],
                         ["spacedyn: compiling, 1 of 2 steps", "spacedyn: compiling, 2 of 2 steps", ""])
        with self.assertRaisesRegex(SystemExit, "false failed; the packages of cmake/packages.txt"):
            self.backend.run("false")


class Command(unittest.TestCase):
    def test_the_package_runs_the_program(self):
        said = subprocess.run([sys.executable, "-m", "spacedyn", "--version"], capture_output=True, text=True, check=True)
        direct = subprocess.run([os.environ["SPACEDYN_PROGRAM"], "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout, direct.stdout)


if __name__ == "__main__":
    unittest.main()

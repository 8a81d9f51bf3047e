#!/usr/bin/env python3
"""The bill of materials names all that is linked and bundled, and THIRD-PARTY.md the same with equal licences.

Usage: sbom_test.py ROOT BILL PROGRAM…: what the programs load is read from themselves.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT, BILL, *PROGRAMS = [pathlib.Path(name) for name in sys.argv[1:]]
# components by the names of their shared libraries, without version
COMPONENTS = {
    "libyaml-cpp": "yaml-cpp", "libfmt": "fmt", "libtinyxml2": "tinyxml2", "libhdf5": "hdf5", "libhdf5_serial": "hdf5",
    "libcpp-httplib": "cpp-httplib", "libnlopt": "nlopt", "libtbb": "onetbb", "libssl": "openssl", "libcrypto": "openssl", "libz": "zlib",
    "libbrotlidec": "brotli", "libbrotlienc": "brotli", "libbrotlicommon": "brotli",
    "libmpi": "openmpi",
    "libstdc++": "libstdc++", "libgcc_s": "libstdc++", "libc": "glibc",
    "libm": "glibc", "ld-linux-x86-64": "glibc", "ld-linux-aarch64": "glibc",
}
LICENCES = {"MIT", "MPL-2.0", "BSL-1.0", "BSD-3-Clause", "Zlib", "Apache-2.0", "LGPL-2.1-or-later",
            "GPL-3.0-or-later", "GCC-exception-3.1"}


def licence_of(component):
    choice = component["licenses"][0]
    return choice["expression"] if "expression" in choice else choice["license"]["id"]


def plain(text):
    return text.replace("-", "")


def loaded(program):
    text = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
    return [re.sub(r"\.so.*", "", name) for name in re.findall(r"NEEDED.*\[(.*)\]", text)]


class Bill(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bill = json.loads(BILL.read_text(encoding="utf-8"))
        cls.components = {component["name"]: component for component in cls.bill["components"]}

    def test_is_of_its_format(self):
        self.assertEqual((self.bill["bomFormat"], self.bill["specVersion"]), ("CycloneDX", "1.5"))
        self.assertEqual(len(self.components), len(self.bill["components"]))
        for name, component in self.components.items():
            with self.subTest(name):
                self.assertEqual((component["type"], component["bom-ref"]), ("library", name))
                self.assertRegex(component["purl"], r"^pkg:[a-z]+/[\w./+-]+(@[\w.+-]+)?$")
                words = re.split(r" (?:OR|AND|WITH) ", licence_of(component))
                self.assertLessEqual(set(words), LICENCES)
        self.assertEqual(sorted(self.bill["dependencies"][0]["dependsOn"]), sorted(self.components))

    def test_names_what_is_loaded(self):
        for program in PROGRAMS:
            for library in loaded(program):
                with self.subTest(program=program.name, library=library):
                    self.assertTrue(library == "libspacedyn" or COMPONENTS[library] in self.components)

    def test_names_what_the_page_bundles(self):
        sources = ROOT.joinpath("apps/viewer/src").rglob("*.js")
        imports = {found for file in sources
                   for found in re.findall(r"from '([^.'/][^'/]*)", file.read_text(encoding="utf-8"))}
        bundled = {name for name, component in self.components.items() if component["purl"].startswith("pkg:npm/")}
        self.assertEqual(bundled, imports)
        page = ROOT.joinpath("src/reporting/page/report_template.html").read_text(encoding="utf-8")
        revision = self.components["three"]["version"].split(".")[1]
        self.assertIn(f'="{revision}"', page)  # the page was bundled from what the lock file names

    def test_names_what_is_compiled_in(self):
        for name in ("eigen", "boost", "nlohmann_json", "three"):
            self.assertRegex(self.components[name]["version"], r"^\d+\.\d+")

    def test_agrees_with_the_notices(self):
        rows = [line.lower() for line in ROOT.joinpath("THIRD-PARTY.md").read_text(encoding="utf-8").split("\n")
                if line.startswith("| [")]
        for name, component in self.components.items():
            with self.subTest(name):
                row = next((row for row in rows if plain(name.split("_")[0]) in plain(row)), "")
                for licence in re.split(r" (?:OR|AND|WITH) ", licence_of(component)):
                    self.assertIn(licence.lower(), row)
                if component["purl"].startswith("pkg:npm/"):
                    self.assertIn(f"| {component['version']} |", row)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

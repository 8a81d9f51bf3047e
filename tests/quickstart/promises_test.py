#!/usr/bin/env python3
"""What README and guides promise, and what a plain ./quickstart gives.

Usage: promises_test.py ROOT BUILD

cmake/packages.txt must hold all that the promises need, and nothing may be installed elsewhere to make the tests pass.
Where those packages are installed, as after ./quickstart, the build must keep the promises.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = (pathlib.Path(word) for word in sys.argv[1:3])
PACKAGES, OPTIONAL = (re.sub(r"#.*", "", (ROOT / "cmake" / name).read_text(encoding="utf-8")).split()
                      for name in ("packages.txt", "packages-optional.txt"))
README = (ROOT / "README.md").read_text(encoding="utf-8")
URDF = "<robot name='r'><link name='l'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link></robot>"
MJCF = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
BROWSER = {"chromium", "nodejs", "npm"}


def is_installed(package):
    found = subprocess.run(["dpkg-query", "--show", "--showformat=${db:Status-Abbrev}", package], capture_output=True,
                           text=True)
    return found.stdout.startswith("ii")


def info(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_text(text, encoding="utf-8")
        subprocess.run([BUILD / "spacedyn", "info", path], check=True, capture_output=True)


def python(program):
    subprocess.run(["/usr/bin/python3", "-c", program], check=True, capture_output=True,
                   env={"PYTHONPATH": str(BUILD / "python")})


# what the README says, the packages that this takes, and what then works
PROMISES = {
    "URDF": (["libtinyxml2-dev"], lambda: info("r.urdf", URDF)),
    "MJCF": (["libtinyxml2-dev"], lambda: info("m.xml", MJCF)),
    "import spacedyn as sd": (["pybind11-dev", "python3-dev", "python3-numpy"],
                              lambda: python("import spacedyn as sd; sd.State(sd.load_model(str(sd.MODELS / "
                                             "'robots/ets7.yaml')))")),
    "`pip install .` builds the package": (["python3-venv"], lambda: python("import ensurepip, venv")),
}


def blocks(language):
    """Blocks of a language in README and guides, and where they stand."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for block in re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
            yield page, block


class Promises(unittest.TestCase):
    def test_readme_promises_have_their_packages(self):
        for promise, (packages, _) in PROMISES.items():
            self.assertIn(promise, README)
            self.assertLessEqual(set(packages), set(PACKAGES), promise)

    def test_what_python_blocks_import_is_installed(self):
        modules = {"yaml": "python3-yaml", "dask": "python3-distributed"}
        for page, block in blocks("python"):
            for line in re.findall(r"^\s*(?:import|from) +(.*)", block, re.M):
                for name in re.split(r", *", line.split(" import ")[0]):
                    module = name.split()[0].split(".")[0]
                    if module != "spacedyn" and module not in sys.stdlib_module_names:
                        package = modules.get(module, f"python3-{module}")
                        told = package in OPTIONAL and f"`{package}`" in page.read_text(encoding="utf-8")
                        self.assertTrue(package in PACKAGES or told, f"{page.name} imports {module}")

    def test_packages_that_guides_name_are_listed(self):
        for page in sorted((ROOT / "docs").glob("*.md")):
            named = re.findall(r"`((?:lib[\w.+-]+|pybind11|python3)-[\w.+-]*)`", page.read_text(encoding="utf-8"))
            for package in named:
                self.assertTrue(package in PACKAGES or package in OPTIONAL or package.startswith("libspacedyn")
                                or package == "python3-spacedyn", f"{page.name} names {package}")

    def test_continuous_integration_has_what_users_get(self):
        text = (ROOT / ".ci/run").read_text(encoding="utf-8")
        self.assertRegex(text, r"(?m)^\./quickstart test$")
        installed = set(re.findall(r"missing\+=\(([^)]*)\)", text))
        self.assertLessEqual(installed, BROWSER)
        self.assertEqual(len(re.findall(r"(?:apt-get|pip) (?:-\S+ )*install", text)), 1)
        self.assertNotRegex((ROOT / "cmake/Containerfile").read_text(encoding="utf-8"), r"lib\w+-dev|pybind")

    def test_the_build_keeps_the_promises(self):
        for promise, (packages, kept) in PROMISES.items():
            with self.subTest(promise):
                if not all(map(is_installed, packages)):
                    self.skipTest("not the packages that ./quickstart installs")
                kept()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

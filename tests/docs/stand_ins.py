#!/usr/bin/env python3
"""Stands in for programs that would build this project or install packages: checks their arguments.

Usage: stand_ins.py BUILD ROOT PROGRAM [ARGUMENT…]
"""

import json
import os
import pathlib
import re
import subprocess
import sys


def fail(message):
    sys.exit(f"stand-in: {message}")


def require_preset(root, kind, name):
    presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))[kind + "Presets"]
    if name not in {preset["name"] for preset in presets}:
        fail(f"there is no {kind} preset '{name}'")


def after(words, option):
    """The word behind an option, None without the option."""
    return words[words.index(option) + 1] if option in words else None


def cmake(build, root, words):
    if "--install" in words:
        real = next(path for folder in os.environ["PATH"].split(":")[1:]
                    if (path := pathlib.Path(folder) / "cmake").exists())
        os.execv(real, [str(real), *words])
    texts = [path.read_text(encoding="utf-8")
             for path in (root / "docs/CMakeLists.txt", root / "apps/bench/CMakeLists.txt",
                          root / "tests/fuzz/CMakeLists.txt") if path.exists()]
    preset = after(words, "--preset")
    if preset is None and "-B" in words:
        for name in re.findall(r"-D(\w+)=", " ".join(words)):
            if not any(name in text for text in texts):
                fail(f"no variable is called {name}")
        return
    if preset is None:
        fail(f"unexpected: cmake {' '.join(words)}")
    kind = "workflow" if "--workflow" in words else "build" if "--build" in words else "configure"
    require_preset(root, kind, preset)
    target = after(words, "--target")
    if target is None:
        return
    # a name that ends in a variable stands for one target of each
    pattern = "|".join({re.escape(target), re.escape(target.split("_")[0] + "_${")})
    packs = target == "package" and "include(CPack)" in (root / "cmake/SpacedynPackages.cmake").read_text(
        encoding="utf-8")
    if not packs and not any(re.search(rf"add_custom_target\(({pattern})", text) for text in texts):
        fail(f"there is no target '{target}'")


def ctest(build, root, words):
    require_preset(root, "test", after(words, "--preset"))
    pattern = after(words, "-R")
    if pattern is None:
        return
    real = next(path for folder in os.environ["PATH"].split(":")[1:]
                if (path := pathlib.Path(folder) / "ctest").exists())
    listed = subprocess.run([real, "--test-dir", build, "-N", "-R", pattern], check=True,
                            capture_output=True, text=True).stdout
    if "Total Tests: 0" in listed:
        fail(f"no test has '{pattern}' in its name")


def apt_get(build, root, words):
    known = "".join((root / "cmake" / name).read_text(encoding="utf-8")
                    for name in ("packages.txt", "packages-tests.txt", "packages-docs.txt", "packages-optional.txt")).split()
    if words[:1] != ["install"]:
        fail(f"unexpected: apt-get {' '.join(words)}")
    for word in words[1:]:
        if not word.startswith("-") and word not in known:
            fail(f"'{word}' is in none of cmake/packages*.txt")


def quickstart(build, root, words):
    if words and words[0] not in ("test", "docs") and not words[0].startswith("-"):
        fail(f"quickstart knows no '{words[0]}'")


def main():
    build, root, program, *words = sys.argv[1:]
    programs = {"cmake": cmake, "ctest": ctest, "apt-get": apt_get, "quickstart": quickstart}
    programs[program](build, pathlib.Path(root), words)


main()

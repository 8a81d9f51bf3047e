#!/usr/bin/env python3
"""Fails on an #include that goes against the direction in which data walks through the folders.

Usage: include_direction.py ROOT

ROOT is a source tree with include/spacedyn, src and apps. Each folder may include itself, the
folders listed for it in LAYERS and everything below those. The headers directly in
include/spacedyn carry no physics and are free; the umbrella header is for users only.
"""

import pathlib
import re
import sys

LAYERS = {
    "math": [],
    "terramechanics": ["math"],
    "terrain": ["math"],
    "model": ["math"],
    "state": ["model"],
    "kinematics": ["state"],
    "inertia": ["kinematics"],
    "dynamics": ["inertia"],
    "constraints": ["dynamics"],
    "collision": ["kinematics", "terrain"],
    "forces": ["constraints", "terramechanics", "collision"],
    "control": ["forces"],
    "sensing": ["forces"],
    "system": ["control", "sensing"],
    "analysis": ["system"],
    "integration": ["system"],
    "recording": ["integration"],
    "loading": ["yaml", "schema", "keys", "model", "scenario"],
    "reporting": ["recording"],
    "loading": ["analysis", "recording"],
    "batch": ["integration", "loading"],
    "scenario": ["loading", "reporting"],
    "study": ["scenario", "batch"],
    "optimization": ["study"],
}

# Folders of a folder, from the lowest up; the others of a folder are free.
PARTS = {
    "dynamics": ["reference", "tree", "derivatives"],
    "integration": ["equations", "steppers", "contacts", "events", "run"],
    "loading": ["yaml", "schema", "keys", "model", "scenario"],
    "reporting": ["results", "facts", "plot", "page"],
}

# Libraries that are used inside but must not be needed by those who include our headers.
PRIVATE_LIBRARIES = ("nlopt.h", "yaml-cpp", "fmt", "nlohmann", "boost", "CLI", "hdf5", "tinyxml2")

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def reachable(folder):
    """The folder itself and all that it may include."""
    found = {folder}
    for below in LAYERS[folder]:
        found |= reachable(below)
    return found


def includes(path):
    """Yields (line number, bracket, name) for each #include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def folder_of(name):
    """First folder of an included name, without the prefix spacedyn/; '' for a free header."""
    parts = name.split("/")
    if parts[0] == "spacedyn":
        parts = parts[1:]
    return parts[0] if len(parts) > 1 else ""


# what a header that is not part of spacedyn.hpp is for
OFFERED = {"odeint.hpp": ("boost/numeric/odeint.hpp", "boost/numeric/odeint/external/eigen/eigen.hpp")}


def library_problem(path, root, bracket, name):
    """What is wrong with one #include of include/ or src/, or None."""
    is_public = root / "include" in path.parents
    base = root / "include" / "spacedyn" if is_public else root / "src"
    own = path.relative_to(base).parts[0] if path.parent != base else ""
    first = name.split("/")[0]
    if bracket == "<":
        if is_public and first in PRIVATE_LIBRARIES and name not in OFFERED.get(path.name, ()):
            return f"a public header must not need {first}"
        return None
    if is_public and first != "spacedyn":
        return f'public headers include as "spacedyn/…", got "{name}"'
    if name == "spacedyn/spacedyn.hpp":
        return "the umbrella header is for users of the library"
    target = folder_of(name)
    if target and target not in LAYERS:
        return f"unknown folder '{target}'"
    if path == root / "include" / "spacedyn" / "spacedyn.hpp":
        return None
    if own and own not in LAYERS:
        return f"folder '{own}' is not in the table of layers"
    if own and target and target not in reachable(own):
        return f"{own} must not include {target}"
    if not own and target:
        return f"a header or source outside the folders must not include {target}"
    if own and own == target and not is_public:
        return part_problem(own, path.relative_to(base).parts[1], name.split("/")[1])
    return None


def part_problem(folder, own, target):
    """What is wrong with an #include from one part of a folder in another, or None."""
    parts = PARTS.get(folder, [])
    if own in parts and target in parts and parts.index(target) > parts.index(own):
        return f"{folder}/{own} must not include {folder}/{target}"
    return None


def app_problem(path, root, bracket, name):
    """Apps see public headers and their own folder, never the library's insides; but the procedures of the textbooks
    stand on those that took their place."""
    if bracket == "<" or name.startswith("spacedyn/"):
        return None
    app = path.relative_to(root / "apps").parts[0]
    if app == "textbook" and (root / "src" / name).exists():
        return None
    candidates = [path.parent / name, root / "apps" / name, root / "apps" / app / name]
    if any(root / "apps" in candidate.resolve().parents and candidate.exists()
           for candidate in candidates):
        return None
    return f'an app includes "spacedyn/…" or a file of its own, got "{name}"'


def check(root):
    """All violations below root, as lines of text."""
    root = pathlib.Path(root).resolve()
    problems = []
    for top, judge in (("include", library_problem), ("src", library_problem),
                       ("apps", app_problem)):
        for path in sorted((root / top).rglob("*.[ch]pp")):
            for line, bracket, name in includes(path):
                problem = judge(path, root, bracket, name)
                if problem:
                    problems.append(f"{path.relative_to(root)}:{line}: {problem}")
    return problems


def main():
    problems = check(sys.argv[1])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Names of tests say the case: no bytes or addresses of parameters, and a line of ctest fits a terminal.

Usage: test_names.py CTEST BUILD ROOT

Reads the list of tests of a build folder, FOLDER.SUITE.CASE of its programs, and in the sources that every
INSTANTIATE_TEST_SUITE_P names its cases.
"""

import json
import pathlib
import re
import subprocess
import sys

# ctest writes 47 columns beside the longest name: "1234/1234 Test #1234: NAME ....   Passed    0.01 sec"
LONGEST = 120 - 47

FORBIDDEN = ((re.compile(r"-byte object"), "the bytes of a parameter"),
             (re.compile(r"0x[0-9a-fA-F]{4,}"), "an address"),
             (re.compile(r"GetParam"), "a parameter as GoogleTest prints it"))

MACRO = "INSTANTIATE_TEST_SUITE_P("
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'')


def cases(folder, listed):
    """FOLDER.SUITE.CASE of each line that --gtest_list_tests writes."""
    suite, found = "", []
    for line in listed.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            found.append(f"{folder}.{suite}{name.strip()}")
        elif name.endswith("."):
            suite = name
    return found


def names_of(tests):
    """Names of tests as ctest lists them; of the suites of a program, those of their cases."""
    names, programs = [], {}
    for test in tests:
        command = test.get("command", [""])
        if any(word.startswith("--gtest_filter=") for word in command):
            programs[command[0]] = test["name"].split(".")[0]
        else:
            names.append(test["name"])
    for program, folder in programs.items():
        listed = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True,
                                text=True).stdout
        names += cases(folder, listed)
    return names


def check_names(names):
    """Problems of a list of names, as lines of text."""
    problems = []
    for name in names:
        problems += [f"{name}: holds {what}" for pattern, what in FORBIDDEN if pattern.search(name)]
        if len(name) > LONGEST:
            problems.append(f"{name}: {len(name)} characters, at most {LONGEST}")
    return problems


def arguments(text):
    """How many arguments the macro call has whose text begins after its opening parenthesis."""
    depth, count = 0, 1
    for c in STRING.sub('""', text):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                return count
        elif c == "," and depth == 0:
            count += 1
    return count


def check_sources(root):
    """Instantiations without a generator of names, as lines of text."""
    problems = []
    for path in sorted((pathlib.Path(root) / "tests").rglob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        for match in re.finditer(re.escape(MACRO), text):
            if arguments(text[match.end():]) < 4:
                line = text.count("\n", 0, match.start()) + 1
                problems.append(f"{path.relative_to(root)}:{line}: the cases have no names; "
                                "give a generator (support/case_name.hpp)")
    return problems


def main():
    ctest, build, root = sys.argv[1:]
    listed = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True,
                            capture_output=True, text=True).stdout
    names = names_of(json.loads(listed)["tests"])
    problems = check_names(names) + check_sources(root)
    print("\n".join(problems) if problems else f"{len(names)} names say their case")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Prints, for each YAML file of a folder, whether a JSON Schema accepts it.

Usage: check_schema.py SCHEMA FOLDER

One line `NAME accepted` or `NAME refused` per file, sorted by name. The schema itself is checked
against the draft it claims to follow.
"""

import json
import pathlib
import sys

import jsonschema
import yaml


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in sorted(pathlib.Path(sys.argv[2]).glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        verdict = "accepted" if validator.is_valid(content) else "refused"
        print(path.stem, verdict)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Holds docs/keys.md, the tables of all keys, against the JSON Schemas that the program prints.

Usage: key_tables.py [--write] PAGE PROGRAM

A comment `<!-- keys of KIND -->`, KIND being model or scenario, begins the tables of a format; they reach to the next
second-level heading or to the end. With --write they are written instead of compared.
"""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "apps/python"))
from make_classes import NOTES, Schemas, tag_of, units  # noqa: E402

PART = re.compile(r"(<!-- keys of (\w+) -->\n)(.*?)(?=\n## |\Z)", re.S)


class Tables:
    def __init__(self, schemas):
        self.schemas = schemas
        self.seen = {}  # places of tables by their mappings
        self.text = ""

    def range_of(self, number):
        limits = [f"{sign} {number[key]:g}" for key, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"),
                                                              ("maximum", "≤"), ("exclusiveMaximum", "<"))
                  if key in number]
        return " ".join(limits)

    def value(self, schema):
        """What a value is, in a few words."""
        schema = self.schemas.resolve(schema)
        if not isinstance(schema, dict):
            return ""
        if "properties" in schema or schema.get("type") == "object":
            return "mapping"
        if "enum" in schema or "const" in schema:
            return ", ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
        if schema.get("type") == "array":
            items = schema.get("items") or {"anyOf": schema.get("prefixItems", [])}
            size = f"{schema['minItems']} × " if schema.get("minItems") == schema.get("maxItems", 0) else "list of "
            return size + self.value(items)
        parts = schema.get("oneOf", schema.get("anyOf", []))
        number = parts[0] if parts else schema
        if isinstance(number, dict) and number.get("type") in ("number", "integer"):
            kind = "whole number" if number["type"] == "integer" else "number"
            found = [each for each in parts[1:] if isinstance(each, dict) and "pattern" in each]
            unit = ", " + units(found[0]["pattern"])[0].replace("*", " ") if found else ""
            limits = self.range_of(number)
            more = [self.value(each) for each in parts[1:] if "pattern" not in self.schemas.resolve(each)]
            return " or ".join([kind + unit + (f", {limits}" if limits else "")] + more)
        if parts:
            words = [self.value(each) for each in parts]
            return " or ".join(sorted(set(words), key=words.index))
        return {"string": "text", "boolean": "`true` or `false`"}.get(schema.get("type"), "")

    def meaning(self, schema):
        resolved = self.schemas.resolve(schema)
        title = schema.get("title") or (resolved.get("title", "") if isinstance(resolved, dict) else "")
        return title.replace("|", "\\|").replace("<", "&lt;")

    def default(self, schema):
        usual = schema.get("default")
        if usual is None:
            return ""
        word = str(usual).lower() if isinstance(usual, bool) else f"{usual:g}" if isinstance(usual, float) else str(usual)
        return f"`{word}`"

    def add(self, path, mappings):
        """The tables of mappings that stand nowhere else, and of those in them."""
        left = [each for each in mappings if json.dumps(each) not in self.seen]
        self.seen.update((json.dumps(each), path) for each in left)
        for mapping in left:
            tag, kind = tag_of(mapping)
            title = mapping.get("title", "").replace("<", "&lt;")
            rows, below = [], []
            for key, schema in mapping["properties"].items():
                if key in NOTES or key == tag or schema is False:
                    continue
                inner = self.schemas.mappings(schema)
                known = self.seen.get(json.dumps(inner[0])) if inner else None
                is_by_name = isinstance(self.schemas.resolve(schema), dict) and isinstance(
                    self.schemas.resolve(schema).get("additionalProperties"), dict)
                below.append((f"{path}.{key}" + (".NAME" if is_by_name else ""), inner))
                default = "required" if key in mapping.get("required", []) else self.default(schema)
                value = self.value(schema) + (f", see `{known}`" if known else "")
                rows.append(f"| `{key}` | {value} | {self.meaning(schema)} | {default} |")
            name = f"`{path}`" + (f", `{tag}: {kind}`" if tag else "")
            about = "\n" + textwrap.fill(title, 120) + "\n" if title and title != kind else ""
            self.text += f"\n### {name}\n{about}" if path.count(".") < 2 else f"\n**{name}**\n{about}"
            if rows:
                self.text += "\n| key | value | meaning | default |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
            for each, inner in below:
                self.add(each, inner)


def main():
    writes = sys.argv[1] == "--write"
    page, program = pathlib.Path(sys.argv[-2]), sys.argv[-1]
    text = page.read_text(encoding="utf-8")
    schemas = {kind: subprocess.run([program, "schema", kind], capture_output=True, text=True, check=True).stdout
               for kind in ("model", "scenario")}
    result = Tables(Schemas(schemas.values()))

    def part(match):
        result.text = ""
        result.add(match.group(2), [result.schemas.definitions[match.group(2)]])
        return match.group(1) + result.text

    current = PART.sub(part, text)
    if writes:
        page.write_text(current, encoding="utf-8")
        return 0
    if current == text:
        print(f"{page.name} lists the keys that the program reads")
        return 0
    for old, new in zip(text.splitlines(), current.splitlines()):
        if old != new:
            print(f"the page shows\n{old}\nwhere the program has\n{new}")
            break
    print(f"{page.name} is not current: run key_tables.py --write docs/keys.md build/release/spacedyn")
    return 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes the classes of what files describe, from the JSON Schemas that the module makes of its tables of keys.

Usage: make_classes.py PACKAGE_FOLDER

A module of the package for each section: forces, controllers, ... A mapping with a type, or a part of a model,
becomes a class whose keywords are its keys.
"""

import json
import keyword
import pathlib
import re
import sys
import textwrap
import types

# module: its text, and classes that others derive from with the place of these in the schema
SECTIONS = {
    "forces": ("Forces between bodies and on them.", {"Force": ("scenario", "forces")}),
    "contacts": ("Contacts between shapes, and laws of their normal force.",
                 {"Contact": ("scenario", "contacts"), "NormalLaw": ("contact", "normal")}),
    "controllers": ("What commands actuators; motions of vehicles; how thrusters open and shut.",
                    {"Control": ("scenario", "control"), "Motion": ("vehicle_drive", "motion"),
                     "Modulation": ("modulation",)}),
    "references": ("What controllers follow.", {"Reference": ("reference",), "PoseReference": ("pose_reference",)}),
    "sensors": ("Instruments.", {"Sensor": ("scenario", "sensors")}),
    "events": ("When something happens, and what happens then.",
               {"Event": ("scenario", "events"), "Action": ("event_actions",)}),
    "connections": ("Joints between bodies that events make and end.", {"Connection": ("scenario", "connections")}),
    "terrains": ("Grounds.", {"Terrain": ("terrain",)}),
    "parts": ("Parts of models: bodies, joints, actuators.", {"Part": None}),
}
# parts of models by definition
PARTS = ("base", "link", "joint", "frame", "visual", "collision", "flexible_link", "modal_appendage", "coupling",
         "transmission", "loop", "reaction_wheel", "control_moment_gyro", "slosh", "tank", "thruster", "include")
# keys of scenarios that take objects of the module, too
OBJECTS = {"model": 'Union[str, "PathLike[str]", Model, Mapping[str, Any], None]',
           "initial": "Union[State, Mapping[str, Any], None]"}
NOTES = ("description", "source")


class Schemas:
    def __init__(self, texts):
        self.definitions = {}
        for text in texts:
            self.definitions.update(json.loads(text)["$defs"])

    def resolve(self, schema):
        while isinstance(schema, dict) and "$ref" in schema:
            schema = self.definitions[schema["$ref"].rpartition("/")[2]]
        return schema

    def at(self, path):
        schema = self.definitions[path[0]]
        for key in path[1:]:
            schema = self.resolve(schema["properties"][key])
        return schema

    def mappings(self, schema):
        """All mappings that a value, or an item of a list, may be."""
        schema = self.resolve(schema)
        if not isinstance(schema, dict):
            return []
        if isinstance(schema.get("additionalProperties"), dict):  # by names
            return self.mappings(schema["additionalProperties"])
        if "properties" in schema:
            return [schema]
        if "items" in schema:
            return self.mappings(schema["items"])
        return [each for part in schema.get("oneOf", schema.get("anyOf", [])) for each in self.mappings(part)]


def identifier(key):
    return key + "_" if keyword.iskeyword(key) else key


def class_name(text):
    return "".join(word[:1].upper() + word[1:] for word in text.split("_"))


def path_name(text):
    return re.sub(r"(?<=.)([A-Z])", r"_\1", text).lower()


def tag_of(mapping):
    """The key that states the type, and its text."""
    for key, schema in mapping["properties"].items():
        if isinstance(schema, dict) and "const" in schema:
            return key, schema["const"]
    return "", ""


def units(pattern):
    """The units of a number with one, from the regular expression that it matches."""
    inner = pattern[pattern.rindex(" *(") + 3 : -2]
    inner = inner.replace("( ?[*·⋅] ?| )?", "*").replace("(\\^2|²)", "^2")
    return inner.split("|")


def literal(value):
    return repr(value) if not isinstance(value, float) or value != int(value) else repr(float(value))


class Writer:
    def __init__(self, schemas):
        self.schemas = schemas
        self.bases = {}  # of classes, by the schemas that they are made from
        for _, bases in SECTIONS.values():
            for base, path in bases.items():
                for group in self.groups(path).values():
                    for mapping in group:
                        self.bases.setdefault(json.dumps(mapping), base)

    def groups(self, path):
        """The mappings of a place by the names of their classes."""
        if path is None:
            return {class_name(part): self.schemas.mappings(self.schemas.definitions[part]) for part in PARTS}
        groups = {}
        for mapping in self.schemas.mappings(self.schemas.at(path)):
            groups.setdefault(class_name(tag_of(mapping)[1] or path[-1].rstrip("s")), []).append(mapping)
        return groups

    def annotation(self, schema):
        """The type of a value."""
        found = self.bare_annotation(schema)
        return found[0] if len(found) == 1 else f"Union[{', '.join(found)}]"

    def bare_annotation(self, schema):
        schema = self.schemas.resolve(schema)
        if not isinstance(schema, dict):
            return ["Any"]
        if "properties" in schema or schema.get("type") == "object":
            base = self.bases.get(json.dumps(schema))
            return ([base] if base else []) + ["Mapping[str, Any]"]
        if "enum" in schema or "const" in schema:
            choices = schema.get("enum", [schema.get("const")])
            return [f"Literal[{', '.join(map(repr, choices))}]"]
        if schema.get("type") == "array":
            item = schema.get("items", (schema.get("prefixItems") or [True])[0])
            inner = self.annotation(item)
            return ["Vector" if inner in ("Number", "float") else f"Sequence[{inner}]"]
        for key in ("oneOf", "anyOf"):
            if key in schema and not self.is_number(schema):
                all_of = [each for part in schema[key] for each in self.bare_annotation(part)]
                return sorted(set(all_of), key=all_of.index)
        if self.is_number(schema):
            return ["Number" if "anyOf" in schema else "float"]
        return [{"string": "str", "boolean": "bool", "integer": "int"}.get(schema.get("type"), "Any")]

    @staticmethod
    def is_number(schema):
        first = schema.get("anyOf", [schema])[0]
        return isinstance(first, dict) and first.get("type") == "number"

    def about(self, schema):
        """What a key is, with its units."""
        resolved = self.schemas.resolve(schema)
        title = schema.get("title") or (resolved.get("title", "") if isinstance(resolved, dict) else "")
        numbers = resolved if self.is_number(resolved) else self.schemas.resolve(resolved.get("items", {}))
        if not title and isinstance(numbers, dict) and "anyOf" in numbers:
            title = units(numbers["anyOf"][1]["pattern"])[0]
        return title

    def parameters(self, group):
        """(key, schema, whether it must be there) of mappings of one type."""
        found = {}
        types = [tag_of(mapping)[1] for mapping in group]
        for mapping in group:
            tag = tag_of(mapping)[0]
            if len(set(types)) > 1:  # one class for all of them
                found[tag], tag = ({"enum": types}, True), ""
            for key, schema in mapping["properties"].items():
                if key in NOTES or key == tag or key in found:
                    continue
                required = all(key in each.get("required", []) for each in group)
                found[key] = schema, required
        return sorted(((key, *rest) for key, rest in found.items()), key=lambda each: not each[2])

    def class_text(self, name, base, group, title="", kinds=(), defaults=()):
        title = title or next((each["title"] for each in group if each.get("title")), name)
        entries, arguments = [], []
        for key, schema, required in self.parameters(group):
            usual = dict(defaults).get(key, schema.get("default"))
            required = required and usual is None
            kind = dict(kinds).get(key) or self.annotation(schema)
            argument = identifier(key)
            if required:
                arguments.append(f"{argument}: {kind}")
            elif usual is None or isinstance(usual, (list, dict)):
                arguments.append(f"{argument}: {kind if kind.endswith('None]') else f'Optional[{kind}]'} = None")
            else:
                arguments.append(f"{argument}: {kind} = {literal(usual)}")
            note = self.about(schema)
            if usual is not None and "default" not in note:
                note += f"{', ' if note else ''}default {usual}"
            note = note or ("its name" if key == "name" else key.replace("_", " "))
            entries.append((argument, note + (" (required)" if required else "")))
        text = f"\n\nclass {name}({base}):\n"
        doc = [title + ("" if title.endswith(".") else "."), ""]
        for argument, note in entries:
            doc += textwrap.wrap(f"- `{argument}`: {note}", 108, subsequent_indent="  ")
        body = "\n    ".join(doc).replace("\\", "\\\\").replace('"""', "'''").rstrip()
        text += '    """' + re.sub(r"\n +\n", "\n\n", body) + '\n    """\n\n'
        key, kind = tag_of(group[0])
        if key and key not in dict(entries):
            text += f"    TAG = ({key!r}, {kind!r})\n\n"
        text += "    def __init__(self" + ",\n                 ".join([", *, " + arguments[0]] + arguments[1:] if arguments else [""]) + ") -> None:\n"
        return text + "        self._take(locals())\n"

    def module(self, name):
        text, names = "", []
        for base, path in SECTIONS[name][1].items():
            # what another base has, too, is that; a mapping serves for a type that has other keys there
            groups = {kind: group for kind, group in self.groups(path).items() if kind not in names}
            if base not in groups:  # else it is the only one
                text += f'\n\nclass {base}(Description):\n    """{SECTIONS[name][0]}"""\n'
                names.append(base)
            for kind, group in sorted(groups.items()):
                title = self.schemas.definitions[path_name(kind)].get("title", "") if path is None else ""
                text += self.class_text(kind, base if kind != base else "Description", group, title)
            names += sorted(groups)
        return text, names

    def write(self, package):
        for name in SECTIONS:
            text, names = self.module(name)
            (package / f"{name}.py").write_text(self.head(SECTIONS[name][0], text, name, names) + text, encoding="utf-8")
        scenario = self.class_text("ScenarioDescription", "FlightDescription", [self.schemas.definitions["scenario"]],
                                   kinds=OBJECTS, defaults={"name": "scenario"})
        text = self.head("A flight as its file describes it.", scenario, "_scenario", ["ScenarioDescription"])
        (package / "_scenario.py").write_text(text + scenario, encoding="utf-8")

    def head(self, summary, text, name, names):
        used = lambda word: re.search(rf"\b{word}\b", text) is not None
        typing = [word for word in ("Any", "Literal", "Mapping", "Optional", "Sequence", "Union") if used(word)]
        others = [(module, base) for module, (_, bases) in SECTIONS.items() for base in bases
                  if module != name and used(rf"{base}(?=[\],])")]
        own = [word for word in ("Description", "FlightDescription", "Number") if used(word)]
        lines = [f'"""{summary} Generated by make_classes.py."""\n', "from __future__ import annotations\n"]
        lines.append("from typing import " + ", ".join(["TYPE_CHECKING"] * bool(others or used("Vector")) + typing))
        lines.append("\nfrom ._descriptions import " + ", ".join(own))
        if others or used("Vector"):
            lines.append("\nif TYPE_CHECKING:")
            lines += ["    from os import PathLike\n\n    from ._core import Model, State"] if used("PathLike") else []
            lines += ["    from numpy.typing import ArrayLike as Vector\n"] if used("Vector") else []
            lines += [f"    from .{module} import {base}" for module, base in others]
        return "\n".join(lines) + f"\n\n__all__ = {names!r}\n"


def main():
    package = pathlib.Path(sys.argv[1]).resolve()
    # the classes are a part of the package, which cannot be imported without them
    stand_in = types.ModuleType("spacedyn")
    stand_in.__path__ = [str(package)]
    sys.modules["spacedyn"] = stand_in
    from spacedyn import _core

    Writer(Schemas([_core.model_schema(), _core.scenario_schema()])).write(package)


if __name__ == "__main__":
    main()

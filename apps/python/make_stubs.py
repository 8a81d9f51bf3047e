#!/usr/bin/env python3
"""Writes the types of the module `_core` as a stub, from the signatures and texts of the module itself.

Usage: make_stubs.py PACKAGE_FOLDER [OUTPUT]; the default output is _core.pyi in that folder.
"""

import importlib.util
import inspect
import keyword
import pathlib
import re
import sys

HEADER = '''"""Generated from the module by make_stubs.py."""

from os import PathLike
from typing import Any, Callable, ClassVar, Dict, List, Optional, Tuple, Union, overload

import numpy
from numpy.typing import ArrayLike, NDArray

_Array = NDArray[numpy.float64]
_ComplexArray = NDArray[numpy.complex128]
'''
TYPES = (
    (r"numpy\.ndarray\[numpy\.float64\]", "_Array"),
    (r"numpy\.ndarray\[numpy\.complex128\]", "_ComplexArray"),
    (r"Optional\[numpy\.ndarray\]", "Optional[_Array]"),
    (r"\bPathArgument\b", "Union[str, PathLike[str]]"),
    (r"spacedyn\._core\.", ""),
    (r"\b(handle|object)\b", "Any"),
    (r"\bfunction\b", "Callable[..., Any]"),
    (r"(?<![\w.])tuple\b(?!\[)", "Tuple[Any, ...]"),
    (r"(?<![\w.])list\b(?!\[)", "List[Any]"),
    (r"(?<![\w.])dict\b(?!\[)", "Dict[Any, Any]"),
)


def annotation(text):
    for pattern, replacement in TYPES:
        text = re.sub(pattern, replacement, text)
    if "::" in text:
        raise SystemExit(f"a type is not known to Python: {text}; bind it before it is used")
    return text


def split(arguments):
    """Arguments at the commas that stand outside of brackets."""
    depth, start, parts = 0, 0, []
    for index, character in enumerate(arguments):
        depth += (character in "[(<{") - (character in "])}" or (character == ">" and arguments[index - 1] != "-"))
        if character == "," and depth == 0:
            parts.append(arguments[start:index].strip())
            start = index + 1
    last = arguments[start:].strip()
    return parts + [last] if last else parts


def argument(text, first):
    if text in ("*", "/"):
        return text
    if text.startswith("**"):
        return "**kwargs: Any"
    name, _, rest = text.partition(": ")
    if first and name in ("self", "arg0"):
        return "self"
    kind, equals, default = rest.partition(" = ")
    kind = annotation(kind)
    if equals:
        if default == "None" and not kind.startswith("Optional") and kind != "Any":
            kind = f"Optional[{kind}]"
        return f"{name}: {kind} = ..."
    return f"{name}: {kind}"


def signatures(name, doc):
    """(arguments, result, text) of each overload in a docstring of pybind11."""
    pattern = re.compile(r"^(?:\d+\. )?" + re.escape(name) + r"\((.*)\) -> (.*)$")
    found = []
    for line in doc.splitlines():
        match = pattern.match(line)
        if match:
            found.append([match.group(1), match.group(2), []])
        elif found:
            found[-1][2].append(line)
    return [(arguments, result, "\n".join(text).strip()) for arguments, result, text in found]


def docstring(text, indent):
    if not text:
        return " ..."
    lines = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').splitlines()
    if len(lines) == 1 and not lines[0].endswith('"'):
        return f'\n{indent}    """{lines[0]}"""'
    body = ("\n" + indent + "    ").join(lines)
    return re.sub(r"[ ]+\n", "\n", f'\n{indent}    """{body}\n{indent}    """')


def function(name, object_, indent, is_method):
    found = signatures(name, object_.__doc__ or "")
    text = ""
    for arguments, result, doc in found:
        parts = [argument(part, is_method and i == 0) for i, part in enumerate(split(arguments))]
        if len(found) > 1:
            text += f"{indent}@overload\n"
        returns = "None" if name == "__init__" else annotation(result)
        text += f"{indent}def {name}({', '.join(parts)}) -> {returns}:{docstring(doc, indent)}\n"
    return text


def attribute(name, value, indent):
    """A property; its type stands in the signature of its getter."""
    result = (value.fget.__doc__ or "").strip().splitlines()[0].rpartition(" -> ")[2]
    text = f"{indent}@property\n{indent}def {name}(self) -> {annotation(result)}:{docstring(value.__doc__ or '', indent)}\n"
    if value.fset is not None:
        found = re.search(r"arg[01]: (?!.*arg[01]: )(.*)\) -> None", (value.fset.__doc__ or "").strip().splitlines()[0])
        kind = annotation(found.group(1)) if found else "Any"
        text += f"{indent}@{name}.setter\n{indent}def {name}(self, value: {kind}) -> None: ...\n"
    return text


def class_text(name, type_):
    bases = [base.__name__ for base in type_.__bases__ if base.__module__ == type_.__module__]
    text = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
    doc = (type_.__doc__ or "").strip()
    members = getattr(type_, "__members__", None)
    if members is not None:
        doc = doc.split("Members:")[0].strip()
        text += docstring(doc, "").rstrip() + "\n"
        text += "    __members__: ClassVar[Dict[str, Any]]\n"
        for member in members:
            text += f"    {member}: ClassVar[\"{name}\"]\n"
        return text + ("    def __init__(self, value: int) -> None: ...\n    def __int__(self) -> int: ...\n    def __index__(self) -> int: ...\n"
                       "    @property\n    def name(self) -> str: ...\n    @property\n    def value(self) -> int: ...\n")
    body = ""
    for key, value in sorted(vars(type_).items()):
        if isinstance(value, property):
            body += attribute(key, value, "    ")
        elif callable(value) and (not key.startswith("__") or key in ("__init__", "__copy__", "__deepcopy__")):
            body += function(key, getattr(type_, key), "    ", True)
    return text + (docstring(doc, "").rstrip() + "\n" if doc else "\n") + (body or "    ...\n")


def stub(module):
    classes, functions, values = "", "", ""
    errors = []
    for name, value in sorted(vars(module).items()):
        if inspect.isclass(value):
            if value.__module__ == module.__name__:
                classes += "\n" + class_text(name, value)
            else:
                errors.append(name)
        elif callable(value) and not keyword.iskeyword(name) and not name.startswith("_"):
            functions += "\n" + function(name, value, "", False)
        elif isinstance(value, list):
            values += f"{name}: List[str]\n"
    imports = "from ._errors import " + ", ".join(f"{name} as {name}" for name in errors) + "\n"
    return HEADER + imports + "\n__version__: str\n" + values + classes + functions


def main():
    package = pathlib.Path(sys.argv[1])
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else package / "_core.pyi"
    sys.path.insert(0, str(package.parent))
    if importlib.util.find_spec("numpy") is None:
        print("numpy is missing, without which the module does not tell its types: none are written")
        return
    import spacedyn._core

    output.write_text(stub(spacedyn._core), encoding="utf-8")


if __name__ == "__main__":
    main()

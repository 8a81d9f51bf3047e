"""What objects of the compiled module print: their class and what they hold, on a line."""

import inspect
from typing import Any

import numpy as np

_LONGEST = 160


def _text(value: Any) -> str:
    if isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        if value.ndim == 1 and value.size <= 6:
            return "[" + ", ".join(f"{x:.6g}" for x in value) + "]"
        return "array of " + " × ".join(map(str, value.shape))
    if isinstance(value, (list, tuple, dict)):
        return f"{type(value).__name__} of {len(value)}"
    return str(getattr(value, "name", "") or type(value).__name__)


def _describe(self: Any) -> str:
    kind = type(self)
    text = f"<spacedyn.{kind.__name__}"
    names = [name for name, _ in inspect.getmembers(kind, lambda member: isinstance(member, property))]
    for name in sorted(names, key=lambda one: one != "name"):
        try:
            value = getattr(self, name)
        except Exception:  # what an object does not have at the moment is no part of its text
            continue
        if value is None or callable(value):
            continue
        fact = ("," if "=" in text else "") + f" {name}={_text(value)}"
        if len(text) + len(fact) > _LONGEST:
            return text + ", …>"
        text += fact
    return text + ">"


def give_texts(module: Any) -> None:
    """Gives a text to each class of a module that has none of its own."""
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if kind.__repr__ is object.__repr__:
            kind.__repr__ = _describe

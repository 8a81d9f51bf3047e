"""Values as YAML text."""

import json
import re
from typing import Any, Mapping

import numpy as np

# texts that a reader takes for what they are: names, numbers with units, paths
_PLAIN = re.compile(r"[\w./+-][\w ./*^()+²³⁴°·-]*")


def plain(value: Any) -> Any:
    """A value as numbers, texts, lists and mappings alone."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def item(value: Any) -> str:
    """A value inside of others; texts are quoted where they would end them."""
    if isinstance(value, str) and not (_PLAIN.fullmatch(value) and value == value.strip()):
        return json.dumps(value, ensure_ascii=False)
    return text(value)


def text(value: Any) -> str:
    """A value as YAML text; strings stand for themselves, units and all."""
    value = plain(value)
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if np.isnan(number):
            return ".nan"
        return repr(number) if np.isfinite(number) else ".inf" if number > 0 else "-.inf"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{item(key)}: {item(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(item(each) for each in value) + "]"
    raise TypeError(f"a value is a number, a text, a list or a mapping, got {type(value).__name__}")


def lines(keys: Mapping[str, Any], indent: str = "") -> str:
    """A line for each key of a mapping, and for each mapping of a list."""
    result = ""
    for key, value in keys.items():
        value = plain(value)
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            result += f"{indent}{item(key)}:\n" + "".join(f"{indent}  - {text(each)}\n" for each in value)
        else:
            result += f"{indent}{item(key)}: {item(value)}\n"
    return result

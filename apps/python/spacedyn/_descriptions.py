"""Descriptions: what the mappings of model and scenario files say, as objects. Their classes are written by make_classes.py."""

import difflib
import functools
import inspect
import os
from typing import Any, ClassVar, Dict, Iterable, List, Mapping, Set, Tuple, Union

from . import _core, _yaml
from ._errors import Diagnostic, ParseError

Number = Union[float, str]
"""A number in SI units and radians, or a text with a number and its unit."""


class Description:
    """A mapping of a file: keywords are its keys, those that are words of Python with an underscore at the end.

    Values are numbers, texts with units, lists, arrays, mappings and other descriptions. Whether they make sense is
    checked when a scenario is built; keys are checked at once.
    """

    TAG: ClassVar[Tuple[str, str]] = ("", "")
    """The key that states the type, and its text."""
    _keys: Set[str]

    def __new__(cls, *arguments: Any, **keywords: Any) -> "Description":
        known = cls._parameters()
        for name in keywords:
            if name not in known:
                raise TypeError(f"{cls.__name__}: there is no key '{name}'" + _nearest(name, known))
        made = super().__new__(cls)
        object.__setattr__(made, "_keys", set(keywords))
        return made

    @classmethod
    @functools.lru_cache(maxsize=None)
    def _parameters(cls) -> Dict[str, inspect.Parameter]:
        return {name: each for name, each in inspect.signature(cls.__init__).parameters.items()
                if each.kind is each.KEYWORD_ONLY}

    def _take(self, keywords: Dict[str, Any]) -> None:
        for name in self._parameters():
            object.__setattr__(self, name, keywords[name])

    def __setattr__(self, name: str, value: Any) -> None:
        known = self._parameters()
        if name not in known:
            raise AttributeError(f"{type(self).__name__}: there is no key '{name}'" + _nearest(name, known))
        object.__setattr__(self, name, value)
        self._keys.add(name)

    def _given(self) -> Dict[str, Any]:
        """Values that were given, by keyword; None is none."""
        return {name: getattr(self, name) for name in self._parameters()
                if name in self._keys and getattr(self, name) is not None}

    def to_dict(self) -> Dict[str, Any]:
        """The mapping that a file would hold, with the keys that were given."""
        key, name = self.TAG
        tag = {key: name} if key else {}
        return {**tag, **{name.rstrip("_"): _yaml.plain(value) for name, value in self._given().items()}}

    def to_yaml(self) -> str:
        """The mapping as YAML, a line for each key."""
        return _yaml.lines(self.to_dict())

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.to_dict() == other.to_dict()  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._given().items())})"


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(known)}"


def _by_path(error: ParseError, file: str) -> ParseError:
    """The same problems; those of a description have a key path in place of a line."""
    placed = [each if each.file != file else Diagnostic(each.severity, "", 0, 0, each.path, each.message, each.hint, "")
              for each in error.diagnostics]
    said = []
    for each in placed:
        place = f"{each.file}:{each.line}:{each.column}: " if each.line else f"{each.file}: " if each.file else ""
        said.append(f"{place}{each.severity}: {each.path}: {each.message}" + (f"\nhint: {each.hint}" if each.hint else ""))
    return type(error)("\n".join(said), placed)


def _inline(model: _core.Model) -> str:
    """The key `model:` of a scenario, with a model that no file holds."""
    written = _core.write_model(model).splitlines()
    body = written[written.index("model:") + 1 :]
    return "\n".join(["  model:"] + ["  " + line for line in body]) + "\n"


def scenario_text(keys: Mapping[str, Any]) -> str:
    """A scenario file; its model may be a Model."""
    keys = dict(keys)
    model = keys.get("model")
    inline = _inline(keys.pop("model")) if isinstance(model, _core.Model) else ""
    if isinstance(model, os.PathLike):
        keys["model"] = os.fspath(model)
    return "spacedyn: 1\nscenario:\n" + _yaml.lines(keys, "  ") + inline


def _start(model: _core.Model, state: _core.State, prescribed: Iterable[Any]) -> Dict[str, Any]:
    """The key `initial` of a state: what is not zero, so that references begin where the joints are."""
    base = {"position": state.r_0, "velocity": state.v_0, "angular_velocity": state.omega_0}
    of_base: Dict[str, Any] = {key: value for key, value in base.items() if value.any()}
    if (state.A_0 != [[1, 0, 0], [0, 1, 0], [0, 0, 1]]).any():
        of_base["matrix"] = state.A_0
    led = [each["joint"] if isinstance(each, Mapping) else each.joint for each in prescribed]
    joints = {}
    for i in range(1, model.joint_count + 1):
        joint = model.joint(i)
        motion = {"position": float(state.q[i - 1]), "velocity": float(state.qd[i - 1])}
        motion = {key: value for key, value in motion.items() if value}
        # a rotation vector has no key for each coordinate
        if motion and joint.spherical == 0 and joint.name not in led:
            joints[joint.name] = motion
    return {key: value for key, value in (("base", of_base), ("joints", joints)) if value}


def read_scenario(keys: Mapping[str, Any], folder: Union[str, "os.PathLike[str]"] = "",
                  overrides: Iterable[Tuple[str, str]] = ()) -> _core.Scenario:
    """The Scenario of the keys of a file; its state at the start may be a State."""
    keys = dict(keys)
    initial = keys.pop("initial") if isinstance(keys.get("initial"), _core.State) else None
    model = keys.get("model")
    if initial is not None and isinstance(model, (str, os.PathLike)):
        model = _core.load_model(os.path.join(os.fspath(folder), os.fspath(model)))
    if initial is not None and isinstance(model, _core.Model):
        initial.check(model)
        keys["initial"] = _start(model, initial, keys.get("prescribed") or ())
    file = os.path.join(os.fspath(folder), "<scenario>")
    try:
        scenario = _core.parse_scenario(scenario_text(keys), file, list(overrides))
    except ParseError as error:
        raise _by_path(error, file) from None
    if initial is not None:
        scenario.initial = initial
    return scenario


class FlightDescription(Description):
    """What descriptions of scenarios can do."""

    def to_dict(self) -> Dict[str, Any]:
        """The mapping below `scenario:`, with a Model or a State as it is."""
        given = self._given()
        objects = {name: value for name, value in given.items() if isinstance(value, (_core.Model, _core.State))}
        return {"name": self.name, **super().to_dict(), **objects}  # type: ignore[attr-defined]

    def to_yaml(self) -> str:
        """The whole file."""
        keys = self.to_dict()
        if isinstance(keys.get("initial"), _core.State):
            raise TypeError("initial: expected the keys of a file, which a State does not have")
        return scenario_text(keys)

    def build(self, folder: Union[str, "os.PathLike[str]"] = "",
              overrides: Iterable[Tuple[str, str]] = ()) -> _core.Scenario:
        """The Scenario, for simulate(). folder: where relative paths start. overrides: key paths and YAML texts.

        What is wrong raises ParseError with the key path of each problem.
        """
        return read_scenario(self.to_dict(), folder, overrides)

    def check(self, folder: Union[str, "os.PathLike[str]"] = "") -> List[str]:
        """Warnings. What is wrong raises ParseError with the key path of each problem."""
        return self.build(folder).warnings

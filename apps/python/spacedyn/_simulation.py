"""simulate() and what it returns."""

import html
import json
import os
import re
import sys
import time as _time
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core

Overrides = Union[Mapping[str, Any], Iterable[Tuple[str, Any]]]


# texts that a reader takes for what they are: names, numbers with units, paths
_PLAIN = re.compile(r"[\w./+-][\w ./*^()+²³⁴°·-]*")


def _item(value: Any) -> str:
    """A value inside of others; texts are quoted where they would end them."""
    if isinstance(value, str) and not (_PLAIN.fullmatch(value) and value == value.strip()):
        return json.dumps(value, ensure_ascii=False)
    return _yaml(value)


def _yaml(value: Any) -> str:
    """A value as YAML text; strings stand for themselves, units and all."""
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
    if isinstance(value, np.ndarray):
        return _yaml(value.tolist())
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_item(key)}: {_item(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_item(item) for item in value) + "]"
    raise TypeError(f"an override is a number, a text, a list or a mapping, got {type(value).__name__}")


def _pairs(overrides: Optional[Overrides], keywords: Mapping[str, Any]) -> List[Tuple[str, str]]:
    given: List[Tuple[str, Any]] = []
    if overrides is not None:
        given += list(overrides.items() if isinstance(overrides, Mapping) else overrides)
    given += [(key.replace("__", "."), value) for key, value in keywords.items()]
    return [(key, _yaml(value)) for key, value in given]


class _ProgressBar:
    """A line on the standard error that is renewed ten times a second."""

    def __init__(self, name: str, duration: float) -> None:
        self._name, self._duration, self._next = name, duration, 0.0

    def __call__(self, reached: float) -> None:
        now = _time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        part = min(1.0, reached / self._duration) if self._duration > 0 else 1.0
        filled = int(30 * part)
        sys.stderr.write(f"\r{self._name} [{'#' * filled}{'.' * (30 - filled)}] {reached:.4g} s")
        sys.stderr.flush()

    def end(self) -> None:
        self._next = 0.0
        self(self._duration)
        sys.stderr.write("\n")


class Result:
    """What a simulation has recorded.

    `result[name]` is an array: of a column (`joints_elbow_rad`), (rows,); of a dataset (`joints/q`) or a channel
    (`state`), (rows, components). `labels(name)` tells the components, `units(name)` their units. Arrays of columns
    are read-only views of the memory of the run and keep it alive; those of several columns are views where the
    columns are neighbours, else copies.
    """

    def __init__(self, flight: _core.Flight) -> None:
        self._flight = flight
        self._values = flight.values
        self._columns: List[Tuple[str, str, str]] = list(flight.columns)
        self._groups: Dict[str, List[int]] = {name: list(indices) for name, indices in flight.channels.items()}
        for index, (name, _, dataset) in enumerate(self._columns):
            if dataset:
                self._groups.setdefault(dataset.strip("/"), []).append(index)
        for index, (name, _, _) in enumerate(self._columns):
            self._groups[name] = [index]
        self._single = {name for name, _, _ in self._columns}

    @property
    def values(self) -> np.ndarray:
        """All numbers, (rows, columns), a read-only view."""
        return self._values

    @property
    def columns(self) -> List[str]:
        """Names of all columns, `time_s` first."""
        return [name for name, _, _ in self._columns]

    @property
    def channels(self) -> List[str]:
        """Names of the recorded channels."""
        return list(self._flight.channels)

    @property
    def time(self) -> np.ndarray:
        """Times of the rows, s, (rows,)."""
        return self._values[:, 0]

    @property
    def final_state(self) -> _core.State:
        """The state at the end, a copy."""
        return self._flight.final_state

    @property
    def scenario(self) -> _core.Scenario:
        """The scenario as it was flown."""
        return self._flight.scenario

    @property
    def model(self) -> _core.Model:
        """The robot that was flown."""
        return self._flight.scenario.model

    def _indices(self, name: str) -> List[int]:
        indices = self._groups.get(name.strip("/").replace(".", "/") if name not in self._groups else name)
        if indices is None:
            import difflib

            near = difflib.get_close_matches(name, list(self._groups), 1)
            raise KeyError(f"the result has no column, dataset or channel '{name}'" +
                           (f", did you mean '{near[0]}'?" if near else ""))
        return indices

    def __getitem__(self, name: str) -> np.ndarray:
        indices = self._indices(name)
        if name in self._single:
            return self._values[:, indices[0]]
        if indices == list(range(indices[0], indices[0] + len(indices))):
            return self._values[:, indices[0] : indices[-1] + 1]
        return self._values[:, indices]

    def __contains__(self, name: object) -> bool:
        return name in self._groups

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return int(self._values.shape[0])

    def labels(self, name: str) -> List[str]:
        """Names of the columns of a channel or dataset, one for each component."""
        return [self._columns[index][0] for index in self._indices(name)]

    def units(self, name: str) -> List[str]:
        """Units of the columns of a channel or dataset."""
        return [self._columns[index][1] for index in self._indices(name)]

    def __getattr__(self, name: str) -> Any:
        # audit and statistics of the run
        if name.startswith("_") or name in ("page", "save"):
            raise AttributeError(name)
        return getattr(self._flight, name)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a column for each column, indexed by `time_s`."""
        import pandas

        frame = pandas.DataFrame(np.array(self._values), columns=self.columns)
        return frame.set_index(self.columns[0])

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draws columns, datasets or channels over time with matplotlib; all joint positions by default.

        One set of axes for each unit, which is returned; `ax` draws everything into one.
        """
        import matplotlib.pyplot as plt

        chosen = [index for name in names or self._default_names() for index in self._indices(name)]
        units = list(dict.fromkeys(self._columns[index][1] for index in chosen))
        if ax is None:
            _, grid = plt.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(7, 2.5 * len(units)))
            all_axes = list(grid[:, 0])
        else:
            all_axes = [ax] * len(units)
        for unit, axes in zip(units, all_axes):
            for index in chosen:
                if self._columns[index][1] == unit:
                    axes.plot(self.time, self._values[:, index], label=self._columns[index][0])
            axes.set_ylabel(unit or "1")
            axes.legend(fontsize="small")
        all_axes[-1].set_xlabel("time, s")
        return all_axes[0] if len(all_axes) == 1 or ax is not None else np.array(all_axes)

    def _default_names(self) -> Sequence[str]:
        return ["joints/q"] if "joints/q" in self._groups else self.channels[:1] or self.columns[1:]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the result as HDF5 (`.h5`), comma-separated values (`.csv`) or for MATLAB (`.mat`)."""
        self._flight.save(os.fspath(path))

    def report(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """The page with the animation and all plots, which needs no network; written to a file if there is a path."""
        page: str = self._flight.page()
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def _repr_html_(self) -> str:
        page = html.escape(self.report(), quote=True)
        return (f'<iframe srcdoc="{page}" sandbox="allow-scripts" '
                'style="width: 100%; height: 720px; border: 0"></iframe>')

    def __repr__(self) -> str:
        return (f"<spacedyn.Result of '{self._flight.scenario.name}': {len(self)} rows, {len(self._columns)} columns, "
                f"0 to {self._flight.time:g} s>")


def _prepared(scenario: Any, overrides: Optional[Overrides], settings: Mapping[str, Any]) -> _core.Scenario:
    if isinstance(scenario, _core.Scenario):
        prepared = scenario.copy()
        for name, value in {**dict(overrides or {}), **settings}.items():
            if not isinstance(getattr(_core.Scenario, name, None), property):
                raise _core.OverrideError(f"{name}: a Scenario has no such setting; overrides by key path are for files")
            setattr(prepared, name, value)
        return prepared
    if not isinstance(scenario, (str, os.PathLike)):
        raise TypeError(f"scenario: expected a path or a Scenario, got {type(scenario).__name__}")
    return _core.open_scenario(os.fspath(scenario), _pairs(overrides, settings))


def _inline(model: _core.Model) -> str:
    """The key `model:` of a scenario, with a model that no file holds."""
    lines = _core.write_model(model).splitlines()
    body = lines[lines.index("model:") + 1 :]
    return "\n".join(["  model:"] + ["  " + line for line in body]) + "\n"


def make_scenario(
    model: Union[_core.Model, str, "os.PathLike[str]"],
    *,
    initial: Union[_core.State, Mapping[str, Any], None] = None,
    folder: Union[str, "os.PathLike[str]"] = "",
    **keys: Any,
) -> _core.Scenario:
    """A Scenario from the keys of scenario files: `forces=[{...}]`, `control`, `events`, `sensors`, `contacts`, ...

    model: a Model, or the path of one. initial: a State, or the key of that name. folder: where paths of other files
    start. Other keywords are keys below `scenario:`, their values numbers, texts, lists, arrays and mappings; a missing
    `name` is "scenario". What is wrong raises ParseError, whose path is the key.
    """
    keys = {"name": "scenario", **keys}
    if isinstance(initial, Mapping):
        keys["initial"] = initial
    if not isinstance(model, _core.Model):
        keys["model"] = os.fspath(model)
    text = "spacedyn: 1\nscenario:\n" + "".join(f"  {key}: {_item(value)}\n" for key, value in keys.items())
    if isinstance(model, _core.Model):
        text += _inline(model)
    scenario = _core.parse_scenario(text, os.path.join(os.fspath(folder), "<scenario>"))
    if isinstance(initial, _core.State):
        scenario.initial = initial
    return scenario


def simulate(
    scenario: Union[str, "os.PathLike[str]", _core.Scenario],
    *,
    overrides: Optional[Overrides] = None,
    initial: Optional[_core.State] = None,
    controllers: Sequence[_core.Controller] = (),
    forces: Sequence[_core.ForceElement] = (),
    observer: Optional[Callable[[_core.SimulationPoint], Any]] = None,
    progress: bool = False,
    **settings: Any,
) -> Result:
    """Flies a scenario and returns what it recorded; nothing is written.

    scenario: path of a scenario or of a URDF, MJCF or .def model, which begins to move, or a Scenario. Further keywords are settings: of a file by key path, as `--set` of the
    program takes them, where `__` stands for a dot (`duration=10`, `integrator__method="rk4"`); `overrides` takes key
    paths that are no identifiers. Of a Scenario they are its attributes (`duration=10`, `method="rk4"`).

    initial: another state at t = 0. controllers, forces: act besides those of the scenario. observer: called with
    each output; ends the run by returning False. progress: a bar on the standard error.

    Other Python threads go on meanwhile. Ctrl-C ends the run with KeyboardInterrupt; an exception in a controller,
    a force or an observer ends it and comes out of here.
    """
    prepared = _prepared(scenario, overrides, settings)
    if initial is not None:
        prepared.initial = initial
    for controller in controllers:
        prepared.add_controller(controller)
    for force in forces:
        prepared.add_force(force)
    bar = _ProgressBar(prepared.name, prepared.duration) if progress else None
    flight = _core.fly(prepared, observer, bar)
    if bar is not None:
        bar.end()
    return Result(flight)


def rollout(model: _core.Model, initial: Any, controls: Any, step: float, *, substeps: int = 1,
            threads: int = 0, gravity: Any = None) -> np.ndarray:
    """States of many flights under given controls; see Batch.rollout().

    initial: rows (count, 13 + 2n), or one State or row for all. controls: (count, steps, n) joint torques or
    (count, steps, 6 + n) with the base's force and moment, each held for step s. Returns (count, steps + 1, 13 + 2n).
    """
    controls = np.asarray(controls)
    if controls.ndim == 2:
        controls = controls[np.newaxis]
    rows = _core.state_row(initial) if isinstance(initial, _core.State) else np.asarray(initial)
    if rows.ndim == 1 and controls.ndim == 3:
        rows = np.tile(rows, (controls.shape[0], 1))
    batch = _core.Batch(model, threads=threads, gravity=gravity)
    return batch.rollout(rows, controls, step, substeps)

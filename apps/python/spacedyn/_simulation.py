"""simulate(), and scenarios made in Python."""

import os
import sys
import time as _time
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, _yaml
from ._descriptions import FlightDescription, read_scenario
from ._result import Result as Result
from ._result import grouped, no_column, plain

Overrides = Union[Mapping[str, Any], Iterable[Tuple[str, Any]]]


def _pairs(overrides: Optional[Overrides], keywords: Mapping[str, Any]) -> List[Tuple[str, str]]:
    given: List[Tuple[str, Any]] = []
    if overrides is not None:
        given += list(overrides.items() if isinstance(overrides, Mapping) else overrides)
    given += [(key.replace("__", "."), value) for key, value in keywords.items()]
    return [(key, _yaml.text(value)) for key, value in given]


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

    def end(self, reached: float) -> None:
        self._next = 0.0
        self(reached)
        sys.stderr.write("\n")


def _prepared(scenario: Any, overrides: Optional[Overrides], settings: Mapping[str, Any]) -> _core.Scenario:
    if isinstance(scenario, _core.Scenario):
        prepared = scenario.copy()
        for name, value in {**dict(overrides or {}), **settings}.items():
            if not isinstance(getattr(_core.Scenario, name, None), property):
                raise _core.OverrideError(f"{name}: a Scenario has no such setting; overrides by key path are for files")
            setattr(prepared, name, value)
        return prepared
    if isinstance(scenario, FlightDescription):
        return scenario.build(overrides=_pairs(overrides, settings))
    if not isinstance(scenario, (str, os.PathLike)):
        raise TypeError(f"scenario: expected a path, a ScenarioDescription or a Scenario, got {type(scenario).__name__}")
    return _core.open_scenario(os.fspath(scenario), _pairs(overrides, settings))


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
    keys = {"name": "scenario", "model": model, **keys}
    return read_scenario(keys if initial is None else {**keys, "initial": initial}, folder)


def simulate(
    scenario: Union[str, "os.PathLike[str]", FlightDescription, _core.Scenario],
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

    scenario: path of a scenario or of a URDF, MJCF or .def model, which begins to move, a ScenarioDescription or a
    Scenario. Further keywords are settings: of a file or a description by key path, as `--set` of the program takes
    them, where `__` stands for a dot (`duration=10`, `integrator__method="rk4"`); `overrides` takes key paths that are
    no identifiers. Of a Scenario they are its attributes (`duration=10`, `method="rk4"`).

    initial: another state at t = 0. controllers, forces: act besides those of the scenario. observer: called with
    each output; ends the run by returning False. progress: a bar on the standard error.

    Other Python threads go on meanwhile. Ctrl-C ends the run with KeyboardInterrupt; an exception in a controller,
    a force or an observer ends it and comes out of here. What had been recorded until then is the attribute `result`
    of the exception.
    """
    prepared = _prepared(scenario, overrides, settings)
    if initial is not None:
        prepared.initial = initial
    for controller in controllers:
        prepared.add_controller(controller)
    for force in forces:
        prepared.add_force(force)
    bar = _ProgressBar(prepared.name, prepared.duration) if progress else None
    partial: List[_core.Flight] = []
    try:
        flight = _core.fly(prepared, observer, bar, partial)
    except BaseException as error:
        if partial:
            error.result = Result(partial[0])  # type: ignore[attr-defined]
            if bar is not None:
                bar.end(partial[0].time)
        raise
    if bar is not None:
        bar.end(flight.time)
    return Result(flight)


class Simulation(_core.SteppedRun):
    """A scenario that is advanced step by step, with commands from outside.

    scenario, overrides, settings: as of simulate(). The motion is that of simulate() bit for bit, whatever the steps.
    Commands go to controllers of type `external` (sd.controllers.External, sd.ExternalController), which take them at
    their samples. step() returns before controllers sample: what is observed at an instant at which a command is due
    has the readings of that instant, and torques and accelerations before the new command.

    >>> simulation = sd.Simulation("flight.yaml")
    >>> while simulation.step(0.1):
    ...     simulation.command("policy", law(simulation.observe("joints/q")))
    """

    def __init__(
        self,
        scenario: Union[str, "os.PathLike[str]", FlightDescription, _core.Scenario],
        *,
        overrides: Optional[Overrides] = None,
        **settings: Any,
    ) -> None:
        super().__init__(_prepared(scenario, overrides, settings))
        self._columns: List[Tuple[str, str, str]] = list(self.layout)
        self._groups = grouped(self._columns)

    @property
    def columns(self) -> List[str]:
        """Names of the numbers that observe() returns without names, `time_s` first."""
        return [name for name, _, _ in self._columns]

    def observe(self, *names: str) -> np.ndarray:
        """Numbers of the results at this time: all, or those of columns and datasets by name, in this order."""
        if not names:
            return self.values
        indices: List[int] = []
        for name in names:
            known = name if name in self._groups else plain(name)
            if known not in self._groups:
                raise no_column(name, self._groups)
            indices += self._groups[known]
        return self.values[indices]


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

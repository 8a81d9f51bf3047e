"""Sweeps: one scenario flown many times with parameters that vary."""

import os
from typing import Any, Dict, Iterable, Mapping, Optional, Union

import numpy as np

from . import _core
from ._errors import DomainError
from ._simulation import Overrides, _pairs

_Path = Union[str, "os.PathLike[str]"]


class SweepTable(Dict[str, Any]):
    """The rows of a sweep as arrays, under the names of its HDF5 file: `parameters/KEY`, `collected/NAME`, `status`."""

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame with a row for each flight."""
        import pandas

        return pandas.DataFrame(dict(self)).set_index("run")

    def to_xarray(self) -> Any:
        """An xarray.Dataset along `run`."""
        return self.to_dataframe().to_xarray()

    @staticmethod
    def concatenate(tables: Iterable[Mapping[str, Any]]) -> "SweepTable":
        """One table of the rows of several, by ascending number."""
        parts = list(tables)
        order = np.argsort(np.concatenate([part["run"] for part in parts]), kind="stable")
        return SweepTable({name: np.concatenate([np.asarray(part[name]) for part in parts])[order] for name in parts[0]})


def _table(columns: Mapping[str, Any]) -> SweepTable:
    return SweepTable({**columns, "message": np.array(columns["message"], dtype=object)})


def sweep(
    path: _Path,
    *,
    threads: int = 0,
    rows: Optional[Iterable[int]] = None,
    directory: _Path = "",
    resume: bool = False,
    overrides: Optional[Overrides] = None,
    **settings: Any,
) -> SweepTable:
    """Flies the sweep of a file and returns its rows; a flight that fails is a row with its status and message.

    threads: flights at once, 0 for one on each core. rows: fly these alone. directory: write NAME.h5 there, as the
    command does; resume: keep the rows that it has. Further keywords are keys of the sweep (`runs=200`, `seed=42`);
    `overrides` takes key paths that are no identifiers.

    Other Python threads go on meanwhile. Ctrl-C ends the sweep with KeyboardInterrupt; rows in a file are kept.
    """
    folder = os.fspath(directory)
    if folder:
        os.makedirs(folder, exist_ok=True)
    elif resume:
        raise DomainError("resume: expected a directory whose sweep is resumed, got none")
    chosen = [] if rows is None else [int(row) for row in rows]
    if rows is not None and not chosen:
        raise DomainError("rows: expected at least one row, got none")
    changes = _pairs(overrides, settings)
    return _table(_core.fly_sweep(os.fspath(path), changes, threads, chosen, folder, resume))


def load_sweep(path: _Path) -> SweepTable:
    """The rows in the result of a sweep, also of one that goes on or was killed."""
    return _table(_core.read_sweep_table(os.fspath(path)))


def _arrays(answer: Dict[str, Any]) -> Dict[str, Any]:
    names = ("states", "parameters", "collected", "evaluations")
    return {key: value if key in names else np.asarray(value, dtype=float) for key, value in answer.items()}


def sensitivities(scenario: _Path, keys: Iterable[str], *, overrides: Optional[Overrides] = None) -> Dict[str, Any]:
    """Derivatives of a flight by numbers of its files, along its own steps and through its events.

    Returns `states` (names), `time`, `by` (an array of time × state × key) and `evaluations`. Keys are paths of
    overrides. What has no derivative is a DomainError that names it.
    """
    changes = _pairs(overrides, {})
    return _arrays(_core.scenario_sensitivities(os.fspath(scenario), list(keys), changes))


def linear_covariance(path: _Path, *, overrides: Optional[Overrides] = None, **settings: Any) -> Dict[str, Any]:
    """What the sweep of a file gives to first order about the means of its parameters, from one flight.

    Returns `means` and `parameter_covariance` in the order of `parameters`; `values`, `gradient` and `covariance` in
    that of `collected`; `states`, `time`, `by` as sensitivities(), and `state_deviations` (time × state).
    """
    return _arrays(_core.linear_sweep(os.fspath(path), _pairs(overrides, settings)))

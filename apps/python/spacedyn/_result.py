"""What simulations have recorded, and results read from files."""

import difflib
import html
import io
import os
from typing import Any, Dict, Iterable, Iterator, List, Sequence, Tuple, Union

import numpy as np

from . import _core


def grouped(columns: Sequence[Tuple[str, str, str]]) -> Dict[str, List[int]]:
    """Indices of columns by name and by dataset."""
    groups: Dict[str, List[int]] = {}
    for index, (_, _, dataset) in enumerate(columns):
        if dataset:
            groups.setdefault(dataset.strip("/"), []).append(index)
    groups.update((name, [index]) for index, (name, _, _) in enumerate(columns))
    return groups


def plain(name: str) -> str:
    """The name of a dataset as groups have it."""
    return name.strip("/").replace(".", "/")


def no_column(name: str, known: Iterable[str]) -> KeyError:
    near = difflib.get_close_matches(name, list(known), 1)
    return KeyError(f"the result has no column, dataset or channel '{name}'" +
                    (f", did you mean '{near[0]}'?" if near else ""))


class Result:
    """What a simulation has recorded.

    `result[name]` is an array: of a column (`joints_elbow_rad`), (rows,); of a dataset (`joints/q`) or a channel
    (`state`), (rows, components). `labels(name)` tells the components, `units(name)` their units. Arrays of columns
    are read-only views of the memory of the run and keep it alive; those of several columns are views where the
    columns are neighbours, else copies. What `spacedyn plot` computes from columns has names as well:
    `base_attitude` (roll, pitch, yaw, rad), `body_angular_velocity`, `energy_balance`; these arrays are copies.
    """

    def __init__(self, flight: _core.Flight) -> None:
        self._flight = flight
        self._values = flight.values
        self._columns: List[Tuple[str, str, str]] = list(flight.columns)
        self._groups = {**{name: list(of) for name, of in flight.channels.items()}, **grouped(self._columns)}
        self._datasets = {dataset.strip("/") for _, _, dataset in self._columns if dataset}
        self._single = {name for name, _, _ in self._columns}
        # of series that follow from columns, whose indices go on behind those of the columns; computed when asked for
        self._derived: Union[List[Tuple[str, str, np.ndarray]], None] = None

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

    def _derive(self) -> None:
        self._derived = []
        for name, label, unit, values in self._flight.derived():
            index = len(self._columns) + len(self._derived)
            self._derived.append((name, unit, values))
            self._groups.setdefault(name, []).append(index)
            self._single.add(name)
            if name.endswith("_" + label):
                self._groups.setdefault(name[: -len(label) - 1], []).append(index)

    def _column(self, index: int) -> np.ndarray:
        if index < len(self._columns):
            return self._values[:, index]
        return self._of_derived(index)[2]

    def _of_derived(self, index: int) -> Tuple[str, str, np.ndarray]:
        assert self._derived is not None
        return self._derived[index - len(self._columns)]

    def _label(self, index: int) -> str:
        return self._columns[index][0] if index < len(self._columns) else self._of_derived(index)[0]

    def _unit(self, index: int) -> str:
        return self._columns[index][1] if index < len(self._columns) else self._of_derived(index)[1]

    def _indices(self, name: str) -> List[int]:
        known = name if name in self._groups else plain(name)
        if known not in self._groups and self._derived is None:
            self._derive()
        indices = self._groups.get(known)
        if indices is None:
            raise no_column(name, self._groups)
        return indices

    def __getitem__(self, name: str) -> np.ndarray:
        indices = self._indices(name)
        if name in self._single:
            return self._column(indices[0])
        if indices[-1] >= len(self._columns):
            return np.column_stack([self._column(index) for index in indices])
        if indices == list(range(indices[0], indices[0] + len(indices))):
            return self._values[:, indices[0] : indices[-1] + 1]
        return self._values[:, indices]

    def __contains__(self, name: object) -> bool:
        if self._derived is None and name not in self._groups:
            self._derive()
        return name in self._groups

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return int(self._values.shape[0])

    def labels(self, name: str) -> List[str]:
        """Names of the columns of a channel or dataset, one for each component."""
        return [self._label(index) for index in self._indices(name)]

    def units(self, name: str) -> List[str]:
        """Units of the columns of a channel or dataset."""
        return [self._unit(index) for index in self._indices(name)]

    def __getattr__(self, name: str) -> Any:
        # audit and statistics of the run
        if name not in _OF_FLIGHTS:
            near = difflib.get_close_matches(name, dir(self), 1)
            raise AttributeError(f"a Result has no attribute '{name}'" + (f", did you mean '{near[0]}'?" if near else ""))
        return getattr(self._flight, name)

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *_OF_FLIGHTS})

    def _ipython_key_completions_(self) -> List[str]:
        return list(self._groups)

    def __reduce__(self) -> Tuple[Any, ...]:
        return (Result, (self._flight,))

    def to_xarray(self) -> Any:
        """An xarray Dataset: each dataset (`joints/q`) is a variable over `time`, with the unit in its attributes.

        Components are named by the columns in a coordinate of their own.
        """
        import xarray

        variables: Dict[str, Any] = {}
        coordinates: Dict[str, Any] = {"time": ("time", np.array(self.time), {"units": "s"})}
        grouped = {name: indices for name, indices in self._groups.items() if name in self._datasets}
        alone = [index for index in range(1, len(self._columns)) if not self._columns[index][2]]
        grouped.update({self._columns[index][0]: [index] for index in alone})
        for name, indices in grouped.items():
            if indices == [0]:
                continue
            plain = name.replace("/", "_")
            units = list(dict.fromkeys(self._columns[index][1] for index in indices))
            attributes = {"units": units[0] if len(units) == 1 else ", ".join(unit or "1" for unit in units)}
            if len(indices) == 1:
                variables[plain] = ("time", np.array(self._values[:, indices[0]]), attributes)
                continue
            axis = plain + "_component"
            coordinates[axis] = (axis, [self._columns[index][0] for index in indices])
            variables[plain] = (("time", axis), np.array(self._values[:, indices]), attributes)
        return xarray.Dataset(variables, coordinates, {"scenario": self.name, "status": self.status})

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a column for each column, indexed by `time_s`."""
        import pandas

        frame = pandas.DataFrame(np.array(self._values), columns=self.columns)
        return frame.set_index(self.columns[0])

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draws columns, datasets or channels over time with matplotlib.

        By default all joint positions; without joints the angular velocity of the base. One set of axes for each unit,
        which is returned; `ax` draws everything into one.
        """
        import matplotlib.pyplot as plt

        units = self._by_unit(names or self._default_names()[:1])
        if ax is None:
            all_axes = self._subplots(plt.figure(layout="constrained"), units)
        else:
            all_axes = [ax] * len(units)
        self._draw(all_axes, units)
        return all_axes[0] if len(all_axes) == 1 or ax is not None else np.array(all_axes)

    def _default_names(self) -> Sequence[str]:
        names = [name for name in ("joints/q", "base/angular_velocity") if name in self._groups]
        return names or self.channels[:1] or self.columns[1:]

    def _by_unit(self, names: Sequence[str]) -> Dict[str, List[int]]:
        units: Dict[str, List[int]] = {}
        for name in names:
            for index in self._indices(name):
                units.setdefault(self._unit(index), []).append(index)
        return units

    @staticmethod
    def _subplots(figure: Any, units: Dict[str, List[int]]) -> List[Any]:
        figure.set_size_inches(7, 2.5 * max(len(units), 1))
        return list(figure.subplots(max(len(units), 1), 1, sharex=True, squeeze=False)[:, 0])

    def _draw(self, all_axes: Sequence[Any], units: Dict[str, List[int]]) -> None:
        for axes, (unit, indices) in zip(all_axes, units.items()):
            for index in indices:
                axes.plot(self.time, self._column(index), label=self._label(index))
            axes.set_ylabel(unit or "1")
            if len(axes.get_lines()) > 8:  # beside the lines, which it would cover
                axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2,
                            ncol=1 + (len(axes.get_lines()) - 1) // 24)
            else:
                axes.legend(fontsize="small")
        all_axes[-1].set_xlabel("time, s")

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the result as HDF5 (`.h5`), comma-separated values (`.csv`) or for MATLAB (`.mat`).

        HDF5 has all but the scenario, and so has CSV with the file `.meta.json` beside it.
        """
        self._flight.save(os.fspath(path))

    def report(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """The page with the animation and all plots, which needs no network; written to a file if there is a path."""
        page: str = self._flight.page()
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def show(self) -> Any:
        """The page with the animation, in a notebook: some hundred kB, which the notebook keeps."""
        from IPython.display import HTML  # type: ignore[import-not-found, unused-ignore]

        return HTML(_frame(self.report()))

    def _facts(self) -> Dict[str, str]:
        facts = {"status": self.status, "time": f"0 to {self._flight.time:g} s",
                 "rows × columns": f"{len(self)} × {len(self._columns)}", "channels": ", ".join(self.channels)}
        for name in ("momentum_drift", "energy_residual"):
            value = getattr(self._flight, name)
            if value is not None:
                facts[name.replace("_", " ")] = f"{value:.2g}"
        if self.warnings:
            facts["warnings"] = "; ".join(self.warnings)
        return facts

    def _summary_html(self) -> str:
        rows = "".join(f"<tr><th style='text-align: left'>{html.escape(name)}</th>"
                       f"<td style='text-align: left'>{html.escape(text)}</td></tr>"
                       for name, text in self._facts().items())
        return f"<table><caption>{html.escape(self.name)}</caption>{rows}</table>"

    def _plots_svg(self) -> str:
        """The plots that a notebook shows, with labels as text; empty without matplotlib."""
        try:
            import matplotlib
            from matplotlib.figure import Figure
        except ImportError:
            return ""
        # not of pyplot, which would show the figure a second time; the same result gives the same text
        with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "spacedyn"}):
            figure, units, file = Figure(layout="constrained"), self._by_unit(self._default_names()), io.StringIO()
            self._draw(self._subplots(figure, units), units)
            figure.savefig(file, format="svg", metadata={"Date": None}, facecolor="white")
        svg = file.getvalue()
        return svg[svg.index("<svg"):]

    def _repr_html_(self) -> str:
        page = self.report()
        if len(page.encode()) <= _LARGEST_SHOWN:
            view = _frame(page)
        else:
            view = f"<p>The page has {len(page.encode()) / 1e6:.1f} MB; <code>.show()</code> puts it here.</p>"
        return self._summary_html() + self._plots_svg() + view

    def __repr__(self) -> str:
        how = "" if self.status == "complete" else f", {self.status}"
        return (f"<spacedyn.Result of '{self.name}': {len(self)} rows, {len(self._columns)} columns, "
                f"0 to {self._flight.time:g} s{how}>")


# bytes of a page that a notebook keeps without being asked to
_LARGEST_SHOWN = 5_000_000


def _frame(page: str) -> str:
    """A page within another one, where its scripts reach nothing else."""
    return (f'<div><iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" '
            'style="width: 100%; height: 720px; border: 0"></iframe></div>')


# what a Result has of its flight
_OF_FLIGHTS = ("attitude_error", "energy_residual", "evaluations", "events", "interrupted", "momentum_drift", "name",
               "rejected", "status", "steps", "stopped_by", "wall_seconds", "warnings", "worst_energy", "worst_momentum")


def load_result(path: Union[str, "os.PathLike[str]"]) -> Result:
    """Reads a result file (`.h5`, `.csv` with its metadata), or the only one of a folder.

    Arrays are those of the file. Model, scenario and page come from the inputs in the metadata; there is no
    `final_state`. Raises IoError.
    """
    return Result(_core.read_flight(os.fspath(path)))

"""What a published case is, and how spacedyn is asked for the same numbers."""

import csv
import functools
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Dict, Iterable, List, Optional

import numpy as np
import yaml

import spacedyn as sd

SOURCE = Path(os.environ.get("SPACEDYN_SOURCE", Path(__file__).parents[2]))
SHARED = Path(os.environ.get("SPACEDYN_SHARED", SOURCE.parent / "shared"))
PROGRAM = os.environ.get("SPACEDYN_PROGRAM", str(SOURCE / "build/release/spacedyn"))
EARTH = [0.0, 0.0, -9.81]


class Absent(Exception):
    """A file of others that a case reads is not there."""


@dataclass
class Row:
    """One comparison: published numbers, ours, and how far both may be apart.

    @param bound  largest difference allowed: the trustworthy digits of the published number
    """

    quantity: str
    unit: str
    published: np.ndarray
    ours: np.ndarray
    bound: float
    reason: str = ""

    def __post_init__(self) -> None:
        self.published = np.atleast_1d(np.asarray(self.published, float))
        self.ours = np.atleast_1d(np.asarray(self.ours, float))
        if self.published.shape != self.ours.shape:
            raise ValueError(f"{self.quantity}: {self.published.shape} numbers against {self.ours.shape}")

    @property
    def difference(self) -> float:
        return float(np.max(np.abs(self.published - self.ours)))

    @property
    def largest(self) -> int:
        """Index of the number that stands for all: the last row's largest."""
        flat = self.published.reshape(-1)
        last = flat.size - self.published[-1].size if self.published.ndim > 1 else 0
        return last + int(np.argmax(np.abs(flat[last:])))


@dataclass
class Case:
    name: str
    title: str
    section: str
    rows: Callable[[], Iterable[Row]]
    note: str = ""


@dataclass
class Section:
    """One publisher: where the numbers come from, and what was found when they were tried."""

    key: str
    title: str
    text: str
    cases: List[Case] = field(default_factory=list)


SECTIONS: Dict[str, Section] = {}


def section(key: str, title: str, text: str) -> str:
    SECTIONS[key] = Section(key, title, text)
    return key


def case(key: str, name: str, title: str, note: str = ""):
    """Registers a function that yields the rows of a case."""

    def register(function: Callable[[], Iterable[Row]]) -> Callable[[], Iterable[Row]]:
        SECTIONS[key].cases.append(Case(name, title, key, function, note))
        return function

    return register


def shared(path: str) -> Path:
    """A file of others. @throws Absent"""
    file = SHARED / "reference/published" / path
    if not file.exists():
        raise Absent(str(file))
    return file


@functools.lru_cache(None)
def shared_yaml(path: str):
    return yaml.safe_load(shared(path).read_text(encoding="utf-8"))


@functools.lru_cache(None)
def shared_table(path: str) -> Dict[str, list]:
    """Columns of a CSV file; empty places are NaN, texts stay."""

    def number(text: str):
        try:
            return float(text) if text else float("nan")
        except ValueError:
            return text

    with open(shared(path), encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return {name: [number(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


# --- models -----------------------------------------------------------------------------------


def body(mass: float, inertia, centroid=(0, 0, 0), **more) -> dict:
    """A rigid body; inertia about the centroid: diagonal or rows."""
    values = np.asarray(inertia, float)
    return {"mass": float(mass), "inertia": values.tolist(), "center_of_mass": [float(c) for c in centroid], **more}


def link(name: str, parent: str, joint: dict, **inertial) -> dict:
    return {"name": name, "parent": parent, "joint": joint, **inertial}


def joint(kind: str, xyz=(0, 0, 0), axis=None, **more) -> dict:
    origin = {"xyz": [float(x) for x in xyz]}
    for key in ("rpy", "twist", "matrix", "quaternion"):
        if key in more:
            origin[key] = more.pop(key)
    result = {"type": kind, "origin": origin, **more}
    if axis is not None:
        result["axis"] = [float(a) for a in axis]
    return result


AXES = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}


def ground(name: str = "ground") -> dict:
    return {"name": name, "fixed": True}


def model(name: str, base: dict, links: List[dict], **more) -> dict:
    return {"name": name, "base": base, "links": links, **more}


def rotation(axis: str, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return {"x": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
            "y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
            "z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])}[axis]


def from_rpy(rpy) -> np.ndarray:
    """R_z(yaw) R_y(pitch) R_x(roll), rad."""
    return rotation("z", rpy[2]) @ rotation("y", rpy[1]) @ rotation("x", rpy[0])


def quaternion_from(A: np.ndarray) -> np.ndarray:
    """w, x, y, z with w ≥ 0."""
    K = np.array([[A[0, 0] - A[1, 1] - A[2, 2], 0, 0, 0],
                  [A[1, 0] + A[0, 1], A[1, 1] - A[0, 0] - A[2, 2], 0, 0],
                  [A[2, 0] + A[0, 2], A[2, 1] + A[1, 2], A[2, 2] - A[0, 0] - A[1, 1], 0],
                  [A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1], np.trace(A)]]) / 3
    values, vectors = np.linalg.eigh(K)
    x, y, z, w = vectors[:, np.argmax(values)]
    q = np.array([w, x, y, z])
    return q if w >= 0 else -q


def matrix_from(q) -> np.ndarray:
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def plain(value):
    """Numbers of numpy as those of Python, for YAML and JSON."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return value


# --- asking spacedyn --------------------------------------------------------------------------


def evaluate(description: dict, state: dict) -> dict:
    """`spacedyn evaluate` at one state."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "model.yaml").write_text(yaml.safe_dump({"spacedyn": 1, "model": plain(description)}, sort_keys=False))
        (path / "state.json").write_text(json.dumps(plain(state)))
        done = subprocess.run([PROGRAM, "evaluate", "model.yaml", "state.json"], cwd=folder, capture_output=True,
                              text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def robot_of(description: dict) -> "sd.Model":
    """The model of a description."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.yaml"
        path.write_text(yaml.safe_dump({"spacedyn": 1, "model": plain(description)}, sort_keys=False))
        return sd.load_model(str(path))


TIGHT = {"method": "dop853", "relative_tolerance": 1.0e-12, "absolute_tolerance": 1.0e-13}


def fly(description: dict, *, duration: float, interval: Optional[float] = None, channels=("state",),
        integrator: Optional[dict] = None, name: str = "published", files: Optional[Dict[str, str]] = None,
        **scenario) -> "sd.Result":
    """A flight of a scenario with this model."""
    text = {"spacedyn": 1, "scenario": {"name": name, "model": plain(description), "duration": duration,
                                        "integrator": integrator or TIGHT,
                                        "output": {"interval": interval or duration, "channels": list(channels)},
                                        **plain(scenario)}}
    with tempfile.TemporaryDirectory() as folder:
        for file, content in (files or {}).items():
            (Path(folder) / file).write_text(content)
        path = Path(folder) / "scenario.yaml"
        path.write_text(yaml.safe_dump(text, sort_keys=False))
        return sd.simulate(path)


def at(result: "sd.Result", time: float) -> int:
    """The row at a time."""
    index = int(np.argmin(np.abs(result.time - time)))
    if abs(result.time[index] - time) > 1e-9 * max(1.0, time):
        raise ValueError(f"no row at {time} s")
    return index

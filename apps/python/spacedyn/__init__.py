"""Floating-base multibody dynamics: free-flying robots, satellites with arms and appendages.

Functions have the names of the C++ library and take a Model and a State; arrays are numpy's. Units are SI, angles
radians, vectors have inertial components, twists and wrenches are (linear, angular), quaternions have w first.

>>> import spacedyn as sd
>>> robot = sd.load_model("models/robots/ets7.yaml")
>>> state = sd.State(robot, q=[0, 0.3, -0.6, 0, 0, 0])
>>> sd.generalized_jacobian(robot, state, "hand").shape
(6, 6)
"""

import pathlib as _pathlib

from . import _core as _core
from . import (
    connections as connections,
    contacts as contacts,
    controllers as controllers,
    events as events,
    forces as forces,
    parts as parts,
    references as references,
    sensors as sensors,
    terrains as terrains,
)
from ._core import *  # noqa: F401,F403
from ._core import __version__ as __version__
from ._descriptions import Description as Description
from ._errors import (
    Diagnostic as Diagnostic,
    DimensionError as DimensionError,
    DomainError as DomainError,
    Error as Error,
    IoError as IoError,
    ModelError as ModelError,
    NumericalError as NumericalError,
    OverrideError as OverrideError,
    ParseError as ParseError,
    Problem as Problem,
)
from ._fit import (
    SearchResult as SearchResult,
    fit as fit,
    optimize as optimize,
)
from ._result import (
    Result as Result,
    load_result as load_result,
)
from ._scenario import ScenarioDescription as ScenarioDescription
from ._simulation import (
    Simulation as Simulation,
    make_scenario as make_scenario,
    rollout as rollout,
    simulate as simulate,
)
from ._sweep import (
    SweepTable as SweepTable,
    linear_covariance as linear_covariance,
    load_sweep as load_sweep,
    sensitivities as sensitivities,
    sweep as sweep,
)
from ._texts import give_texts as _give_texts

_give_texts(_core)

MODELS = _pathlib.Path(__file__).resolve().parent / "models"
"""Folder of the shipped robots and scenarios."""

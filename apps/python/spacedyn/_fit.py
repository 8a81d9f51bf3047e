"""Fits and optimizations: the best numbers of a scenario."""

import os
from typing import Any, Dict, Optional, Union

from . import _core
from ._errors import DomainError
from ._simulation import Overrides, _pairs

_Path = Union[str, "os.PathLike[str]"]


class SearchResult(Dict[str, Any]):
    """What a search has found, by keys or as attributes, as of scipy.optimize."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self]

    @property
    def parameters(self) -> Dict[str, float]:
        """The best values by their keys."""
        return dict(zip(self["keys"], (float(value) for value in self["x"])))


def fit(
    path: _Path,
    *,
    threads: int = 0,
    directory: _Path = "",
    overrides: Optional[Overrides] = None,
    **settings: Any,
) -> SearchResult:
    """Estimates the parameters of the file of a fit from its data.

    The result has `x` (SI, in the order of `keys`), `fun` = ½ Σ ρ, `success`, `message`, `nit`, `nfev` (flights),
    `cov` = (JᵀJ)⁻¹, `standard_deviation` (infinite of parameters that are `not_determined`), `correlation`, in
    `covariance_over_time` `time` and `covariance` of the data up to then, and in `columns` for each column `time`,
    `data` and `model`. Derivatives are central differences of flights.

    threads: flights at once, 0 for one on each core. directory: write the files of the command there. Further keywords
    are keys of the fit; `overrides` takes key paths that are no identifiers.

    Other Python threads go on meanwhile. Ctrl-C ends the search with KeyboardInterrupt.
    """
    folder = os.fspath(directory)
    if folder:
        os.makedirs(folder, exist_ok=True)
    return SearchResult(_core.fit(os.fspath(path), _pairs(overrides, settings), threads, folder))


def optimize(
    path: _Path,
    *,
    threads: int = 0,
    directory: _Path = "",
    resume: bool = False,
    overrides: Optional[Overrides] = None,
    **settings: Any,
) -> SearchResult:
    """Finds the variables of the file of an optimization that make its objective least.

    The result has `x` (SI, in the order of `keys`), `fun`, `success`, `message`, `nit` (evaluations), `nfev` (flights),
    `constraints` (values), `maxcv` (the largest violation), `gradient_norm`, and of each evaluation `x_iters`,
    `fun_iters` and `maxcv_iters`. `curves` has of each channel of the goals and constraints `start` and `best`, with
    `time` and `value`. Gradients are central differences of flights.

    resume: flights that a search before left in `directory` are not flown again. Other arguments are those of fit().
    """
    folder = os.fspath(directory)
    if folder:
        os.makedirs(folder, exist_ok=True)
    elif resume:
        raise DomainError("resume: expected a directory whose search is resumed, got none")
    return SearchResult(
        _core.optimize(os.fspath(path), _pairs(overrides, settings), threads, folder, resume)
    )

"""The exceptions of the package: those of the C++ library, with the same names and the same hierarchy."""

from typing import NamedTuple, Optional, Sequence


class Diagnostic(NamedTuple):
    """A problem of a file with its place; line and column count from 1, 0 where unknown."""

    severity: str
    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str
    source_line: str


class Problem(NamedTuple):
    """A problem of a model description that comes from no file."""

    severity: str
    path: str
    message: str
    hint: str


class Error(Exception):
    """Root of every exception that wrong input can cause."""


class DimensionError(Error, ValueError):
    """An array has another shape than the model demands."""


class DomainError(Error, ValueError):
    """An argument lies outside the domain of a function."""


class IoError(Error, OSError):
    """A file could not be read or written."""


class NumericalError(Error, ArithmeticError):
    """A number became non-finite, a step too small or a matrix singular.

    time: simulated time of the last good state, s; step: accepted steps before it; quantity: what failed.
    """

    time: float = 0.0
    step: int = 0
    quantity: str = ""


class ModelError(Error, ValueError):
    """A model description breaks rules; problems lists all of them."""

    problems: Sequence[Problem] = ()


class ParseError(Error, ValueError):
    """A file does not follow its format.

    diagnostics lists every problem; file, line, column, path and hint are those of the first error.
    """

    diagnostics: Sequence[Diagnostic] = ()
    file: str = ""
    line: int = 0
    column: int = 0
    path: str = ""
    hint: str = ""

    def __init__(self, message: str, diagnostics: Optional[Sequence[Diagnostic]] = None) -> None:
        super().__init__(message)
        self.diagnostics = tuple(diagnostics or ())
        for first in self.diagnostics:
            if first.severity == "error":
                self.file, self.line, self.column = first.file, first.line, first.column
                self.path, self.hint = first.path, first.hint
                break

    def __reduce__(self):  # type: ignore[no-untyped-def]
        return (type(self), (str(self), self.diagnostics))


class OverrideError(ParseError):
    """An override names nothing, its value cannot be read, or it breaks a rule of the file."""

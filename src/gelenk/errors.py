"""Exceptions that Gelenk raises on purpose."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class GelenkError(Exception):
    """Base class of every error that this project raises on purpose.

    Example:
        >>> import gelenk
        >>> try:
        ...     gelenk.load("pandda")
        ... except gelenk.errors.GelenkError as error:
        ...     print(str(error).partition(" Available")[0])
        no robot named 'pandda'. Did you mean 'panda'?
    """


class GelenkWarning(UserWarning):
    """Base class of every warning that this project gives.

    Example:
        >>> import warnings
        >>> from gelenk.errors import GelenkWarning
        >>> warnings.simplefilter("default", GelenkWarning)
    """


class ModelWarning(GelenkWarning):
    """A robot file has a fault that was mended, or a part that was left out.

    The message names file, line, fault and remedy; `RobotModel.notes` keeps it.

    Example:
        >>> import warnings
        >>> from gelenk.errors import ModelWarning
        >>> warnings.simplefilter("default", ModelWarning)
    """


class ShapeError(GelenkError, ValueError):
    """An array does not have the shape its consumer documents."""

    def __init__(self, name: str, *, expected: str, actual: tuple[int, ...]) -> None:
        self.name, self.expected, self.actual = name, expected, actual
        super().__init__(f"`{name}` must have shape {expected}, got {actual}")


class ConfigError(GelenkError, ValueError):
    """A configuration value is outside the range that makes sense."""


class ModelError(GelenkError, ValueError):
    """A robot description cannot be a robot; the message names the element."""


class FileFormatError(ModelError):
    """A file cannot be read as what it claims to be.

    Attributes:
        path: Path of the file, or a word for text that did not come from one.
        element: Place in the file, as its format names it.
        line: Number of the line, if the parser knows it.
    """

    def __init__(
        self,
        path: str | Path,
        problem: str,
        *,
        element: str = "",
        line: int | None = None,
        remedy: str = "",
    ) -> None:
        self.path, self.element, self.line, self.remedy = path, element, line, remedy
        place = str(path) + (f", line {line}" if line is not None else "")
        place += f", {element}" if element else ""
        super().__init__(f"{place}: {problem}" + (f"; {remedy}" if remedy else ""))


class LoopError(GelenkError, ValueError):
    """A mechanism with loops cannot be assembled at the wanted configuration."""


class NameNotFoundError(GelenkError, LookupError):
    """A named element does not exist."""

    def __init__(
        self, kind: str, name: str, available: Iterable[str], remedy: str = ""
    ) -> None:
        self.kind, self.name, self.available = kind, name, tuple(sorted(available))
        close = difflib.get_close_matches(name, self.available, n=1, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listing = ", ".join(self.available) or "none"
        tail = f". {remedy}" if remedy else ""
        super().__init__(f"no {kind} named {name!r}.{hint} Available: {listing}{tail}")

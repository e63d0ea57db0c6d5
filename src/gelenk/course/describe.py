"""Descriptions of methods: place, signature, an example that runs, a drawn picture."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gelenk.course.method import Method

PICTURE_SIZE = (4.8, 3.2)  # [inch]
PICTURE_DPI = 100


def summary(found: Any) -> str:
    """Return the first line of a function's or class's docstring."""
    return (inspect.getdoc(found) or "").partition("\n")[0]


def signature(name: str, found: Any) -> str:
    """Return how a function or class is called, in one line."""
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):  # compiled, or no callable
        return name
    words = [str(p.replace(annotation=inspect.Parameter.empty)) for p in parameters]
    return f"{name}({', '.join(words)})"


def example(method: Method) -> str:
    """Return the first example in the docstrings of a method's objects, or "".

    The tests run all of them.
    """
    for found in method.load():
        holders = [found]
        if inspect.isclass(found):  # dataclasses tell by their methods
            holders += [m for k, m in vars(found).items() if not k.startswith("_")]
        for holder in holders:
            if text := _first_example(inspect.getdoc(holder) or ""):
                return text
    return ""


def _first_example(doc: str) -> str:
    """Return the lines of a docstring from the first prompt to the last output."""
    lines: list[str] = []
    for part in doctest.DocTestParser().parse(doc):
        if isinstance(part, doctest.Example):
            first, *more = part.source.rstrip("\n").split("\n")
            lines += [f">>> {first}", *(f"... {line}" for line in more)]
            lines += part.want.rstrip("\n").split("\n") if part.want else []
    return "\n".join(lines)


def draw(picture: Callable[[Axes], None], path: str | Path) -> None:
    """Draw a picture into a file.

    Args:
        picture: Function that draws into axes.
        path: File to write; its ending says the format.

    Raises:
        ConfigError: If the format is not known, matplotlib is missing, or the file
            cannot be written.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gelenk.course.describe import draw
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     draw(lambda axes: axes.plot([0.0, 1.0]), f"{folder}/line.png")
        ...     [path.name for path in Path(folder).iterdir()]
        ['line.png']
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(
            "pictures need matplotlib, which is not installed; "
            "pip install 'gelenk[course]'"
        ) from error
    figure = Figure(figsize=PICTURE_SIZE, dpi=PICTURE_DPI, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    known = canvas.get_supported_filetypes()
    ending = Path(path).suffix.lstrip(".").lower() or "png"
    if ending not in known:
        raise ConfigError(
            f"cannot draw a .{ending} file; known are {', '.join(sorted(known))}"
        )
    picture(figure.add_subplot())
    try:
        figure.savefig(path, format=ending)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from error

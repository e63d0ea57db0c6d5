"""Recordings for other tools: tables (CSV) and plots (PNG, SVG, PDF)."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.field_paths import Path as FieldPath
from gelenk.runtime.field_paths import (
    field_names,
    parse_path,
    path_text,
    property_schema,
    unit_of,
)
from gelenk.runtime.mcap_scan import Progress
from gelenk.runtime.recording import Recording
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_LEGEND = 12  # [lines]; a longer legend hides the plot
_FORMATS = (".png", ".svg", ".pdf")


def export_csv(
    recording: Recording,
    folder: str | Path,
    *,
    topics: Sequence[str] | None = None,
    start: float = -np.inf,
    end: float = np.inf,
    progress: Progress | None = None,
) -> list[Path]:
    """Write one table per topic and return the files.

    The first column is the time of delivery, then one column per number or text, with
    its unit in brackets. Cells of absent fields are empty; floats are exact.

    Args:
        recording: Recording to export.
        folder: Folder of the tables; created if it does not exist.
        topics: Topics to export, by default all.
        start: First time [s].
        end: Last time [s], included.
        progress: Function of the messages done and messages in all.

    Raises:
        NameNotFoundError: If a topic does not exist.
        ConfigError: If a file cannot be written.
    """
    folder = Path(folder)
    chosen = recording.topics if topics is None else tuple(topics)
    total = 2 * sum(recording.count(topic) for topic in chosen)
    done = 0
    paths: list[Path] = []
    names = _file_names(chosen)

    def rows(topic: str) -> Iterator[tuple[float, dict[FieldPath, Any]]]:
        nonlocal done
        for message in recording.messages(topic, start=start, end=end):
            done += 1
            if progress is not None and done % 500 == 0:
                progress(done, total)
            yield message.time, dict(flatten(message.value))

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for topic in chosen:
            columns = _columns(recording.schema(topic), (row for _, row in rows(topic)))
            paths.append(folder / names[topic])
            _write_table(paths[-1], recording.schema(topic), columns, rows(topic))
    except OSError as error:
        raise ConfigError(
            f"cannot write tables to {folder}: {error.strerror or error}; "
            "is there space, and may you write there?"
        ) from error
    return paths


def _file_names(topics: Sequence[str]) -> dict[str, str]:
    """Return a file name per topic; topics that would share one get a number."""
    names: dict[str, str] = {}
    for topic in topics:
        stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", topic).strip("._") or "topic"
        name, number = f"{stem}.csv", 2
        while name.lower() in (taken.lower() for taken in names.values()):
            name, number = f"{stem}_{number}.csv", number + 1
        names[topic] = name
    return names


def flatten(value: object, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any]]:
    """Yield every number and text of a message with its path.

    Example:
        >>> list(flatten({"q": [1.0, 2.0], "on": True}))
        [(('q', 0), 1.0), (('q', 1), 2.0), (('on',), True)]
    """
    if isinstance(value, dict):
        for key, item in value.items():
            yield from flatten(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from flatten(item, (*path, i))
    elif value is not None:
        yield path, value


def _columns(
    schema: Mapping[str, Any], rows: Iterable[Mapping[FieldPath, Any]]
) -> list[FieldPath]:
    """Return every path that occurs, in the order of the schema."""
    paths: dict[FieldPath, None] = {}
    for row in rows:
        paths |= dict.fromkeys(row)

    def place(path: FieldPath) -> list[tuple[int, str]]:
        key: list[tuple[int, str]] = []
        inner = schema
        for step in path:
            names = field_names(inner)
            known = isinstance(step, int) or step in names
            key.append(
                (step, "")
                if isinstance(step, int)
                else (names.index(step) if known else len(names), step)
            )
            inner = property_schema(inner, step)
        return key

    return sorted(paths, key=place)


def _write_table(
    path: Path,
    schema: Mapping[str, Any],
    columns: Sequence[FieldPath],
    rows: Iterable[tuple[float, Mapping[FieldPath, Any]]],
) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["time [s]", *(label(schema, column) for column in columns)])
        for time, row in rows:
            writer.writerow([repr(time), *(_cell(row.get(c)) for c in columns)])


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def label(schema: Mapping[str, Any], path: FieldPath) -> str:
    """Return a field's name with its unit in brackets, such as "q[0] [rad]"."""
    unit = unit_of(schema, path)
    return path_text(path) + (f" [{unit}]" if unit else "")


def find_series(
    recording: Recording, selection: str
) -> list[tuple[str, str, FloatArray, np.ndarray]]:
    """Return what `TOPIC` or `TOPIC.FIELD` means in a recording.

    Returns:
        Label, topic, times [s] (n,) and values (n, ...) of each numeric field.

    Raises:
        NameNotFoundError: If topic or field do not exist.
        ConfigError: If there is nothing numeric.
    """
    topics = [
        topic
        for topic in recording.topics
        if selection == topic or selection.startswith((topic + ".", topic + "["))
    ]
    if not topics:
        raise NameNotFoundError("topic", selection, recording.topics)
    topic = max(topics, key=len)
    schema = recording.schema(topic)
    field = selection[len(topic) :].removeprefix(".")
    if field:
        times, values = recording.arrays(topic, field)
        return [(label(schema, parse_path(field)), topic, times, values)]
    found = []
    for name in field_names(schema):
        try:
            times, values = recording.arrays(topic, name)
        except ConfigError:  # text, or of changing length
            continue
        found.append((label(schema, (name,)), topic, times, values))
    if not found:
        raise ConfigError(
            f"topic {topic!r} has no field of numbers to plot; its fields are "
            f"{', '.join(field_names(schema)) or 'not known'}; try {topic}.FIELD[0]"
        )
    return found


def save_plot(
    recording: Recording,
    selections: Sequence[str],
    path: str | Path,
    *,
    start: float = -np.inf,
    end: float = np.inf,
) -> Path:
    """Draw fields over time, one axis per field, and return the file.

    Args:
        recording: Recording with the fields.
        selections: Fields to draw: `TOPIC` for every field of numbers, or
            `TOPIC.FIELD`.
        path: File to write: .png, .svg or .pdf.
        start: First time [s].
        end: Last time [s], included.

    Raises:
        ConfigError: If matplotlib is missing, nothing can be drawn or the file
            cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise ConfigError(
            f"plots are written as {', '.join(_FORMATS)}, not as {path.name!r}"
        )
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(
            "plots need matplotlib, which is not installed; pip install 'gelenk[plot]'"
        ) from error
    series = [item for text in selections for item in find_series(recording, text)]
    if not series:
        raise ConfigError("nothing to plot; name a TOPIC or a TOPIC.FIELD")
    figure = Figure(figsize=(9.0, 1.2 + 2.2 * len(series)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(series), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (text, topic, times, values) in zip(axes, series, strict=True):
        inside = (times >= start) & (times <= end)
        _draw(axis, times[inside], values[inside])
        axis.set_ylabel(text)
        axis.set_title(topic, loc="left", fontsize="small")
    axes[-1].set_xlabel("time [s]")
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror or error}") from error
    return path


def _draw(axis: Axes, times: FloatArray, values: np.ndarray) -> None:
    """Draw one line per element; a message holds until the next one."""
    indices = list(np.ndindex(values.shape[1:]))
    lines = values.reshape(len(times), len(indices)).astype(np.float64)
    for line, index in zip(lines.T, indices, strict=True):
        text = "".join(f"[{i}]" for i in index)
        axis.plot(times, line, drawstyle="steps-post", linewidth=1.0, label=text)
    if 1 < len(indices) <= MAX_LEGEND:
        axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small")
    axis.grid(visible=True, alpha=0.3)

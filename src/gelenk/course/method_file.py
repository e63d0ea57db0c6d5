"""Files of methods: TOML with one table for each, `[GR-211]`, in ascending order.

A table has the fields of `Method`: `title`, `objects`, `formula`, and an `erratum`
where the course errs.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any

from gelenk.course.method import Method
from gelenk.errors import FileFormatError

_ID = re.compile(r"GR-(\d{2,})")
_TEXTS = ("title", "formula", "erratum")
_KEYS = ("title", "objects", "formula", "erratum")


def number(method: Method) -> int:
    """Return the number in a method's id."""
    return int(method.id.removeprefix("GR-"))


def read_methods(path: str | Path) -> tuple[Method, ...]:
    """Return the methods of a file, in its order.

    Args:
        path: TOML file with one table for each method.

    Raises:
        FileFormatError: If a key is unknown, missing or of a wrong type, or an id
            stands twice or after a larger one; with file and line.
    """
    text = Path(path).read_text(encoding="utf-8")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileFormatError(path, f"is not TOML: {error}") from error
    methods: list[Method] = []
    for id, table in tables.items():
        problem = _problem(id, table)
        if not problem and methods and int(id[3:]) <= number(methods[-1]):
            problem = f"stands after {methods[-1].id}; methods ascend by their numbers"
        if problem:
            begin = re.search(rf'^\[?\s*"?{re.escape(id)}\b', text, re.MULTILINE)
            line = text.count("\n", 0, begin.start()) + 1 if begin else None
            raise FileFormatError(path, problem, element=id, line=line)
        methods.append(Method(id=id, **table | {"objects": tuple(table["objects"])}))
    return tuple(methods)


def _problem(id: str, table: Any) -> str:
    """Return what is wrong with one table, or ""."""
    if not _ID.fullmatch(id) or not isinstance(table, dict):
        return "expected a table such as [GR-211] for each method"
    for key, value in table.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            return f"no such key {key!r}{hint}"
        if key in _TEXTS and not (isinstance(value, str) and value.strip()):
            return f"{key!r} must be a text that is not empty, got {value!r}"
    objects = table.get("objects")
    if not (isinstance(objects, list) and objects and _are_texts(objects)):
        return f"'objects' must list full names of functions or classes, got {objects}"
    missing = [key for key in ("title", "formula") if key not in table]
    return f"{missing[0]!r} is missing" if missing else ""


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)

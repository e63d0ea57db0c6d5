"""Readers: functions that check a parsed JSON value against an annotation.

A reader is built once per annotation. It returns the value as the dataclass holds it,
or raises a `MessageFieldError` that says what was expected and what came.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from gelenk.errors import ConfigError
from gelenk.runtime.field_codec import MessageFieldError, wrong

MAX_SAFE_INT = 2**53 - 1  # the largest whole number that a page counts exactly
MAX_DEPTH = 32  # of free values
COUNTS = ("id", "tick")  # fields that are never negative

Reader = Callable[[Any], Any]


class MessageLimits(NamedTuple):
    """Largest lengths.

    Attributes:
        text: Characters of a text.
        items: Items of a list or of a mapping.
    """

    text: float = math.inf
    items: float = math.inf


def kind_of(message_type: type) -> str:
    """Return the `kind` of a message type: its name in snake case.

    Example:
        >>> from gelenk.ui.messages import OpenScene
        >>> kind_of(OpenScene)
        'open_scene'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", message_type.__name__).lower()


@functools.cache
def message_reader(cls: type, limits: MessageLimits) -> Reader:
    """Return what turns a parsed object into a dataclass.

    Raises:
        ConfigError: If a field has a type that messages cannot carry.
    """
    hints = typing.get_type_hints(cls)
    readers: dict[str, Reader] = {}
    needed: list[str] = []
    for field in dataclasses.fields(cls):
        readers[field.name] = _ranged(_reader(hints[field.name], limits), field)
        if (
            field.default is dataclasses.MISSING
            and field.default_factory is dataclasses.MISSING
        ):
            needed.append(field.name)

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise wrong(f"an object ({cls.__name__})", value)
        for name in value:
            if name not in readers:
                raise MessageFieldError(_unknown(cls, name, readers), name[:60])
        for name in needed:
            if name not in value:
                raise MessageFieldError("is missing", name)
        arguments = {
            name: _inside(name, readers[name], item) for name, item in value.items()
        }
        return cls(**arguments)

    return read


def _inside(step: str, reader: Reader, value: Any) -> Any:
    try:
        return reader(value)
    except MessageFieldError as error:
        raise error.inside(step) from None


def _unknown(cls: type, name: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name[:60], known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(known)}"
    return f"{kind_of(cls)} has no field {name!r:.60}; {hint}"


def _ranged(reader: Reader, field: dataclasses.Field[Any]) -> Reader:
    """Add the range that the metadata of a field states."""
    low = field.metadata.get("minimum", 0 if field.name in COUNTS else -math.inf)
    high = field.metadata.get("maximum", math.inf)
    if low == -math.inf and high == math.inf:
        return reader
    words = f"{low:g} to {high:g}"
    if high == math.inf:
        words = f"at least {low:g}"
    elif low == -math.inf:
        words = f"at most {high:g}"
    unit = f" {field.metadata['unit']}" if "unit" in field.metadata else ""

    def read(value: Any) -> Any:
        result = reader(value)
        if isinstance(result, int | float) and not low <= result <= high:
            raise MessageFieldError(f"expected {words}{unit}, got {result:.6g}")
        return result

    return read


# -- one reader per annotation ---------------------------------------------------------


def _reader(annotation: Any, limits: MessageLimits) -> Reader:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation is float:
        return _read_float
    if annotation is int:
        return _read_int
    if annotation is bool:
        return _read_bool
    if annotation is str:
        return functools.partial(_read_text, limits)
    if annotation is Any:
        return functools.partial(_read_free, 0)
    if origin is Literal:
        return functools.partial(_read_choice, args)
    if origin in (types.UnionType, typing.Union):
        return _union_reader(args, limits)
    if origin is tuple:
        return _tuple_reader(args, limits)
    if origin is dict and args[0] is str:
        return _dict_reader(args[1], limits)
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return message_reader(annotation, limits)
    raise ConfigError(f"messages to a page cannot carry the type {annotation}")


def _read_float(value: Any) -> float:
    if type(value) is int and abs(value) <= MAX_SAFE_INT:
        return float(value)
    if type(value) is not float:
        raise wrong("a number", value)
    if not math.isfinite(value):  # 1e999 reads as infinity
        raise MessageFieldError("expected a number below 1.8e308")
    return value


def _read_int(value: Any) -> int:
    if type(value) is not int:
        raise wrong("a whole number", value)
    if abs(value) > MAX_SAFE_INT:
        raise MessageFieldError("expected a whole number below 2^53")
    return value


def _read_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise wrong("true or false", value)
    return value


def _read_text(limits: MessageLimits, value: Any) -> str:
    if type(value) is not str:
        raise wrong("text", value)
    if len(value) > limits.text:
        raise MessageFieldError(
            f"expected at most {limits.text:g} characters, got {len(value)}"
        )
    try:
        value.encode()
    except UnicodeEncodeError:
        raise MessageFieldError("expected text, got half of a character") from None
    return value


def _read_choice(choices: tuple[str, ...], value: Any) -> str:
    if type(value) is not str or value not in choices:
        raise wrong(f"one of {', '.join(choices)}", value)
    return value


def _union_reader(args: tuple[Any, ...], limits: MessageLimits) -> Reader:
    """Return the reader of `float | None` or `float | str | bool`."""
    json_types = {float: (int, float), str: (str,), bool: (bool,), int: (int,)}
    names = {float: "a number", str: "text", bool: "true or false", int: "a number"}
    by_type: dict[type, Reader] = {}
    for arg in args:
        if arg is types.NoneType:
            by_type[types.NoneType] = lambda value: None
            continue
        if arg not in json_types:
            raise ConfigError(f"messages to a page cannot carry a union with {arg}")
        by_type |= dict.fromkeys(json_types[arg], _reader(arg, limits))
    expected = " or ".join(names.get(arg, "null") for arg in args)

    def read(value: Any) -> Any:
        reader = by_type.get(type(value))
        if reader is None:
            raise wrong(expected, value)
        return reader(value)

    return read


def _tuple_reader(args: tuple[Any, ...], limits: MessageLimits) -> Reader:
    is_free = len(args) == 2 and args[1] is Ellipsis
    readers = [_reader(arg, limits) for arg in (args[:1] if is_free else args)]

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise wrong("a list", value)
        if not is_free and len(value) != len(readers):
            raise MessageFieldError(f"expected {len(readers)} items, got {len(value)}")
        _check_count(value, limits)
        each = readers * len(value) if is_free else readers
        return tuple(
            _inside(f"[{i}]", reader, item)
            for i, (reader, item) in enumerate(zip(each, value, strict=True))
        )

    return read


def _dict_reader(annotation: Any, limits: MessageLimits) -> Reader:
    item_reader = _reader(annotation, limits)

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise wrong("an object", value)
        _check_count(value, limits)
        return {
            _inside("a name", functools.partial(_read_text, limits), name): _inside(
                name[:60], item_reader, item
            )
            for name, item in value.items()
        }

    return read


def _check_count(value: list[Any] | dict[str, Any], limits: MessageLimits) -> None:
    if len(value) > limits.items:
        raise MessageFieldError(
            f"expected at most {limits.items:g} items, got {len(value)}"
        )


def _read_free(depth: int, value: Any) -> Any:
    """Return any JSON value; its meaning is checked by who asked for it."""
    if depth > MAX_DEPTH:
        raise MessageFieldError(f"expected at most {MAX_DEPTH} levels")
    deeper = functools.partial(_read_free, depth + 1)
    if isinstance(value, dict):
        return {
            _read_text(MessageLimits(), name): _inside(name[:60], deeper, item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_inside(f"[{i}]", deeper, item) for i, item in enumerate(value)]
    if isinstance(value, str):
        return _read_text(MessageLimits(), value)
    if type(value) is float:
        return _read_float(value)
    return value if value is None or type(value) is bool else _read_int(value)

"""Values of configurations: conversion to field types, plain values, fingerprints.

Types that a configuration may use: bool, int, float, str, Path, Literal, Enum, tuples,
mappings from text or from tuples of text, arrays of numbers, other dataclasses, and any
of these or None.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import math
import tomllib
import types
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

_NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    Path: "a path",
}


class CommandText(str):
    """Text of a command line; which type it means is decided by the field."""

    __slots__ = ()


class MismatchError(Exception):
    """A value does not have the type of its field; caught inside this package.

    Attributes:
        expected: Accepted values in words.
        got: Given value in words.
    """

    def __init__(self, expected: str, got: str) -> None:
        self.expected, self.got = expected, got
        super().__init__(f"expected {expected}, got {got}")


def convert(value: Any, hint: Any) -> Any:
    """Return `value` as the type `hint` wants, or raise `MismatchError`.

    Example:
        >>> convert([1, 2], tuple[float, ...])
        (1.0, 2.0)
    """
    members = union_members(hint)
    if members is not None:
        return _convert_union(value, hint, members)
    if isinstance(value, CommandText):
        value = _typed(value, hint)
    origin = get_origin(hint) or hint
    if origin is Literal:
        if value in get_args(hint) and not isinstance(value, bool):
            return value
    elif origin is tuple:
        return _convert_tuple(value, hint)
    elif origin is np.ndarray:
        return _convert_array(value, hint)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        return _convert_mapping(value, hint)
    elif isinstance(origin, type) and issubclass(origin, enum.Enum):
        if value in [member.value for member in origin]:
            return origin(value)
    elif hint is float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and not math.isnan(value):
            return float(value)
    elif hint is Path:
        if isinstance(value, str | Path):
            return Path(value)
    elif isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _convert_table(value, hint)
    elif hint is Any or type(value) is hint:
        return value
    raise MismatchError(describe_type(hint), describe_value(value))


def union_members(hint: object) -> tuple[Any, ...] | None:
    """Return the members of `A | B`, or None for a hint that is no union."""
    if get_origin(hint) in (Union, types.UnionType):
        return get_args(hint)
    return None


def _convert_union(value: object, hint: object, members: tuple[Any, ...]) -> Any:
    if types.NoneType in members and (value is None or _is_word_none(value, members)):
        return None
    for member in members:
        if member is types.NoneType:
            continue
        try:
            return convert(value, member)
        except MismatchError:
            continue
    raise MismatchError(describe_type(hint), describe_value(value))


def _is_word_none(value: object, members: tuple[Any, ...]) -> bool:
    """TOML knows no null; the word "none" stands for it where text has no meaning."""
    return value == "none" and str not in members


def _convert_tuple(value: object, hint: object) -> tuple[Any, ...]:
    items = get_args(hint)
    is_open = len(items) == 2 and items[1] is Ellipsis
    if not isinstance(value, list | tuple) or (
        not is_open and len(value) != len(items)
    ):
        raise MismatchError(describe_type(hint), describe_value(value))
    hints = [items[0]] * len(value) if is_open else items
    try:
        return tuple(convert(v, h) for v, h in zip(value, hints, strict=True))
    except MismatchError as error:
        got = f"a list with {error.got} in it"
        raise MismatchError(describe_type(hint), got) from error


def _convert_array(value: object, hint: object) -> Any:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise MismatchError(describe_type(hint), describe_value(value)) from error
    array.setflags(write=False)
    return array


def _convert_mapping(value: object, hint: object) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise MismatchError(describe_type(hint), describe_value(value))
    key_hint, item = get_args(hint) or (str, Any)
    return {
        _convert_key(key, key_hint): convert(entry, item)
        for key, entry in value.items()
    }


def _convert_key(key: Any, hint: Any) -> Any:
    """Return a key as its type; keys of several words are one text with commas."""
    if get_origin(hint) is tuple:
        words = key.split(",") if isinstance(key, str) else key
        return _convert_tuple([str(word).strip() for word in words], hint)
    return convert(key, hint)


def key_text(key: object) -> str:
    """Return the key of a mapping as files write it."""
    return ",".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _convert_table(value: object, config_type: type) -> Any:
    """Return a dataclass that stands inside a list or a table, from its own table."""
    if isinstance(value, config_type):
        return value
    if not isinstance(value, Mapping):
        raise MismatchError("a table", describe_value(value))
    hints = field_hints(config_type)
    for key in value:
        if key not in hints:
            raise MismatchError(
                f"a table with keys from {', '.join(hints)}", f"the key {key!r}"
            )
    values = {key: convert(entry, hints[key]) for key, entry in value.items()}
    try:
        return config_type(**values)
    except (TypeError, ValueError) as error:
        raise MismatchError(f"a valid {config_type.__name__}", str(error)) from error


@cache
def field_hints(config_type: type) -> dict[str, Any]:
    """Return the type of every field that the constructor of a dataclass takes."""
    hints = get_type_hints(config_type)
    fields = dataclasses.fields(config_type)
    return {field.name: hints[field.name] for field in fields if field.init}


def _typed(text: CommandText, hint: object) -> Any:
    """Return what the text of an option means for a field of type `hint`.

    Text stays text where the field wants text; else it is read like a value of TOML,
    and a bare list such as `1,2,3` as a list.
    """
    origin = get_origin(hint) or hint
    is_text = origin in (str, Path) or (
        isinstance(origin, type) and issubclass(origin, enum.StrEnum)
    )
    plain = str(text)
    if is_text and not plain.startswith(('"', "'")):
        return plain
    wants_list = origin in (tuple, np.ndarray)
    if wants_list and not plain.lstrip().startswith("["):
        plain = f"[{plain}]"
    try:
        return tomllib.loads(f"value = {plain}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return str(text)


def describe_type(hint: object) -> str:
    """Return what values a field of this type takes, in words.

    Example:
        >>> describe_type(tuple[float, float, float])
        'a list of 3 numbers'
    """
    members = union_members(hint)
    if members is not None:
        words = ["none" if m is types.NoneType else describe_type(m) for m in members]
        return " or ".join(words)
    origin = get_origin(hint) or hint
    if origin is Literal:
        return "one of " + ", ".join(map(repr, get_args(hint)))
    if isinstance(origin, type) and issubclass(origin, enum.Enum):
        return "one of " + ", ".join(repr(member.value) for member in origin)
    if origin is tuple:
        items = get_args(hint)
        if len(items) == 2 and items[1] is Ellipsis:
            return f"a list of {_plural(items[0])}"
        if len(set(items)) == 1:
            return f"a list of {len(items)} {_plural(items[0])}"
        return "a list of " + ", ".join(describe_type(item) for item in items)
    if origin is np.ndarray:
        return "an array of numbers"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "a table"
    if dataclasses.is_dataclass(hint):
        return "a table"
    return _NAMES.get(hint, getattr(hint, "__name__", str(hint)))


def _plural(hint: object) -> str:
    words = {float: "numbers", int: "whole numbers", str: "texts", Path: "paths"}
    return words.get(hint, f"({describe_type(hint)})")


def describe_value(value: object) -> str:
    """Return what a value is, in words and short."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value!r}"
    if isinstance(value, str):
        text = str(value)
        return f"the text {text if len(text) <= 40 else text[:37] + '...'!r}"
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "none" if value is None else f"a {type(value).__name__}"


def to_plain(value: object) -> Any:
    """Return a configuration made of dicts, lists, numbers, texts and None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {key: to_plain(getattr(value, key)) for key in field_hints(type(value))}
    if isinstance(value, Mapping):
        return {key_text(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    return str(value) if isinstance(value, Path) else value


def fingerprint(config: object) -> str:
    """Return 16 digits that two configurations share only if all values are equal."""
    text = json.dumps(to_plain(config), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def table_type(hint: object) -> type | None:
    """Return the dataclass of a field that is a table, else None."""
    for member in union_members(hint) or (hint,):
        if isinstance(member, type) and dataclasses.is_dataclass(member):
            return member
    return None


def leaves(config: object, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that is no table, with its dotted path."""
    for key in field_hints(type(config)):
        value = getattr(config, key)
        if dataclasses.is_dataclass(value):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def leaves_of(value: object) -> Iterator[tuple[str, Any]]:
    """Yield the values of a table; nothing where there is none."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from leaves(value)


def default_of(item: dataclasses.Field[Any]) -> Any:
    """Return what a field has where nobody says a value; MISSING if nothing."""
    if item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    return item.default


def is_default(config_type: type, keys: Sequence[str], value: object) -> bool:
    """Return whether the dataclass itself would give the value at a path."""
    item = {f.name: f for f in dataclasses.fields(config_type)}[keys[0]]
    default = default_of(item)
    inner = table_type(field_hints(config_type)[keys[0]])
    if len(keys) > 1 and not dataclasses.is_dataclass(default) and inner is not None:
        return is_default(inner, keys[1:], value)  # a table that may be left out
    for key in keys[1:]:
        default = getattr(default, key)
    return default is not dataclasses.MISSING and to_plain(default) == to_plain(value)


def metadata_of(config_type: type, keys: Sequence[str]) -> Mapping[str, Any]:
    """Return unit, help and bounds of the field at a path."""
    item = {f.name: f for f in dataclasses.fields(config_type)}[keys[0]]
    if len(keys) == 1:
        return item.metadata
    inner = table_type(field_hints(config_type)[keys[0]])
    return metadata_of(inner, keys[1:]) if inner is not None else {}

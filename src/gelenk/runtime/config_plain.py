"""Configurations as plain values, with the origin of each, and as a fingerprint."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gelenk.runtime.config_values import field_hints, key_text, union_members


def to_plain(value: Any) -> Any:
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


def fingerprint(config: Any) -> str:
    """Return 16 digits that two configurations share only if all values are equal."""
    text = json.dumps(to_plain(config), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def table_type(hint: Any) -> type | None:
    """Return the dataclass of a field that is a table, else None."""
    for member in union_members(hint) or (hint,):
        if isinstance(member, type) and dataclasses.is_dataclass(member):
            return member
    return None


def leaves(config: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value that is no table, with its dotted path."""
    for key in field_hints(type(config)):
        value = getattr(config, key)
        if dataclasses.is_dataclass(value):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def leaves_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values of a table; nothing where there is none."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from leaves(value)


def default_of(item: dataclasses.Field[Any]) -> Any:
    """Return what a field has where nobody says a value; MISSING if nothing."""
    if item.default_factory is not dataclasses.MISSING:
        return item.default_factory()
    return item.default


def is_default(config_type: type, keys: Sequence[str], value: Any) -> bool:
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

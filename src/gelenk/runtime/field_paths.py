"""Fields of recorded messages by text such as "pose.position[2]", and their schemas."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.field_codec import NON_FINITE

Path: TypeAlias = tuple[str | int, ...]
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def parse_path(text: str) -> Path:
    """Return the steps of a field's name.

    Example:
        >>> parse_path("pose.position[2]")
        ('pose', 'position', 2)

    Raises:
        ConfigError: If the text is no name of a field.
    """
    steps: list[str | int] = []
    position = 0
    while position < len(text):
        found = _STEP.match(text, position)
        if found is None:
            break
        steps.append(found[1] if found[1] is not None else int(found[2]))
        position = found.end()
    if not steps or position < len(text) or text.startswith((".", "[")):
        raise ConfigError(
            f"{text!r} is no name of a field; write 'q', 'q[2]' or 'pose.position'"
        )
    return tuple(steps)


def path_text(path: Path) -> str:
    """Return the name of a field, the opposite of `parse_path`.

    Example:
        >>> path_text(("pose", "position", 2))
        'pose.position[2]'
    """
    text = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in path)
    return text.removeprefix(".")


def property_schema(schema: Mapping[str, Any], step: str | int) -> dict[str, Any]:
    """Return the schema of a field or element; empty where nothing is known."""
    if isinstance(step, int):
        prefix = schema.get("prefixItems")
        if isinstance(prefix, list) and step < len(prefix):
            return _as_schema(prefix[step])
        return _as_schema(schema.get("items"))
    properties = _as_schema(schema.get("properties"))
    patterns = _as_schema(schema.get("patternProperties"))
    for found in (properties.get(step), patterns.get(f"^{step}$")):
        if found is not None:
            return _as_schema(found)
    return _as_schema(schema.get("additionalProperties"))


def field_names(schema: Mapping[str, Any]) -> list[str]:
    """Return the names of the fields that a schema lists."""
    patterns = _as_schema(schema.get("patternProperties"))
    return [
        *_as_schema(schema.get("properties")),
        *(name.removeprefix("^").removesuffix("$") for name in patterns),
    ]


def _as_schema(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def unit_of(schema: Mapping[str, Any], path: Path) -> str:
    """Return the unit of a field: its own, or that of what contains it."""
    unit = ""
    for step in path:
        schema = property_schema(schema, step)
        unit = str(schema.get("unit", unit))
    return unit


def follow(value: object, path: Path, schema: Mapping[str, Any], where: str) -> Any:
    """Return what lies at `path` in a message; None where an optional field is absent.

    Raises:
        NameNotFoundError: If there is no such field.
        ConfigError: If an index is too large or a field has no parts.
    """
    for step in path:
        inner = property_schema(schema, step)
        if isinstance(step, str) and isinstance(value, dict):
            if step not in value:
                if inner:
                    return None
                raise NameNotFoundError("field", step, {*field_names(schema), *value})
            value = value[step]
        elif isinstance(step, int) and isinstance(value, list):
            if step >= len(value):
                raise ConfigError(f"{where}: there are only {len(value)} elements")
            value = value[step]
        else:
            raise ConfigError(f"{where}: {type(value).__name__} has no part {step!r}")
        schema = inner
    return value


def reviver(schema: Mapping[str, Any]) -> Callable[[Any], Any]:
    """Return a function that makes floats of "NaN" and its kin, where numbers stand."""

    def revive(value: object, schema: Mapping[str, Any]) -> Any:
        if isinstance(value, dict):
            return {
                key: revive(item, property_schema(schema, key))
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [
                revive(item, property_schema(schema, i)) for i, item in enumerate(value)
            ]
        if isinstance(value, str) and value in NON_FINITE and _is_number(schema):
            return NON_FINITE[value]
        return value

    return lambda value: revive(value, schema)


def _is_number(schema: Mapping[str, Any]) -> bool:
    options = schema.get("anyOf")
    if isinstance(options, list):
        return any(_as_schema(option).get("type") == "number" for option in options)
    return schema.get("type") == "number"

"""Configuration: frozen dataclasses, filled by layers of which the later one wins.

    defaults < robot < scenario < file (TOML) < command line

The dataclass is the truth: its fields are the keys, its types the rules, the metadata
of `setting` the units and bounds. A key that no field has is an error that names the
closest one. All problems of all layers are reported at once, each with its place.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.config_values import (
    CommandText,
    MismatchError,
    convert,
    default_of,
    describe_value,
    field_hints,
    is_default,
    leaves,
    leaves_of,
    metadata_of,
    table_type,
)
from gelenk.runtime.config_values import fingerprint as fingerprint
from gelenk.runtime.config_values import to_plain as to_plain

T = TypeVar("T")

DEFAULT = "default"  # origin of a value that no layer touched


def setting(
    default: T,
    *,
    unit: str = "",
    help: str = "",
    minimum: float = -math.inf,
    maximum: float = math.inf,
) -> T:
    """Return a dataclass field with a default, and what messages say about it.

    Args:
        default: Value where no layer says another; immutable.
        unit: Unit of the value, as messages and files show it, such as "m/s".
        help: The field in a few words.
        minimum: Smallest allowed number, in the unit.
        maximum: Largest allowed number, in the unit.

    Example:
        >>> from dataclasses import dataclass
        >>> from gelenk.runtime import setting
        >>> @dataclass(frozen=True, kw_only=True)
        ... class ThrowCfg:
        ...     speed: float = setting(5.0, unit="m/s", minimum=0.0)
        >>> ThrowCfg().speed
        5.0
    """
    metadata = {"unit": unit, "help": help, "minimum": minimum, "maximum": maximum}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigLayer:
    """Values that one source sets.

    Attributes:
        origin: The source in words: "robot panda", "cell.toml", "option --set".
        values: Tables as nested mappings, down to plain values.
        places: Place of single values by dotted path, where the source knows it.
    """

    origin: str
    values: Mapping[str, Any]
    places: Mapping[str, str] = field(default_factory=dict[str, str])

    def place(self, path: str) -> str:
        """Return where a value stands; of a table, where its first value does."""
        inside = [key for key in self.places if f"{key}.".startswith(f"{path}.")]
        if inside:
            return self.places[inside[0]]
        table = path.rpartition(".")[0]
        return self.place(table) if table else self.origin


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigProblem:
    """One thing wrong with a configuration.

    Attributes:
        place: File and line, or option, that set the value.
        path: Dotted path of the value.
        text: Mistake, expectation and remedy in words.
    """

    place: str
    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.path}: {self.text}"


class InvalidConfigError(ConfigError):
    """A configuration with at least one problem; `problems` has them all."""

    def __init__(self, problems: Sequence[ConfigProblem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems]
        if len(lines) > 1:
            lines = [f"{len(lines)} problems in the configuration", *lines]
        super().__init__("\n  ".join(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved(Generic[T]):
    """A configuration and where its values come from.

    Attributes:
        config: The dataclass.
        origins: Place by dotted path, for all values that are not defaults.
    """

    config: T
    origins: Mapping[str, str]


def options_layer(options: Sequence[str], *, option: str = "--set") -> ConfigLayer:
    """Return the layer of the command line, from texts such as "ball.mass=0.2"."""
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for text in options:
        path, sign, value = text.partition("=")
        keys = [key.strip() for key in path.split(".")]
        if not sign or not all(keys):
            raise ConfigError(
                f"`{option} {text}`: expected KEY=VALUE, such as ball.mass=0.2"
            )
        table: Any = values
        for key in keys[:-1]:
            table = table.setdefault(key, {}) if isinstance(table, dict) else None
        if not isinstance(table, dict) or isinstance(table.get(keys[-1]), dict):
            raise ConfigError(
                f"`{option} {text}`: another {option} uses {path.strip()} or a part of "
                "it differently; it cannot be a value and a table"
            )
        table[keys[-1]] = CommandText(value.strip())
        places[".".join(keys)] = f"option {option} {text}"
    return ConfigLayer(origin=f"option {option}", values=values, places=places)


def layer_of(origin: str, values: object) -> ConfigLayer:
    """Return the layer that a mapping, or a configuration other than default, makes."""
    if isinstance(values, Mapping):
        return ConfigLayer(origin=origin, values=values)
    set_values: dict[str, Any] = {}
    for path, value in leaves(values):
        if not is_default(type(values), path.split("."), value):
            _put(set_values, path, value)
    return ConfigLayer(origin=origin, values=set_values)


def resolve(config_type: type[T], layers: Sequence[ConfigLayer] = ()) -> Resolved[T]:
    """Return the configuration that the layers make, the later one winning.

    Args:
        config_type: Dataclass to fill.
        layers: Layers from the weakest to the strongest; below all are the defaults.

    Raises:
        InvalidConfigError: Keys that do not exist, values of a wrong type or out of
            bounds, missing values: all of them.
    """
    problems: list[ConfigProblem] = []
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for layer in layers:
        _collect(config_type, layer, layer.values, "", values, origins, problems)
    config = None if problems else _build(config_type, "", values, origins, problems)
    if config is None:
        raise InvalidConfigError(problems)
    return Resolved(config=config, origins=origins)


def effective(config: object) -> dict[str, dict[str, Any]]:
    """Return every value of a configuration with its unit and its origin.

    Args:
        config: Result of `resolve`, or a bare configuration; of the latter only
            defaults are told from values set in code.

    Returns:
        By dotted path: `{"value": ..., "unit": ..., "origin": ...}`.
    """
    origins: Mapping[str, str] = {}
    if isinstance(config, Resolved):
        config, origins = config.config, config.origins
    table: dict[str, dict[str, Any]] = {}
    for path, value in leaves(config):
        keys = path.split(".")
        origin = origins.get(path)
        if origin is None:
            is_untouched = is_default(type(config), keys, value)
            origin = DEFAULT if is_untouched else "code"
        unit = metadata_of(type(config), keys).get("unit", "")
        table[path] = {"value": to_plain(value), "unit": unit, "origin": origin}
    return table


def _collect(
    config_type: type,
    layer: ConfigLayer,
    table: Mapping[str, Any],
    prefix: str,
    values: dict[str, Any],
    origins: dict[str, str],
    problems: list[ConfigProblem],
) -> None:
    """Add the values of one table to `values` by dotted path, or its problems."""
    hints = field_hints(config_type)
    for key, value in table.items():
        path = prefix + key
        place = layer.place(path)
        if key not in hints:
            text = f"no such key{_closest(key, hints)}"
            problems.append(ConfigProblem(place=place, path=path, text=text))
            continue
        inner = table_type(hints[key])
        if inner is not None and isinstance(value, Mapping):
            _collect(inner, layer, value, path + ".", values, origins, problems)
            continue
        metadata = metadata_of(config_type, [key])
        try:
            converted = convert(value, hints[key])
        except MismatchError as error:
            text = f"expected {error.expected}{_unit(metadata)}, got {error.got}"
            problems.append(ConfigProblem(place=place, path=path, text=text))
            continue
        text = _bounds_problem(converted, metadata)
        if text:
            problems.append(ConfigProblem(place=place, path=path, text=text))
            continue
        for other in [other for other in values if other.startswith(path + ".")]:
            del values[other], origins[other]
        values[path], origins[path] = converted, place


def _build(
    config_type: type[T],
    prefix: str,
    values: Mapping[str, Any],
    origins: Mapping[str, str],
    problems: list[ConfigProblem],
) -> T | None:
    """Return the dataclass from values by dotted path; None if there are problems."""
    arguments: dict[str, Any] = {}
    for item in dataclasses.fields(config_type):  # type: ignore[arg-type]
        path = prefix + item.name
        inner = table_type(field_hints(config_type).get(item.name))
        if path in values:
            arguments[item.name] = values[path]
        if inner is not None and any(key.startswith(path + ".") for key in values):
            own = dict(values)
            for key, value in leaves_of(arguments.get(item.name, default_of(item))):
                own.setdefault(f"{path}.{key}", value)
            arguments[item.name] = _build(inner, path + ".", own, origins, problems)
        is_missing = (
            item.name not in arguments and default_of(item) is dataclasses.MISSING
        )
        if is_missing and item.init:
            text = f"a value is missing{_unit(item.metadata)}"
            problems.append(ConfigProblem(place="configuration", path=path, text=text))
    if problems:
        return None
    try:
        return config_type(**arguments)
    except (ValueError, TypeError) as error:
        places = [place for key, place in origins.items() if key.startswith(prefix)]
        place = ", ".join(dict.fromkeys(places)) or "configuration"
        path = prefix.rstrip(".") or config_type.__name__
        problems.append(ConfigProblem(place=place, path=path, text=str(error)))
        return None


def _put(table: dict[str, Any], path: str, value: object) -> None:
    *tables, key = path.split(".")
    for name in tables:
        table = table.setdefault(name, {})
    table[key] = value


def _unit(metadata: Mapping[str, Any]) -> str:
    return f" [{metadata['unit']}]" if metadata.get("unit") else ""


def _bounds_problem(value: object, metadata: Mapping[str, Any]) -> str:
    """Return what is wrong with a number that lies outside its bounds, else nothing."""
    low = metadata.get("minimum", -math.inf)
    high = metadata.get("maximum", math.inf)
    numbers = np.atleast_1d(value) if isinstance(value, int | float | tuple) else ()
    for number in numbers:
        if isinstance(number, np.number) and not low <= number <= high:
            bound = f"at least {low:g}" if number < low else f"at most {high:g}"
            return f"must be {bound}{_unit(metadata)}, got {describe_value(value)}"
    return ""


def _closest(key: str, names: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(key, names, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are {', '.join(names) or 'none'}"

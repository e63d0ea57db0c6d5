"""Configuration files: TOML in, with the line of every key, and TOML out."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError, FileFormatError
from gelenk.runtime.config import ConfigLayer, Resolved, to_plain
from gelenk.runtime.config_values import (
    default_of,
    field_hints,
    metadata_of,
    union_members,
)

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_PATH = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_TABLE = re.compile(rf"\s*\[\[?\s*({_PATH})\s*\]")
_ENTRY = re.compile(rf"\s*({_PATH})\s*=")
# What may hide brackets, quotes and line ends inside a value.
_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|'
    r"'''.*?'''|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'|#[^\n]*|[\[\]{}\n]",
    re.DOTALL,
)


def file_layer(path: str | Path) -> ConfigLayer:
    """Return the layer of a TOML file; its values know their lines.

    Raises:
        ConfigError: The file cannot be read.
        FileFormatError: It is no TOML, with the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise FileFormatError(path, f"is not UTF-8: {error}") from error
    except OSError as error:
        raise ConfigError(f"configuration file {path}: {error.strerror}") from error
    return text_layer(text, origin=str(path))


def text_layer(text: str, *, origin: str) -> ConfigLayer:
    """Return the layer of TOML text that came from `origin`."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = re.search(r" \(at line (\d+), column \d+\)", message)
        line = int(found[1]) if found else None
        problem = message.replace(found[0], "") if found else message
        raise FileFormatError(origin, f"is not TOML: {problem}", line=line) from error
    places = {key: f"{origin}, line {line}" for key, line in find_lines(text)}
    return ConfigLayer(origin=origin, values=values, places=places)


def find_lines(text: str) -> Iterator[tuple[str, int]]:
    """Yield dotted path and line number of the keys of valid TOML text.

    Keys inside a value that is a table in braces are not seen: they have the line of
    the value.
    """
    table, position, line = "", 0, 1
    while position < len(text):
        header = _TABLE.match(text, position, _line_end(text, position))
        entry = _ENTRY.match(text, position, _line_end(text, position))
        if header:
            table = _dotted(header[1]) + "."
            yield table.rstrip("."), line
        elif entry:
            yield table + _dotted(entry[1]), line
        start = position
        position = _skip_value(text, entry.end() if entry else position)
        line += text.count("\n", start, position)


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _dotted(path: str) -> str:
    return ".".join(key.strip("\"'") for key in re.findall(_KEY, path))


def _skip_value(text: str, position: int) -> int:
    """Return the beginning of the line after the value or comment at `position`."""
    depth = 0
    for token in _TOKEN.finditer(text, position):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if token[0] == "\n" and depth <= 0:
            return token.end()
    return len(text)


def to_toml(config: object) -> str:
    """Return a configuration as TOML text that `file_layer` reads back the same.

    Every value stands with its unit; of a `Resolved` one also with its origin.
    """
    origins: Mapping[str, str] = {}
    if isinstance(config, Resolved):
        config, origins = config.config, config.origins
    return "\n".join(_table_lines(config, "", origins)) + "\n"


def _table_lines(config: Any, prefix: str, origins: Mapping[str, str]) -> Iterator[str]:
    tables: list[str] = []
    defaults = {f.name: default_of(f) for f in dataclasses.fields(config)}
    for key, hint in field_hints(type(config)).items():
        value = getattr(config, key)
        if dataclasses.is_dataclass(value):
            tables.append(key)
            continue
        if value is None:
            if defaults[key] is None:
                continue
            if str in (union_members(hint) or ()):
                raise ConfigError(
                    f"TOML cannot say that {prefix}{key} is none, since its default is "
                    f"{defaults[key]!r} and any text means itself"
                )
            value = "none"
        yield f"{_bare(key)} = {toml_value(to_plain(value))}" + _comment(
            metadata_of(type(config), [key]), origins.get(prefix + key)
        )
    for key in tables:
        yield f"\n[{prefix}{_bare(key)}]"
        yield from _table_lines(getattr(config, key), f"{prefix}{key}.", origins)


def _comment(metadata: Mapping[str, Any], origin: str | None) -> str:
    unit = f"[{metadata['unit']}]" if metadata.get("unit") else ""
    words = [word for word in (unit, origin and f"from {origin}") if word]
    return f"  # {' '.join(words)}".replace("\n", " ") if words else ""


def toml_value(value: object) -> str:
    """Return a plain value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, Mapping):
        entries = [f"{_bare(key)} = {toml_value(item)}" for key, item in value.items()]
        return f"{{ {', '.join(entries)} }}" if entries else "{}"
    raise ConfigError(f"TOML cannot hold a {type(value).__name__}")


def _bare(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _quoted(key)


def _quoted(text: str) -> str:
    # JSON escapes what TOML escapes, but for the delete character.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")

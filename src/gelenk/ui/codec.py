"""Codec of messages: to JSON and back, strictly.

What comes from a page is checked against its dataclass: kind, names of fields, types,
ranges (`minimum`, `maximum` in the metadata of a field), lengths. Fields with a default
may be left out. What goes to a page is written as it is; numbers that JSON lacks become
null, arrays become lists.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import typing
from collections.abc import Mapping
from typing import Any

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.field_codec import MessageFieldError
from gelenk.ui import messages
from gelenk.ui.readers import MAX_SAFE_INT, MessageLimits, kind_of, message_reader

UNKNOWN_ID = 0  # of the reply to something that could not be read as a request

FROM_PAGE = MessageLimits(text=200_000, items=1_000)


class RequestError(GelenkError, ValueError):
    """A message of a page cannot be accepted.

    Attributes:
        id: Number of the request, 0 if even that could not be read.
        field: Dotted path of the wrong field, empty for the message as a whole.
        problem: Text that says what was expected and what came.
    """

    def __init__(self, problem: str, *, id: int = UNKNOWN_ID, field: str = "") -> None:
        self.problem, self.id, self.field = problem, id, field
        super().__init__(f"`{field}`: {problem}" if field else problem)

    def as_reply(self) -> messages.Reply:
        """Return what the page is told."""
        return messages.Reply(
            id=self.id, ok=False, message=self.problem, field=self.field
        )


REQUESTS = {kind_of(cls): cls for cls in typing.get_args(messages.FromPage)}
ANSWERS = {kind_of(cls): cls for cls in typing.get_args(messages.FromServer)}


# -- to a page -------------------------------------------------------------------------


def encode(message: messages.FromServer | messages.FromPage) -> str:
    """Return a message as JSON text.

    Raises:
        ConfigError: If it holds something that cannot be written as JSON.
    """
    kind = kind_of(type(message))
    return _write(f"a {kind} message", {"kind": kind, **_fields(message)})


def encode_part(part: Any) -> str:
    """Return a dataclass that is a part of a message as JSON text, without a kind.

    Raises:
        ConfigError: If it holds something that cannot be written as JSON.
    """
    return _write(f"a {type(part).__name__}", _fields(part))


def _write(what: str, document: dict[str, Any]) -> str:
    try:
        return _dump(document)
    except ValueError:  # a number that JSON lacks, or a circle
        pass
    except TypeError as error:
        raise ConfigError(f"{what}: {error}") from None
    try:
        return _dump(_finite(document))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"{what}: {error}") from None


def _dump(document: dict[str, Any]) -> str:
    return json.dumps(
        document, default=_as_plain, allow_nan=False, separators=(",", ":")
    )


def _fields(message: Any) -> dict[str, Any]:
    return {name: getattr(message, name) for name in _field_names(type(message))}


@functools.cache
def _field_names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


def _as_plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return _fields(value)
    if hasattr(value, "tolist"):  # NumPy arrays and scalars
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"cannot write a {type(value).__name__} as JSON")


def _finite(value: Any) -> Any:
    """Return a value with None for every number that JSON lacks."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str | int | None):
        return value
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_finite(item) for item in value]
    return _finite(_as_plain(value))


# -- from a page -----------------------------------------------------------------------


def decode_request(data: str | bytes) -> messages.FromPage:
    """Return the request that a page has sent.

    Raises:
        RequestError: If it is none; it says which field is wrong and what was expected.
    """
    return decode(data, REQUESTS, FROM_PAGE)


def decode(data: str | bytes, kinds: Mapping[str, type], limits: MessageLimits) -> Any:
    """Return the message that `data` says.

    Args:
        data: JSON text.
        kinds: Message types by kind.
        limits: Largest lengths of texts and lists.

    Raises:
        RequestError: If it is no such message.
    """
    document = _parse(data)
    if not isinstance(document, dict):
        raise RequestError(
            f"expected a JSON object with a kind, got {type(document).__name__}"
        )
    known_id = _id_of(document)
    kind = document.pop("kind", None)
    if not isinstance(kind, str) or kind not in kinds:
        problem = f"expected one of {', '.join(kinds)}, got {kind!r:.60}"
        raise RequestError(problem, id=known_id, field="kind")
    try:
        return message_reader(kinds[kind], limits)(document)
    except MessageFieldError as error:
        raise RequestError(error.problem, id=known_id, field=error.path) from None


def _id_of(document: dict[str, Any]) -> int:
    value: Any = document.get("id")
    is_one = type(value) is int and 0 <= value <= MAX_SAFE_INT
    return int(value) if is_one else UNKNOWN_ID


def _parse(data: str | bytes) -> Any:
    try:
        return json.loads(
            data, parse_constant=_refuse_constant, object_pairs_hook=_unique
        )
    # RecursionError: brackets nested thousands deep
    except (ValueError, RecursionError) as error:
        raise RequestError(f"expected JSON: {error}") from None


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r:.60} is given twice")
    return result

"""Messages: frozen dataclasses that travel on topics and into recordings.

A message type is a dataclass with `frozen=True` whose fields are floats, ints, bools,
text, bytes, enums, `Literal` of text, tuples, `dict[str, ...]`, NumPy arrays, other
frozen dataclasses, or any of these `| None`. Field metadata that is understood:

- `unit`: shown by viewers, plots and tables, such as "m/s";
- `shape`: of an array with other than one axis, None for a free length: `(4, 4)`.

`codec_for` turns a type into its JSON Schema, encoder and decoder, once; after that
nothing is inspected any more. Encoding is exact: every float comes back to the bit,
though all NaNs come back as the one NaN of Python. `message_fields` says how.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import json
import operator
import typing
from collections.abc import Callable
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from typing import Any

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.field_codec import FieldCodec, MessageFieldError, wrong
from gelenk.runtime.message_fields import field_codec, is_readable_by_viewers

SCHEMA_NOTE = (
    "JSON has no nan and no infinity: where a number is expected, the strings NaN, "
    "Infinity and -Infinity stand for them. Optional fields that are None are left out."
)


class MessageError(GelenkError, ValueError):
    """A message does not fit its type or cannot be read.

    Attributes:
        topic: Topic of the message, empty if it has none yet.
        field: Dotted path of the offending field, empty for the message as a whole.
    """

    def __init__(self, problem: str, *, topic: str = "", field: str = "") -> None:
        self.problem, self.topic, self.field = problem, topic, field
        place = [f"topic {topic!r}"] if topic else []
        place += [f"field `{field}`"] if field else []
        super().__init__(", ".join(place) + (": " if place else "") + problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Codec:
    """Everything there is to know about one message type.

    Attributes:
        message_type: Dataclass of the messages.
        name: Name of the type in recordings.
        schema: JSON Schema of the type.
        fields: Codec of the values: text, parsed JSON, immutability.
    """

    message_type: type
    name: str
    schema: dict[str, Any]
    fields: FieldCodec

    def encode(self, message: object, *, topic: str = "") -> bytes:
        """Return the message as JSON text.

        Raises:
            MessageError: If it is of another type or a field holds a wrong value.
        """
        try:
            return self.fields.encode(message).encode("ascii")
        except MessageFieldError as error:
            raise _named(error, topic) from None

    def decode(self, data: bytes | str, *, topic: str = "") -> Any:
        """Return the message that was encoded as `data`.

        Raises:
            MessageError: If this is no such message; it names topic and field.
        """
        return self.from_plain(parse_json(data, topic=topic), topic=topic)

    def from_plain(self, value: object, *, topic: str = "") -> Any:
        """Return the message from parsed JSON, as `decode` does."""
        try:
            return self.fields.decode(value)
        except MessageFieldError as error:
            raise _named(error, topic) from None

    def freeze(self, message: object, *, topic: str = "") -> Any:
        """Return the message with arrays and dicts of its own that stay as they are.

        A sender that goes on writing into its array changes nothing afterwards.

        Raises:
            MessageError: If an array field holds something else.
        """
        if self.fields.freeze is None:
            return message
        try:
            return self.fields.freeze(message)
        except MessageFieldError as error:
            raise _named(error, topic) from None


def _named(error: MessageFieldError, topic: str) -> MessageError:
    return MessageError(error.problem, topic=topic, field=error.path)


def parse_json(data: bytes | str, *, topic: str = "") -> Any:
    """Return what JSON text says.

    Raises:
        MessageError: If it is not JSON.
    """
    try:
        return json.loads(data)
    # RecursionError: brackets nested thousands deep, which only damage writes.
    except (ValueError, RecursionError) as error:
        raise MessageError(f"not JSON: {error}", topic=topic) from None


@functools.cache
def codec_for(message_type: type) -> Codec:
    """Return the codec of a message type; built on the first call.

    Raises:
        ConfigError: If it is no frozen dataclass or a field's type cannot travel.
    """
    fields = _dataclass_codec(message_type, ())
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": message_type.__qualname__,
        "description": SCHEMA_NOTE,
        **fields.schema,
    }
    name = f"{message_type.__module__}.{message_type.__qualname__}"
    return Codec(message_type=message_type, name=name, schema=schema, fields=fields)


def _dataclass_codec(cls: type, outer: tuple[type, ...]) -> FieldCodec:
    name = getattr(cls, "__qualname__", repr(cls))
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise ConfigError(f"{name} is no message type: it must be a dataclass")
    if not cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise ConfigError(
            f"{name} is no message type: others would see it change; "
            "write @dataclass(frozen=True, ...)"
        )
    if cls in outer:
        raise ConfigError(f"{name} is no message type: it contains itself")
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except NameError as error:
        raise ConfigError(
            f"the annotations of {name} cannot be resolved: {error}; "
            "import them at module level, outside `if TYPE_CHECKING`"
        ) from error
    codecs: dict[str, FieldCodec] = {}
    units: dict[str, str] = {}
    for field in dataclasses.fields(cls):
        try:
            codecs[field.name] = field_codec(
                hints[field.name],
                lambda inner: _dataclass_codec(inner, (*outer, cls)),
                field.metadata.get("shape"),
            )
        except ConfigError as error:
            raise ConfigError(f"field `{field.name}` of {name}: {error}") from None
        if "unit" in field.metadata:
            units[field.name] = str(field.metadata["unit"])
    return FieldCodec(
        _object_schema(codecs, units),
        _encoder(cls, codecs),
        _decoder(cls, codecs),
        _freezer(cls, codecs),
    )


def _object_schema(
    codecs: dict[str, FieldCodec], units: dict[str, str]
) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    for name, codec in codecs.items():
        entry = codec.schema
        if name in units:
            entry = entry | {"unit": units[name], "description": f"[{units[name]}]"}
        if is_readable_by_viewers(entry):
            schema["properties"][name] = entry
        else:
            schema.setdefault("patternProperties", {})[f"^{name}$"] = entry
    schema["required"] = [n for n, codec in codecs.items() if not codec.is_optional]
    schema["additionalProperties"] = False
    return schema


def _values_getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) == 1:
        return lambda message: (getattr(message, names[0]),)
    return operator.attrgetter(*names) if names else lambda _message: ()


def _encoder(cls: type, codecs: dict[str, FieldCodec]) -> Callable[[Any], str]:
    names = list(codecs)
    get_values = _values_getter(names)
    encoders = [codec.encode for codec in codecs.values()]
    keys = [encode_basestring_ascii(name) + ":" for name in names]
    template = "{" + ",".join(key.replace("%", "%%") + "%s" for key in keys) + "}"
    has_optional = any(codec.is_optional for codec in codecs.values())

    def texts(message: object) -> tuple[tuple[Any, ...], tuple[str, ...]]:
        if type(message) is not cls:
            raise wrong(f"a {cls.__qualname__}", message)
        values = get_values(message)
        try:
            return values, tuple([f(value) for f, value in zip(encoders, values)])  # noqa: B905
        except MessageFieldError:
            raise _first_error(zip(names, encoders, values, strict=True)) from None

    def encode_all(message: object) -> str:
        return template % texts(message)[1]

    def encode_present(message: object) -> str:
        values, parts = texts(message)
        present = zip(keys, parts, values, strict=True)
        return "{" + ",".join([k + t for k, t, v in present if v is not None]) + "}"

    return encode_present if has_optional else encode_all


def _first_error(steps: Any) -> MessageFieldError:
    for name, function, value in steps:
        try:
            function(value)
        except MessageFieldError as error:
            return error.inside(name)
    return MessageFieldError("changed while it was read")


def _decoder(cls: type, codecs: dict[str, FieldCodec]) -> Callable[[Any], Any]:
    initial = {field.name: field.init for field in dataclasses.fields(cls)}

    def decode(value: object) -> Any:
        if not isinstance(value, dict):
            raise wrong(f"an object ({cls.__qualname__})", value)
        arguments: dict[str, Any] = {}
        for name, codec in codecs.items():
            if name not in value:
                if not codec.is_optional:
                    raise MessageFieldError("is missing", name)
                item = None
            else:
                try:
                    item = codec.decode(value[name])
                except MessageFieldError as error:
                    raise error.inside(name) from None
            if initial[name]:
                arguments[name] = item
        if not value.keys() <= codecs.keys():
            raise _unknown_field(cls, value, codecs)
        try:
            return cls(**arguments)
        except (GelenkError, TypeError, ValueError) as error:
            raise MessageFieldError(f"{cls.__qualname__} refuses it: {error}") from None

    return decode


def _unknown_field(cls: type, value: Any, codecs: dict[str, Any]) -> MessageFieldError:
    name = sorted(map(str, value.keys() - codecs.keys()))[0]
    close = difflib.get_close_matches(name, codecs, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return MessageFieldError(f"{cls.__qualname__} has no field {name!r}{hint}")


def _freezer(cls: type, codecs: dict[str, FieldCodec]) -> Callable[[Any], Any] | None:
    freezers = [(n, codec.freeze) for n, codec in codecs.items() if codec.freeze]
    if not freezers:
        return None

    set_field = object.__setattr__

    def shallow_copy(message: object) -> Any:  # four times as fast as copy.copy
        twin = object.__new__(cls)
        for name in codecs:
            set_field(twin, name, getattr(message, name))
        return twin

    def freeze(message: object) -> Any:
        if type(message) is not cls:
            raise wrong(f"a {cls.__qualname__}", message)
        frozen = message
        for name, function in freezers:
            value = getattr(message, name)
            try:
                fixed = function(value)
            except MessageFieldError as error:
                raise error.inside(name) from None
            if fixed is not value:
                frozen = shallow_copy(message) if frozen is message else frozen
                set_field(frozen, name, fixed)
        return frozen

    return freeze

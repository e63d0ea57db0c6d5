"""Codecs of message fields: one per annotation, from value to JSON and back.

A codec is built once per annotation and then only called, so that nothing is looked up
while messages flow. What cannot be plain JSON is written so:

- numbers that JSON lacks are the strings "NaN", "Infinity" and "-Infinity";
- NumPy arrays are nested lists, row by row; bytes are base64;
- an optional field that is None is left out; enums are their names.

Viewers such as Foxglove read a part of JSON Schema only: one `type` per property and
arrays of scalars or objects. Properties that need more stand under `patternProperties`,
which validators obey and viewers pass over.
"""

from __future__ import annotations

import base64
import binascii
import enum
import operator
import types
import typing
from collections.abc import Callable, Mapping
from json.encoder import encode_basestring_ascii
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.field_codec import (
    FieldCodec,
    MessageFieldError,
    Shape,
    array_codec,
    decode_float,
    encode_float,
    float_text,
    quote_non_finite,
    wrong,
)

_int_text = int.__repr__


def is_readable_by_viewers(schema: Mapping[str, Any]) -> bool:
    """Return whether a property's schema keeps to the part that viewers know."""
    if schema.get("type") == "array":
        items = schema.get("items", {})
        scalars = ("number", "integer", "string", "boolean", "object")
        return items.get("type") in scalars and "contentEncoding" not in items
    return isinstance(schema.get("type"), str)


def _encode_int(value: Any) -> str:
    if type(value) is int:
        return _int_text(value)
    if isinstance(value, bool | np.bool_):
        raise wrong("a whole number", value)
    try:
        return _int_text(operator.index(value))
    except TypeError:
        raise wrong("a whole number", value) from None


def _decode_int(value: object) -> int:
    if type(value) is not int:
        raise wrong("a whole number", value)
    return value


def _encode_bool(value: object) -> str:
    if value is True or (isinstance(value, np.bool_) and value):
        return "true"
    if value is False or isinstance(value, np.bool_):
        return "false"
    raise wrong("true or false", value)


def _decode_bool(value: object) -> bool:
    if type(value) is not bool:
        raise wrong("true or false", value)
    return value


def _encode_str(value: Any) -> str:
    try:
        return encode_basestring_ascii(value)
    except TypeError:
        raise wrong("text", value) from None


def _decode_str(value: object) -> str:
    if type(value) is not str:
        raise wrong("text", value)
    return value


def _encode_bytes(value: object) -> str:
    if not isinstance(value, bytes):
        raise wrong("bytes", value)
    return '"' + base64.b64encode(value).decode("ascii") + '"'


def _decode_bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise wrong("bytes as base64", value) from None


_SCALARS: dict[Any, FieldCodec] = {
    float: FieldCodec({"type": "number"}, encode_float, decode_float),
    int: FieldCodec({"type": "integer"}, _encode_int, _decode_int),
    bool: FieldCodec({"type": "boolean"}, _encode_bool, _decode_bool),
    str: FieldCodec({"type": "string"}, _encode_str, _decode_str),
    bytes: FieldCodec(
        {"type": "string", "contentEncoding": "base64"}, _encode_bytes, _decode_bytes
    ),
}


def field_codec(
    annotation: object,
    of_dataclass: Callable[[type], FieldCodec],
    shape: Shape | None = None,
) -> FieldCodec:
    """Return the codec of a resolved annotation.

    Args:
        annotation: Type of a field, without strings in it.
        of_dataclass: Builds the codecs of nested dataclasses.
        shape: Declared shape of an array, None for a free axis; None if not declared.

    Raises:
        ConfigError: If messages cannot carry the type.
    """
    if typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if annotation is np.ndarray or origin is np.ndarray:
        return array_codec(args, shape)
    if origin is typing.Literal:
        return _choice_codec({_literal(value): value for value in args})
    if origin in (types.UnionType, typing.Union):
        rest = [arg for arg in args if arg is not types.NoneType]
        if len(rest) == 1 and len(args) == 2:
            return _optional_codec(field_codec(rest[0], of_dataclass, shape))
    if origin is tuple and args:
        return _tuple_codec(args, of_dataclass)
    if origin in (dict, Mapping) and args[0] in (str, int):
        return _dict_codec(args[0], field_codec(args[1], of_dataclass))
    if isinstance(annotation, type):
        if issubclass(annotation, enum.Enum):
            return _choice_codec(dict(annotation.__members__))
        if hasattr(annotation, "__dataclass_fields__"):
            return of_dataclass(annotation)
    raise ConfigError(
        f"messages cannot carry the type {annotation}; use float, int, bool, str, "
        "bytes, enums, Literal of text, tuple[...], dict[str, ...], NumPy arrays, "
        "frozen dataclasses, or one of them | None"
    )


def _literal(value: object) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"a Literal in a message must be text, got {value!r}")
    return value


def _choice_codec(values: dict[str, Any]) -> FieldCodec:
    """Codec of an enum (by name) or of a Literal of text."""
    texts = {value: encode_basestring_ascii(name) for name, value in values.items()}
    listing = "one of " + ", ".join(values)

    def encode(value: object) -> str:
        try:
            return texts[value]
        except (KeyError, TypeError):
            raise wrong(listing, value) from None

    def decode(value: object) -> Any:
        if not isinstance(value, str) or value not in values:
            raise wrong(listing, value)
        return values[value]

    return FieldCodec({"type": "string", "enum": list(values)}, encode, decode)


def _optional_codec(inner: FieldCodec) -> FieldCodec:
    freeze = inner.freeze
    return FieldCodec(
        inner.schema,
        lambda value: "null" if value is None else inner.encode(value),
        lambda value: None if value is None else inner.decode(value),
        freeze and (lambda value: None if value is None else freeze(value)),
        is_optional=True,
    )


def _item_schema(codec: FieldCodec) -> dict[str, Any]:
    """Schema of an item of a container, where None cannot be left out."""
    if codec.is_optional:
        return {"anyOf": [codec.schema, {"type": "null"}]}
    return codec.schema


def _tuple_codec(
    args: tuple[Any, ...], of_dataclass: Callable[[type], FieldCodec]
) -> FieldCodec:
    if len(args) == 2 and args[1] is Ellipsis:
        return _sequence_codec(field_codec(args[0], of_dataclass), None, args[0])
    if args and all(arg == args[0] for arg in args):
        codec = field_codec(args[0], of_dataclass)
        return _sequence_codec(codec, len(args), args[0])
    codecs = [field_codec(arg, of_dataclass) for arg in args]
    count = len(codecs)
    schema = {
        "type": "array",
        "prefixItems": [_item_schema(codec) for codec in codecs],
        "minItems": count,
        "maxItems": count,
    }

    def each(method: str) -> Callable[[Any], list[Any]]:
        functions = [
            getattr(codec, method) or (lambda value: value) for codec in codecs
        ]

        def apply(values: Any) -> list[Any]:
            _check_length(values, count)
            return [
                _at(i, function, value)
                for i, (function, value) in enumerate(
                    zip(functions, values, strict=True)
                )
            ]

        return apply

    encode_each, decode_each, freeze_each = map(each, ("encode", "decode", "freeze"))
    return FieldCodec(
        schema,
        lambda values: "[" + ",".join(encode_each(values)) + "]",
        lambda values: tuple(decode_each(values)),
        lambda values: tuple(freeze_each(values)),
    )


def _at(i: int, function: Callable[[Any], Any], value: object) -> Any:
    try:
        return function(value)
    except MessageFieldError as error:
        raise error.inside(f"[{i}]") from None


def _check_length(values: object, count: int | None) -> None:
    if not isinstance(values, tuple | list):
        raise wrong("a tuple", values)
    if count is not None and len(values) != count:
        raise MessageFieldError(f"expected {count} items, got {len(values)}")


def _sequence_codec(item: FieldCodec, count: int | None, kind: Any) -> FieldCodec:
    schema: dict[str, Any] = {"type": "array", "items": _item_schema(item)}
    if count is not None:
        schema |= {"minItems": count, "maxItems": count}
    freeze_item = item.freeze

    def encode(values: Any) -> str:
        _check_length(values, count)
        if kind is float:
            try:
                text = ",".join(map(float_text, values))
            except TypeError:  # whole numbers among them, or something wrong
                pass
            else:
                return "[" + (quote_non_finite(text) if "n" in text else text) + "]"
        texts = [_at(i, item.encode, value) for i, value in enumerate(values)]
        return "[" + ",".join(texts) + "]"

    def decode(values: Any) -> tuple[Any, ...]:
        _check_length(values, count)
        return tuple(_at(i, item.decode, value) for i, value in enumerate(values))

    def freeze(values: Any) -> tuple[Any, ...]:
        _check_length(values, count)
        return tuple(map(freeze_item, values)) if freeze_item else tuple(values)

    return FieldCodec(schema, encode, decode, freeze)


def _dict_codec(key_type: type, item: FieldCodec) -> FieldCodec:
    # `properties` is empty but there: viewers insist on it.
    schema = {
        "type": "object",
        "properties": {},
        "additionalProperties": _item_schema(item),
    }

    def encode(values: object) -> str:
        if not isinstance(values, Mapping):
            raise wrong("a mapping", values)
        parts: list[str] = []
        for key, value in values.items():
            if type(key) is not key_type:
                raise wrong(f"keys of type {key_type.__name__}", key)
            text = _at_key(key, item.encode, value)
            parts.append(f"{encode_basestring_ascii(str(key))}:{text}")
        return "{" + ",".join(parts) + "}"

    def decode(values: object) -> dict[Any, Any]:
        if not isinstance(values, dict):
            raise wrong("a mapping", values)
        try:
            keys = [key_type(key) for key in values]
        except ValueError:
            raise wrong("whole numbers as keys", list(values)) from None
        items = [_at_key(key, item.decode, value) for key, value in values.items()]
        return dict(zip(keys, items, strict=True))

    def freeze(values: object) -> dict[Any, Any]:
        if not isinstance(values, Mapping):
            raise wrong("a mapping", values)
        inner = item.freeze
        return {key: inner(value) if inner else value for key, value in values.items()}

    return FieldCodec(schema, encode, decode, freeze)


def _at_key(key: object, function: Callable[[Any], Any], value: object) -> Any:
    try:
        return function(value)
    except MessageFieldError as error:
        raise error.inside(f"[{key!r}]") from None

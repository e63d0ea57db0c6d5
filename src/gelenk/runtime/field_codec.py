"""Field codecs: values of message fields as JSON text, arrays included.

JSON has no nan and no infinities: they are the strings "NaN", "Infinity" and
"-Infinity". Every other float is its shortest text that reads back to the same bits.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gelenk.errors import ConfigError

NON_FINITE = {
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}
_JSON_OF_NON_FINITE = {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}
float_text = float.__repr__


class MessageFieldError(Exception):
    """A value does not fit its field; containers add their step to `path`."""

    def __init__(self, problem: str, path: str = "") -> None:
        self.problem, self.path = problem, path
        super().__init__(problem)

    def inside(self, step: str) -> MessageFieldError:
        """Return the same error as seen from the container."""
        joint = "" if not self.path or self.path.startswith("[") else "."
        return MessageFieldError(self.problem, step + joint + self.path)


class FieldCodec(NamedTuple):
    """Conversions of the values of one annotation.

    Attributes:
        schema: JSON Schema of the value.
        encode: Value to JSON text.
        decode: Parsed JSON to value.
        freeze: Value to an equal one that nobody can change; None if it already is.
        is_optional: Whether None is allowed, and is then left out.
    """

    schema: dict[str, Any]
    encode: Callable[[Any], str]
    decode: Callable[[Any], Any]
    freeze: Callable[[Any], Any] | None = None
    is_optional: bool = False


def wrong(expected: str, value: object) -> MessageFieldError:
    """Return the error for a value of the wrong kind."""
    return MessageFieldError(
        f"expected {expected}, got {type(value).__name__} {value!r:.60}"
    )


def quote_non_finite(text: str) -> str:
    """Return Python's text of numbers with nan and inf as JSON strings.

    Example:
        >>> quote_non_finite("[1.0, nan, -inf]")
        '[1.0, "NaN", "-Infinity"]'
    """
    return re.sub(r"-?inf|nan", lambda found: _JSON_OF_NON_FINITE[found[0]], text)


def encode_float(value: Any) -> str:
    """Return a number as JSON; whole numbers count as floats, booleans do not."""
    try:
        text = float_text(value)
    except TypeError:
        if isinstance(value, bool) or not isinstance(
            value, int | np.integer | np.floating
        ):
            raise wrong("a number", value) from None
        text = float_text(float(value))
    return _JSON_OF_NON_FINITE[text] if text[-1] in "nf" else text


def decode_float(value: object) -> float:
    """Return the float that `encode_float` wrote, to the bit."""
    if type(value) is float:
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise MessageFieldError("expected a number below 1.8e308") from None
    if isinstance(value, str) and value in NON_FINITE:
        return NON_FINITE[value]
    raise wrong("a number", value)


Shape: TypeAlias = tuple[int | None, ...]
VECTOR: Shape = (None,)
_KINDS = {"f": "number", "i": "integer", "u": "integer", "b": "boolean"}


def array_codec(type_args: tuple[Any, ...], shape: Shape | None) -> FieldCodec:
    """Return the codec of an array field.

    Args:
        type_args: Arguments of the annotation, as in NDArray[np.float64]; float64
            if there are none.
        shape: Length of every axis, None for a free one; a vector if not declared,
            because the schema must say how deep the lists are nested.

    Raises:
        ConfigError: If messages cannot carry such numbers.
    """
    dtype, shape = _dtype_of(type_args), VECTOR if shape is None else tuple(shape)
    is_float, is_bool = dtype.kind == "f", dtype.kind == "b"
    rank, has_lengths = len(shape), any(length is not None for length in shape)

    def freeze(value: Any) -> np.ndarray:
        is_array = type(value) is np.ndarray and value.dtype == dtype
        array = value if is_array else _as_dtype(value, dtype)
        if has_lengths or array.ndim != rank:
            _check_shape(array, shape)
        # A read-only view may still change with its base.
        if is_array and array.base is None and not array.flags.writeable:
            return array
        array = np.array(array)
        array.setflags(write=False)
        return array

    def encode(value: object) -> str:
        if type(value) is not np.ndarray or value.dtype != dtype:
            value = _as_dtype(value, dtype)
        if has_lengths or value.ndim != rank:
            _check_shape(value, shape)
        text = repr(value.tolist())
        if is_float:
            return quote_non_finite(text) if "n" in text else text
        return text.lower() if is_bool else text

    def decode(value: object) -> np.ndarray:
        array = _array_from_lists(value, dtype)
        if array.size == 0 and array.ndim < len(shape):  # lists lose the later axes
            array = array.reshape([length or 0 for length in shape])
        _check_shape(array, shape)
        array.setflags(write=False)
        return array

    return FieldCodec(_schema(_KINDS[dtype.kind], shape), encode, decode, freeze)


def _dtype_of(type_args: tuple[Any, ...]) -> np.dtype[Any]:
    scalar = typing.get_args(type_args[1])[0] if len(type_args) == 2 else np.float64
    dtype = np.dtype(scalar if isinstance(scalar, type) else np.float64)
    if dtype.kind not in _KINDS:
        raise ConfigError(f"messages cannot carry arrays of {dtype}; use real numbers")
    return dtype


def _schema(kind: str, shape: Shape) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": kind}
    for length in reversed(shape):
        schema = {"type": "array", "items": schema}
        if length is not None:
            schema |= {"minItems": length, "maxItems": length}
    return schema


def _check_shape(array: np.ndarray, shape: Shape) -> None:
    actual = array.shape
    if len(actual) == len(shape):
        for wanted, length in zip(shape, actual, strict=True):
            if wanted is not None and wanted != length:
                break
        else:
            return
    axes = ["n" if length is None else str(length) for length in shape]
    listing = f"({axes[0]},)" if len(axes) == 1 else f"({', '.join(axes)})"
    remedy = ""
    if len(actual) != len(shape):
        remedy = f"; declare another shape with field(metadata={{'shape': {actual}}})"
    raise MessageFieldError(
        f"expected an array of shape {listing}, got {actual}{remedy}"
    )


def _as_dtype(value: object, dtype: np.dtype[Any]) -> np.ndarray:
    """Return `value` with `dtype` where that loses nothing."""
    if isinstance(value, np.ndarray | np.generic | tuple | list):
        try:
            array = np.asarray(value)
            if array.size == 0:
                return array.astype(dtype)
            # int64 to float64 is "safe" for NumPy, though not beyond 2^53.
            return array.astype(dtype, casting="safe", copy=False)
        except (TypeError, ValueError):
            pass
    given = f" of {value.dtype}" if isinstance(value, np.ndarray) else ""
    raise MessageFieldError(
        f"expected an array of {dtype}, got {type(value).__name__}{given} {value!r:.60}"
    )


def _array_from_lists(value: object, dtype: np.dtype[Any]) -> np.ndarray:
    expected = f"nested lists of {dtype}"
    try:
        natural = np.array(value)
    except (TypeError, ValueError, OverflowError):
        raise wrong(expected, value) from None
    if natural.size == 0 and natural.dtype.kind == "f":
        return natural.astype(dtype)
    if dtype.kind == "f" and natural.dtype.kind in "UO":  # "NaN" and the like
        return _with_non_finite(value, natural.shape, dtype)
    allowed = {"f": "fiu", "i": "iu", "u": "iu", "b": "b"}[dtype.kind]
    if natural.dtype.kind not in allowed:
        raise wrong(expected, value)
    array = natural.astype(dtype)
    if dtype.kind in "iu" and not np.array_equal(array, natural):
        raise wrong(expected, value)
    return array


def _with_non_finite(
    value: object, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> np.ndarray:
    try:
        flat = [decode_float(item) for item in _leaves(value)]
        return np.array(flat, dtype).reshape(shape)
    except (MessageFieldError, ValueError):
        raise wrong(f"nested lists of {dtype}", value) from None


def _leaves(value: object) -> Iterator[Any]:
    if not isinstance(value, list):
        yield value
        return
    for item in value:
        yield from _leaves(item)

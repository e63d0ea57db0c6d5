"""Messages survive JSON to the bit; what does not fit is named by topic and field."""

import dataclasses
import json
import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.runtime.messages import MessageError, codec_for
from gelenk.typing import FloatArray
from runtime.sample_messages import (
    Count,
    Everything,
    Inner,
    JointState,
    Mood,
    Pose,
    Speed,
)

SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308)
floats = st.floats(width=64) | st.sampled_from(SPECIAL)
inners = st.builds(Inner, gain=floats, label=st.text())
vectors = st.lists(floats, max_size=5).map(lambda v: np.array(v, float))
everything = st.builds(
    Everything,
    number=floats,
    whole=st.integers(),
    flag=st.booleans(),
    text=st.text(st.characters()),  # lone surrogates and control characters too
    blob=st.binary(),
    mood=st.sampled_from(Mood),
    choice=st.sampled_from(["left", "right"]),
    inner=inners,
    pair=st.tuples(st.text(), floats),
    triple=st.tuples(floats, floats, floats),
    series=st.lists(st.integers(), max_size=4).map(tuple),
    parts=st.lists(inners, max_size=2).map(tuple),
    gains=st.dictionaries(st.text(), floats, max_size=3),
    by_number=st.dictionaries(st.integers(), inners, max_size=2),
    vector=vectors,
    matrix=st.integers(0, 3).flatmap(
        lambda n: st.lists(floats, min_size=3 * n, max_size=3 * n).map(
            lambda v: np.array(v, float).reshape(-1, 3)
        )
    ),
    counts=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4).map(
        lambda v: np.array(v, np.int64)
    ),
    flags=st.lists(st.booleans(), max_size=4).map(lambda v: np.array(v, bool)),
    small=st.lists(st.floats(width=32), max_size=4).map(
        lambda v: np.array(v, np.float32)
    ),
    scalar=floats.map(np.array),
    maybe=st.none() | floats,
    maybe_inner=st.none() | inners,
    maybes=st.lists(st.none() | floats, max_size=3).map(tuple),
    maybe_vector=st.none() | vectors,
)


def bits(value: Any) -> Any:
    """Return something that is equal only for equal types, shapes and bits."""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("<d", value)
    if isinstance(value, np.ndarray):
        flat = [bits(float(item)) if value.dtype.kind == "f" else item for item in value.ravel()]  # fmt: skip
        return str(value.dtype), value.shape, flat
    if dataclasses.is_dataclass(value):
        return [bits(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, tuple):
        return tuple(bits(item) for item in value)
    if isinstance(value, dict):
        return [(key, bits(item)) for key, item in value.items()]
    return type(value), value


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@given(everything)
def test_every_kind_of_field_comes_back_to_the_bit(message: Everything) -> None:
    codec = codec_for(Everything)

    data = codec.encode(message)

    json.loads(data, parse_constant=refuse_constant)
    assert bits(codec.decode(data)) == bits(message)


@given(everything)
def test_encoding_is_what_the_json_library_reads(message: Everything) -> None:
    """Independent: the standard library's view of the fields that JSON has."""
    plain = json.loads(codec_for(Everything).encode(message))

    assert plain["text"] == message.text
    assert plain["series"] == list(message.series)
    assert plain["mood"] == message.mood.name
    assert plain["counts"] == message.counts.tolist()
    assert ("maybe" in plain) == (message.maybe is not None)


@given(everything)
def test_freezing_changes_no_value(message: Everything) -> None:
    frozen = codec_for(Everything).freeze(message)

    assert bits(frozen) == bits(message)
    assert not frozen.matrix.flags.writeable
    assert frozen.gains is not message.gains


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.nan, '"NaN"'),
        (math.inf, '"Infinity"'),
        (-math.inf, '"-Infinity"'),
        (-0.0, "-0.0"),
        (0.1, "0.1"),
        (1, "1.0"),
        (np.float64(0.1), "0.1"),
        (np.float32(0.5), "0.5"),
    ],
)
def test_how_a_number_is_written(value: float, text: str) -> None:
    assert codec_for(Speed).encode(Speed(value=value)) == f'{{"value":{text}}}'.encode()


def test_the_schema_says_how_non_finite_numbers_are_written_and_tells_units() -> None:
    schema = codec_for(JointState).schema

    for word in ("NaN", "Infinity", "-Infinity"):
        assert word in schema["description"]
    assert schema["properties"]["q"] == {
        "type": "array",
        "items": {"type": "number"},
        "unit": "rad",
        "description": "[rad]",
    }
    assert schema["required"] == ["q", "qd", "is_valid"]


def walk_objects(schema: dict[str, Any]) -> Any:
    """Yield every object schema that a viewer would walk into."""
    yield schema
    for entry in schema["properties"].values():
        inner = entry.get("items", entry)
        if inner.get("type") == "object":
            yield from walk_objects(inner)


@pytest.mark.parametrize("message_type", [Everything, JointState, Pose, Speed, Count])
def test_schemas_keep_to_what_viewers_understand(message_type: type) -> None:
    """Foxglove and its kin refuse a channel with lists of types or nested arrays."""
    scalars = {"boolean", "string", "number", "integer", "object"}

    for schema in walk_objects(codec_for(message_type).schema):
        assert schema["type"] == "object"
        for entry in schema["properties"].values():
            assert entry["type"] in scalars | {"array"}
            if entry["type"] == "array":
                assert entry["items"]["type"] in scalars


def test_what_viewers_do_not_understand_is_still_in_the_schema() -> None:
    schema = codec_for(Pose).schema

    row = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}
    matrix = {"type": "array", "items": row, "minItems": 4, "maxItems": 4}
    assert schema["patternProperties"] == {"^T_world_tool$": matrix}


BASE = json.loads(
    codec_for(Everything).encode(
        Everything(
            number=1.0,
            whole=1,
            flag=True,
            text="",
            blob=b"",
            mood=Mood.CALM,
            choice="left",
            inner=Inner(gain=1.0, label=""),
            pair=("", 1.0),
            triple=(1.0, 2.0, 3.0),
            series=(1,),
            parts=(Inner(gain=1.0, label=""),),
            gains={"a": 1.0},
            by_number={1: Inner(gain=1.0, label="")},
            vector=np.zeros(2),
            matrix=np.zeros((1, 3)),
            counts=np.zeros(1, np.int64),
            flags=np.zeros(1, bool),
            small=np.zeros(1, np.float32),
            scalar=np.array(1.0),
        )
    )
)


@pytest.mark.parametrize(
    ("key", "value", "field", "problem"),
    [
        ("number", "1.0", "number", "expected a number, got str"),
        ("number", True, "number", "expected a number"),
        ("number", 10**400, "number", "below 1.8e308"),
        ("whole", 1.5, "whole", "whole number"),
        ("flag", 1, "flag", "true or false"),
        ("text", None, "text", "expected text"),
        ("blob", "%%", "blob", "base64"),
        ("mood", "SAD", "mood", "one of CALM, ANGRY"),
        ("choice", "up", "choice", "one of left, right"),
        ("inner", {"gain": "x", "label": ""}, "inner.gain", "expected a number"),
        ("inner", {"label": ""}, "inner.gain", "is missing"),
        ("inner", 3, "inner", "an object (Inner)"),
        ("pair", ["", ""], "pair[1]", "expected a number"),
        ("pair", [""], "pair", "expected 2 items, got 1"),
        ("triple", [1.0, 2.0], "triple", "expected 3 items, got 2"),
        ("series", [1, "2"], "series[1]", "whole number"),
        ("parts", [{"gain": 1.0, "label": 2}], "parts[0].label", "expected text"),
        ("gains", {"a": []}, "gains['a']", "expected a number"),
        ("by_number", {"x": {}}, "by_number", "whole numbers as keys"),
        ("vector", [[1.0]], "vector", "shape (n,), got (1, 1)"),
        ("vector", [1.0, None], "vector", "nested lists of float64"),
        ("vector", [1.0, "2"], "vector", "nested lists of float64"),
        ("vector", [1.0, [2.0]], "vector", "nested lists of float64"),
        ("matrix", [[1.0, 2.0]], "matrix", "shape (n, 3), got (1, 2)"),
        ("counts", [1.5], "counts", "nested lists of int64"),
        ("counts", [2**70], "counts", "nested lists of int64"),
        ("counts", [2**63], "counts", "nested lists of int64"),  # would wrap around
        ("flags", [1], "flags", "nested lists of bool"),
        ("maybe", "x", "maybe", "expected a number"),
    ],
)
def test_decoding_errors_name_topic_and_field(key, value, field, problem) -> None:
    data = json.dumps(BASE | {key: value}).encode()

    with pytest.raises(MessageError) as caught:
        codec_for(Everything).decode(data, topic="arm/all")

    assert (caught.value.topic, caught.value.field) == ("arm/all", field)
    assert problem in str(caught.value)
    assert f"topic 'arm/all', field `{field}`" in str(caught.value)


def test_unknown_fields_are_refused_with_the_closest() -> None:
    with pytest.raises(MessageError, match=r"no field 'valu'.*did you mean 'value'"):
        codec_for(Speed).decode(b'{"value": 1.0, "valu": 2.0}')


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"3"])
def test_what_is_no_json_object_is_a_message_error(data: bytes) -> None:
    with pytest.raises(MessageError, match="topic 'speed'"):
        codec_for(Speed).decode(data, topic="speed")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"number": "1"}, "number"),
        ({"number": True}, "number"),
        ({"whole": 1.0}, "whole"),
        ({"whole": True}, "whole"),
        ({"flag": 1}, "flag"),
        ({"text": b""}, "text"),
        ({"blob": ""}, "blob"),
        ({"mood": 1}, "mood"),
        ({"choice": "up"}, "choice"),
        ({"inner": Speed()}, "inner"),
        ({"inner": Inner(gain=None, label="")}, "inner.gain"),  # type: ignore[arg-type]
        ({"triple": (1.0, 2.0)}, "triple"),
        ({"triple": (1.0, True, 2.0)}, "triple[1]"),
        ({"series": 3}, "series"),
        ({"gains": {1: 1.0}}, "gains"),
        ({"gains": {"a": "b"}}, "gains['a']"),
        ({"vector": 3.0}, "vector"),
        ({"counts": np.zeros(2)}, "counts"),
        ({"small": np.zeros(2)}, "small"),
    ],
)
def test_encoding_errors_name_the_field(changes: dict[str, Any], field: str) -> None:
    codec = codec_for(Everything)
    message = dataclasses.replace(codec.from_plain(BASE), **changes)

    with pytest.raises(MessageError) as caught:
        codec.encode(message, topic="t")

    assert (caught.value.topic, caught.value.field) == ("t", field)


def test_a_refusal_of_the_message_itself_is_reported() -> None:
    @dataclass(frozen=True)
    class Positive:
        value: float

        def __post_init__(self) -> None:
            if self.value <= 0.0:
                raise ConfigError("must be positive")

    with pytest.raises(MessageError, match=r"Positive refuses it: must be positive"):
        codec_for(Positive).decode(b'{"value": -1.0}')


def test_types_that_cannot_travel_are_refused_with_the_field() -> None:
    @dataclass(frozen=True)
    class Odd:
        value: complex

    @dataclass(frozen=True)
    class Mixed:
        value: float | str

    @dataclass(frozen=True)
    class Complex:
        value: "np.ndarray[Any, np.dtype[np.complex128]]"

    for message_type in (Odd, Mixed, Complex):
        with pytest.raises(ConfigError, match=f"field `value` of .*{message_type.__name__}.*cannot carry"):  # fmt: skip
            codec_for(message_type)


@dataclass(frozen=True)
class Endless:
    inner: "Endless | None" = None


def test_a_type_that_contains_itself_is_refused() -> None:
    with pytest.raises(ConfigError, match="contains itself"):
        codec_for(Endless)


@dataclass(frozen=True, eq=False)
class Derived:
    values: FloatArray
    total: float = dataclasses.field(init=False, default=0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", float(np.sum(self.values)))


def test_computed_fields_are_recorded_and_computed_again() -> None:
    codec = codec_for(Derived)

    data = codec.encode(Derived(values=np.array([1.0, 2.0])))

    assert json.loads(data)["total"] == 3.0
    assert codec.decode(data).total == 3.0

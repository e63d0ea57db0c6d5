"""Messages survive the way through JSON; what is wrong is named by its field."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.ui import messages
from gelenk.ui.codec import (
    ANSWERS,
    FROM_PAGE,
    REQUESTS,
    RequestError,
    decode,
    decode_request,
    encode,
)
from gelenk.ui.readers import MAX_SAFE_INT, MessageLimits

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
INTS = st.integers(0, MAX_SAFE_INT)
FREE = st.recursive(
    st.none() | st.booleans() | INTS | FLOATS | TEXT,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
    ),
    max_leaves=6,
)


def values(annotation: Any) -> st.SearchStrategy[Any]:
    """Return all values of an annotation, as `messages.py` uses them."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    plain = {float: FLOATS, int: INTS, bool: st.booleans(), str: TEXT, Any: FREE}
    if annotation in plain:
        return plain[annotation]
    if annotation is types.NoneType:
        return st.none()
    if origin is Literal:
        return st.sampled_from(args)
    if origin is types.UnionType:
        return st.one_of(*map(values, args))
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(values(args[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, args))
    if origin is dict:
        return st.dictionaries(TEXT, values(args[1]), max_size=3)
    return messages_of(annotation)


def messages_of(cls: type) -> st.SearchStrategy[Any]:
    """Return all messages of a type that keep to its ranges."""
    hints = typing.get_type_hints(cls)
    fields = {}
    for field in dataclasses.fields(cls):
        low, high = field.metadata.get("minimum"), field.metadata.get("maximum")
        fields[field.name] = values(hints[field.name])
        if low is not None and hints[field.name] is int:
            fields[field.name] = st.integers(low, high)
        elif low is not None:
            fields[field.name] = st.none() | st.floats(low, high)
    return st.builds(cls, **fields)


@pytest.mark.parametrize("kind", REQUESTS)
@given(data=st.data())
def test_every_request_comes_back_as_it_was(kind: str, data: st.DataObject) -> None:
    message = data.draw(messages_of(REQUESTS[kind]))

    again = decode_request(encode(message))

    assert again == message
    assert repr(again) == repr(message)  # 1.0 stays 1.0, -0.0 stays -0.0


# Parts of exhibits are told apart by their kind, which only the page reads.
READ_HERE = [kind for kind in ANSWERS if kind not in ("actions", "overlays")]


@pytest.mark.parametrize("kind", READ_HERE)
@settings(max_examples=25)
@given(data=st.data())
def test_every_answer_comes_back_as_it_was(kind: str, data: st.DataObject) -> None:
    message = data.draw(messages_of(ANSWERS[kind]))

    assert repr(decode(encode(message), ANSWERS, MessageLimits())) == repr(message)


def test_every_message_type_has_one_kind() -> None:
    unions = (messages.FromServer, messages.FromPage)
    classes = [cls for union in unions for cls in typing.get_args(union)]

    assert {**REQUESTS, **ANSWERS}.keys() == {
        "".join(f"_{c.lower()}" if c.isupper() else c for c in cls.__name__)[1:]
        for cls in classes
    }
    assert len(REQUESTS) + len(ANSWERS) == len(classes)


@given(data=FREE)
def test_any_other_json_is_refused_with_a_reason(data: Any) -> None:
    with pytest.raises(RequestError) as refused:
        decode_request(json.dumps(data))

    reply = refused.value.as_reply()
    assert not reply.ok
    assert reply.message


@given(junk=st.binary(max_size=100) | st.text(max_size=100))
def test_no_bytes_raise_anything_else(junk: bytes | str) -> None:
    with pytest.raises(RequestError):
        decode_request(junk)


@pytest.mark.parametrize(
    ("document", "field", "words"),
    [
        ({"kind": "open_scene", "id": 1}, "name", "is missing"),
        (
            {"kind": "open_scene", "id": 1, "name": "a", "nmae": "b"},
            "nmae",
            "open_scene has no field 'nmae'; did you mean 'name'?",
        ),
        ({"kind": "open_scene", "id": 1, "name": None}, "name", "expected text"),
        ({"kind": "open_scene", "id": 1.0, "name": ""}, "id", "a whole number"),
        ({"kind": "open_scene", "id": True, "name": ""}, "id", "a whole number"),
        ({"kind": "open_scene", "id": 2**53, "name": ""}, "id", "below 2^53"),
        ({"kind": "open_scene", "id": -1, "name": ""}, "id", "at least 0, got -1"),
        (
            {"kind": "open_scene", "id": 1, "name": "x" * 200_001},
            "name",
            "expected at most 200000 characters, got 200001",
        ),
        (
            {"kind": "open_scene", "id": 1, "name": "\ud800"},
            "name",
            "half of a character",
        ),
        ({"kind": "get_frame", "id": 1, "tick": -5}, "tick", "at least 0, got -5"),
        (
            {"kind": "execute", "id": 1, "action": "begin"},
            "action",
            "expected one of start, pause, stop, reset, got str 'begin'",
        ),
        (
            {"kind": "set_pace", "id": 1, "pace": "fast"},
            "pace",
            "expected a number or null, got str 'fast'",
        ),
        (
            {"kind": "set_pace", "id": 1, "pace": 0},
            "pace",
            "expected 0.05 to 100, got 0",
        ),
        ({"kind": "set_pace", "id": 1, "pace": True}, "pace", "a number or null"),
        ({"kind": "step_once", "id": 1, "count": 1001}, "count", "1 to 1000"),
        (
            {"kind": "set_parameter", "id": 1, "name": "a", "value": [1]},
            "value",
            "expected a number or text or true or false, got list [1]",
        ),
        ({"kind": "watch", "id": 1, "cameras": "left"}, "cameras", "expected a list"),
        (
            {"kind": "watch", "id": 1, "cameras": ["left", 2]},
            "cameras[1]",
            "expected text, got int 2",
        ),
        (
            {"kind": "watch", "id": 1, "cameras": [""] * 1001},
            "cameras",
            "at most 1000 items",
        ),
        ({"kind": "service", "id": 1, "name": "", "value": []}, "value", "an object"),
        (
            {"kind": "service", "id": 1, "name": "", "value": {"a": [{"b": 2**60}]}},
            "value.a[0].b",
            "below 2^53",
        ),
    ],
)
def test_the_wrong_field_is_named_with_what_was_expected(
    document: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(RequestError) as refused:
        decode_request(json.dumps(document))

    error = refused.value
    assert error.field == field
    assert words in error.problem
    assert error.id == (0 if field == "id" else 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"kind": "hold", "id": 1, "id": 2, "is_held": true}', "'id' is given twice"),
        ('{"kind": "set_pace", "id": 1, "pace": -Infinity}', "-Infinity is no number"),
        ("[" * 100_000, "expected JSON"),
        ('{"kind": "hold"', "expected JSON"),
        ('{"id": ' + "9" * 5000 + "}", "expected JSON"),
    ],
)
def test_what_is_no_proper_json_is_refused(text: str, words: str) -> None:
    with pytest.raises(RequestError) as refused:
        decode_request(text)

    assert words in refused.value.problem
    assert refused.value.id == 0


def test_free_values_may_not_be_nested_without_end() -> None:
    value: Any = 1
    for _ in range(40):
        value = {"a": value}
    text = json.dumps({"kind": "service", "id": 1, "name": "x", "value": value})

    with pytest.raises(RequestError, match="at most 32 levels"):
        decode_request(text)


def test_left_out_fields_have_their_defaults() -> None:
    assert decode_request('{"kind": "watch", "id": 1}') == messages.Watch(id=1)
    with pytest.raises(RequestError, match="`title`: is missing"):
        decode('{"kind": "scene", "number": 1, "name": "a"}', ANSWERS, FROM_PAGE)


def test_numbers_that_json_lacks_become_null() -> None:
    status = messages.Status(scene=1, time=math.nan, speed=math.inf)
    samples = messages.Samples(scene=1, times=(0.5, math.nan, math.inf), values="")

    written = json.loads(encode(status), parse_constant=pytest.fail)
    times = json.loads(encode(samples), parse_constant=pytest.fail)["times"]

    assert (written["time"], written["speed"], written["pace"]) == (None, None, 1.0)
    assert times == [0.5, None, None]


def test_arrays_and_dataclasses_may_stand_in_an_answer() -> None:
    value = {
        "q": np.array([[1.0, np.inf], [0.5, 2.0]]),
        "n": np.int64(3),
        "names": {"b", "a"},
        "line": messages.Line(tick=1, time=0.1, source="a", text="b"),
    }

    written = json.loads(encode(messages.Reply(id=1, ok=True, value=value)))["value"]

    assert written["q"] == [[1.0, None], [0.5, 2.0]]
    assert (written["n"], written["names"]) == (3, ["a", "b"])
    assert written["line"]["source"] == "a"


@pytest.mark.parametrize("value", [object(), {"a": {1, "b"}}, {(1, 2): 3}, b"bytes"])
def test_what_cannot_be_written_is_named(value: Any) -> None:
    with pytest.raises(ConfigError, match="a reply message: "):
        encode(messages.Reply(id=1, ok=True, value=value))


def test_a_circle_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)

    with pytest.raises(ConfigError, match="a reply message: "):
        encode(messages.Reply(id=1, ok=True, value=circle))

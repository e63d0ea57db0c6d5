"""The client's types are those of the messages."""

from __future__ import annotations

import dataclasses
import re
import typing

from gelenk.ui import frames, messages
from gelenk.ui.typescript import PATH, protocol_text


def members(name: str) -> dict[str, str]:
    """Return the members of an interface with their types, from the text alone."""
    found = re.search(
        rf"^export interface {name} {{\n(.*?)^}}", protocol_text(), re.M | re.S
    )
    assert found is not None, name
    pairs = re.findall(r"^  (\w+\??): ([^;]+);$", found[1], re.M)
    return dict(pairs)


def test_the_file_of_the_client_is_up_to_date() -> None:
    hint = "run: python -m gelenk.ui.typescript"
    assert PATH.read_text(encoding="utf-8") == protocol_text(), hint


def test_every_dataclass_has_an_interface_with_all_its_fields() -> None:
    classes = [
        cls
        for cls in vars(messages).values()
        if isinstance(cls, type) and dataclasses.is_dataclass(cls)
    ]
    assert len(classes) > 30
    for cls in classes:
        names = {name.rstrip("?") for name in members(cls.__name__)} - {"kind"}
        assert names == {field.name for field in dataclasses.fields(cls)} - {"kind"}


def test_messages_have_a_kind_and_parts_have_none() -> None:
    assert members("StepOnce")["kind"] == '"step_once"'
    assert members("Hello")["kind"] == '"hello"'
    assert "kind" not in members("Shape")


def test_parts_of_exhibits_are_told_apart_by_their_kind() -> None:
    assert members("WorldTube")["kind"] == '"tube"'
    assert members("WorldTube")["at"] == "[number, number, number][]"
    assert members("WorldTube")["radii"] == "number[]"
    assert members("PixelArrows")["starts"] == "[number, number][]"
    assert members("Overlays")["overlays"].count("|") == 6
    assert members("GroundField")["default"] == "[number, number] | null"


def test_types_are_translated() -> None:
    assert members("Shape")["position"] == "Vec3"
    assert members("Joint")["unit"] == '"rad" | "m"'
    assert members("Joint")["minimum"] == "number | null"
    assert members("Status")["again_in"] == "number | null"
    assert members("Scene")["curves"] == "Curve[]"
    assert members("Parameter")["value"] == "number | string | boolean"
    assert members("Panel")["receivers"] == "Record<string, string>"
    assert members("Floor")["low"] == "[number, number]"
    assert members("Scene")["bodies"] == "Body[]"
    assert members("Reply")["value"] == "unknown"


def test_only_requests_may_leave_out_what_has_a_default() -> None:
    assert "count?" in members("StepOnce")
    assert "name" in members("OpenScene")
    assert not any(name.endswith("?") for name in members("Status"))


def test_unions_and_constants_are_those_of_the_protocol() -> None:
    text = protocol_text()
    for name in ("FromServer", "FromPage"):
        found = re.search(rf"export type {name} =([^;]*);", text)
        assert found is not None
        listed = re.findall(r"\| (\w+)", found[1])
        assert listed == [c.__name__ for c in typing.get_args(getattr(messages, name))]
    assert f"export const VERSION = {messages.VERSION};" in text
    assert f"export const FRAME_HEADER_BYTES = {frames.HEADER.size};" in text


def test_comments_say_meaning_unit_and_range() -> None:
    text = protocol_text()
    assert "/** Simulated time [s]. */\n  time: number;" in text
    assert "/** [rad] */\n  fov_y: number;" in text
    assert "/** 1 to 1000. */\n  count?: number;" in text
    assert "/** Range; null without end. */\n  maximum: number | null;" in text

"""The panel: controls as plain data that say the truth."""

from __future__ import annotations

import json

import pytest

from armbot_cell import TWO, small_cell
from gelenk.errors import NameNotFoundError
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.robots.armbot.panel import describe_panel, press


def enabled(buttons) -> set[str]:
    return {item["name"] for item in buttons if item["is_enabled"]}


def test_the_panel_is_plain_data_and_follows_the_cell(tmp_path):
    with small_cell(tmp_path, TWO) as cell:
        before = describe_panel(cell, flags=RenderFlags(fast=True))
        press(cell, "start", 1)
        cell.windows.open("debug_out")
        cell.run.run(0.1)
        after = json.loads(json.dumps(describe_panel(cell)))
        cell.run.run(0.3)
        newer = describe_panel(cell, since={"debug_out": 1})

    assert enabled(before["buttons"]) == {"start", "reset"}
    assert [flag["name"] for flag in before["flags"] if flag["is_on"]] == ["fast"]
    assert after["state"] == "running"
    assert [robot["state"] for robot in after["robots"]] == ["idle", "running"]
    assert enabled(after["robots"][0]["buttons"]) == {"start", "reset"}
    assert enabled(after["robots"][1]["buttons"]) == {"pause", "stop", "reset"}
    window = {item["name"]: item for item in after["windows"]}["debug_out"]
    assert window["is_open"]
    assert window["lines"] == ["0.000 s  robot1: turn 0"]
    window = {item["name"]: item for item in newer["windows"]}["debug_out"]
    assert window["lines"] == ["0.300 s  robot1: turn 1"]
    assert window["count"] == 2


def test_parameters_have_units_ranges_and_choices(tmp_path):
    with small_cell(tmp_path, TWO, "--set", "gravity=1.62") as cell:
        panel = describe_panel(cell)
    parameters = {item["name"]: item for item in panel["parameters"]}
    assert parameters["gravity"]["value"] == 1.62
    assert (parameters["gravity"]["unit"], parameters["gravity"]["minimum"]) == (
        "m/s^2",
        0.0,
    )
    assert parameters["gravity"]["maximum"] is None
    assert parameters["border"]["choices"] == ["open", "wall"]


def test_a_button_that_does_not_exist_is_named(tmp_path):
    with (
        small_cell(tmp_path, TWO) as cell,
        pytest.raises(NameNotFoundError, match="stop"),
    ):
        press(cell, "halt")

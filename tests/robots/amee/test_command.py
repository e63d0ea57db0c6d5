"""A walk as a plain document, and in words."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.amee import command
from gelenk.robots.amee.command import (
    Moment,
    Walked,
    gait_diagram,
    make_cfg,
    outcome,
    walk_document,
)
from gelenk.robots.amee.fault_plan import read_plan
from gelenk.robots.amee.session import WalkCfg
from gelenk.runtime.files import as_plain

MOMENTS: list[Moment] = []
EXPLAINED = re.compile(r"`(\w+)`")


@pytest.fixture(scope="module")
def walked() -> Walked:
    MOMENTS.clear()
    cfg = make_cfg(gait="save", seed=6, faults=read_plan("sensor-wire:4C@2"))
    return command.walk(cfg, terrain="flat", on_moment=MOMENTS.append)


def test_the_document_is_plain_and_says_why_it_stopped(walked: Walked) -> None:
    document = json.loads(json.dumps(as_plain(walk_document(walked))))

    assert document["outcome"] == document["state"] == "stopped"
    assert not document["ok"]
    assert document["cause"]["kind"] == "sensor"
    assert (document["cause"]["leg"], document["cause"]["joint"]) == (4, "C")
    assert document["reason"].startswith("leg 4, rear right, joint C: ")
    assert document["faults"] == ["sensor_wire:4C@2"]
    assert len(document["max_torque_n_m"]) == 16
    assert document["log"][-1]["weight"] == "decision"
    assert document["log"][-1]["time_s"] < document["simulated_s"] < 4.0


def test_every_key_of_the_document_is_explained_where_it_is_made(
    walked: Walked,
) -> None:
    explained = set(EXPLAINED.findall(command.__doc__ or ""))
    document = walk_document(walked)

    assert set(document) <= explained
    assert set(document["cause"]) | set(document["log"][0]) <= explained


def test_moments_tell_what_the_robot_does_and_each_line_once(walked: Walked) -> None:
    times = [moment.time for moment in MOMENTS]
    doings = [moment.doing for moment in MOMENTS]

    assert times == sorted(times)
    assert doings[0] == "stands on four feet"
    assert "leg 4, rear right, steps" in doings
    assert doings[-1] == "stopped"
    told = [entry for moment in MOMENTS for entry in moment.news]
    assert told == list(walked.result.log)


def test_a_robot_that_only_says_it_arrived_is_short(walked: Walked) -> None:
    result = dataclasses.replace(walked.result, state="arrived")
    assert outcome(result) == "short"
    assert outcome(dataclasses.replace(result, arrived=True)) == "arrived"
    assert outcome(dataclasses.replace(result, arrived=True, fell=True)) == "fallen"


def test_a_gait_diagram_shows_when_each_foot_was_in_the_air(walked: Walked) -> None:
    verdict = dataclasses.replace(walked.result.verdict, time=6.0)
    result = dataclasses.replace(
        walked.result, verdict=verdict, footfalls=((3, 1.0, 3.0), (0, 4.0, 5.0))
    )
    lines = gait_diagram(result, span=10.0, columns=10)
    assert lines == ["####.#", "######", "######", "#..###"]


def test_a_course_reaches_beyond_its_goal() -> None:
    assert make_cfg(distance=9.0).terrain.course.length > 9.0  # type: ignore[union-attr]


def test_a_seed_of_a_campaign_is_the_same_walk_on_the_command_line() -> None:
    asked = make_cfg(
        gait="crawl", distance=5.0, terrain="rubble:8cm", drive="geared", seed=7
    )
    of_campaign = WalkCfg(
        gait="crawl", distance=5.0, terrain="rubble:8cm", drive="geared", seed=7
    )
    assert asked == of_campaign


@pytest.mark.parametrize("distance", [0.0, -1.0, float("nan"), 1e6])
def test_a_distance_that_makes_no_sense_is_refused(distance: float) -> None:
    with pytest.raises(ConfigError, match="up to 100 m"):
        make_cfg(distance=distance)


def test_an_unknown_terrain_suggests_a_near_name() -> None:
    with pytest.raises(NameNotFoundError, match="Did you mean 'rubble'"):
        make_cfg(terrain="rubbel:5cm")

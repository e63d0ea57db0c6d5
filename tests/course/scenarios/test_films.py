"""Scenarios on film: all of them record, and none goes another way for it."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import replace

import numpy as np
import pytest

import gelenk
from gelenk.course.film import MAX_BYTES, Film
from gelenk.course.scenario import SUMMARIES
from gelenk.course.scenarios import arm_cell, elastic_arm, window
from gelenk.typing import FloatArray


def test_every_scenario_takes_a_film() -> None:
    for name in SUMMARIES:
        module = importlib.import_module(f"gelenk.course.scenarios.{name}")
        film = inspect.signature(module.run).parameters["film"]
        assert film.default is None, name


def test_the_film_of_the_elastic_arm_changes_nothing_and_shows_its_errors() -> None:
    film = Film()
    found = elastic_arm.run(3, film=film)
    assert found == elastic_arm.run(3)
    miss = {
        kind: [s.curves["miss of the tool [mm]"] for s in film.shots if kind in s.text]
        for kind in ("rigid", "elastic")
    }
    rms = {kind: np.sqrt(np.mean(np.square(rows))) for kind, rows in miss.items()}
    for kind, value in rms.items():  # of 25 frames a second, not of all steps
        assert 1e-3 * value == pytest.approx(found.figures[f"{kind} [m]"], rel=0.05)


def test_who_looks_at_a_lap_or_a_wipe_changes_nothing() -> None:
    lap = arm_cell.wanted_lap()
    short = arm_cell.Lap(lap.q[:60], lap.on_path[:60], lap.tool[:60])
    puma, state = gelenk.load("puma560"), (lap.q[0], np.zeros(6))
    arm = replace(puma, armature=np.ones(len(puma.mass)))
    friction = arm_cell.FRICTION, arm_cell.VISCOUS
    heard: list[int] = []

    def note(k: int, q: FloatArray, tool: FloatArray) -> None:
        heard.append(len(tool))

    ways = [
        arm_cell.follow(arm, arm, friction, np.zeros(6), short, state, who)
        for who in (None, note)
    ]
    for one, other in zip(*ways, strict=True):
        np.testing.assert_array_equal(one, other)
    assert heard == list(range(1, 61))
    pane = window.Pane(slope=np.zeros(2), bow=0.0, offset=0.0, friction=0.2)
    noise, trace = np.zeros(1100), list[FloatArray]()
    law = window.LAWS["impedance"]
    seen = window.wipe(law(), pane, noise, trace=trace)
    assert seen == window.wipe(law(), pane, noise)
    assert np.shape(trace) == (1100, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["camera_grasp", "humanoid"])
def test_recording_changes_no_figure(name: str) -> None:
    module = importlib.import_module(f"gelenk.course.scenarios.{name}")
    film = Film()
    assert module.run(5, film=film) == module.run(5)
    assert film.duration > 4.0
    assert film.num_bytes < MAX_BYTES

"""Piggy on the page: what it shows, what can be pressed, and that a reset repeats."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from gelenk.robots.piggy.showcase import SCENES, make_game, make_play
from gelenk.runtime.controls import (
    ControlRequest,
    HoldRequest,
    ProceedRequest,
    ResetRequest,
    SetPaceRequest,
)
from gelenk.runtime.scene import LiveScene, Settings

pytestmark = pytest.mark.slow
BOTH = frozenset(["left", "right"])


@pytest.fixture
def opened() -> Iterator[Callable[..., LiveScene]]:
    """Return a function that builds a scene which runs as fast as it can."""
    stands: list[LiveScene] = []

    def build(
        make: Callable[[int, Settings], LiveScene], seed: int = 0, **settings: str
    ) -> LiveScene:
        stands.append(make(seed, settings))
        stands[-1].run.do(SetPaceRequest(pace=None))
        return stands[-1]

    yield build
    for stand in stands:
        stand.run.close()
        stand.world.close()


def exhibit(stand: LiveScene):
    assert stand.exhibit is not None
    return stand.exhibit


def run_until(stand: LiveScene, holds: Callable[[], bool], limit: float = 12.0) -> None:
    stand.run.run(limit, until=holds)
    assert holds()


@pytest.mark.capability("BB-88")
def test_a_thrown_ball_is_seen_predicted_and_met(opened) -> None:
    stand = opened(make_play)
    shown = exhibit(stand)

    def names() -> set[str]:
        return {overlay.name for overlay in shown.overlays()}

    run_until(stand, lambda: {"prediction", "intended bat"} <= names())
    layers = {mark.layer for picture in shown.pictures(BOTH) for mark in picture.marks}
    assert {"balls", "prediction"} <= layers
    assert {"balls", "crossing", "way of the bat"} <= names()
    run_until(stand, lambda: len(shown.tables()[0].rows) == 1)
    assert shown.tables()[0].rows[0][0] == "hit"


@pytest.mark.capability("BB-88")
def test_a_ball_comes_from_where_one_clicks_and_goes_where_one_wants(opened) -> None:
    stand = opened(make_play, drive="tight")
    shown = exhibit(stand)
    shown.press("busy", {"on": False, "skill": "fair"})
    stand.run.run(2.5)
    assert len(shown.tables()[0].rows) == 0

    shown.press("target", {"place": (-0.3, 2.8), "height": 1.2})
    said = shown.press("throw", {"place": (0.4, 4.9), "skill": "skilled"})
    run_until(stand, lambda: len(shown.tables()[0].rows) == 1)

    assert said == "thrown from x 0.40 m, y 4.90 m as soon as it waits"
    assert "target" in {overlay.name for overlay in shown.overlays()}
    assert shown.tables()[0].rows[0][4] < 1.0  # [m], past the target


def test_a_reset_begins_anew_and_repeats(opened) -> None:
    stand = opened(make_play, seed=3)
    shown = exhibit(stand)
    runs = []
    for _ in range(2):
        run_until(stand, lambda: len(shown.tables()[0].rows) == 1)
        runs.append(shown.tables()[0].rows)
        stand.run.do(HoldRequest())
        done = stand.run.post(ResetRequest())
        while not done.done():
            stand.run.tick()
        stand.run.do(ProceedRequest())
        stand.run.do(ControlRequest(action="start"))

    assert runs[0] == runs[1]


def test_in_the_game_people_stand_around_and_the_score_is_kept(opened) -> None:
    stand = opened(make_game)
    shown = exhibit(stand)

    run_until(stand, lambda: any(t.name == "passes" and t.rows for t in shown.tables()))

    overlays = {overlay.name for overlay in shown.overlays()}
    assert {"team 1", "opponents 1", "names of the team"} <= overlays
    score = next(t for t in shown.tables() if t.name == "score")
    assert [row[0] for row in score.rows][:2] == ["passes that arrived", "intercepted"]


def test_scenes_have_names_of_their_own() -> None:
    assert [piece.name for piece in SCENES] == ["piggy/play", "piggy/game"]

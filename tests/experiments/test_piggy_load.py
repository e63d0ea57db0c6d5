"""Tests of how the load of parts is told apart."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from experiments.piggy.load import THESIS, Meter, watched


def burn(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_time_of_an_inner_part_does_not_count_for_the_outer_one() -> None:
    meter = Meter()
    inner = meter.watch("inner", lambda: burn(0.03))

    def work() -> None:
        burn(0.01)
        inner()

    outer = meter.watch("outer", work)
    outer()
    inner()

    assert meter.seconds["inner"] == pytest.approx(0.06, rel=0.3)
    assert meter.seconds["outer"] == pytest.approx(0.01, rel=0.9)


@pytest.mark.capability("BB-85")
def test_every_part_of_a_session_has_a_line_of_its_own() -> None:
    """Images, tracker, planning, control, place: each is called as before."""
    said = []

    def part(name: str):
        return lambda *words: said.append((name, *words))

    session = SimpleNamespace(
        world=SimpleNamespace(images=part("images")),
        player=SimpleNamespace(
            tracker=SimpleNamespace(step=part("tracker")),
            control=SimpleNamespace(step=part("control")),
            tactic=part("tactic"),
        ),
        _pass_time=part("place"),
    )
    meter = watched(session)  # pyright: ignore[reportArgumentType]
    session.world.images(0.1)
    session.player.tracker.step(0.1, None, None)
    session.player.tactic("track", 0.1)
    session.player.control.step(0.1)
    session._pass_time(0.1)

    assert [words[0] for words in said] == [
        "images", "tracker", "tactic", "control", "place",
    ]  # fmt: skip
    assert set(meter.seconds) == set(THESIS)
    assert all(seconds >= 0.0 for seconds in meter.seconds.values())

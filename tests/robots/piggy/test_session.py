"""Tests of whole play: throws in the simulated place, from pixels to bat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.piggy.behaviour import Phase
from gelenk.robots.piggy.judge import Crossing, Verdict
from gelenk.robots.piggy.scenario import ThrowsCfg, throws
from gelenk.robots.piggy.session import PlayCfg, PlayResult, PlayRow, PlaySession
from gelenk.robots.piggy.throwers import Throw, draw_throw
from gelenk.runtime.scenario import run_scenario

THROW = Throw(position=(-0.3, 5.2, 1.6), velocity=(0.0, -7.0, 3.6))
CROSSING = Crossing(
    time=1.0, position=np.zeros(3), velocity=np.ones(3), pose=np.zeros(2)
)


def row(*, crossed: bool, hit: bool, has_track: bool) -> PlayRow:
    verdict = Verdict(
        crossing=CROSSING if crossed else None, touch=None, v_out=None, side=0
    )
    if hit:
        verdict = replace(verdict, touch=object())  # pyright: ignore[reportArgumentType]
    return PlayRow(
        throw=THROW,
        verdict=verdict,
        has_track=has_track,
        first_track=0.1,
        intent=None,
        aim_error=0.0,
        bat_error=0.0,
        passed=np.inf,
    )


@pytest.mark.capability("BB-84")
def test_every_throw_falls_into_one_column_of_the_table() -> None:
    """The columns add up as in the thesis's table."""
    kinds = {
        (True, True, True): 7,
        (True, False, False): 2,
        (True, False, True): 3,
        (False, False, True): 4,
        (False, True, True): 1,
    }
    rows = [
        row(crossed=c, hit=h, has_track=t)
        for (c, h, t), count in kinds.items()
        for _ in range(count)
    ]
    table = PlayResult(rows=tuple(rows), times=(), changes=(), notes=()).table
    assert table == {
        "throws": 17,
        "hits": 8,
        "missed_workspace": 5,
        "reached": 12,
        "hits_of_reached": 7,
        "no_track": 2,
        "missed_by_robot": 3,
    }
    came = table["hits_of_reached"] + table["no_track"] + table["missed_by_robot"]
    assert came == table["reached"]


def test_passes_need_tables_and_modes_must_be_known() -> None:
    with pytest.raises(ConfigError, match="tables"):
        PlaySession(PlayCfg(mode="pass"))
    with pytest.raises(ConfigError, match="mode"):
        PlaySession(PlayCfg(mode="smash"))  # pyright: ignore[reportArgumentType]


@pytest.mark.slow
@pytest.mark.capability("BB-77", "BB-78", "BB-79", "BB-81", "BB-92")
def test_balls_in_a_row_are_hit_and_the_bat_goes_home_in_between() -> None:
    rng = np.random.default_rng(1)
    with PlaySession(PlayCfg(seed=1)) as session:
        result = session.run(draw_throw(rng, "indoor", skill="skilled") for _ in "ab")
        rates = len(session.player.control.log) / session.now
    assert result.table["hits_of_reached"] == result.table["reached"] == 2
    phases = [change.after for change in result.changes]
    for phase in (Phase.TRACK, Phase.HIT, Phase.RECOVER, Phase.WAIT):
        assert phases.count(phase) >= 2
    frames = len(result.times) / session.now
    assert frames == pytest.approx(50.0, rel=0.03)
    assert rates == pytest.approx(100.0, rel=0.03)
    for played in result.rows:
        assert played.aim_error < 0.03
        assert played.first_track < 0.25


@pytest.mark.slow
@pytest.mark.capability("BB-91")
def test_on_a_meadow_the_settings_of_the_hall_do() -> None:
    """The same player, tracker and calibration; only the place is another."""
    cfg = replace(PlayCfg(seed=1), place="outdoor")
    assert replace(cfg, place="indoor") == PlayCfg(seed=1)
    throw = draw_throw(np.random.default_rng(3), "outdoor", skill="skilled")
    with PlaySession(cfg) as session:
        result = session.run([replace(throw, wind=(0.8, -0.5, 0.0))])
    assert result.table["hits_of_reached"] == result.table["reached"] == 1


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures_bit_for_bit() -> None:
    cfg = ThrowsCfg(throws=1, mode="sides")
    one, two = (run_scenario(throws, cfg, seed=3) for _ in range(2))
    assert one == two
    assert one.figures["throws"] == 1.0

"""The busy hall: triggers counted twice, equal for equal seeds."""

from __future__ import annotations

import pytest

from gelenk.runtime.scenario import run_scenario
from gelenk.runtime.scenarios.hall import HallCfg, barrier_ends, build_hall

SMALL = HallCfg(robots=2, things=12, barriers=4, circles=2, seconds=6.0)


@pytest.mark.slow
def test_every_passage_sends_a_trigger_and_every_trigger_arrives() -> None:
    outcome = run_scenario("hall", SMALL, 3, None)

    assert outcome.ok, outcome.reason
    assert outcome.figures["passages"] >= 20  # 12 things, 2.4 m on, barriers every 2 m
    assert outcome.figures["fallen"] == 0


@pytest.mark.slow
def test_one_seed_gives_one_hall() -> None:
    hashes = []
    for seed in (1, 1, 2):
        with build_hall(SMALL, seed) as world:
            world.run(1.0)
            hashes.append(world.state_hash())

    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_barriers_span_the_belts() -> None:
    for (x1, y1), (x2, y2) in barrier_ends(SMALL):
        assert abs(x1 - x2) + abs(y1 - y2) == pytest.approx(1.2)

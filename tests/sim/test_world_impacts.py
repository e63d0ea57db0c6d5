"""Impacts that nobody asks for: the latest are kept, in bounded memory."""

from __future__ import annotations

import pytest

import gelenk.sim.world as world_module
from gelenk.sim import Ball, Ground, World


def _bouncing() -> World:
    world = World()
    world.add(Ground(restitution=0.97))
    for k in range(3):
        place = (0.3 * k, 0.0, 0.1 + 0.02 * k)
        ball = Ball(
            name=f"ball{k}", radius=0.03, mass=0.1, restitution=0.97, position=place
        )
        world.add(ball)
    return world


def test_the_latest_impacts_are_kept_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(world_module, "KEPT_IMPACTS", 10)
    with _bouncing() as unread, _bouncing() as read:
        seen: list[tuple[float, tuple[str, str]]] = []
        for _ in range(300):
            unread.run(0.01)
            read.run(0.01)
            seen += [(impact.time, impact.bodies) for impact in read.impacts()]
            assert sum(len(block) for block in unread._impacts) < 10 + 4
        kept = [(impact.time, impact.bodies) for impact in unread.impacts()]

    assert len(seen) > 30
    assert 10 <= len(kept) < 10 + 4
    assert kept == seen[-len(kept) :]

"""A world refuses what it cannot do, and says what would be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gelenk.cli.warmup_world import make_world
from gelenk.errors import ConfigError, GelenkError, NameNotFoundError, ShapeError
from gelenk.sim import Ball, Ground, World
from gelenk.sim.faults import Fault
from gelenk.sim.zones import CircleZone

LATE = Ball(name="late", radius=0.1, mass=1.0)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with make_world() as world:
        yield world


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("ball", "expected a scene object.*got str"),
        (Ball, "expected a scene object.*got type"),
        (Ball(name="box", radius=0.1, mass=1.0), "already has something named 'box'"),
        (
            CircleZone(name="eye", on="enter", center=(0, 0), radius=1),
            "already has something named 'eye'",
        ),
    ],
)
def test_what_cannot_be_added_is_refused(item: Any, words: str) -> None:
    with make_world() as fresh, pytest.raises(ConfigError, match=words):
        fresh.add(item)


Act = Callable[[World], object]


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (lambda w: w.add(LATE), ConfigError, "'late': the world has been stepped"),
        (
            lambda w: w.command("hnd", [0.0]),
            NameNotFoundError,
            "no robot named 'hnd'. Did you mean 'hand'",
        ),
        (
            lambda w: w.command("box", [0.0]),
            NameNotFoundError,
            "no robot named 'box'. Available: hand",
        ),
        (lambda w: w.command("hand", [0, 1]), ConfigError, "'hand' must be 6 finite"),
        (lambda w: w.command("hand", np.zeros((2, 6))), ConfigError, "one per joint"),
        (lambda w: w.command("hand", [np.inf] * 6), ConfigError, "6 finite numbers"),
        (lambda w: w.command("hand", [0] * 6, [1, 2]), ConfigError, "one per joint"),
        (
            lambda w: w.read("hand/encoder"),
            NameNotFoundError,
            "no sensor named 'hand/encoder'. Did you mean 'hand/encoders'",
        ),
        (
            lambda w: w.pose("hand/plam"),
            NameNotFoundError,
            "no object or link named 'hand/plam'. Did you mean 'hand/palm'",
        ),
        (lambda w: w.twist("bal_0"), NameNotFoundError, "Did you mean 'ball_0'"),
        (lambda w: w.joint_positions("box"), NameNotFoundError, "no robot named"),
        (lambda w: w.holder("bx"), NameNotFoundError, "Did you mean 'box'"),
        (lambda w: w.image("eyes"), NameNotFoundError, "Did you mean 'eye'"),
        (lambda w: w.place("box", np.eye(3)), ShapeError, r"4, 4\), got \(3, 3\)"),
        (lambda w: w.place("box", 2 * np.eye(4)), ConfigError, "must be a pose"),
        (
            lambda w: w.place("box", np.full((4, 4), np.nan)),
            ConfigError,
            "`T_world_body` must be finite",
        ),
        (lambda w: w.place("box", np.eye(4), [1, 2]), ShapeError, "`twist`"),
        (
            lambda w: w.place("hand/palm", np.eye(4)),
            ConfigError,
            "robots are moved by their motors",
        ),
        (lambda w: w.place("boxx", np.eye(4)), NameNotFoundError, "Did you mean 'box'"),
        (
            lambda w: w.command_conveyor("bell", running=True),
            NameNotFoundError,
            "no conveyor named 'bell'. Did you mean 'belt'",
        ),
        (
            lambda w: w.command_conveyor("belt", speed=np.nan),
            ConfigError,
            "`speed` of a belt must be finite",
        ),
        (lambda w: w.step(-1), ConfigError, "whole number of ticks, 0 or more, got -1"),
        (lambda w: w.step(1.5), ConfigError, "got 1.5; `run` takes seconds"),  # type: ignore[arg-type]
        (lambda w: w.run(-1.0), ConfigError, "`seconds` must be finite and >= 0"),
        (lambda w: w.run(np.nan), ConfigError, "`seconds` must be finite"),
    ],
)
def test_a_wrong_request_says_what_would_be_right(
    world: World, act: Act, kind: type[GelenkError], words: str
) -> None:
    world.step()
    before = world.state_hash()

    with pytest.raises(kind, match=words):
        act(world)

    assert world.state_hash() == before


def test_a_fault_that_strikes_nothing_is_refused_before_the_first_tick() -> None:
    with make_world() as world:
        world.add(Fault(kind="joint_locked", target="hand/tirn", start=0.0))
        with pytest.raises(NameNotFoundError, match="Did you mean 'hand/turn'"):
            world.step()
        assert world.tick == 0


def test_a_world_in_which_nothing_moves_can_be_stepped_and_asked() -> None:
    with World() as world:
        world.add(Ground())
        world.run(0.01)

        assert world.tick == 10
        assert world.names() == ("ground",)
        assert world.contacts() == ()
        np.testing.assert_array_equal(world.pose("ground"), np.eye(4))


def test_a_closed_world_does_nothing_more() -> None:
    world = World()
    world.add(Ground())
    world.step()
    world.close()
    world.close()

    with pytest.raises(ConfigError, match="the world is closed; build a new one"):
        world.step()
    with pytest.raises(ConfigError, match="closed"):
        world.pose("ground")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"config": 0.001}, "must be a WorldConfig"),
        ({"seed": -1}, "whole number >= 0"),
        ({"seed": 0.5}, "whole number >= 0"),
    ],
)
def test_settings_of_another_kind_are_refused(arguments: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        World(**arguments)


def test_a_command_in_words_is_refused(world: World) -> None:
    with pytest.raises(GelenkError):
        world.command("hand", "fast")  # pyright: ignore[reportArgumentType]

"""What is kept of a run equals what the world shows, and recordings hold it."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording
from gelenk.runtime.scenarios.tracking import track
from gelenk.sim import Ball, Ground, World, WorldConfig


def make_world(step: float = 0.001) -> World:
    world = World(WorldConfig(step=step))
    world.add(Ground())
    world.add(
        Ball(
            name="ball",
            radius=0.05,
            mass=0.2,
            position=(0.0, 0.0, 0.25),
            velocity=(1.0, 0.0, 0.0),
            restitution=0.5,
        )
    )
    return world


def test_a_track_holds_the_parabola_and_then_the_impact() -> None:
    with make_world() as world:
        seen = track(world, ["ball"], 0.3)

    fall = np.sqrt(2 * 0.2 / 9.81)
    t = seen.time[seen.time < fall]
    z = seen.position[: t.size, 0, 2]
    assert_allclose(seen.time, np.arange(31) * 0.01, rtol=0, atol=1e-12)
    assert_allclose(z, 0.25 - 0.5 * 9.81 * t**2, rtol=0, atol=1e-6)
    assert_allclose(seen.twist[: t.size, 0, 0], 1.0, rtol=0, atol=1e-9)
    assert_allclose(seen.impacts[0].time, fall, rtol=0, atol=1e-6)
    assert seen.impacts[0].bodies == ("ground", "ball")


def test_looks_are_whole_ticks_apart() -> None:
    with make_world(step=0.004) as world:
        seen = track(world, ["ball"], 0.1)

    assert_allclose(np.diff(seen.time), 0.008, rtol=0, atol=1e-12)


def test_a_recording_holds_every_look_and_every_impact(tmp_path) -> None:
    with make_world() as world, Recorder(tmp_path / "a.mcap") as recorder:
        seen = track(world, ["ball"], 0.5, recorder)

    with open_recording(tmp_path / "a.mcap") as recording:
        times, positions = recording.arrays("body/ball", "position")
        blows = [message.value for message in recording.messages("impacts")]
    assert_allclose(times, seen.time, rtol=0, atol=1e-9)
    assert_array_equal(positions, seen.position[:, 0])
    assert [blow["time"] for blow in blows] == [i.time for i in seen.impacts]
    assert len(blows) >= 2

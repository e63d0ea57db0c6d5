"""A world with everything in it can be taken back anywhere, and leaves nothing behind."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import psutil
import pytest

from gelenk.cli.warmup_world import FAULT_START, make_world
from gelenk.sim import World
from gelenk.sim.snapshot import Snapshot

STRIDE, LOOKS = 10, 30  # ticks between looks, number of looks


def _go_on(world: World) -> str:
    """Command what depends on the time only, step, and return a fingerprint."""
    t = world.time
    is_closed = (t // 0.1) % 2 == 0
    finger = 0.05 if is_closed else 0.0
    world.command("hand", [0.8 + 0.2 * t, np.sin(20 * t), 0.2, 60.0, finger, finger])
    world.command_conveyor("belt", running=t < 0.2)
    world.step(STRIDE)
    said = [world.read(f"hand/{name}").value for name in ("encoders", "imu", "wrist")]
    return world.state_hash() + np.concatenate(said).tobytes().hex()


def _first_run(world: World) -> tuple[list[Snapshot], list[str], set[str | None]]:
    moments, prints, holders = [], [], set()
    for _ in range(LOOKS):
        moments.append(world.snapshot())
        prints.append(_go_on(world))
        holders.add(world.holder("held"))
    return moments, prints, holders


@pytest.mark.slow
def test_restored_at_any_of_20_points_everything_goes_on_to_the_same_bits() -> None:
    rng = np.random.default_rng(4)
    with make_world(seed=9) as world, make_world(seed=9) as other:
        moments, prints, holders = _first_run(world)
        assert world.impacts()
        assert holders == {None, "hand/palm"}  # it was held, and let go
        assert world.time > 2.0 * FAULT_START
        for k, start in enumerate(rng.permutation(LOOKS)[:20]):
            one = other if k % 4 == 0 else world  # a new world of the same make, too
            one.restore(moments[start])
            for expected in prints[start : start + 4]:
                assert _go_on(one) == expected


def test_one_seed_one_world_and_another_seed_another() -> None:
    def prints(seed: int) -> list[str]:
        with make_world(seed=seed) as world:
            return [_go_on(world) for _ in range(3)]

    assert prints(1) == prints(1) != prints(2)


def test_a_closed_world_is_freed_at_once() -> None:
    world = make_world()
    world.step(20)
    rig = weakref.ref(world._compiled().rig)  # what belongs to the plant goes with it
    gone = weakref.ref(world)
    world.close()
    del world
    gc.collect()

    assert rig() is None
    assert gone() is None


@pytest.mark.slow
@pytest.mark.parametrize("is_closed", [True, False])
def test_24_worlds_leave_no_memory_behind(is_closed: bool) -> None:
    process = psutil.Process()
    used = []
    for _ in range(24):
        world = make_world()
        world.step(5)
        world.snapshot()
        if is_closed:
            world.close()
        del world
        gc.collect()
        used.append(process.memory_info().rss)

    # One such world takes megabytes; what the allocator keeps settles after a few.
    assert used[-1] - used[9] < 6 * 2**20

"""The twenty scenes: each repeats bit by bit, also from a snapshot."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.areas._world_bits import resumes, run_scene
from testkit.scenes import SCENES


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_repeats_bit_by_bit_and_moves(name: str):
    scene = SCENES[name]
    start = scene.build(seed=1).state_hash()

    hashes = {run_scene((name, 100)) for _ in range(2)}

    assert len(hashes) == 1
    assert start not in hashes


@pytest.mark.parametrize("into_new", [False, True])
@pytest.mark.parametrize("name", SCENES)
def test_a_scene_goes_on_from_a_snapshot_as_if_never_stopped(name: str, into_new: bool):
    stop = 10 * int(np.random.default_rng(len(name)).integers(1, 20))

    assert resumes(name, stop, 200, into_new=into_new)


def test_another_seed_gives_another_world():
    scene = SCENES["dropped_balls"]

    assert scene.build(seed=1).state_hash() != scene.build(seed=2).state_hash()

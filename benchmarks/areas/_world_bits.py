"""One seed, one result: the same bits in every repeat, process and continuation."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from benchmarks.harness import Row, Settings
from testkit.scenes import CONTROL, SCENES

TICKS = 1000  # of a run
REPEATS = 5
POINTS = 100  # snapshots


def equal_hashes(settings: Settings) -> Row:
    """Count the runs that end with other bits than the first of their scene."""
    ticks, repeats = settings.pick(TICKS, 200), settings.pick(REPEATS, 2)
    jobs = [(name, ticks) for name in SCENES for _ in range(repeats)]
    here = [run_scene(job) for job in jobs]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        there = list(pool.map(run_scene, jobs))
    first = dict(zip(reversed([name for name, _ in jobs]), reversed(here), strict=True))
    other = sum(
        found != first[name]
        for (name, _), *hashes in zip(jobs, here, there, strict=True)
        for found in hashes
    )
    return Row(
        name="runs_with_other_bits",
        value=float(other),
        unit="runs",
        target=0.0,
        note=f"{len(SCENES)} scenes x {repeats} repeats x 1 and 2 processes, {ticks} "
        "ticks each, hashes of the whole state",
    )


def snapshots_resume(settings: Settings) -> Row:
    """Count the snapshots from which a world does not go on with the same bits."""
    ticks, points = settings.pick(TICKS, 200), settings.pick(POINTS, 20)
    rng = settings.rng()
    names = list(SCENES)
    other = 0
    for k in range(points):
        name = names[k % len(names)]
        stop = CONTROL * int(rng.integers(1, ticks // CONTROL))
        other += not resumes(name, stop, ticks, into_new=k // len(names) % 2 == 0)
    return Row(
        name="snapshots_with_other_bits",
        value=float(other),
        unit="snapshots",
        target=0.0,
        note=f"{points} random points in {len(names)} scenes, restored into the same "
        "world or into one built anew",
    )


def run_scene(job: tuple[str, int]) -> str:
    """Return the hash of a scene, given by name, after some ticks."""
    name, ticks = job
    scene = SCENES[name]
    world = scene.build(seed=1)
    scene.advance(world, ticks)
    return world.state_hash()


def resumes(name: str, stop: int, ticks: int, *, into_new: bool) -> bool:
    """Say whether a scene, restored at tick `stop`, ends as if never stopped."""
    scene = SCENES[name]
    world = scene.build(seed=1)
    scene.advance(world, stop)
    snapshot = world.snapshot()
    scene.advance(world, ticks - stop)
    straight = world.state_hash()
    other = scene.build(seed=1) if into_new else world
    other.restore(snapshot)
    scene.advance(other, ticks - stop)
    return other.state_hash() == straight

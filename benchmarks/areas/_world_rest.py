"""Does a ball that has bounced lie still?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.sim import Ball, Box, Ground, World, WorldConfig
from gelenk.sim.compiled_world import WorldItem
from gelenk.sim.objects import RectOutline, Step

SECONDS = 60.0
QUIET = 1e-3  # slower is at rest [m/s], [rad/s]
REST = 1.0  # target [s]
GAIN = 0.1  # target [%] of the drop's energy: rounding and the soft contact's spring
HEIGHT, MASS, RADIUS = 0.2, 0.2, 0.05


def balls_at_rest(settings: Settings) -> Iterator[Row]:
    """Drop a ball into a valley, on a face, beside a step; watch it for a minute."""
    gains: dict[str, float] = {}
    times: dict[str, float] = {}
    steps = (0.001,) if settings.quick else (0.001, 0.004)
    for name, (things, x) in scenes().items():
        for step in steps:
            gain, rest = _watch(things, x, step)
            key = f"{name} {1e3 * step:g} ms"
            gains[key], times[key] = gain, rest
    yield Row(
        name="rest_energy_gain",
        value=max(gains.values()),
        unit="%",
        target=GAIN,
        note="most by which the energy ever exceeded its minimum so far, of m g h, e = "
        "0.8, 60 s: " + _listed(gains),
    )
    yield Row(
        name="rest_time",
        value=max(times.values()),
        unit="s",
        target=REST,
        note=f"from the last bounce until slower than {QUIET:g} m/s for good: "
        + _listed(times),
    )


def scenes() -> dict[str, tuple[list[WorldItem], float]]:
    """Return by name what a ball is dropped on, and where along x [m]."""
    valley: list[WorldItem] = [
        Box(name="left", size=(1.0, 1.0, 0.2), position=(-0.53, 0.0, -0.1)),
        Box(name="right", size=(1.0, 1.0, 0.2), position=(0.53, 0.0, -0.1)),
        Box(name="fence_left", size=(0.02, 1.0, 0.8), position=(-0.12, 0.0, 0.4)),
        Box(name="fence_right", size=(0.02, 1.0, 0.8), position=(0.12, 0.0, 0.4)),
    ]
    face: list[WorldItem] = [
        Box(name="box", size=(1.0, 1.0, 0.2), position=(0, 0, -0.1))
    ]
    # it hits the step's edge and ends on the floor between step and fence
    plan = RectOutline(center=(0.55, 0.0), size=(1.0, 1.0))
    step: list[WorldItem] = [
        Ground(),
        Step(name="step", plan=plan, height=0.045),
        Box(name="fence", size=(0.02, 1.0, 0.8), position=(-0.06, 0.0, 0.4)),
    ]
    return {"valley": (valley, 0.01), "face": (face, 0.01), "step": (step, 0.008)}


def _watch(things: list[WorldItem], x: float, step: float) -> tuple[float, float]:
    """Return the gain of energy [%] and the time to rest after the last bounce [s]."""
    world = World(WorldConfig(step=step))
    for thing in things:
        world.add(thing)
    world.add(
        Ball(
            name="ball",
            radius=RADIUS,
            mass=MASS,
            position=(x, 0.0, HEIGHT),
            restitution=0.8,
        )
    )
    least, gain, moved = world.energy(), 0.0, 0.0
    while world.time < SECONDS:
        world.step(4)
        now = world.energy()
        gain, least = max(gain, now - least), min(least, now)
        if np.abs(world.twist("ball")).max() > QUIET:
            moved = world.time
    last = max((impact.time for impact in world.impacts()), default=0.0)
    return 100.0 * gain / (MASS * 9.81 * HEIGHT), max(moved - last, 0.0)


def _listed(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in values.items())

"""`billiards`: balls on a table without friction keep energy and momentum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.runtime.scenarios.tracking import Track, track
from gelenk.typing import FloatArray

WALL = 0.1  # [m], height and thickness of the cushions
# A gain of energy below this is rounding: 1e4 ticks of 20 balls, 1e-16 each, and more.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class BilliardsCfg:
    """The table, the balls, and what is demanded.

    Attributes:
        count: Number of balls.
        table: Length and width between the cushions [m].
        radius, mass: Radius [m] and mass [kg] of a ball; by default a pool ball's.
        speed: Standard deviation of each component of the starting velocity [m/s].
        restitution: Coefficient of restitution of balls and cushions.
        seconds: Simulated time [s].
        step: Physics step [s].
        energy_tolerance: Largest share of the energy that may go where e = 1.
        momentum_tolerance: Largest error of the momentum balance, as a share of the
            sum of all |m v| at the start.
    """

    count: int = setting(20, minimum=1)
    table: tuple[float, float] = setting((2.0, 1.0), unit="m", minimum=0.1)
    radius: float = setting(0.0286, unit="m", minimum=1e-3)
    mass: float = setting(0.17, unit="kg", minimum=1e-6)
    speed: float = setting(1.0, unit="m/s", minimum=1e-3)
    restitution: float = setting(1.0, minimum=0.0, maximum=1.0)
    seconds: float = setting(2.0, unit="s", minimum=0.01)
    step: float = setting(0.001, unit="s", minimum=1e-5, maximum=0.004)
    energy_tolerance: float = setting(2e-3, minimum=0.0)
    momentum_tolerance: float = setting(1e-3, minimum=0.0)

    def __post_init__(self) -> None:
        cells = _cells(self)
        if self.count > len(cells):
            raise ConfigError(
                f"{self.count} balls do not fit: the table has room for {len(cells)}"
            )


@scenario(
    "billiards",
    config=BilliardsCfg,
    figures={
        "energy_loss": Figure(help="share of the energy that is gone at the end"),
        "energy_gain": Figure(help="largest gain within 10 ms, as a share"),
        "momentum_error": Figure(help="momentum that no cushion explains, as a share"),
        "impacts": Figure(worst="smallest", help="number of impacts"),
    },
    warm_up=lambda: _play(BilliardsCfg(count=2, seconds=0.1), 0),
)
def billiards(config: BilliardsCfg, seed: int, recorder: Any) -> Outcome:
    """Let 20 balls collide in a box: no energy from nowhere, momentum balanced.

    Momentum changes only by the impulses of the cushions, which the world reports;
    energy is kept where e = 1 and never grows otherwise.
    """
    seen = _play(config, seed, recorder)
    v = seen.twist[:, :, :2]  # along the table
    energy = 0.5 * config.mass * np.sum(v**2, axis=(1, 2))
    momentum = config.mass * np.sum(v, axis=1)
    change = momentum[-1] - momentum[0] - _cushion_impulse(seen)
    scale = config.mass * float(np.sum(np.linalg.norm(v[0], axis=1)))
    figures = {
        "energy_loss": float(1.0 - energy[-1] / energy[0]),
        "energy_gain": max(float(np.max(np.diff(energy)) / energy[0]), 0.0),
        "momentum_error": float(np.linalg.norm(change)) / scale,
        "impacts": float(len(seen.impacts)),
    }
    problems: list[str] = []
    if figures["energy_gain"] > ROUNDING:
        problems.append(f"energy grew by {figures['energy_gain']:.1e} of itself")
    is_elastic = config.restitution == 1.0
    if is_elastic and figures["energy_loss"] > config.energy_tolerance:
        problems.append(f"{figures['energy_loss']:.2%} of the energy is gone")
    if figures["momentum_error"] > config.momentum_tolerance:
        problems.append(f"momentum is off by {figures['momentum_error']:.2%}")
    return Outcome(ok=not problems, figures=figures, reason="; ".join(problems))


def _cells(config: BilliardsCfg) -> FloatArray:
    """Return middles of squares that hold one ball each, with room to draw, (n, 2)."""
    pitch = 3.0 * config.radius
    counts = [int(length // pitch) for length in config.table]
    axes = [(np.arange(n) - 0.5 * (n - 1)) * pitch for n in counts]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    return np.asarray(grid.reshape(-1, 2), dtype=np.float64)


def _play(config: BilliardsCfg, seed: int, recorder: Any = None) -> Track:
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Box, Ground
    from gelenk.sim.scene_object import Ball
    from gelenk.sim.world import World

    rng = np.random.default_rng(seed)
    places = rng.permutation(_cells(config))[: config.count]
    places = places + rng.uniform(-0.4, 0.4, places.shape) * config.radius
    velocities = rng.normal(0.0, config.speed, places.shape)
    slick: dict[str, Any] = {"friction": 0.0, "torsion": 0.0, "rolling": 0.0}
    e = config.restitution
    names = [f"ball_{number}" for number in range(config.count)]
    with World(WorldConfig(step=config.step)) as world:
        world.add(Ground(**slick))
        for name, position, size in _cushions(config.table):
            world.add(
                Box(name=name, position=position, size=size, restitution=e, **slick)
            )
        for name, (x, y), (vx, vy) in zip(names, places, velocities, strict=True):
            world.add(
                Ball(
                    name=name,
                    radius=config.radius,
                    mass=config.mass,
                    restitution=e,
                    position=(x, y, config.radius),
                    velocity=(vx, vy, 0.0),
                    **slick,
                )
            )
        return track(world, names, config.seconds, recorder)


def _cushions(
    table: tuple[float, float],
) -> list[tuple[str, tuple[float, float, float], tuple[float, float, float]]]:
    """Return name, position and size of the four cushions."""
    x, y = 0.5 * (table[0] + WALL), 0.5 * (table[1] + WALL)
    along_x, along_y = (table[0], WALL, WALL), (WALL, table[1] + 2.0 * WALL, WALL)
    z = 0.5 * WALL
    return [
        ("cushion_east", (x, 0.0, z), along_y),
        ("cushion_west", (-x, 0.0, z), along_y),
        ("cushion_north", (0.0, y, z), along_x),
        ("cushion_south", (0.0, -y, z), along_x),
    ]


def _cushion_impulse(seen: Track) -> FloatArray:
    """Return the sum of what the cushions gave to the balls [N s], (2,)."""
    total = np.zeros(2)
    for impact in seen.impacts:
        first, second = (name.startswith("cushion") for name in impact.bodies)
        total += (int(first) - int(second)) * impact.impulse[:2]
    return total

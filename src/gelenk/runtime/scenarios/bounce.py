"""`bounce`: a dropped ball rebounds as its coefficient says, and comes to rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.runtime.scenarios.tracking import Track, track

GRAVITY = 9.81  # [m/s^2]
STILL_SPEED = 1e-3  # [m/s]: slower than this, up or down, is at rest
STILL_HEIGHT = 1e-4  # [m]: nearer to the ground than this is at rest


@dataclass(frozen=True, slots=True, kw_only=True)
class BounceCfg:
    """The ball, what is drawn, and what is demanded.

    Attributes:
        height: Range of the drop [m], from the underside of the ball.
        restitution: Range of the coefficient of restitution.
        spin: Standard deviation of each component of the spin [rad/s].
        radius, mass, friction: Radius [m], mass [kg] and friction coefficient of the
            ball.
        step: Physics step [s].
        rebound_tolerance: Largest relative error of the rebound speed.
        rest_limit: Longest time from the last bounce to rest [s].
        penetration_limit: Deepest overlap [m].
    """

    height: tuple[float, float] = setting((0.2, 1.0), unit="m", minimum=0.01)
    restitution: tuple[float, float] = setting((0.3, 0.9), minimum=0.0, maximum=0.99)
    spin: float = setting(20.0, unit="rad/s", minimum=0.0)
    radius: float = setting(0.05, unit="m", minimum=1e-3)
    mass: float = setting(0.2, unit="kg", minimum=1e-6)
    friction: float = setting(0.5, minimum=0.0)
    step: float = setting(0.001, unit="s", minimum=1e-5, maximum=0.004)
    rebound_tolerance: float = setting(1e-3, minimum=0.0)
    rest_limit: float = setting(1.0, unit="s", minimum=0.0)
    penetration_limit: float = setting(5e-4, unit="m", minimum=0.0)

    def __post_init__(self) -> None:
        for name in ("height", "restitution"):
            low, high = getattr(self, name)
            if low > high:
                raise ConfigError(
                    f"{name} must go from low to high, got {low} to {high}"
                )


@scenario(
    "bounce",
    config=BounceCfg,
    figures={
        "rebound_error": Figure(help="relative error of the first rebound's speed"),
        "rest_time": Figure(unit="s", help="from the last bounce to rest"),
        "penetration": Figure(unit="m", help="deepest overlap with the ground"),
        "bounces": Figure(help="number of bounces"),
    },
    warm_up=lambda: _drop(BounceCfg(), 0.1, 0.5, np.zeros(3), 0.3),
)
def bounce(config: BounceCfg, seed: int, recorder: Any) -> Outcome:
    """Drop a spinning ball: rebound within 0.1 %, at rest within 1 s.

    Height, coefficient of restitution and spin are drawn. The rebound speed is found
    from height and speed in free flight before and after the first impact, not from
    what the simulator says about its impacts.
    """
    rng = np.random.default_rng(seed)
    height, e = rng.uniform(*config.height), rng.uniform(*config.restitution)
    spin = rng.normal(0.0, 1.0, 3) * config.spin
    # All bounces together last sqrt(2 h / g) (1 + e) / (1 - e).
    duration = np.sqrt(2.0 * height / GRAVITY) * (1.0 + e) / (1.0 - e)
    seen = _drop(config, height, e, spin, duration + config.rest_limit + 0.5, recorder)
    figures = {
        "rebound_error": abs(_measured_restitution(seen, config.radius) / e - 1.0),
        "rest_time": _rest_time(seen, config.radius),
        "penetration": max(config.radius - float(seen.position[:, 0, 2].min()), 0.0),
        "bounces": float(len(seen.impacts)),
    }
    problems = [
        text
        for is_bad, text in (
            (
                not figures["rebound_error"] <= config.rebound_tolerance,
                f"rebound of e = {e:.3f} is off by {figures['rebound_error']:.2%}",
            ),
            (
                not figures["rest_time"] <= config.rest_limit,
                f"not at rest {config.rest_limit:g} s after the last bounce",
            ),
            (
                figures["penetration"] > config.penetration_limit,
                f"{1e3 * figures['penetration']:.3f} mm deep in the ground",
            ),
        )
        if is_bad
    ]
    return Outcome(ok=not problems, figures=figures, reason="; ".join(problems))


def _drop(
    config: BounceCfg,
    height: float,
    e: float,
    spin: np.ndarray,
    seconds: float,
    recorder: Any = None,
) -> Track:
    # Inside: whoever only lists scenarios need not wait for the engine.
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Ground
    from gelenk.sim.scene_object import Ball
    from gelenk.sim.world import World

    gravity = (0.0, 0.0, -GRAVITY)
    with World(WorldConfig(step=config.step, gravity=gravity)) as world:
        world.add(Ground(friction=config.friction))
        world.add(
            Ball(
                name="ball",
                radius=config.radius,
                mass=config.mass,
                friction=config.friction,
                restitution=e,
                position=(0.0, 0.0, config.radius + height),
                angular_velocity=(spin[0], spin[1], spin[2]),
            )
        )
        return track(world, ["ball"], seconds, recorder)


def _measured_restitution(seen: Track, radius: float) -> float:
    """Return rebound over impact speed, v^2 + 2 g z being constant in flight."""
    if not seen.impacts:
        return np.nan
    before = int(np.searchsorted(seen.time, seen.impacts[0].time)) - 1
    squares = seen.twist[:, 0, 2] ** 2 + 2.0 * GRAVITY * (
        seen.position[:, 0, 2] - radius
    )
    return float(np.sqrt(max(squares[before + 1], 0.0) / squares[before]))


def _rest_time(seen: Track, radius: float) -> float:
    """Return how long after its last impact the ball still rose or fell [s]."""
    height = seen.position[:, 0, 2] - radius
    is_still = (abs(seen.twist[:, 0, 2]) < STILL_SPEED) & (abs(height) < STILL_HEIGHT)
    if not seen.impacts or not is_still[-1]:
        return np.inf
    restless = np.flatnonzero(~is_still)
    first_still = int(restless[-1]) + 1 if restless.size else 0
    return max(float(seen.time[first_still]) - seen.impacts[-1].time, 0.0)

"""`belt`: a conveyor carries a box at its speed and draws it to its middle line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario
from gelenk.runtime.scenarios.tracking import Track, track

LENGTH = 4.0  # [m], of the belt
BELT_HEIGHT = 0.3  # [m]
DROP = 1e-3  # [m], from which the box is let go
START = -1.7  # [m], where it is let go, the middle of the belt being 0
RIDE_IN = 1.0  # [s] until the box is expected to ride with the belt


@dataclass(frozen=True, slots=True, kw_only=True)
class BeltCfg:
    """Belt, box, and what is demanded.

    Attributes:
        speed: Range of the belt's speed [m/s].
        offset: Largest distance from the middle line at the start [m].
        size: Edges of the box [m].
        mass: Mass of the box [kg].
        width: Width of the belt [m].
        friction: Friction coefficient between box and belt.
        to_middle_speed: Speed of the drift to the middle line [m/s].
        seconds: Simulated time [s].
        step: Physics step [s].
        speed_tolerance: Largest relative error of the speed, once the box rides.
        middle_tolerance: Largest distance from the middle line at the end [m].
    """

    speed: tuple[float, float] = setting((0.1, 0.8), unit="m/s", minimum=0.01)
    offset: float = setting(0.12, unit="m", minimum=0.0)
    size: tuple[float, float, float] = setting((0.1, 0.08, 0.06), unit="m")
    mass: float = setting(0.5, unit="kg", minimum=1e-6)
    width: float = setting(0.5, unit="m", minimum=0.05)
    friction: float = setting(0.8, minimum=0.0)
    to_middle_speed: float = setting(0.05, unit="m/s", minimum=0.0)
    seconds: float = setting(4.0, unit="s", minimum=RIDE_IN + 0.1)
    step: float = setting(0.001, unit="s", minimum=1e-5, maximum=0.004)
    speed_tolerance: float = setting(0.01, minimum=0.0)
    middle_tolerance: float = setting(0.005, unit="m", minimum=0.0)

    def __post_init__(self) -> None:
        low, high = self.speed
        if low > high:
            raise ConfigError(f"speed must go from low to high, got {low} to {high}")
        reach = START + high * self.seconds + max(self.size)
        if reach > 0.5 * LENGTH:
            raise ConfigError(
                f"at {high} m/s the box leaves the belt of {LENGTH} m within "
                f"{self.seconds} s; lower the speed or the time"
            )
        if self.offset + max(self.size) > 0.5 * self.width:
            raise ConfigError(
                f"a box {self.offset} m off the middle may hang over the edge of a "
                f"belt {self.width} m wide"
            )


@scenario(
    "belt",
    config=BeltCfg,
    figures={
        "speed_error": Figure(help="largest relative error of the speed, riding"),
        "middle_distance": Figure(unit="m", help="from the middle line at the end"),
        "tilt": Figure(unit="rad", help="largest angle out of upright"),
    },
    warm_up=lambda: _carry(BeltCfg(seconds=1.2), 0.2, 0.0, 0.0),
)
def belt(config: BeltCfg, seed: int, recorder: Any) -> Outcome:
    """Put a box on a conveyor: it rides at belt speed and ends in the middle.

    Speed of the belt, offset and heading of the box are drawn. A second after it was
    let go the box must move with the belt, within 1 %, and stay upright; at the end it
    must be within 5 mm of the middle line.
    """
    rng = np.random.default_rng(seed)
    speed = rng.uniform(*config.speed)
    offset = rng.uniform(-config.offset, config.offset)
    yaw = rng.uniform(-np.pi, np.pi)
    seen = _carry(config, speed, offset, yaw, recorder)
    is_riding = seen.time >= RIDE_IN
    along = seen.twist[is_riding, 0, 0]
    figures = {
        "speed_error": float(np.max(np.abs(along / speed - 1.0))),
        "middle_distance": abs(float(seen.position[-1, 0, 1])),
        "tilt": float(np.max(np.arccos(np.clip(seen.up[:, 0], -1.0, 1.0)))),
    }
    problems: list[str] = []
    if figures["speed_error"] > config.speed_tolerance:
        problems.append(f"speed is off by {figures['speed_error']:.2%}")
    # A belt that does not draw to the middle keeps the box where it was put.
    if config.to_middle_speed * (config.seconds - RIDE_IN) >= abs(offset) and (
        figures["middle_distance"] > config.middle_tolerance
    ):
        problems.append(f"{1e3 * figures['middle_distance']:.1f} mm off the middle")
    if figures["tilt"] > 0.1:
        problems.append(f"the box tilts by {figures['tilt']:.2f} rad")
    return Outcome(ok=not problems, figures=figures, reason="; ".join(problems))


def _carry(
    config: BeltCfg, speed: float, offset: float, yaw: float, recorder: Any = None
) -> Track:
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Conveyor, Ground
    from gelenk.sim.objects import RectOutline
    from gelenk.sim.scene_object import Cuboid
    from gelenk.sim.world import World

    with World(WorldConfig(step=config.step)) as world:
        world.add(Ground())
        world.add(
            Conveyor(
                name="belt",
                plan=RectOutline(size=(LENGTH, config.width)),
                h1=BELT_HEIGHT,
                h2=BELT_HEIGHT,
                speed=speed,
                to_middle_speed=config.to_middle_speed,
                friction=config.friction,
            )
        )
        z = BELT_HEIGHT + 0.5 * config.size[2] + DROP
        world.add(
            Cuboid(
                name="box",
                size=config.size,
                mass=config.mass,
                friction=config.friction,
                position=(START, offset, z),
                quat=(float(np.cos(yaw / 2)), 0.0, 0.0, float(np.sin(yaw / 2))),
            )
        )
        return track(world, ["box"], config.seconds, recorder)

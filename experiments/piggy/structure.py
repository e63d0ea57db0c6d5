"""What the body does beside the drive: the rod rings, the base stands."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.drive_bench import CYCLE, STEP, DriveBench
from experiments.piggy.drive_moves import ball_momentum
from experiments.piggy.rod import ROD, RodCfg, deflections
from experiments.piggy.tipping import (
    BASE_MASS,
    FOOT,
    angular_momentum,
    base_moments,
    moving_parts,
    tipping_share,
    weight_moment,
)
from gelenk.robots.piggy.config import UNIT
from gelenk.robots.piggy.kinematics import forward
from gelenk.typing import FloatArray

CALM = UNIT.bat_length * math.radians(0.5)  # [m], half a degree at the sphere
HARD = 8.0  # [m/s], a hard ball


def rod_ringing(*, cfg: RodCfg = ROD) -> list[ComparedFigure]:
    """How far the sphere rings in a move of 46 degrees, directly and by a pattern."""
    figures: list[ComparedFigure] = []
    for name, smooth in (("directly", False), ("by a pattern", True)):
        bench = DriveBench(q=np.deg2rad([0.0, 23.0]))
        bench.start(0.6)
        bench.control.reach(np.deg2rad([0.0, -23.0]), smooth=smooth)
        tilt = _every_tick(bench, 1.6)
        speed = np.diff(tilt) / STEP
        bent = deflections(UNIT.bat_length * np.diff(speed) / STEP, STEP, cfg=cfg)
        late = np.flatnonzero(np.abs(bent) > CALM)
        figures.append(
            ComparedFigure(
                experiment="rod",
                quantity=f"46 deg {name}: the sphere trails by at most",
                value=1e3 * float(np.abs(bent).max()),
                unit="mm",
                note=f"within half a degree after {1e3 * STEP * (late[-1] + 1):.0f} ms"
                if len(late)
                else "never more than half a degree",
            )
        )
    hertz = cfg.frequency / (2.0 * math.pi)
    figures.append(
        ComparedFigure(
            experiment="rod",
            quantity="rings at",
            value=hertz,
            unit="Hz",
            thesis="14 to 16 by its stiffness",
            accepted=(13.0, 17.0),
        )
    )
    return figures


def base_stability(
    *, speed: float = HARD, base_mass: float = BASE_MASS
) -> list[ComparedFigure]:
    """Whether the base tips in the abrupt reversal of EX-32 and in a hard hit.

    Args:
        speed: Of the ball that hits the bat's middle from the front [m/s].
        base_mass: Assumed [kg].
    """
    figures: list[ComparedFigure] = []
    for name, moments in (
        ("in the abrupt reversal of EX-32", reversal_moments()),
        (f"when a ball of {speed:g} m/s hits the bat", hit_moments(speed)),
    ):
        figures.append(
            ComparedFigure(
                experiment="stand",
                quantity=f"{name}: of the moment that tips {base_mass:g} kg",
                value=100.0 * tipping_share(moments, base_mass=base_mass),
                unit="%",
                accepted=(0.0, 100.0),
                note=f"at most {np.abs(moments[:, :2]).max():.1f} N m at the floor",
            )
        )
    return figures


def reversal_moments() -> FloatArray:
    """Return what the base feels in the abrupt reversal of EX-32 [N m], (n, 3)."""
    bench = DriveBench(q=np.deg2rad([0.0, 30.0]))
    bench.start(0.6)

    def command(tick: int) -> None:
        if tick == 0:
            bench.control.reach(np.deg2rad([0.0, 42.8]))
        elif tick == round(0.03 / STEP):
            bench.control.reach(np.deg2rad([0.0, 6.2]))

    return _felt(bench, 0.8, command, lambda tick: np.zeros(3))


def hit_moments(speed: float, *, seconds: float = 0.6) -> FloatArray:
    """Return what the base feels when a ball hits the bat from the front, (n, 3)."""
    bench = DriveBench(q=np.deg2rad([0.0, 0.0]))
    bench.start(0.6)
    momentum, lasting = ball_momentum(speed), 0.0147
    ticks = round(lasting / STEP)
    peak = momentum * math.pi / (2.0 * lasting)

    def force(tick: int) -> FloatArray:
        if tick >= ticks:
            return np.zeros(3)
        return np.array([0.0, -peak * math.sin(math.pi * (tick + 0.5) / ticks), 0.0])

    return _felt(bench, seconds, lambda tick: None, force)


def _felt(
    bench: DriveBench,
    seconds: float,
    command: Callable[[int], None],
    force: Callable[[int], FloatArray],
) -> FloatArray:
    """Run tick by tick with a force at the sphere; return moments on the base."""
    world, parts = bench.world, moving_parts()
    momentum, weight, ball = [angular_momentum(world, parts)], [], []
    for tick in range(round(seconds / STEP)):
        command(tick)
        if tick % CYCLE == 0:
            bench.control.keep_alive()
            bench.control.step(world.time)
        pressed = force(tick)
        world.apply_wrench("piggy/sphere", [*pressed, 0.0, 0.0, 0.0])
        weight.append(weight_moment(world, parts))
        ball.append(np.cross(forward(bench.bat) - FOOT, pressed))
        world.step()
        momentum.append(angular_momentum(world, parts))
    return base_moments(momentum, weight, ball, STEP)


def _every_tick(bench: DriveBench, seconds: float) -> FloatArray:
    """Run, and return the bat's tilt in every tick [rad], (n,)."""
    tilts: list[float] = []
    for tick in range(round(seconds / STEP)):
        if tick % CYCLE == 0:
            bench.control.keep_alive()
            bench.control.step(bench.world.time)
        bench.world.step()
        tilts.append(float(bench.bat[1]))
    return np.array(tilts)

"""The judge: what became of a throw, from the simulator's truth.

Nobody else may use this: perception, planning and motion must do without.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.balls import BallFlight, Touch
from gelenk.robots.piggy.kinematics import inverse
from gelenk.robots.piggy.workspace import height, is_valid
from gelenk.robots.piggy.world import KEPT_BALLS, PiggyWorld
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossing:
    """Where a ball's centre would enter the workspace if there were no bat.

    Attributes:
        time: [s].
        position: [m], (3,).
        velocity: [m/s], (3,).
        pose: Roll and tilt that put the bat there [rad], (2,).
    """

    time: float
    position: FloatArray
    velocity: FloatArray
    pose: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdict:
    """What became of a throw.

    Attributes:
        crossing: Where it would enter the workspace; None: it misses it.
        touch: First contact with the bat's sphere or rod, None if there was none.
        v_out: Velocity of the ball after its last contact with the bat [m/s], (3,), or
            None.
        side: -1 if it left towards the robot's left of where it came from, 1 to the
            right; 0 without a contact.
    """

    crossing: Crossing | None
    touch: Touch | None
    v_out: FloatArray | None
    side: int

    @property
    def crossed(self) -> bool:
        """Whether the ball's path comes into the workspace."""
        return self.crossing is not None

    @property
    def hit(self) -> bool:
        """Whether the bat touched the ball."""
        return self.touch is not None


def crossing_of(ball: BallFlight) -> Crossing | None:
    """Return where a ball would first enter the workspace, where the bat may be."""
    return first_crossing(ball.free_path(), ball.h, ball.release * ball.h)


def first_crossing(path: FloatArray, h: float, start: float) -> Crossing | None:
    """Return the first way of a path into the workspace at a pose the bat may take.

    Args:
        path: Positions and velocities [m, m/s], (n, 6); NaN where it is unknown.
        h: Between them [s].
        start: Time of the first [s].
    """
    above = height(path[:, :3])
    for i in np.flatnonzero((above[:-1] > 0.0) & (above[1:] <= 0.0)):
        share = above[i] / (above[i] - above[i + 1])
        row = (1.0 - share) * path[i] + share * path[i + 1]
        pose = inverse(row[:3])
        if np.isfinite(pose).all() and bool(is_valid(pose)):
            return Crossing(
                time=start + h * (i + share),
                position=row[:3],
                velocity=row[3:],
                pose=pose,
            )
    return None


def judge(world: PiggyWorld, number: int) -> Verdict:
    """Return what became of a ball so far.

    Args:
        world: In which it was thrown.
        number: Of the ball, see `PiggyWorld.throw`.
    """
    ball = _ball(world, number)
    touches = [touch for touch in ball.touches if touch.body in ("sphere", "rod")]
    if not touches:
        return Verdict(crossing=crossing_of(ball), touch=None, v_out=None, side=0)
    v_in, v_out = touches[0].v_before, touches[-1].v_after
    # Seen from above, to the right of the way back.
    back = -v_in[:2] / np.linalg.norm(v_in[:2])
    across = float(v_out[0] * back[1] - v_out[1] * back[0])
    return Verdict(
        crossing=crossing_of(ball),
        touch=touches[0],
        v_out=v_out,
        side=int(np.sign(across)),
    )


def passing_distance(world: PiggyWorld, number: int, target: ArrayLike) -> float:
    """Return how near a ball passes a point after its last contact with the bat [m].

    The flight counts until it touches the floor or is forgotten; infinite if the bat
    never touched it.

    Args:
        world: In which it was thrown.
        number: Of the ball.
        target: [m], (3,).
    """
    ball = _ball(world, number)
    touches = [touch for touch in ball.touches if touch.body in ("sphere", "rod")]
    if not touches:
        return float("inf")
    first = round(touches[-1].end / ball.h) - ball.release
    path = ball.path[max(first, 0) :, :3]
    path = path[np.isfinite(path[:, 0])]
    landing = np.flatnonzero(path[:, 2] < 0.07)
    if len(landing):
        path = path[: landing[0] + 1]
    away = np.linalg.norm(path - np.asarray(target, dtype=np.float64), axis=1)
    return float(away.min()) if len(away) else float("inf")


def _ball(world: PiggyWorld, number: int) -> BallFlight:
    balls = world.truth.balls
    if not 0 <= number < len(balls):
        raise ConfigError(
            f"ball {number} was never thrown; {len(balls)} balls were, from 0 on"
        )
    if balls[number].is_forgotten:
        raise ConfigError(
            f"the way of ball {number} is forgotten; judge balls before {KEPT_BALLS} "
            "more are thrown"
        )
    return balls[number]

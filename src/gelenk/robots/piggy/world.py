"""Piggy's simulated place: the batting unit on its drive, balls, air, two cameras.

The world is the truth. Whoever plays reads images and servos, and nothing else; only
`judge` looks at `PiggyWorld.truth`.

World axes: x to the robot's right, y towards the thrower, z up; the origin is the
front right corner of the housing on the floor. Time runs in ticks of 0.5 ms. The
robot lives in the engine's world. Balls fly beside it: far from the bat as the air
wants (`air`), at the bat by the law of `ball_contact`, whose reaction presses the bat
in the same tick.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.ball_contact import (
    NOTHING,
    ROD_ENDS,
    ROD_RADIUS,
    SPHERE,
    gap_to_bat,
    press_bat,
    push_ball,
)
from gelenk.robots.piggy.balls import BallFlight, Touch
from gelenk.robots.piggy.calibration.boards import Board
from gelenk.robots.piggy.camera_pair import CameraPair, Image
from gelenk.robots.piggy.cameras import TrueCamera, make_rig
from gelenk.robots.piggy.config import BALL_RADIUS, GRAVITY
from gelenk.robots.piggy.drawing import capsules
from gelenk.robots.piggy.drives import JOINTS, piggy_robot
from gelenk.robots.piggy.hardware.servo import Bus
from gelenk.robots.piggy.hardware.world_servo import MIDDLE, WorldServo
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.scene_config import SceneCfg as SceneCfg
from gelenk.robots.piggy.throwers import WEATHER, Throw
from gelenk.sim.config import WorldConfig
from gelenk.sim.snapshot import Snapshot
from gelenk.sim.world import World
from gelenk.spatial import so3
from gelenk.typing import FloatArray

BAT = "piggy/bat"
BAT_SPEED = 8.0  # [m/s], no bat is faster
KEPT_BALLS = 64  # of older ones the way is forgotten
SPHERE_ALBEDO, ROD_ALBEDO = 0.85, 0.15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truth:
    """What only a judge may know.

    Attributes:
        rig: The cameras as they are.
        balls: All balls that were thrown, in order.
        gravity: [m/s^2], (3,).
    """

    rig: tuple[TrueCamera, TrueCamera]
    balls: list[BallFlight]
    gravity: FloatArray


class PiggyWorld:
    """The place while it lives; made by `make_world`.

    Attributes:
        cfg: What stands where.
        world: The engine's world with the robot "piggy".
        servos: Roll and tilt, in position mode at first.
        cameras: Both; they show what they saw.
        truth: For judges.
    """

    def __init__(self, cfg: SceneCfg) -> None:
        self.cfg = cfg
        R = so3.rot_x(cfg.inclination[0]) @ so3.rot_y(cfg.inclination[1])
        gravity = R @ np.array([0.0, 0.0, -GRAVITY])
        self.world = World(
            WorldConfig(step=cfg.step, gravity=tuple(gravity.tolist())), seed=cfg.seed
        )
        robot = piggy_robot(cfg.drive, q=cfg.q)
        # Balls press the bat by their own law; the engine has nothing to collide.
        self.world.add(replace(robot, colliding_links=()))
        self.truth = Truth(rig=make_rig(cfg.rig), balls=[], gravity=gravity)
        self._air = WEATHER[cfg.place].air
        self._out = np.zeros(9)
        self._begin()

    def _begin(self) -> None:
        """Make everything beside the engine's world as it is at the beginning."""
        cfg, bus = self.cfg, Bus()
        self.truth.balls.clear()
        self._rng = np.random.default_rng([cfg.seed, 0xBA11])
        self.cameras = CameraPair(cfg)
        self._alive: list[BallFlight] = []
        roll, tilt = (
            WorldServo(
                self.world, joint, profile=cfg.drive, bus=bus, middle=MIDDLE + offset
            )
            for joint, offset in zip(JOINTS, cfg.servo_offset, strict=True)
        )
        self.servos: tuple[WorldServo, WorldServo] = roll, tilt

    # -- time ----------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.world.time

    @property
    def tick(self) -> int:
        """Ticks done."""
        return self.world.tick

    def step(self, n: int = 1) -> None:
        """Advance by some ticks."""
        self.step_to((self.world.tick + n) * self.cfg.step)

    def snapshot(self) -> Snapshot:
        """Return the beginning, to come back to; before the first throw only."""
        if self.truth.balls:
            raise ConfigError("a place in which balls were thrown cannot be kept")
        return self.world.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to the beginning; servos and cameras are new ones then."""
        self.world.restore(snapshot)
        self._begin()

    def step_to(self, time: float) -> None:
        """Advance to a time [s], rounded to ticks; never back."""
        target = round(time / self.cfg.step)
        while self.world.tick < target:
            left = self.cameras.until_exposure(self.world.tick)
            self._advance(min(target - self.world.tick, left))
            if self.cameras.is_exposing(self.world.tick):
                self._capture()

    def throw(self, throw: Throw, at: float | None = None) -> int:
        """Let somebody throw a ball; return its number.

        Args:
            throw: How.
            at: When it is released [s]; None: as soon as the arm has swung.
        """
        h = self.cfg.step
        release = self.time + throw.windup if at is None else at
        tick = round(release / h)
        if tick < self.world.tick:
            raise ConfigError(f"a ball cannot be released at {release:g} s: it is past")
        ball = BallFlight(
            len(self.truth.balls),
            throw,
            tick,
            h=h,
            gravity=self.truth.gravity,
            air=self._air,
            floor=self.cfg.floor,
            rng=self._rng,
        )
        self.truth.balls.append(ball)
        self._alive.append(ball)
        if len(self.truth.balls) > KEPT_BALLS:
            self.truth.balls[-KEPT_BALLS - 1].forget_path()
        return ball.number

    def _advance(self, count: int) -> None:
        """Advance by some ticks: many at once where no ball is near the bat."""
        self._alive = [b for b in self._alive if not b.is_over(self.world.tick)]
        balls = self._alive
        while count > 0:
            tick = self.world.tick
            flying = [ball for ball in balls if ball.is_flying(tick)]
            waiting = [-ball.age(tick) for ball in balls if ball.age(tick) < 0]
            leap = min([count, *waiting])
            if flying:
                T, near = self.world.pose(BAT), []
                for ball in flying:
                    gap = gap_to_bat(ball.state[:3], T)
                    if gap <= 0.0 or ball.open_touch is not None:
                        near.append(ball)
                        continue
                    speed = float(np.linalg.norm(ball.state[3:6])) + BAT_SPEED
                    leap = min(leap, max(1, int(gap / (speed * self.cfg.step))))
                if near:
                    leap = 1
                    self._press(near, T, tick)
                for ball in flying:
                    if ball not in near:
                        ball.fly(tick, leap)
            self.world.step(leap)
            count -= leap

    def _press(self, near: list[BallFlight], T: FloatArray, tick: int) -> None:
        """Advance balls at the bat by a tick, and press the bat as they do."""
        h, out = self.cfg.step, self._out
        twist = self.world.twist(BAT)
        wrench = np.zeros(6)
        for ball in near:
            state, age = ball.state, ball.age(tick)
            body = press_bat(state, T, twist, self.cfg.ball.numbers(), h, out)
            if body == NOTHING:
                self._end_touch(ball, tick)
                ball.fly(tick, 1)
                continue
            self._note_touch(ball, body, tick)
            wrench[:3] -= out[:3]
            # The ball's own torque is that of the friction in the contact point.
            wrench[3:] -= np.cross(out[6:9] - T[:3, 3], out[:3])
            wind = ball.wind[min(age, len(ball.wind) - 1)]
            push_ball(state, out, wind, ball.gravity, ball.air[0], ball.air[1], h)
            if age + 1 < len(ball.path):
                ball.path[age + 1] = state[:6]
        self.world.apply_wrench(BAT, wrench, duration=h)

    def _note_touch(self, ball: BallFlight, body: int, tick: int) -> None:
        out, now = self._out, tick * self.cfg.step
        touch = ball.open_touch
        if touch is None:
            state = ball.state
            touch = Touch(
                body="sphere" if body == SPHERE else "rod",
                start=now,
                end=now,
                position=state[:3].copy(),
                point=out[6:9].copy(),
                v_before=state[3:6].copy(),
                v_after=state[3:6].copy(),
                spin_after=state[6:9].copy(),
            )
            ball.open_touch = touch
            ball.touches.append(touch)
        touch.peak_force = max(touch.peak_force, float(np.linalg.norm(out[:3])))
        touch.impulse += out[:3] * self.cfg.step

    def _end_touch(self, ball: BallFlight, tick: int) -> None:
        touch, ball.open_touch = ball.open_touch, None
        if touch is not None:
            touch.end = tick * self.cfg.step
            touch.v_after = ball.state[3:6].copy()
            touch.spin_after = ball.state[6:9].copy()

    # -- sight ---------------------------------------------------------------------

    def set_people(self, people: tuple[Person, ...]) -> None:
        """Let these people stand in the place, and nobody else."""
        self.cameras.set_people(people)

    def show_board(
        self, T_world_board: FloatArray | None, board: Board | None = None
    ) -> None:
        """Let somebody hold up a chessboard, before the place but not the bat.

        Args:
            T_world_board: Its pose, shape (4, 4); None: it is put away.
            board: Its size.
        """
        self.cameras.show_board(T_world_board, board or Board())

    @property
    def next_image(self) -> float:
        """When the next pair of images will have been transferred [s]."""
        return self.cameras.next_delivery(self.world.tick) * self.cfg.step

    def images(self, now: float | None = None) -> tuple[Image, Image, float] | None:
        """Return the newest images of both cameras and their time stamp.

        Args:
            now: Present time, at most that of the world [s]; None: the world's.

        Returns:
            Left and right image, uint8 (rows, columns), and the middle of their
            exposure [s]; None before the first pair has arrived.
        """
        tick = self.world.tick
        if now is not None:
            tick = min(tick, round(now / self.cfg.step))
        return self.cameras.images(tick)

    def _capture(self) -> None:
        """Remember what the cameras see at the middle of their exposure."""
        tick = self.world.tick
        things = []
        for ball in self._alive:
            if ball.is_visible(tick):
                p, v = ball.look(tick)
                row = (*p, *p, *v, *v, BALL_RADIUS, ball.throw.albedo)
                things.append(capsules([row]))
        things.append(self._bat())
        self.cameras.capture(tick, things)

    def _bat(self) -> FloatArray:
        """Return sphere and rod as capsules, (2, 14)."""
        T, twist = self.world.pose(BAT), self.world.twist(BAT)
        rod = -T[:3, 1]
        rows = []
        for start, end, radius, albedo in (
            (unit.BAT_LENGTH, unit.BAT_LENGTH, unit.SPHERE_RADIUS, SPHERE_ALBEDO),
            (*ROD_ENDS, ROD_RADIUS, ROD_ALBEDO),
        ):
            ends = [T[:3, 3] + length * rod for length in (start, end)]
            speeds = [
                twist[:3] + np.cross(twist[3:], length * rod) for length in (start, end)
            ]
            rows.append(np.concatenate([*ends, *speeds, [radius, albedo]]))
        return np.array(rows)

    def close(self) -> None:
        """Free what the world holds."""
        self.world.close()


def make_world(cfg: SceneCfg | None = None) -> PiggyWorld:
    """Return a place with Piggy in it, its servos in position mode at rest."""
    return PiggyWorld(cfg or SceneCfg())

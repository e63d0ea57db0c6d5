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

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.core.errors import ConfigError, NameNotFoundError
from gelenk.core.model.catalog import piggy as unit
from gelenk.core.spatial import so3
from gelenk.core.typing import FloatArray
from gelenk.robots.piggy import nominal
from gelenk.robots.piggy.air import FloorCfg
from gelenk.robots.piggy.ball_contact import (
    NOTHING,
    ROD_ENDS,
    ROD_RADIUS,
    SPHERE,
    BallCfg,
    gap_to_bat,
    press_bat,
    push_ball,
)
from gelenk.robots.piggy.balls import BallFlight, Touch
from gelenk.robots.piggy.cameras import RigCfg, TrueCamera, make_rig
from gelenk.robots.piggy.config import BALL_RADIUS, CAMERA_RATE, GRAVITY, HOME
from gelenk.robots.piggy.drawing import Eye, capsules
from gelenk.robots.piggy.drives import JOINTS, DriveProfile, piggy_robot
from gelenk.robots.piggy.hardware.bus import Bus
from gelenk.robots.piggy.hardware.world_servo import MIDDLE, WorldServo
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.places.hall import random_hall
from gelenk.robots.piggy.places.meadow import random_meadow
from gelenk.robots.piggy.places.place import Light
from gelenk.robots.piggy.throwers import WEATHER, PlaceName, Throw
from gelenk.sim import World, WorldConfig
from gelenk.sim.noise import stream_id
from gelenk.sim.push import push

BAT = "piggy/bat"
BAT_SPEED = 8.0  # [m/s], no bat is faster
SPHERE_ALBEDO, ROD_ALBEDO = 0.85, 0.15

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneCfg:
    """What stands where.

    Attributes:
        place: "indoor": a high hall with lamps; "outdoor": a meadow with trees, wind.
        drive: Profile of the drives, see `drives`.
        seed: Of everything random in it.
        place_seed: Which hall or meadow; None: the seed's.
        rig: The cameras, and how far they are from the drawing.
        ball: The ball as it is.
        floor: What the floor does to balls.
        people: Who stands where at the start.
        inclination: Of the base about x and y [rad]: gravity leans in the world.
        q: Roll and tilt at the start [rad].
        servo_offset: Absolute position of roll and tilt at 0 beside the middle [count].
        step: Length of a tick [s].
        samples: Rays per side of a pixel of the place's picture.
    """

    place: PlaceName = "indoor"
    drive: Literal["thesis", "tight"] | DriveProfile = "thesis"
    seed: int = 0
    place_seed: int | None = None
    rig: RigCfg = field(default_factory=RigCfg)
    ball: BallCfg = field(default_factory=BallCfg)
    floor: FloorCfg = field(default_factory=FloorCfg)
    people: tuple[Person, ...] = ()
    inclination: tuple[float, float] = (0.0, 0.0)
    q: tuple[float, float] = HOME
    servo_offset: tuple[float, float] = (0.0, 0.0)
    step: float = 0.0005
    samples: int = 3

    def __post_init__(self) -> None:
        if self.place not in WEATHER:
            raise NameNotFoundError("place", self.place, WEATHER)
        for name, time in (("frame", 1.0 / CAMERA_RATE), ("exposure/2", self.mid)):
            ticks = time / self.step
            if abs(ticks - round(ticks)) > 1e-6:
                raise ConfigError(
                    f"`step` {self.step} s must divide the {name} of {time:g} s"
                )

    @property
    def mid(self) -> float:
        """From the start of an exposure to its middle [s]."""
        return self.rig.exposure / 2.0


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moment:
    """What the cameras exposed."""

    number: int
    tick: int
    things: tuple[FloatArray, ...]


class PiggyWorld:
    """The place while it lives; made by `make_world`.

    Attributes:
        cfg: What stands where.
        world: The engine's world with the robot "piggy".
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
        self._rng = np.random.default_rng([cfg.seed, 0xBA11])
        self._frame = round(1.0 / CAMERA_RATE / cfg.step)
        self._mid = round(cfg.mid / cfg.step)
        self._ready = round((cfg.rig.exposure + cfg.rig.latency) / cfg.step)
        self._moments: list[_Moment] = []
        self._shown: tuple[int, Image, Image] | None = None
        self._eyes: tuple[Eye, Eye] | None = None
        self._people = cfg.people
        self._out = np.zeros(9)
        bus = Bus()
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

    def step_to(self, time: float) -> None:
        """Advance to a time [s], rounded to ticks; never back."""
        target = round(time / self.cfg.step)
        while self.world.tick < target:
            tick = self.world.tick
            since = (tick - self._mid) % self._frame
            self._advance(min(target - tick, self._frame - since))
            if (self.world.tick - self._mid) % self._frame == 0:
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
        return ball.number

    def _alive(self) -> list[BallFlight]:
        tick = self.world.tick
        return [ball for ball in self.truth.balls if not ball.is_over(tick)]

    def _advance(self, count: int) -> None:
        """Advance by some ticks: many at once where no ball is near the bat."""
        balls = self._alive()
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
        if not near:
            return
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
        push(self.world, BAT, wrench)

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
        self._people = tuple(people)
        if self._eyes is not None:
            for eye in self._eyes:
                eye.set_people(self._people)

    @property
    def next_image(self) -> float:
        """When the next pair of images will have been transferred [s]."""
        return self._delivery(self._number(self.world.tick) + 1) * self.cfg.step

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
        number = self._number(tick)
        moment = next((m for m in self._moments if m.number == number), None)
        if moment is None:
            return None
        stamp = moment.tick * self.cfg.step
        if self._shown is None or self._shown[0] != number:
            eyes = self._open_eyes()
            left, right = (eye.shoot(moment.things, number) for eye in eyes)
            self._shown = number, left, right
        return self._shown[1], self._shown[2], stamp

    def _delivery(self, number: int) -> int:
        """Return the tick in which an image has arrived."""
        return number * self._frame + self._ready

    def _number(self, tick: int) -> int:
        """Return the number of the newest image in a tick; negative: none."""
        return (tick - self._ready) // self._frame

    def _open_eyes(self) -> tuple[Eye, Eye]:
        if self._eyes is None:
            cfg = self.cfg
            seed = cfg.seed if cfg.place_seed is None else cfg.place_seed
            left, right, light = _pictures(cfg.place, seed, cfg.rig, cfg.samples)
            one, two = (
                Eye(
                    camera,
                    picture,
                    light,
                    cfg.rig,
                    (cfg.seed, stream_id("piggy", "camera", side)),
                )
                for side, (camera, picture) in enumerate(
                    zip(self.truth.rig, (left, right), strict=True)
                )
            )
            self._eyes = one, two
            self.set_people(self._people)
        return self._eyes

    def _capture(self) -> None:
        """Remember what the cameras see at the middle of their exposure."""
        tick = self.world.tick
        things = []
        for ball in self._alive():
            if ball.is_visible(tick):
                p, v = ball.look(tick)
                things.append(
                    capsules([(*p, *p, *v, *v, BALL_RADIUS, ball.throw.albedo)])
                )
        things.append(self._bat())
        number = (tick - self._mid) // self._frame
        self._moments.append(_Moment(number=number, tick=tick, things=tuple(things)))
        del self._moments[:-4]

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


@lru_cache(maxsize=4)
def _pictures(
    place: str, seed: int, rig: RigCfg, samples: int
) -> tuple[FloatArray, FloatArray, Light]:
    """Return what both cameras see without balls and people, and the light."""
    rng = np.random.default_rng([seed, 0x91ACE])
    scene = random_hall(rng) if place == "indoor" else random_meadow(rng)
    pictures = []
    for camera in make_rig(rig):
        T = np.array(camera.T_world_camera)
        T[:3, 3] -= nominal.CAMERA_MIDDLE
        pictures.append(scene.paint(camera.intrinsics, T, samples))
    return pictures[0], pictures[1], scene.light

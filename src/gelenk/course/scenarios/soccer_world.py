"""The soccer match as it really is: robots, ball, light, and what sensors give.

Two walkers that move in all directions, slip and are shoved once; a ball that rolls out
and is kicked; people in bright shirts beside the field, and balls of theirs. The minds
of `gelenk.course.scenarios.soccer` get images and what the legs count, nothing else.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    GOAL,
    HALF_LENGTH,
    HALF_WIDTH,
    BodyReading,
    Order,
    Pixels,
    camera_in_robot,
)
from gelenk.course.scenarios.soccer_picture import (
    GOAL_POSTS,
    METAL,
    FieldLight,
    Pillar,
    take_picture,
)
from gelenk.kinematics.vehicles_motion import arc_step
from gelenk.navigation.planar import compose, relative_pose
from gelenk.spatial import se3, so3
from gelenk.typing import FloatArray

STEP = 0.025  # [s]
BODY_RADIUS, BODY_HEIGHT = 0.15, 0.45  # of a robot [m]
MAX_TWIST = np.array([0.6, 0.4, 1.8])  # [m/s], [m/s], [rad/s]
MAX_HEAD = np.array([1.6, 0.9])  # pan and tilt [rad]
HEAD_SPEED = 4.0  # [rad/s]
LEG_LAG = 0.15  # [s]
ROLLING = 0.35  # deceleration of the ball [m/s^2]
KICK_SPEED = 1.6  # [m/s]
KICK_TIME, KICK_MOMENT = 0.5, 0.25  # how long it takes, when the foot meets [s]
FOOT = np.array([[0.19, -0.10], [0.35, 0.10]])  # where it meets a ball [m]
SHIRTS = ((0.85, 0.30, 0.08), (0.80, 0.70, 0.12), (0.12, 0.25, 0.75), (0.8, 0.1, 0.12))


@dataclass(slots=True)
class Match:
    """The true state of one match; a world for `gelenk.runtime.run.Run`.

    Attributes:
        rng: Draws everything that happens.
        poses: Of the robots (x [m], y [m], θ [rad]), shape (2, 3).
        odometry: What their legs count, shape (2, 3).
        ball: Place and velocity on the field, shape (4,).
        goal_time: When the ball went in [s]; NaN: not yet.
    """

    rng: np.random.Generator
    poses: FloatArray
    ball: FloatArray
    scale: FloatArray
    mount: FloatArray
    people: tuple[Pillar, ...]
    decoys: FloatArray
    light: FloatArray
    shoves: FloatArray
    odometry: FloatArray = field(default_factory=lambda: np.zeros((2, 3)))
    twists: FloatArray = field(default_factory=lambda: np.zeros((2, 3)))
    heads: FloatArray = field(default_factory=lambda: np.tile([0.0, 0.3], (2, 1)))
    orders: list[Order | None] = field(default_factory=lambda: [None, None])
    kicks: FloatArray = field(default_factory=lambda: np.full(2, -1.0))
    exposure: FloatArray = field(default_factory=lambda: np.full(2, 230.0))
    tick: int = 0
    num_kicks: int = 0
    goal_time: float = float("nan")

    @property
    def time(self) -> float:
        return self.tick * STEP

    def snapshot(self) -> Any:
        """Return everything, to go back to it."""
        return {name: copy.deepcopy(getattr(self, name)) for name in self.__slots__}

    def restore(self, snapshot: Any) -> None:
        for name, value in snapshot.items():
            setattr(self, name, copy.deepcopy(value))

    def step(self, n: int = 1) -> None:
        """Advance by n physics steps."""
        for _ in range(n):
            self._walk()
            self._shove()
            self._roll()
            self.tick += 1

    def relative_ball(self, k: int) -> FloatArray:
        """Return place and velocity of the ball in the axes of a robot, shape (4,)."""
        at = relative_pose(self.poses[k], [*self.ball[:2], 0.0])
        c, s = np.cos(self.poses[k, 2]), np.sin(self.poses[k, 2])
        vx, vy = self.ball[2:]
        return np.array([at[0], at[1], c * vx + s * vy, c * vy - s * vx])

    def body(self, k: int, number: int) -> BodyReading:
        """Return what robot k feels."""
        pan, tilt = self.heads[k].tolist()
        odometry = self.odometry[k].copy()
        return BodyReading(
            number=number, time=self.time, odometry=odometry, pan=pan, tilt=tilt
        )

    def picture(self, k: int) -> tuple[Pixels, int]:
        """Return the image of robot k, and how many pixels show the ball."""
        T_robot_camera = camera_in_robot(*self.heads[k].tolist())
        speed = min(1.0, float(np.hypot(*self.twists[k, :2])) / 0.3)
        sway = self.mount[k] + (0.003 + 0.008 * speed) * self.rng.normal(size=2)
        swing = so3.rot_y(sway[0]) @ so3.rot_x(sway[1])
        x, y, heading = self.poses[k]
        T_world_robot = se3.pose_from_rotation_translation(
            so3.rot_z(heading) @ swing, [x, y, 0.0]
        )
        other = self.poses[1 - k]
        mate = Pillar(
            x=float(other[0]),
            y=float(other[1]),
            radius=BODY_RADIUS,
            height=BODY_HEIGHT,
            color=METAL,
        )
        image, shown, bright = take_picture(
            T_world_robot @ T_robot_camera,
            np.concatenate([self.ball[None, :2], self.decoys]),
            (*GOAL_POSTS, *self.people, mate),
            self._light(),
            exposure=float(self.exposure[k]),
            rng=self.rng,
        )
        # The camera looks for its exposure, a little with every image.
        self.exposure[k] *= (105.0 / max(bright * self.exposure[k], 5.0)) ** 0.15
        return image, shown

    def _light(self) -> FieldLight:
        period, phase, swing, switch_time, switch, warm, slope_x, slope_y = self.light
        angle = 2.0 * np.pi * self.time / period + phase
        gain = 1.0 + swing * np.sin(angle)
        gain *= switch if self.time > switch_time else 1.0
        cast = warm * np.cos(0.7 * angle)
        return FieldLight(
            gain=gain * np.array([1.0 + cast, 1.0, 1.0 - cast]),
            slope=np.array([slope_x, slope_y]),
        )

    def _walk(self) -> None:
        wanted = np.zeros((2, 3))
        for k, order in enumerate(self.orders):
            if order is None:
                continue
            wanted[k] = np.clip(order.twist, -MAX_TWIST, MAX_TWIST)
            head = np.clip([order.pan, order.tilt], -MAX_HEAD, MAX_HEAD)
            turn = HEAD_SPEED * STEP
            self.heads[k] += np.clip(head - self.heads[k], -turn, turn)
            if order.kick and self.kicks[k] < 0.0:
                self.kicks[k] = 0.0
            if self.kicks[k] >= 0.0:
                wanted[k] = 0.0
                self._kick(k)
        self.twists += STEP / LEG_LAG * (wanted - self.twists)
        slip = 1.0 + 0.15 * self.rng.normal(size=(2, 3))
        self.poses = arc_step(self.poses, self.twists * slip, STEP)
        noise = (
            0.02
            * self.rng.normal(size=(2, 3))
            * np.abs(self.twists).max(axis=1)[:, None]
        )
        counted = self.twists * self.scale + noise
        self.odometry = arc_step(self.odometry, counted, STEP)
        gap = self.poses[1, :2] - self.poses[0, :2]
        size = max(float(np.hypot(*gap)), 1e-6)
        if size < 2.0 * BODY_RADIUS:
            push = 0.5 * (2.0 * BODY_RADIUS - size) * gap / size
            self.poses[0, :2] -= push
            self.poses[1, :2] += push

    def _kick(self, k: int) -> None:
        before, self.kicks[k] = self.kicks[k], self.kicks[k] + STEP
        if before < KICK_MOMENT <= self.kicks[k]:
            at = self.relative_ball(k)[:2]
            if ((at > FOOT[0]) & (at < FOOT[1])).all():
                self.num_kicks += 1
                spread = np.radians(3.0) * self.rng.normal() + 1.0 * at[1]
                speed = KICK_SPEED * (1.0 + 0.08 * self.rng.normal())
                way = self.poses[k, 2] + spread
                self.ball[2:] = speed * np.array([np.cos(way), np.sin(way)])
        if self.kicks[k] >= KICK_TIME:
            self.kicks[k] = -1.0

    def _shove(self) -> None:
        for k, (time, dx, dy, turn) in enumerate(self.shoves):
            if self.tick == round(time / STEP):
                self.poses[k] = compose(self.poses[k], [dx, dy, turn])

    def _roll(self) -> None:
        speed = float(np.hypot(*self.ball[2:]))
        self.ball[:2] += STEP * self.ball[2:]
        self.ball[2:] *= max(0.0, 1.0 - ROLLING * STEP / max(speed, 1e-9))
        for k in range(2):
            gap = self.ball[:2] - self.poses[k, :2]
            size = max(float(np.hypot(*gap)), 1e-6)
            room = BODY_RADIUS + BALL_RADIUS
            if size < room:
                normal = gap / size
                self.ball[:2] = self.poses[k, :2] + room * normal
                inwards = min(0.0, float(self.ball[2:] @ normal))
                self.ball[2:] += (0.15 - inwards) * normal
        self._judge_ball()

    def _judge_ball(self) -> None:
        x, y = self.ball[:2]
        if x > HALF_LENGTH and abs(y) < GOAL and np.isnan(self.goal_time):
            self.goal_time = self.time
        elif abs(x) > HALF_LENGTH or abs(y) > HALF_WIDTH:
            if np.isfinite(self.goal_time):
                return
            inside = np.array([HALF_LENGTH - 0.4, HALF_WIDTH - 0.4])
            self.ball[:2] = np.clip(self.ball[:2], -inside, inside)
            self.ball[2:] = 0.0


def make_match(seed: int) -> Match:
    """Return a match with the robots in their own half and the ball anywhere."""
    rng = np.random.default_rng(seed)
    poses = np.array([[-2.0, -0.9, 0.0], [-2.0, 0.9, 0.0]])
    poses += rng.uniform(-1.0, 1.0, (2, 3)) * [0.6, 0.5, 0.6]
    ball = np.array([*rng.uniform([-1.6, -1.4], [1.8, 1.4]), 0.0, 0.0])
    way = rng.uniform(-np.pi, np.pi)
    ball[2:] = rng.uniform(0.0, 0.4) * np.array([np.cos(way), np.sin(way)])
    people = tuple(_person(rng) for _ in range(7))
    decoys = np.array([_beside(rng, 0.7, 1.2) for _ in range(2)])
    warm = rng.uniform(-0.06, 0.06)
    light = np.array(
        [
            rng.uniform(8.0, 20.0), rng.uniform(-np.pi, np.pi), rng.uniform(0.1, 0.3),
            rng.uniform(4.0, 15.0), rng.choice([0.6, 1.6]), warm,
            *rng.uniform(-0.07, 0.07, 2),
        ]
    )  # fmt: skip
    shoves = np.stack(
        [
            rng.uniform(3.0, 12.0, 2), rng.uniform(-0.15, 0.15, 2),
            rng.uniform(-0.15, 0.15, 2), rng.uniform(-0.25, 0.25, 2),
        ],
        axis=1,
    )  # fmt: skip
    return Match(
        rng=rng,
        poses=poses,
        ball=ball,
        scale=1.0 + 0.06 * rng.normal(size=(2, 3)),
        mount=0.006 * rng.normal(size=(2, 2)),
        people=people,
        decoys=decoys,
        light=light,
        shoves=shoves,
    )


def _beside(rng: np.random.Generator, near: float, far: float) -> FloatArray:
    """Return a place beside the field [m], shape (2,)."""
    away = rng.uniform(near, far)
    if rng.uniform() < 0.5:
        x = rng.uniform(-HALF_LENGTH, HALF_LENGTH)
        return np.array([x, rng.choice([-1.0, 1.0]) * (HALF_WIDTH + away)])
    side = rng.choice([-1.0, 1.0])
    return np.array([side * (HALF_LENGTH + away), rng.uniform(-2.0, 2.0)])


def _person(rng: np.random.Generator) -> Pillar:
    x, y = _beside(rng, 0.8, 1.8)
    return Pillar(
        x=float(x),
        y=float(y),
        radius=rng.uniform(0.1, 0.25),
        height=rng.uniform(0.5, 1.7),
        color=SHIRTS[int(rng.integers(len(SHIRTS)))],
    )

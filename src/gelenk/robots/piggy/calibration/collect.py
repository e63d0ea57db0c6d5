"""Sights for the calibration from a living world: images and servo readings only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.calibration.boards import (
    Board,
    BoardSight,
    board_poses,
    see_board,
)
from gelenk.robots.piggy.calibration.flights import FEWEST_SIGHTS, Flight
from gelenk.robots.piggy.calibration.outline import see_sphere
from gelenk.robots.piggy.calibration.run import Progress
from gelenk.robots.piggy.calibration.servos import BatSights
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.config import BALL_RADIUS, CAMERA_RATE
from gelenk.robots.piggy.hardware.servo import Servo, ServoMode, ServoSettings
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.tracker.messages import Frame
from gelenk.robots.piggy.tracker.tracker import Tracker
from gelenk.spatial import se3
from gelenk.typing import FloatArray
from gelenk.vision.sphere import sphere_circle

SPEED = math.radians(60.0)  # [rad/s], from pose to pose
SETTLE = 0.5  # [s], after which a bat hangs still
LONGEST_MOVE = 6.0  # [s]
SPARE_POSES = 5  # that may fail
WATCHED = 1.7  # [s], a throw with its swing
NEAR, ALIKE = 3.0, 0.2  # [px], share of the radius: a circle of the tracked ball


class Place(Protocol):
    """What a calibration may touch of a world; `PiggyWorld` is one."""

    servos: Any

    @property
    def time(self) -> float: ...

    @property
    def next_image(self) -> float: ...

    def step_to(self, time: float) -> None: ...

    def images(self, now: float | None = None) -> tuple[Any, Any, float] | None: ...


class Helper(Protocol):
    """Somebody who holds up boards and throws balls when asked."""

    def show_board(self, T_world_board: FloatArray | None, board: Board) -> None:
        """Hold a board about there; None: put it away."""
        ...

    def throw(self) -> None:
        """Throw a ball towards the robot."""
        ...


class WorldSource:
    """Collects sights in a world; a `Source` of `run_calibration`."""

    def __init__(self, world: Place, helper: Helper) -> None:
        self.world, self.helper = world, helper

    def boards(
        self, setup: Setup, board: Board, progress: Progress
    ) -> Sequence[BoardSight]:
        poses = board_poses(setup.left.T_world_camera, setup.right.T_world_camera)
        sights: list[BoardSight] = []
        try:
            for k, T in enumerate(poses):
                progress(f"board {k + 1} of {len(poses)}", k / len(poses))
                self.helper.show_board(T, board)
                left, right, _ = self._look(after=self.world.time)
                name = f"board {k + 1} of {len(poses)}"
                sights.append(see_board(left, right, board, place=name))
        finally:
            self.helper.show_board(None, board)
        return sights

    def flights(self, setup: Setup, count: int, progress: Progress) -> Sequence[Flight]:
        found: list[Flight] = []
        with Tracker(setup=setup) as tracker:
            for k in range(count):
                progress(f"throw {k + 1} of {count}", k / count)
                frames = self._watch(tracker)
                flight = flight_from_frames(frames, setup.camera_rows)
                if flight is not None:
                    found.append(flight)
        return found

    def _watch(self, tracker: Tracker) -> list[Frame]:
        tracker.reset()
        self.helper.throw()
        end = self.world.time + WATCHED
        frames: list[Frame] = []
        while self.world.time < end:
            left, right, stamp = self._look()
            frames.append(tracker.step(stamp, left, right))
        return frames

    def bat(self, setup: Setup, poses: FloatArray, progress: Progress) -> BatSights:
        servos: Sequence[Servo] = self.world.servos
        for servo in servos:
            servo.open()
            servo.initialise(ServoSettings())
            if servo.mode is not ServoMode.POSITION:
                servo.set_mode(ServoMode.POSITION)
        readings: list[list[int]] = []
        circles: list[FloatArray] = []
        failures: list[CalibrationError] = []
        for k, pose in enumerate(poses):
            progress(f"pose {k + 1} of {len(poses)}", k / len(poses))
            counts = self._drive(servos, setup, pose)
            left, right, _ = self._look(after=self.world.time)
            try:
                pair = _see_bat((left, right), setup, counts, f"pose {k + 1}")
            except CalibrationError as failure:
                failures.append(failure)
                if len(failures) > SPARE_POSES:
                    raise
                continue
            readings.append(counts)
            circles.append(pair)
        return BatSights(
            readings=np.array(readings, dtype=np.float64), circles=np.array(circles)
        )

    def _drive(
        self, servos: Sequence[Servo], setup: Setup, pose: FloatArray
    ) -> list[int]:
        """Go to a pose of the motors and wait until the bat hangs still."""
        for servo, scale, angle in zip(servos, setup.servos, pose, strict=True):
            servo.write_position(round(float(scale.reading(angle))), SPEED)
        begin = still = self.world.time
        last = [servo.read_absolute() for servo in servos]
        while self.world.time < begin + LONGEST_MOVE:
            self.world.step_to(self.world.time + 0.05)
            counts = [servo.read_absolute() for servo in servos]
            if max(abs(a - b) for a, b in zip(counts, last, strict=True)) > 1:
                still = self.world.time
            last = counts
            if self.world.time - still >= SETTLE:
                break
        return last

    def _look(self, after: float | None = None) -> tuple[Any, Any, float]:
        """Return the next images; those exposed after a time."""
        for _ in range(10):
            self.world.step_to(self.world.next_image)
            seen = self.world.images(self.world.time)
            if seen is not None and (after is None or seen[2] > after):
                return seen
        raise CalibrationError(
            "board not seen" if after is None else "sphere not seen",
            f"no images for {10.0 / CAMERA_RATE:.1f} s",
            advice="check the cables of the cameras",
        )


def _see_bat(
    images: tuple[Any, Any], setup: Setup, counts: Sequence[int], name: str
) -> FloatArray:
    """Return the circles of the bat's sphere in both images, (2, 3)."""
    q = setup.resting_angles(setup.motor_angles(np.array(counts, dtype=np.float64)))
    p_world = forward(q)
    pair = []
    for side, image, camera in zip(
        ("left", "right"), images, setup.cameras, strict=True
    ):
        p = se3.transform_point(camera.T_camera_world, p_world)
        sight = see_sphere(
            image, camera.intrinsics, p, unit.SPHERE_RADIUS, place=f"{name}, {side}"
        )
        pair.append(sight.circle)
    return np.array(pair)


def flight_from_frames(
    frames: Sequence[Frame], camera_rows: FloatArray
) -> Flight | None:
    """Return the circles of the ball that was followed longest; None without one.

    Args:
        frames: Of one throw.
        camera_rows: Both cameras, shape (2, 21).
    """
    hits: dict[int, int] = {}
    for frame in frames:
        for track in frame.tracks:
            hits[track.id] = max(hits.get(track.id, 0), track.hits)
    if not hits:
        return None
    best = max(hits, key=lambda key: hits[key])
    times, rows = [], []
    for frame in frames:
        track = next((t for t in frame.tracks if t.id == best), None)
        if track is None or track.seen < frame.stamp - 1e-6:
            continue
        expected = sphere_circle(camera_rows, track.position[0], BALL_RADIUS)
        circles = np.full((2, 3), np.nan)
        for k, found in enumerate(frame.circles):
            if not len(found):
                continue
            away = np.hypot(*(found[:, :2] - expected[k, :2]).T)
            i = int(np.argmin(away))
            is_alike = abs(found[i, 2] - expected[k, 2]) < ALIKE * expected[k, 2]
            if away[i] < NEAR and is_alike:
                circles[k] = found[i, :3]
        if np.isfinite(circles).all():
            times.append(frame.stamp)
            rows.append(circles)
    if len(times) < FEWEST_SIGHTS:
        return None
    return Flight(time=np.array(times), circles=np.array(rows))

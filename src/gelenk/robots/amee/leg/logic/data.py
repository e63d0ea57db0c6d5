"""Logic layer data, and the moves that every controller of the layer uses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg
from gelenk.robots.amee.kinematics.forward import point_of
from gelenk.robots.amee.leg.control.layer import ControlLayer
from gelenk.robots.amee.wire.table import ErrorCode, Report, Request

Point = tuple[float, float, float]
AXIS_RADIUS = 1e-3  # [m]: nearer to the yaw axis than this a foot has no direction
THROUGH_HIP = 5e-3  # [m]: a line that passes the yaw axis closer goes through it


class LogicLayer:
    """Control bits, coordinates and the copy of targets, shared by the controllers.

    Args:
        cfg: Settings of the leg.
        control: Control layer.
        send: Queues a report: header and its byte.

    Attributes:
        mailbox: Command that MotionCtrl has not read.
        safe_walk: Whether steps lift as high as they can.
        sync_next: Whether `next` has come.
        job_speed: Largest pulse width of following jobs.
        begin: Where a line begins [m].
        end: Where it ends [m].
        pitch: Foot's pitch of the present line [rad].
        found: Where the foot was safely placed [m].
        targets: Copy of the target angles [counts], to restore after a collision.
        goal: Sole centre that the last move aimed at [m].
        goal_pitch: Its pitch [rad].
        failed: Whether the present job has reported an error.
        solved: How often the inverse kinematics ran in this pass.
        move_started: When the last move was started [s].
        now: Time of this pass [s].
    """

    __slots__ = (
        "_lengths",
        "_literal",
        "_send",
        "begin",
        "cfg",
        "control",
        "end",
        "failed",
        "found",
        "goal",
        "goal_pitch",
        "job_speed",
        "mailbox",
        "move_started",
        "now",
        "pitch",
        "safe_walk",
        "solved",
        "sync_next",
        "targets",
    )

    def __init__(
        self,
        cfg: LegCfg,
        control: ControlLayer,
        send: Callable[[Report, int], None],
    ) -> None:
        self.cfg, self.control, self._send = cfg, control, send
        self._lengths = lengths_of(cfg.geometry)
        self._literal = cfg.geometry.offset_mode == "thesis"
        self.mailbox: Request | None = None
        self.safe_walk = self.sync_next = self.failed = False
        self.job_speed = cfg.rotation.default_speed
        self.begin: Point = (0.0, 0.0, 0.0)
        self.end: Point = (0.0, 0.0, 0.0)
        self.found: Point = (0.0, 0.0, 0.0)
        self.goal: Point = (0.0, 0.0, 0.0)
        self.goal_pitch = self.pitch = 0.0
        self.targets: tuple[int, ...] | None = None
        self.solved = 0
        self.move_started = self.now = 0.0

    def report(self, report: Report, value: int = 0) -> None:
        """Queue a report for the main controller."""
        self._send(report, value)

    def fail(self, code: ErrorCode, actor: int = -1) -> None:
        """Report an error; the job ends with it."""
        self.failed = True
        self._send(Report.ERROR, int(code) | (actor + 1) << 4)

    def measured_angles(self) -> tuple[float, ...]:
        """Return the angles [rad]; an axis A that is nearly straight reads as 0."""
        counts = self.control.measured()
        lines = self.cfg.sensors
        snap = self.cfg.rotation.axis_zero_snap
        yaw = 0.0
        if abs(counts[0] - lines[0].offset) > snap:
            yaw = lines[0].angle_from_counts(counts[0])
        return (
            yaw,
            lines[1].angle_from_counts(counts[1]),
            lines[2].angle_from_counts(counts[2]),
            lines[3].angle_from_counts(counts[3]),
        )

    def measured_point(self) -> tuple[Point, float]:
        """Return the sole's centre [m] and pitch [rad] as measured (ADC2Point)."""
        x, y, z, pitch = point_of(self.measured_angles(), self.cfg.geometry)
        return (x, y, z), pitch

    def counts_of_point(
        self, point: Point, pitch: float = 0.0, yaw: float | None = None
    ) -> tuple[int, ...] | None:
        """Return target counts of a sole centre (CalcAngle), None out of reach.

        Args:
            point: In the leg's frame [m].
            pitch: Of the foot [rad].
            yaw: Direction to keep where the point lies on the yaw axis [rad].
        """
        self.solved += 1
        a0, a1, a2, a3, reachable = solve_leg(
            *point, pitch, *self._lengths, self._literal
        )
        if not reachable:
            return None
        if yaw is not None and math.hypot(point[0], point[2]) < AXIS_RADIUS:
            a0 = yaw
        return self.counts_of_angles((a0, a1, a2, a3))

    def counts_of_angles(self, angles: Sequence[float]) -> tuple[int, ...] | None:
        """Return target counts of joint angles [rad], None beyond a joint's range."""
        tolerance = self.cfg.rotation.range_tolerance
        counts: list[int] = []
        for angle, line, (low, high), (lowest, highest) in zip(
            angles,
            self.cfg.sensors,
            self.cfg.limits,
            self.cfg.limit_counts,
            strict=True,
        ):
            turns = math.floor((angle - (low + high) / 2) / (2 * math.pi) + 0.5)
            value = line.counts_from_angle(angle - 2 * math.pi * turns)
            if not lowest - tolerance <= value <= highest + tolerance:
                return None
            counts.append(min(highest, max(lowest, value)))
        return tuple(counts)

    def point_of_counts(self, counts: Sequence[int]) -> tuple[Point, float]:
        """Return the sole's centre [m] and pitch [rad] of converter counts."""
        angles = [
            line.angle_from_counts(value)
            for line, value in zip(self.cfg.sensors, counts, strict=True)
        ]
        x, y, z, pitch = point_of(tuple(angles), self.cfg.geometry)
        return (x, y, z), pitch

    def move(
        self,
        point: Point,
        pitch: float = 0.0,
        *,
        speed: int | None = None,
        yaw: float | None = None,
    ) -> bool:
        """Start a move of the sole's centre (Move2Point); False if out of reach."""
        counts = self.counts_of_point(point, pitch, yaw)
        if counts is None:
            return False
        self.goal, self.goal_pitch = point, pitch
        self.start(counts, speed=speed)
        return True

    def start(
        self,
        counts: tuple[int, ...],
        *,
        speed: int | None = None,
        brute_force: bool = False,
    ) -> None:
        """Hand targets [counts] to the control layer and keep a copy."""
        self.targets = counts
        self.move_started = self.now
        top = self.job_speed if speed is None else min(speed, self.job_speed)
        self.control.speed = top
        self.control.start(counts, brute_force=brute_force)

    def has_arrived(self) -> bool:
        """Return whether the control layer has finished the last move."""
        return self.control.are_all_idle()

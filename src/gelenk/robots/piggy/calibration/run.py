"""`run_calibration`: all steps in order, guided, and nothing lost if one fails.

Cameras first, then throws, because gravity must be known in the cameras before servos
and hand-eye can be told apart, then the bat, then the habits of the throwers.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import numpy as np

from gelenk.calibration.identifiability import Identifiability
from gelenk.robots.piggy.calibration.boards import Board, BoardSight
from gelenk.robots.piggy.calibration.cameras import (
    CameraCalibration,
    calibrate_cameras,
)
from gelenk.robots.piggy.calibration.flights import (
    NAMES,
    Flight,
    FlightCalibration,
    calibrate_flight,
)
from gelenk.robots.piggy.calibration.prior import learn_prior
from gelenk.robots.piggy.calibration.servos import (
    BatSights,
    LevelGravity,
    ServoCalibration,
    calibrate_servos,
    raster,
)
from gelenk.robots.piggy.calibration.verdicts import CalibrationError, Verdict
from gelenk.robots.piggy.setup import PARTS, STEPS, CameraSetup, Evidence, Setup
from gelenk.spatial import se3, so3
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

Progress = Callable[[str, float], None]
LEVEL_LIMIT = math.radians(0.3)  # [rad], beyond, a person should level the base
TURN_LIMIT = math.radians(0.02)  # [rad], beyond, predictions suffer


class Source(Protocol):
    """Where sights come from: a world with images, or records of one."""

    def boards(
        self, setup: Setup, board: Board, progress: Progress
    ) -> Sequence[BoardSight]:
        """Return chessboards that somebody held up."""
        ...

    def flights(self, setup: Setup, count: int, progress: Progress) -> Sequence[Flight]:
        """Return balls that somebody threw."""
        ...

    def bat(self, setup: Setup, poses: FloatArray, progress: Progress) -> BatSights:
        """Return the bat's sphere in poses of the motors [rad], (n, 2)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationCfg:
    """What to do.

    Attributes:
        steps: Which of `STEPS`; the others keep what was known.
        board: The chessboard.
        throws: How many balls to throw.
        has_play: Whether the roll servo's play is looked for.
        date: To be written into the setup.
        parts: Serial numbers of cameras, servos, bat and ball, by part.
    """

    steps: tuple[str, ...] = STEPS
    board: Board = field(default_factory=Board)
    throws: int = 36
    has_play: bool = True
    date: str = ""
    parts: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibrationRun:
    """How it went.

    Attributes:
        before: The setup that was there.
        after: The new one; the old one if the verdict is not "calibrated".
        verdict: How it ended.
        reason: Why, in words.
        advice: What a person should do, look at or know.
        failed_step: Which step ended it; empty if none.
        cameras, flight, servos: Results of the steps that were done.
    """

    before: Setup
    after: Setup
    verdict: Verdict
    reason: str
    advice: tuple[str, ...]
    failed_step: Literal["", "cameras", "servos", "flight", "prior"] = ""
    cameras: CameraCalibration | None = None
    flight: FlightCalibration | None = None
    servos: ServoCalibration | None = None

    @property
    def is_calibrated(self) -> bool:
        return self.verdict == "calibrated"


def calibrate_from(
    source: Source,
    before: Setup,
    cfg: CalibrationCfg | None = None,
    *,
    progress: Progress = lambda words, share: None,
) -> CalibrationRun:
    """Return a new setup from boards, throws and bat poses.

    Args:
        source: Where the sights come from.
        before: What is known.
        cfg: What to do.
        progress: Told what happens now and which share of all is done.
    """
    work = _Work(source, before, cfg or CalibrationCfg(), progress)
    step = ""
    try:
        for step in ("cameras", "flight", "servos", "prior"):
            if step in work.cfg.steps:
                getattr(work, step)()
    except CalibrationError as failure:
        return CalibrationRun(
            before=before,
            after=before,
            verdict=failure.verdict,
            reason=f"{step}: {failure.reason}",
            advice=(failure.advice, "nothing was changed")
            if failure.advice
            else ("nothing was changed",),
            failed_step=step,  # type: ignore[arg-type]
            cameras=work.found_cameras,
            flight=work.found_flight,
            servos=work.found_servos,
        )
    progress("done", 1.0)
    after = dataclasses.replace(work.setup, date=work.cfg.date or before.date)
    return CalibrationRun(
        before=before,
        after=after,
        verdict="calibrated",
        reason=f"{len(work.cfg.steps)} steps",
        advice=work.advice(),
        cameras=work.found_cameras,
        flight=work.found_flight,
        servos=work.found_servos,
    )


class _Work:
    """The setup as it grows from step to step."""

    def __init__(
        self, source: Source, setup: Setup, cfg: CalibrationCfg, progress: Progress
    ) -> None:
        self.source, self.setup, self.cfg = source, setup, cfg
        self.progress = progress
        self.found_cameras: CameraCalibration | None = None
        self.found_flight: FlightCalibration | None = None
        self.found_servos: ServoCalibration | None = None
        self.T_new_old = np.eye(4)

    def _report(self, begin: float, end: float) -> Progress:
        return lambda words, share: self.progress(words, begin + (end - begin) * share)

    def cameras(self) -> None:
        setup = self.setup
        sights = self.source.boards(setup, self.cfg.board, self._report(0.0, 0.25))
        T_left = setup.left.T_world_camera
        found = calibrate_cameras(
            sights,
            self.cfg.board,
            left=setup.left.intrinsics,
            right=setup.right.intrinsics,
            T_left_right=se3.inverse(T_left) @ setup.right.T_world_camera,
        )
        self.found_cameras = found
        self.setup = dataclasses.replace(
            setup,
            left=CameraSetup(intrinsics=found.left, T_world_camera=T_left),
            right=CameraSetup(
                intrinsics=found.right, T_world_camera=T_left @ found.T_left_right
            ),
        )
        residuals = {"u [px]": found.residual[0], "v [px]": found.residual[1]}
        self._keep("cameras", found, residuals, f"{found.boards} boards")

    def flight(self) -> None:
        setup = self.setup
        flights = self.source.flights(setup, self.cfg.throws, self._report(0.25, 0.7))
        cameras = self.found_cameras
        found = calibrate_flight(
            flights,
            setup.camera_rows,
            gravity=np.array(setup.gravity),
            drag=setup.drag,
            camera_covariance=None if cameras is None else cameras.covariance,
        )
        self.found_flight = found
        left, right = (
            _camera_from_row(row, camera.intrinsics)
            for row, camera in zip(found.camera_rows, setup.cameras, strict=True)
        )
        gx, gy, gz = map(float, found.gravity)
        self.setup = dataclasses.replace(
            setup,
            left=left,
            right=right,
            gravity=(gx, gy, gz),
            drag=found.drag,
            drag_sigma=max(found.drag_spread, 0.05),
            lift_sigma=found.lift_spread,
        )
        residuals = {"u [px]": found.residual[0], "v [px]": found.residual[1]}
        self._keep("flight", found, residuals, f"{len(found.states)} throws")

    def servos(self) -> None:
        setup = self.setup
        sights = self.source.bat(setup, raster(), self._report(0.7, 0.98))
        T_left = setup.left.T_world_camera
        gravity = None
        if self.found_flight is not None:
            down = np.array(setup.gravity) / np.linalg.norm(setup.gravity)
            sigma = math.sqrt(float(self.found_flight.covariance[1, 1]))
            gravity = LevelGravity(direction=T_left[:3, :3].T @ down, sigma=sigma)
        T_left_right = se3.inverse(T_left) @ setup.right.T_world_camera
        found = calibrate_servos(
            sights,
            lenses=(setup.left.intrinsics, setup.right.intrinsics),
            T_left_right=T_left_right,
            T_world_left=T_left,
            roll=setup.roll,
            tilt=setup.tilt,
            gravity=gravity,
            has_play=self.cfg.has_play,
            weight=setup.weight,
        )
        self.found_servos = found
        self.T_new_old = found.T_world_left @ se3.inverse(T_left)
        gx, gy, gz = map(float, self.T_new_old[:3, :3] @ np.array(setup.gravity))
        self.setup = dataclasses.replace(
            setup,
            left=CameraSetup(
                intrinsics=setup.left.intrinsics, T_world_camera=found.T_world_left
            ),
            right=CameraSetup(
                intrinsics=setup.right.intrinsics,
                T_world_camera=found.T_world_left @ T_left_right,
            ),
            roll=found.roll,
            tilt=found.tilt,
            gravity=(gx, gy, gz),
        )
        u, v, r = found.residual
        residuals = {"u [px]": u, "v [px]": v, "r [px]": r}
        self._keep("servos", found, residuals, f"{found.poses} poses")

    def prior(self) -> None:
        if self.found_flight is None:
            raise CalibrationError(
                "too few throws",
                "the prior is learnt from the throws of the step 'flight'",
                advice="do both steps together",
            )
        prior = learn_prior(self.found_flight, self.T_new_old)
        evidence = Evidence(
            source="measured",
            date=self.cfg.date,
            parts=self._parts("prior"),
            remarks=(f"{len(self.found_flight.states)} throws",),
        )
        self.setup = dataclasses.replace(
            self.setup,
            prior=prior,
            evidence=dataclasses.replace(self.setup.evidence, prior=evidence),
        )

    def _parts(self, step: str) -> dict[str, str]:
        return {p: self.cfg.parts[p] for p in PARTS[step] if p in self.cfg.parts}

    def _keep(
        self,
        step: str,
        found: CameraCalibration | FlightCalibration | ServoCalibration,
        residuals: Mapping[str, float],
        basis: str,
    ) -> None:
        finite = np.nan_to_num(found.covariance, posinf=1e6)
        evidence = Evidence(
            source="measured",
            date=self.cfg.date,
            parts=self._parts(step),
            names=found.names,
            units=found.units,
            values=found.values,
            covariance=finite,
            residuals=dict(residuals),
            remarks=(basis, *words(found.identifiability)),
        )
        changed = dataclasses.replace(self.setup.evidence, **{step: evidence})
        self.setup = dataclasses.replace(self.setup, evidence=changed)

    def advice(self) -> tuple[str, ...]:
        """Return what a person should know about the result."""
        lines: list[str] = []
        cameras, servos, flight = (
            self.found_cameras, self.found_servos, self.found_flight,
        )  # fmt: skip
        if cameras is not None:
            sigma = cameras.turn_sigma
            if flight is not None:
                turn = [NAMES.index(f"right.turn {axis}") for axis in "xyz"]
                sigma = math.sqrt(float(flight.covariance[turn, turn].sum()))
            lines.append(
                f"the cameras' relative turn is known to {math.degrees(sigma):.4f} deg"
            )
            if sigma > TURN_LIMIT:
                lines.append(
                    "that is more than 0.02 deg: show more boards, nearer and more "
                    "tilted, or throw more balls"
                )
        if servos is not None:
            if servos.inclination == servos.inclination:
                angle = math.degrees(servos.inclination)
                lines.append(f"the roll axis is inclined by {angle:+.2f} deg")
                if abs(servos.inclination) > LEVEL_LIMIT:
                    lines.append("level the base by its spirit level")
            lines.append(
                "the play of the tilt servo does not show while the bat leans forward; "
                f"{math.degrees(self.setup.tilt.half_gap):.1f} deg were kept"
            )
        return tuple(lines)


def _camera_from_row(row: FloatArray, before: Intrinsics) -> CameraSetup:
    fx, fy, cx, cy, k1, k2, p1, p2, k3 = map(float, row[12:])
    T = np.eye(4)
    T[:3, :3] = so3.orthonormalize(row[:9].reshape(3, 3))
    T[:3, 3] = row[9:12]
    lens = replace(
        before, fx=fx, fy=fy, cx=cx, cy=cy, distortion=(k1, k2, p1, p2, k3)
    )  # fmt: skip
    return CameraSetup(intrinsics=lens, T_world_camera=se3.inverse(T))


def words(found: Identifiability) -> tuple[str, ...]:
    """Return what the data could not tell, without the list of correlations."""
    lines = [line.strip() for line in found.text.splitlines()]
    return tuple(line for line in lines if "are correlated by" not in line)

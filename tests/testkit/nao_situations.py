"""Calibrations of a NAO in which something goes wrong, and how each must end.

With few poses and short waiting times, so that all of them can be tried.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from gelenk.robots.nao import sandal
from gelenk.robots.nao.automaton import AutomatonCfg, BoardView, Verdict
from gelenk.robots.nao.cases import CaseResult
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.detection import DetectionCfg
from gelenk.robots.nao.errors import CASES, NaoErrors, draw_errors
from gelenk.robots.nao.fit import FitCfg
from gelenk.robots.nao.motion.motions import MotionFile
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.text import calibration_motions, make_program
from gelenk.robots.nao.poses.body import body_pose
from gelenk.robots.nao.session import Outcome, Session, SessionCfg
from gelenk.robots.nao.truth import project_truth
from gelenk.robots.nao.world import NaoWorldCfg
from gelenk.sim import Box
from gelenk.sim.faults import Fault
from gelenk.sim.motors import Heating
from gelenk.typing import FloatArray

# Left leg [deg]: poses in which the board is seen with all three gazes.
POSES = (
    (-28.9, 7.3, -54.2, 51.9, -50.4, -4.2),
    (-25.5, 5.7, -83.2, 51.1, -22.8, -1.1),
    (-23.0, 12.7, -50.9, 53.0, -10.2, -7.4),
)
BASE = (0.0, -5.0, -40.0, 60.0, -20.0, 0.0)
STIFFNESS = (70,) * 2 + (20,) * 8 + (75,) * 12
# A robot is safe when nothing moves faster than this [rad/s].
AT_REST = math.radians(3.0)


def short_motions(count: int = len(POSES)) -> MotionFile:
    """Return the motions of a calibration with few poses per leg."""
    base = body_pose(np.deg2rad(BASE), "left")
    base[:2] = np.nan
    legs = np.deg2rad(POSES[:count])
    return calibration_motions(legs, base=base, stiffness=STIFFNESS, max_speed=90)


@cache
def short_program(count: int = len(POSES)) -> MotionProgram:
    """Return these motions ready to be played."""
    return make_program(short_motions(count))


def short_cfg(**automaton: float) -> CognitionCfg:
    """Return settings with short waiting times, for robots with exact encoders."""
    times: dict[str, float] = {"detect_timeout": 0.5, "aim_timeout": 1.5}
    cfg = replace(AutomatonCfg(blind_views=3, missed_aims=2), **times, **automaton)
    return CognitionCfg(
        automaton=cfg,
        detection=DetectionCfg(patience=0.25),
        fit=FitCfg(encoder_step=0.0, model="published"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is wrong, and the verdict that must come of it.

    Attributes:
        verdict: How it must end.
        cfg: The situation.
        is_off: Whether the motors must be off afterwards.
        errors: Of the robot.
    """

    verdict: Verdict
    cfg: SessionCfg = field(default_factory=SessionCfg)
    is_off: bool = False
    errors: NaoErrors = CASES[6]


def _situation(
    verdict: Verdict, *faults: Fault, is_off: bool = False, **options: object
) -> Situation:
    cfg = SessionCfg(cognition=short_cfg(), faults=faults)
    return Situation(
        verdict=verdict,
        cfg=replace(cfg, **options),  # type: ignore[arg-type]
        is_off=is_off,
    )


def _fault(kind: str, target: str, start: float = 1.0, amount: float = 0.0) -> Fault:
    return Fault(kind=kind, target=target, start=start, amount=amount)  # type: ignore[arg-type]


def _world(**options: object) -> NaoWorldCfg:
    return NaoWorldCfg(upper_camera=False, **options)  # type: ignore[arg-type]


_SHELF = Box(name="shelf", size=(0.3, 0.2, 0.02), position=(0.25, 0.05, 0.22))
_HOT = Heating(winding_resistance=10.0, thermal_resistance=60.0, time_constant=3.0)

SITUATIONS: dict[str, Situation] = {
    "nobody starts it": _situation(Verdict.NOT_STARTED, is_started=False),
    "aborted": _situation(Verdict.ABORTED, is_off=True, abort_at=2.0),
    "no board": _situation(Verdict.NO_BOARD, world=_world(boards=())),
    "one board": _situation(Verdict.ONE_BOARD, world=_world(boards=("left",))),
    "board upside down": _situation(
        Verdict.WRONG_SIDE, world=_world(flipped=("left",))
    ),
    "lens covered": _situation(Verdict.CAMERA_DEAD, world=_world(has_lens_cap=True)),
    "no images": _situation(Verdict.CAMERA_DEAD, _fault("message_lost", "image", 0.0)),
    "leg locked": _situation(
        Verdict.LEG_BLOCKED, _fault("joint_locked", "nao/LKneePitch", 0.6), is_off=True
    ),
    "leg motor dead": _situation(
        Verdict.LEG_BLOCKED, _fault("motor_dead", "nao/LHipPitch"), is_off=True
    ),
    "something in the way": _situation(
        Verdict.LEG_BLOCKED, is_off=True, world=_world(extras=(_SHELF,))
    ),
    "head locked": _situation(
        Verdict.HEAD_BLOCKED, _fault("joint_locked", "nao/HeadYaw", 0.2), is_off=True
    ),
    "trembling readings": _situation(
        Verdict.RESTLESS, _fault("sensor_noisy", "nao/encoders", 1.0, 0.005)
    ),
    "no readings": _situation(
        Verdict.JOINTS_SILENT, _fault("message_lost", "joint_data", 2.0), is_off=True
    ),
    "motor hot": _situation(Verdict.MOTOR_HOT, is_off=True, world=_world(heating=_HOT)),
    "time-out": _situation(Verdict.TIMED_OUT, cognition=short_cfg(total_timeout=3.0)),
    "cognition killed": _situation(
        Verdict.PROCESS_ENDED, _fault("process_killed", "Cognition", 3.0), is_off=True
    ),
    "motion killed": _situation(
        Verdict.PROCESS_ENDED, _fault("process_killed", "Motion", 3.0), is_off=True
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drilled:
    """How a situation ended.

    Attributes:
        outcome: Of the calibration.
        is_right: Whether the verdict is the one it must be.
        is_off: Whether the motors were off afterwards.
        speed: Fastest joint afterwards [rad/s].
        is_untouched: Whether no correction was handed to the robot.
    """

    outcome: Outcome
    is_right: bool
    is_off: bool
    speed: float
    is_untouched: bool

    @property
    def is_safe(self) -> bool:
        """Whether the motors are off, or hold the robot where it is."""
        return self.is_off or self.speed < AT_REST


def drill(situation: Situation) -> Drilled:
    """Let a situation take place and look at the robot afterwards."""
    firmness: list[float] = []
    with Session(situation.errors, short_program(), situation.cfg) as session:
        outcome = session.finish(timeout=60.0)
        output = session.run.bus.latest("calibrator_output")
        command = session.world.command

        def note(robot: str, q: object, second: np.ndarray) -> None:
            firmness.append(float(np.nan_to_num(second, nan=1.0).max()))
            command(robot, q, second)  # type: ignore[arg-type]

        session.world.command = note  # type: ignore[method-assign]
        before = session.world.joint_positions(session.names.robot)
        for _ in range(20):
            session.run.tick()
        after = session.world.joint_positions(session.names.robot)
    is_untouched = output is None or (
        not output.joint_offsets.any() and not any(output.camera_turn)
    )
    return Drilled(
        outcome=outcome,
        is_right=outcome.verdict is situation.verdict,
        is_off=bool(firmness) and max(firmness) == 0.0,
        speed=float(np.abs(after - before).max()) / 0.2,
        is_untouched=is_untouched,
    )


def fingerprint(seed: int) -> tuple[str, bytes, bytes]:
    """Return what a short calibration of a drawn robot comes to, bit by bit.

    Returns:
        Verdict, corners of all views, parameters.
    """
    errors = draw_errors(np.random.default_rng(seed))
    cognition = replace(short_cfg(), fit=FitCfg(model="published"))
    cfg = SessionCfg(level=2, seed=seed, cognition=cognition, world=_world())
    with Session(errors, short_program(1), cfg) as session:
        outcome = session.finish()
    corners = b"".join(view.corners.tobytes() for view in outcome.automaton.views)
    values = b"" if outcome.fit is None else outcome.fit.calibration.values.tobytes()
    return outcome.verdict.value, corners, values


def num_corners(result: CaseResult) -> int:
    """Return the corners of all views that were tried, found or missed."""
    state = result.outcome.automaton
    return sandal.NUM_CORNERS * (len(state.views) + len(state.missed))


def corner_errors(errors: NaoErrors, views: tuple[BoardView, ...]) -> FloatArray:
    """Return seen less true corners of views [px], shape (n, 24, 2).

    Args:
        errors: Of the robot; its encoders must be exact.
        views: What it has collected.
    """
    off = [
        view.corners - project_truth(errors, view.angles, view.side).pixels
        for view in views
    ]
    return np.array(off).reshape(-1, sandal.NUM_CORNERS, 2)

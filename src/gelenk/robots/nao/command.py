"""Calibrations as a user asks for them: which robot, which poses, what to find."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.calibration.problem import CalibrationProblem
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.nao.automaton import AutomatonState
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.config import ENCODER_STEP
from gelenk.robots.nao.errors import CASES, NaoErrors, draw_errors, read_errors
from gelenk.robots.nao.fit import FitCfg, MethodName, ModelName, num_expected
from gelenk.robots.nao.light import light_scene
from gelenk.robots.nao.motion.program import MotionProgram, MoveStep
from gelenk.robots.nao.motion.text import (
    LEFT_MOTION,
    RIGHT_MOTION,
    SUFFIX,
    load_motions,
    make_program,
    print_motions,
    shipped_motions,
)
from gelenk.robots.nao.parameters import Extension, nao_problem
from gelenk.robots.nao.poses.candidates import candidate_poses
from gelenk.robots.nao.poses.choice import chosen_poses, pose_motions
from gelenk.robots.nao.poses.order import spread_poses
from gelenk.robots.nao.poses.shipped import BEST, GIVEN, shipped_poses
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.robots.nao.session import Outcome, Session, SessionCfg
from gelenk.robots.nao.world import Level
from gelenk.runtime.events import CameraImage
from gelenk.runtime.recorder import Recorder

GIVEN_POSES = 24
CHOSEN_POSES = 12
CHOICE_SEED = 0  # poses are the same for every robot
MIN_POSES, MAX_POSES = 4, 60
SPREAD_POOL = 5000  # poses among which those far apart are picked
# What poses are chosen for beside the published parameters; the roll of a board cannot
# be told from its ankle's by any pose.
CHOICE_EXTENSIONS: tuple[Extension, ...] = (
    "neck", "tilt", "focal", "compliance", "play",
)  # fmt: skip
BOARD_ROLLS = ("LeftBoardRoll", "RightBoardRoll")

GrayPixels: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a user wants calibrated, and how.

    Attributes:
        case: One of Kastner's simulated robots, 5, 6 or 7.
        errors: File with the robot's errors.
        seed: Of all noise; and of the robot, where neither case nor errors is given.
        poses: "24": the given ones; "auto": 12 that the program chooses; another
            number: as many; or a motion file.
        level: Of what is simulated; None: 1 for the cases, 3 for other robots.
        light: Name of the light scene.
        model, method: See `fit.FitCfg`.
    """

    case: int | None = None
    errors: Path | None = None
    seed: int = 0
    poses: str = "24"
    level: Level | None = None
    light: str = "711lx"
    model: ModelName = "auto"
    method: MethodName = "robust"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Request:
    """A wish made precise.

    Attributes:
        robot: What the robot is called.
        errors: Its errors, which only the simulated world gets to know.
        poses: Where the leg poses come from, in words.
        program: Motions through them.
        num_poses: Per leg.
        cfg: Situation and settings.
    """

    robot: str
    errors: NaoErrors
    poses: str
    program: MotionProgram
    num_poses: int
    cfg: SessionCfg

    @property
    def num_views(self) -> int:
        """Views of both legs if nothing is missed."""
        return num_expected(self.num_poses)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moment:
    """Where a calibration is.

    Attributes:
        state: Of the automaton.
        num_views: Views if nothing is missed.
        image: The image looked at last, gray, or None.
    """

    state: AutomatonState
    num_views: int
    image: GrayPixels | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finished:
    """A calibration that has come to a verdict.

    Attributes:
        request: What was asked for.
        outcome: What came.
        images: Camera images of the views, by their number; empty if not kept.
    """

    request: Request
    outcome: Outcome
    images: dict[int, GrayPixels] = field(default_factory=dict)


def make_request(wish: Wish) -> Request:
    """Return a wish made precise.

    Raises:
        ConfigError: If it cannot be met; files that cannot be read raise theirs.
    """
    robot, errors, level = make_robot(wish)
    light_scene(wish.light)
    step = 0.0 if level == 1 else ENCODER_STEP
    fit = FitCfg(model=wish.model, method=wish.method, encoder_step=step)
    words, program = _poses(wish, level, step)
    return Request(
        robot=robot,
        errors=errors,
        poses=words,
        program=program,
        num_poses=count_poses(program),
        cfg=SessionCfg(
            level=level,
            light=wish.light,
            seed=wish.seed,
            cognition=CognitionCfg(fit=fit),
        ),
    )


def make_robot(wish: Wish) -> tuple[str, NaoErrors, Level]:
    """Return name, errors and level of simulation of the robot that is meant.

    Raises:
        ConfigError: If there is no such robot.
    """
    if wish.case is not None and wish.errors is not None:
        raise ConfigError("`--case` and `--errors` both name a robot; give one")
    if wish.case is not None:
        if wish.case not in CASES:
            known = ", ".join(map(str, CASES))
            raise ConfigError(f"`--case` must be one of {known}, got {wish.case}")
        return f"case {wish.case}", CASES[wish.case], wish.level or 1
    level: Level = wish.level or 3
    if wish.errors is not None:
        return wish.errors.stem, read_errors(wish.errors), level
    rng = np.random.default_rng(wish.seed)
    return f"seed {wish.seed}", draw_errors(rng, level=level), level


def wish_of_robot(name: str, wish: Wish) -> Wish:
    """Return a wish for the robot of a stored calibration.

    Args:
        name: As `make_robot` named it.
        wish: What else is wanted.

    Raises:
        ConfigError: If its errors came from a file, which must be named again.
    """
    kind, _, number = name.partition(" ")
    if kind in ("case", "seed") and number.isdecimal():
        return replace(wish, **{kind: int(number)})
    raise ConfigError(
        f"the calibration is of the robot {name!r}; name the file of its errors with "
        "`--errors`"
    )


def make_pose_text(
    count: int, choice: str, *, seed: int = 0, is_extended: bool = True
) -> str:
    """Return a motion file with leg poses of a choice.

    Args:
        count: Poses per leg.
        choice: "spread" or "auto", see `poses.spread` and `poses.choice`.
        seed: Of the draw.
        is_extended: Whether "auto" chooses for the extended model.
    """
    rng = np.random.default_rng(seed)
    if choice == "spread":
        pool = candidate_poses(SPREAD_POOL, rng)
        legs = pool.legs[spread_poses(nominal_model(), pool, count)]
        words = "Far apart, every joint loaded in both directions where possible."
    else:
        problem = choice_problem(is_extended=is_extended)
        kind = "extended" if is_extended else "published"
        known = shipped_poses(BEST[kind])
        legs = chosen_poses(problem, count, rng, known=known).legs
        words = f"Those that tell most about the joints, for the {kind} model."
    heading = (
        f"Calibration of a NAO that lies on its back with chessboard sandals: {count} "
        f"poses per leg.\n{words}"
    )
    return print_motions(pose_motions(legs), heading=heading)


def _poses(wish: Wish, level: Level, step: float) -> tuple[str, MotionProgram]:
    text = wish.poses
    if text.endswith(SUFFIX) or "/" in text:
        return text, load_motions(text)
    if text == str(GIVEN_POSES):
        return "24 given ones", load_motions(shipped_motions()[GIVEN])
    if text != "auto" and not text.isdecimal():
        shipped = shipped_motions()
        if text in shipped:
            return text, load_motions(shipped[text])
        raise ConfigError(
            f"`--poses` must be 24, auto, a number, or a motion file ({SUFFIX}), got "
            f"{text!r}"
        )
    count = CHOSEN_POSES if text == "auto" else int(text)
    if not MIN_POSES <= count <= MAX_POSES:
        raise ConfigError(
            f"`--poses` must be {MIN_POSES} to {MAX_POSES} per leg, got {count}"
        )
    is_extended = wish.model == "extended" or (wish.model == "auto" and level == 3)
    problem = choice_problem(is_extended=is_extended, encoder_step=step)
    kind = "extended" if is_extended else "published"
    chosen = chosen_poses(
        problem,
        count,
        np.random.default_rng(CHOICE_SEED),
        known=shipped_poses(BEST[kind]),
    )
    words = f"{count} chosen for the {kind} model"
    return words, make_program(pose_motions(chosen.legs))


def choice_problem(
    *, is_extended: bool, encoder_step: float = ENCODER_STEP
) -> CalibrationProblem:
    """Return the problem for which poses are chosen.

    Args:
        is_extended: Whether drives, neck, boards' tilt and lens are to be found, too.
        encoder_step: Width of the joint readings' steps [rad].
    """
    if not is_extended:
        return nao_problem(encoder_step=encoder_step)
    return nao_problem(
        extended=CHOICE_EXTENSIONS, encoder_step=encoder_step, frozen=BOARD_ROLLS
    )


def count_poses(program: MotionProgram) -> int:
    """Return the number of milestones per leg of a program.

    Raises:
        NameNotFoundError: If it lacks a motion of the calibration.
        ConfigError: If there is no milestone.
    """
    for name in (LEFT_MOTION, RIGHT_MOTION):
        if name not in program.motions:
            raise NameNotFoundError("motion", name, program.motions)
    count = sum(
        isinstance(step, MoveStep) and step.is_milestone
        for step, owner in zip(program.steps, program.owners, strict=True)
        if owner == LEFT_MOTION
    )
    if not count:
        raise ConfigError(
            f"motion {LEFT_MOTION} has no milestone; a leg pose is measured where a "
            "line ends with `milestone`"
        )
    return count


class _Album:
    """Keeps the newest images, and those that views were taken from."""

    def __init__(self, *, is_kept: bool) -> None:
        self._is_kept = is_kept
        self._newest: deque[CameraImage] = deque(maxlen=12)
        self._done = 0
        self.images: dict[int, GrayPixels] = {}

    def see(self, image: CameraImage) -> None:
        self._newest.append(image)

    @property
    def last(self) -> GrayPixels | None:
        return self._newest[-1].pixels if self._newest else None

    def follow(self, state: AutomatonState) -> None:
        """Keep the images of views that have come since the last call."""
        views = state.views
        for number in range(self._done, len(views) if self._is_kept else 0):
            for image in self._newest:
                if math.isclose(image.time, views[number].time, abs_tol=1e-6):
                    self.images[number] = image.pixels.copy()
        self._done = len(views)


def run_request(
    request: Request,
    *,
    recorder: Recorder | None = None,
    keep_images: bool = False,
    on_moment: Callable[[Moment], None] | None = None,
) -> Finished:
    """Calibrate a simulated NAO, from the bumper to the verdict.

    Args:
        request: What was asked for.
        recorder: Gets every message.
        keep_images: Whether the images of the views are kept, for pictures.
        on_moment: Called ten times per simulated second.
    """
    album = _Album(is_kept=keep_images)
    with Session(
        request.errors, request.program, request.cfg, recorder=recorder
    ) as session:
        session.run.bus.subscribe("image", album.see)

        def look(state: AutomatonState) -> None:
            album.follow(state)
            if on_moment is not None:
                moment = Moment(
                    state=state, num_views=request.num_views, image=album.last
                )
                on_moment(moment)

        outcome = session.finish(progress=look)
    return Finished(request=request, outcome=outcome, images=album.images)

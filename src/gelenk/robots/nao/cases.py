"""The published simulated robots, calibrated, and what came of it in figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.robots.nao.automaton import AutomatonState, Verdict
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.config import ENCODER_STEP
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import FitCfg, ModelName
from gelenk.robots.nao.joints import SIDES
from gelenk.robots.nao.motion.program import MotionProgram
from gelenk.robots.nao.motion.text import load_motions, shipped_motions
from gelenk.robots.nao.parameters import leg_names, values_from_errors
from gelenk.robots.nao.poses.shipped import GIVEN
from gelenk.robots.nao.session import Outcome, Session, SessionCfg
from gelenk.robots.nao.world import Level, NaoWorldCfg
from gelenk.runtime.recorder import Recorder
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseResult:
    """What a calibration came to, against the truth that only the world knew.

    Attributes:
        errors: The truth.
        outcome: What the robot found.
    """

    errors: NaoErrors
    outcome: Outcome

    @property
    def ok(self) -> bool:
        """Whether the robot believes its result."""
        return self.outcome.verdict is Verdict.CALIBRATED

    @property
    def joint_errors(self) -> FloatArray:
        """Found less true offsets of the legs' joints [rad], (12,); NaN without fit."""
        names = [name for side in SIDES for name in leg_names(side)]
        return self._off(names)

    @property
    def camera_errors(self) -> FloatArray:
        """Found less true yaw, pitch and roll of the camera [rad], shape (3,)."""
        return self._off(["CameraYaw", "CameraPitch", "CameraRoll"])

    @property
    def coverage(self) -> float:
        """Share of the joints' offsets within two standard deviations (95 %)."""
        fit = self.outcome.fit
        if fit is None:
            return float("nan")
        rows = [fit.calibration.index(n) for side in SIDES for n in leg_names(side)]
        sigma = fit.calibration.sigma[rows]
        return float(np.mean(np.abs(self.joint_errors) <= 1.96 * sigma))

    def _off(self, names: list[str]) -> FloatArray:
        fit = self.outcome.fit
        if fit is None:
            return np.full(len(names), np.nan)
        truth = dict(
            zip(
                fit.problem.names,
                values_from_errors(fit.problem, self.errors),
                strict=True,
            )
        )
        found = fit.calibration
        return np.array([found.value(name) - truth[name] for name in names])


def shipped_program() -> MotionProgram:
    """Return the shipped motions: 24 poses per leg."""
    return load_motions(shipped_motions()[GIVEN])


def calibrate_robot(
    errors: NaoErrors,
    program: MotionProgram | None = None,
    *,
    level: Level = 1,
    seed: int = 0,
    light: str = "711lx",
    model: ModelName = "auto",
    recorder: Recorder | None = None,
    progress: Callable[[AutomatonState], None] | None = None,
) -> CaseResult:
    """Calibrate a simulated robot, from the bumper to the verdict.

    Args:
        errors: What is wrong with it.
        program: Motions; by default the shipped ones.
        level: Of what is simulated, see `world.make_world`.
        seed: Of all noise.
        light: Name of the light scene.
        model: What is fitted, see `fit.FitCfg`.
        recorder: Gets every message.
        progress: Called ten times per simulated second.

    Example:
        The last line takes half a minute.

        >>> import numpy as np
        >>> from gelenk.robots.nao import calibrate_robot, draw_errors
        >>> errors = draw_errors(np.random.default_rng(1))
        >>> calibrate_robot(errors).ok  # doctest: +SKIP
        True
    """
    program = program or shipped_program()
    fit = FitCfg(model=model, encoder_step=0.0 if level == 1 else ENCODER_STEP)
    cfg = SessionCfg(
        level=level,
        light=light,
        seed=seed,
        cognition=CognitionCfg(fit=fit),
        world=NaoWorldCfg(upper_camera=False),
    )
    with Session(errors, program, cfg, recorder=recorder) as session:
        outcome = session.finish(progress=progress)
    return CaseResult(errors=errors, outcome=outcome)

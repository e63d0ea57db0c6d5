"""Seeded calibrations of drawn robots, for campaigns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:  # scenarios are listed without engine and compiler
    from gelenk.robots.nao.cases import CaseResult
    from gelenk.robots.nao.motion.program import MotionProgram

ModelName = Literal["published", "extended", "auto"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateCfg:
    """How `nao/calibrate` is tried.

    Attributes:
        level: Of what is simulated: 1 images, 2 and noise, 3 and sag and play.
        light: Name of the light scene.
        model: What is fitted.
        motions: Motion file; empty: the shipped one with 24 poses per leg.
        joints: Largest root mean square error of the joints [deg].
    """

    level: Literal[1, 2, 3] = 3
    light: str = "711lx"
    model: ModelName = "auto"
    motions: str = ""
    joints: float = setting(0.1, unit="deg", minimum=0.0)


@scenario(
    "nao/calibrate",
    config=CalibrateCfg,
    figures={
        "worst_joint": Figure(unit="deg", help="largest error of a leg's offset"),
        "joint_rms": Figure(unit="deg", help="of the twelve offsets"),
        "camera": Figure(unit="deg", help="largest error of the camera's turn"),
        "coverage": Figure(worst="smallest", help="of the 95 % intervals"),
        "views": Figure(worst="smallest", help="share of the views that were seen"),
        "simulated": Figure(unit="s", help="from the start to the verdict"),
    },
    acceptance=0.95,
    warm_up=lambda: _program(""),
)
def calibrate(config: CalibrateCfg, seed: int, recorder: Any = None) -> Outcome:
    """A NAO with drawn errors calibrates itself."""
    from gelenk.robots.nao.cases import calibrate_robot
    from gelenk.robots.nao.errors import draw_errors

    result = calibrate_robot(
        draw_errors(np.random.default_rng(seed), level=config.level),
        _program(config.motions),
        level=config.level,
        light=config.light,
        model=config.model,
        seed=seed,
        recorder=recorder,
    )
    figures = _figures(result)
    if not result.ok:
        state = result.outcome.automaton
        return Outcome(
            ok=False, figures=figures, reason=f"{state.verdict.value}: {state.reason}"
        )
    if not figures["joint_rms"] <= config.joints:
        found = f"{figures['joint_rms']:.3f} degrees"
        reason = f"joints are off by {found} rms (at most {config.joints:g})"
        return Outcome(ok=False, figures=figures, reason=reason)
    return Outcome(ok=True, figures=figures)


@cache
def _program(motions: str) -> MotionProgram:
    from gelenk.robots.nao.cases import shipped_program
    from gelenk.robots.nao.motion.text import load_motions

    return load_motions(motions) if motions else shipped_program()


def _figures(result: CaseResult) -> dict[str, float]:
    joints = np.rad2deg(result.joint_errors)
    state = result.outcome.automaton
    total = max(len(state.views) + len(state.missed), 1)
    figures = {
        "worst_joint": float(np.abs(joints).max()),
        "joint_rms": float(np.sqrt(np.mean(joints**2))),
        "camera": float(np.rad2deg(np.abs(result.camera_errors)).max()),
        "coverage": result.coverage,
        "views": len(state.views) / total,
        "simulated": result.outcome.simulated,
    }
    return {name: value for name, value in figures.items() if math.isfinite(value)}

"""All checks of a calibration at once, with limits: is the robot better than before?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.errors import ConfigError
from gelenk.robots.nao.checks.field_check import FieldCheckCfg, check_field
from gelenk.robots.nao.checks.validation import (
    BETTER,
    MAX_HEIGHT,
    MAX_TILT,
    check_boards,
    check_standing,
)
from gelenk.robots.nao.checks.walk import placement_rms, walk_cycle
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import sights_from_views
from gelenk.robots.nao.joints import SIDES, model_from_body
from gelenk.robots.nao.parameters import EYE, nao_problem
from gelenk.robots.nao.poses.candidates import candidate_poses
from gelenk.robots.nao.store import Record
from gelenk.robots.nao.truth import project_truth
from gelenk.robots.nao.world import Level
from gelenk.runtime.files import as_plain

MAX_BOARD = 1.0  # [px], root mean square
MAX_SPOT = 0.05  # [m], at the centre spot, 3 m away
MAX_STEP = 0.002  # [m], root mean square, of a foot that is put down
OTHER_POSES, OTHER_SEED = 12, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One question and its answer.

    Attributes:
        name: Short name.
        what: What is measured.
        unit: Of the numbers.
        before, after: Without and with the calibration.
        limit: That `after` must not exceed.
    """

    name: str
    what: str
    unit: str
    before: float
    after: float
    limit: float

    @property
    def ok(self) -> bool:
        return math.isfinite(self.after) and self.after <= self.limit


def record_problem(record: Record) -> CalibrationProblem:
    """Return the problem that a stored calibration has solved.

    Raises:
        ConfigError: If its parameters are not those of this version.
    """
    problem = nao_problem(extended=record.model == "extended")
    if problem.names != record.names:
        other = sorted(set(problem.names) ^ set(record.names))
        raise ConfigError(
            "the stored calibration has other parameters than this version of gelenk: "
            f"{', '.join(other[:5])}; calibrate again"
        )
    return problem


def other_sights(problem: CalibrationProblem, errors: NaoErrors) -> list[Observation]:
    """Return what a robot sees in poses that no calibration has used."""
    poses = candidate_poses(OTHER_POSES, np.random.default_rng(OTHER_SEED))
    sights = []
    for side in SIDES:
        bodies = poses.body(side).reshape(-1, poses.bodies.shape[-1])
        view = project_truth(errors, bodies, side)
        q = model_from_body(problem.model, bodies)
        for i in range(len(bodies)):
            seen = np.flatnonzero(view.is_visible[i])
            if len(seen):
                sights.append(
                    Observation(
                        camera=EYE,
                        target=side,
                        q=q[i],
                        points=seen,
                        pixels=view.pixels[i, seen],
                    )
                )
    return sights


def validate(
    record: Record,
    errors: NaoErrors,
    *,
    level: Level = 3,
    seed: int = 0,
    on_step: Callable[[int, int, str], None] = lambda done, total, label: None,
) -> list[Check]:
    """Return all checks of a calibration on the simulated robot it was made for.

    Args:
        record: The calibration.
        errors: What is really wrong with the robot.
        level: Of what is simulated.
        seed: Of all noise.
        on_step: Told before each check.
    """
    known = record.compensation()
    steps: Sequence[tuple[str, Callable[[], list[Check]]]] = (
        ("boards", lambda: _boards(record, errors)),
        ("standing", lambda: _standing(errors, known, level, seed)),
        ("field lines", lambda: _field(errors, known, level, seed)),
        ("walking", lambda: _walking(errors, known)),
    )
    checks: list[Check] = []
    for done, (label, step) in enumerate(steps):
        on_step(done, len(steps), label)
        checks += step()
    return checks


def _boards(record: Record, errors: NaoErrors) -> list[Check]:
    problem = record_problem(record)
    views = sights_from_views(problem, record.views)
    found = []
    for name, what, sights in (
        ("boards", "projected boards, views of the calibration", views),
        ("other_boards", "projected boards, poses not used", None),
    ):
        sights = other_sights(problem, errors) if sights is None else sights
        check = check_boards(problem, record.values, sights)
        found.append(
            Check(
                name=name,
                what=f"{what}: root mean square distance",
                unit="px",
                before=check.rms_before,
                after=check.rms_after,
                limit=MAX_BOARD,
            )
        )
    return found


def _standing(
    errors: NaoErrors, known: Compensation, level: Level, seed: int
) -> list[Check]:
    check = check_standing(errors, known, level=level, seed=seed)
    heights = [1e3 * value for value in check.heights]
    tilts = [math.degrees(value) for value in check.tilts]
    return [
        Check(
            name="sole_height",
            what="standing: height difference of the soles",
            unit="mm",
            before=heights[0],
            after=heights[1],
            limit=max(1e3 * MAX_HEIGHT, heights[0] / BETTER),
        ),
        Check(
            name="sole_tilt",
            what="standing: larger angle of a sole with the floor",
            unit="deg",
            before=tilts[0],
            after=tilts[1],
            limit=max(math.degrees(MAX_TILT), tilts[0] / BETTER),
        ),
    ]


def _field(
    errors: NaoErrors, known: Compensation, level: Level, seed: int
) -> list[Check]:
    cfg = FieldCheckCfg(level=level, seed=seed)
    before, after = check_field(errors, None, cfg), check_field(errors, known, cfg)
    return [
        Check(
            name="field_spot",
            what="field: centre spot, seen from 3 m, against where it is",
            unit="cm",
            before=1e2 * before.distance_error,
            after=1e2 * after.distance_error,
            limit=1e2 * MAX_SPOT,
        )
    ]


def _walking(errors: NaoErrors, known: Compensation) -> list[Check]:
    walk = walk_cycle()
    return [
        Check(
            name="steps",
            what="walking: where feet are put, root mean square",
            unit="mm",
            before=1e3 * placement_rms(errors, walk),
            after=1e3 * placement_rms(errors, walk, known),
            limit=1e3 * MAX_STEP,
        )
    ]


def checks_document(
    record: Record, checks: Sequence[Check], *, level: int, seed: int
) -> dict[str, Any]:
    """Return checks as JSON holds them."""
    return {
        "schema": 1,
        "kind": "nao validation",
        "robot": record.robot,
        "model": record.model,
        "verdict": record.verdict,
        "ok": all(check.ok for check in checks),
        "level": level,
        "seed": seed,
        "checks": [
            {
                "name": check.name,
                "what": check.what,
                "unit": check.unit,
                "before": as_plain(check.before),
                "after": as_plain(check.after),
                "limit": check.limit,
                "ok": check.ok,
            }
            for check in checks
        ],
    }

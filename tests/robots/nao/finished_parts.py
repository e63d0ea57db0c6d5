"""Calibrations that have come to a verdict, without a world: views in closed form."""

from __future__ import annotations

import numpy as np

from gelenk.robots.nao.automaton import AutomatonState, BoardView, MissedView, Verdict
from gelenk.robots.nao.cognition import CognitionCfg
from gelenk.robots.nao.command import Finished, Request, Wish, make_request
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import FitCfg, fit_views
from gelenk.robots.nao.joints import SIDES, mirror
from gelenk.robots.nao.session import Outcome, SessionCfg
from gelenk.robots.nao.truth import project_truth
from testkit.nao_robots import given_bodies

NOISE = 0.03  # [px]


def seen_views(errors: NaoErrors, num_poses: int = 8) -> tuple[BoardView, ...]:
    """Return what a robot sees of both boards in the first given poses."""
    rng = np.random.default_rng(7)
    views = []
    for side in SIDES:
        bodies = given_bodies()[:num_poses]
        bodies = bodies if side == "left" else mirror(bodies)
        pixels = project_truth(errors, bodies, side).pixels
        pixels = pixels + rng.normal(0.0, NOISE, pixels.shape)
        views += [
            BoardView(
                side=side,
                pose=pose,
                gaze=gaze,
                time=float(len(views)),
                angles=bodies[pose, gaze],
                corners=pixels[pose, gaze],
            )
            for pose in range(num_poses)
            for gaze in range(3)
        ]
    return tuple(views)


def drawn_board(view: BoardView) -> np.ndarray:
    """Return an image with a gray spot at each corner."""
    image = np.full((480, 640), 40, dtype=np.uint8)
    for x, y in np.rint(view.corners).astype(int):
        if 2 < x < 637 and 2 < y < 477:
            image[y - 1 : y + 2, x - 1 : x + 2] = 220
    return image


def finished_calibration(
    errors: NaoErrors,
    *,
    num_poses: int = 8,
    missed: tuple[MissedView, ...] = (),
    verdict: Verdict | None = None,
    fit: FitCfg | None = None,
    with_images: bool = False,
) -> Finished:
    """Return a calibration that ended with a fit of synthetic views."""
    views = seen_views(errors, num_poses)
    fit = fit or FitCfg(model="published", encoder_step=0.0)
    found = fit_views(views, fit)
    answer = found.answer
    state = AutomatonState(
        views=views,
        missed=missed,
        started=1.0,
        ended=101.5,
        verdict=verdict or answer.verdict,
        reason=answer.reason,
    )
    request = make_request(Wish(case=6))
    request = Request(
        robot=request.robot,
        errors=errors,
        poses="the first of the given ones",
        program=request.program,
        num_poses=num_poses,
        cfg=SessionCfg(cognition=CognitionCfg(fit=fit)),
    )
    images = {i: drawn_board(v) for i, v in enumerate(views)} if with_images else {}
    outcome = Outcome(
        automaton=state, fit=found, simulated=100.5, searches=50, seconds=3.0
    )
    return Finished(request=request, outcome=outcome, images=images)

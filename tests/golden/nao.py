"""Test cases 1 to 7 of NAO's calibration, and calibrations from drawn images.

1: a robot without errors. 2: boards among false corners. 3 and 4: the printed
optimiser. 5 to 7: robots with known errors, seen without drawing, and drawn. Drawn
images are the graphics driver's; it is therefore part of the fingerprint.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gelenk.robots.nao.cases import calibrate_robot
from gelenk.robots.nao.errors import CASES, NaoErrors
from gelenk.robots.nao.printed import PrintedCfg, printed_levenberg_marquardt
from gelenk.robots.nao.world import Level
from gelenk.typing import FloatArray
from gelenk.vision.chessboard_pattern import order_corners
from golden.records import Found, Record, digest, figure
from testkit.nao_robots import calibrated_robot, given_bodies
from testkit.nao_sights import SightNoise
from testkit.nao_situations import short_program

EXACT = SightNoise(pixel=0.04)
NUM_BOARDS, NUM_FALSE = 40, 3
ANGLE = np.deg2rad(0.02)  # between what two machines find from drawn images [rad]


def calibrate_drawn(errors: NaoErrors, level: Level) -> Found:
    """Let a robot look at its sandals; return views, parameters and their errors."""
    result = calibrate_robot(
        errors, short_program(), level=level, seed=1, model="published"
    )
    state, fit = result.outcome.automaton, result.outcome.fit
    views = state.views
    bits = {
        "corners": digest(np.array([view.corners for view in views])),
        "angles": digest(np.array([view.angles for view in views])),
        "times": digest(np.array([view.time for view in views])),
        "trace": digest(np.array([time for time, _ in state.trace])),
    }
    figures = {
        "is_calibrated": figure(result.ok),
        "views": figure(len(views)),
        "simulated": figure(result.outcome.simulated, absolute=1.0),
    }
    if fit is not None:
        found = fit.calibration
        bits["values"] = digest(found.values, found.sigma)
        worst = np.abs(result.joint_errors).max()
        figures["worst_joint"] = figure(worst, absolute=ANGLE)
        worst = np.abs(result.camera_errors).max()
        figures["worst_camera"] = figure(worst, absolute=ANGLE)
    return Found(bits, figures)


def calibrate_seen(case: int) -> Found:
    """Calibrate from the pixels that a robot with known errors must see."""
    robot = calibrated_robot(
        CASES[case],
        given_bodies()[::4],
        np.random.default_rng(case),
        is_extended=False,
        noise=EXACT,
    )
    found = robot.calibration
    figures = {
        "chi2_before": figure(found.chi2_before, relative=1e-6),
        "chi2_after": figure(found.chi2_after, relative=1e-6),
    }
    for k, value in enumerate(found.values):
        figures[f"parameter_{k + 1}"] = figure(value, absolute=1e-6)
    bits = {
        "values": digest(found.values, found.sigma),
        "joints": digest(robot.compensation.joints),
    }
    return Found(bits, figures)


def number_boards() -> Found:
    """Number the corners of boards, seen at random, among false ones."""
    rng = np.random.default_rng(2)
    orders = []
    for _ in range(NUM_BOARDS):
        xy = _seen_board(rng)
        false = rng.uniform(xy.min(axis=0) - 20.0, xy.max(axis=0) + 20.0, (50, 2))
        far = np.linalg.norm(false[:, None] - xy, axis=2).min(axis=1) > 5.0
        points = np.concatenate([xy, false[far][:NUM_FALSE]])
        points += rng.normal(0.0, 0.1, points.shape)
        shuffle = rng.permutation(len(points))
        strength = rng.uniform(400.0, 700.0, len(points))
        order = order_corners(points[shuffle], strength, expected=xy)
        orders.append(np.full(len(xy), -1) if order is None else shuffle[order])
    right = sum(np.array_equal(order, np.arange(len(order))) for order in orders)
    return Found(
        {"orders": digest(np.array(orders))}, {"right": figure(right, absolute=1.0)}
    )


def _seen_board(rng: np.random.Generator) -> FloatArray:
    """Return the corners of a board, tilted and rolled, in pixels, row by row."""
    y, x = np.mgrid[0:4, 0:6].reshape(2, -1).astype(float)
    roll, tilt = rng.uniform(-np.pi, np.pi), rng.uniform(-0.8, 0.8)
    x, y = x - 2.5, y - 1.5
    x, y = np.cos(roll) * x - np.sin(roll) * y, np.sin(roll) * x + np.cos(roll) * y
    depth = 12.0 + np.sin(tilt) * x
    return np.stack(
        [320.0 + 500.0 * np.cos(tilt) * x / depth, 240.0 + 500.0 * y / depth], 1
    )


def descend_valleys() -> Found:
    """Count steps in Rosenbrock's valley."""
    cfg = PrintedCfg(
        delta=1e-4, tolerance=1e-10, convergence_count=0, max_iterations=2000
    )
    found = [
        printed_levenberg_marquardt(partial(_valley, depth), start, cfg=cfg)
        for depth in (10.0, 100.0)
        for start in ((-1.2, 1.0), (-2.0, 0.7), (0.0, 0.0))
    ]
    return Found(
        {"ends": digest(np.array([item.x for item in found]))},
        {
            f"steps_{k + 1}": figure(item.iterations, absolute=2.0)
            for k, item in enumerate(found)
        },
    )


def _valley(depth: float, x: FloatArray) -> FloatArray:
    return np.array([depth * (x[1] - x[0] ** 2), 1.0 - x[0]])


def fit_wave() -> Found:
    """Fit a damped wave to noisy points."""
    t = np.linspace(0.0, 38.0, 39)
    true = np.array([50.0, 20.0, -0.4, 17.0, 3.0])
    y = _wave(t, true) + np.random.default_rng(4).normal(0.0, 4.0, t.shape)
    found = printed_levenberg_marquardt(
        lambda x: _wave(t, x) - y,
        (40.0, 15.0, -0.5, 15.0, 10.0),
        cfg=PrintedCfg(convergence_count=1, delta=1e-6),
    )
    figures = {"chi2": figure(found.chi2, relative=1e-6)}
    for k, value in enumerate(found.x):
        figures[f"parameter_{k + 1}"] = figure(value, absolute=1e-3)
    return Found({"end": digest(found.x, found.sigma)}, figures)


def _wave(t: FloatArray, x: FloatArray) -> FloatArray:
    a, tau, phi, period, theta = x
    return theta + a * np.exp(-t / tau) * np.sin(2.0 * np.pi * t / period + phi)


RECORDS: dict[str, Record] = {
    "case_1": partial(calibrate_drawn, NaoErrors(), 1),
    "case_2": number_boards,
    "case_3": descend_valleys,
    "case_4": fit_wave,
    **{f"case_{case}": partial(calibrate_seen, case) for case in CASES},
    **{
        f"case_{case}_drawn": partial(calibrate_drawn, errors, 1)
        for case, errors in CASES.items()
    },
    "case_6_noisy": partial(calibrate_drawn, CASES[6], 3),
}

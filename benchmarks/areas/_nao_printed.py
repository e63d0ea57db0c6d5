"""TC3 and TC4: the printed optimiser on its printed problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.robots.nao.printed import PrintedCfg, printed_levenberg_marquardt
from gelenk.typing import FloatArray

# Kastner 2014, Tab. 5.1: D, start, iterations; and the curve of Tab. 5.2: t, y.
VALLEYS = (
    (10.0, (-1.2, 1.0), 22),
    (100.0, (-1.2, 1.0), 134),
    (1000.0, (-1.2, 1.0), 715),
    (10.0, (-2.0, 0.7), 18),
    (100.0, (-2.0, 0.7), 135),
    (1000.0, (-2.0, 0.7), 662),
    (10.0, (0.0, 0.0), 13),
    (100.0, (0.0, 0.0), 86),
    (1000.0, (0.0, 0.0), 443),
)
CURVE = np.array(
    [
        (0.0, -14.7), (1.0, 8.6), (2.1, 28.8), (3.1, 46.7), (4.2, 47.4), (5.2, 36.5),
        (6.2, 37.0), (7.2, 5.1), (8.2, -11.2), (9.1, -22.4), (10.0, -35.5),
        (11.0, -33.6), (12.0, -21.1), (12.9, -15.0), (13.8, -1.6), (14.9, 19.5),
        (15.9, 27.5), (17.0, 32.6), (17.9, 27.5), (18.9, 20.2), (20.0, 13.8),
        (21.0, -1.3), (22.0, -24.5), (23.0, -25.0), (24.0, -25.0), (25.0, -20.2),
        (26.0, -9.9), (27.0, 5.8), (28.0, 14.7), (29.0, 21.8), (30.0, 29.8),
        (31.0, 21.4), (32.0, 24.6), (32.9, 25.8), (33.8, 0.6), (34.7, -16.6),
        (35.7, -24.0), (36.6, -24.6), (37.7, -19.8),
    ]
)  # fmt: skip
CURVE_START = (40.0, 15.0, -0.5, 15.0, 10.0)
CHI_SQUARE = 819.255
PRINTED_STEPS = 10


def printed_problems(settings: Settings) -> Iterator[Row]:
    """Count iterations in the valleys of Rosenbrock, and fit the damped wave."""
    del settings  # nothing is drawn
    cfg = PrintedCfg(
        delta=1e-4, tolerance=1e-10, convergence_count=0, max_iterations=2000
    )
    counts = [
        printed_levenberg_marquardt(_valley(D), start, cfg=cfg).iterations
        for D, start, _ in VALLEYS
    ]
    printed = [count for _, _, count in VALLEYS]
    yield Row(
        name="tc3_iterations_above_print",
        value=float(max(a - b for a, b in zip(counts, printed, strict=True))),
        unit="iterations",
        target=1.0,
        note=f"ours {counts}, printed {printed}",
    )
    found = printed_levenberg_marquardt(
        _wave, CURVE_START, cfg=PrintedCfg(convergence_count=1, delta=1e-6)
    )
    yield Row(
        name="tc4_chi_square",
        value=found.chi2,
        unit="1",
        target=CHI_SQUARE + 5e-4,  # the print has three digits
        note=f"{found.iterations} iterations, printed {PRINTED_STEPS}",
    )
    yield Row(
        name="tc4_iterations_above_print",
        value=float(found.iterations - PRINTED_STEPS),
        unit="iterations",
        target=1.0,
    )


def _valley(D: float) -> Callable[[FloatArray], FloatArray]:
    return lambda x: np.array([D * (x[1] - x[0] ** 2), 1.0 - x[0]])


def _wave(x: FloatArray) -> FloatArray:
    t, y = CURVE.T
    a, tau, phi, period, theta = x
    wave = a * np.exp(-t / tau) * np.sin(2.0 * np.pi * t / period + phi)
    return theta + wave - y

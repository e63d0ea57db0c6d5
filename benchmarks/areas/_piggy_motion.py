"""Piggy's motion: how fast and how exactly poses and strokes are reached."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from experiments.piggy.drive_flank import strokes
from experiments.piggy.drive_moves import GRID, settling_map

SMALL_GRID = (-45.0, 0.0, 15.0, 45.0)  # [deg]


def motion_figures(settings: Settings) -> Iterator[Row]:
    """Measure moves of the thesis's drive from upright to a grid of poses."""
    grid = GRID if settings.pick(1, 0) else SMALL_GRID
    fast, fine, motor, bat = settling_map(grid)
    count = int(np.isfinite(fast).sum())
    yield Row(
        name="motion_2_degrees",
        value=float(np.nanmax(fast)),
        unit="s",
        target=0.34,
        direction="<=",
        peers={"thesis": 0.34},
        note=f"slowest of {count} moves to within 2 degrees; mean "
        f"{np.nanmean(fast):.3f} s",
    )
    yield Row(
        name="motion_half_degree",
        value=float(np.nanmean(fine)),
        unit="s",
        target=0.7,
        direction="<=",
        peers={"thesis": 0.7},
        note="mean time to within 0.5 degrees",
    )
    yield Row(
        name="motion_residual",
        value=float(np.nanmax(motor)),
        unit="deg",
        target=0.4,
        direction="<=",
        peers={"thesis": 0.4},
        note="largest error at rest, at the encoders; of the bat behind the play "
        f"{np.nanmax(bat):.1f} deg",
    )


def stroke_figures(settings: Settings) -> Iterator[Row]:
    """Measure how far the bat is from its target at the hit, with both drives."""
    count = settings.pick(40, 12)
    places, speeds = strokes("tight", count=count)
    believed, _ = strokes("thesis", play="estimate", count=count)
    blind, _ = strokes("thesis", count=count)
    yield Row(
        name="stroke_place",
        value=1e3 * float(np.percentile(places, 90)),
        unit="mm",
        target=9.0,
        direction="<=",
        note="90 % of strokes, drive without play, velocity "
        f"{np.percentile(speeds, 90):.2f} m/s off; the thesis's drive: median "
        f"{1e3 * np.median(believed):.0f} mm with the flank estimated, "
        f"{1e3 * np.median(blind):.0f} mm blind",
    )

"""Piggy's play from pixels to bat: throws, sides, returns, rallies, faults, time.

A quick run is too short for shares: its rows promise nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.harness import Row, Settings
from experiments.figures import ComparedFigure
from experiments.piggy.faults import TRIALS, share_mastered, try_all
from experiments.piggy.planner import shared_tables
from experiments.piggy.play import (
    INDOORS,
    OUTDOORS,
    PER_TRIAL,
    direction_play,
    rallies,
    returns,
    table_5_3,
)
from experiments.piggy.structure import base_stability, rod_ringing
from gelenk.robots.piggy.scenario import RallyCfg
from gelenk.robots.piggy.session import PlayCfg, PlaySession
from gelenk.robots.piggy.throwers import draw_throw

RETURNS = 3 * PER_TRIAL  # throws at each drive
GAMES, QUICK_GAMES = 50, 1
LONG_ENOUGH = 205  # hits
FRAME = 20.0  # [ms], one frame of the cameras
QUICK_FAULTS = ("servo stuck",)


def piggy_throws(settings: Settings) -> Iterator[Row]:
    """Measure table 5.3 of the thesis in both places."""
    counts = (1, 1) if settings.quick else (INDOORS, OUTDOORS)
    figures = table_5_3(*counts, seed=settings.seed, workers=_workers(settings))
    for place in ("indoor", "outdoor"):
        mine = [f for f in figures if f.quantity.startswith(place)]
        hit, lost, missed, wide, _ = mine
        yield Row(
            name=f"throws_{place}",
            value=hit.value,
            unit="%",
            target=None if settings.quick else 95.0,
            direction=">=",
            peers={"thesis": float(hit.thesis.split()[0])},
            note=f"hit of balls that came: {hit.note}; {lost.value:.1f} % without a "
            f"track, {missed.value:.1f} % missed; {wide.value:.1f} % of {wide.note} "
            "never came",
        )


def piggy_sides(settings: Settings) -> Row:
    """Measure balls that are played left and right in turn."""
    (figure,) = direction_play(
        1 if settings.quick else 8 * PER_TRIAL, workers=_workers(settings)
    )
    target = None if settings.quick else 98.0
    return _row("sides", figure, target, peers={"thesis": 90.0})


def piggy_returns(settings: Settings) -> Iterator[Row]:
    """Measure passes to a person at 3 m: tight drive, and the thesis's both ways."""
    count = 1 if settings.quick else RETURNS
    figures = returns(count, workers=_workers(settings))
    names = ("returns_tight", "returns_flank_estimated", "returns_flank_ignored")
    for name, (wide, near) in zip(
        names, zip(figures[::2], figures[1::2], strict=True), strict=True
    ):
        is_promised = name == "returns_tight" and not settings.quick
        target = 80.0 if is_promised else None
        row = _row(name, wide, target)
        yield replace(row, note=f"{row.note}; {near.value:.0f} % within 20 cm")


def piggy_rally(settings: Settings) -> Iterator[Row]:
    """Measure rallies with skilled team-mates and average opponents."""
    games = settings.pick(GAMES, QUICK_GAMES)
    cfg = RallyCfg(longest=2 if settings.quick else LONG_ENOUGH)
    median, best, lost, _ = rallies(games, cfg=cfg, workers=_workers(settings))
    yield _row("rally_median", median, None if settings.quick else 50.0)
    yield _row("rally_best", best, None if settings.quick else 200.0)
    yield replace(_row("rally_ends", lost, None), direction="<=")


def piggy_faults(settings: Settings) -> Row:
    """Let things go wrong: a safe state or play goes on, with a reason in the log."""
    names = QUICK_FAULTS if settings.quick else tuple(TRIALS)
    findings = try_all(names, on_finding=lambda found: settings.tell(found.name))
    wrong = [
        f"{found.name}: {found.reasons[-1][1]}"
        for found in findings
        if not (found.is_safe and found.goes_on)
    ]
    return Row(
        name="faults_mastered",
        value=100.0 * share_mastered(findings),
        unit="%",
        target=100.0,
        direction=">=",
        note=f"{', '.join(names)}; not: {', '.join(wrong) or 'none'}",
    )


def piggy_image_to_command(settings: Settings) -> Row:
    """Measure from a pair of images to the stroke that follows, images drawn before."""
    rng = np.random.default_rng(settings.seed)
    cfg = PlayCfg(mode="pass", drive="tight", seed=settings.seed)
    with PlaySession(cfg, tables=shared_tables()) as session:
        result = session.run(draw_throw(rng) for _ in range(settings.pick(10, 1)))
    wall = 1e3 * result.frame_time()
    busy = 1e3 * float(np.percentile([t.cpu for t in result.times], 95))
    return Row(
        name="image_to_command",
        value=wall,
        unit="ms",
        target=FRAME,
        direction="<=",
        peers={"thesis": 20.0},
        note=f"95th percentile of {len(result.times)} frames with passes planned, by "
        f"the clock, two threads; processor time of the calling one {busy:.1f} ms",
    )


def piggy_body(settings: Settings) -> Iterator[Row]:
    """Measure how the rod rings, and whether the base stands."""
    direct, smooth, hertz = rod_ringing()
    yield Row(
        name="rod_ringing",
        value=direct.value,
        unit="mm",
        note=f"the sphere trails in a direct move of 46 degrees; by a pattern "
        f"{smooth.value:.1f} mm; it rings at {hertz.value:.1f} Hz",
    )
    worst = max(base_stability(), key=lambda figure: figure.value)
    yield Row(
        name="base_tipping",
        value=worst.value,
        unit="%",
        target=100.0,
        direction="<=",
        note=f"{worst.quantity}; {worst.note}",
    )


def _row(
    name: str,
    figure: ComparedFigure,
    target: float | None,
    peers: dict[str, float] | None = None,
) -> Row:
    return Row(
        name=name,
        value=figure.value,
        unit=figure.unit,
        target=target,
        direction=">=",
        peers=peers or {},
        note=f"{figure.quantity}; {figure.note}",
    )


def _workers(settings: Settings) -> int | None:
    return 0 if settings.quick else None

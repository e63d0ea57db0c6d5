"""Panel of a played film: lines, clouds, captions, curves and the outcome."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gelenk.course.film import Shot
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.runtime.panel import (
    Column,
    Highlight,
    Overlay,
    PanelCurve,
    RobotPanel,
    Table,
    WorldPath,
    WorldPoints,
    WorldTexts,
)
from gelenk.runtime.panel_overlays import Color
from gelenk.ui.animation import Animation

if TYPE_CHECKING:
    from gelenk.runtime.scene import SceneLog

COLORS: tuple[Color, ...] = ("model", "measured", "target", "three", "four", "one")
CAPTION = "caption"  # texts of this name stand in a corner of the view
DOT_SHARE = 0.0025  # radius of a dot, as a part of what is seen
DIGITS = 4  # of places: tenths of millimetres


class FilmPanel(RobotPanel):
    """Shows what the film says of the moment that is played.

    Args:
        reel: The film.
        outcome: Outcome of the scenario.
        clock: Returns the time of the film [s].
    """

    def __init__(
        self, reel: Animation, outcome: TrialOutcome, clock: Callable[[], float]
    ) -> None:
        self._reel, self._outcome, self._clock = reel, outcome, clock
        size = float(np.linalg.norm(reel.high - reel.low))
        self._dot = min(max(DOT_SHARE * size, 1e-3), 0.05)
        names = [name for shot in reel.shots for name in (*shot.lines, *shot.clouds)]
        self._names = tuple(dict.fromkeys(names))
        self._log: SceneLog | None = None
        self._said = ""

    @property
    def _shot(self) -> Shot:
        return self._reel.at(self._clock())

    @property
    def _is_over(self) -> bool:
        return self._clock() >= self._reel.duration

    def connect(self, log: SceneLog) -> None:
        """Mark what goes on in the timeline and write it into the log."""
        self._log = log

    # -- in the world ----------------------------------------------------------------

    def overlays(self) -> tuple[Overlay, ...]:
        shot = self._shot
        drawn: list[Overlay] = []
        for name, points in shot.lines.items():
            at = np.round(points + self._reel.lift, DIGITS)
            drawn.append(WorldPath(name=name, at=at, color=self._color(name)))
        for name, points in shot.clouds.items():
            at = np.round(points + self._reel.lift, DIGITS)
            stroke = self._reel.strokes.get(name)
            radius = self._dot if stroke is None else stroke.radius or self._dot
            drawn.append(
                WorldPoints(name=name, at=at, color=self._color(name), radius=radius)
            )
        text = self.caption()
        if text:
            color = "neutral"
            if self._is_over:
                color = "good" if self._outcome.is_reached else "bad"
            at = [self._reel.high]
            drawn.append(WorldTexts(name=CAPTION, at=at, texts=(text,), color=color))
        return tuple(drawn)

    def _color(self, name: str) -> Color:
        stroke = self._reel.strokes.get(name)
        if stroke is not None and stroke.color is not None:
            return stroke.color
        return COLORS[self._names.index(name) % len(COLORS)]

    # -- beside it -------------------------------------------------------------------

    def caption(self) -> str:
        """Return what goes on, or in the end what it came to."""
        if not self._is_over:
            return self._shot.text
        outcome = self._outcome
        return "reached" if outcome.is_reached else f"not reached: {outcome.reason}"

    def tables(self) -> tuple[Table, ...]:
        self._mark()
        outcome, is_over = self._outcome, self._is_over
        rows = (
            ("seed", str(outcome.seed)),
            ("time", f"{self._clock():.1f} of {self._reel.duration:.1f} s"),
            ("now", self._shot.text or "–"),
        )
        columns = Column(title="Scenario"), Column(title="")
        found = [Table(name="scenario", title="Scenario", columns=columns, rows=rows)]
        if is_over:
            found.append(self._figures(outcome))
        return tuple(found)

    def curves(self) -> tuple[PanelCurve, ...]:
        names = dict.fromkeys(name for shot in self._reel.shots for name in shot.curves)
        return tuple(
            PanelCurve(name=title, unit=unit, read=partial(self._read, name))
            for name in names
            for title, unit in (split_unit(name),)
        )

    def _read(self, name: str) -> float:
        return self._shot.curves.get(name, math.nan)

    def _figures(self, outcome: TrialOutcome) -> Table:
        columns = (
            Column(title="Figure"),
            Column(title="Value", format=".4g"),
            Column(title="Unit"),
        )
        rows = [
            (title, float(value), unit)
            for name, value in outcome.figures.items()
            for title, unit in (split_unit(name),)
        ]
        word = "reached" if outcome.is_reached else "not reached"
        marked = Highlight(row=0, color="good" if outcome.is_reached else "bad")
        return Table(
            name="outcome",
            title=f"Outcome: {word}",
            columns=columns,
            rows=(("outcome", word, ""), *rows),
            highlights=(marked,),
            caption=outcome.reason,
        )

    def _mark(self) -> None:
        text = self.caption()
        if self._log is None or text == self._said:
            return
        self._said = text
        if text:
            self._log.add_event("trigger", text)
            self._log.say(text, source="film")


def split_unit(name: str) -> tuple[str, str]:
    """Return what a figure is and its unit.

    Example:
        >>> split_unit("miss by cloud [m]")
        ('miss by cloud', 'm')
    """
    found = re.fullmatch(r"(.*?)\s*\[([^\]]*)\]", name)
    return (found[1], found[2]) if found else (name, "")

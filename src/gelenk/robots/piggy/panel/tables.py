"""Tables beside a playing Piggy: throws, score, what the robot thinks."""

from __future__ import annotations

from collections.abc import Iterable

from gelenk.robots.piggy.game.game import Event, Game
from gelenk.robots.piggy.game.referee import Ending
from gelenk.robots.piggy.player import Player
from gelenk.robots.piggy.session import PlayRow
from gelenk.runtime.files import as_plain
from gelenk.runtime.panel import Color, Column, Highlight, Table

SHOWN_CHANGES = 10
_COLORS: dict[str, Color] = {
    "hit": "good",
    "no track": "bad",
    "missed by robot": "bad",
    Ending.COMPLETED.value: "good",
    Ending.INTERCEPTED.value: "bad",
}


def throw_table(rows: Iterable[PlayRow], counts: tuple[int, int, int]) -> Table:
    """Return the last throws, newest first.

    Args:
        rows: Oldest first.
        counts: Throws, those that reached the workspace, hits of these.
    """
    cells = tuple(
        (
            row.cause,
            as_plain(row.first_track),
            as_plain(1e3 * row.aim_error),
            as_plain(1e3 * row.bat_error),
            as_plain(row.passed),
        )
        for row in reversed(tuple(rows))
    )
    throws, reached, hits = counts
    return Table(
        name="throws",
        title="Throws",
        columns=(
            Column(title="Became"),
            Column(title="Track after", unit="s", format=".2f"),
            Column(title="Aim off", unit="mm", format=".0f"),
            Column(title="Bat off", unit="mm", format=".0f"),
            Column(title="Past the target", unit="m", format=".2f"),
        ),
        rows=cells,
        highlights=_highlights([str(row[0]) for row in cells]),
        caption=f"{throws} throws, {reached} came into the workspace, {hits} of these "
        "were hit.",
    )


def score_tables(game: Game, events: Iterable[Event]) -> tuple[Table, ...]:
    """Return the score, and the last throws of a game, newest first."""
    score = game.match.score
    best = max((*score.rallies, score.rally), default=0)
    rows = (
        ("passes that arrived", score.passes),
        ("intercepted", score.interceptions),
        ("this rally", score.rally),
        ("best rally", best),
    )
    total = Table(
        name="score",
        title="Score",
        columns=(Column(title="What"), Column(title="Count", format="d")),
        rows=rows,
    )
    cells = tuple(
        (e.ending.value, e.thrower, e.target, as_plain(100.0 * e.chance), e.catcher)
        for e in reversed(tuple(events))
    )
    throws = Table(
        name="passes",
        title="Passes",
        columns=(
            Column(title="Became"),
            Column(title="Thrown by"),
            Column(title="Passed to"),
            Column(title="Chance", unit="%", format=".0f"),
            Column(title="Caught by"),
        ),
        rows=cells,
        highlights=_highlights([str(row[0]) for row in cells]),
    )
    return total, throws


def mind_table(player: Player) -> Table:
    """Return what the robot has been about, newest first, and why."""
    rows = tuple(
        (change.time, change.after.value, change.reason)
        for change in list(player.changes)[: -SHOWN_CHANGES - 1 : -1]
    )
    return Table(
        name="phases",
        title="What it does, and why",
        columns=(
            Column(title="Time", unit="s", format=".2f"),
            Column(title="Phase"),
            Column(title="Reason"),
        ),
        rows=rows,
    )


def _highlights(words: list[str]) -> tuple[Highlight, ...]:
    return tuple(
        Highlight(row=i, column=0, color=_COLORS[word])
        for i, word in enumerate(words)
        if word in _COLORS
    )

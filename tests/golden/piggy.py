"""Twenty throws at Piggy per drive, from the images to the bat.

Five in a row at a time, each row with a place, a thrower and a task of its own. On
another machine a robot that sees and aims nearly the same hits the same balls, except
those that only graze the bat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from gelenk.robots.piggy.session import Mode, PlayCfg, PlayRow, PlaySession
from gelenk.robots.piggy.throwers import PlaceName, draw_throw
from golden.records import Found, Record, digest, figure

Drive = Literal["thesis", "tight"]
NUM_THROWS = 5
GRAZES = 1.0  # throws whose outcome may differ between two machines


@dataclass(frozen=True, kw_only=True)
class Row:
    """Some throws in a row."""

    seed: int
    place: PlaceName = "indoor"
    mode: Mode = "hit"
    skill: str = "default"


ROWS: dict[str, Row] = {
    "hit": Row(seed=1),
    "left": Row(seed=2, mode="left", skill="skilled"),
    "right": Row(seed=3, mode="right", place="outdoor"),
    "fast": Row(seed=4, skill="fast"),
}


def throw(row: Row, drive: Drive) -> Found:
    """Throw at the robot; return what became of the balls, and what it knew of them."""
    rng = np.random.default_rng(row.seed)
    throws = [draw_throw(rng, row.place, skill=row.skill) for _ in range(NUM_THROWS)]
    cfg = PlayCfg(place=row.place, drive=drive, mode=row.mode, seed=row.seed)
    with PlaySession(cfg) as session:
        result = session.run(throws)
        state = session.world.world.state_hash()
        now = session.now
    table = result.table
    rows = result.rows
    bits = {
        "state": state,
        "throws": digest(np.array([(t.position, t.velocity) for t in throws])),
        "balls": digest(*(part for item in rows for part in _ball(item))),
        "aims": digest(*(item.intent.q for item in rows if item.intent is not None)),
        "errors": digest(np.array([(r.aim_error, r.bat_error) for r in rows])),
        "tracks": digest(np.array([item.first_track for item in rows])),
        "phases": digest(np.array([change.time for change in result.changes])),
    }
    figures = {
        "frames": figure(len(result.times), absolute=50.0),
        "time": figure(now, absolute=1.0),
        "hits": figure(table["hits"], absolute=GRAZES),
        "reached": figure(table["reached"], absolute=GRAZES),
        "no_track": figure(table["no_track"], absolute=GRAZES),
        "missed_by_robot": figure(table["missed_by_robot"], absolute=GRAZES),
        "seen_after": figure(
            np.nanmedian([item.first_track for item in rows]), absolute=0.05
        ),
    }
    aimed = [item.aim_error for item in rows if np.isfinite(item.aim_error)]
    if aimed:
        figures["aim_error"] = figure(np.median(aimed), absolute=0.01)
    return Found(bits, figures)


def _ball(row: PlayRow) -> list[np.ndarray]:
    """Return what the judge saw of a ball."""
    crossing, out = row.verdict.crossing, row.verdict.v_out
    came = [] if crossing is None else [crossing.position, crossing.velocity]
    return [*came, *([] if out is None else [out])]


RECORDS: dict[str, Record] = {
    f"{drive}_{name}": partial(throw, row, drive)
    for drive in ("thesis", "tight")
    for name, row in ROWS.items()
}

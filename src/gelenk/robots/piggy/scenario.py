"""Seeded experiments with Piggy, each from pixels to bat: throws, and the game.

Every trial has a place of its own, drawn from its seed. Nothing heavy is imported until
a trial runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gelenk.runtime.scenario import Figure, Outcome, scenario

if TYPE_CHECKING:
    from gelenk.robots.piggy.cameras import RigCfg
    from gelenk.robots.piggy.setup import Setup

RETURN_DISTANCE = 3.0  # [m] from the robot, where returns are judged
RETURN_HEIGHT = 1.3  # [m]
RETURN_ARC = math.radians(20.0)  # [rad] to either side
NEAR, WIDE = 0.2, 0.3  # [m], how near returns pass

_COLUMNS = {
    "throws": Figure(worst="smallest", help="balls thrown"),
    "hits": Figure(worst="smallest", help="touched by the bat"),
    "missed_workspace": Figure(help="never came into the workspace"),
    "reached": Figure(worst="smallest", help="came into the workspace"),
    "hits_of_reached": Figure(worst="smallest", help="of these, touched"),
    "no_track": Figure(help="of these, no track"),
    "missed_by_robot": Figure(help="of these, tracked but not touched"),
    "right_side": Figure(worst="smallest", help="left to the wanted side"),
    "near_20": Figure(worst="smallest", help="passed the target within 20 cm"),
    "near_30": Figure(worst="smallest", help="passed the target within 30 cm"),
    "median_pass": Figure(unit="m", help="median distance from the target"),
    "faults": Figure(help="times that play stopped"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowsCfg:
    """Some throws in a row at one robot.

    Attributes:
        place: "indoor" or "outdoor".
        drive: "thesis" with 3 degrees of play, "tight" without.
        mode: "hit", "sides" (left and right in turn) or "pass" (to a point at 3 m,
            another one for every throw).
        play: "estimate" uses the flank of the play, "ignore" does not.
        throws: In one trial.
        skill: Of the thrower, see `throwers.SKILLS`; "mixed": all in turn.
        setup: File of a calibrated setup; empty: the one that ships, "drawing": cameras
            exactly as drawn.
    """

    place: Literal["indoor", "outdoor"] = "indoor"
    drive: Literal["thesis", "tight"] = "thesis"
    mode: Literal["hit", "sides", "pass"] = "hit"
    play: Literal["estimate", "ignore"] = "estimate"
    throws: int = 14
    skill: str = "default"
    setup: str = ""


def known_setup(path: str, drive: Literal["thesis", "tight"]) -> tuple[Setup, RigCfg]:
    """Return what the robot knows about itself, and the cameras it has.

    Args:
        path: File of a setup that was calibrated with the usual cameras; empty: the
            one that ships; "drawing": drawings, and cameras exactly as drawn.
        drive: Of the robot.
    """
    from gelenk.robots.piggy.cameras import EXACT, RigCfg
    from gelenk.robots.piggy.setup import nominal_setup, read_setup, shipped_setup

    if path == "drawing":
        return nominal_setup(drive=drive), EXACT
    return (read_setup(path) if path else shipped_setup(drive)), RigCfg()


@scenario("piggy/play", config=ThrowsCfg, figures=_COLUMNS, acceptance=0.0)
def throws(cfg: ThrowsCfg, seed: int, recorder: Any) -> Outcome:
    """Throws at a robot that hits them back, aside, or to a point."""
    from gelenk.robots.piggy.behaviour import Phase
    from gelenk.robots.piggy.planner.tables import shared_tables
    from gelenk.robots.piggy.session import PlayCfg, PlaySession
    from gelenk.robots.piggy.tactics import PassTactic, play_side
    from gelenk.robots.piggy.throwers import draw_throw

    setup, rig = known_setup(cfg.setup, cfg.drive)
    rng = np.random.default_rng([seed, 0x7480])
    rows, is_right, passed = [], [], []
    settings = PlayCfg(
        place=cfg.place, drive=cfg.drive, play=cfg.play, seed=seed, rig=rig
    )
    with PlaySession(settings, setup=setup) as session:
        session.start()
        for k in range(cfg.throws):
            side = "left" if k % 2 else "right"
            if cfg.mode == "sides":
                session.player.tactic = play_side(side)
            elif cfg.mode == "pass":
                target = _return_point(rng)
                session.player.tactic = PassTactic(shared_tables(), target)
                session.target = target
            throw = draw_throw(rng, cfg.place, skill=_skill(cfg.skill, k))
            row = session.play(throw)
            rows.append(row)
            if row.verdict.hit:
                is_right.append(row.verdict.side == (-1 if side == "left" else 1))
                passed += [row.passed] if row.verdict.crossed else []
        result = session.result(rows)
    near = np.array(passed) if passed else np.full(1, np.inf)
    counts = {name: float(value) for name, value in result.table.items()}
    faults = sum(change.after is Phase.FAULT for change in result.changes)
    return Outcome(
        ok=counts["hits_of_reached"] == counts["reached"] and not faults,
        figures={
            **counts,
            "right_side": float(sum(is_right)),
            "near_20": float((near <= NEAR).sum()),
            "near_30": float((near <= WIDE).sum()),
            "median_pass": float(np.median(near)),
            "faults": float(faults),
        },
        reason="" if not faults else "play stopped",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RallyCfg:
    """A game until its rally ends.

    Attributes:
        place: "indoor" or "outdoor".
        drive: Of the robot.
        team: Skill of the three team-mates.
        opponents: Skill of the two opponents, who try to get the ball.
        longest: Hits after which the rally is ended as long enough.
        whistle: Whether the robot rests its eyes while no ball is in play, see
            `game.game.GameCfg`.
        setup: File of a calibrated setup; empty: the one that ships, "drawing": cameras
            exactly as drawn.
    """

    place: Literal["indoor", "outdoor"] = "indoor"
    drive: Literal["thesis", "tight"] = "tight"
    team: str = "skilled"
    opponents: str = "average"
    longest: int = 250
    whistle: bool = True
    setup: str = ""


_RALLY = {
    "hits": Figure(worst="smallest", help="of the robot in the rally"),
    "minutes": Figure(unit="min", worst="smallest", help="simulated"),
    "people_found": Figure(worst="smallest", help="share of people seen right"),
    "faults": Figure(help="times that play stopped"),
}


@scenario("piggy/game", config=RallyCfg, figures=_RALLY, acceptance=0.0)
def rally(cfg: RallyCfg, seed: int, recorder: Any) -> Outcome:
    """One rally of piggy in the middle."""
    from gelenk.robots.piggy.game.game import Game, GameCfg
    from gelenk.robots.piggy.planner.tables import shared_tables

    setup, rig = known_setup(cfg.setup, cfg.drive)
    game_cfg = GameCfg(
        place=cfg.place,
        drive=cfg.drive,
        team=(cfg.team,) * 3,
        opponents=(cfg.opponents,) * 2,
        seed=seed,
        rig=rig,
        whistle=cfg.whistle,
    )
    with Game(game_cfg, setup=setup, tables=shared_tables()) as game:
        result = game.run(rallies=1, longest=cfg.longest)
    seen, there, _ = result.sightings
    last = result.events[-1]
    return Outcome(
        ok=result.rallies[0] >= 50,
        figures={
            "hits": float(result.rallies[0]),
            "minutes": result.minutes,
            "people_found": seen / max(there, 1),
            "faults": float(len(result.faults)),
        },
        reason=f"{last.ending.value} after {result.rallies[0]} hits",
    )


def _return_point(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return where a person stands who shall get the ball."""
    from gelenk.robots.piggy.game.people import spot

    x, y = spot(RETURN_DISTANCE, float(rng.uniform(-RETURN_ARC, RETURN_ARC)))
    return x, y, RETURN_HEIGHT


def _skill(name: str, k: int) -> str:
    mixed = ("default", "skilled", "fair", "clumsy", "fast")
    return mixed[k % len(mixed)] if name == "mixed" else name

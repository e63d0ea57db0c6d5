"""What `gelenk piggy` does, without a terminal: from wishes to plain documents."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.calibration.guided import run_calibration
from gelenk.robots.piggy.calibration.run import CalibrationCfg, CalibrationRun, Progress
from gelenk.robots.piggy.game.game import Event, Game, GameCfg, GameResult
from gelenk.robots.piggy.game.referee import Ending
from gelenk.robots.piggy.planner.tables import build_tables
from gelenk.robots.piggy.session import PlayCfg, PlayResult, PlayRow, PlaySession
from gelenk.robots.piggy.setup import Setup, nominal_setup
from gelenk.robots.piggy.throwers import PlaceName, Throw, draw_throw
from gelenk.robots.piggy.tracker.recording import (
    RecordingTracker,
    landings,
    read_recording,
    write_recording,
)
from gelenk.robots.piggy.world import SceneCfg, make_world
from gelenk.runtime.statistics import wilson_interval

NEAR = (0.2, 0.3)  # [m], passes that count as caught

OnThrow = Callable[[int, int, str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A session that is over.

    Attributes:
        cfg: Its settings.
        result: Throw by throw.
        simulated: How long it took the robot [s].
        computed: How long it took the computer [s].
    """

    cfg: PlayCfg
    result: PlayResult
    simulated: float
    computed: float


def draw_throws(cfg: PlayCfg, count: int, *, skill: str = "default") -> list[Throw]:
    """Return throws at random that depend on the seed alone."""
    if count < 1:
        raise ConfigError(f"`throws` must be at least 1, got {count}")
    rng = np.random.default_rng([cfg.seed, 0x7D0])
    return [draw_throw(rng, cfg.place, skill=skill) for _ in range(count)]


def play(
    cfg: PlayCfg,
    count: int,
    *,
    skill: str = "default",
    setup: Setup | None = None,
    on_throw: OnThrow | None = None,
    record: str | Path | None = None,
) -> Played:
    """Let people throw at the robot.

    Args:
        cfg: Place, drive, what is done with balls.
        count: How many throws.
        skill: Of the throwers.
        setup: What the robot knows about itself; None: the calibration that ships.
        on_throw: Called with number, count and what became of it, after each throw.
        record: File for all circles and predictions, see `tracker.recording`.
    """
    throws = draw_throws(cfg, count, skill=skill)
    tables = build_tables() if cfg.mode == "pass" else None
    start = time.perf_counter()
    done: list[PlayRow] = []

    def note(row: PlayRow) -> None:
        done.append(row)
        if on_throw is not None:
            on_throw(len(done), count, row.cause)

    with PlaySession(cfg, setup=setup, tables=tables) as session:
        tracker = None if record is None else recording(session)
        result = session.run(throws, on_row=note)
        simulated = session.now
    if record is not None and tracker is not None:
        write_recording(record, tracker.frames)
    return Played(
        cfg=cfg,
        result=result,
        simulated=simulated,
        computed=time.perf_counter() - start,
    )


def recording(session: PlaySession) -> RecordingTracker:
    """Give a session that has not begun a tracker that records, and return it."""
    player = session.player
    player.tracker.close()
    tracker = RecordingTracker(player.tracker.cfg, player.tracker.setup)
    player.tracker = tracker
    return tracker


def replay_document(path: str | Path) -> dict[str, Any]:
    """Return what a recording tells by itself: balls, and how predictions sharpened."""
    frames = read_recording(path)
    balls = landings(frames)
    drift = [np.abs(rows[0, 1:] - rows[-1, 1:]) for rows in balls.values()]
    return {
        "frames": len(frames),
        "predictions": sum(len(frame.predictions) for frame in frames),
        "balls": len(balls),
        "first_to_last_landing_m": np.mean(drift, axis=0).tolist() if drift else None,
    }


def play_document(played: Played) -> dict[str, Any]:
    """Return what JSON says of a session: table 5.3 and the figures beyond it."""
    cfg, result = played.cfg, played.result
    table = result.table
    hits, reached = table["hits_of_reached"], table["reached"]
    low, high = wilson_interval(hits, reached) if reached else (0.0, 1.0)
    aims = [row.aim_error for row in result.rows if np.isfinite(row.aim_error)]
    bats = [row.bat_error for row in result.rows if np.isfinite(row.bat_error)]
    return {
        "place": cfg.place,
        "drive": cfg.drive,
        "mode": cfg.mode,
        "seed": cfg.seed,
        **table,
        "hit_share": hits / reached if reached else None,
        "hit_share_interval": [low, high],
        "aim_error_median_m": float(np.median(aims)) if aims else None,
        "bat_error_median_m": float(np.median(bats)) if bats else None,
        "first_track_median_s": _median([row.first_track for row in result.rows]),
        **_direction(played),
        "image_to_command_p95_s": result.frame_time(),
        "simulated_s": played.simulated,
        "computed_s": played.computed,
        "rows": [_row(row) for row in result.rows],
        "log": [
            {"time_s": t, "text": text}
            for t, text in sorted(
                [
                    *result.notes,
                    *((c.time, f"{c.after.value}: {c.reason}") for c in result.changes),
                ]
            )
        ],
    }


def _direction(played: Played) -> dict[str, Any]:
    """Return how well balls went where they should."""
    hit = [row for row in played.result.rows if row.verdict.hit]
    if played.cfg.mode in ("left", "right"):
        wanted = -1 if played.cfg.mode == "left" else 1
        right = sum(row.verdict.side == wanted for row in hit)
        return {"side_share": right / len(hit) if hit else None}
    if played.cfg.mode == "pass":
        reached = played.result.table["reached"]
        passed = [row.passed for row in hit if row.verdict.crossed]
        shares = {
            f"within_{round(100 * near)}_cm_share": sum(d <= near for d in passed)
            / reached
            if reached
            else None
            for near in NEAR
        }
        return {"target_m": list(played.cfg.target), **shares}
    return {}


def _row(row: PlayRow) -> dict[str, Any]:
    v_out = row.verdict.v_out
    return {
        "cause": row.cause,
        "crossed": row.verdict.crossed,
        "hit": row.verdict.hit,
        "first_track_s": row.first_track,
        "aim_error_m": row.aim_error,
        "bat_error_m": row.bat_error,
        "side": row.verdict.side,
        "v_out_m_s": None if v_out is None else v_out.tolist(),
        "passed_m": row.passed,
    }


def _median(values: list[float]) -> float | None:
    known = [value for value in values if np.isfinite(value)]
    return float(np.median(known)) if known else None


# -- the game ----------------------------------------------------------------------


def play_game(
    cfg: GameCfg,
    minutes: float,
    *,
    setup: Setup | None = None,
    on_event: Callable[[float, str], object] | None = None,
) -> GameResult:
    """Play for some minutes of simulated time.

    Args:
        cfg: Who plays where.
        minutes: How long.
        setup: What the robot knows about itself; None: the calibration that ships.
        on_event: Called with the share of time that is over and what happened.
    """
    with Game(cfg, setup=setup) as game:

        def note(event: Event) -> None:
            if on_event is not None:
                on_event(min(event.time / 60.0 / minutes, 1.0), event.ending.value)

        return game.run(minutes, on_event=note)


def game_document(cfg: GameCfg, result: GameResult) -> dict[str, Any]:
    """Return what JSON says of a game."""
    rallies = result.rallies
    return {
        "place": cfg.place,
        "drive": cfg.drive,
        "seed": cfg.seed,
        "minutes": result.minutes,
        "throws": len(result.events),
        "endings": {
            ending.value: sum(event.ending is ending for event in result.events)
            for ending in Ending
        },
        "passes": result.score.passes,
        "interceptions": result.score.interceptions,
        "rallies": list(rallies),
        "best_rally": max(rallies, default=0),
        "median_rally": float(np.median(rallies)) if rallies else 0.0,
        "sightings": list(result.sightings),
        "faults": list(result.faults),
        "events": [
            {
                "time_s": event.time,
                "thrower": event.thrower,
                "target": event.target,
                "chance": event.chance,
                "ending": event.ending.value,
                "catcher": event.catcher,
                "passed_m": event.passed,
            }
            for event in result.events
        ],
    }


# -- calibration -------------------------------------------------------------------


def calibrate(
    *,
    place: PlaceName = "indoor",
    drive: Literal["thesis", "tight"] = "thesis",
    seed: int = 0,
    throws: int = 36,
    progress: Progress = lambda words, share: None,
) -> CalibrationRun:
    """Calibrate a robot whose cameras and servos are not as drawn.

    Args:
        place: Where it stands.
        drive: With which drive.
        seed: Of noise, hands and throws; 0: also the cameras of the shipped setups.
        throws: Balls that are thrown.
        progress: Told what happens now and which share of all is done.
    """
    world = make_world(SceneCfg(place=place, drive=drive, seed=seed))
    try:
        return run_calibration(
            world,
            nominal_setup(drive=drive),
            CalibrationCfg(
                throws=throws,
                has_play=drive == "thesis",
                date=datetime.date.today().isoformat(),
            ),
            seed=seed,
            progress=progress,
        )
    finally:
        world.close()


def calibration_document(run: CalibrationRun) -> dict[str, Any]:
    """Return what JSON says of a calibration."""
    found = {"cameras": run.cameras, "servos": run.servos, "flight": run.flight}
    return {
        "verdict": run.verdict,
        "reason": run.reason,
        "advice": list(run.advice),
        "residuals": {
            step: dict(getattr(run.after.evidence, step).residuals)
            for step, result in found.items()
            if result is not None and run.is_calibrated
        },
    }

"""Walks as seeded trials: level ground and rough ground, with what a judge wants.

Scenarios are found through `gelenk.robots.amee.scenario`. Nothing heavy is imported
until a trial runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal

from gelenk.runtime.scenario import Figure, Outcome, scenario

_COLUMNS = {
    "arrived": Figure(worst="smallest", help="1 if robot and judge say so"),
    "fell": Figure(help="1 if it fell"),
    "fell_unwarned": Figure(help="1 if it fell and its log held no warning before"),
    "stopped_safely": Figure(worst="smallest", help="1 if it stopped and stands"),
    "unsafe_time": Figure(unit="s", help="for how long it was outside the safe state"),
    "least_margin": Figure(unit="m", worst="smallest", help="over its feet"),
    "distance": Figure(unit="m", worst="smallest", help="of the torso, straight ahead"),
    "sideways": Figure(unit="m", help="off the line at the end"),
    "speed": Figure(unit="m/s", worst="smallest", help="of the torso"),
    "energy_per_metre": Figure(unit="J/m", help="from the battery"),
    "max_tilt": Figure(unit="rad", help="of the torso"),
    "max_temperature": Figure(unit="K", help="of the warmest drive"),
    "steps": Figure(help="feet placed"),
    "real_time_factor": Figure(worst="smallest", help="simulated over processor time"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatCfg:
    """A walk on level ground.

    Attributes:
        gait: How.
        drive: Profile of the drives: 22 N m as built, or geared about 400:1.
        distance: [m].
    """

    gait: Literal["save", "alternative", "crawl", "fast", "auto"] = "save"
    drive: Literal["geared", "thesis"] = "geared"
    distance: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoughCfg:
    """A walk over ground that the robot must feel.

    Attributes:
        gait: How; `crawl` is the order of feet with the largest margins.
        drive: Profile of the drives.
        terrain: Such as "rubble:8cm", "slope:15deg", "slope:-15deg", "steps:5cm".
        distance: [m].
    """

    gait: Literal["save", "alternative", "crawl", "fast", "auto"] = "crawl"
    drive: Literal["geared", "thesis"] = "geared"
    terrain: str = "rubble:8cm"
    distance: float = 5.0


@scenario("amee/walk", config=FlatCfg, figures=_COLUMNS, acceptance=1.0)
def flat(config: FlatCfg, seed: int, recorder: Any = None) -> Outcome:
    """AMEE walks on level ground, never falls and never leaves the safe state."""
    del recorder
    figures, reason = _walk(
        config.gait, config.drive, "flat", config.distance, seed=seed
    )
    is_safe = figures["fell"] == 0.0 and figures["unsafe_time"] == 0.0
    if figures["arrived"] and not is_safe:
        reason = f"outside the safe state for {figures['unsafe_time']:.2f} s"
    return Outcome(
        ok=bool(figures["arrived"]) and is_safe, figures=figures, reason=reason
    )


@scenario("amee/rough", config=RoughCfg, figures=_COLUMNS, acceptance=0.95)
def rough(config: RoughCfg, seed: int, recorder: Any = None) -> Outcome:
    """AMEE feels its way over rubble, slopes or steps, or stops where it stands."""
    del recorder
    figures, reason = _walk(
        config.gait, config.drive, config.terrain, config.distance, seed=seed
    )
    return Outcome(ok=bool(figures["arrived"]), figures=figures, reason=reason)


def _walk(
    gait: Literal["save", "alternative", "crawl", "fast", "auto"],
    drive: str,
    terrain: str,
    distance: float,
    *,
    seed: int,
) -> tuple[dict[str, float], str]:
    """Return what came of a walk, and why it did not arrive."""
    from gelenk.robots.amee.session import WalkCfg, walk

    begun = time.process_time()
    result = walk(
        WalkCfg(gait=gait, drive=drive, terrain=terrain, distance=distance, seed=seed)
    )
    spent = time.process_time() - begun
    verdict = result.verdict
    warned = any(
        entry.weight in ("warning", "fault")
        and not entry.time > verdict.fall_time  # NaN: it never fell
        for entry in result.log
    )
    figures = {
        "arrived": float(result.arrived),
        "fell": float(result.fell),
        "fell_unwarned": float(result.fell and not warned),
        "stopped_safely": float(result.state == "stopped" and not result.fell),
        "unsafe_time": verdict.unsafe_time,
        "least_margin": result.min_margin,
        "distance": verdict.distance,
        "sideways": abs(verdict.sideways),
        "speed": result.speed,
        "energy_per_metre": result.cost,
        "max_tilt": verdict.max_tilt,
        "max_temperature": verdict.max_temperature,
        "steps": float(result.steps),
        "real_time_factor": verdict.time / max(spent, 1e-9),
    }
    if result.arrived:
        return figures, ""
    ending = "fell" if result.fell else result.state
    why = f"{result.cause.kind} {result.cause.place}: {result.cause.text}"
    return figures, f"{ending} after {verdict.distance:.2f} m, {why}"

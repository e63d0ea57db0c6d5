"""Seeded walks of the whole robot, for campaigns. Nothing heavy is imported."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Literal

from gelenk.runtime.scenario import Figure, Outcome, scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsCfg:
    """One random fault in a short walk.

    Attributes:
        drive: Profile of the drives, "geared" or "thesis".
        gait: How it walks.
        kinds: What may break, separated by commas; empty: everything.
    """

    drive: Literal["geared", "thesis"] = "geared"
    gait: Literal["save", "alternative", "crawl"] = "save"
    kinds: str = ""


@scenario(
    "amee/faults",
    config=FaultsCfg,
    figures={
        "fell": Figure(help="1 if it fell"),
        "named": Figure(worst="smallest", help="1 if it names what broke, and the leg"),
        "placed": Figure(worst="smallest", help="1 if it names the joint, too"),
        "walked_on": Figure(worst="smallest", help="1 if it arrived all the same"),
        "least_margin": Figure(unit="m", worst="smallest", help="over its feet"),
        "simulated": Figure(unit="s", help="from the start to the verdict"),
    },
    acceptance=0.9,
)
def faults(config: FaultsCfg, seed: int, recorder: Any = None) -> Outcome:
    """One thing breaks; AMEE says what it is, and stops safely or walks on."""
    del recorder
    from gelenk.errors import NameNotFoundError
    from gelenk.robots.amee.lottery import KINDS, Kind, lottery

    wanted = [word for word in config.kinds.split(",") if word]
    for word in wanted:
        if word not in KINDS:
            raise NameNotFoundError("kind of fault", word, KINDS)
    kinds: tuple[Kind, ...] = tuple(
        kind for kind in KINDS if not wanted or wanted.count(kind)
    )
    draw = lottery(seed, drive=config.drive, gait=config.gait, kinds=kinds)
    said = f"{draw.diagnosis.kind} {draw.diagnosis.place}".strip()
    reason = f"{draw.fault.kind} {draw.place} at {draw.fault.start:.1f} s: "
    reason += f"{draw.ending}, says {said}"
    return Outcome(
        ok=draw.ending != "fell" and draw.is_named,
        figures={
            "fell": float(draw.ending == "fell"),
            "named": float(draw.is_named),
            "placed": float(draw.is_placed),
            "walked_on": float(draw.ending == "walked on"),
            "least_margin": draw.result.min_margin,
            "simulated": draw.result.verdict.time,
        },
        reason="" if draw.ending != "fell" and draw.is_named else reason,
    )


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

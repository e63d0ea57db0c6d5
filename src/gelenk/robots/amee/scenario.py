"""Seeded trials of the whole robot, for campaigns. Nothing heavy until one runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from gelenk.robots.amee.walks import flat as flat
from gelenk.robots.amee.walks import rough as rough
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

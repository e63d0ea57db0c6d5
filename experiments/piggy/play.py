"""EX-29 to EX-31, EX-35, returns and rallies: whole play, from pixels to bat.

Throws run as campaigns of `piggy/play` and `piggy/game`: the same seed gives the
same figures, on any number of workers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from experiments.figures import ComparedFigure
from gelenk.errors import ConfigError
from gelenk.robots.piggy.scenario import (
    RallyCfg,
    ThrowsCfg,
    known_setup,
    rally,
    throws,
)
from gelenk.runtime.campaign import Campaign, Progress, run_campaign
from gelenk.runtime.statistics import wilson_interval

PER_TRIAL = 14  # throws at one robot in one place: 196 and 56 are multiples
INDOORS, OUTDOORS = 196, 56  # throws of table 5.3
THESIS = {  # table 5.3: hit, no track, missed of those that came; missed the workspace
    "indoor": ("81.5 %", "14.6 %", "3.9 %", "9.2 %"),
    "outdoor": ("95.1 %", "4.9 %", "0 %", "26.8 %"),
}
ENDED_BY_HAND = "completed"  # the last throw of a rally that was long enough
MISSING = {"indoor": (0.06, 0.12), "outdoor": (0.22, 0.32)}  # throwers as good as there


def run_throws(
    cfg: ThrowsCfg,
    count: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> dict[str, float]:
    """Return the sums of all columns over a number of throws.

    Args:
        cfg: Place, drive and what is done with balls.
        count: Throws in all, a multiple of those in a trial if that is more than one.
        seed: Of the campaign.
        workers: Processes; 0: in this one.
        on_progress: Called after each trial.
    """
    per = min(cfg.throws, count)
    if count % per:
        raise ConfigError(f"`count` must be a multiple of {per} throws, got {count}")
    campaign = run_campaign(
        throws,
        replace(cfg, throws=per),
        trials=count // per,
        seed=seed,
        workers=workers,
        on_progress=on_progress,
    )
    return _sums(campaign)


def _sums(campaign: Campaign) -> dict[str, float]:
    broken = [t for t in campaign.trials if t.status in ("error", "crashed", "timeout")]
    if broken:
        raise ConfigError(f"trial with seed {broken[0].seed}: {broken[0].reason}")
    names = campaign.trials[0].figures
    return {name: sum(t.figures[name] for t in campaign.trials) for name in names}


def table_5_3(
    indoors: int = INDOORS,
    outdoors: int = OUTDOORS,
    *,
    setup: str = "",
    drive: str = "thesis",
    seed: int = 0,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> list[ComparedFigure]:
    """EX-30: the throwing experiment in both places.

    Args:
        indoors: Throws in halls; 0: none.
        outdoors: Throws on meadows; 0: none.
        setup: File of a calibrated setup; empty: cameras exactly as drawn.
        drive: Of the robot.
        seed: Of the campaigns.
        workers: Processes; 0: in this one.
        on_progress: Called after each trial.
    """
    figures: list[ComparedFigure] = []
    for place, count in (("indoor", indoors), ("outdoor", outdoors)):
        if not count:
            continue
        cfg = ThrowsCfg(place=place, drive=drive, setup=setup, throws=PER_TRIAL)  # pyright: ignore[reportArgumentType]
        sums = run_throws(
            cfg, count, seed=seed, workers=workers, on_progress=on_progress
        )
        figures += throw_figures(place, sums)
    return figures


def throw_figures(place: str, sums: dict[str, float]) -> list[ComparedFigure]:
    """Return the columns of table 5.3 for the sums of one place."""
    hit, lost, missed, wide = THESIS[place]
    total, came = sums["throws"], max(sums["reached"], 1.0)
    low, high = wilson_interval(round(sums["hits_of_reached"]), round(came))
    note = f"{sums['hits_of_reached']:.0f} of {sums['reached']:.0f}, 95 % interval "
    note += f"{100 * low:.1f} to {100 * high:.1f} %"

    def figure(
        quantity: str,
        value: float,
        printed: str,
        accepted: tuple[float, float] | None = None,
        remark: str = "",
    ) -> ComparedFigure:
        return ComparedFigure(
            experiment="EX-30",
            quantity=f"{place}: {quantity}",
            value=100.0 * value,
            unit="%",
            thesis=printed,
            accepted=accepted,
            note=remark,
        )

    spread = 100.0 * MISSING[place][0], 100.0 * MISSING[place][1]
    return [
        figure("hit of balls that came", sums["hits_of_reached"] / came, hit,
               (95.0, 100.0), note),
        figure("no track of balls that came", sums["no_track"] / came, lost),
        figure("missed by the robot", sums["missed_by_robot"] / came, missed),
        figure("never came into the workspace", sums["missed_workspace"] / total, wide,
               spread if total >= 200 else None, f"{total:.0f} throws"),
        figure("hit of all throws", sums["hits"] / total, ""),
    ]  # fmt: skip


def direction_play(
    count: int = 112,
    *,
    setup: str = "",
    drive: str = "thesis",
    seed: int = 11,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> list[ComparedFigure]:
    """EX-31: balls played left and right in turn."""
    cfg = ThrowsCfg(mode="sides", drive=drive, setup=setup, throws=PER_TRIAL)  # pyright: ignore[reportArgumentType]
    sums = run_throws(cfg, count, seed=seed, workers=workers, on_progress=on_progress)
    return [
        ComparedFigure(
            experiment="EX-31",
            quantity="balls that left to the wanted side",
            value=100.0 * sums["right_side"] / max(sums["hits"], 1.0),
            unit="%",
            thesis="> 90",
            accepted=(98.0, 100.0),
            note=f"{sums['right_side']:.0f} of {sums['hits']:.0f} hits, {drive} drive",
        )
    ]


def returns(
    count: int = 56,
    *,
    setup: str = "",
    seed: int = 2,
    variants: Sequence[tuple[str, str]] = (
        ("tight", "estimate"),
        ("thesis", "estimate"),
        ("thesis", "ignore"),
    ),
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> list[ComparedFigure]:
    """Return how near planned passes come to a person at 3 m, drive by drive."""
    figures: list[ComparedFigure] = []
    for drive, play in variants:
        cfg = ThrowsCfg(  # pyright: ignore[reportArgumentType]
            mode="pass",
            drive=drive,  # pyright: ignore[reportArgumentType]
            play=play,  # pyright: ignore[reportArgumentType]
            setup=setup,
            throws=PER_TRIAL,
        )
        sums = run_throws(
            cfg, count, seed=seed, workers=workers, on_progress=on_progress
        )
        hits = max(sums["hits_of_reached"], 1.0)
        for name, radius, least in (("near_30", 30, 80.0), ("near_20", 20, None)):
            is_judged = drive == "tight" and least is not None
            figures.append(
                ComparedFigure(
                    experiment="returns",
                    quantity=f"{drive} drive, play {play}d: within {radius} cm",
                    value=100.0 * sums[name] / hits,
                    unit="%",
                    thesis="not on hardware",
                    accepted=(least or 0.0, 100.0) if is_judged else None,
                    note=f"{sums[name]:.0f} of {hits:.0f} hits of balls that came",
                )
            )
    return figures


def quick_balls(
    count: int = 6, *, setup: str = "", seed: int = 3
) -> list[ComparedFigure]:
    """EX-29: balls in quick succession, home in between."""
    from gelenk.robots.piggy.behaviour import Phase
    from gelenk.robots.piggy.session import PlayCfg, PlaySession
    from gelenk.robots.piggy.throwers import draw_throw

    known, rig = known_setup(setup, "thesis")
    rng = np.random.default_rng([seed, 0x29])
    with PlaySession(PlayCfg(seed=seed, rig=rig), setup=known) as session:
        result = session.run(
            draw_throw(rng, "indoor", skill="skilled") for _ in range(count)
        )
    homes = sum(change.after is Phase.WAIT for change in result.changes)
    came = max(result.table["reached"], 1)
    return [
        ComparedFigure(
            experiment="EX-29",
            quantity="balls in a row, hit of those that came",
            value=100.0 * result.table["hits_of_reached"] / came,
            unit="%",
            thesis="just fast enough",
            accepted=(80.0, 100.0),
            note=f"{count} balls",
        ),
        ComparedFigure(
            experiment="EX-29",
            quantity="times at home",
            value=float(homes),
            thesis="after each ball",
            accepted=(float(count), math.inf),
        ),
    ]


def demonstration(
    count: int = 56,
    *,
    setup: str = "",
    seed: int = 4,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> list[ComparedFigure]:
    """EX-35: mixed throwers, faster balls among them, nobody attends."""
    cfg = ThrowsCfg(skill="mixed", setup=setup, throws=PER_TRIAL)
    sums = run_throws(cfg, count, seed=seed, workers=workers, on_progress=on_progress)
    came = max(sums["reached"], 1.0)
    return [
        ComparedFigure(
            experiment="EX-35",
            quantity="faults in an unattended demonstration",
            value=sums["faults"],
            thesis="strong interest",
            accepted=(0.0, 0.0),
            note=f"{sums['throws']:.0f} throws",
        ),
        ComparedFigure(
            experiment="EX-35",
            quantity="hit of balls that came, fast ones among them",
            value=100.0 * sums["hits_of_reached"] / came,
            unit="%",
        ),
    ]


def rallies(
    games: int = 50,
    *,
    cfg: RallyCfg | None = None,
    seed: int = 5,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> list[ComparedFigure]:
    """Return how long rallies with skilled team-mates get."""
    campaign = run_campaign(
        rally,
        cfg or RallyCfg(),
        trials=games,
        seed=seed,
        workers=workers,
        on_progress=on_progress,
    )
    _sums(campaign)
    return rally_figures(
        [t.figures["hits"] for t in campaign.trials],
        [t.reason.partition(" after")[0] for t in campaign.trials],
        found=float(np.mean([t.figures["people_found"] for t in campaign.trials])),
    )


def rally_figures(
    hits: Sequence[float], ends: Sequence[str], *, found: float = math.nan
) -> list[ComparedFigure]:
    """Return the figures of rallies that were played.

    A rally that was ended as long enough counts with the hits it had by then, so median
    and best may be more than what is said, never less.

    Args:
        hits: Of each game.
        ends: What became of the last throw of each.
        found: Share of people that were seen where they stand.
    """
    often = {end: ends.count(end) for end in sorted(set(ends))}
    total, over = sum(hits), len(ends) - ends.count(ENDED_BY_HAND)
    lost = over / max(total, 1.0)
    figures = [
        ComparedFigure(
            experiment="game",
            quantity="median rally, skilled team-mates",
            value=float(np.median(hits)),
            unit="hits",
            accepted=(50.0, math.inf),
            note=f"{len(hits)} games; the last throws: {often}",
        ),
        ComparedFigure(
            experiment="game",
            quantity="best rally",
            value=float(max(hits)),
            unit="hits",
            accepted=(200.0, math.inf) if len(hits) >= 50 else None,
        ),
        ComparedFigure(
            experiment="game",
            quantity="throws that end a rally",
            value=100.0 * lost,
            unit="%",
            note=f"{over} of {total:.0f}",
        ),
    ]
    if not math.isnan(found):
        figures.append(
            ComparedFigure(
                experiment="game",
                quantity="people seen where they stand",
                value=100.0 * found,
                unit="%",
            )
        )
    return figures


EXPERIMENTS = {
    "EX-29": quick_balls,
    "EX-30": table_5_3,
    "EX-31": direction_play,
    "EX-35": demonstration,
}

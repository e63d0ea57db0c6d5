"""AMEE's leg: kinematics, accuracy, stop, touch, collisions, floods, endurance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from experiments.amee import accuracy, kinematics, touch
from experiments.amee import collision as hits
from experiments.amee import endurance as works
from experiments.amee import flood as floods
from experiments.amee.registry import chosen
from experiments.amee.stop_latency import measure_stop_latency
from experiments.figures import ComparedFigure


def experiments_missed(settings: Settings) -> Row:
    """Repeat the experiments of the thesis, shortened; `--quick`: the shortest ones."""
    names = ("AN-04", "AN-10", "AN-30", "AN-31") if settings.quick else ()
    figures: list[ComparedFigure] = []
    for name, experiment in chosen(names).items():
        settings.tell(name)
        figures += experiment(False)
    missed = [f"{f.experiment}: {f.quantity}" for f in figures if not f.holds]
    return Row(
        name="experiments_missed",
        value=float(len(missed)),
        unit=f"of {len(figures)} figures",
        target=0.0,
        note="; ".join(missed) or "`gelenk amee bench` prints each beside the thesis's",
    )


def inverse_kinematics(settings: Settings) -> Iterator[Row]:
    """Compare the closed form with cyclic descent, and with itself in all octants."""
    full = not settings.quick
    speed, _, _ = kinematics.solver_speed(full)
    (octants,) = kinematics.quadrants(full)
    yield _row("ik_error", octants, 1e-10)
    yield _row("ik_faster_than_descent", speed, 20.0, up=True, unit="times")


def foot_accuracy(settings: Settings) -> Iterator[Row]:
    """Drive a worn leg to the thesis's pose, with both filters of its angles."""
    count, seeds = settings.pick(10, 4), range(settings.pick(2, 1))
    errors = {
        smoothing: 1e3
        * np.abs(
            np.concatenate(
                [
                    accuracy.foot_errors(
                        count, worn=True, smoothing=smoothing, seed=settings.seed + k
                    )
                    for k in seeds
                ]
            )
        )
        for smoothing in ("median", "average")
    }
    ours, plain = errors["median"], errors["average"]
    for axis, bound in enumerate(accuracy.BOUNDS):
        yield Row(
            name=f"foot_{'xyz'[axis]}",
            value=float(ours[:, axis].max()),
            unit="mm",
            target=bound,
            peers={"thesis": bound, "average filter": float(plain[:, axis].max())},
            note=f"worst of {len(ours)} moves, worn joints, median filter; mean "
            f"{ours[:, axis].mean():.1f} mm, with the average "
            f"{plain[:, axis].mean():.1f} mm",
        )


def foot_elsewhere(settings: Settings) -> Iterator[Row]:
    """Drive a worn leg to other places, and wait until its joints rest."""
    count, seeds = settings.pick(15, 3), range(settings.pick(2, 1))
    wheres: tuple[accuracy.Where, ...] = ("pressed", "balanced")
    for where in wheres:
        ours, plain = (
            1e3
            * np.abs(
                np.concatenate(
                    [
                        accuracy.foot_errors(
                            count,
                            worn=True,
                            seed=settings.seed + k,
                            where=where,
                            rests=rests,
                        )
                        for k in seeds
                    ]
                )
            )
            for rests in (True, False)
        )
        for axis, bound in enumerate(accuracy.BOUNDS):
            yield Row(
                name=f"foot_{'xyz'[axis]}_{where}",
                value=float(ours[:, axis].max()),
                unit="mm",
                target=bound,
                peers={"without waiting": float(plain[:, axis].max())},
                note=f"worst of {len(ours)}, worn joints, where gravity "
                + ("presses" if where == "pressed" else "hardly presses")
                + " axis B to one flank; x lies in the leg's plane",
            )


def stop_latency(settings: Settings) -> Row:
    """Send `stop` at random into 1000 messages a second, on the modelled chip."""
    count = settings.pick(10_000, 500)
    found = measure_stop_latency(count, settings.rng())
    return Row(
        name="stop_latency",
        value=1e6 * float(found.times.max()),
        unit="us",
        target=1666.8,
        peers={"thesis": 1666.8},
        note=f"longest of {count} under 1000 messages/s, median "
        f"{1e6 * np.median(found.times):.0f} us",
    )


def touch_cases(settings: Settings) -> Iterator[Row]:
    """Put the foot down in the six cases of the thesis, and on a sharp object."""
    full = not settings.quick
    cases = touch.six_cases(full)
    missed = [f.quantity for f in cases if not f.holds]
    yield Row(
        name="touch_cases",
        value=float(len(cases) - len(missed)),
        unit="of 6",
        target=6.0,
        direction=">=",
        note="; ".join(missed) or "each ends as in the thesis",
    )
    off, on = touch.sharp_object(full)
    yield Row(
        name="sharp_object",
        value=100.0 * on.value,
        unit="%",
        target=100.0,
        direction=">=",
        peers={"thesis's sensors": 100.0 * off.value},
        note=f"feet that stand beside it, contact amid the foot; {on.note}",
    )


def collision(settings: Settings) -> Iterator[Row]:
    """Let a swinging leg run into blocks, and into nothing."""
    full = not settings.quick
    felt, delay, *_ = hits.masses(full)
    (alarms,) = hits.false_alarms(full)
    yield _row("collisions_felt", felt, 100.0, up=True, unit="%", scale=100.0)
    yield _row("collision_felt_after", delay, 20.0)
    yield _row("false_alarms", alarms, 1.0, unit="per 10 min")


def flood(settings: Settings) -> Iterator[Row]:
    """Let 1000 messages a second come for half a minute, or for 30 min (`--long`)."""
    done, errors, memory = floods.flood(settings.long)
    yield _row("flood_moves_done", done, 100.0, up=True, unit="%", scale=100.0)
    yield _row("flood_errors", errors, 0.0, unit="errors")
    yield _row("flood_memory", memory, 2000.0)


def endurance(settings: Settings) -> Iterator[Row]:
    """Let a leg work on its stand for 30 h of its time (`--long`), else for minutes."""
    hours = works.HOURS if settings.long else settings.pick(30, 3) / 60.0
    found = works.soak(hours, seed=settings.seed, tell=settings.tell)
    errors, worst, memory = works.figures_of(found)
    yield _row("endurance_errors", errors, 0.0, unit="errors")
    yield _row("endurance_worst_place", worst, 15.0)
    yield _row("endurance_memory", memory, 2000.0)


def _row(
    name: str,
    figure: ComparedFigure,
    target: float | None,
    *,
    up: bool = False,
    unit: str = "",
    scale: float = 1.0,
) -> Row:
    """Return a figure of an experiment as a row."""
    return Row(
        name=name,
        value=scale * figure.value,
        unit=unit or figure.unit or "1",
        target=target,
        direction=">=" if up else "<=",
        note=figure.note,
    )

"""AMEE's walks: level ground, rubble and slopes, over seeds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.runtime.campaign import run_campaign
from gelenk.runtime.trial import Trial
from gelenk.typing import FloatArray

# Settings of the scenario, and how many walks: with --long, by default, with --quick.
Kinds: TypeAlias = Mapping[str, tuple[dict[str, object], tuple[int, int, int]]]
FLAT: Kinds = {
    "fast_geared": ({"gait": "fast", "drive": "geared"}, (25, 1, 1)),
    "save_geared": ({"gait": "save", "drive": "geared"}, (25, 1, 0)),
    "fast_thesis": ({"gait": "fast", "drive": "thesis"}, (25, 1, 0)),
    "save_thesis": ({"gait": "save", "drive": "thesis"}, (25, 1, 0)),
}
ROUGH: Kinds = {
    "rubble": ({"terrain": "rubble:8cm"}, (50, 2, 1)),
    "slope_up": ({"terrain": "slope:15deg"}, (25, 1, 0)),
    "slope_down": ({"terrain": "slope:-15deg"}, (25, 1, 0)),
}
WEAK: Kinds = {
    "rubble_thesis": ({"terrain": "rubble:8cm", "drive": "thesis"}, (10, 2, 0)),
}
FLAT_SEED, ROUGH_SEED, WEAK_SEED = 9910, 9900, 9907
_QUICK = 0.2  # [m]


def flat_walks(settings: Settings) -> Iterator[Row]:
    """Walk 10 m on level ground with both gaits and both drives."""
    found = _walk("amee/walk", FLAT, FLAT_SEED, settings)
    yield from flat_rows(found)


def rough_walks(settings: Settings) -> Iterator[Row]:
    """Walk 5 m over rubble of 8 cm, up and down 15 degrees."""
    found = _walk("amee/rough", ROUGH, ROUGH_SEED, settings)
    yield from rough_rows(found)
    yield from weak_rows(_walk("amee/rough", WEAK, WEAK_SEED, settings))


def flat_rows(found: Mapping[str, Sequence[Trial]]) -> Iterator[Row]:
    """Return what walks on level ground tell, by gait and drive."""
    every = list(chain.from_iterable(found.values()))
    yield _arrived("flat_arrived", every, 100.0)
    yield _falls("flat_falls", every)
    yield Row(
        name="flat_unsafe",
        value=_worst(every, "unsafe_time"),
        unit="s",
        target=0.0,
        note="longest time of a walk outside the safe state; least margin "
        f"{1e3 * np.min(_figures(every, 'least_margin')):.0f} mm",
    )
    yield from _speeds("flat", found)


def rough_rows(found: Mapping[str, Sequence[Trial]]) -> Iterator[Row]:
    """Return what walks over rubble and slopes tell, by ground."""
    every = list(chain.from_iterable(found.values()))
    yield _arrived("rough_arrived", every, 95.0)
    yield _falls("rough_falls", every)
    yield from _speeds("rough", found)


def weak_rows(found: Mapping[str, Sequence[Trial]]) -> Iterator[Row]:
    """Return what became of the thesis's drives on rubble: no fall comes unwarned."""
    for name, trials in found.items():
        yield Row(
            name=f"{name}_unwarned",
            value=_total(trials, "fell_unwarned"),
            unit="falls",
            target=0.0,
            note=f"{_count(trials)}, {_total(trials, 'arrived'):.0f} arrived, "
            f"{_total(trials, 'fell'):.0f} fell",
        )


def _walk(
    scenario: str,
    kinds: Kinds,
    first_seed: int,
    settings: Settings,
) -> dict[str, tuple[Trial, ...]]:
    """Return the walks of each kind, none where there shall be none."""
    effort = 2 if settings.quick else 0 if settings.long else 1
    shorter = {"distance": _QUICK} if settings.quick else {}
    found: dict[str, tuple[Trial, ...]] = {}
    for k, (name, (config, counts)) in enumerate(kinds.items()):
        if not counts[effort]:
            continue
        campaign = run_campaign(
            scenario,
            {**config, **shorter},
            trials=counts[effort],
            seed=settings.seed + first_seed + k,
            on_progress=lambda done, total, words, name=name: settings.tell(
                f"{name}: {words}, {done} of {total}"
            ),
        )
        found[name] = campaign.trials
    return found


def _arrived(name: str, trials: Sequence[Trial], target: float) -> Row:
    lost = [f"seed {trial.seed}: {trial.reason}" for trial in trials if not trial.ok]
    return Row(
        name=name,
        value=100.0 * float(np.mean([trial.ok for trial in trials])),
        unit="%",
        target=target,
        direction=">=",
        note="; ".join([_count(trials), *lost]),
    )


def _falls(name: str, trials: Sequence[Trial]) -> Row:
    tilt = np.degrees(_worst(trials, "max_tilt"))
    return Row(
        name=name,
        value=_total(trials, "fell"),
        unit="falls",
        target=0.0,
        note=f"{_count(trials)}; the torso leant by {tilt:.0f} degrees at most",
    )


def _speeds(ground: str, found: Mapping[str, Sequence[Trial]]) -> Iterator[Row]:
    """Return how fast it walked, with what that took."""
    for name, trials in found.items():
        arrived = [trial for trial in trials if trial.figures.get("arrived")]
        if not arrived:
            yield Row(name=f"{ground}_{name}", value=None, unit="mm/s")
            continue
        speeds = 1e3 * _figures(arrived, "speed")
        costs = 1e-3 * _figures(arrived, "energy_per_metre")
        real_time = np.mean(_figures(arrived, "real_time_factor"))
        yield Row(
            name=f"{ground}_{name}",
            value=float(speeds.mean()),
            unit="mm/s",
            note=f"{len(arrived)} of {len(trials)} arrived, {speeds.min():.1f} to "
            f"{speeds.max():.1f} mm/s, {costs.mean():.1f} kJ/m ({costs.min():.1f} to "
            f"{costs.max():.1f}); outside the safe state for "
            f"{np.mean(_figures(arrived, 'unsafe_time')):.2f} s in the mean, "
            f"{_worst(arrived, 'unsafe_time'):.2f} s at most; {real_time:.1f} times "
            "real time on a core",
        )


def _figures(trials: Iterable[Trial], name: str) -> FloatArray:
    """Return a figure of all walks, NaN for one that broke off: no target is met."""
    return np.array([trial.figures.get(name, np.nan) for trial in trials])


def _count(trials: Sequence[Trial]) -> str:
    return f"{len(trials)} walk{'s' * (len(trials) != 1)}"


def _worst(trials: Sequence[Trial], name: str) -> float:
    return float(np.max(_figures(trials, name)))


def _total(trials: Sequence[Trial], name: str) -> float:
    return float(_figures(trials, name).sum())

"""Report of `gelenk campaign`: a table for people, a document for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from gelenk.cli.console import bold, dim, format_table, write, write_json

if TYPE_CHECKING:
    from gelenk.runtime.campaign import Campaign
    from gelenk.runtime.config import Resolved
    from gelenk.runtime.scenario import Scenario

MAX_SHOWN = 10  # failing trials in the table; the JSON document has all


def print_scenarios(scenarios: Sequence[Scenario], *, json: bool) -> None:
    """Write the scenarios that ship."""
    if json:
        write_json(
            [
                {
                    "name": scenario.name,
                    "summary": scenario.summary,
                    "acceptance": scenario.acceptance,
                    "figures": list(scenario.figures),
                    "settings": settings_of(scenario),
                }
                for scenario in scenarios
            ]
        )
        return
    rows = [(s.name, f"{100 * s.acceptance:g} %", s.summary) for s in scenarios]
    write(format_table(("scenario", "must succeed", "what it does"), rows, align="lrl"))


def print_settings(resolved: Resolved[Any], *, json: bool) -> None:
    """Write a configuration as the file that makes it again, or as one object."""
    from gelenk.runtime.config import effective
    from gelenk.runtime.config_toml import to_toml

    if json:
        write_json(effective(resolved))
    else:
        write(to_toml(resolved).rstrip())


def settings_of(scenario: Scenario) -> dict[str, Any]:
    """Return every setting of a scenario with value, unit and origin."""
    from gelenk.runtime.config import effective

    return effective(scenario.resolve())


def as_document(
    campaign: Campaign,
    resolved: Resolved[Any],
    replay: Callable[[int], str],
    recordings: Mapping[int, str],
) -> dict[str, Any]:
    """Return the result as one object for `--json`."""
    from gelenk.runtime.config import effective
    from gelenk.runtime.statistics import success_rate, summarize_all

    rate = success_rate(campaign.trials)
    summaries = map(asdict, summarize_all(campaign.scenario, campaign.trials))
    figures = {summary.pop("name"): summary for summary in summaries}
    failed = [
        {
            "trial": trial.index,
            "seed": trial.seed,
            "status": trial.status,
            "reason": trial.reason,
            "traceback": trial.traceback,
            "replay": replay(trial.seed),
            "recording": recordings.get(trial.seed),
        }
        for trial in campaign.failed
    ]
    return {
        "scenario": campaign.scenario.name,
        "seed": campaign.seed,
        "trials": len(campaign.trials),
        "resumed": campaign.resumed,
        "wall_time": campaign.wall_time,
        "ok": campaign.is_accepted,
        "acceptance": campaign.scenario.acceptance,
        "success": {
            "successes": rate.successes,
            "rate": rate.rate,
            "interval": rate.interval,
        },
        "figures": figures,
        "failing_seeds": [trial.seed for trial in campaign.failed],
        "failed": failed,
        "recordings": list(recordings.values()),
        "config": effective(resolved),
    }


def print_campaign(document: Mapping[str, Any]) -> None:
    """Write the result for people."""
    success = document["success"]
    low, high = (100.0 * end for end in success["interval"])
    verdict = "accepted" if document["ok"] else "missed"
    write(
        f"{bold(document['scenario'])}: {success['successes']} of "
        f"{document['trials']} trials ok, {100.0 * success['rate']:.4g} % "
        f"(95 % interval {low:.4g} to {high:.4g} %); {verdict}, "
        f"{100.0 * document['acceptance']:g} % must succeed"
    )
    resumed = f", {document['resumed']} from the journal" if document["resumed"] else ""
    write(dim(f"{document['wall_time']:.1f} s{resumed}"))
    if document["figures"]:
        write(_figures_table(document["figures"]))
    failed = document["failed"]
    if failed:
        write()
        rows = [
            (str(one["seed"]), one["status"], _one_line(one["reason"]))
            for one in failed[:MAX_SHOWN]
        ]
        write(format_table(("failing seed", "status", "reason"), rows, align="rll"))
        if len(failed) > MAX_SHOWN:
            write(dim(f"and {len(failed) - MAX_SHOWN} more; `--json` lists all"))
        write(f"replay one: {failed[0]['replay']}")
    for path in document["recordings"]:
        write(f"recorded: {path}")


def _figures_table(figures: Mapping[str, Mapping[str, Any]]) -> str:
    header = (
        "figure",
        "unit",
        "mean",
        "95 % interval",
        "median",
        "sd",
        "worst",
        "seed",
    )
    rows: list[tuple[str, ...]] = []
    for name, one in figures.items():
        low, high = one["interval"]
        rows.append(
            (
                name,
                one["unit"],
                f"{one['mean']:.5g}",
                f"{low:.5g} .. {high:.5g}",
                f"{one['median']:.5g}",
                f"{one['sd']:.3g}",
                f"{one['worst']:.5g}",
                str(one["worst_seed"] if one["worst_seed"] is not None else ""),
            )
        )
    return format_table(header, rows, align="llrrrrrr")


def _one_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 100 else line[:97] + "..."

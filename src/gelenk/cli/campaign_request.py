"""What `gelenk campaign` is asked to run: command line, file and journal together."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.runtime.config import Resolved
    from gelenk.runtime.scenario import Scenario

DEFAULT_TRIALS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to run, after command line, file and journal were read.

    Attributes:
        scenario: The scenario.
        resolved: Its configuration and where that comes from.
        trials: Number of trials, or None with `seeds`.
        seeds: The seeds themselves, or None with `trials`.
        seed: Seed of the campaign.
        words: Part of a command line that says scenario and settings again.
    """

    scenario: Scenario
    resolved: Resolved[Any]
    trials: int | None
    seeds: list[int] | None
    seed: int
    words: tuple[str, ...]

    def replay(self, seed: int) -> str:
        """Return the command that runs and records one seed of this campaign."""
        options = ("--only", str(seed), "--record", f"{seed}.mcap")
        return shlex.join(("gelenk", "campaign", *self.words, *options))


def make_request(
    name: str | None,
    trials: int | None,
    seed: int | None,
    only: int | None,
    settings: list[str],
    config: Path | None,
    resume: Path | None,
) -> Request:
    """Bring together what was said; a journal fills in what was not."""
    from gelenk.runtime.config import ConfigLayer, options_layer
    from gelenk.runtime.config_toml import file_layer
    from gelenk.runtime.scenario import get_scenario
    from gelenk.runtime.trial import read_header

    if only is not None and (trials is not None or seed is not None):
        raise ConfigError("--only runs one seed: leave out --trials and --seed")
    header = read_header(resume) if resume is not None else {}
    name = name or header.get("scenario")
    if name is None:
        raise ConfigError(
            "say which SCENARIO to run, or --resume a journal; `gelenk campaign "
            "--list` shows what there is"
        )
    found = get_scenario(name)
    layers: list[ConfigLayer] = []
    words = [name]
    if header and not settings and config is None:
        layers.append(ConfigLayer(origin=f"journal {resume}", values=header["config"]))
        words += _settings_of(found, header["config"])
    if config is not None:
        layers.append(file_layer(config))
        words += ["--config", str(config)]
    if settings:
        layers.append(options_layer(settings))
        words += [word for text in settings for word in ("--set", text)]
    seeds = [only] if only is not None else None
    if seeds is None and trials is None and seed is None:
        seeds = header.get("seeds")
    if seeds is None:
        trials = trials or header.get("trials") or DEFAULT_TRIALS
    if seed is None:
        seed = int(header.get("seed") or 0)
    return Request(
        scenario=found,
        resolved=found.resolve(*layers),
        trials=trials if seeds is None else None,
        seeds=seeds,
        seed=seed,
        words=tuple(words),
    )


def _settings_of(scenario: Scenario, values: dict[str, Any]) -> list[str]:
    """Return the `--set` options that make a configuration again."""
    from gelenk.runtime.config import effective
    from gelenk.runtime.config_toml import toml_value

    usual = effective(scenario.as_config({}))
    words: list[str] = []
    for path, entry in effective(scenario.as_config(values)).items():
        value = entry["value"]
        if path not in usual or usual[path]["value"] != value:
            text = "none" if value is None else toml_value(value)
            words += ["--set", f"{path}={text}"]
    return words

"""`gelenk campaign`: a scenario over many seeds, with figures and failing seeds."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.campaign_report import (
    as_document,
    print_campaign,
    print_scenarios,
    print_settings,
)
from gelenk.cli.console import Progress, say, write_json
from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.runtime.campaign import Campaign
    from gelenk.runtime.config import Resolved
    from gelenk.runtime.scenario import Scenario


DEFAULT_TRIALS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRequest:
    """Request of a campaign, made of command line, file and journal.

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
) -> CampaignRequest:
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
    return CampaignRequest(
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


MAX_RECORDINGS = 10  # of one campaign: failing seeds are often alike


def campaign(
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="[SCENARIO]",
            help="Name, package.module:function, or file.py:function.",
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option("--trials", min=1, help=f"By default {DEFAULT_TRIALS}."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="Seed of the campaign.")
    ] = None,
    only: Annotated[
        int | None, typer.Option("--only", min=0, help="Run this one seed of a trial.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=0, help="Processes; 0 for none, to debug."),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", help="Address of a Dask scheduler.")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="KEY=VALUE, as in ball.mass=0.2.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="TOML file with settings.")
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", help="Longest time of a trial [s].")
    ] = None,
    journal: Annotated[
        Path | None, typer.Option("--journal", help="Keep each trial in this file.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="Continue this journal.")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record", help="Folder for failing seeds; with --only the file."
        ),
    ] = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="List the scenarios that ship.")
    ] = False,
    show_config: Annotated[
        bool,
        typer.Option("--show-config", help="Print the settings as TOML, run nothing."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Run a scenario over many seeds; exit code 1 if its acceptance is missed."""
    if list_all:
        from gelenk.runtime.scenario import list_scenarios

        print_scenarios(list_scenarios(), json=json)
        return exit_codes.OK
    if journal is not None and resume is not None:
        raise ConfigError("say either --journal or --resume: both name the journal")
    request = make_request(scenario, trials, seed, only, settings or [], config, resume)
    if show_config:
        print_settings(request.resolved, json=json)
        return exit_codes.OK
    run = _Run(workers=workers, cluster=cluster, timeout=timeout)
    _check_record(record, is_file=only is not None)
    if only is not None and record is not None:
        result, recordings = _run_recorded(request, run, only, record)
    else:
        result = _run_with_journal(request, run, journal, resume)
        recordings = _record_failed(request, run, result, record)
    document = as_document(result, request.resolved, request.replay, recordings)
    if json:
        write_json(document)
    else:
        print_campaign(document)
    return exit_codes.OK if result.is_accepted else exit_codes.MISSED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    workers: int | None
    cluster: str | None
    timeout: float | None


def _run_with_journal(
    request: CampaignRequest, run: _Run, journal: Path | None, resume: Path | None
) -> Campaign:
    """Run, always with a journal: one that nobody asked for goes when all is done."""
    from gelenk.runtime.campaign import CampaignError, run_campaign

    folder = None
    path = resume or journal
    if path is None:
        folder = tempfile.mkdtemp(prefix="gelenk-campaign-")
        path = Path(folder) / "journal.jsonl"
    try:
        with Progress() as progress:
            result = run_campaign(
                request.scenario,
                request.resolved,
                trials=request.trials,
                seeds=request.seeds,
                seed=request.seed,
                workers=run.workers,
                cluster=run.cluster,
                timeout=run.timeout,
                journal=path,
                resume=resume is not None,
                on_progress=progress.show,
            )
    except (KeyboardInterrupt, CampaignError):
        command = shlex.join(("gelenk", "campaign", "--resume", str(path)))
        say(f"stopped; what was done is kept, continue with: {command}")
        raise
    except BaseException:
        _remove(folder)
        raise
    _remove(folder)
    return result


def _remove(folder: str | None) -> None:
    if folder is not None:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def _check_record(record: Path | None, *, is_file: bool) -> None:
    """Refuse a place for recordings before anything is run."""
    if record is None:
        return
    if record.exists() and (is_file or not record.is_dir()):
        raise ConfigError(f"`--record {record}` exists already; choose another name")
    if not record.absolute().parent.is_dir():
        raise ConfigError(f"`--record {record}`: there is no folder {record.parent}")


def _run_recorded(
    request: CampaignRequest, run: _Run, seed: int, path: Path
) -> tuple[Campaign, dict[int, str]]:
    """Run one seed into a recording."""
    from gelenk.runtime.campaign import Campaign, record_trials

    if run.cluster is not None:
        raise ConfigError("recordings are made on this machine: leave out --cluster")
    trials = record_trials(
        request.scenario, request.resolved, {seed: path}, timeout=run.timeout
    )
    result = Campaign(
        scenario=request.scenario,
        config=request.resolved.config,
        seed=None,
        trials=trials,
        resumed=0,
        wall_time=sum(trial.duration for trial in trials),
    )
    return result, {seed: str(path)} if path.exists() else {}


def _record_failed(
    request: CampaignRequest, run: _Run, result: Campaign, folder: Path | None
) -> dict[int, str]:
    """Run failing seeds again with a recorder; return the files by seed."""
    from gelenk.runtime.campaign import record_trials

    seeds = [trial.seed for trial in result.failed]
    if folder is None or not seeds:
        return {}
    if len(seeds) > MAX_RECORDINGS:
        say(f"recording the first {MAX_RECORDINGS} of {len(seeds)} failing seeds")
    folder.mkdir(exist_ok=True)
    paths = {seed: folder / f"{seed}.mcap" for seed in seeds[:MAX_RECORDINGS]}
    with Progress() as progress:
        record_trials(
            request.scenario,
            request.resolved,
            paths,
            timeout=run.timeout,
            on_progress=progress.show,
        )
    return {seed: str(path) for seed, path in paths.items() if path.exists()}

"""`gelenk replay`: what a recording holds, as text, tables and plots, and run again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import (
    Progress,
    bold,
    dim,
    format_table,
    say,
    write,
    write_json,
)
from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.runtime.recording import Recording
    from gelenk.runtime.verification import Verification

MAX_VALUE_TEXT = 60  # [characters] of a configuration value in the summary


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE.mcap", help="A recording.")],
    topic: Annotated[
        str | None, typer.Option("--topic", help="Print the messages of a topic.")
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="DIR", help="Write a table per topic."),
    ] = None,
    plot: Annotated[
        list[str] | None,
        typer.Option(
            "--plot", metavar="TOPIC[.FIELD]", help="Draw over time; may be repeated."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="PNG", help="Picture that --plot writes."),
    ] = None,
    start: Annotated[
        float,
        typer.Option("--from", metavar="S", help="First time [s].", show_default=False),
    ] = -math.inf,
    end: Annotated[
        float,
        typer.Option("--to", metavar="S", help="Last time [s].", show_default=False),
    ] = math.inf,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify", help="Run the scenario again and compare all messages."
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, SI.")] = False,
) -> int:
    """Show a recording; exit code 1 if --verify finds a difference."""
    from gelenk.runtime.recording import open_recording

    _check_options(plot, out, start, end)
    verification = None
    with Progress() as bar, _opened(open_recording, file, bar) as recording:
        for problem in recording.problems:
            say(f"gelenk: {file}: {problem}")
        result: dict[str, Any] = {"file": str(file), "problems": recording.problems}
        if csv is not None:
            result["tables"] = _export(recording, csv, topic, (start, end), bar)
        if plot and out is not None:
            result["plot"] = _plot(recording, plot, out, (start, end))
        if verify:
            verification = _verify(recording, bar)
            result["verification"] = _verification_facts(verification)
        if topic is not None and csv is None:
            result |= _messages(recording, topic, (start, end), as_json=json)
        elif csv is None and not plot and not verify:
            result |= summary(recording)
    if not json and "topics" in result:
        _print_summary(result)
    _report(result, verification, as_json=json)
    is_different = verification is not None and not verification.is_equal
    return exit_codes.MISSED if is_different else exit_codes.OK


def _check_options(
    plot: list[str] | None, out: Path | None, start: float, end: float
) -> None:
    if plot and out is None:
        raise ConfigError("--plot needs the name of a picture; add --out plot.png")
    if out is not None and not plot:
        raise ConfigError("--out needs something to draw; add --plot TOPIC.FIELD")
    if not start <= end:
        raise ConfigError(f"--from {start:g} s must not be later than --to {end:g} s")


def _opened(
    open_recording: Callable[..., Recording], file: Path, bar: Progress
) -> Recording:
    megabytes = 1 << 20

    def show(done: int, total: int) -> None:
        if total > 50 * megabytes:  # the rest is read before a bar can be seen
            bar.show(done // megabytes, total // megabytes, f"MiB of {file.name}")

    return open_recording(file, show)


def _export(
    recording: Recording,
    folder: Path,
    topic: str | None,
    span: tuple[float, float],
    bar: Progress,
) -> list[str]:
    from gelenk.runtime.export import export_csv

    paths = export_csv(
        recording,
        folder,
        topics=None if topic is None else [topic],
        start=span[0],
        end=span[1],
        progress=lambda done, total: bar.show(done, total, "messages to tables"),
    )
    return [str(path) for path in paths]


def _plot(
    recording: Recording, plot: list[str], out: Path, span: tuple[float, float]
) -> str:
    from gelenk.runtime.export import save_plot

    return str(save_plot(recording, plot, out, start=span[0], end=span[1]))


def _messages(
    recording: Recording, topic: str, span: tuple[float, float], *, as_json: bool
) -> dict[str, Any]:
    """Print the messages of a topic, or return them for the JSON object."""
    messages = recording.messages(topic, start=span[0], end=span[1])
    if as_json:
        return {"messages": [_message_facts(message) for message in messages]}
    for message in messages:
        write(f"{message.time:12.6f}  {_compact(message.value)}")
    return {}


def _verify(recording: Recording, bar: Progress) -> Verification:
    from gelenk.runtime.verification import verify_recording

    return verify_recording(
        recording,
        progress=lambda done, total: bar.show(done, total, "messages, running again"),
    )


def _message_facts(message: Any) -> dict[str, Any]:
    return {
        "time": message.time,
        "published": message.publish_time_ns * 1e-9,
        "number": message.number,
        "value": message.value,
    }


def _compact(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def summary(recording: Recording) -> dict[str, Any]:
    """Return what a recording holds: the run, its topics, its faults and impacts."""
    facts = recording.metadata
    span = recording.time_range
    return {
        "scenario": facts.get("scenario"),
        "seed": facts.get("seed"),
        "config": facts.get("config"),
        "versions": facts.get("versions"),
        "start": None if span is None else span[0],
        "end": None if span is None else span[1],
        "duration": 0.0 if span is None else span[1] - span[0],
        "topics": [_topic_facts(recording, topic) for topic in recording.topics],
        "faults": _count_faults(recording),
        "impacts": _count_impacts(recording),
    }


def _topic_facts(recording: Recording, topic: str) -> dict[str, Any]:
    times = recording.times(topic)
    span = float(times[-1] - times[0]) if len(times) else 0.0
    return {
        "topic": topic,
        "type": recording.type_name(topic),
        "count": len(times),
        "rate": (len(times) - 1) / span if span > 0.0 else None,
        "start": float(times[0]) if len(times) else None,
        "end": float(times[-1]) if len(times) else None,
    }


def _count_faults(recording: Recording) -> list[dict[str, Any]]:
    """Return how often faults struck, by kind and target, and when first.

    Of faults of messages the messages are counted, of others the beginnings.
    """
    from gelenk.runtime.message_faults import FAULT_TOPIC

    found: dict[tuple[str, str], dict[str, Any]] = {}
    if FAULT_TOPIC not in recording.topics:
        return []
    phases: dict[tuple[str, str], Counter[str]] = {}
    for message in recording.messages(FAULT_TOPIC):
        value = message.value
        key = (str(value.get("kind")), str(value.get("target")))
        first = value.get("time", message.time)
        entry = {"kind": key[0], "target": key[1], "count": 0, "first": first}
        found.setdefault(key, entry)
        phases.setdefault(key, Counter())[value.get("phase", "start")] += 1
    for key, counts in phases.items():
        found[key]["count"] = counts["hit"] or counts["start"]
    return list(found.values())


def _count_impacts(recording: Recording) -> int:
    topics = [name for name in recording.topics if name.split("/")[-1] == "impacts"]
    return sum(recording.count(topic) for topic in topics)


def _print_summary(facts: dict[str, Any]) -> None:
    write(bold(facts["file"]))
    if facts["scenario"] is not None:
        write(f"scenario  {facts['scenario']}")
    if facts["seed"] is not None:
        write(f"seed      {facts['seed']}")
    if facts["start"] is not None:
        span = f"{facts['start']:.6g} s to {facts['end']:.6g} s"
        write(f"duration  {facts['duration']:.6g} s ({span})")
    for key, value in _config_lines(facts["config"]):
        write(f"  {key} = {value}")
    write()
    rows = [
        (
            entry["topic"],
            entry["type"].rpartition(".")[2],
            str(entry["count"]),
            "" if entry["rate"] is None else f"{entry['rate']:.4g}",
        )
        for entry in facts["topics"]
    ]
    write(format_table(("topic", "message", "count", "rate [Hz]"), rows, align="llrr"))
    write()
    write(f"impacts  {facts['impacts']}")
    write(f"faults   {sum(entry['count'] for entry in facts['faults'])}")
    for entry in facts["faults"]:
        first = dim(f"first at {entry['first']:.6g} s")
        write(f"  {entry['count']} x {entry['kind']} on {entry['target']}  {first}")


def _config_lines(config: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Return the values of a configuration by dotted name, long ones shortened."""
    if not isinstance(config, dict):
        return []
    lines: list[tuple[str, str]] = []
    for key, value in config.items():
        if isinstance(value, dict) and value:
            lines += _config_lines(value, f"{prefix}{key}.")
        else:
            text = _compact(value)
            short = text if len(text) <= MAX_VALUE_TEXT else text[:MAX_VALUE_TEXT] + "…"
            lines.append((prefix + key, short))
    return lines


def _verification_facts(verification: Verification) -> dict[str, Any]:
    from dataclasses import asdict

    difference = verification.difference
    return {
        "equal": verification.is_equal,
        "compared": verification.num_compared,
        "difference": None if difference is None else asdict(difference),
        "notes": verification.notes,
    }


def _report(
    result: dict[str, Any], verification: Verification | None, *, as_json: bool
) -> None:
    """Print what was done; with `--json`, everything as one object."""
    if as_json:
        write_json(result)
        return
    for path in result.get("tables", []):
        write(path)
    if "plot" in result:
        write(result["plot"])
    if verification is None:
        return
    for note in verification.notes:
        say(note)
    if verification.difference is None:
        write(f"equal: {verification.num_compared} messages, bit for bit")
    else:
        write(f"different: {verification.difference}")

"""A verdict as text for people and as plain data for machines."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

from gelenk.robots.armbot.exercise.example import Example
from gelenk.robots.armbot.exercise.finding import Finding, Verdict

WIDTH = 88
GREEN, RED, BOLD, DIM = "32", "31", "1", "2"
Style = Callable[[str, str], str]


def plain_style(text: str, code: str) -> str:
    """Return the text as it is."""
    return text


def color_style(text: str, code: str) -> str:
    """Return the text with an ANSI style around it."""
    return f"\x1b[{code}m{text}\x1b[0m"


def verdict_text(verdict: Verdict, style: Style = plain_style) -> str:
    """Return what a student reads."""
    word = style("accepted", GREEN) if verdict.is_accepted else style("not yet", RED)
    lines = [f"{style(verdict.exercise, BOLD)}: {word}"]
    lines += [
        f"  {name}: {right} of {total} cases right"
        for name, right, total in verdict.counts
    ]
    for finding in verdict.findings:
        lines += ["", *_finding_lines(finding, style)]
    return "\n".join(lines) + "\n"


def _finding_lines(finding: Finding, style: Style) -> list[str]:
    head = finding.function or "the file"
    lines = [f"{style(head, BOLD)}  {style('[' + ', '.join(finding.names) + ']', DIM)}"]
    for i, cause in enumerate(finding.causes):
        lines += _wrapped("what is wrong: " if i == 0 else "and: ", cause)
    for place in finding.look:
        lines += _wrapped("where to look: ", place)
    for other in finding.alternatives[:2]:
        lines += _wrapped("or, with the same effect: ", other)
    if finding.example is not None:
        lines += _example_lines(finding.example)
    return lines


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        label + text,
        WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _example_lines(example: Example) -> list[str]:
    lines = ["  for example, with"]
    for name, value in example.inputs:
        lines += _block(f"      {name} = ", value)
    or_another = " (or another right one)" if example.has_more else ""
    lines += _block("    expected ", example.expected + or_another)
    lines += _block("    got      ", example.got)
    if example.reached:
        lines += _block("    which leads to ", example.reached)
    return lines


def _block(label: str, text: str) -> list[str]:
    """Return a value of several lines, aligned behind its label."""
    first, *others = text.splitlines() or [""]
    return [label + first, *(" " * len(label) + line for line in others)]


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return the same as plain data."""
    return {
        "exercise": verdict.exercise,
        "accepted": verdict.is_accepted,
        "functions": [
            {"name": name, "right": right, "cases": total}
            for name, right, total in verdict.counts
        ],
        "findings": [_finding_data(finding) for finding in verdict.findings],
    }


def _finding_data(finding: Finding) -> dict[str, Any]:
    example = finding.example
    return {
        "names": list(finding.names),
        "function": finding.function or None,
        "causes": list(finding.causes),
        "look": list(finding.look),
        "alternatives": list(finding.alternatives),
        "line": finding.line,
        "example": None
        if example is None
        else {
            "inputs": dict(example.inputs),
            "expected": example.expected,
            "got": example.got,
            "has_more": example.has_more,
            "reached": example.reached or None,
        },
    }

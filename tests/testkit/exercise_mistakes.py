"""How well the exercises of ArmBot recognise wrong submissions, and spare right ones.

The submissions are texts in `testkit.submissions`. `score_mistakes` runs all of
them and counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gelenk.robots.armbot.exercise import Limits, Runner, check_submission, get_exercise
from testkit.submissions import held_out, right, wrong_arms, wrong_frames, wrong_motion

MARK = "#== "
KINDS = ("single", "double", "free", "form")
COUNTS = ("wrong", "rejected", "named", "misled")
VAGUE = {"unexplained", "raises", "not-a-number", "shape", "too-slow"}
LIMITS = Limits(call=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """The text of a file and what is to be said about it.

    Attributes:
        exercise: What it answers.
        kind: "single" mistake, "double" for two at once, "free" if there is no model of
            its mistake, "form" if the file itself is at fault, "right".
        names: Of its mistakes; for a right one a remark.
        source: The code.
    """

    exercise: str
    kind: str
    names: tuple[str, ...]
    source: str


def read_submissions(text: str) -> list[Submission]:
    """Return the submissions of a text with headings."""
    found = []
    for block in text.split("\n" + MARK)[1:]:
        heading, _, source = block.partition("\n")
        exercise, kind, names = (part.strip() for part in heading.split("|"))
        found.append(
            Submission(
                exercise=exercise,
                kind=kind,
                names=tuple(name.strip() for name in names.split(",")),
                source=source,
            )
        )
    return found


def wrong_submissions() -> list[Submission]:
    """Return all wrong submissions."""
    texts = (wrong_frames.TEXT, wrong_arms.TEXT, wrong_motion.TEXT)
    return [s for text in texts for s in read_submissions(text)]


def right_submissions() -> list[Submission]:
    """Return all right submissions."""
    return read_submissions(right.TEXT)


def judge(
    submissions: Iterable[Submission], seed: int
) -> list[tuple[Submission, bool, tuple[str, ...]]]:
    """Return each submission with whether it is accepted and what is found in it."""
    results = []
    with tempfile.TemporaryDirectory() as folder, Runner() as runner:
        path = Path(folder) / "submission.py"
        for submission in submissions:
            path.write_text(submission.source, encoding="utf-8")
            verdict = check_submission(
                get_exercise(submission.exercise),
                path,
                seed=seed,
                runner=runner,
                limits=LIMITS,
            )
            results.append((submission, verdict.is_accepted, verdict.names))
    return results


def score_mistakes(seed: int = 0) -> dict[str, Any]:
    """Return how many wrong submissions are rejected and named, and right ones kept.

    A submission counts as named if every mistake of its heading is found, and as misled
    if it is not, but other mistakes are named with conviction. Those of kind "free"
    have no model, so they are hardly ever named and stay in the count all the same.

    Args:
        seed: Of the hidden cases.

    Returns:
        Counts and shares: `wrong`, `rejected`, `named`, `misled`, `rejected_share` and
        `named_share` over all wrong submissions but those of kind "form", the same by
        kind under `kinds`; `right` and `right_rejected`; `held_out`, the same figures
        for the submissions that were written after the models; and `unnamed` with what
        was said about those that were not named.
    """
    score = _score(wrong_submissions() + right_submissions(), seed)
    held_out_score = _score(read_submissions(held_out.TEXT), seed)
    unnamed = score.pop("unnamed") + held_out_score.pop("unnamed")
    return {**score, "held_out": held_out_score, "unnamed": unnamed}


def _score(submissions: Iterable[Submission], seed: int) -> dict[str, Any]:
    kinds = {kind: dict.fromkeys(COUNTS, 0) for kind in KINDS}
    unnamed: list[dict[str, Any]] = []
    num_right = right_rejected = 0
    for submission, is_accepted, names in judge(submissions, seed):
        if submission.kind == "right":
            num_right += 1
            right_rejected += not is_accepted
            continue
        is_named = not is_accepted and set(submission.names) <= set(names)
        count = kinds[submission.kind]
        count["wrong"] += 1
        count["rejected"] += not is_accepted
        count["named"] += is_named
        count["misled"] += not is_named and bool(
            set(names) - VAGUE - {*submission.names}
        )
        if not is_named:
            unnamed.append(
                {
                    "exercise": submission.exercise,
                    "kind": submission.kind,
                    "wanted": list(submission.names),
                    "found": list(names),
                }
            )
    sums = {
        key: sum(kinds[kind][key] for kind in KINDS if kind != "form") for key in COUNTS
    }
    return {
        **sums,
        "rejected_share": sums["rejected"] / sums["wrong"],
        "named_share": sums["named"] / sums["wrong"],
        "kinds": kinds,
        "right": num_right,
        "right_rejected": right_rejected,
        "unnamed": unnamed,
    }

"""The figures that the exercises must reach."""

from __future__ import annotations

from collections import Counter

import pytest

from gelenk.robots.armbot.exercise import EXERCISES
from testkit.exercise_mistakes import (
    read_submissions,
    right_submissions,
    score_mistakes,
    wrong_submissions,
)
from testkit.submissions import held_out


def test_submissions_cover_every_exercise() -> None:
    names = {exercise.name for exercise in EXERCISES}
    wrong = [s for s in wrong_submissions() if s.kind != "form"]

    assert len(wrong) >= 50
    assert len(right_submissions()) >= 30
    assert min(Counter(s.exercise for s in wrong).values()) >= 3
    for submissions in (wrong, right_submissions()):
        assert {s.exercise for s in submissions} == names
    sources = [s.source for s in wrong + read_submissions(held_out.TEXT)]
    assert len(set(sources)) == len(sources)


@pytest.mark.slow
def test_wrong_submissions_are_rejected_and_named_and_right_ones_never() -> None:
    score = score_mistakes(seed=17)

    for figures in (score, score["held_out"]):
        assert figures["rejected_share"] >= 0.9, score["unnamed"]
        assert figures["named_share"] >= 0.6, score["unnamed"]
        assert figures["right_rejected"] == 0
        assert figures["misled"] <= 0.1 * figures["wrong"], score["unnamed"]
    assert score["kinds"]["form"]["named"] == score["kinds"]["form"]["wrong"]

"""What is said about submissions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from gelenk.robots.armbot.exercise import (
    EXERCISES,
    Runner,
    Verdict,
    check_submission,
    get_exercise,
)
from gelenk.robots.armbot.exercise.command import template_of
from gelenk.robots.armbot.exercise.explain import describe_difference, find_explanation
from gelenk.robots.armbot.exercise.finding import verdict_text
from gelenk.robots.armbot.exercise.match import is_right
from gelenk.robots.armbot.exercise.record import Exercise, Function, Trial, solutions_of
from testkit.exercise_mistakes import Submission, wrong_submissions

Check: TypeAlias = Callable[[str, str], Verdict]


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as shared:
        yield shared


@pytest.fixture
def check(runner: Runner, tmp_path: Path) -> Check:
    def checked(name: str, source: str) -> Verdict:
        path = tmp_path / "submission.py"
        path.write_text(source, encoding="utf-8")
        return check_submission(get_exercise(name), path, runner=runner)

    return checked


def submission(exercise: str, *names: str) -> Submission:
    return next(
        s
        for s in wrong_submissions()
        if s.exercise == exercise and set(s.names) == set(names)
    )


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_a_template_is_valid_and_rejected_as_unfinished(
    check: Check, exercise: Exercise
) -> None:
    text = template_of(exercise)

    verdict = check(exercise.name, text)

    assert verdict.names == ("unfinished",)
    assert len(verdict.findings) == len(exercise.functions)
    assert all(len(line) <= 100 for line in text.splitlines())
    for function in exercise.functions:
        assert f"def {function.signature}:" in text
        assert all(f"{a.name}: " in text for a in function.arguments)


def test_the_misprint_of_the_paper_is_named_with_its_example(check: Check) -> None:
    source = submission("simple-arm-inverse", "misprint").source

    verdict = check("simple-arm-inverse", source)

    finding = verdict.findings[0]
    assert verdict.names == ("misprint",)
    assert "gamma + atan2" in finding.causes[0]
    assert finding.example is not None
    assert dict(finding.example.inputs).keys() == {"p", "lengths"}
    # The mirrored point: x and y as wanted, z on the other side of the femur servo.
    numbers = [
        np.array(re.findall(r"-?\d+\.?\d*", text), dtype=float)
        for text in (
            dict(finding.example.inputs)["p"],
            finding.example.reached,
            dict(finding.example.inputs)["lengths"],
        )
    ]
    p, reached, lengths = numbers
    np.testing.assert_allclose(reached[:2], p[:2], atol=1e-5)
    assert reached[2] - lengths[0] == pytest.approx(lengths[0] - p[2], abs=1e-5)


def test_two_mistakes_at_once_are_both_named(check: Check) -> None:
    source = submission("simple-arm-inverse", "misprint", "degrees-out").source

    assert set(check("simple-arm-inverse", source).names) == {"misprint", "degrees-out"}


def test_an_exception_in_a_special_case_is_named_with_its_line(check: Check) -> None:
    source = submission("simple-arm-inverse", "misprint", "reach-check").source

    found = check("simple-arm-inverse", source).findings[-1]

    assert found.names == ("reach-check",)
    assert found.line is not None
    assert "acos" in source.splitlines()[found.line - 1]
    assert any("math domain error" in cause for cause in found.causes)


@pytest.mark.parametrize(
    ("exercise", "name"),
    [
        ("plane-angles", "gimbal-lock"),
        ("planar-2r-inverse", "reach-check"),
        ("scara", "limits-ignored"),
        ("tripod", "reach-check"),
        ("numeric-jacobian", "one-sided"),
        ("jacobian-ik", "always-alpha"),
        ("jacobian-ik", "step-not-limited"),
        ("straight-line", "number-of-points"),
        ("pseudo-inverse", "left-pseudo-inverse"),
    ],
)
def test_typical_mistakes_are_named_and_nothing_else(
    check: Check, exercise: str, name: str
) -> None:
    assert check(exercise, submission(exercise, name).source).names == (name,)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def rotation_xz(angle) return 1", "syntax"),
        ("import no_such_module", "import"),
        ("1 / 0", "raises"),
        ("def rotation_xy(angle): return 1", "missing-function"),
        ("def rotation_xz(): return 1", "signature"),
        ("def rotation_xz(angle): print(angle)", "prints-only"),
        ("def rotation_xz(angle): return None", "unfinished"),
        ("def rotation_xz(angle): return 'R'", "shape"),
        ("def rotation_xz(angle): return [1, 2, 3]", "shape"),
        ("def rotation_xz(angle): return [[angle / 0.0] * 3] * 3", "raises"),
        ("def rotation_xz(angle): return [[float('nan')] * 3] * 3", "not-a-number"),
        ("import os\ndef rotation_xz(angle): os._exit(1)", "process-ended"),
    ],
)
def test_what_prevents_a_comparison_is_named(
    check: Check, source: str, name: str
) -> None:
    verdict = check("rotation-xz", source)

    assert verdict.names == (name,)
    assert not verdict.is_accepted


def test_a_close_name_is_pointed_out(check: Check) -> None:
    verdict = check("rotation-xz", "def rotation_xy(angle): return 1")

    assert "there is `rotation_xy`" in verdict.findings[0].causes[0]


RIGHT = """
from math import cos, sin
import random
calls = []
def rotation_xz(angle):
    calls.append(angle)
    e = {disturbance}
    return [[cos(angle), 0, -sin(angle)], [0, 1 + e, 0], [sin(angle), 0, cos(angle)]]
"""


@pytest.mark.parametrize(
    ("disturbance", "names"),
    [
        ("0", ()),
        ("1e-7", ()),
        ("1e-3", ("unexplained",)),
        ("1e-6 * random.random()", ("not-repeatable",)),
        ("1e-7 * len(calls)", ("not-repeatable",)),
    ],
)
def test_accuracy_and_repetition_are_asked_for_in_reason(
    check: Check, disturbance: str, names: tuple[str, ...]
) -> None:
    assert check("rotation-xz", RIGHT.format(disturbance=disturbance)).names == names


def test_a_changed_argument_is_named_even_if_the_answer_is_right(check: Check) -> None:
    source = (
        "import numpy as np\n"
        "def forward(q, lengths):\n"
        "    q[1] += q[0]\n"
        "    return [*(lengths @ np.exp(1j * q)[:, None]).view(float), q[1]]\n"
    )

    verdict = check("planar-2r-forward", source)

    assert verdict.names == ("changes-arguments",)
    assert verdict.counts == (("forward", 16, 16),)


def trials_with(
    function: Function, change: Callable[[np.ndarray], np.ndarray]
) -> list[Trial]:
    """Return trials whose answers are the right ones, changed."""
    trials = []
    for case in function.draw(np.random.default_rng(11)):
        if case.tag:
            continue
        right = solutions_of(function.solve(**case.args))[0]
        assert right is not None
        answer = change(right)
        trials.append(
            Trial(
                case=case,
                answer=answer,
                raw=answer,
                failure="",
                trace=(),
                is_right=False,
            )
        )
    return trials


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_noise_is_explained_by_no_mistake(exercise: Exercise) -> None:
    """A name for answers that follow no rule would send a student astray."""
    rng = np.random.default_rng(5)
    for function in exercise.functions:
        trials = trials_with(function, lambda a: a + rng.normal(size=a.shape))

        assert find_explanation(function, trials) is None


def test_a_mistake_that_explains_only_some_answers_is_not_named() -> None:
    function = get_exercise("simple-arm-forward").functions[0]
    rng = np.random.default_rng(6)
    turn = iter(range(100))
    trials = trials_with(
        function, lambda a: -a if next(turn) % 2 else rng.normal(size=a.shape)
    )

    assert find_explanation(function, trials) is None
    assert find_explanation(function, trials[1::2]) is not None


def test_no_mistake_is_named_where_there_are_no_answers() -> None:
    """Many wrong formulas have no value anywhere; that proves none of them."""
    function = get_exercise("simple-arm-inverse").functions[0]
    trials = [
        replace(t, answer=None, failure="raised ValueError")
        for t in trials_with(function, lambda a: a)
    ]

    assert find_explanation(function, trials) is None


def test_whole_turns_make_no_difference_to_angles_but_to_lengths() -> None:
    function = get_exercise("planar-2r-forward").functions[0]
    case = function.draw(np.random.default_rng(1))[0]
    right = solutions_of(function.solve(**case.args))
    assert right[0] is not None

    for shift, expected in (([0, 0, -1], True), ([1, 0, 0], False)):
        answer = right[0] + 2.0 * np.pi * np.array(shift)
        assert is_right(function, case.args, answer, right) is expected


def test_a_constant_offset_is_found_with_its_amount() -> None:
    function = get_exercise("simple-arm-forward").functions[0]

    found = find_explanation(
        function, trials_with(function, lambda a: a + np.array([0, 0, 0.07]))
    )

    assert found is not None
    assert found.mistakes[0].name == "constant-offset"
    assert "z is always too large by the same amount, 0.07" in found.mistakes[0].cause


def test_a_typing_error_in_a_matrix_is_located() -> None:
    function = get_exercise("simple-arm-jacobian").functions[0]
    signs = np.ones((3, 3))
    signs[0, 1] = -1.0

    trials = trials_with(function, lambda a: a * signs)

    assert find_explanation(function, trials) is None
    assert describe_difference(function, trials) == [
        "right but for: entry (1, 2)",
        "entry (1, 2) is always -1 times the right value",
    ]


def test_a_failure_for_one_sign_of_an_argument_is_located() -> None:
    function = get_exercise("planar-2r-forward").functions[0]
    trials = [
        Trial(
            case=t.case,
            answer=t.answer,
            raw=None,
            failure="",
            trace=(),
            is_right=t.case.args["q"][1] > 0.0,
        )
        for t in trials_with(function, lambda a: a)
    ]

    sentences = describe_difference(function, trials)

    assert sentences[-1] == "it is wrong exactly where `q`[1] is negative"


def test_the_text_says_cause_place_and_example(check: Check) -> None:
    source = submission("planar-2r-inverse", "degrees-out", "one-elbow").source

    text = verdict_text(check("planar-2r-inverse", source))

    for words in ("not yet", "only one of the two", "in degrees", "where to look"):
        assert words in text
    assert "expected [[" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_names_of_mistakes_can_be_trusted_as_identifiers() -> None:
    for exercise in EXERCISES:
        assert re.fullmatch(r"[a-z0-9-]+", exercise.name)
        for function in exercise.functions:
            for mistake in (*function.mistakes, *function.specials.values()):
                assert re.fullmatch(r"[a-z0-9-]+", mistake.name)
                assert mistake.look
                assert (
                    mistake.has_model
                    or function.review
                    or not function.mistakes
                    or (mistake in function.specials.values())
                )

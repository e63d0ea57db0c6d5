"""What the calibration of a NAO must achieve, and the verdict of its tests.

Kastner 2014, 1.4 and Tab. 5.14: each requirement rests on test cases, and gets the
worst of their verdicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from gelenk.errors import NameNotFoundError


class Grade(IntEnum):
    """How a test ended; larger is worse."""

    MET = 0
    PARTLY = 1
    FAILED = 2
    UNKNOWN = 3
    """It was not carried out; nobody can say that the requirement is met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What is wanted, and which test cases show it.

    Attributes:
        id: Such as "A1".
        text: In words.
        cases: Numbers of the test cases.
        printed: Verdict of the published method.
    """

    id: str
    text: str
    cases: tuple[int, ...]
    printed: Grade


REQUIREMENTS = (
    Requirement(
        id="A1", text="faster than by hand, 30 minutes", cases=(8,), printed=Grade.MET
    ),
    Requirement(
        id="A2", text="started by anybody with one button", cases=(8,),
        printed=Grade.MET,
    ),
    Requirement(
        id="A3", text="works for every NAO in every light, and gives the same again",
        cases=(1, 2, 5, 6, 7, 8), printed=Grade.MET,
    ),
    Requirement(
        id="A4", text="as good as by hand: walk and distances", cases=(8, 9, 10),
        printed=Grade.FAILED,
    ),
    Requirement(
        id="A5", text="repeated runs agree", cases=(5, 6, 7, 8), printed=Grade.PARTLY
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A requirement, judged.

    Attributes:
        requirement: What was wanted.
        grade: The worst of its test cases.
        because: The test cases that have this grade.
    """

    requirement: Requirement
    grade: Grade
    because: tuple[int, ...]


def judge_requirements(grades: Mapping[tuple[str, int], Grade]) -> tuple[Finding, ...]:
    """Return the table of requirements; each gets the worst verdict of its tests.

    Args:
        grades: Verdict by requirement and number of the test case; one test can show
            one thing and fail to show another. What is missing is unknown.

    Raises:
        NameNotFoundError: If a verdict belongs to no requirement's test case.
    """
    known = {(need.id, case) for need in REQUIREMENTS for case in need.cases}
    for key in grades:
        if key not in known:
            names = [f"{name} by TC{case}" for name, case in sorted(known)]
            raise NameNotFoundError("verdict", f"{key[0]} by TC{key[1]}", names)
    findings: list[Finding] = []
    for need in REQUIREMENTS:
        row = {case: grades.get((need.id, case), Grade.UNKNOWN) for case in need.cases}
        worst = max(row.values())
        because = tuple(case for case, grade in row.items() if grade is worst)
        findings.append(Finding(requirement=need, grade=worst, because=because))
    return tuple(findings)

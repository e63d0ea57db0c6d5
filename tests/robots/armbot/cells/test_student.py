"""Tests of the exercise `student`: the template, a solution, and wrong formulas."""

from pathlib import Path

import pytest

from gelenk.robots.armbot.cells.student import StudentCfg, student

SOLUTION = Path(__file__).with_name("student_solution.py")


def submitted(path: Path, **settings: float) -> StudentCfg:
    return StudentCfg(controller=f"{path}:Student", **settings)


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.slow
@pytest.mark.capability("AB-30", "AB-31", "AB-33")
def test_own_kinematics_carries_the_ball_along_the_square(seed: int) -> None:
    outcome = student(submitted(SOLUTION), seed)
    assert outcome.ok, outcome.reason
    assert outcome.figures["corners"] == 5.0
    assert outcome.figures["beside"] == 0.0
    assert outcome.figures["distance"] < 1e-3


def test_the_template_says_which_formula_is_missing() -> None:
    outcome = student(StudentCfg(settling=0.0), 0)
    assert not outcome.ok
    assert "NotImplementedError: write OwnInverseKinematics.solve" in outcome.reason
    assert outcome.figures["corners"] == 0.0


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        # the sign that the paper prints
        ("math.atan2(up, along) + at_shoulder", "at_shoulder - math.atan2(up, along)"),
        ("STAND, FEMUR, TIBIA = 0.20, 0.30,", "STAND, FEMUR, TIBIA = 0.20, 0.31,"),
    ],
)
def test_wrong_formulas_do_not_pass(right: str, wrong: str, tmp_path: Path) -> None:
    text = SOLUTION.read_text()
    assert right in text
    path = tmp_path / "submission.py"
    path.write_text(text.replace(right, wrong))
    outcome = student(submitted(path, seconds=8.0), 0)
    assert not outcome.ok
    assert outcome.figures["corners"] < 5.0

"""Names and transitions that do not fit together are found before anything moves."""

import pytest

from gelenk.robots.nao.motion.program import Jump, MoveStep
from gelenk.robots.nao.motion.text import check_motions, load_motions, shipped_motions
from robots.nao.motion.sample_motions import ENTRY, INDEX, program_of, with_body
from robots.nao.motion.test_parser import CALIBRATION, ZEROS, only_problem


@pytest.mark.capability("CA-66")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("transition gone start", "11:3 expected the name of a motion, got `gone`"),
        ("transition motion start", "11:3 expected the name of a motion, got `motion`; did you mean motions?"),
        ("transition go strat", "11:3 expected a label of motion `go`, got `strat`; did you mean start?"),
        ("label start", "11:3 expected a new label, got `start` again in motion `go`"),
    ],
)  # fmt: skip
def test_transitions_need_their_goals(line: str, message: str) -> None:
    assert only_problem(with_body("(HeadYaw 0)", line).replace("(HeadYaw 0)\n  ", "")) == message  # fmt: skip


def test_two_motions_of_one_name_are_refused() -> None:
    text = (
        with_body("(HeadYaw 0)") + "\ngo\n{\n  label a\n  transition motions start\n}"
    )

    assert only_problem(text) == (
        "15:1 expected a new name, got `go` again; line 8 has the first motion of this "
        "name"
    )


def test_a_condition_that_no_motion_has_the_name_of_is_a_warning() -> None:
    text = with_body("(HeadYaw 0)").replace("transition go go", "transition goo go")

    (problem,) = check_motions(text)

    assert problem.severity == "warning"
    assert "no motion has the name `goo`" in problem.text
    assert "did you mean go?" in problem.text
    assert program_of(text).requests == {"goo"}


@pytest.mark.capability("CA-66")
@pytest.mark.parametrize(
    "lines",
    [
        ("transition go start",),
        ("label a", "transition go a"),
        ("transition motions start", "(HeadYaw 0)"),
        ("hardness(" + "50 " * 22 + ") 100", "transition go start"),
        ("transition go go start", "(HeadYaw 0)"),  # only while `go` is requested
    ],
)
def test_a_circle_that_takes_no_time_is_refused(lines: tuple[str, ...]) -> None:
    message = only_problem(with_body(*lines))

    assert "expected a line of angles in every circle of transitions, got none" in (
        message
    )
    assert "`go`" in message


@pytest.mark.capability("CA-66")
@pytest.mark.parametrize(
    "text",
    [
        with_body("(HeadYaw 0)", "transition go start"),
        # No request is `go` and `motions` at once, so time passes in every case.
        with_body("transition motions motions start", "(HeadYaw 0)"),
    ],
)
def test_a_circle_with_a_line_of_angles_is_allowed(text: str) -> None:
    assert check_motions(text) == []


def test_resting_in_the_entry_is_no_circle() -> None:
    assert check_motions(ENTRY.replace("  transition go go start\n", "")) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(LHipYawPitch 3 RHipYawPitch 4) 1 1", "11:3 expected the same value for LHipYawPitch and RHipYawPitch, got 3.0 and 4.0; one motor drives both, give one of them"),
        (f"({'* ' * 10}# 0 0 0 0 0 0 {ZEROS[:9]}) 1 1", "11:3 expected the same value for LHipYawPitch and RHipYawPitch, got # and 0.0; one motor drives both, give one of them"),
    ],
)  # fmt: skip
def test_one_hip_motor_gets_one_command(line: str, message: str) -> None:
    assert only_problem(with_body(line)) == message


@pytest.mark.parametrize("joint", ["LHipYawPitch", "RHipYawPitch"])
def test_either_hip_name_moves_the_one_motor(joint: str) -> None:
    program = program_of(with_body(f"({joint} -20) 100 0"))
    (move,) = [step for step in program.steps if isinstance(step, MoveStep)]

    both = [INDEX["LHipYawPitch"], INDEX["RHipYawPitch"]]
    assert move.values[both] == pytest.approx([-0.3490658504, -0.3490658504])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("(LKneePitch 130) 1 1", "LKneePitch 130 is beyond what the joint reaches; it will stop at 120"),
        ("(LAnklePitch 52, LAnkleRoll -15) 1 1", "LAnkleRoll -15 is beyond what the joint reaches; it will stop at -3.6"),
        ("(HeadYaw 87.49, HeadPitch 20) 1 1", "HeadPitch 20 is beyond what the joint reaches; it will stop at 11.46"),
    ],
)  # fmt: skip
def test_angles_out_of_reach_are_warned_of(line: str, message: str) -> None:
    (problem,) = check_motions(with_body(line))

    assert problem.severity == "warning"
    assert problem.text.startswith(message)
    assert problem.place.line == 11


def test_too_many_transitions_are_refused() -> None:
    text = with_body("(HeadYaw 0)", *["transition go motions start"] * 500)

    assert "expected at most 500 transitions in a file, got 503" in only_problem(text)


def test_mirrored_motions_need_what_their_source_has() -> None:
    more = CALIBRATION.rstrip()[:-1] + "  transition motions start\n}"
    none = CALIBRATION.replace("calibrateRight | calibrateLeft", "calibrateRight | calibrateLoft")  # fmt: skip
    again = CALIBRATION + "again | calibrateRight { transition motions start }"
    labels = CALIBRATION.replace("calibrateLeft\n{\n  label start\n  transition", "calibrateLeft\n{\n  label a\n  label b\n  transition")  # fmt: skip
    branch = CALIBRATION.rstrip()[:-1].removesuffix("transition motions start\n") + "transition calibrateLeft motions start\n}"  # fmt: skip

    assert "expected 1 transitions in `calibrateRight`, as many as `calibrateLeft` has, got 2" in only_problem(more)  # fmt: skip
    assert "got `calibrateLoft`; did you mean calibrateLeft?" in str(check_motions(none)[-1])  # fmt: skip
    assert "a mirrored motion cannot be mirrored again" in only_problem(again)
    assert "expected at most 1 labels in `calibrateRight`" in str(check_motions(labels)[-1])  # fmt: skip
    assert "got one that waits for `calibrateLeft`" in only_problem(branch)


def test_every_motion_of_the_shipped_file_ends_in_a_jump() -> None:
    program = load_motions(shipped_motions()["stretch"])

    last = [
        program.steps[i]
        for i in range(len(program.steps))
        if program.owners[i + 1 : i + 2] != program.owners[i : i + 1]
    ]
    assert len(last) == len(program.motions) == 5
    assert all(isinstance(step, Jump) and step.request is None for step in last)

"""Motion files are read as written, and every mistake is told with its place."""

import pytest

from gelenk.errors import FileFormatError
from gelenk.robots.nao.joints import BODY_JOINTS
from gelenk.robots.nao.motion.motions import (
    Hardness,
    Label,
    Mirrored,
    Move,
    Special,
    Transition,
)
from gelenk.robots.nao.motion.text import (
    check_motion_file,
    check_motions,
    load_motions,
    parse_motions,
    shipped_motions,
)
from gelenk.robots.nao.motion.tokens import MotionFileError
from robots.nao.motion.sample_motions import ENTRY, with_body

ZEROS = " ".join(["0"] * 22)
PERCENT = " ".join(["50"] * 22)

# The layout of the motion file in Kastner 2014, listing 4.1, with other angles.
CALIBRATION = """\
motions
{
  label start
  transition calibrateLeft calibrateLeft start
  transition calibrateRight calibrateRight start
  transition motions start
}

calibrateLeft
{
  label start
  hardness(70 70 20 20 20 20 20 20 20 20 75 75 75 75 75 75 75 75 75 75 75 75) 100
  (0 0  -90 10 0 -5  -90 10 0 -5   0 0 -40 60 -20 0   0 -20 0 0 0 0) 3000 0  // base
  (LHipYawPitch -20, LHipRoll 5, LHipPitch -60, LKneePitch 70, LAnklePitch -25, LAnkleRoll 8) 2000 0 milestone p01
  {LHipPitch -10 LKneePitch 15 LAnkleRoll -12} 1500 0 milestone p02
  (0 0  -90 10 0 -5  -90 10 0 -5   0 0 -40 60 -20 0   0 -20 0 0 0 0) 3000 0 end
  transition motions start
}

calibrateRight | calibrateLeft
{
  label start
  transition motions start
}
"""


def lines_of(text: str):
    return parse_motions(text).definitions[1].lines


def problems_of(text: str) -> list[str]:
    """Return `line:column text` of each problem."""
    return [
        f"{problem.place.line}:{problem.place.column} {problem.text}"
        for problem in check_motions(text)
    ]


def only_problem(text: str) -> str:
    found = problems_of(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.capability("CA-58")
def test_a_file_is_read_as_it_is_written() -> None:
    entry, left, right = parse_motions(CALIBRATION).definitions

    assert [d.name for d in (entry, left, right)] == [
        "motions",
        "calibrateLeft",
        "calibrateRight",
    ]
    assert entry.lines == (
        Label(name="start"),
        Transition(request="calibrateLeft", motion="calibrateLeft", label="start"),
        Transition(request="calibrateRight", motion="calibrateRight", label="start"),
        Transition(motion="motions", label="start"),
    )
    label, hardness, base, first, second, last, goal = left.lines
    assert label == Label(name="start")
    assert isinstance(hardness, Hardness)
    assert hardness.values[:3] == (70, 70, 20)
    assert hardness.duration_ms == 100
    assert isinstance(base, Move)
    assert dict(base.values)["LKneePitch"] == 60.0
    assert dict(base.values)["RHipRoll"] == -20.0
    assert (base.form, base.duration_ms, base.token) == ("complete", 3000, "")
    assert isinstance(first, Move)
    assert (first.form, first.is_milestone, first.token) == ("absolute", True, "p01")
    assert first.values[0] == ("LHipYawPitch", -20.0)
    assert isinstance(second, Move)
    assert second.form == "relative"
    assert second.values == (
        ("LHipPitch", -10.0),
        ("LKneePitch", 15.0),
        ("LAnkleRoll", -12.0),
    )
    assert isinstance(last, Move)
    assert last.token == "end"
    assert goal == Transition(motion="motions", label="start")
    assert right == Mirrored(
        name="calibrateRight",
        source="calibrateLeft",
        lines=(Label(name="start"), Transition(motion="motions", label="start")),
    )
    assert check_motions(CALIBRATION) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"({ZEROS}) 10 20", {"duration_ms": 10, "max_speed": 20}),
        (f"({ZEROS.replace(' ', ',')}) +10 +0 token", {"token": "token"}),
        ("(HeadYaw 1.5)", {"values": (("HeadYaw", 1.5),), "duration_ms": 0}),
        ("(HeadYaw-1.5,HeadPitch+2.)0 0", {"values": (("HeadYaw", -1.5), ("HeadPitch", 2.0))}),
        ("{RKneePitch 007 } 1 2 milestone", {"is_milestone": True, "token": ""}),
        ("{RKneePitch -0 } 1 2 milestone m1", {"is_milestone": True, "token": "m1"}),
    ],
)  # fmt: skip
def test_every_kind_of_line_of_angles_is_read(line: str, expected) -> None:
    move = lines_of(with_body(line))[1]

    assert isinstance(move, Move)
    assert {key: getattr(move, key) for key in expected} == expected


def test_stars_keep_and_hashes_switch_off() -> None:
    move = lines_of(with_body("(* # " + "0 " * 20 + ") 0 0"))[1]

    assert isinstance(move, Move)
    assert move.values[:3] == (
        ("HeadYaw", Special.KEEP),
        ("HeadPitch", Special.OFF),
        ("LShoulderPitch", 0.0),
    )
    assert tuple(joint for joint, _ in move.values) == BODY_JOINTS


def test_layout_does_not_matter() -> None:
    dense = " ".join(
        line.partition("//")[0].strip() for line in CALIBRATION.splitlines()
    )
    expected = parse_motions(CALIBRATION)

    assert parse_motions(dense) == expected
    assert parse_motions(CALIBRATION.replace("\n", "\r\n")) == expected
    assert parse_motions("\ufeff" + CALIBRATION.replace("\n", "\r")) == expected


@pytest.mark.capability("CA-58")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("lable x", "11:3 expected `label`, `transition`, `hardness`, `(`, `{` or `}`, got `lable`; did you mean label?"),
        ("label 7", "11:9 expected the name of a label, got `7`"),
        ("label milestone", "11:9 expected the name of a label, got `milestone`; keywords and joints cannot be names"),
        ("label a_b", "11:9 expected the name of a label, got `a_b`; names have letters and digits only, and no accents"),
        ("transition go", "12:3 expected a motion or a label, got `transition`; keywords and joints cannot be names"),
        ("(0 0 0) 100 0", "11:9 expected 22 angles, one for each joint from HeadYaw to RAnkleRoll, got 3"),
        (f"({ZEROS} 0) 100 0", "11:49 expected 22 angles, one for each joint from HeadYaw to RAnkleRoll, got 23"),
        (f"({ZEROS})", "12:3 expected a duration [ms], got `transition`"),
        (f"({ZEROS}) 100", "12:3 expected a largest speed [deg/s], got `transition`"),
        (f"({ZEROS}) -5 0", "11:49 expected a duration [ms], a whole number of at least 0, got `-5`"),
        (f"({ZEROS}) 5.5 0", "11:49 expected a duration [ms], a whole number of at least 0, got `5.5`"),
        (f"({ZEROS}) 100ms 0", "11:49 expected a duration [ms], got `100ms`; a number has digits and at most one point, and a blank after it"),
        (f"({ZEROS}) 99999999 0", "11:49 expected a duration [ms], at most 600000, got `99999999`"),
        ("(HeadYaw 0) milestone", "11:15 expected duration and speed before `milestone`, got `milestone`; write `0 0 milestone`"),
        ("(HeadYow 3) 1 1", "11:4 expected the name of a joint, got `HeadYow`; did you mean HeadYaw?"),
        ("(headyaw 3) 1 1", "11:4 expected the name of a joint, got `headyaw`; did you mean HeadYaw?"),
        ("(HeadYaw) 1 1", "11:11 expected an angle [deg] for HeadYaw, got `)`"),
        ("(HeadYaw 1 HeadYaw 2) 1 1", "11:14 expected each joint once in a line, got HeadYaw again; remove one of them"),
        ("(HeadYaw 1,, HeadPitch 2) 1 1", "11:14 expected another value after the comma, got `,`"),
        ("(HeadYaw 361) 1 1", "11:12 expected an angle between -360 and 360 degrees, got `361`"),
        ("(HeadYaw *) 1 1", "11:12 expected an angle [deg] for HeadYaw, got `*`"),
        ("{HeadYaw 3}", "12:3 expected a duration [ms], got `transition`"),
        ("{} 1 1", "11:4 expected at least one joint and its angle, got `}`"),
        ("{0 0} 1 1", "11:4 expected the name of a joint, got `0`"),
        (f"hardness {PERCENT} 5", "11:12 expected `(` after `hardness`, got `50`"),
        ("hardness(50 50) 5", "11:17 expected 22 numbers, one for each joint from HeadYaw to RAnkleRoll, got 2"),
        (f"hardness(101 {PERCENT[3:]})", "11:12 expected a stiffness [%], at most 100, got `101`"),
        ("/ no comment", "11:3 expected `label`, `transition`, `hardness`, `(`, `{` or `}`, got `/`; comments begin with `//`"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_line_is_told_once_and_where(line: str, message: str) -> None:
    assert only_problem(with_body(line)) == message


@pytest.mark.capability("CA-58")
def test_all_mistakes_of_a_file_are_told() -> None:
    text = with_body(
        "(HeadYow 3) 1 1", "label x", "{LKneePitch 3 4} 1 1", "(0 0) 1", "label y"
    )

    assert [problem.split()[0] for problem in problems_of(text)] == [
        "11:4",
        "13:17",
        "14:7",
        "15:3",
    ]
    with pytest.raises(MotionFileError) as caught:
        parse_motions(text, "my.mot")
    assert isinstance(caught.value, FileFormatError)
    assert str(caught.value).count("\n") == 3
    assert "my.mot:11:4: expected the name of a joint" in str(caught.value)


@pytest.mark.capability("CA-59")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1 expected the motion `motions`, got the end of the file"),
        (CALIBRATION.replace("motions\n{", "first\n{", 1), "1:1 expected `motions` as the first motion, got `first`"),
        (ENTRY.replace("label start", "label begin"), "3:3 expected `label start` as the first line of `motions`, got label `begin`"),
        (ENTRY.replace("  label start\n", ""), "3:3 expected a label as the first line of motion `motions`; transitions lead to labels, write `label start`"),
        (ENTRY.replace("  transition motions start\n", ""), "5:1 expected a transition without a condition at the end of motion `motions`; write `transition motions start` before this brace"),
        (ENTRY.replace("transition motions start", "transition go start"), "5:3 expected `transition motions start` as the last line of `motions`, got a transition to `go start`"),
        (CALIBRATION.replace("  label start\n  hardness", "  hardness"), "11:3 expected a label as the first line of motion `calibrateLeft`; transitions lead to labels, write `label start`"),
        (CALIBRATION.replace("}\n\ncalibrateRight", "\ncalibrateRight"), "19:1 expected `}` that closes motion `calibrateLeft` of line 9, got `calibrateRight`"),
        (CALIBRATION.rstrip()[:-1], "24:1 expected `}` that closes motion `calibrateRight` of line 20, got the end of the file"),
        (CALIBRATION.replace("calibrateRight | ", "calibrateRight / "), "20:16 expected `{` after the name of motion `calibrateRight`, got `/`; comments begin with `//`"),
        (CALIBRATION.rstrip()[:-1] + "  (HeadYaw 3)\n}", "24:3 expected `label`, `transition` or `}` in a mirrored motion, got `(`; its other lines are copied"),
    ],
)  # fmt: skip
def test_definitions_begin_and_end_as_they_must(text: str, message: str) -> None:
    assert message in problems_of(text)
    assert len(problems_of(text)) == 1 or "as the first motion" in message


def test_what_is_no_text_is_refused_with_a_place(tmp_path) -> None:
    path = tmp_path / "odd.mot"
    path.write_bytes(b"motions\n{ \xff }")

    (problem,) = check_motion_file(path)

    assert (problem.place.line, problem.place.column) == (2, 3)
    assert "expected UTF-8 text, got the byte 0xff" in problem.text
    assert "control character 0x07" in problems_of("motions\n{ \a }")[0]


def test_a_missing_file_names_the_nearest_one(tmp_path) -> None:
    (tmp_path / "dance.mot").write_text(CALIBRATION)

    with pytest.raises(MotionFileError, match=r"got none; did you mean .*dance\.mot"):
        load_motions(tmp_path / "dence.mot")
    assert "got a folder" in check_motion_file(tmp_path)[0].text
    (tmp_path / "big.mot").write_text(" " * 300_000)
    assert "at most 262144 bytes" in check_motion_file(tmp_path / "big.mot")[0].text


def test_shipped_motions_have_no_problems() -> None:
    assert "stretch" in shipped_motions()
    for path in shipped_motions().values():
        assert check_motion_file(path) == []

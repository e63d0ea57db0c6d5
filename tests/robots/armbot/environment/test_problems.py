"""What is said about files that are wrong: where, what was expected, what came."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import GelenkError
from gelenk.robots.armbot.environment.problems import MAX_PROBLEMS, EnvironmentFileError
from gelenk.robots.armbot.environment.read import parse_environment
from robots.armbot.environment.sample_files import TWO_ARMS, problems_of

BALL = "BALL 1 2 3 4 0.5 0.5 FF0000\n"
STEP = "STEP 10 FF0000\n"

# One mistake each: the file, where it is reported, and words of the message.
ONE_MISTAKE = [
    # Words that should be directives.
    ("BAL 1 2 3 4 0.5 0.5 FF0000", "1:1", "got `BAL`; did you mean BALL?"),
    ("ball 1 2 3 4 0.5 0.5 FF0000", "1:1", "directives are upper-case: BALL"),
    ("BALL1 1 2 3 4 0.5 0.5 FF0000", "1:1", "BALL has no number"),
    ("ROBOT12 0 0 0", "1:1", "robots have the numbers 0 to 9"),
    (BALL + "  7", "2:3", "expected a directive, got `7`"),
    ("ROBOT 1 0 0 45", "1:13", "glued to the keyword, as in ROBOT1"),
    ("RECT 0 0 1 1", "1:1", "RECT stands only inside BOTTOMPAINT, STEP,"),
    ("ENDSTEP", "1:1", "without a STEP before it"),
    ("hello, this is prose\nover two lines", "1:1", "got `hello,`"),
    ("CONFG0 pick BALL 3", "1:1", "did you mean CONFIG?"),
    ("NUMBR N 5\nROBOT N N N", "1:1", "did you mean NUMBER?"),
    # Parameters missing, superfluous, misread.
    ("BALL 60 0 35 5 0.3 FF0000\n" + BALL, "1:1", "got 6 before `BALL` in line 2"),
    (BALL + "BALL 1 2\n3", "2:1", "got 3 before the end of the file; <rad> is missing"),
    ("BALL 1 2 3 4 5 0.5 0.5 FF0000", "1:1", "expected 7 parameters of BALL, got 8"),
    ("BALL 6O 0 35 5 0.3 0.5 FF0000", "1:7", "BALL <cx>: expected +, -, * or /"),
    ("BALL é 0 35 5 0.3 0.5 FF0000", "1:6", "expected a length from -100000 to 100000"),
    ("BALL 1 2 3 4 0.5 0.5 F00", "1:22", "6 hex digits RRGGBB, got `F00`"),
    ("BALL 1 2 3 4 0.5 0.5 #FF0000", "1:22", "leave the prefix out"),
    ("NUMBER N 5\nROBOT N + 1 0 45", "2:1", "an expression has no blanks inside"),
    ("TILE 0 ~ 2 0 FF0000", "1:1", "an expression has no blanks inside"),
    ("CONTROLLER 0 a.B", "1:1", "a robot's number is glued to the keyword"),
    ("CONTROLLER a-b", "1:12", "expected a class: package.Class or file.py:Class"),
    ("SLOPE 1 2 X FF0000 RECT 0 0 1 1 ENDSLOPE", "1:11", "x or y, got `X`; write x"),
    # Names.
    ("NUMBER WIDTH 5\nROBOT WIDHT WIDHT 0", "2:7", "did you mean WIDTH?"),
    ("ROBOT N 0 0\nNUMBER N 5", "1:7", "defined above, got `N`"),
    ("NUMBER N 5\nSTRING N text", "2:1", "got `N`, which line 1 defines"),
    ("NUMBER BALL 5", "1:8", "got the keyword `BALL`; choose another"),
    ("NUMBER 5 5", "1:8", "expected a new name"),
    ("NUMBER N 12O\nROBOT N N N\nCONFIG _D{N}_", "1:12", "NUMBER <value>: expected"),
    ("NUMBER N\nROBOT N N N", "1:1", "NUMBER is incomplete"),
    ("NUMBER N 12O\nBORDER N 0 1 1", "1:12", "NUMBER <value>: expected"),
    ("MULTIROBOT X\nROBOT1 0 0 0", "1:12", "got `X`"),
    ("BAL 1 2", "1:1", "did you mean BALL?"),
    ("STRING S a\nNUMBER N S", "2:10", "which is a STRING"),
    ("NUMBER N 1\nCONFIG a_S{N}_", "2:12", "which is a NUMBER; write _D{N}_ or _I{N}_"),
    ("CONFIG a=_S{foo}_", "1:13", "name of a STRING defined above, got `foo`"),
    ("CONFIG a=_I{1 + 1}_", "1:14", "an expression has no blanks inside"),
    ("CONFIG a=_I{1+1", "1:10", "expected a closing }_ for this value"),
    ("CONFIG a /* c */ b_I{1/0}_", "1:8", "division by zero"),
    # Numbers that are none.
    ("NUMBER N 1e308*10", "1:15", "below 1e308"),
    ("NUMBER N 1e999", "1:10", "below 1e308"),
    ("NUMBER N 1/0", "1:11", "division by zero"),
    ("NUMBER N nan", "1:10", "got `nan`"),
    ("ROBOT 1e7 0 0", "1:7", "from -100000 to 100000 cm, got 1e+07"),
    ("MULTIROBOT 2.5", "1:12", "a whole number, got 2.5"),
    ("TILE 0~1e300 0 FF0000", "1:8", "from 0 to 2147483647"),
    ("TILE 3~1 0 FF0000", "1:6", "from <= to, got 3~1; swap them"),
    ("TILE -1 0 FF0000", "1:6", "got -1"),
    # Plans.
    (STEP + "RECT 0 0 10 ENDSTEP", "2:1", "expected 4 parameters of RECT"),
    (STEP + "RECT 0 0 1 1 1 ENDSTEP", "2:1", "(<centrex> <centrey> <sizex> <sizey>), got 5"),
    (STEP + "RECT 0 0 10 10 ENDSTP\n" + BALL, "2:16", "expected ENDSTEP"),
    (STEP + "RECT 0 0 10 10\nENSDTEP\n" + BALL, "3:1", "expected ENDSTEP"),
    (STEP + "RECT 0 0 10 10\n" + BALL, "1:1", "expected ENDSTEP at the end of STEP"),
    (STEP + "RECT 0 0 10 10 ENDSLICE", "2:16", "expected ENDSTEP"),
    (STEP + "RCT 0 0 10 10 ENDSTEP", "2:1", "got `RCT`; did you mean RECT?"),
    (STEP + "ENDSTEP", "1:1", "expected RECT, CIRCLE or POLY in STEP"),
    (STEP + "RECT 0 0 1 1 RECT 0 0 2 2 ENDSTEP", "2:14", "expected ENDSTEP"),
    ("STEP 10 RECT 0 0 1 1 ENDSTEP", "1:1", "expected 2 parameters of STEP, got 1"),
    ("STEP 10 20 FF0000 RECT 0 0 1 1 ENDSTEP", "1:1", "2 parameters of STEP, got 3"),
    ("SLOPE 1 2 x FF0000 CIRCLE 0 0 9 ENDSLOPE", "1:20", "RECT or POLY in SLOPE"),
    (STEP + "POLY 1e9 0 0 ENDSTEP", "2:6", "POLY <n>: expected a count of corners from 3"),
    (STEP + "POLY 2 0 0 1 1 ENDSTEP", "2:6", "from 3 to 200, got 2"),
    (STEP + "POLY 4 0 0 1 0 1 1 ENDSTEP", "2:1", "expected 9 parameters of POLY"),
    (STEP + "POLY ENDSTEP", "2:1", "expected 1 parameter of POLY (<n>), got 0"),
    (STEP + "POLY 4 0 0 10 10 10 0 0 10 ENDSTEP", "2:1", "from corner 1 and from corner 3"),
    (STEP + "POLY 3 0 0 1 1 2 2 ENDSTEP", "2:1", "expected a polygon"),
    (STEP + "POLY 4 0 0 9e4 0 9e4 .001 0 .001 ENDSTEP", "2:1", "got a line"),
    # What contradicts.
    ("BORDER 1 1 1 2", "1:1", "expected minx below maxx in BORDER, got 1 and 1 cm"),
    ("BORDER 1 2 2 1", "1:1", "expected miny below maxy"),
    ("BALL 1 2 3 0 0.5 0.5 FF0000", "1:12", "a size from 0.01 to 100000 cm, got 0"),
    ("CUBOID 1 2 3 4 -4 4 FF0000", "1:16", "got -4"),
    ("BALL 1 2 3 4 1.1 0.5 FF0000", "1:14", "<resistance>: expected a share from 0 to 1"),
    ("BALL 1 2 3 4 0.5 -0.1 FF0000", "1:18", "<bounce>: expected a share"),
    ("SLICE 20 10 FF0000 RECT 0 0 1 1 ENDSLICE", "1:1", "got 10 cm below 20 cm"),
    ("WEDGE 9 9 1 10 x FF0000 RECT 0 0 1 1 ENDWEDGE", "1:1", "got 9 cm below 10 cm"),
    ("WEDGE 9 9 10 1 x FF0000 RECT 0 0 1 1 ENDWEDGE", "1:1", "got 9 cm below 10 cm"),
    ("SLOPE 0 0 x FF0000 RECT 0 0 1 1 ENDSLOPE", "1:1", "expected SLOPE to have a height"),
    ("MULTIROBOT 2\nMULTIROBOT 3", "2:1", "line 1 has the first"),
    ("BORDER 0 0 1 1\nBORDER 0 0 1 1", "2:1", "expected one BORDER"),
    ("TPCONFIG a\nTPCONFIG b", "2:1", "expected one TPCONFIG"),
    ("TRIGGERPROCESSOR 5 a.B\nTRIGGERPROCESSOR 6 a.B", "2:1", "expected one TRIGGERPR"),
    ("ROBOT 0 0 0\nROBOT0 0 0 0", "2:1", "expected one ROBOT of robot 0"),
    ("CONTROLLER a.B\nCONTROLLER a.B", "2:1", "expected one CONTROLLER"),
    ("MANIPULATOR a.B\nMANIPULATOR a.B", "2:1", "expected one MANIPULATOR"),
    ("GRIPPER a.B\nGRIPPER a.B", "2:1", "expected one GRIPPER"),
    ("CONFIG a\nCONFIG b", "2:1", "expected one CONFIG"),
    ("MULTIROBOT 2\nROBOT2 0 0 0\nCONFIG2 a", "2:1", "write MULTIROBOT 3 or more"),
    ("DEBUGNAME a\nNUMBER N 5", "1:1", "directly after DEBUGNAME, got NUMBER in line 2"),
    ("DEBUGNAME a\nDEBUGNAME b\n" + BALL, "1:1", "got DEBUGNAME in line 2"),
    ("DEBUGNAME\n" + BALL, "1:1", "DEBUGNAME is incomplete"),
    (BALL + "DEBUGNAME a", "2:1", "got the end of the file"),
    ("DEBUGNAME a\nBAL 1 2 3 4 .5 .5 FF0000", "2:1", "did you mean BALL?"),
    ("DEBUGNAME a\nQWERTZ 1 2 3", "2:1", "got `QWERTZ`"),
    ("DEBUGNAME a/b " + BALL, "1:11", "without blanks and `/`, got `a/b`; write _"),
    ("MASS 5\nSPHERE 0 0 0 1 FF0000", "1:1", "BALL, CUBOID or CYLINDER directly after"),
    ("MASS 0\n" + BALL, "1:6", "a mass from 1e-06"),
    # Triggers.
    ("TRIGGER BALLENTRS 9 a 1 2 3 4 *", "1:9", "did you mean BALLENTERS?"),
    ("TRIGGER 9 a 1 2 3 4 *", "1:9", "expected BALLENTERS, CUBOIDENTERS"),
    ("TRIGGER\n" + BALL, "1:1", "after TRIGGER, got `BALL` in line 2"),
    ("TRIGGER BALLENTERS -2 a 1 2 3 4 *", "1:20", "-1: all controllers"),
    ("TRIGGER BALLENTERS 1.5 a 1 2 3 4 *", "1:20", "a whole number"),
    ("TRIGGER BALLBARRIER 1 a 1 2 1 2 4 *", "1:1", "expected two different points"),
    ("CONVEYOR 2 GO 5 5 x 2 5 404040 RECT 0 0 1 1 ENDCONVEYOR", "1:12", "RUN or STOP"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message"), ONE_MISTAKE)
def test_one_mistake_gives_one_message_at_its_place(
    text: str, place: str, message: str
) -> None:
    (problem,) = problems_of(text)

    assert problem.startswith(f"{place}: ")
    assert message in problem


@pytest.mark.capability("AB-59")
def test_a_polygon_of_the_wrong_count_is_refused() -> None:
    for count, points in ((2, "0 0 1 1"), (4, "0 0 1 0 1 1"), (3, "0 0 1 0 1 1 0 1")):
        assert len(problems_of(f"{STEP}POLY {count} {points} ENDSTEP")) == 1


@pytest.mark.capability("AB-62")
@pytest.mark.parametrize(
    "head",
    ["SLOPE 0 9 x", "WEDGE 8 9 0 0 y", "CONVEYOR 1 RUN 5 5 x 9 0"],
)
def test_what_slants_has_no_circle_as_plan(head: str) -> None:
    (problem,) = problems_of(f"{head} FF0000 CIRCLE 0 0 9 END{head.split()[0]}")

    assert "expected RECT or POLY" in problem
    assert "got CIRCLE" in problem


def test_all_mistakes_of_a_file_are_told_at_once_in_their_order() -> None:
    text = (
        "BORDER 5 0 1 1\n"
        "BALL 6O 0 3S 5 0.3 0.5 FF0000\n"
        "STEP 10 FF0000 RECT 0 0 10 ENDSTEP\n"
        "CUBOD 1 2 3 4 4 4 00FF00\n"
        "FOO 1\n"
        "BAR 2\n"
        "CONFIG _S{NAME}_\n"
        "DEBUGNAME end\n"
    )

    with pytest.raises(EnvironmentFileError) as caught:
        parse_environment(text, "cell.env")

    error = caught.value
    places = [(p.place.line, p.place.column) for p in error.problems]
    assert places == [
        (1, 1), (2, 7), (2, 12), (3, 16), (4, 1), (5, 1), (6, 1), (7, 11), (8, 1),
    ]  # fmt: skip
    assert str(error).splitlines() == [str(problem) for problem in error.problems]
    assert str(error).startswith("cell.env:1:1: expected minx below maxx")
    assert isinstance(error, GelenkError)


def test_many_problems_are_listed_up_to_a_limit_and_counted() -> None:
    with pytest.raises(EnvironmentFileError) as caught:
        parse_environment("BALL 1 2 3 4 0.5 7 FF0000\n" * (MAX_PROBLEMS + 23))

    assert len(caught.value.problems) == MAX_PROBLEMS
    assert caught.value.num_more == 23
    assert str(caught.value).endswith("\n... and 23 more problems")


@given(data=st.data())
def test_a_missing_word_is_one_or_two_problems_near_it(data: st.DataObject) -> None:
    """Without one word a file is at most twice wrong: the word may have been a keyword."""
    words = TWO_ARMS.split("\n", 1)[1].replace("\n", " \n ").split(" ")
    at = data.draw(st.integers(0, len(words) - 1).filter(lambda i: words[i].strip()))
    line = sum(word == "\n" for word in words[:at]) + 1

    problems = problems_of(" ".join(words[:at] + words[at + 1 :]))

    assert len(problems) <= 2
    for problem in problems[:1]:
        owner_is_above = line - int(problem.split(":")[0])
        assert owner_is_above <= 2

"""The command line: every option, robot numbers, values, and mistakes told at once."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.robots.armbot.option_table import HELP, OPTIONS
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.robots.armbot.options import (
    Options,
    Selector,
    SelectorKind,
    parse_options,
)
from gelenk.robots.armbot.problems import ProblemsError
from gelenk.robots.armbot.skills import Skills
from gelenk.runtime.clock import Pacer


def problems_of(*argv: str) -> tuple[str, ...]:
    """Return what is wrong with a command line."""
    with pytest.raises(ProblemsError) as caught:
        parse_options(argv)
    return caught.value.problems


def test_an_empty_command_line_has_the_defaults() -> None:
    options = parse_options([])

    assert options == Options()
    assert options.environment is None
    assert options.ik == "pref"
    assert options.skills == Skills(direct=True, inverse=True)
    assert options.render == "native"
    assert options.pace == 1.0


# -- robot numbers -----------------------------------------------------------------


@pytest.mark.capability("AB-115")
@pytest.mark.parametrize("name", ["-c", "-man", "-gri"])
@pytest.mark.parametrize(
    ("numbers", "kind", "expected"),
    [
        ("", "default", ()),
        ("5", "one", (5,)),
        ("1-3", "range", (1, 2, 3)),
        ("0-9", "range", tuple(range(10))),
        ("4-4", "range", (4,)),
        ("2357", "list", (2, 3, 5, 7)),
        ("72", "list", (7, 2)),
        ("22", "list", (2,)),
    ],
)
def test_several_robots_can_be_named(
    name: str, numbers: str, kind: SelectorKind, expected: tuple[int, ...]
) -> None:
    options = parse_options([f"{name}{numbers}", "my.Class"])

    field = {"-c": "controllers", "-man": "manipulators", "-gri": "grippers"}[name]
    (choice,) = getattr(options, field)
    assert choice.selector == Selector(kind=kind, numbers=expected)
    assert choice.given.text == "my.Class"
    assert str(choice.given.place) == f"command line, option 1 ({name}{numbers})"


@pytest.mark.capability("AB-115")
@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("-c3-1", "from the smaller to the larger number, got 3-1; say -c1-3"),
        ("-c1-", "a digit, a range or several digits"),
        ("-man1-23", "a digit, a range or several digits"),
        ("-gri1,2", "a digit, a range or several digits"),
        ("-cfg12", "one digit, as in -cfg5, got '12'"),
        ("-robot1-3", "one digit, as in -robot5, got '1-3'"),
        ("-ik2", "-ik takes no robot number, got '2'"),
        ("-c٣", "no option '-c٣'"),
    ],
)
def test_impossible_robot_numbers_are_refused(word: str, part: str) -> None:
    (problem,) = problems_of(word, "value")

    assert problem.startswith(f"command line, option 1 ({word}): ")
    assert part in problem


# -- values ------------------------------------------------------------------------


def test_options_that_begin_alike_are_told_apart() -> None:
    line = "-c C -cfg text -tp 5:P -tpcfg more -render fx -renderms 40 -renderflags TF"

    options = parse_options(line.split())

    assert options.controllers[0].given.text == "C"
    assert options.configs[0].given.text == "text"
    assert options.processor is not None
    assert (options.processor.number, options.processor.name.text) == (5, "P")
    assert options.processor_config is not None
    assert options.processor_config.text == "more"
    assert options.render == "fx"
    assert options.render_period == pytest.approx(0.04, rel=1e-15)
    assert options.render_flags == RenderFlags(moving=True)


@given(value=st.text(max_size=20))
def test_the_word_after_an_option_is_always_its_value(value: str) -> None:
    options = parse_options(["-cfg3", value, "--headless"])

    assert options.configs[0].given.text == value
    assert options.headless


@pytest.mark.capability("AB-114")
def test_skills_may_begin_with_a_minus() -> None:
    options = parse_options(["-skills", "-maninvkin"])

    assert options.skills == Skills(direct=True, inverse=False)
    (problem,) = problems_of("-skills", "-mandirkin")
    assert problem.startswith("command line, option 1 (-skills): skill maninvkin")


@pytest.mark.capability("AB-99")
@pytest.mark.parametrize("words", [("5:a.B",), ("5:", "a.B"), ("5: a.B",)])
def test_a_blank_behind_the_colon_does_no_harm(words: tuple[str, ...]) -> None:
    processor = parse_options(["-tp", *words, "--headless"]).processor

    assert processor is not None
    assert (processor.number, processor.name.text) == (5, "a.B")


@pytest.mark.parametrize("text", ["-100 50 90", "-100,50;90", " -1e2  50. +90 "])
def test_a_pose_is_given_in_centimetres_and_degrees(text: str) -> None:
    (choice,) = parse_options(["-robot", text]).poses

    assert choice.selector.kind == "default"
    assert choice.pose == pytest.approx((-1.0, 0.5, math.pi / 2), rel=1e-15)


@pytest.mark.parametrize(
    ("argv", "pace"),
    [
        (["-simtime", "50"], 2.0),
        (["-simtime", "400"], 0.25),
        (["-simtime", "0"], None),
        ([], 1.0),
        (["--headless"], None),
        (["--headless", "-simtime", "50"], 2.0),
    ],
)
def test_simtime_is_wall_time_for_100_ms(argv: list[str], pace: float | None) -> None:
    assert parse_options(argv).pace == pace


@pytest.mark.capability("AB-112")
def test_at_50_a_second_takes_half_a_second() -> None:
    now = 100.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    pace = parse_options(["-simtime", "50"]).pace
    pacer = Pacer(pace, clock=lambda: now, sleep=sleep)
    for tick in range(101):
        pacer.wait(tick / 100)

    assert now - 100.0 == pytest.approx(0.5, abs=1e-9)


def test_all_logs_are_switched_on_together() -> None:
    options = parse_options(["-logall", "-logmss", "-logdir", "out", "-lognames", "a"])

    assert options.log_threads
    assert options.log_state
    assert options.log_debug
    assert options.log_system
    assert options.log_folder == Path("out")
    assert options.log_suffix == "a"
    assert not parse_options(["-logmss"]).log_state


@pytest.mark.parametrize(
    ("option", "field"),
    [
        ("-simst", "log_threads"),
        ("-logstate", "log_state"),
        ("-logdebug", "log_debug"),
        ("-logsys", "log_system"),
        ("--headless", "headless"),
        ("--json", "json"),
    ],
)
def test_a_switch_switches_one_thing(option: str, field: str) -> None:
    options = parse_options([option])

    changed = [
        name
        for name in Options.__dataclass_fields__
        if getattr(options, name) != getattr(Options(), name)
    ]
    assert changed == [field]


def test_of_an_option_given_twice_the_later_one_counts() -> None:
    options = parse_options(["--seed", "1", "--seed", "2", "-e", "a", "-e", "b"])

    assert options.seed == 2
    assert options.environment == "b"
    assert parse_options(["--set", "a=1", "--set", "b=2"]).settings == ("a=1", "b=2")


# -- mistakes ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (["-hedless"], "no option '-hedless'; did you mean '--headless'?"),
        (["-logstates"], "did you mean '-logstate'?"),
        (["-mann3", "X"], "did you mean '-man'?"),
        (["cell.env"], "expected an option, got 'cell.env'; say -e cell.env"),
        (["-seed=3"], "no option '-seed=3'"),
        (["--seed=3"], "as a word of its own, got '--seed=3'; say --seed 3"),
        (["-e"], "expected <file> after it, got the end of the line"),
        (["-e", " "], "expected a name, got an empty text"),
        (["-ik", "jacobi"], "expected pref or closed or down or jac, got 'jacobi'"),
        (["-ik", "jacc"], "did you mean 'jac'?"),
        (["-render", "3d"], "expected native or fx"),
        (["-renderms", "fast"], "expected a number, got 'fast'"),
        (["-renderms", "-1"], "0 or more, got -1"),
        (["-renderflags", "TTTT"], "up to 3 letters"),
        (["-renderflags", "tf"], "up to 3 letters"),
        (["-simtime", "nan"], "expected a number, got 'nan'"),
        (["-simtime", "1_0"], "expected a number"),
        (["--seconds", "1e999"], "expected a number"),
        (["--seed", "1.5"], "expected a whole number"),
        (["--seed", "9" * 5000], "expected a whole number"),
        (["--seed", "-1"], "expected a whole number"),
        (["-tp", "robot.X"], "expected <number>:<class>"),
        (["-tp", "5:"], "expected <number>:<class>"),
        (["-tp", "-2:a.B"], "0 or more, got '-2'"),
        (["-robot", "1 2"], "expected x, y [cm] and an angle"),
        (["-robot", "1 2 3 4"], "expected x, y [cm] and an angle"),
        (["-robot", "1 2 north"], "expected x, y [cm] and an angle"),
        (["-lognames", "a/b"], "a part of a file name"),
        (["--set", "gravity"], "expected KEY=VALUE"),
    ],
)
def test_a_mistake_says_place_and_remedy(argv: list[str], part: str) -> None:
    (problem,) = problems_of(*argv)

    assert problem.startswith(f"command line, option 1 ({argv[0]}): ")
    assert part in problem


def test_all_mistakes_are_told_in_one_go() -> None:
    found = problems_of("-e", "a.env", "-ik", "x", "-c3-1", "X", "--sed", "4", "-e")

    places = [problem.partition(": ")[0] for problem in found]
    assert places == [
        "command line, option 2 (-ik)",
        "command line, option 3 (-c3-1)",
        "command line, option 4 (--sed)",
        "command line, option 5 (-e)",
    ]


@given(argv=st.lists(st.text(max_size=8) | st.sampled_from([o.name for o in OPTIONS])))
def test_no_command_line_is_met_with_anything_but_a_message(argv: list[str]) -> None:
    with contextlib.suppress(ProblemsError):
        assert isinstance(parse_options(argv), Options)


# -- help --------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["-?", "--help", "-h"])
def test_help_wins_over_mistakes(word: str) -> None:
    assert parse_options(["-nonsense", word, "-c3-1", "X"]).help


@pytest.mark.capability("AB-93")
def test_the_help_lists_every_option_of_the_paper() -> None:
    paper = [
        "-?",
        "-e",
        "-man",
        "-gri",
        "-ik",
        "-c",
        "-tp",
        "-tpcfg",
        "-cfg",
        "-robot",
        "-simst",
        "-logstate",
        "-logdebug",
        "-logsys",
        "-logall",
        "-logdir",
        "-lognames",
        "-render",
        "-renderms",
        "-renderflags",
        "-simtime",
        "-skills",
    ]
    first_words = {
        line.split()[0].partition("[")[0]
        for line in HELP.splitlines()
        if line.startswith("  -")
    }

    assert set(paper) <= first_words
    assert {spec.name for spec in OPTIONS} == first_words
    assert max(map(len, HELP.splitlines())) <= 88

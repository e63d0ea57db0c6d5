"""Comments, blanks, line ends and places."""

import pytest

from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.environment.tokens import Scanner
from robots.armbot.environment.sample_files import (
    ALL_SHAPES,
    TWO_ARMS,
    problems_of,
    without_places,
)


def words(text: str) -> list[str]:
    scanner = Scanner(text, "f")
    return [token.text for token in iter(scanner.take, None)]


@pytest.mark.capability("AB-41")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a // b c\nd", ["a", "d"]),
        ("a//b\nd", ["a", "d"]),
        ("a /* b\nc */ d", ["a", "d"]),
        ("a/* b */d", ["a", "d"]),
        ("a /* // */ d", ["a", "d"]),
        ("a // /* \nd", ["a", "d"]),
        ("/**/a/***/b", ["a", "b"]),
        ("1/2 3 / 4", ["1/2", "3", "/", "4"]),
        ("// only", []),
    ],
)
def test_comments_are_no_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.capability("AB-41")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("http://host/a", "http://host/a"),
        ("http://host // the host", "http://host"),
        ("// nothing", ""),
        ("a //b", "a"),
        ("  a  b  ", "a  b"),
        ("a /* note */ b", "a   b"),
        ("a /* over\nlines */ b", "a   b"),
        ("/* note */ a", "a"),
        ("a/* note */// b", "a"),
        ("a///b", "a///b"),
    ],
)
def test_in_a_text_slashes_count_after_a_blank_only(written: str, read: str) -> None:
    config = parse_environment(f"CONFIG {written}\nROBOT 0 0 0").robots[0].config

    assert config is not None
    assert config.text == read


@pytest.mark.capability("AB-41")
def test_an_open_comment_is_one_problem_at_its_beginning() -> None:
    (problem,) = problems_of("BORDER -1 -1\n  /* 1 1\nBALL")

    assert problem.startswith("2:3: expected a `*/`")


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n\n", "\n\t", " \n"])
@pytest.mark.parametrize("text", [TWO_ARMS, ALL_SHAPES])
def test_lines_may_end_in_any_way(text: str, end: str) -> None:
    expected = without_places(parse_environment(text))

    other = without_places(parse_environment("\ufeff" + text.replace("\n", end)))

    assert other == expected


def test_blanks_of_any_kind_and_number_part_words() -> None:
    parts = ["BALL", "1", "2", "3", "4", "0.5", "0.5", "FF0000"]

    one_line = parse_environment(" ".join(parts))

    for blank in ("\n", "\t", "\n\n  ", " /**/ ", " // x\n", "\u00a0", "\f"):
        text = blank.join(parts)
        assert without_places(parse_environment(text)) == without_places(one_line)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("X", "1:1"),
        ("\n  X", "2:3"),
        ("\t\tX", "1:3"),
        ("\ufeffX", "1:1"),
        ("/* a\nb */ X", "2:6"),
        ("\r\n\r\n X", "3:2"),
        ("\r\r X", "3:2"),
        ("é🤖 X", "1:1"),
    ],
)
def test_places_count_from_one(text: str, place: str) -> None:
    (problem,) = problems_of(text)

    assert problem.startswith(f"{place}: expected a directive, got")


def test_a_comment_that_nests_says_so() -> None:
    (problem,) = problems_of("/* a /* b */ c */\nBORDER -1 -1 1 1\n")

    assert problem.startswith("1:14: ")
    assert problem.endswith("comments do not nest")

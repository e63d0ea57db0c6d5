"""Damaged motion files are played or refused with places, never anything else."""

import re

import numpy as np
import pytest

from gelenk.robots.nao.motion import tokens
from gelenk.robots.nao.motion.text import (
    check_motions,
    make_program,
    parse_motions,
    shipped_motions,
)
from gelenk.robots.nao.motion.tokens import MotionFileError
from gelenk.robots.nao.representations import MotionRequest
from gelenk.text_file import TextFileError, decode
from robots.nao.motion.sample_motions import Player
from robots.nao.motion.test_parser import CALIBRATION
from testkit.environment_mutations import mutate

WORDS = (
    *sorted(tokens.KEYWORDS), "motions", "start", "(", ")", "{", "}", "|", ",", "*",
    "#", "0", "-1", "99999", "1.5", "1e5", "start start", "calibrateLeft", "p01", "//",
)  # fmt: skip


def damage(text: str, rng: np.random.Generator) -> bytes:
    """Return a file with a piece exchanged for another, or damaged in other ways."""
    if rng.random() < 0.5:
        return mutate(text, rng)
    pieces = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(int(rng.integers(1, 4))):
        i = int(rng.integers(len(pieces)))
        new = WORDS[int(rng.integers(len(WORDS)))]
        pieces[i] = ("", new, f"{pieces[i]} {new}", f"{new} ")[int(rng.integers(4))]
    return "".join(pieces).encode()


def is_in_file(line: int, column: int, data: bytes) -> bool:
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
    lines = re.split(r"\r\n|\r|\n", text)
    return 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1


def play(text: str) -> None:
    """Play a file for a while, asking for everything it knows."""
    program = make_program(parse_motions(text))
    player = Player(program)
    wanted = ["", *sorted(program.requests)]
    for k in range(5):
        player.request = MotionRequest(
            motion=wanted[k % len(wanted)], is_continuing=k % 2 == 0
        )
        player.tick()


@pytest.mark.slow
@pytest.mark.capability("CA-58")
def test_damaged_files_are_played_or_refused_with_places() -> None:
    rng = np.random.default_rng(7)
    texts = [CALIBRATION, shipped_motions()["stretch"].read_text()]
    loaded = refused = 0
    for number in range(2000):
        data = damage(texts[number % 2], rng)
        try:
            play(decode(data))
        except MotionFileError as error:
            refused += 1
            for problem in error.problems:
                place = problem.place
                assert is_in_file(place.line, place.column, data), (problem, data)
                assert problem.text.startswith("expected")
        except TextFileError as error:
            refused += 1
            line, column = error.line, error.column
            assert is_in_file(line, column, data), (line, column, data)
        else:
            loaded += 1
    assert loaded + refused == 2000
    assert min(loaded, refused) > 200  # both happen


@pytest.mark.parametrize(
    "text",
    [
        "( " * 20_000,
        "{ " * 20_000,
        "motions { " + "label a " * 9_000,
        "foo bar baz\n" * 4_000,
        "motions {" + "x{" * 12_000,
        "//" * 60_000,
        "9" * 100_000,
        "a" * 100_000 + "|",
        CALIBRATION + "b { label start " + "transition motions start " * 5000 + "}",
        "motions { label start " + "".join(f"transition r{i} motions start " for i in range(400)) + "transition motions start }",
        "motions { label start " + "(HeadYaw 3" * 10_000,
    ],
)  # fmt: skip
def test_absurd_files_end_with_a_message(text: str) -> None:
    problems = check_motions(text)

    assert problems
    assert len(problems) <= 100
    assert all(len(problem.text) < 300 for problem in problems)

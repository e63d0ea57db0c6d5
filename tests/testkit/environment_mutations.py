"""Damage to environment files, and what their reader makes of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.robots.armbot.environment import grammar
from gelenk.robots.armbot.environment.description import Place
from gelenk.robots.armbot.environment.problems import EnvironmentFileError
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.text_file import TextFileError, decode

ODD_NUMBERS = (
    "0", "-0", "-1", "1e9", "1e308", "1e308*10", "1e999", "-1e5", "1e-320", "nan",
    "inf", "-inf", "1/0", "0/0", "1e400-1e400", "5/2", "010", "0x10", "1_000", "1,5",
    ".5", "5.", ".", "1e", "--1", "+1", "1+", "(1", "1)", "()", "2**9**9", "9" * 400,
    "\u0663", "1~2", "~", "3~1", "0~2147483647", "0~1e9", "UNKNOWN", "*", "404040",
    "FF00FF", "x", "RUN",
)  # fmt: skip
ODD_WORDS = (
    *grammar.KEYWORDS, *grammar.VARIANTS, *grammar.ENDS, *grammar.PLANS, "RUN", "STOP",
    "*", "*/", "/*", "//", "_I{1+1}_", "_S{X}_", "_D{1/0}_", "_I{", "_S{}_",
    "_I{1e300}_", "_D{(((1)))}_", "ground", "robot0", "\ufeff", "é", "🤖", "\u00a0",
    "\u2028", "\x00",
)  # fmt: skip
ODD_CHARACTERS = "/*_{}~+-().,;:#\"' \n\r\t0AZaz\ufeff\x00\x85\u00a0\u2028é🤖"

_PIECE = re.compile(r"\S+|\s+")
_NUMBER = re.compile(r"(?<!\S)-?[0-9][0-9.]*(?!\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzResult:
    """What became of damaged files.

    Attributes:
        loaded: Read without a complaint.
        refused: Refused, every problem with a place in the file.
        unlocated: Refused with a problem whose place is not in the file.
        crashed: Ended in another exception.
        slowest_s: Longest time that one file took [s].
        first_failure: The first file that crashed or has no places, and what came.
    """

    loaded: int
    refused: int
    unlocated: int
    crashed: int
    slowest_s: float
    first_failure: str = ""


def fuzz(count: int, seed: int, texts: Sequence[str]) -> FuzzResult:
    """Read `count` damaged copies of the texts.

    Args:
        count: Number of files.
        seed: The same seed gives the same files.
        texts: Complete environment files.
    """
    rng = np.random.default_rng(seed)
    tally: dict[str, int] = {"loaded": 0, "refused": 0, "unlocated": 0, "crashed": 0}
    slowest, first_failure = 0.0, ""
    for number in range(count):
        data = mutate(texts[number % len(texts)], rng)
        start = time.perf_counter()
        outcome, what = try_to_read(data)
        slowest = max(slowest, time.perf_counter() - start)
        tally[outcome] += 1
        if outcome in ("unlocated", "crashed") and not first_failure:
            first_failure = f"file {number}: {what}\n{data!r}"
    return FuzzResult(**tally, slowest_s=slowest, first_failure=first_failure)


def try_to_read(data: bytes) -> tuple[str, str]:
    """Return "loaded", "refused", "unlocated" or "crashed", and the message if any."""
    try:
        parse_environment(decode(data), "mutant")
    except EnvironmentFileError as error:
        is_located = all(is_in_file(p.place, data) for p in error.problems)
        return "refused" if is_located and error.problems else "unlocated", str(error)
    except TextFileError as error:
        is_located = is_in_file(Place("mutant", error.line, error.column), data)
        return "refused" if is_located else "unlocated", error.problem
    except Exception as error:
        return "crashed", repr(error)
    return "loaded", ""


def is_in_file(place: Place, data: bytes) -> bool:
    """Return whether a file has this line and column; one past the end counts."""
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
    lines = re.split(r"\r\n|\r|\n", text)
    if not 1 <= place.line <= len(lines):
        return False
    return 1 <= place.column <= len(lines[place.line - 1]) + 1


def mutate(text: str, rng: np.random.Generator) -> bytes:
    """Return the bytes of a file after one to three pieces of damage, mostly one."""
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        text = MUTATIONS[rng.integers(len(MUTATIONS))](text, rng)
    data = text.encode("utf-8", errors="replace")
    if rng.random() < 0.05:
        return flip_bytes(data, rng)
    return data


def flip_bytes(data: bytes, rng: np.random.Generator) -> bytes:
    """Change up to five bits."""
    changed = bytearray(data)
    for _ in range(int(rng.integers(1, 6))):
        if changed:
            changed[rng.integers(len(changed))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _delete_word(text: str, rng: np.random.Generator) -> str:
    return _change_word(text, rng, lambda _: "")


def _double_word(text: str, rng: np.random.Generator) -> str:
    return _change_word(text, rng, lambda word: f"{word} {word}")


def _replace_word(text: str, rng: np.random.Generator) -> str:
    return _change_word(text, rng, lambda _: _pick(ODD_WORDS, rng))


def _insert_word(text: str, rng: np.random.Generator) -> str:
    return _change_word(text, rng, lambda word: f"{word} {_pick(ODD_WORDS, rng)}")


def _swap_words(text: str, rng: np.random.Generator) -> str:
    pieces = _PIECE.findall(text)
    words = [i for i, piece in enumerate(pieces) if not piece.isspace()]
    if len(words) > 1:
        i, j = (words[int(k)] for k in rng.choice(len(words), 2, replace=False))
        pieces[i], pieces[j] = pieces[j], pieces[i]
    return "".join(pieces)


def _change_number(text: str, rng: np.random.Generator) -> str:
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return text
    number = numbers[rng.integers(len(numbers))]
    return text[: number.start()] + _pick(ODD_NUMBERS, rng) + text[number.end() :]


def _change_characters(text: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(len(text) + 1))
    inserted = "".join(_pick(ODD_CHARACTERS, rng) for _ in range(rng.integers(3)))
    return text[:at] + inserted + text[at + int(rng.integers(4)) :]


def _misspell(text: str, rng: np.random.Generator) -> str:
    def change(word: str) -> str:
        at = int(rng.integers(len(word)))
        return _pick(
            (
                word[:at] + word[at + 1 :],
                word[:at] + word[at] + word[at:],
                word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :],
                word[:at] + "X" + word[at + 1 :],
                word.lower(),
                f"{word}1",
            ),
            rng,
        )

    return _change_word(text, rng, change)


def _shuffle_lines(text: str, rng: np.random.Generator) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(lines[int(i)] for i in rng.permutation(len(lines)))


def _move_line(text: str, rng: np.random.Generator) -> str:
    lines = text.splitlines(keepends=True) or [""]
    line = lines.pop(int(rng.integers(len(lines))))
    lines.insert(int(rng.integers(len(lines) + 1)), line)
    return "".join(lines)


def _cut(text: str, rng: np.random.Generator) -> str:
    return text[: rng.integers(len(text) + 1)]


def _end_lines_otherwise(text: str, rng: np.random.Generator) -> str:
    return text.replace("\n", _pick(("\r", "\r\n", "\n\n", "\n\t", "\u2028"), rng))


def _join_lines(text: str, rng: np.random.Generator) -> str:
    lines = text.split("\n")
    at = int(rng.integers(len(lines)))
    lines[at : at + 2] = [_pick((" ", "", "\t"), rng).join(lines[at : at + 2])]
    return "\n".join(lines)


def _add_comment(text: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(len(text) + 1))
    comment = _pick(
        ("/* a /* b */ c */", "/*", "*/", "// x", "/*/", "/**/", "/* //\n*/", "//*"),
        rng,
    )
    return text[:at] + comment + text[at:]


def _grow_expression(text: str, rng: np.random.Generator) -> str:
    size = int(rng.integers(1, 3000))
    grown = _pick(
        (
            "(" * size + "1" + ")" * size,
            "-" * size + "1",
            "1" + "+1" * size,
            "1" + "*1e3" * size,
            "(" * size,
            "1" * size,
            "A" * size,
            "1/" * size,
        ),
        rng,
    )
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return f"{text} {grown}"
    number = numbers[rng.integers(len(numbers))]
    return text[: number.start()] + grown + text[number.end() :]


MUTATIONS: tuple[Callable[[str, np.random.Generator], str], ...] = (
    _delete_word,
    _double_word,
    _replace_word,
    _insert_word,
    _swap_words,
    _change_number,
    _change_number,
    _change_characters,
    _misspell,
    _shuffle_lines,
    _move_line,
    _cut,
    _end_lines_otherwise,
    _join_lines,
    _add_comment,
    _grow_expression,
)


def _change_word(
    text: str, rng: np.random.Generator, change: Callable[[str], str]
) -> str:
    pieces = _PIECE.findall(text)
    words = [i for i, piece in enumerate(pieces) if not piece.isspace()]
    if words:
        i = words[rng.integers(len(words))]
        pieces[i] = change(pieces[i])
    return "".join(pieces)


def _pick(options: Sequence[str], rng: np.random.Generator) -> str:
    return options[int(rng.integers(len(options)))]

"""Turns the words of a parameter into its value: checked, and in SI units.

This is the only place where centimetres and degrees become metres and radians.
"""

from __future__ import annotations

import math
import re
from typing import Any

from gelenk.robots.armbot.environment.expression import (
    BrokenNameError,
    ExpressionError,
    Variable,
    evaluate,
)
from gelenk.robots.armbot.environment.grammar import RESERVED, Kind, Unit
from gelenk.robots.armbot.environment.problems import (
    MAX_CANDIDATES,
    Speller,
    one_of,
    quote,
)

WHOLE_TOLERANCE = 1e-9  # 0.1*30 is meant to be 3
CM_PER_M = 100.0
MAX_TEXT = 4096  # characters of a text; strings made of strings grow fast

_COLOR = re.compile(r"[0-9A-Fa-f]{6}")
_NAME = re.compile(r"[A-Za-z_]\w*")
_CLASS_FILE = re.compile(r".+\.py:[^\W\d]\w*")
_EMBEDDED = re.compile(r"_([IDS])\{([^}]*)\}_?")
_OPENING = re.compile(r"_[IDS]\{")
_OPERATORS = "+-*/~"

NO_BLANKS = "; an expression has no blanks inside"


class ValueProblem(Exception):  # noqa: N818  # the caller reports it, it is no error yet
    """A value that its kind does not allow: what is wrong, and how far into it."""

    def __init__(self, offset: int, text: str) -> None:
        super().__init__(text)
        self.offset, self.text = offset, text


class Reader:
    """Reads values; knows the names defined so far.

    Attributes:
        variables: NUMBER and STRING by name; None where the definition was refused.
    """

    def __init__(self, speller: Speller) -> None:
        self.variables: dict[str, Variable] = {}
        self._speller = speller

    def read(self, kind: Kind, text: str) -> Any:
        """Return the value of a parameter.

        Returns:
            number: float in SI units; whole: int; range: two ints; color: RGB; filter:
            RGB or None; everything else: str.

        Raises:
            ValueProblem: If `text` is not of this kind.
            BrokenNameError: If it uses a name whose definition was refused.
        """
        match kind.form:
            case "number":
                return self._number(kind, text)
            case "whole":
                return self._whole(kind, text, 0)
            case "range":
                return self._range(kind, text)
            case "color" | "filter":
                return _read_color(kind, text)
            case "choice":
                return _read_choice(kind, text)
            case "class":
                return _read_class(kind, text)
            case "name":
                return _read_name(kind, text)
            case "label":
                return _read_label(kind, text)
            case "word" | "line":
                return self._resolve(text) if kind.embeds else text

    def _number(self, kind: Kind, text: str) -> float:
        value = self._evaluate(kind, text, 0)
        _check_limits(kind, value, text, 0)
        return si_from_file(value, kind.unit)

    def _whole(self, kind: Kind, text: str, offset: int) -> int:
        value = self._evaluate(kind, text, offset)
        _check_limits(kind, value, text, offset)
        nearest = round(value)
        if abs(value - nearest) > WHOLE_TOLERANCE * max(1.0, abs(value)):
            raise ValueProblem(
                offset,
                f"expected {kind.text}, a whole number, got {_shown(value, text)}",
            )
        return nearest

    def _range(self, kind: Kind, text: str) -> tuple[int, int]:
        first_text, tilde, last_text = text.partition("~")
        first = self._whole(kind, first_text, 0)
        if not tilde:
            return first, first
        last = self._whole(kind, last_text, len(first_text) + 1)
        if last < first:
            raise ValueProblem(
                0, f"expected a range with from <= to, got {first}~{last}; swap them"
            )
        return first, last

    def _evaluate(self, kind: Kind, text: str, offset: int) -> float:
        try:
            return evaluate(text, self.variables)
        except ExpressionError as error:
            remedy = self._remedy(text, error)
            if error.is_alien:
                expected = f"expected {describe(kind)}, got {quote(text)}"
                raise ValueProblem(offset, expected + remedy) from None
            raise ValueProblem(offset + error.offset, error.text + remedy) from None

    def _remedy(self, text: str, error: ExpressionError) -> str:
        if error.unknown:
            return self._suggest(error.unknown)
        if text and (text[0] in _OPERATORS or text[-1] in _OPERATORS):
            return NO_BLANKS
        return ""

    def _suggest(self, name: str) -> str:
        near = None
        if len(self.variables) < MAX_CANDIDATES:
            known = (one for one, value in self.variables.items() if value is not None)
            near = self._speller.nearest(name, tuple(known))
        self.variables[name] = None  # said once, not at every use
        return f"; did you mean {near}?" if near else ""

    def _resolve(self, text: str) -> str:
        """Replace the computed values in a text."""
        tail = text.rfind("}") + 1
        unclosed = _OPENING.search(text, tail)
        if unclosed is not None:
            got = quote(text[unclosed.start() :])
            raise ValueProblem(
                unclosed.start(), f"expected a closing }}_ for this value, got {got}"
            )
        pieces: list[str] = []
        length = end = 0
        for match in _EMBEDDED.finditer(text):
            pieces += [text[end : match.start()], self._embedded(match)]
            end = match.end()
            length += len(pieces[-2]) + len(pieces[-1])
            if length > MAX_TEXT:
                break
        pieces.append(text[end:])
        if length + len(pieces[-1]) > MAX_TEXT:
            raise ValueProblem(
                0, f"expected a text of at most {MAX_TEXT} characters, got a longer one"
            )
        return "".join(pieces)

    def _embedded(self, match: re.Match[str]) -> str:
        letter, inner = match[1], match[2]
        if letter == "S":
            return self._string(match.start(2), inner)
        try:
            value = evaluate(inner, self.variables)
        except ExpressionError as error:
            remedy = self._suggest(error.unknown) if error.unknown else ""
            if any(c.isspace() for c in inner):
                remedy = NO_BLANKS
            raise ValueProblem(
                match.start(2) + error.offset, error.text + remedy
            ) from None
        if letter == "D":
            return decimal_text(value)
        return str(round_half_away(value))

    def _string(self, offset: int, name: str) -> str:
        if name not in self.variables:
            raise ValueProblem(
                offset,
                f"expected the name of a STRING defined above, got {quote(name)}"
                + self._suggest(name),
            )
        value = self.variables[name]
        if isinstance(value, int | float):
            raise ValueProblem(
                offset,
                f"expected a STRING, got {quote(name)}, which is a NUMBER; write "
                f"_D{{{name}}}_ or _I{{{name}}}_",
            )
        if value is None:
            raise BrokenNameError(name)
        return value


def si_from_file(value: float, unit: Unit) -> float:
    """Return a number of the file in metres, radians, metres per second, kilograms."""
    match unit:
        case "cm" | "cm/s":
            return value / CM_PER_M
        case "degrees":
            return math.radians(value)
        case "kg" | "":
            return value


def round_half_away(value: float) -> int:
    """Return the nearest integer, halves away from zero.

    Example:
        >>> round_half_away(2.5), round_half_away(-2.5)
        (3, -3)
    """
    nearest = math.floor(abs(value))
    if abs(value) - nearest >= 0.5:
        nearest += 1
    return -nearest if value < 0.0 else nearest


def decimal_text(value: float) -> str:
    """Return the shortest text with a point that reads back as the same number.

    Example:
        >>> decimal_text(60.0)
        '60.0'
    """
    text = repr(value)
    if "e" in text and "." not in text:
        return text.replace("e", ".0e")
    return text


def describe(kind: Kind) -> str:
    """Return what a parameter must be, with unit and limits.

    Example:
        >>> from gelenk.robots.armbot.environment.grammar import KINDS
        >>> describe(KINDS["share"])
        'a share from 0 to 1'
    """
    if kind.form == "choice":
        return f"{kind.text}, {one_of(kind.choices)}"
    if kind.form not in ("number", "whole", "range") or kind.high >= 1e308:
        return kind.text
    unit = f" {kind.unit}" if kind.unit else ""
    return f"{kind.text} from {kind.low:.10g} to {kind.high:.10g}{unit}"


def _check_limits(kind: Kind, value: float, text: str, offset: int) -> None:
    if kind.low <= value <= kind.high or kind.high >= 1e308:
        return
    raise ValueProblem(offset, f"expected {describe(kind)}, got {_shown(value, text)}")


def _shown(value: float, text: str) -> str:
    """Return a value, and how it was written if that is not the same."""
    short = f"{value:.6g}"
    return short if short == text else f"{short} ({quote(text)})"


def _read_color(kind: Kind, text: str) -> tuple[int, int, int] | None:
    if kind.form == "filter" and text == "*":
        return None
    if not _COLOR.fullmatch(text):
        remedy = "; leave the prefix out" if text[:1] == "#" or text[:2] == "0x" else ""
        raise ValueProblem(0, f"expected {kind.text}, got {quote(text)}{remedy}")
    red, green, blue = bytes.fromhex(text)
    return red, green, blue


def _read_choice(kind: Kind, text: str) -> str:
    if text in kind.choices:
        return text
    near = [word for word in kind.choices if word.lower() == text.lower()]
    remedy = f"; write {near[0]}" if near else ""
    raise ValueProblem(0, f"expected {describe(kind)}, got {quote(text)}{remedy}")


def _read_class(kind: Kind, text: str) -> str:
    is_dotted = all(part.isidentifier() for part in text.split("."))
    if is_dotted or _CLASS_FILE.fullmatch(text):
        return text
    remedy = ""
    if text.isdecimal():
        remedy = "; a robot's number is glued to the keyword"
    raise ValueProblem(0, f"expected {kind.text}, got {quote(text)}{remedy}")


def _read_label(kind: Kind, text: str) -> str:
    if "/" in text:  # parts of robots are named robot/part
        raise ValueProblem(
            0, f"expected {kind.text}, got {quote(text)}; write _ for it"
        )
    return text


def _read_name(kind: Kind, text: str) -> str:
    if text in RESERVED:
        raise ValueProblem(
            0, f"expected {kind.text}, got the keyword {quote(text)}; choose another"
        )
    if not _NAME.fullmatch(text):
        raise ValueProblem(0, f"expected {kind.text}, got {quote(text)}")
    return text

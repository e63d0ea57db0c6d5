"""Arithmetic of the environment file: numbers, names, + - * / and parentheses.

Everything is computed in floating point. The text is never handed to Python.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import TypeAlias

from gelenk.robots.armbot.environment.problems import one_of, quote

MAX_LENGTH = 1000  # characters of one expression
MAX_DEPTH = 50  # parentheses within parentheses

# What a name stands for; None: its definition was refused and reported.
Variable: TypeAlias = float | str | None

_PART = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>[-+*/()])"
)


class ExpressionError(Exception):
    """An expression that has no value.

    Attributes:
        offset: Of the wrong character in the expression.
        text: What was expected and what came.
        unknown: The name that nobody has defined, if that is the reason.
        is_alien: Whether it is no expression from its first character on.
    """

    def __init__(
        self, offset: int, text: str, *, unknown: str = "", is_alien: bool = False
    ) -> None:
        super().__init__(text)
        self.offset, self.text = offset, text
        self.unknown, self.is_alien = unknown, is_alien


class BrokenNameError(Exception):
    """A name whose definition was refused; that has been reported already."""


def evaluate(text: str, variables: Mapping[str, Variable]) -> float:
    """Return the value of an expression without blanks; it is finite.

    Raises:
        ExpressionError: If it is malformed, uses an unknown name or a string, divides
            by zero, or leaves the range of floating point.
        BrokenNameError: If it uses a name whose definition was refused.

    Example:
        >>> evaluate("X*2+1", {"X": 100.0})
        201.0
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            0,
            f"expected an expression of at most {MAX_LENGTH} characters, got "
            f"{len(text)}",
        )
    return _Evaluation(text, variables).run()


class _Evaluation:
    """One walk over the parts of an expression, by recursive descent."""

    def __init__(self, text: str, variables: Mapping[str, Variable]) -> None:
        self.variables = variables
        self.length = len(text)
        self.parts: list[tuple[int, str, str]] = []  # offset, kind, text
        self.at = 0
        offset = 0
        while offset < len(text):
            match = _PART.match(text, offset)
            if match is None:
                got = quote(text[offset:])
                raise ExpressionError(
                    offset, f"expected a number, got {got}", is_alien=offset == 0
                )
            self.parts.append((offset, str(match.lastgroup), match[0]))
            offset = match.end()

    def run(self) -> float:
        value = self.sum(0)
        if self.at < len(self.parts):
            offset, kind, text = self.parts[self.at]
            if text == ")":
                raise ExpressionError(offset, "got `)` without a `(` before it")
            raise ExpressionError(
                offset,
                f"expected {one_of('+-*/')} before the {kind} {quote(text)}, got none",
            )
        return value

    def sum(self, depth: int) -> float:
        value = self.product(depth)
        while (sign := self.take("+-")) is not None:
            offset, text = sign
            other = self.product(depth)
            value = _finite(offset, value + other if text == "+" else value - other)
        return value

    def product(self, depth: int) -> float:
        value = self.factor(depth)
        while (sign := self.take("*/")) is not None:
            offset, text = sign
            other = self.factor(depth)
            if text == "/" and other == 0.0:
                raise ExpressionError(
                    offset, "expected a divisor other than 0, got a division by zero"
                )
            value = _finite(offset, value * other if text == "*" else value / other)
        return value

    def factor(self, depth: int) -> float:
        sign = 1.0
        while self.take("-") is not None:
            sign = -sign
        if self.at == len(self.parts):
            raise ExpressionError(
                self.length,
                "expected a number at the end of the expression, got none",
                is_alien=self.length == 0,
            )
        offset, kind, text = self.parts[self.at]
        self.at += 1
        if kind == "number":
            return sign * _finite(offset, float(text))
        if kind == "name":
            return sign * self.look_up(offset, text)
        if text != "(":
            raise ExpressionError(
                offset, f"expected a number, a name or `(`, got {quote(text)}"
            )
        if depth == MAX_DEPTH:
            raise ExpressionError(
                offset, f"expected at most {MAX_DEPTH} parentheses in each other"
            )
        value = self.sum(depth + 1)
        if self.take(")") is None:
            raise ExpressionError(offset, "expected a `)` for this `(`, got none")
        return sign * value

    def take(self, signs: str) -> tuple[int, str] | None:
        if self.at < len(self.parts):
            offset, kind, text = self.parts[self.at]
            if kind == "sign" and text in signs:
                self.at += 1
                return offset, text
        return None

    def look_up(self, offset: int, name: str) -> float:
        if name not in self.variables:
            raise ExpressionError(
                offset,
                f"expected a number or the name of a NUMBER defined above, got "
                f"{quote(name)}",
                unknown=name,
            )
        value = self.variables[name]
        if value is None:
            raise BrokenNameError(name)
        if isinstance(value, str):
            raise ExpressionError(
                offset, f"expected a NUMBER, got {quote(name)}, which is a STRING"
            )
        return value


def _finite(offset: int, value: float) -> float:
    if not math.isfinite(value):
        raise ExpressionError(offset, "expected a number below 1e308, got a larger one")
    return value

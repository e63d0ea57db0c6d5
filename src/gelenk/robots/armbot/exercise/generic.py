"""Mistakes that can happen in every exercise, from the units of what goes in and out.

Degrees for radians, centimetres for metres, a wrong sign, two numbers in the wrong
order, a transposed or inverted matrix. Those of an exercise itself come first; these
are tried behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np

from gelenk.robots.armbot.exercise.record import (
    Answer,
    Argument,
    Arguments,
    Function,
    Mistake,
)
from gelenk.typing import FloatArray

RANK = 50  # behind what the exercise knows itself
COLUMN_WORDS = ("first", "second", "third", "fourth", "fifth", "sixth")


def generic_mistakes(function: Function) -> tuple[Mistake, ...]:
    """Return the mistakes that the arguments and the answer of a function allow."""
    if not function.has_generic_mistakes:
        return ()
    return (*_of_arguments(function), *_of_answer(function.answer))


def _units(unit: str | tuple[str, ...], size: int) -> tuple[str, ...]:
    return (unit,) * size if isinstance(unit, str) else unit


def _has(argument: Argument, unit: str) -> bool:
    return unit in _units(argument.unit, 1)


def _of_arguments(function: Function) -> Iterator[Mistake]:
    angles = [a for a in function.arguments if _has(a, "rad")]
    if angles:
        names = ", ".join(f"`{a.name}`" for a in angles)
        yield Mistake(
            name="degrees-in",
            cause=f"{names} is in radians already, but is converted from degrees once "
            "more (`np.radians`, `np.deg2rad`, `* pi / 180`)",
            look="the first lines of the function: use the angles as they come",
            before=_scaled(angles, "rad", np.pi / 180.0),
            rank=RANK,
        )
        yield Mistake(
            name="degrees-in",
            cause=f"{names} is converted to degrees before sine and cosine are taken; "
            "NumPy's functions want radians",
            look="the arguments of `sin` and `cos`",
            before=_scaled(angles, "rad", 180.0 / np.pi),
            rank=RANK,
        )
    for argument in (a for a in function.arguments if _has(a, "m")):
        for factor, word in ((0.01, "divided by 100"), (100.0, "multiplied by 100")):
            yield Mistake(
                name="centimetres",
                cause=f"`{argument.name}` is in metres already, but is {word} as if "
                "centimetres were involved",
                look=f"where `{argument.name}` is used first",
                before=_scaled([argument], "m", factor),
                rank=RANK,
            )
    for argument in function.arguments:
        yield from _of_parts(argument)
    yield from _of_scalars(function.arguments)


def _of_parts(argument: Argument) -> Iterator[Mistake]:
    """Signs and order within one vector."""
    units = _units(argument.unit, len(argument.parts))
    for i, part in enumerate(argument.parts):
        if units[i] in ("rad", "m"):
            yield Mistake(
                name="angle-sign" if units[i] == "rad" else "argument-sign",
                cause=f"the sign of {part} is wrong: it counts in the other direction",
                look=f"every place where `{argument.name}[{i}]` is used",
                before=_with_sign(argument.name, i),
                rank=RANK + 1,
            )
    for i, k in combinations(range(len(argument.parts)), 2):
        if units[i] != units[k]:
            continue
        is_length = argument.name in ("lengths", "radii")
        yield Mistake(
            name="lengths-swapped" if is_length else "joint-order",
            cause=f"{argument.parts[i]} and {argument.parts[k]} are swapped",
            look=f"the order of `{argument.name}`: ({', '.join(argument.parts)})",
            before=_with_swapped_parts(argument.name, i, k),
            rank=RANK + 1,
        )


def _of_scalars(arguments: tuple[Argument, ...]) -> Iterator[Mistake]:
    """Signs and order of arguments that are one number each."""
    scalars = [a for a in arguments if not a.parts and a.unit in ("rad", "m")]
    for argument in scalars:
        yield Mistake(
            name="angle-sign" if argument.unit == "rad" else "argument-sign",
            cause=f"the sign of `{argument.name}` is wrong: it counts in the other "
            "direction",
            look=f"every place where `{argument.name}` is used",
            before=_with_sign(argument.name, None),
            rank=RANK + 1,
        )
    for one, other in combinations(scalars, 2):
        if one.unit == other.unit:
            yield Mistake(
                name="arguments-swapped",
                cause=f"`{one.name}` and `{other.name}` are swapped",
                look="the order of the arguments in the signature and where they are "
                "used",
                before=_with_swapped_arguments(one.name, other.name),
                rank=RANK + 1,
            )


def _of_answer(answer: Answer) -> Iterator[Mistake]:
    units = _units(answer.unit, max(1, len(answer.parts)))
    if "rad" in units:
        yield Mistake(
            name="degrees-out",
            cause="the angles are returned in degrees; radians are asked for",
            look="the `return` line (`np.degrees`, `np.rad2deg`, `* 180 / pi`)",
            undo=_rescaled(answer, "rad", np.pi / 180.0),
            rank=RANK,
        )
    if "m" in units:
        for factor, unit in ((0.01, "centimetres"), (0.001, "millimetres")):
            yield Mistake(
                name="centimetres",
                cause=f"the lengths are returned in {unit}; metres are asked for",
                look="the `return` line and the lengths",
                undo=_rescaled(answer, "m", factor),
                rank=RANK,
            )
    if len(answer.shape) == 1:
        yield from _of_vector(answer)
    if len(answer.shape) == 2:
        yield from _of_matrix(answer.shape)


def _of_vector(answer: Answer) -> Iterator[Mistake]:
    size = answer.shape[0]
    parts = answer.parts or COLUMN_WORDS[:size]
    for i, part in enumerate(parts):
        yield Mistake(
            name="component-sign",
            cause=f"{part} has the wrong sign",
            look=f"the line that computes {part}",
            undo=_signed(size, (i,)),
            rank=RANK + 2,
        )
    yield Mistake(
        name="component-sign",
        cause="the whole answer has the wrong sign",
        look="the `return` line, and the order of differences (b - a, not a - b)",
        undo=_signed(size, tuple(range(size))),
        rank=RANK + 2,
    )
    for order in permutations(range(size)):
        if size > 4 or order == tuple(range(size)):
            continue
        yield Mistake(
            name="component-order",
            cause="the components are returned in another order than "
            f"({', '.join(parts)})",
            look="the `return` line",
            undo=lambda got, _, order=order: got[..., list(order)],
            rank=RANK + 2,
        )


def _of_matrix(shape: tuple[int, ...]) -> Iterator[Mistake]:
    rows, columns = shape
    if rows == columns:
        yield Mistake(
            name="transposed",
            cause="the matrix is transposed: rows and columns are exchanged",
            look="the way the matrix is filled, and every `.T`",
            undo=lambda got, _: got.T,
            rank=RANK,
        )
        yield Mistake(
            name="inverse",
            cause="this is the inverse of the matrix that is asked for: it maps in "
            "the other direction",
            look="which frame is mapped to which",
            undo=lambda got, _: np.asarray(np.linalg.inv(got), dtype=np.float64),
            rank=RANK,
        )
    for count, word, axis in ((columns, "column", 1), (rows, "row", 0)):
        if count > len(COLUMN_WORDS):
            continue
        for i in range(count):
            yield Mistake(
                name=f"{word}-sign",
                cause=f"the {COLUMN_WORDS[i]} {word} has the wrong sign",
                look=f"the {COLUMN_WORDS[i]} {word} of the matrix",
                undo=_line_signed(axis, i),
                rank=RANK + 2,
            )
        for i, k in combinations(range(count), 2):
            yield Mistake(
                name=f"{word}s-swapped",
                cause=f"the {COLUMN_WORDS[i]} and the {COLUMN_WORDS[k]} {word} are "
                "swapped",
                look=f"the order of the {word}s",
                undo=_lines_swapped(axis, i, k),
                rank=RANK + 2,
            )


Before = Callable[[dict[str, Any]], dict[str, Any]]
Undo = Callable[[FloatArray, Arguments], FloatArray]


def _scaled(arguments: list[Argument], unit: str, factor: float) -> Before:
    def before(args: dict[str, Any]) -> dict[str, Any]:
        changed = dict(args)
        for argument in arguments:
            value = np.asarray(args[argument.name], dtype=float)
            units = _units(argument.unit, max(1, len(argument.parts)))
            scale = np.array([factor if u == unit else 1.0 for u in units])
            result = value * (scale if value.ndim == 1 else scale[0])
            changed[argument.name] = result if value.ndim else float(result)
        return changed

    return before


def _with_sign(name: str, index: int | None) -> Before:
    def before(args: dict[str, Any]) -> dict[str, Any]:
        value = np.array(args[name], dtype=float)
        if index is None:
            return args | {name: -value}
        value[..., index] *= -1.0
        return args | {name: value}

    return before


def _with_swapped_parts(name: str, i: int, k: int) -> Before:
    def before(args: dict[str, Any]) -> dict[str, Any]:
        value = np.array(args[name], dtype=float)
        value[..., [i, k]] = value[..., [k, i]]
        return args | {name: value}

    return before


def _with_swapped_arguments(one: str, other: str) -> Before:
    return lambda args: args | {one: args[other], other: args[one]}


def _rescaled(answer: Answer, unit: str, factor: float) -> Undo:
    units = _units(answer.unit, max(1, len(answer.parts)))
    scale = np.array([factor if u == unit else 1.0 for u in units])
    return lambda got, _: got * (scale if len(scale) > 1 else scale[0])


def _signed(size: int, negated: tuple[int, ...]) -> Undo:
    signs = np.ones(size)
    signs[list(negated)] = -1.0
    return lambda got, _: got * signs


def _line_signed(axis: int, index: int) -> Undo:
    def undo(got: FloatArray, _: Arguments) -> FloatArray:
        changed = got.copy()
        np.moveaxis(changed, axis, 0)[index] *= -1.0
        return changed

    return undo


def _lines_swapped(axis: int, i: int, k: int) -> Undo:
    def undo(got: FloatArray, _: Arguments) -> FloatArray:
        order = list(range(got.shape[axis]))
        order[i], order[k] = order[k], order[i]
        return np.take(got, order, axis=axis)

    return undo

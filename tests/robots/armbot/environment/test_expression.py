"""Arithmetic of the file. Oracle: the same tree computed by Python's own operators."""

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.robots.armbot.environment.expression import (
    MAX_DEPTH,
    MAX_LENGTH,
    BrokenNameError,
    ExpressionError,
    evaluate,
)

VARIABLES = {"A": 3.0, "b_2": -0.5, "Höhe": 7.25}
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}

numbers = st.floats(0.0, 1e6).map(lambda x: (repr(x), x))
names = st.sampled_from(sorted(VARIABLES.items()))


def combine(
    parts: st.SearchStrategy[tuple[str, float]],
) -> st.SearchStrategy[tuple[str, float]]:
    """Return fully parenthesised sums, differences, products and negations."""
    pairs = st.tuples(parts, st.sampled_from("+-*"), parts).map(
        lambda t: (f"({t[0][0]}{t[1]}{t[2][0]})", OPERATORS[t[1]](t[0][1], t[2][1]))
    )
    return pairs | parts.map(lambda t: (f"(-{t[0]})", -t[1]))


trees = st.recursive(numbers | names, combine, max_leaves=12)


@given(tree=trees)
def test_trees_have_the_value_that_python_computes(tree: tuple[str, float]) -> None:
    text, value = tree

    if math.isfinite(value):
        assert evaluate(text, VARIABLES) == value


@given(
    terms=st.lists(
        st.tuples(st.sampled_from("+-*/"), st.integers(1, 99)), min_size=1, max_size=8
    )
)
def test_precedence_is_that_of_arithmetic(terms: list[tuple[str, int]]) -> None:
    text = "1" + "".join(f"{sign}{number}" for sign, number in terms)

    expected = eval(text)  # digits and + - * / of our own making

    assert evaluate(text, {}) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010", 10.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("1.5E-1", 0.15),
        ("5/2", 2.5), ("--3", 3.0), ("2*-3", -6.0), ("-(A)", -3.0), ("A*2+1", 7.0),
        ("7-2-1", 4.0), ("8/2/2", 2.0), ("2+3*4", 14.0), ("(2+3)*4", 20.0), ("-2*-2", 4.0),
    ],
)  # fmt: skip
def test_examples(text: str, value: float) -> None:
    assert evaluate(text, VARIABLES) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "expected a number"), ("1+", 2, "expected a number at the end"),
        ("+1", 0, "a number, a name"), ("1_000", 1, "before the name `_000`"),
        ("0x10", 1, "before the name `x10`"), ("2**9", 2, "got `*`"),
        ("2^9", 1, "expected a number, got `^9`"), ("(1", 0, "a `)` for this `(`"),
        ("1)", 1, "got `)` without"), ("()", 1, "got `)`"), ("a(1)", 0, "got `a`"),
        ("1/0", 1, "division by zero"), ("1/(A-3)", 1, "division by zero"),
        ("0/0", 1, "division by zero"), ("1e400", 0, "below 1e308"),
        ("1+1e308*10", 7, "below 1e308"), ("nan", 0, "got `nan`"), ("inf", 0, "got `inf`"),
        ("1 + 1", 1, "expected a number, got"), ("\u0663", 0, "expected a number"),
        ("S", 0, "which is a STRING"), ("1,5", 1, "got `,5`"), ("a", 0, "got `a`"),
    ],
)  # fmt: skip
def test_what_has_no_value_says_where_and_why(
    text: str, offset: int, message: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, {**VARIABLES, "S": "text"})

    assert caught.value.offset == offset
    assert message in caught.value.text


def test_a_name_whose_definition_was_refused_is_not_reported_again() -> None:
    with pytest.raises(BrokenNameError):
        evaluate("1+X", {"X": None})


def test_depth_and_length_are_limited() -> None:
    deepest = "(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH

    assert evaluate(deepest, {}) == 1.0
    assert evaluate("-" * 900 + "1", {}) == 1.0
    with pytest.raises(ExpressionError, match="at most 50 parentheses"):
        evaluate(f"({deepest})", {})
    with pytest.raises(ExpressionError, match="at most 1000 characters"):
        evaluate("1" * (MAX_LENGTH + 1), {})

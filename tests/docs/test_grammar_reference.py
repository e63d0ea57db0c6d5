"""The printed reference says what the reader does."""

import re

from gelenk.robots.armbot.environment import grammar
from make_grammar import describe_grammar
from robots.armbot.environment.sample_files import ALL_SHAPES, TWO_ARMS, problems_of


def test_every_directive_plan_and_parameter_is_in_the_reference() -> None:
    text = describe_grammar()

    for directive in grammar.DIRECTIVES:
        (line,) = [
            line for line in text.splitlines()
            if re.match(rf"\| `{directive.title}[ \[]", line)
        ]  # fmt: skip
        assert directive.text in line
        assert all(f"<{param.name}>" in line for param in directive.params)
    for plan in grammar.PLANS:
        assert f"| `{plan} <" in text


def test_the_rows_of_every_table_have_two_cells() -> None:
    rows = [line for line in describe_grammar().splitlines() if line.startswith("|")]

    assert len(rows) > 60
    for line in rows:
        assert len(re.findall(r"(?<!\\)\|", line)) == 3


def test_a_directive_without_parameters_is_told_its_usage_from_the_table() -> None:
    for directive in grammar.DIRECTIVES:
        if directive.params[-1].kind.form == "line":
            continue  # an empty text is a text
        (problem,) = problems_of(directive.title)

        assert problem.startswith("1:1: ")
        assert directive.usage in problem


def test_the_sample_files_use_every_directive() -> None:
    words = set((TWO_ARMS + ALL_SHAPES).split())

    used = {word.rstrip("0123456789") for word in words}
    assert {d.word for d in grammar.DIRECTIVES} <= used
    assert {d.variant for d in grammar.DIRECTIVES} - {""} <= used
    assert set(grammar.PLANS) | set(grammar.ENDS) <= used

"""`python -m experiments`: chosen experiments, figures beside the thesis, exit codes."""

from __future__ import annotations

import json

import pytest

from experiments.__main__ import main
from gelenk.cli import exit_codes


@pytest.mark.slow
def test_plan_prints_figures_beside_the_thesis(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plan", "--requests", "10"]) == exit_codes.OK

    out = capsys.readouterr().out
    assert "EX-33" in out
    assert "thesis: > 90" in out


def test_chosen_experiments_are_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    main(["piggy", "ex-03", "EX-06", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert document["ok"]
    numbers = {figure["experiment"] for figure in document["figures"]}
    assert numbers == {"EX-03", "EX-04", "EX-05", "EX-06"}


def test_chosen_anchors_are_measured_beside_the_thesis(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["amee", "an-03", "AN-31", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert document["ok"]
    assert {f["experiment"] for f in document["figures"]} == {"AN-03", "AN-31"}
    main(["amee", "AN-31"])
    assert "thesis: 665" in capsys.readouterr().out


@pytest.mark.parametrize("words", [("amee", "AN-77"), ("piggy", "EX-99")])
def test_an_experiment_that_does_not_exist_is_named(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == exit_codes.IMPOSSIBLE
    assert words[1] in capsys.readouterr().err

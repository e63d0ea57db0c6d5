"""The page of the environment file is what the reader's table prints."""

from __future__ import annotations

from pathlib import Path

from make_grammar import describe_grammar

PAGE = Path(__file__).resolve().parents[2] / "docs" / "environment-file.md"


def test_the_page_has_the_grammar_of_the_reader():
    text = PAGE.read_text(encoding="utf-8")
    assert describe_grammar().strip() in text, "run: python docs/make_grammar.py"

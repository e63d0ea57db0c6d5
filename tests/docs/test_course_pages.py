"""The pages of the course, as the documentation's build writes them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

from gelenk.course.register import TITLES

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "make_course.py"


def load_script():
    spec = importlib.util.spec_from_file_location("make_course", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_page_has_formula_picture_place_and_example_of_each_method(tmp_path) -> None:
    load_script().write(tmp_path, only=2)
    text = (tmp_path / "chapter-02.md").read_text(encoding="utf-8")

    sections = text.split("\n## ")[1:]
    assert len(sections) == 18
    for part in sections:
        (picture,) = re.findall(r"\]\((pictures/[^)]+)\)", part)
        assert (tmp_path / picture).stat().st_size > 1000
        assert part.count("```") == 4
        assert "`gelenk." in part


def test_the_navigation_names_every_chapter() -> None:
    nav = (SCRIPT.parents[1] / "mkdocs.yml").read_text(encoding="utf-8")

    for chapter in TITLES:
        assert f"course/{load_script().page_name(chapter)}" in nav

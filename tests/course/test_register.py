"""The register of the course's methods, and what is told of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from course_pictures import pictures
from gelenk.course import describe
from gelenk.course.register import TITLES, all_methods, chapters, find_method, search
from gelenk.errors import ConfigError, NameNotFoundError
from testkit.capability_register import load_register

REGISTER = Path(__file__).resolve().parents[2] / "docs" / "capabilities.csv"


def test_every_capability_of_the_course_is_registered_once() -> None:
    known = {id for id in load_register(REGISTER) if id.startswith("GR-")}
    count = Counter(method.id for method in all_methods())

    assert set(count) == known
    assert max(count.values()) == 1
    assert sum(map(len, chapters().values())) == len(all_methods())


@pytest.mark.parametrize("chapter", TITLES)
def test_places_exist_and_every_method_has_formula_and_example(
    chapter: int,
) -> None:
    lacking = {
        method.id: what
        for method in chapters()[chapter]
        for what, there in (
            ("formula", method.formula),
            ("example", describe.example(method)),
        )
        if not there
    }

    assert lacking == {}


def test_a_method_is_found_by_any_way_to_write_its_number() -> None:
    assert {find_method(id).id for id in ("GR-08", "gr8", "GR-8", "8")} == {"GR-08"}


def test_a_number_that_nobody_has_is_told_with_its_neighbours() -> None:
    with pytest.raises(NameNotFoundError, match="GR-2"):
        find_method("GR-2999")


def test_words_are_looked_for_in_titles_formulas_and_places() -> None:
    assert find_method("GR-211") in search("Dijkstra")
    assert find_method("GR-09") in search("zyz")
    assert search("no such word") == ()


def test_an_example_is_what_the_docstring_shows() -> None:
    text = describe.example(find_method("GR-211"))

    assert text.startswith(">>> from gelenk.planning import dijkstra")
    assert text.endswith("\n3.0")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_picture_is_drawn_into_a_file(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture.{ending}"
    describe.draw(pictures()["GR-05"], path)

    begin = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(begin)


def test_a_format_that_is_not_known_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"\.xyz"):
        describe.draw(pictures()["GR-05"], tmp_path / "picture.xyz")

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot write"):
        describe.draw(pictures()["GR-05"], tmp_path / "nowhere" / "picture.png")

"""`gelenk course`: from words to methods."""

from __future__ import annotations

from gelenk.cli import exit_codes


def test_without_a_word_all_chapters_are_listed(gelenk) -> None:
    outcome = gelenk("course")

    assert outcome.code == exit_codes.OK
    assert "8  Control and elementary motions" in outcome.out
    assert "GR-211  shortest paths after Dijkstra" in outcome.out


def test_one_method_has_formula_place_and_example(gelenk) -> None:
    outcome = gelenk("course", "gr-211")

    assert "d(v) = min_u d(u) + w(u, v)" in outcome.out
    assert "gelenk.planning.graph.dijkstra(graph, start, goal=None)" in outcome.out
    assert ">>> dijkstra(" in outcome.out
    document = gelenk("course", "GR-211", "--json").json()
    assert document["id"] == "GR-211"
    assert document["example"].startswith(">>> ")


def test_a_chapter_and_a_word_choose_methods(gelenk) -> None:
    (chapter,) = gelenk("course", "9", "--json").json()["chapters"]
    found = gelenk("course", "quaternion", "--json").json()["chapters"]

    assert chapter["title"] == "Planning"
    assert {m["id"] for c in found for m in c["methods"]} >= {"GR-13", "GR-14", "GR-15"}


def test_what_is_not_there_is_told_with_a_remedy(gelenk) -> None:
    assert "Did you mean" in gelenk("course", "GR-999").err
    unknown = gelenk("course", "gobbledygook")
    assert unknown.code == exit_codes.IMPOSSIBLE
    assert "lists them all" in unknown.err

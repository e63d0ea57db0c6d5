"""`gelenk piggy`: from options to results, messages and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from gelenk.cli import exit_codes


def test_without_a_word_the_commands_are_listed(gelenk) -> None:
    outcome = gelenk("piggy")

    assert outcome.code == exit_codes.OK
    for command in ("play", "game", "replay", "calibrate"):
        assert command in outcome.out


@pytest.mark.slow
def test_play_counts_as_the_thesis_and_repeats_bit_by_bit(gelenk, tmp_path) -> None:
    wish = ("piggy", "play", "--throws", "2", "--seed", "5", "--json")
    flights = str(tmp_path / "flights.npz")
    first, second = gelenk(*wish, "--record", flights).json(), gelenk(*wish).json()
    kept = gelenk("piggy", "replay", flights, "--json").json()
    assert kept["balls"] >= 1
    assert kept["predictions"] > 20 * kept["balls"]
    assert "first to last landing" in gelenk("piggy", "replay", flights).out

    assert first["throws"] == len(first["rows"]) == 2
    assert first["missed_workspace"] + first["reached"] == first["throws"]
    causes = ("hits_of_reached", "no_track", "missed_by_robot")
    assert sum(first[cause] for cause in causes) == first["reached"]
    assert 0.0 <= first["hit_share_interval"][0] <= first["hit_share_interval"][1] <= 1
    assert any("home" in line["text"] for line in first["log"])
    for name in ("computed_s", "image_to_command_p95_s"):  # what a clock measures
        first.pop(name), second.pop(name)
    assert first == second


@pytest.mark.slow
def test_a_game_is_counted_throw_by_throw(gelenk) -> None:
    document = gelenk("piggy", "game", "--minutes", "0.1", "--json").json()

    assert document["throws"] == len(document["events"]) >= 1
    assert sum(document["endings"].values()) == document["throws"]
    assert document["passes"] == document["endings"]["completed"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("play", "--throws", "0"), "--throws"),
        (("play", "--place", "moon"), "indoor"),
        (("play", "--skill", "blind"), "no skill named 'blind'"),
        (("play", "--setup", "missing.toml"), "missing.toml"),
        (("replay", "missing.npz"), "missing.npz"),
        (("game", "--team", "blind"), "no skill named 'blind'"),
        (("calibrate", "--save", "/nowhere/x.toml"), "there is no folder /nowhere"),
    ],
)
def test_wrong_wishes_are_named(gelenk, words: tuple[str, ...], message: str) -> None:
    outcome = gelenk("piggy", *words)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert message in outcome.err


def test_a_broken_setup_is_refused_with_its_place(gelenk, tmp_path: Path) -> None:
    path = tmp_path / "setup.toml"
    path.write_text("cameras = 3\n", encoding="utf-8")

    outcome = gelenk("piggy", "play", "--setup", str(path))

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert str(path) in outcome.err

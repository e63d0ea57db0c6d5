"""`gelenk run`: the demonstration computes what it claims, with and without a terminal."""

import re
import sys

import numpy as np
import pytest

import gelenk as package
from gelenk.cli import exit_codes
from gelenk.cli.demo.canvas import Canvas
from gelenk.cli.demo.path import plan_path
from terminal import run_on_terminal


def test_the_figures_as_json_are_complete_and_met(gelenk) -> None:
    outcome = gelenk("run", "--headless", "--seed", "3", "--json")

    result = outcome.json()
    assert outcome.code == exit_codes.OK
    assert result["ok"] is True
    assert result["seed"] == 3
    assert result["path"]["kind"] == "figure eight"
    assert result["path"]["converged"] == result["path"]["poses"] == 240
    assert result["path"]["max_position_error"] < 2e-6
    assert result["random_targets"]["solved"] == result["random_targets"]["count"]
    assert len(result["path"]["peak_effort"]) == 7
    assert all(micros > 0.0 for micros in result["times_us"].values())


def test_one_seed_one_result(gelenk) -> None:
    def figures(seed: str) -> object:
        result = gelenk("run", "scara", "--seed", seed, "--json").json()
        del result["times_us"]
        return result

    assert figures("5") == figures("5")
    assert figures("5") != figures("6")


def test_without_a_terminal_it_prints_a_still_picture(gelenk) -> None:
    outcome = gelenk("run", "ur5e")

    assert outcome.code == exit_codes.OK
    assert "\x1b" not in outcome.out
    assert re.search("[\u2801-\u28ff]", outcome.out)
    assert not re.search("[\u2801-\u28ff]", gelenk("run", "ur5e", "--headless").out)


@pytest.mark.slow
def test_on_a_terminal_it_moves_and_restores_the_cursor() -> None:
    code, out, screen = run_on_terminal(
        [sys.executable, "-m", "gelenk.cli.main", "run", "planar2r", "--seconds", "0.3"]
    )

    assert code == exit_codes.OK
    assert screen.count("\x1b[?25l") == screen.count("\x1b[?25h") == 1
    assert re.search("[\u2801-\u28ff]", screen)
    assert "\x1b" not in out


@pytest.mark.parametrize("name", ["panda", "ur5e", "scara", "planar2r", "rp"])
def test_a_path_is_closed_smooth_and_met(name: str) -> None:
    model = package.load(name)

    path = plan_path(model, num_poses=120)

    p = model.forward(path.q)[:, :3, 3]
    assert path.converged.all()
    np.testing.assert_allclose(p, path.T_base_tool[:, :3, 3], rtol=0.0, atol=2e-6)
    steps = np.linalg.norm(np.diff(p, axis=0, append=p[:1]), axis=1)
    assert steps.max() < 0.1
    assert p.max(axis=0).max() > p.min(axis=0).min()


def test_a_line_covers_its_pixels_and_nothing_outside() -> None:
    canvas = Canvas(2, 1)
    canvas.line((-5.0, 0.0), (50.0, 0.0))

    assert canvas.lines() == ["⠉⠉"]


def test_a_disc_is_round() -> None:
    canvas = Canvas(3, 2)
    canvas.disc(2, 3, 2.0)

    # radius 2 around (2, 3): rows 1 to 5, half widths 0, 1, 2, 1, 0
    assert canvas.lines() == ["⣠⣦⡀", "⠈⠋ "]


def test_colors_are_switched_off_at_the_end_of_every_line() -> None:
    canvas = Canvas(3, 1)
    canvas.dot(0, 0, "36")
    canvas.dot(4, 0, "31")

    assert canvas.lines(color=True) == ["\x1b[36m⠁\x1b[0m \x1b[31m⠁\x1b[0m"]


def test_a_misspelt_scene_is_told_from_a_file(gelenk) -> None:
    outcome = gelenk("run", "pigy/play", "--headless")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "Did you mean 'piggy/play'?" in outcome.err
    assert "cannot be loaded" in gelenk("run", "robots/arm", "--headless").err

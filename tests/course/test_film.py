"""Films of scenarios."""

from __future__ import annotations

import numpy as np
import pytest

import gelenk
from gelenk.course import film as films
from gelenk.course.film import Film
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError


def test_25_frames_are_due_per_second_whatever_the_step() -> None:
    for dt in (1e-3, 7e-3, 1.0 / 60.0):
        film = Film()
        for k in range(int(4.0 / dt) + 1):
            if film.wants(k * dt):
                film.shoot(k * dt)
        assert len(film.shots) == pytest.approx(101, abs=1)


def test_what_a_frame_does_not_mention_stays_as_it_was() -> None:
    film = Film()
    film.box("crate", (1.0, 2.0, 3.0))
    film.ball("ball", 0.1)
    way = np.arange(6.0).reshape(2, 3)
    film.shoot(0.0, poses={"crate": np.eye(4)}, lines={"way": way}, text="begin")
    film.shoot(1.0, poses={"ball": np.eye(4)}, curves={"force [N]": 2.0})
    last = film.shots[-1]
    assert set(film.shots[0].poses) == {"crate"}
    assert set(last.poses) == {"crate", "ball"}
    assert last.text == "begin"
    np.testing.assert_array_equal(last.lines["way"], way)
    film.shoot(2.0, lines={"way": []})
    assert not film.shots[-1].lines
    assert film.shots[-1].curves == {"force [N]": 2.0}


def test_later_changes_of_an_array_do_not_reach_the_film() -> None:
    film, T, q = Film(), np.eye(4), np.zeros(6)
    film.arm("puma", gelenk.load("puma560"))
    film.shoot(0.0, poses={"puma": T}, joints={"puma": q}, clouds={"seen": T[:, :3]})
    T += 1.0
    q += 1.0
    shot = film.shots[0]
    np.testing.assert_array_equal(shot.poses["puma"], np.eye(4))
    np.testing.assert_array_equal(shot.joints["puma"], np.zeros(6))
    np.testing.assert_array_equal(shot.clouds["seen"], np.eye(4)[:, :3])


def test_a_long_film_with_large_clouds_stays_small_and_keeps_its_end() -> None:
    film, rng = Film(), np.random.default_rng(0)
    for k in range(4000):
        if film.wants(k / 25.0):
            cloud = rng.normal(size=(1500, 3))
            film.shoot(k / 25.0, clouds={"scan": cloud})
    film.shoot(160.0, text="end")
    assert film.num_bytes <= films.MAX_BYTES
    assert film.shots[0].time == pytest.approx(0.0, abs=1.0)
    assert film.shots[-1].text == "end"
    steps = np.diff([shot.time for shot in film.shots])
    assert steps.max() <= 2.0 * film.period + 1e-6


def test_a_line_that_does_not_change_is_kept_once() -> None:
    film, way = Film(), np.random.default_rng(0).normal(size=(200, 3))
    for k in range(100):
        film.shoot(0.04 * k, lines={"way": way})
    assert film.num_bytes == 200 * 3 * 4


def test_thinned_lines_keep_both_ends_and_lose_what_is_not_finite() -> None:
    film, way = Film(), np.zeros((5000, 3))
    way[:, 0] = np.arange(5000)
    way[7] = np.nan
    film.shoot(0.0, lines={"way": way})
    kept = film.shots[0].lines["way"]
    assert len(kept) == films.MAX_LINE
    assert (kept[0, 0], kept[-1, 0]) == (0.0, 4999.0)


def test_mistakes_are_told() -> None:
    film = Film()
    film.disc("post", 0.1, 1.0, color=(0.1, 0.2, 0.3))
    with pytest.raises(ConfigError, match="two props"):
        film.ball("post", 0.1)
    with pytest.raises(NameNotFoundError, match="colour"):
        film.ball("ball", 0.1, color="blau")
    with pytest.raises(ConfigError, match="> 0"):
        film.box("flat", (1.0, 1.0, 0.0))
    with pytest.raises(NameNotFoundError, match="pots"):
        film.shoot(0.0, poses={"pots": np.eye(4)})
    with pytest.raises(ShapeError):
        film.shoot(0.0, lines={"way": np.zeros((4, 2))})
    film.shoot(1.0)
    with pytest.raises(ConfigError, match="forward"):
        film.shoot(0.5)
    with pytest.raises(ConfigError, match="first frame"):
        film.ball("late", 0.1)
    assert len(film.shots) == 1

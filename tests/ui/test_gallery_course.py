"""Scenarios of the course as scenes of the page."""

from __future__ import annotations

import numpy as np
import pytest

import gelenk
from gelenk.course.film import Film
from gelenk.course.scenario import SUMMARIES
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.errors import ConfigError
from gelenk.kinematics.forward import link_poses
from gelenk.runtime.controls import SetPaceRequest
from gelenk.runtime.registry import list_scenes
from gelenk.spatial import se3, so3
from gelenk.ui import gallery_course
from gelenk.ui.animation import make_reel
from gelenk.ui.progress import telling
from gelenk.ui.scene_session import SceneSession

PUMA = gelenk.load("puma560")


def shoot(film: Film) -> None:
    """Take a second in which a ball rises and an arm turns, two metres down."""
    film.arm("puma", PUMA)
    film.ball("ball", 0.1)
    film.box("pit", (1.0, 1.0, 0.5))
    for k in range(26):
        ball, pit = np.eye(4), np.eye(4)
        ball[:3, 3], pit[2, 3] = (1.0, 0.0, 0.04 * k), -2.0
        film.shoot(
            0.04 * k,
            poses={"ball": ball, "pit": pit},
            joints={"puma": np.full(6, 0.02 * k)},
            lines={"way": [[1.0, 0.0, 0.0], [1.0, 0.0, 0.04 * k]]},
            curves={"height [m]": 0.04 * k},
            text="rising",
        )


def outcome(seed: int) -> TrialOutcome:
    return TrialOutcome(
        seed=seed, is_reached=False, figures={"miss [m]": 0.25}, reason="too high"
    )


def test_every_scenario_is_a_scene() -> None:
    scenes = list_scenes()
    assert {f"course/{name}" for name in SUMMARIES} <= set(scenes)


def test_a_reel_glides_between_frames_above_the_floor() -> None:
    film = Film()
    shoot(film)
    reel = make_reel(film)
    assert reel.low[2] == pytest.approx(0.0, abs=1e-6)
    names = [piece.name for piece in reel.moving]
    assert "ball" in names
    assert "pit" not in names
    T = reel.poses(0.5)
    lift = reel.lift[2]
    assert lift == pytest.approx(2.25)
    assert T[names.index("ball"), 2, 3] == pytest.approx(0.5 + lift, abs=1e-6)
    # Links are where the model says, though their poses come from 25 frames a second.
    tip = T[names.index("puma.link_5")]
    links = PUMA.link_names
    wanted = np.array(link_poses(PUMA, np.full(6, 0.25))[links.index("link_5")])
    wanted[2, 3] += lift
    np.testing.assert_allclose(tip, wanted, atol=2e-3)


def test_turns_are_blended_the_short_way() -> None:
    film = Film()
    film.box("box", (1.0, 1.0, 1.0))
    for time, angle in ((0.0, 3.0), (1.0, -3.0)):
        R = so3.rot_z(angle)
        T = se3.pose_from_rotation_translation(R, [0.0, 0.0, 1.0])
        film.shoot(time, poses={"box": T})
    R = make_reel(film).poses(0.5)[0, :3, :3]
    np.testing.assert_allclose(R, so3.rot_z(np.pi), atol=1e-6)


def test_a_film_plays_and_ends_with_its_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds: list[int] = []

    def compute(name: str, seed: int):
        seeds.append(seed)
        film = Film()
        shoot(film)
        return make_reel(film), outcome(seed)

    monkeypatch.setattr(gallery_course, "compute", compute)
    show = SceneSession(1, list_scenes()["course/arm_cell"], 3, {"seed": 7.0})
    try:
        assert seeds == [7]
        run, exhibit = show.live.run, show.live.exhibit
        assert exhibit is not None
        run.do(SetPaceRequest(pace=None))
        run.run(0.5)
        lift = 2.25
        height = show.live.world.pose("ball")[2, 3] - lift
        assert height == pytest.approx(run.time - 0.02, abs=0.021)
        (curve,) = exhibit.curves()
        assert (curve.name, curve.unit) == ("height", "m")
        assert curve.read() == pytest.approx(height, abs=0.041)
        assert [item.name for item in exhibit.overlays()] == ["way", "caption"]
        assert len(exhibit.tables()) == 1
        run.run(1.0)
        show.look()
        assert show.is_finished
        table = exhibit.tables()[1]
        assert ("miss", 0.25, "m") in table.rows
        assert table.caption == "too high"
        assert "too high" in exhibit.overlays()[-1].texts[0]  # type: ignore[union-attr]
    finally:
        show.close(print)


def test_who_waits_hears_how_far_it_is_and_can_break_it_off() -> None:
    heard: list[str] = []

    def hear(text: str) -> None:
        heard.append(text)
        raise ConfigError("something else")

    film = gallery_course.WatchedFilm()
    with telling(hear), pytest.raises(ConfigError, match="something else"):
        film.shoot(1.25)
    assert heard == ["Computing: 1.2 s simulated"]
    film.shoot(1.25)  # nobody waits any more
    assert len(film.shots) == 1

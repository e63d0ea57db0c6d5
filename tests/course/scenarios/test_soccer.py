"""The soccer robots: eyes, place, ball and behaviour, each against the truth."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.course.scenarios import soccer
from gelenk.course.scenarios.soccer_eye import border_points, see
from gelenk.course.scenarios.soccer_field import (
    CAMERA,
    SEGMENTS,
    TEAM,
    Sight,
    camera_in_robot,
    nearest_lines,
)
from gelenk.course.scenarios.soccer_match import (
    Kickoff,
    recorded_orders,
    replay_orders,
    start_place,
)
from gelenk.course.scenarios.soccer_place import locate, score_poses
from gelenk.course.scenarios.soccer_world import Match, make_match
from gelenk.estimation.fitting import fit_sphere
from gelenk.navigation.planar import relative_pose
from gelenk.runtime.messages import codec_for
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording


def facing(seed: int, ball: tuple[float, float]) -> Match:
    match = make_match(seed)
    match.poses[0] = [-1.0, 0.3, 0.2]
    match.poses[1] = [2.5, -1.5, 0.0]
    c, s = np.cos(0.2), np.sin(0.2)
    place = match.poses[0, :2] + [
        c * ball[0] - s * ball[1],
        s * ball[0] + c * ball[1],
    ]
    match.ball = np.array([*place, 0.0, 0.0])
    match.mount[:] = 0.0
    match.heads[0] = [0.0, 0.35]
    for _ in range(6):
        match.picture(0)  # the exposure settles
    return match


@pytest.mark.parametrize("ball", [(0.8, 0.1), (2.4, -0.4)])
def test_a_ball_is_seen_where_it_lies(ball):
    match = facing(7, ball)
    pixels, shown = match.picture(0)
    assert shown > 8
    found = see(pixels, match.body(0, 0)).balls
    off = np.hypot(*(found[:, :2] - ball).T)
    assert off.min() < 0.03 + 0.06 * np.hypot(*ball)
    best = found[off.argmin()]
    assert off.min() < 3.5 * best[2]  # and no worse than it claims


def test_light_that_doubles_changes_no_ball_but_a_box_of_colors():
    match = facing(3, (1.2, 0.0))
    for exposure in (150.0, 220.0, 300.0):
        match.exposure[0] = exposure
        pixels, _ = match.picture(0)
        off = see(pixels, match.body(0, 0)).balls[:, :2] - [1.2, 0.0]
        assert np.hypot(*off.T).min() < 0.1
    match.exposure[0] = 50.0
    dark, shown = match.picture(0)
    assert not soccer._has_taught_color(dark, shown)


def test_the_border_of_half_a_disc_gives_the_whole_circle():
    v, u = np.mgrid[0:40, 0:40]
    disc = np.hypot(u - 20.3, v - 19.6) < 9.0
    whole = fit_sphere(border_points(disc, np.array([50, 60])))
    assert_allclose([*whole.center, whole.radius], [80.3, 69.6, 9.0], atol=0.2)
    # cut by the left border of the image
    cut = fit_sphere(border_points(disc[:, 20:], np.array([50, 0])))
    assert_allclose([*cut.center, cut.radius], [0.3, 69.6, 9.0], atol=0.4)


def test_no_ball_and_no_line_on_an_empty_wall():
    grey = np.full((CAMERA.height, CAMERA.width, 3), 120, np.uint8)
    sight = see(grey, make_match(0).body(0, 4))
    assert not len(sight.balls)
    assert not len(sight.posts)
    assert not len(sight.lines)
    assert sight.number == 4


def test_distances_to_lines_have_their_directions_as_slopes():
    rng = np.random.default_rng(1)
    points = rng.uniform([-3.3, -2.3], [3.3, 2.3], (60, 2))
    off, across = nearest_lines(points)
    for point, normal in zip(points, across, strict=True):
        step = 1e-6 * np.eye(2)
        slope = (nearest_lines(point + step)[0] - nearest_lines(point[None])[0]) / 1e-6
        if np.abs(slope).max() < 1.001:  # not across a border between two lines
            assert_allclose(slope, normal, atol=1e-4)
    dense = np.concatenate(
        [a + np.linspace(0, 1, 2000)[:, None] * (b - a) for a, b in SEGMENTS]
    )
    angle = np.linspace(0, 2 * np.pi, 4000)
    ring = 0.6 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    dense = np.concatenate([dense, ring])
    gaps = np.linalg.norm(points[:, None] - dense, axis=-1).min(axis=1)
    assert_allclose(np.abs(off), gaps, atol=2e-3)


def test_a_camera_that_looks_down_sees_the_ground_in_its_middle():
    T = camera_in_robot(0.4, 0.5)
    way = T[:3, :3] @ [0.0, 0.0, 1.0]
    ground = T[:3, 3] + way * (T[2, 3] / -way[2])
    assert np.arctan2(ground[1], ground[0]) == pytest.approx(0.4)
    assert np.hypot(*ground[:2]) == pytest.approx(0.5 / np.tan(0.5))
    assert np.linalg.det(T[:3, :3]) == pytest.approx(1.0)
    assert (T[:3, :3] @ [0.0, 1.0, 0.0])[2] < 0.0  # rows run down


def test_lines_and_posts_lead_a_wrong_guess_to_the_pose():
    pose = np.array([-1.5, -0.5, 0.35])
    dense = np.concatenate(
        [a + np.linspace(0, 1, 60)[:, None] * (b - a) for a, b in SEGMENTS]
    )
    seen = np.array([relative_pose(pose, [*p, 0.0])[:2] for p in dense])
    is_seen = (np.hypot(*seen.T) < 2.8) & (np.abs(np.arctan2(*seen.T[::-1])) < 1.5)
    goal = relative_pose(pose, [3.0, 0.7, 0.0])
    post = [0.0, np.hypot(*goal[:2]), np.arctan2(goal[1], goal[0]), 0.4]
    sight = Sight(number=0, lines=seen[is_seen][::4], posts=np.array([post]))
    assert score_poses(pose[None], sight)[0] > score_poses(pose[None] + 0.3, sight)[0]
    where = start_place(0)
    assert np.abs(where.best.mean - pose).max() > 0.3
    for _ in range(6):
        where = locate(where, np.zeros(3), sight)
    assert_allclose(where.best.mean, pose, atol=0.05)


@pytest.mark.parametrize("seed", [2000, 2001])
def test_with_the_truth_in_place_of_cameras_a_goal_is_shot(seed):
    told = Kickoff(make_match(seed), has_camera=False)
    told.run(soccer.LIMIT, seed=seed)
    assert np.isfinite(told.match.goal_time)
    assert told.match.num_kicks >= 1
    # who strikes is settled between them although calls get lost
    roles = [[o.role for o in told.heard[f"{name}/order"]] for name in TEAM]
    both = np.mean([a == b == "striker" for a, b in zip(*roles, strict=False)])
    assert both < 0.25
    assert len(told.heard["one/call"]) < len(told.heard["one/order"])


@pytest.mark.slow
@pytest.mark.capability("GR-271", "GR-274")
def test_a_log_leads_to_the_same_decisions_and_eyes_come_near_the_truth(tmp_path):
    seen = Kickoff(make_match(2003))
    with Recorder(tmp_path / "match.mcap", {"seed": 2003}) as recorder:
        seen.run(2.4, seed=2003, recorder=recorder)
    encode = codec_for(soccer.Order).encode
    with open_recording(tmp_path / "match.mcap") as log:
        recorded = [encode(order) for order in recorded_orders(log, 1)]
        assert len(recorded) > 12
        assert [encode(order) for order in replay_orders(log, 1)] == recorded
    beliefs, eyes = soccer.judge_beliefs(seen), soccer.judge_eyes(seen)
    assert beliefs["self error [m]"] < 0.15
    assert beliefs["ball error [m]"] < soccer.MAX_BALL_ERROR
    assert eyes["recall"] > 0.8

"""Clipped angles are those that the joints reach, and edges are followed slowly enough."""

import numpy as np
import pytest

from gelenk.robots.nao.joints import ankle_roll_limits, limits
from gelenk.robots.nao.motion.program import clip_command, max_speeds
from robots.nao.motion.sample_motions import INDEX, Player, with_body


def test_clipping_again_changes_nothing_and_batches_are_their_elements() -> None:
    rng = np.random.default_rng(4)
    q = rng.uniform(-3.0, 3.0, (4, 50, 22))

    clipped = clip_command(q)

    np.testing.assert_array_equal(clip_command(clipped), clipped)
    np.testing.assert_array_equal(clipped[2, 7], clip_command(q[2, 7]))
    assert np.all(clipped >= limits()[0])
    assert np.all(clipped <= limits()[1])
    assert np.any(clipped == limits()[1])


def test_both_hips_get_the_left_one() -> None:
    q = np.zeros(22)
    q[[10, 16]] = [-0.3, 0.2]

    np.testing.assert_array_equal(clip_command(q)[[10, 16]], [-0.3, -0.3])


def test_speeds_are_those_of_the_motors() -> None:
    degrees = dict(zip(INDEX, np.rad2deg(max_speeds()), strict=True))

    assert degrees["HeadYaw"] == pytest.approx(474.0)
    assert degrees["RHipYawPitch"] == degrees["LAnkleRoll"] == pytest.approx(238.0)
    assert degrees["LKneePitch"] == pytest.approx(367.0)


@pytest.mark.capability("CA-62")
def test_an_ankle_that_follows_the_edge_of_its_range_is_not_too_fast() -> None:
    """Between two allowed poses the straight way leaves the range of the ankle roll."""
    pitch, roll = INDEX["LAnklePitch"], INDEX["LAnkleRoll"]
    start = np.zeros(22)
    start[[pitch, roll]] = [-66.0, -4.5]
    player = Player(with_body("(LAnklePitch -35.6, LAnkleRoll -22) 0 0"), start)

    player.until(lambda p: p.info.motion == "motions")

    angles = np.vstack([np.deg2rad(start), player.angles()])[:-1]
    is_at_edge = np.isclose(angles[:, roll], ankle_roll_limits(angles[:, pitch])[0])
    assert np.any(is_at_edge[1:-1])
    assert any("LAnkleRoll" in p.info.clipped for p in player.history)
    speed = np.abs(np.diff(np.rad2deg(angles[:, roll]))).max() / player.dt
    assert 200.0 < speed <= 238.0 + 1e-6

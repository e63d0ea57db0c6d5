"""Many sonars at once. Oracle: the same scene asked one sensor at a time."""

from __future__ import annotations

import numpy as np

from gelenk.sensing.sonar import Sonar, SonarScene, find_echoes, sonar_reading
from gelenk.sensing.sonar_ring import are_clear, ring_readings

SONAR = Sonar(half_angle=np.radians(20.0), pulse=4e-4, period=0.03)


def cluttered(rng: np.random.Generator) -> SonarScene:
    room = np.array([[0, 0], [6, 0], [6, 4], [0, 4]], dtype=float)
    walls = [np.stack([room, np.roll(room, -1, axis=0)], axis=1)]
    for _ in range(4):
        angle = rng.uniform(0.0, np.pi) + np.arange(3) * 2.0 * np.pi / 3.0
        corners = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        corners = 0.5 * corners + rng.uniform([1, 1], [5, 3])
        walls.append(np.stack([corners, np.roll(corners, -1, axis=0)], axis=1))
    discs = np.column_stack([rng.uniform([0, 0], [6, 4], (5, 2)), np.full(5, 0.05)])
    return SonarScene(walls=np.concatenate(walls), discs=discs)


def test_a_ring_hears_what_each_of_its_sonars_would_hear():
    rng = np.random.default_rng(4)
    scene = cluttered(rng)
    poses = np.column_stack(
        [rng.uniform([0, 0], [6, 4], (70, 2)), rng.uniform(-np.pi, np.pi, 70)]
    )
    one_by_one = [sonar_reading(SONAR, pose, scene) or np.inf for pose in poses]
    heard = ring_readings(SONAR, poses, scene)
    np.testing.assert_allclose(heard, one_by_one, rtol=0.0, atol=1e-12)
    # The scene has everything: echoes by corners first, and sonars that hear nothing.
    first = [find_echoes(SONAR, pose, scene)[:1] for pose in poses]
    assert any(echo and echo[0].bounces == 3 for echo in first)
    assert np.isinf(heard).any()


def test_an_empty_room_is_silent_and_a_wall_hides_what_is_behind_it():
    assert np.isinf(ring_readings(SONAR, [[0.0, 0.0, 0.0]], SonarScene())).all()
    wall = np.array([[[1.0, -1.0], [1.0, 1.0]]])
    a, b = np.zeros((2, 2)), np.array([[2.0, 0.0], [2.0, 4.0]])
    assert are_clear(a, b, wall).tolist() == [False, True]

"""Servos and hand-eye from the bat's sphere: circles, images, play and gravity."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from experiments.piggy.calibration import (
    bat_errors,
    fit_bat,
    hidden_bat,
    hidden_bat_sights,
    servo_deviations,
)
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.calibration.outline import see_sphere
from gelenk.robots.piggy.calibration.servos import (
    BatSights,
    LevelGravity,
    calibrate_servos,
    raster,
)
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.cameras import RigCfg, make_rig
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.setup import nominal_setup
from gelenk.spatial import se3, so3
from gelenk.vision.camera import unproject
from gelenk.vision.sphere import camera_row, sphere_circle
from testkit.board_pictures import expose

RIG = make_rig(RigCfg(seed=3))


def _sights(seed: int = 0, noise: float = 0.5, half_gap: float = math.radians(3.0)):
    rng = np.random.default_rng(seed)
    bat = hidden_bat(rng, half_gap)
    return bat, hidden_bat_sights(RIG, bat, rng, noise)


def test_the_raster_has_25_poses_that_both_cameras_see_whole():
    poses = raster()
    assert poses.shape == (25, 2)
    assert len({tuple(pose) for pose in poses.round(9)}) == 25
    setup = nominal_setup()
    q = setup.resting_angles(poses)
    u, v, r = np.moveaxis(
        sphere_circle(setup.camera_rows, forward(q), unit.SPHERE_RADIUS), -1, 0
    )
    assert (u - 1.1 * r).min() > 0.0
    assert (u + 1.1 * r).max() < 779.0
    assert (v - 1.1 * r).min() > 0.0
    assert (v + 1.1 * r).max() < 579.0
    # Nearer to upright than the play, the bat may lie on either flank.
    assert np.abs(poses[:, 0]).min() > 2.0 * setup.roll.half_gap


@pytest.mark.slow
@pytest.mark.capability("BB-74")
def test_25_poses_find_servos_and_cameras_within_their_covariance():
    square = []
    for seed in range(4):
        bat, sights = _sights(seed)
        found = fit_bat(sights, RIG)
        deviations = servo_deviations(found, bat, RIG)[:11]
        assert np.abs(deviations).max() < 4.0
        square.append(deviations**2)
        assert max(found.residual) < 0.7
        assert found.roll.half_gap == pytest.approx(math.radians(3.0), abs=5e-3)
        after = replace(nominal_setup(), roll=found.roll, tilt=found.tilt)
        assert bat_errors(after, bat).max() < 0.02
    # Turn about the roll axis and offset of the roll servo come from gravity alone,
    # which is exact here.
    assert 0.2 < np.mean(square) < 1.7


@pytest.mark.capability("BB-74")
def test_play_that_is_not_in_the_model_shows_across_the_images():
    _, sights = _sights()
    plain, found = fit_bat(sights, RIG, has_play=False), fit_bat(sights, RIG)
    assert plain.residual[0] > 5.0
    assert plain.residual[0] > 3.0 * plain.residual[1]
    assert found.residual[0] < 0.6


def test_the_offset_of_the_roll_servo_needs_gravity():
    _, sights = _sights()
    without = fit_bat(sights, RIG, gravity_sigma=None)
    (confusion,) = without.identifiability.confusions
    assert set(confusion.names) >= {"roll.j_off", "cameras.turn y"}
    sigma = dict(zip(without.names, np.sqrt(np.diag(without.covariance)), strict=True))
    assert sigma["roll.j_off"] > math.radians(0.8)
    found = fit_bat(sights, RIG)
    k = found.names.index("roll.j_off")
    assert math.sqrt(found.covariance[k, k]) < math.radians(0.3)


@pytest.mark.capability("BB-75")
def test_a_base_that_is_not_level_shows():
    _, sights = _sights(noise=0.05)
    lean = math.radians(1.2)
    # Nose up: gravity pulls towards the back as seen from the robot.
    down = so3.rot_x(lean).T @ np.array([0.0, 0.0, -1.0])
    R = RIG[0].T_world_camera[:3, :3]
    setup = nominal_setup()
    level = fit_bat(sights, RIG)
    assert abs(math.degrees(level.inclination)) < 0.1
    found = calibrate_servos(
        sights,
        lenses=(RIG[0].intrinsics, RIG[1].intrinsics),
        T_left_right=se3.inverse(RIG[0].T_world_camera) @ RIG[1].T_world_camera,
        T_world_left=setup.left.T_world_camera,
        roll=setup.roll,
        tilt=setup.tilt,
        gravity=LevelGravity(direction=R.T @ down, sigma=1e-3),
    )
    assert math.degrees(found.inclination) == pytest.approx(1.2, abs=0.1)


def test_too_few_poses_are_refused():
    _, sights = _sights()
    few = BatSights(readings=sights.readings[:8], circles=sights.circles[:8])
    with pytest.raises(CalibrationError) as caught:
        fit_bat(few, RIG)
    assert caught.value.verdict == "too few poses"


def test_a_bat_that_is_elsewhere_finds_no_agreement():
    _, sights = _sights()
    rng = np.random.default_rng(0)
    wild = sights.circles + rng.normal(0.0, 60.0, sights.circles.shape)
    with pytest.raises(CalibrationError) as caught:
        fit_bat(BatSights(readings=sights.readings, circles=wild), RIG)
    assert caught.value.verdict == "no agreement"


def _picture(camera, p_world, rng):
    """A shaded sphere before a wavy wall, four by four rays per pixel."""
    lens = camera.intrinsics
    p = se3.transform_point(se3.inverse(camera.T_world_camera), p_world)
    distance = float(np.linalg.norm(p))
    axis = p / distance
    cosine = math.sqrt(1.0 - (unit.SPHERE_RADIUS / distance) ** 2)
    row = camera_row(lens, np.eye(4))
    u, v, r = sphere_circle(row[None], p, unit.SPHERE_RADIUS)[0]
    left, right = max(int(u - r) - 8, 1), min(int(u + r) + 9, 779)
    top, bottom = max(int(v - r) - 8, 1), min(int(v + r) + 9, 579)
    x, y = np.meshgrid(np.arange(780.0), np.arange(580.0))
    wall = 110.0 + 40.0 * np.sin(x / 50.0) * np.cos(y / 70.0)
    part = np.s_[top:bottom, left:right]
    ray = unproject(lens, np.stack([x[part], y[part]], axis=-1))[..., :2]
    across, down = np.gradient(ray, axis=1), np.gradient(ray, axis=0)
    cover = np.zeros(ray.shape[:2])
    for a in (-0.375, -0.125, 0.125, 0.375):
        for b in (-0.375, -0.125, 0.125, 0.375):
            xy = ray + a * across + b * down
            along = xy @ axis[:2] + axis[2]
            cover += along > cosine * np.sqrt((xy**2).sum(axis=-1) + 1.0)
    cover /= 16.0
    shade = 200.0 - 60.0 * np.clip(ray[..., 1] - axis[1] / axis[2], -1.0, 1.0)
    wall[part] = wall[part] * (1.0 - cover) + shade * cover
    return expose(wall, rng)


@pytest.mark.slow
@pytest.mark.capability("BB-74")
def test_the_sphere_is_measured_below_a_tenth_of_a_pixel():
    rng = np.random.default_rng(1)
    for q in np.radians([[-26.0, -72.0], [27.0, -44.0]]):
        p = forward(q)
        for camera in RIG:
            row = camera_row(camera.intrinsics, se3.inverse(camera.T_world_camera))
            true = sphere_circle(row[None], p, unit.SPHERE_RADIUS)[0]
            guess = se3.transform_point(
                se3.inverse(camera.T_world_camera), p + rng.normal(0.0, 0.03, 3)
            )
            sight = see_sphere(
                _picture(camera, p, rng), camera.intrinsics, guess, unit.SPHERE_RADIUS
            )
            np.testing.assert_allclose(sight.circle, true, atol=0.15)
            assert sight.coverage > 0.9


@pytest.mark.slow
def test_a_sphere_that_the_border_cuts_and_one_that_is_absent_are_named():
    rng = np.random.default_rng(2)
    camera, p = RIG[0], forward(np.radians([0.0, -84.0]))
    local = se3.transform_point(se3.inverse(camera.T_world_camera), p)
    with pytest.raises(CalibrationError) as caught:
        see_sphere(
            _picture(camera, p, rng), camera.intrinsics, local, unit.SPHERE_RADIUS
        )
    assert caught.value.verdict == "sphere cut off"
    empty = np.full((580, 780), 120, dtype=np.uint8)
    inside = se3.transform_point(
        se3.inverse(camera.T_world_camera), forward(np.radians([0.0, -55.0]))
    )
    with pytest.raises(CalibrationError) as caught:
        see_sphere(empty, camera.intrinsics, inside, unit.SPHERE_RADIUS, place="pose 7")
    assert caught.value.verdict == "sphere not seen"
    assert "pose 7" in str(caught.value)

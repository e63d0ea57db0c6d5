"""Stereo, structured light and time of flight.

Oracles: OpenCV's block matcher, rendered scenes of known depth, projections, physics
of the sampled light, the numbers of the course.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import ndimage
from scipy.constants import speed_of_light
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError, ShapeError
from gelenk.vision.camera import Intrinsics, project
from gelenk.vision.depth_cameras import (
    Projector,
    column_from_phase,
    decode_gray,
    decode_phase,
    distance_from_gates,
    distance_from_phase,
    distance_from_time,
    distance_from_two_phases,
    gated_charges,
    gray_code,
    gray_patterns,
    number_from_gray,
    period_from_column,
    period_from_phase,
    phase_from_samples,
    phase_samples,
    projected_texture,
    triangulate_columns,
    unambiguous_range,
    wave_patterns,
)
from gelenk.vision.stereo import (
    depth_error,
    depth_from_disparity,
    disparity_image,
    has_texture,
    matching_costs,
    points_from_disparity,
    rectifying_rotations,
    semi_global_costs,
)

RIG = {"baseline": 0.12, "focal": 700.0}


@pytest.mark.capability("GR-157")
def test_depth_of_the_course():  # TV-7.13
    assert depth_from_disparity(35.0, **RIG) == pytest.approx(2.4, abs=1e-12)
    assert depth_from_disparity(0.0, **RIG) == np.inf
    assert np.isnan(depth_from_disparity(-1.0, **RIG))


@pytest.mark.capability("GR-157")
def test_depth_is_that_of_the_projected_points_and_its_error_that_of_a_pixel():
    rng = np.random.default_rng(0)
    p = np.column_stack(
        [rng.uniform(-1, 1, 50), rng.uniform(-1, 1, 50), rng.uniform(1, 6, 50)]
    )
    camera = Intrinsics(width=640, height=480, fx=700, fy=700, cx=320, cy=240)
    left, right = project(camera, p), project(camera, p - [0.12, 0.0, 0.0])
    d = left[:, 0] - right[:, 0]
    assert_allclose(depth_from_disparity(d, **RIG), p[:, 2])
    image = np.full((480, 640), np.nan)
    u, v = np.round(left).astype(int).T
    on = (u >= 0) & (u < 640) & (v >= 0) & (v < 480)
    image[v[on], u[on]] = d[on]
    back = points_from_disparity(image, center=(320.0, 240.0), **RIG)
    assert_allclose(back[v[on], u[on]], p[on], atol=0.5 * 6.0 / 700.0 + 1e-9)
    step = 1e-4
    slope = depth_from_disparity(d - step, **RIG) - depth_from_disparity(d, **RIG)
    assert_allclose(depth_error(p[:, 2], step, **RIG), slope, rtol=1e-3)


def seen_by_pair(
    disparity: np.ndarray, texture: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return left and right image of a surface with a disparity given at the right."""
    _, u = np.indices(disparity.shape).astype(float)
    right = texture
    left = np.empty_like(texture)
    for row in range(len(texture)):  # the left pixel u + d shows what right u shows
        left[row] = np.interp(u[row], u[row] + disparity[row], texture[row])
    return left, right


def texture(shape=(60, 110), seed=0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=shape)
    soft = ndimage.gaussian_filter(noise, 1.0)
    return 128.0 + 100.0 * soft / np.abs(soft).max()


@pytest.mark.capability("GR-157")
@pytest.mark.parametrize("method", ["block", "semi-global"])
def test_disparities_of_a_slanted_wall_are_found_to_parts_of_a_pixel(method):
    _, u = np.indices((60, 110)).astype(float)
    truth = 6.0 + 0.06 * u
    left, right = seen_by_pair(truth, texture())
    found = disparity_image(left, right, max_disparity=16, method=method)
    # in left pixels: u_left = u + 6 + 0.06 u
    expected = 6.0 + 0.06 * (u - 6.0) / 1.06
    inner = np.s_[5:-5, 25:-5]
    is_known = np.isfinite(found[inner])
    off = (found - expected)[inner][is_known]
    assert is_known.mean() > 0.95
    assert np.median(np.abs(off)) < 0.1
    assert np.mean(np.abs(off) < 0.5) > 0.98
    theirs = cv2.StereoBM.create(16, 7).compute(
        np.round(left).astype(np.uint8), np.round(right).astype(np.uint8)
    )
    theirs = np.where(theirs >= 0, theirs / 16.0, np.nan)[inner]
    both = is_known & np.isfinite(theirs)
    assert np.median(np.abs(found[inner] - theirs)[both]) < 0.2


@pytest.mark.capability("GR-157")
def test_what_only_one_camera_sees_is_not_guessed():
    truth = np.full((60, 110), 3.0)
    truth[:, 45:] = 12.0  # a nearer box hides a strip of the wall
    left, right = seen_by_pair(truth, texture(seed=3))
    found = disparity_image(left, right, max_disparity=16)
    assert_allclose(np.nanmedian(found[5:-5, 20:44]), 3.0, atol=0.1)
    assert_allclose(np.nanmedian(found[5:-5, 65:100]), 12.0, atol=0.1)
    assert np.isnan(found[5:-5, 48:57]).mean() > 0.5


@pytest.mark.capability("GR-157")
def test_rectified_cameras_see_a_point_in_the_same_row():
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec([0.05, -0.1, 0.08]).as_matrix()
    T[:3, 3] = 0.2, 0.03, -0.02
    R_new_left, R_new_right = rectifying_rotations(T)
    p_left = np.random.default_rng(0).uniform([-1, -1, 2], [1, 1, 5], (40, 3))
    p_right = (p_left - T[:3, 3]) @ T[:3, :3]
    a, b = p_left @ R_new_left.T, p_right @ R_new_right.T
    assert_allclose(a[:, 1] / a[:, 2], b[:, 1] / b[:, 2], atol=1e-12)
    d = a[:, 0] / a[:, 2] - b[:, 0] / b[:, 2]
    assert_allclose(np.linalg.norm(T[:3, 3]) / d, a[:, 2])
    K = np.diag([700.0, 700.0, 1.0])
    R = T[:3, :3].T
    theirs, _, *_ = cv2.stereoRectify(K, None, K, None, (640, 480), R, -R @ T[:3, 3])
    assert_allclose(R_new_left[0], theirs[0], atol=1e-9)  # the same baseline
    assert_allclose(R_new_left, theirs, atol=0.02)  # they share the turn otherwise
    assert (a[:, 2] > 0.0).all()
    T[:3, 3] = 0.0
    with pytest.raises(ConfigError, match="baseline"):
        rectifying_rotations(T)


@pytest.mark.capability("GR-157")
def test_semi_global_costs_are_those_of_a_loop_over_one_row():
    C = np.random.default_rng(0).uniform(0.0, 9.0, (1, 8, 5))
    p1, p2 = 1.0, 3.0

    def along(row: np.ndarray) -> np.ndarray:
        out = [list(row[0])]
        for k in range(1, len(row)):
            last, least = out[-1], min(out[-1])
            cell = []
            for d in range(5):
                tries = [last[d], least + p2]
                tries += [last[e] + p1 for e in (d - 1, d + 1) if 0 <= e < 5]
                cell.append(row[k, d] + min(tries) - least)
            out.append(cell)
        return np.array(out)

    expected = 2.0 * C[0] + along(C[0]) + along(C[0][::-1])[::-1]
    assert_allclose(semi_global_costs(C, small_step=p1, large_step=p2)[0], expected)
    with pytest.raises(ShapeError, match="right"):
        matching_costs(np.zeros((4, 9)), np.zeros((4, 8)), max_disparity=2)


CAMERA = Intrinsics(width=640, height=480, fx=700, fy=700, cx=320, cy=240)


def projector(columns: int = 1024) -> Projector:
    T = np.eye(4)
    T[0, 3] = 0.2
    return Projector(columns=columns, focal=800.0, center=512.0, T_camera_projector=T)


@pytest.mark.capability("GR-158")
def test_column_phase_and_point_of_the_course():  # TV-D21
    assert format(int(gray_code(437)), "010b") == "0101101111"
    assert number_from_gray(gray_code(np.arange(2048))).tolist() == list(range(2048))
    phase, modulation = decode_phase(wave_patterns(1024, periods=16)[:, 437])
    unit, _ = decode_phase(wave_patterns(1024, periods=1)[:, 437])
    assert phase == pytest.approx(-1.079922, abs=1e-6)
    assert modulation == pytest.approx(0.5)
    k = period_from_phase(phase, unit, periods=16)
    assert k == 7
    assert column_from_phase(phase, k, periods=16, columns=1024) == pytest.approx(437.0)
    p = triangulate_columns(CAMERA, projector(), [378.333333, 210.833333], 445.333333)
    assert_allclose(p, [0.1, -0.05, 1.2], atol=1e-6)


@pytest.mark.capability("GR-158")
def test_neighbouring_stripes_differ_in_one_pattern():
    patterns = gray_patterns(300)
    assert patterns.shape == (9, 300)
    assert np.all(np.count_nonzero(np.diff(patterns, axis=1), axis=0) == 1)


def lit_scene() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return pixels, points on a wavy surface, and the projector's columns there."""
    v, u = np.mgrid[100:380:20, 120:520:20].astype(float)
    pixels = np.stack([u, v], axis=-1)
    rays = np.stack([(u - 320) / 700, (v - 240) / 700, np.ones_like(u)], axis=-1)
    depth = 1.2 + 0.1 * np.sin(u / 60.0) * np.cos(v / 50.0)
    points = rays * depth[..., None]
    R = Rotation.from_euler("y", -0.1).as_matrix()
    at = (points - [0.2, 0.0, 0.0]) @ R
    return pixels, points, 512.0 + 800.0 * at[..., 0] / at[..., 2]


@pytest.mark.capability("GR-158")
def test_decoded_depth_is_that_of_the_scene():
    pixels, points, column = lit_scene()
    T = np.eye(4)
    T[:3, :3] = Rotation.from_euler("y", -0.1).as_matrix()
    T[0, 3] = 0.2
    device = Projector(columns=1024, focal=800.0, center=512.0, T_camera_projector=T)
    rng = np.random.default_rng(0)
    surface = rng.uniform(0.3, 1.0, column.shape)  # dark and bright patches
    ambient, noise = 20.0, 0.5

    def see(light):
        return (
            ambient + 150.0 * surface * light + noise * rng.normal(size=surface.shape)
        )

    nearest = np.round(column).astype(int)
    stripes = gray_patterns(1024)
    code, is_known = decode_gray(
        [see(p[nearest]) for p in stripes],
        [see(~p[nearest]) for p in stripes],
        min_contrast=10.0,
    )
    assert is_known.all()
    assert np.array_equal(code, nearest)
    coarse = triangulate_columns(CAMERA, device, pixels, code)
    waves = [
        see(0.5 * (1 + np.cos(2 * np.pi * (32 * column / 1024 + n / 4))))
        for n in range(4)
    ]
    phase, _ = decode_phase(waves)
    k = period_from_column(phase, code, periods=32, columns=1024)
    fine = column_from_phase(phase, k, periods=32, columns=1024)
    exact = triangulate_columns(CAMERA, device, pixels, fine)
    rough, small = (np.abs((p - points)[..., 2]) for p in (coarse, exact))
    assert rough.max() < 6e-3
    assert small.mean() < 0.2 * rough.mean()
    dark = decode_gray(np.ones((3, 4)), np.ones((3, 4)), min_contrast=1.0)
    assert dark[0].tolist() == [-1] * 4


@pytest.mark.capability("GR-158")
def test_three_shifts_are_needed_for_a_phase():
    with pytest.raises(ShapeError, match="N >= 3"):
        decode_phase([1.0, 2.0])
    with pytest.raises(ConfigError, match="three"):
        wave_patterns(64, periods=2, count=2)


@pytest.mark.capability("GR-159")
def test_a_wall_without_texture_is_matched_under_a_pattern():
    v, u = np.indices((60, 110)).astype(float)
    truth = np.full(u.shape, 8.0)
    plain = np.full(u.shape, 120.0) + 0.3 * np.random.default_rng(1).normal(
        size=u.shape
    )
    left, right = seen_by_pair(truth, plain)
    assert not has_texture(left).any()
    assert np.isnan(disparity_image(left, right, max_disparity=16)).all()
    # The projector stands somewhere; the light is fixed to the wall, both see it there.
    dots = 100.0 * (np.random.default_rng(2).uniform(size=(64, 64)) < 0.3)
    light = projected_texture(0.8 * u + 5.3, 0.8 * v + 2.1, dots)
    lit_left, lit_right = seen_by_pair(truth, plain + light)
    found = disparity_image(lit_left, lit_right, max_disparity=16)[5:-5, 20:-5]
    assert np.isfinite(found).mean() > 0.95
    assert_allclose(np.nanmedian(found), 8.0, atol=0.1)
    assert np.nanmean(np.abs(found - 8.0) < 0.5) > 0.98


@pytest.mark.capability("GR-159")
def test_projected_light_is_interpolated_as_by_scipy():
    pattern = np.random.default_rng(0).uniform(size=(12, 16))
    x, y = np.random.default_rng(1).uniform(0.0, 10.9, (2, 30))
    theirs = ndimage.map_coordinates(pattern, [x, y], order=1)
    assert_allclose(projected_texture(y, x, pattern), theirs)


@pytest.mark.capability("GR-160")
def test_shutter_and_clock_of_the_course():
    assert distance_from_gates(0.7, 0.3, pulse=30e-9) == pytest.approx(
        1.349066, abs=1e-6
    )
    assert distance_from_time(20e-9) == pytest.approx(2.997925, abs=1e-6)
    assert unambiguous_range(20e6) == pytest.approx(7.494811, abs=1e-6)
    assert distance_from_phase(np.pi / 2, frequency=20e6) == pytest.approx(
        1.873703, abs=1e-6
    )


@pytest.mark.capability("GR-160")
def test_phases_give_distances_back_and_wrap_around():
    d = np.random.default_rng(0).uniform(0.0, 7.4, (6, 8))
    seen = phase_samples(d, frequency=20e6, amplitude=3.0, offset=11.0)
    phase, amplitude, offset = phase_from_samples(seen)
    assert_allclose(distance_from_phase(phase, frequency=20e6), d)
    assert_allclose(amplitude, 3.0)
    assert_allclose(offset, 11.0)
    far = phase_samples(
        d + unambiguous_range(20e6), frequency=20e6, amplitude=3.0, offset=11.0
    )
    assert_allclose(far, seen, atol=1e-9)
    with pytest.raises(ShapeError, match=r"\(4, \.\.\.\)"):
        phase_from_samples(np.zeros(3))


@pytest.mark.capability("GR-160")
def test_four_samples_are_the_correlation_of_sent_and_received_light():
    # what a lock-in pixel does, by integration over a thousand periods' worth of time
    f, d = 20e6, 2.345
    t = np.linspace(0.0, 1.0 / f, 4000, endpoint=False)
    echo = 5.0 + 2.0 * np.cos(2.0 * np.pi * f * (t - 2.0 * d / speed_of_light))
    samples = [
        np.mean(echo * (1.0 + np.cos(2.0 * np.pi * f * t + k * np.pi / 2.0)))
        for k in range(4)
    ]
    phase, _, _ = phase_from_samples(samples)
    assert distance_from_phase(phase, frequency=f) == pytest.approx(d, abs=1e-6)


@pytest.mark.capability("GR-160")
def test_two_frequencies_reach_beyond_the_wrap_of_each():
    d = np.random.default_rng(1).uniform(0.0, 70.0, 200)
    f = (20e6, 18e6)  # together unambiguous to 75 m
    rng = np.random.default_rng(2)
    phases = [
        phase_from_samples(phase_samples(d, frequency=g, amplitude=1.0, offset=2.0))[0]
        + 0.01 * rng.normal(size=200)
        for g in f
    ]
    found = distance_from_two_phases(*phases, frequencies=f)
    assert np.abs(found - d).max() < 0.05


@pytest.mark.capability("GR-160")
def test_shutters_see_the_share_of_the_pulse_that_came_back():
    pulse, t = 30e-9, np.linspace(0.0, 60e-9, 60_001)
    for d in (0.4, 1.349066, 3.9):
        delay = 2.0 * d / speed_of_light
        echo = (t >= delay) & (t < delay + pulse)
        q1, q2 = echo[t < pulse].mean() * 1.0, echo[(t >= pulse)].mean()
        assert distance_from_gates(q1, q2, pulse=pulse) == pytest.approx(d, abs=1e-3)
        assert distance_from_gates(
            *gated_charges(d, pulse=pulse), pulse=pulse
        ) == pytest.approx(d)
    far = distance_from_gates(*gated_charges(6.0, pulse=pulse), pulse=pulse)
    assert far == pytest.approx(0.5 * speed_of_light * pulse)  # all that it can say

"""Blur, brightness, noise and motion do to an image what their laws say."""

import mujoco
import numpy as np
import pytest
from scipy import ndimage, stats

from camera_scenes import (
    PLANE,
    SMALL,
    SPHERE,
    add_free_body,
    compiled,
    empty_spec,
    make_camera,
)
from camera_scenes import room as make_room
from gelenk.sim.bridge.cameras import add_camera, add_surroundings
from gelenk.sim.cameras.description import Camera, Light, SensorNoise
from gelenk.sim.cameras.develop import (
    Area,
    blur_area,
    expose,
    gaussian_weights,
    normal_table,
)
from gelenk.sim.cameras.rig import CameraRig
from gelenk.vision.camera import project, unproject


def look(*cameras: Camera, **options: object) -> list[np.ndarray]:
    model, data = make_room(cameras)
    with CameraRig(model, cameras, step=0.001, seed=3) as rig:
        return [
            rig.look(camera.name, data, **options).pixels.astype(float)
            for camera in cameras
        ]


def test_blur_agrees_with_scipy_on_any_part_of_an_image() -> None:
    rng = np.random.default_rng(0)
    image = rng.uniform(0, 255, (40, 50, 3)).astype(np.float32)
    weights = gaussian_weights(1.3)
    line = np.concatenate([weights[:0:-1], weights])
    out = np.full_like(image, -1.0)
    area = Area(5, 0, 40, 31)

    blur_area(image, weights, area, np.empty_like(image), out)

    wanted = image.astype(float)
    for axis in (0, 1):
        wanted = ndimage.correlate1d(wanted, line, axis=axis, mode="nearest")
    np.testing.assert_allclose(out[5:40, :31], wanted[5:40, :31], rtol=0, atol=1e-3)
    assert (out[:5] == -1.0).all()
    assert (out[:, 31:] == -1.0).all()


def test_the_weights_have_the_standard_deviation_they_are_made_for() -> None:
    weights = gaussian_weights(0.9).astype(float)
    k = np.arange(len(weights))

    assert np.sqrt(2.0 * (weights * k**2).sum()) == pytest.approx(0.9, rel=0.01)


def test_noise_has_the_variance_of_its_law_and_the_shape_of_a_gaussian() -> None:
    levels = np.array([20.0, 90.0, 200.0], dtype=np.float32)
    image = np.repeat(levels, 300)[:, None, None] * np.ones((1, 400, 1), np.float32)
    out = np.empty(image.shape, dtype=np.uint8)
    bright = np.ones((900, 400, 1), dtype=np.float32)

    expose(image, bright, (1.5, 0.04), (7, 11, 2), normal_table(), out)

    for k, level in enumerate(levels.tolist()):
        part = out[300 * k : 300 * (k + 1)].astype(float)
        variance = 1.5**2 + 0.04 * level + 1.0 / 12.0  # the last: rounding to 8 bits
        count = part.size
        assert part.mean() == pytest.approx(level, abs=4 * np.sqrt(variance / count))
        assert part.var() == pytest.approx(variance, rel=4 * np.sqrt(2.0 / count))
        dithered = part + np.random.default_rng(0).uniform(-0.5, 0.5, part.shape)
        shape = stats.kstest(
            (dithered.ravel() - level) / np.sqrt(variance + 1.0 / 12.0), "norm"
        )
        assert shape.statistic < 0.01
    flat = out[:300].astype(float) - out[:300].mean()
    lags = [
        np.corrcoef(flat[:, :-d].ravel(), flat[:, d:].ravel())[0, 1] for d in (1, 4)
    ]
    assert np.abs(lags).max() < 4.0 / np.sqrt(flat.size)


def test_seed_camera_and_frame_each_select_other_noise() -> None:
    image = np.full((60, 80, 1), 100.0, dtype=np.float32)
    bright = np.ones((60, 80, 1), dtype=np.float32)

    def shot(*selector: int) -> np.ndarray:
        out = np.empty(image.shape, dtype=np.uint8)
        expose(image, bright, (2.0, 0.0), selector, normal_table(), out)
        return out.astype(float)

    base = shot(1, 5, 0)
    np.testing.assert_array_equal(base, shot(1, 5, 0))
    for other in (shot(2, 5, 0), shot(1, 6, 0), shot(1, 5, 1)):
        assert abs(np.corrcoef(base.ravel(), other.ravel())[0, 1]) < 0.06


def test_values_beyond_eight_bits_are_clipped_and_others_rounded() -> None:
    image = np.array([[[-3.0], [0.4], [0.6], [254.6], [300.0]]], dtype=np.float32)
    out = np.empty(image.shape, dtype=np.uint8)

    expose(
        image,
        np.ones((1, 5, 1), np.float32),
        (0.0, 0.0),
        (0, 0, 0),
        normal_table(),
        out,
    )

    assert out.ravel().tolist() == [0, 0, 1, 255, 255]


def test_one_seed_gives_one_image_and_another_seed_another() -> None:
    camera = make_camera(noise=SensorNoise(), blur=0.7)
    model, data = make_room([camera])
    images = []
    for seed in (4, 4, 5):
        with CameraRig(model, [camera], step=0.001, seed=seed) as rig:
            images.append(rig.look("eye", data).pixels)

    np.testing.assert_array_equal(images[0], images[1])
    assert (images[0] != images[2]).mean() > 0.5


def test_gain_and_vignetting_scale_the_light() -> None:
    plain, bright, dim = look(
        make_camera("plain"),
        make_camera("bright", gain=1.4),
        make_camera("dim", vignetting=1.0),
    )
    v, u = np.mgrid[0:120, 0:160].astype(float)
    rays = unproject(SMALL, np.stack([u, v], axis=-1))
    cosine = 1.0 / np.linalg.norm(rays, axis=-1)

    np.testing.assert_allclose(bright, np.minimum(1.4 * plain, 255), rtol=0, atol=1.3)
    np.testing.assert_allclose(dim, plain * cosine**4, rtol=0, atol=1.1)


def test_gray_is_the_luma_of_the_color_image() -> None:
    gray, color = look(make_camera("gray"), make_camera("color", color="rgb"))

    luma = color @ [0.299, 0.587, 0.114]
    assert np.abs(gray - luma).max() < 1.6
    assert np.std(color[..., 0] - color[..., 2]) > 5.0


@pytest.mark.parametrize("method", ["full", "cached"])
def test_motion_blur_is_the_mean_of_the_moments_of_the_exposure(method: str) -> None:
    spec = empty_spec()
    add_free_body(spec, "ball", SPHERE, [0.1], (-0.4, 2.0, 0.7), material="glow")
    sharp = make_camera("sharp", rate=10.0, method=method, samples=3)
    blurred = make_camera(
        "blurred", rate=10.0, exposure=0.008, sub_exposures=4, method=method, samples=3
    )
    for camera in (sharp, blurred):
        add_camera(spec, camera)
    model, data = compiled(spec)
    moments = []
    with CameraRig(model, [sharp, blurred], step=0.001, seed=0) as rig:
        for tick in range(10):
            data.qpos[0] = -0.4 + 0.03 * tick
            rig.capture(tick, data)
            if tick in (0, 2, 4, 6):
                moments.append(rig.look("sharp", data).pixels.astype(float))
        image = rig.image("blurred", 10)

    assert image is not None
    assert image.time == pytest.approx(0.003, abs=1e-12)
    np.testing.assert_allclose(
        image.pixels, np.mean(moments, axis=0), rtol=0, atol=1.01
    )
    assert np.abs(image.pixels - moments[0]).max() > 100


def test_a_ball_casts_a_shadow_only_where_shadows_are_wanted() -> None:
    spec = mujoco.MjSpec()
    add_surroundings(
        spec, lights=[Light(name="sun", direction=(0, 0, -1), ambient=(0.3, 0.3, 0.3))]
    )
    spec.worldbody.add_geom(type=PLANE, size=(9, 9, 1), rgba=(0.8, 0.8, 0.8, 1))
    add_free_body(spec, "ball", SPHERE, [0.2], (0.0, 3.0, 1.5))
    cameras = [make_camera("plain"), make_camera("shaded", shadows=True)]
    for camera in cameras:
        add_camera(spec, camera)
    model, data = compiled(spec)
    with CameraRig(model, cameras, step=0.001, seed=0) as rig:
        plain, shaded = (rig.look(c.name, data).pixels.astype(int) for c in cameras)

    T_world_camera = np.array(cameras[0].T_parent_camera)
    p_camera = T_world_camera[:3, :3].T @ ([0.0, 3.0, 0.0] - T_world_camera[:3, 3])
    u, v = np.rint(project(SMALL, p_camera)).astype(int)
    assert plain[v, u] - shaded[v, u] > 50  # straight below the ball
    assert abs(plain[v, u - 30] - shaded[v, u - 30]) <= 1

"""Images show the world at their exposure and arrive when their latency is over."""

from dataclasses import replace

import numpy as np
import pytest

from camera_scenes import SPHERE, add_free_body, compiled, empty_spec, make_camera
from camera_scenes import room as make_room
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.bridge.cameras import add_camera
from gelenk.sim.cameras.description import Camera, SensorNoise
from gelenk.sim.cameras.rig import CameraRig
from gelenk.sim.cameras.schedule import capture, make_bank, newest_frame

NOTHING = np.zeros((0, 3)), np.zeros((0, 4))


def delivered(camera: Camera, ticks: int, step: float = 0.001) -> list[tuple]:
    """Return (tick, frame, exposure time) at every tick where a new frame arrives."""
    bank, (row,) = make_bank([camera], step, 1)
    news: list[tuple] = []
    for tick in range(ticks):
        capture(bank, tick, np.array([float(tick)]), *NOTHING)
        frame = newest_frame(bank, row, tick)
        if frame is not None and (not news or news[-1][1] != frame.number):
            assert frame.states.mean() == frame.time  # a state is its own tick
            news.append((tick, frame.number, frame.time))
    return news


def test_frames_arrive_after_their_latency() -> None:
    camera = make_camera(rate=50.0, phase=0.003, latency=0.033)

    assert delivered(camera, 100) == [
        (36, 0, 3.0), (56, 1, 23.0), (76, 2, 43.0), (96, 3, 63.0),
    ]  # fmt: skip


def test_a_rate_that_does_not_divide_the_step_keeps_its_mean() -> None:
    news = delivered(make_camera(rate=30.0), 1001)

    assert len(news) == 31
    assert [tick for tick, _, _ in news[:4]] == [0, 33, 67, 100]
    assert news[30] == (1000, 30, 1000.0)


def test_an_exposure_is_stamped_with_its_middle_and_ends_before_it_arrives() -> None:
    camera = make_camera(rate=50.0, exposure=0.010, sub_exposures=5, latency=0.004)

    assert delivered(camera, 45) == [(12, 0, 4.0), (32, 1, 24.0)]


def test_a_frame_stays_until_the_next_one_arrives() -> None:
    bank, (row,) = make_bank([make_camera(rate=50.0, latency=0.055)], 0.001, 1)
    for tick in range(400):
        capture(bank, tick, np.array([float(tick)]), *NOTHING)
        frame = newest_frame(bank, row, tick)
        expected = (tick - 55) // 20
        assert (frame.number if frame else -1) == max(expected, -1)


def moving_ball(cameras: list[Camera]):
    spec = empty_spec()
    add_free_body(spec, "ball", SPHERE, [0.08], (-0.5, 2.0, 0.7), material="glow")
    for camera in cameras:
        add_camera(spec, camera)
    return compiled(spec)


def column_of(image: np.ndarray) -> float:
    weights = image.sum(axis=0).astype(float)
    return float((weights * np.arange(len(weights))).sum() / weights.sum())


@pytest.mark.capability("BB-62")
def test_a_stereo_pair_at_50_hz_shows_one_moment_in_both_gray_images() -> None:
    left, right = (
        make_camera(name, rate=50.0, latency=0.02, samples=3)
        for name in ("left", "right")
    )
    T = np.array(left.T_parent_camera)
    T[0, 3] += 0.2
    right = replace(right, T_parent_camera=T)
    model, data = moving_ball([left, right])
    disparities, times = [], []
    with CameraRig(model, [left, right], step=0.001, seed=0) as rig:
        for tick in range(100):
            data.qpos[0] = -0.3 + 0.006 * tick
            rig.capture(tick, data)
            images = rig.images(tick)
            a, b = images["left"], images["right"]
            if a is None or b is None:
                assert tick < 20
                continue
            assert a.time == b.time
            assert a.pixels.shape == (120, 160)
            assert a.pixels.dtype == np.uint8
            if a.time not in times:
                times.append(a.time)
                disparities.append(column_of(a.pixels) - column_of(b.pixels))
    # f b / z = 140 * 0.2 / 2.5: constant only if both see the ball at the same moment
    np.testing.assert_allclose(times, [0.0, 0.02, 0.04, 0.06], rtol=0, atol=1e-12)
    np.testing.assert_allclose(disparities, 11.2, rtol=0, atol=0.15)


def test_an_image_does_not_know_what_happened_after_its_exposure() -> None:
    camera = make_camera(rate=20.0, latency=0.03)
    model, data = moving_ball([camera])
    with CameraRig(model, [camera], step=0.001, seed=0) as rig:
        rig.capture(0, data)
        expected = rig.look("eye", data).pixels
        for tick in range(1, 31):
            data.qpos[0] += 0.05
            rig.capture(tick, data)
            assert rig.image("eye", tick) is None or tick == 30
        image = rig.image("eye", 30)

    assert image is not None
    assert (image.frame, image.time) == (0, 0.0)
    np.testing.assert_array_equal(image.pixels, expected)
    assert not image.pixels.flags.writeable


def test_restoring_the_arrays_brings_back_the_same_images() -> None:
    camera = make_camera(rate=100.0, latency=0.015, noise=SensorNoise(), blur=0.5)
    model, data = make_room([camera])
    start = data.qpos.copy()

    def run(rig: CameraRig, first: int, last: int, speed: float) -> list[np.ndarray]:
        images = []
        for tick in range(first, last):
            data.qpos[0] = start[0] + speed * tick
            rig.capture(tick, data)
            image = rig.image("eye", tick)
            if image is not None:
                images.append(image.pixels)
        return images

    with CameraRig(model, [camera], step=0.001, seed=0) as rig:
        run(rig, 0, 37, 0.01)
        saved = [array.copy() for array in rig.state_arrays()]
        first = run(rig, 37, 80, 0.01)
        run(rig, 80, 130, -0.01)
        for array, old in zip(rig.state_arrays(), saved, strict=True):
            array[...] = old
        other = run(rig, 37, 80, -0.02)
        for array, old in zip(rig.state_arrays(), saved, strict=True):
            array[...] = old
        again = run(rig, 37, 80, 0.01)

    np.testing.assert_array_equal(first, again)
    assert any((a != b).any() for a, b in zip(first, other, strict=True))


def test_after_a_rewind_a_frame_of_the_same_number_shows_what_happened_then() -> None:
    camera = make_camera(rate=100.0)
    model, data = moving_ball([camera])
    columns = []
    with CameraRig(model, [camera], step=0.001, seed=0) as rig:
        rig.capture(0, data)
        saved = [array.copy() for array in rig.state_arrays()]
        for place in (-0.2, 0.3):
            for array, old in zip(rig.state_arrays(), saved, strict=True):
                array[...] = old
            data.qpos[0] = place
            for tick in range(1, 11):
                rig.capture(tick, data)
            image = rig.image("eye", 10)
            assert image is not None
            assert image.frame == 1
            columns.append(column_of(image.pixels))

    assert columns[1] - columns[0] > 20


def test_workers_do_not_change_an_image() -> None:
    cameras = [
        make_camera(f"eye{i}", noise=SensorNoise(), gain=1.0 + 0.1 * i)
        for i in range(3)
    ]
    model, data = make_room(cameras)
    results = []
    for workers in (1, 2, 3):
        with CameraRig(model, cameras, step=0.001, seed=0, workers=workers) as rig:
            rig.capture(0, data)
            results.append([image.pixels for image in rig.images(0).values() if image])

    for other in results[1:]:
        np.testing.assert_array_equal(results[0], other)


def test_timing_that_does_not_fit_the_physics_is_refused() -> None:
    model, _ = make_room([make_camera()])
    for changes, words in (
        ({"rate": 2000.0}, "higher than that of the physics"),
        ({"exposure": 0.003, "sub_exposures": 5}, "use at most 3"),
    ):
        with pytest.raises(ConfigError, match=words):
            CameraRig(model, [make_camera(**changes)], step=0.001, seed=0)
    with pytest.raises(ConfigError, match="must be shorter than the time between"):
        make_camera(rate=50.0, exposure=0.02)


def test_unknown_cameras_are_named_with_the_closest_one() -> None:
    model, _ = make_room([make_camera("left")])
    rig = CameraRig(model, [make_camera("left")], step=0.001, seed=0)

    with pytest.raises(NameNotFoundError, match="Did you mean 'left'"):
        rig.image("lefd", 0)
    with pytest.raises(NameNotFoundError, match="camera named 'right'"):
        CameraRig(model, [make_camera("right")], step=0.001, seed=0)


def test_a_world_without_cameras_stores_nothing() -> None:
    model, data = make_room([])
    rig = CameraRig(model, [], step=0.001, seed=0)
    rig.capture(0, data)

    assert rig.images(0) == {}
    assert all(array.size == 0 for array in rig.state_arrays())

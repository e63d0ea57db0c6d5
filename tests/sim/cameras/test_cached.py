"""Drawing only what moves gives the image that drawing everything gives."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from camera_scenes import (
    BOX,
    SMALL,
    SPHERE,
    add_free_body,
    compiled,
    make_camera,
)
from camera_scenes import room as make_room
from gelenk.errors import ConfigError
from gelenk.sim.bridge.cameras import add_camera, add_light, add_surroundings
from gelenk.sim.cameras.description import Light, SensorNoise
from gelenk.sim.cameras.rig import CameraRig

BENT = replace(SMALL, distortion=(-0.25, 0.08, 0.001, -0.001, 0.0))


def move_at_random(data, rng: np.random.Generator) -> None:
    free = data.qpos.reshape(-1, 7)
    free[:, :3] = rng.uniform([-1.5, 0.4, 0.1], [1.5, 4.5, 1.3], (len(free), 3))
    free[:, 3:] = rng.normal(size=(len(free), 4))
    free[:, 3:] /= np.linalg.norm(free[:, 3:], axis=1, keepdims=True)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"samples": 1},
        {"samples": 3, "color": "rgb", "blur": 0.7, "vignetting": 0.8},
        {"intrinsics": BENT, "blur": 0.5},
        {"noise": SensorNoise(), "blur": 1.0},
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_cached_images_equal_full_ones(changes: dict, seed: int) -> None:
    full = make_camera(method="full", **changes)
    cached = make_camera(method="cached", **changes)
    model, data = make_room([full], seed)
    rng = np.random.default_rng(seed)
    differences = []
    with (
        CameraRig(model, [full], step=0.001, seed=5) as all_drawn,
        CameraRig(model, [cached], step=0.001, seed=5) as moving_drawn,
    ):
        assert not all_drawn.is_cached("eye")
        assert moving_drawn.is_cached("eye")
        for frame in range(6):
            move_at_random(data, rng)
            a = all_drawn.look("eye", data, frame=frame).pixels.astype(int)
            b = moving_drawn.look("eye", data, frame=frame).pixels.astype(int)
            assert a.std() > 20
            differences.append(np.abs(a - b))

    # Windows shift the drawing by whole samples, which may round an edge otherwise.
    assert (np.array(differences) > 1).mean() < 1e-4
    assert (np.array(differences) > 0).mean() < 1e-3


def test_sub_exposures_are_cached_as_they_are_drawn_in_full() -> None:
    options = {"rate": 20.0, "exposure": 0.01, "sub_exposures": 5, "blur": 0.6}
    full = make_camera("full", method="full", **options)
    cached = make_camera("cached", method="cached", **options)
    model, data = make_room([full, cached])
    with CameraRig(model, [full, cached], step=0.001, seed=5) as rig:
        for tick in range(120):
            data.qpos.reshape(-1, 7)[:, 0] += 0.003
            rig.capture(tick, data)
            if tick % 50 == 20:
                images = rig.images(tick)
                assert images["full"] is not None
                assert images["cached"] is not None
                difference = images["full"].pixels.astype(int) - images["cached"].pixels
                assert (np.abs(difference) > 1).mean() < 1e-4


def test_what_leaves_the_image_leaves_no_trace() -> None:
    camera = make_camera(blur=0.7)
    model, data = make_room([camera])
    away = data.qpos.copy()
    away.reshape(-1, 7)[:, 1] = -50.0
    with CameraRig(model, [camera], step=0.001, seed=5) as rig:
        here = data.qpos.copy()
        data.qpos[:] = away
        empty = rig.look("eye", data).pixels
        data.qpos[:] = here
        full = rig.look("eye", data).pixels
        data.qpos[:] = away
        again = rig.look("eye", data).pixels

    np.testing.assert_array_equal(again, empty)
    assert (full != empty).sum() > 500


def test_a_body_at_the_lens_fills_the_image() -> None:
    full = make_camera("full", method="full")
    cached = make_camera("cached", method="cached")
    model, data = make_room([full, cached])
    data.qpos[:3] = (0.0, -0.42, 0.7)  # 8 cm in front of the camera
    with CameraRig(model, [full, cached], step=0.001, seed=5) as rig:
        a, b = (rig.look(name, data).pixels.astype(int) for name in ("full", "cached"))

    assert (np.abs(a - b) > 1).mean() < 1e-4


def scene_with(**geom: object) -> mujoco.MjSpec:
    spec = mujoco.MjSpec()
    add_surroundings(spec)
    add_free_body(spec, "ball", SPHERE, [0.1], (0.0, 2.0, 0.5))
    spec.worldbody.add_geom(name="pane", type=BOX, size=(0.3, 0.01, 0.3), **geom)
    return spec


def test_glass_shadows_and_moving_lights_or_cameras_are_not_cached() -> None:
    glass = scene_with(rgba=(1, 1, 1, 0.4))
    lamp = scene_with()
    add_light(lamp, Light(name="lamp", parent="ball", kind="spot"))
    for spec, options, reason in (
        (glass, {}, "'pane' is transparent"),
        (lamp, {}, "'lamp' moves"),
        (scene_with(), {"shadows": True}, "shadows"),
        (scene_with(), {"parent": "ball"}, "it moves"),
    ):
        auto = make_camera("auto", method="auto", **options)
        cached = make_camera("cached", method="cached", **options)
        for camera in (auto, cached):
            add_camera(spec, camera)
        model, _ = compiled(spec)

        assert not CameraRig(model, [auto], step=0.001, seed=0).is_cached("auto")
        with pytest.raises(ConfigError, match=reason):
            CameraRig(model, [cached], step=0.001, seed=0)


def test_a_changed_background_is_drawn_after_forgetting() -> None:
    camera = make_camera()
    model, data = make_room([camera])
    with CameraRig(model, [camera], step=0.001, seed=5) as rig:
        before = rig.look("eye", data).pixels
        model.geom_rgba[0] = (0.0, 0.0, 0.0, 1.0)  # the floor
        rig.forget_backgrounds()
        after = rig.look("eye", data).pixels

    assert after[-5:].mean() < before[-5:].mean() - 50

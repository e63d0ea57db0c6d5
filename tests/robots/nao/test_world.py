"""The simulated NAO: what its sensors and images say against closed-form truth.

Corners in images are found by OpenCV, which knows nothing of robots.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.nao import config, sandal
from gelenk.robots.nao.drives import servo_motors, stiffness
from gelenk.robots.nao.errors import CASES, NaoErrors, draw_errors
from gelenk.robots.nao.joints import body_from_model, model_from_body
from gelenk.robots.nao.light import SCENES
from gelenk.robots.nao.robot_with_errors import nominal_model, rest_body, true_model
from gelenk.robots.nao.truth import project_truth, true_body
from gelenk.robots.nao.world import (
    Level,
    NaoNames,
    NaoWorldCfg,
    make_world,
    press_bumper,
    release_bumper,
)
from gelenk.sim import World
from gelenk.typing import FloatArray

ONE_CAMERA = NaoWorldCfg(upper_camera=False)
LEG = (-20.0, 5.0, -60.0, 70.0, -25.0, 8.0)


def pose(
    leg: tuple[float, ...] = LEG, head: tuple[float, float] = (19.0, 13.0)
) -> FloatArray:
    q22 = rest_body()
    q22[:2] = np.deg2rad(head)
    q22[10:16] = np.deg2rad(leg)
    q22[16] = q22[10]
    return q22


def reading(world: World, names: NaoNames) -> FloatArray:
    value = world.read(names.encoders).value
    assert value is not None
    return body_from_model(nominal_model(), value)


def look(world: World, names: NaoNames) -> np.ndarray:
    image = world.image(names.lower)
    assert image is not None
    return image.pixels


def found(image: np.ndarray, around: FloatArray) -> FloatArray | None:
    """Corners of the whole board near some points, in some order."""
    low = np.maximum(around.min(axis=0) - 30.0, 0.0).astype(int)
    high = (around.max(axis=0) + 30.0).astype(int)
    part = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
    is_found, corners = cv2.findChessboardCornersSB(
        part, (6, 4), flags=cv2.CALIB_CB_ACCURACY
    )
    return corners[:, 0] + low if is_found else None


def offsets(image: np.ndarray, wanted: FloatArray) -> FloatArray:
    """From the wanted corners to those found, in the order of the wanted ones."""
    corners = found(image, wanted)
    assert corners is not None
    distance = np.linalg.norm(corners[None] - wanted[:, None], axis=2)
    index = distance.argmin(axis=1)
    assert len(set(index.tolist())) == 24
    return corners[index] - wanted


@pytest.mark.slow
@pytest.mark.capability("CA-86")
@pytest.mark.capability("CA-87")
@pytest.mark.capability("CA-19")
@pytest.mark.parametrize("case", [None, 7])
def test_images_show_the_board_where_the_hidden_errors_put_it(case: int | None) -> None:
    errors = NaoErrors() if case is None else CASES[case]
    world, names = make_world(errors, q22=pose(), cfg=ONE_CAMERA)
    with world:
        world.run(1.01)
        wanted = project_truth(errors, reading(world, names), "left").pixels
        off = offsets(look(world, names), wanted)
        assert np.abs(off.mean(axis=0)).max() < 0.03  # [px]
        assert off.std(axis=0).max() < 0.06
        if case is not None:  # and not where the documented robot would show it
            nominal = project_truth(NaoErrors(), reading(world, names), "left").pixels
            assert np.linalg.norm(nominal - wanted, axis=1).mean() > 3.0


@pytest.mark.slow
@pytest.mark.capability("CA-88")
def test_the_thigh_hides_the_board_in_images() -> None:
    q22 = pose((-19.0, -4.0, -75.0, 112.0, 14.0, 15.0), (29.0, 24.0))
    assert project_truth(NaoErrors(), q22, "left").is_visible.all()
    world, names = make_world(NaoErrors(), q22=q22, cfg=ONE_CAMERA)
    with world:
        world.run(1.01)
        image = look(world, names)
        view = project_truth(NaoErrors(), reading(world, names), "left")
    assert found(image, view.pixels) is None
    contrast: list[float] = []
    for x, y in view.pixels.round().astype(int):
        patch = image[max(y - 4, 0) : y + 5, max(x - 4, 0) : x + 5]
        contrast.append(float(np.ptp(patch)))
    rows = np.array(contrast).reshape(4, 6)
    assert (rows[:, 5] > 120.0).all()
    assert (rows[2:, 0] < 20.0).all()


@pytest.mark.slow
@pytest.mark.capability("CA-16")
def test_the_one_hip_motor_swings_both_legs_in_physics() -> None:
    world, names = make_world(NaoErrors(), level=1, cfg=ONE_CAMERA)
    with world:
        model = nominal_model()
        q22 = rest_body()
        q22[10] = np.deg2rad(-30.0)
        world.command(names.robot, model_from_body(model, q22), stiffness(model))
        world.run(1.5)
        q = model_from_body(model, reading(world, names))
        assert np.rad2deg(q[model.joint_id("LHipYawPitch")]) == pytest.approx(
            -30, abs=1
        )
        for link in ("l_sole", "r_sole"):
            got = torso_from_world(world.pose(f"nao/{link}"))
            assert_allclose(got, model.forward(q, link), atol=1e-6)


@pytest.mark.slow
@pytest.mark.capability("CA-86")
@pytest.mark.parametrize("seed", [0, 1])
def test_gears_give_way_behind_the_encoders_as_the_law_says(seed: int) -> None:
    errors = draw_errors(np.random.default_rng(seed), level=3)
    q22 = pose()
    world, names = make_world(errors, level=3, q22=q22, cfg=ONE_CAMERA)
    with world:
        model, values = true_model(errors), list[FloatArray]()
        world.run(1.5)
        for _ in range(40):
            world.run(0.01)
            values.append(reading(world, names))
        read = np.mean(values, axis=0)
        # Steps of 0.1 deg and noise stay in the mean of 40 readings.
        T_world = torso_from_world(world.pose("nao/l_sandal"))
    real = true_body(errors, read)
    offset = np.array([*errors.neck, *(0.0,) * 8, *errors.left, *errors.right])
    sagged = model.forward(model_from_body(model, real - offset), "l_sandal")
    stiff = model.forward(model_from_body(model, read), "l_sandal")
    assert np.abs(corners_at(T_world) - corners_at(sagged)).max() < 0.0006  # [m]
    assert np.abs(corners_at(T_world) - corners_at(stiff)).max() > 0.002


def corners_at(T: FloatArray) -> FloatArray:
    return sandal.corners() @ T[:3, :3].T + T[:3, 3]


def torso_from_world(T_world_link: FloatArray) -> FloatArray:
    """The torso lies on its back: x up, z towards -x, 75 mm above the floor."""
    T_world_torso = np.array(
        [
            [0.0, 0.0, -1.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.075],
            [0, 0, 0, 1],
        ]
    )
    return np.linalg.inv(T_world_torso) @ T_world_link


def test_encoders_are_exact_at_level_one_and_have_steps_at_level_two() -> None:
    levels: tuple[tuple[Level, bool], ...] = ((1, True), (2, False))
    for level, is_exact in levels:
        world, names = make_world(NaoErrors(), level=level, q22=pose(), cfg=ONE_CAMERA)
        with world:
            world.run(1.0)
            value = np.asarray(world.read(names.encoders).value)
            steps = value / np.deg2rad(0.1)
            is_stepped = np.abs(steps - steps.round()).max() < 1e-9
            assert is_stepped != is_exact
            error = np.abs(value - world.joint_positions(names.robot)).max()
            # Not quite at rest: a sample is up to 10 ms old.
            assert error < 1e-6 if is_exact else 1e-4 < error < np.deg2rad(0.15)


def test_legs_sag_under_their_weight_and_more_when_soft() -> None:
    sag = []
    for hardness in (0.75, 0.3):
        world, names = make_world(NaoErrors(), q22=pose(), cfg=ONE_CAMERA)
        with world:
            model = nominal_model()
            soft = stiffness(model, np.full(22, hardness))
            world.command(names.robot, model_from_body(model, pose()), soft)
            world.run(1.5)
            sag.append(np.rad2deg((reading(world, names) - pose())[12]))
    assert 0.1 < sag[0] < 1.0  # hip pitch is pulled towards the floor
    assert sag[1] == pytest.approx(sag[0] * 0.75 / 0.3, rel=0.1)


def test_a_motor_without_stiffness_lets_the_leg_fall() -> None:
    world, names = make_world(NaoErrors(), q22=pose(), cfg=ONE_CAMERA)
    with world:
        model = nominal_model()
        world.command(names.robot, model_from_body(model, pose()), np.zeros(25))
        world.run(0.5)
        assert np.rad2deg(np.abs(reading(world, names) - pose()).max()) > 10.0


def test_the_left_bumper_feels_a_finger_and_nothing_else_does() -> None:
    world, names = make_world(NaoErrors(), cfg=ONE_CAMERA)
    with world:
        world.run(0.1)
        assert world.read(names.bumpers).value == pytest.approx([0, 0, 0, 0])
        press_bumper(world, names)
        pressed = []
        for _ in range(6):
            world.run(0.005)
            pressed.append(np.array(world.read(names.bumpers).value))
        assert np.max(pressed, axis=0) == pytest.approx([1, 0, 0, 0])
        release_bumper(world, names)
        world.run(0.1)
        assert world.read(names.bumpers).value == pytest.approx([0, 0, 0, 0])


def test_the_imu_feels_that_the_robot_lies_on_its_back() -> None:
    world, names = make_world(NaoErrors(), cfg=ONE_CAMERA)
    with world:
        world.run(0.5)
        value = np.asarray(world.read(names.imu).value)
    assert_allclose(value, [9.81, 0.0, 0.0, 0.0, 0.0, 0.0], atol=1e-6)


@pytest.mark.slow
@pytest.mark.capability("CA-87")
@pytest.mark.parametrize("light", sorted(SCENES))
def test_the_board_is_found_in_all_light(light: str) -> None:
    world, names = make_world(
        NaoErrors(), light=light, level=2, q22=pose(), cfg=ONE_CAMERA
    )
    with world:
        world.run(1.01)
        image = look(world, names)
        wanted = project_truth(NaoErrors(), reading(world, names), "left").pixels
    # Light tiles in the middle of the first row: of the bright and of the dark side.
    grid = wanted.reshape(4, 6, 2)
    tiles = (grid[:-1, :-1] + grid[1:, 1:]) / 2.0
    x, y = tiles.round().astype(int).reshape(-1, 2).T
    brightness = image[y, x].reshape(3, 5).astype(float)
    light_tiles = brightness[np.indices((3, 5)).sum(axis=0) % 2 == 1]
    dark_tiles = brightness[np.indices((3, 5)).sum(axis=0) % 2 == 0]
    step = np.percentile(light_tiles, 90) / np.percentile(light_tiles, 10)
    assert light_tiles.min() > dark_tiles.min() + 20.0
    if SCENES[light].shadow:
        assert 2.0 < step < 7.0
    else:
        assert step < 1.5
        # Steps of the encoders move the whole board by a pixel.
        assert np.abs(offsets(image, wanted)).max() < 1.5


def test_darker_scenes_have_noisier_images() -> None:
    noise = [SCENES[name].gain for name in ("711lx", "290lx", "105lx", "45lx")]
    assert noise == sorted(noise)
    assert all(2.0 <= s.step <= 7.0 for s in SCENES.values() if s.shadow)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_image_and_another_does_not() -> None:
    images = []
    for seed in (1, 1, 2):
        world, names = make_world(
            CASES[5], level=2, seed=seed, q22=pose(), cfg=ONE_CAMERA
        )
        with world:
            world.run(0.1)
            images.append(look(world, names))
    assert (images[0] == images[1]).all()
    assert (images[0] != images[2]).any()


@pytest.mark.slow
@pytest.mark.parametrize(
    "cfg",
    [
        NaoWorldCfg(upper_camera=False, boards=("right",)),
        NaoWorldCfg(upper_camera=False, flipped=("left",)),
        NaoWorldCfg(upper_camera=False, has_lens_cap=True),
    ],
    ids=["no board", "print down", "lens cap"],
)
def test_what_went_wrong_is_seen_in_the_image(cfg: NaoWorldCfg) -> None:
    world, names = make_world(NaoErrors(), q22=pose(), cfg=cfg)
    with world:
        world.run(0.1)
        image = look(world, names)
        wanted = project_truth(NaoErrors(), pose(), "left").pixels
        assert found(image, wanted) is None
        assert (image.max() < 5) == cfg.has_lens_cap


def test_unknown_light_and_level_are_refused() -> None:
    with pytest.raises(NameNotFoundError, match="Did you mean '711lx'"):
        make_world(NaoErrors(), light="71lx")
    with pytest.raises(ConfigError, match="`level` must be 1, 2 or 3"):
        make_world(NaoErrors(), level=4)  # pyright: ignore[reportArgumentType]


def test_every_driven_joint_has_a_motor_and_play_needs_elastic_teeth() -> None:
    model = nominal_model()
    motors = servo_motors(NaoErrors(), level=3)
    assert set(motors) == set(model.joint_names)
    assert all(motor.backlash is None for motor in motors.values())
    with pytest.raises(ConfigError, match="LHipYawPitch: a drive with play"):
        servo_motors(NaoErrors(play=(0.01,) * 12), level=3)
    soft = NaoErrors(play=(0.01,) * 12, compliance=(0.005,) * 12)
    assert servo_motors(soft, level=2)["LKneePitch"].backlash is None
    knee = servo_motors(soft, level=3)["LKneePitch"].backlash
    assert knee is not None
    assert (knee.half_gap, knee.stiffness) == (0.01, pytest.approx(200.0))


def test_the_floor_is_as_far_below_the_torso_as_documented() -> None:
    world, _ = make_world(NaoErrors(), cfg=ONE_CAMERA)
    with world:
        assert world.pose("nao/torso")[2, 3] == -config.FLOOR

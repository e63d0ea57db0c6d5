"""Pictures of real cells: both renderers, several robots, marks, frames, many starts."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest

from armbot_cell import ONE, TWO, small_cell
from gelenk.errors import ConfigError
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.robots.armbot.view.parts import MARK_COLORS
from gelenk.robots.armbot.view.picture import FrameLimiter, SceneView, save_picture
from gelenk.robots.armbot.view.robot_shapes import PALETTE
from gelenk.vision.camera import project

WIDTH, HEIGHT = 160, 120


def image_of(view: SceneView) -> np.ndarray:
    return view.image(WIDTH, HEIGHT).astype(float)


def is_color(image: np.ndarray, color) -> np.ndarray:
    """Pixels with the hue of a colour, in light or in shade."""
    wanted = np.array(color, dtype=float)
    wanted /= np.linalg.norm(wanted)
    shown = image / (np.linalg.norm(image, axis=-1, keepdims=True) + 1e-9)
    return shown @ wanted > 0.985


def is_red(image: np.ndarray) -> np.ndarray:
    """Pixels of the ball, its highlight included."""
    return image[..., 0] > image[..., 1:].max(axis=-1) + 60.0


def pixel_of(view: SceneView, point) -> np.ndarray:
    T = np.linalg.inv(view.camera.pose)
    lens = view.camera.intrinsics(WIDTH, HEIGHT)
    return project(lens, T[:3, :3] @ point + T[:3, 3])


@pytest.mark.capability("AB-83")
def test_a_frame_shows_floor_arm_and_ball_where_they_are(tmp_path):
    with small_cell(tmp_path) as cell, SceneView(cell) as view:
        image = image_of(view)
        u, v = np.rint(pixel_of(view, [0.6, 0.0, 0.3])).astype(int)

    assert image.std() > 15.0
    assert is_red(image)[v, u]
    assert is_color(image, PALETTE[0]).sum() > 30


@pytest.mark.capability("AB-34")
def test_a_frame_contains_both_robots_and_both_are_driven(tmp_path):
    with small_cell(tmp_path, TWO) as cell, SceneView(cell) as view:
        before = image_of(view)
        q = [robot.manipulator.joint_values() for robot in cell.robots]
        cell.execute.start()
        cell.run.run(0.3)
        view.refresh()
        after = image_of(view)
        moved = [
            np.abs(robot.manipulator.joint_values() - old).max()
            for robot, old in zip(cell.robots, q, strict=True)
        ]

    for number in range(2):
        before_mask = is_color(before, PALETTE[number])
        after_mask = is_color(after, PALETTE[number])
        assert before_mask.sum() > 30
        assert (before_mask != after_mask).sum() > 10
        assert moved[number] > 0.2


def test_the_ball_is_drawn_where_it_has_fallen_to(tmp_path):
    with small_cell(tmp_path) as cell, SceneView(cell) as view:
        cell.run.run(1.5)
        view.refresh()
        point = cell.world.pose("red")[:3, 3]
        u, v = np.rint(pixel_of(view, point)).astype(int)
        image = image_of(view)
    assert point[2] < 0.2
    assert is_red(image)[v, u]


@pytest.mark.capability("AB-113")
def test_a_servo_that_moves_is_marked_in_the_picture_of_a_running_cell(tmp_path):
    flags = RenderFlags(moving=True, triggers=True)
    with small_cell(tmp_path) as cell, SceneView(cell, flags=flags) as view:
        still = is_color(image_of(view), MARK_COLORS["moving"]).sum()
        cell.execute.start()
        cell.run.run(0.1)
        view.refresh()
        moving = is_color(image_of(view), MARK_COLORS["moving"]).sum()
        view.flags = RenderFlags(fast=True)
        fast = is_color(image_of(view), MARK_COLORS["fast"]).sum()
    # Red is also the ball; yellow is nothing else.
    assert still == 0
    assert moving > 3
    assert fast > 3


@pytest.mark.capability("AB-111")
def test_frames_are_no_closer_than_the_period(tmp_path):
    now = 0.0
    looks: list[float] = []
    with (
        small_cell(tmp_path) as cell,
        SceneView(cell, period=0.1, clock=lambda: now) as view,
    ):
        view.refresh = lambda: looks.append(now)  # type: ignore[method-assign]
        for _ in range(100):  # one second of wall time, 10 ms per tick
            cell.run.tick()
            now += 0.01
        assert view.limiter.count == len(looks)
    assert 9 <= len(looks) <= 11
    assert np.diff(looks).min() >= 0.1 - 1e-9


def test_a_limiter_without_period_limits_nothing_and_refuses_nonsense():
    limiter = FrameLimiter(0.0, clock=lambda: 5.0)
    assert all(limiter.is_due() for _ in range(5))
    with pytest.raises(ConfigError, match="period"):
        FrameLimiter(-1.0)


@pytest.mark.capability("AB-110")
def test_the_accelerated_renderer_shows_the_same_from_the_same_camera(tmp_path):
    with (
        small_cell(tmp_path) as cell,
        SceneView(cell, renderer="fx") as fast,
        SceneView(cell) as native,
    ):
        if fast.renderer != "fx":
            pytest.skip(fast.notice)
        masks = []
        for view in (fast, native):
            view.camera = native.camera.orbit(40.0, 10.0).zoom(-60.0)
            masks.append(is_color(image_of(view), (255, 0, 0)))
    both, either = (masks[0] & masks[1]).sum(), (masks[0] | masks[1]).sum()
    assert both > 30
    assert both > 0.75 * either


@pytest.mark.capability("AB-110")
def test_without_a_graphics_library_fx_says_so_and_draws_natively(
    tmp_path, monkeypatch
):
    from gelenk.sim.cameras import drawing, gl

    def no_gl(width: int, height: int) -> None:
        raise gl.RenderError("no library works", remedy="install one")

    monkeypatch.setattr(drawing, "make_gl_context", no_gl)
    with small_cell(tmp_path) as cell, SceneView(cell, renderer="fx") as view:
        assert view.renderer == "native"
        assert "no library works" in view.notice
        assert is_color(image_of(view), (255, 0, 0)).any()


def test_a_picture_is_saved_from_a_chosen_place(tmp_path):
    with small_cell(tmp_path) as cell:
        save_picture(cell, tmp_path / "a.png", width=WIDTH, height=HEIGHT)
        with SceneView(cell) as view:
            far = view.camera.zoom(200.0)
        save_picture(cell, tmp_path / "b.png", camera=far, width=WIDTH, height=HEIGHT)
    counts = []
    for name in ("a.png", "b.png"):
        image = cv2.imread(str(tmp_path / name))
        assert image is not None
        counts.append(is_color(image[..., ::-1].astype(float), (255, 0, 0)).sum())
    assert counts[0] > 2 * counts[1] > 0


def test_drawing_in_another_thread_does_not_change_the_simulation(tmp_path):
    hashes = []
    for is_watched in (False, True):
        with small_cell(tmp_path) as cell, SceneView(cell) as view:
            cell.execute.start()
            is_over = threading.Event()

            def draw(view=view, is_over=is_over) -> None:
                while not is_over.is_set():
                    view.image(WIDTH, HEIGHT)

            painter = threading.Thread(target=draw)
            if is_watched:
                painter.start()
            cell.run.run(1.0)
            is_over.set()
            if is_watched:
                painter.join()
            hashes.append(cell.world.state_hash())
    assert hashes[0] == hashes[1]


@pytest.mark.slow
@pytest.mark.capability("AB-X07")
def test_view_and_windows_open_on_every_one_of_twenty_starts(tmp_path):
    for _ in range(20):
        with small_cell(tmp_path, ONE) as cell, SceneView(cell) as view:
            for action in cell.windows.menu:
                cell.windows.open(action.window)
            cell.execute.start()
            cell.run.run(0.05)
            view.refresh()
            assert all(action.is_checked for action in cell.windows.menu)
            assert cell.windows.lines("debug_out") == ("0.000 s  robot0: turn 0",)
            assert is_color(image_of(view), PALETTE[0]).sum() > 30

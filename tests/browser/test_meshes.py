"""A robot file with a mesh in a real browser: its silhouette, its shapes, its joints."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from page_driver import QUERY, Driver
from testkit.browser import browsing, serving, why_not
from ui.test_page_meshes import write_robot

pytestmark = pytest.mark.slow

VIEW = "3-D view of the scene: robot.urdf"


@pytest.fixture
def shown(tmp_path: Path):
    """Return a page with a blue plate and a red arm that is a mesh."""
    if reason := why_not():
        pytest.skip(f"NO BROWSER TESTS: {reason}")
    path = write_robot(tmp_path)
    with serving(str(path)) as served, browsing() as browser:
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
        )
        driver = Driver(context, served)
        driver.page.goto(served.address(QUERY))
        driver.wait_for_motion("robot.urdf")
        yield driver
        problems = driver.unexpected()
        context.close()
    assert problems == []


def picture(driver: Driver) -> np.ndarray:
    """Return what is drawn, shape (rows, columns, 3), RGB, red and all."""
    driver.page.wait_for_timeout(1500)
    data = driver.page.get_by_role("img", name=VIEW).screenshot()
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return image[..., ::-1].astype(int)


def reds(image: np.ndarray) -> np.ndarray:
    red, green, blue = np.moveaxis(image, -1, 0)
    return (red > 90) & (red > 2 * green) & (red > 2 * blue)


def oranges(image: np.ndarray) -> np.ndarray:
    """Return where the colour of what touches lies over the floor."""
    red, green, blue = np.moveaxis(image, -1, 0)
    return (red > 150) & (red > blue + 40) & (green > blue) & (green > 60)


def extent(driver: Driver, corners: np.ndarray) -> np.ndarray:
    """Return left, top, right, bottom of points of the world in the view [px]."""
    places = [
        driver.page.evaluate(f"window.__gelenk.project({x},{y},{z})")
        for x, y, z in corners.tolist()
    ]
    box = driver.page.get_by_role("img", name=VIEW).bounding_box()
    flat = np.array(places) - [box["x"], box["y"]]
    return np.concatenate([flat.min(axis=0), flat.max(axis=0)])


def arm_corners(angle: float) -> np.ndarray:
    """Return the corners of the arm in the world [m]; the plate stands on the floor."""
    x, y, z = np.meshgrid([-0.1, 0.1], [-0.05, 0.05], [0.1, 0.7])
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * x - s * y, s * x + c * y, z], axis=-1).reshape(-1, 3)


def test_a_mesh_has_its_silhouette_where_its_joint_says(shown: Driver) -> None:
    shown.page.get_by_role("button", name="View from the front").click()

    for angle in (0.0, 1.5):
        field = shown.field("Turn")
        field.fill(str(angle))
        field.press("Enter")
        then = shown.hook("tick") + 500  # 1 s: half a second to turn
        shown.wait_until(f"window.__gelenk.tick > {then}")
        rows, columns = np.nonzero(reds(picture(shown)))
        found = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
        np.testing.assert_allclose(found, extent(shown, arm_corners(angle)), atol=4)


def test_what_touches_is_shown_on_demand_and_what_is_seen_can_be_hidden(
    shown: Driver,
) -> None:
    before = picture(shown)
    assert not oranges(before).any()

    shown.press("What is shown")
    shown.page.get_by_label("Collision shapes").check()
    assert oranges(picture(shown)).sum() > 500

    shown.page.get_by_label("Visible shapes").uncheck()
    without = picture(shown)
    assert not reds(without).any()
    assert oranges(without).sum() > 500

"""Draw the pictures of NAO's pages: from outside, through its eye, and its report.

Usage:
    python docs/pictures/make_nao.py [lying corners report]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from gelenk.robots.nao import sandal
from gelenk.robots.nao.command import Wish, make_request, run_request
from gelenk.robots.nao.detection import expected_board
from gelenk.robots.nao.errors import CASES
from gelenk.robots.nao.parameters import nao_problem
from gelenk.robots.nao.report.write import PAGE, write_report
from gelenk.robots.nao.world import NaoWorldCfg, make_world
from gelenk.sim.cameras.description import Camera, SensorNoise, looking_at
from gelenk.vision.camera import Intrinsics
from gelenk.vision.chessboard import detect_chessboard
from testkit.browser import find_chromium
from testkit.nao_robots import given_bodies

FOLDER = Path(__file__).resolve().parent
CASE = 7  # its knee is far off, which can be seen
POSE = 13
REPORT_CASE = 6
SETTLE = 1.5  # [s] until the servos hold the pose
ENLARGED = 2
SEEN, MODEL, ARROW = (255, 230, 30), (0, 165, 255), (80, 60, 255)  # blue, green, red


def lying() -> None:
    """Draw the robot on its back, one board before its eyes."""
    onlooker = Camera(
        name="onlooker",
        intrinsics=Intrinsics.from_field_of_view(
            width=960, height=540, horizontal=np.deg2rad(38.0)
        ),
        T_parent_camera=looking_at([-0.85, -0.98, 0.86], [0.1, 0.03, 0.17]),
        samples=3,
        noise=SensorNoise(read=0.0, shot=0.0),
    )
    cfg = NaoWorldCfg(extras=(onlooker,))
    world, _ = make_world(CASES[CASE], q22=given_bodies()[POSE, 0], cfg=cfg)
    with world:
        world.run(SETTLE)
        image = world.image("onlooker")
    assert image is not None
    pixels = image.pixels
    if pixels.ndim == 3:
        pixels = pixels[:, :, ::-1]
    _save("nao-lying.png", _bright(pixels))


def corners() -> None:
    """Draw what it sees, what it expected to see, and the distance between them."""
    reading = given_bodies()[POSE, 0]
    world, names = make_world(CASES[CASE], q22=reading)
    with world:
        world.run(SETTLE)
        image = world.image(names.lower)
    assert image is not None
    expected = expected_board(nao_problem(), None, reading, "left")
    found = detect_chessboard(image.pixels, expected=expected)
    assert found.corners is not None, found.reason
    large = cv2.resize(_bright(image.pixels), None, fx=ENLARGED, fy=ENLARGED)
    out = cv2.cvtColor(large, cv2.COLOR_GRAY2BGR)
    grid = expected.reshape(sandal.ROWS, sandal.COLUMNS, 2)
    for line in [*grid, *grid.swapaxes(0, 1)]:
        points = np.rint(ENLARGED * line).astype(np.int32)
        cv2.polylines(out, [points], False, MODEL, 2, cv2.LINE_AA)
    for seen, model in zip(found.corners, expected, strict=True):
        start, end = (
            tuple(round(float(ENLARGED * v)) for v in p) for p in (model, seen)
        )
        cv2.arrowedLine(out, start, end, ARROW, 2, cv2.LINE_AA, tipLength=0.2)
        cv2.circle(out, end, 6, SEEN, 2, cv2.LINE_AA)
    _save("nao-corners.png", out)


def report() -> None:
    """Draw the top of a report in Chromium."""
    finished = run_request(make_request(Wish(case=REPORT_CASE)), keep_images=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = write_report(finished, Path(folder) / "report")
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"]
        )
        view = {"width": 1080, "height": 1240}
        tab = browser.new_page(color_scheme="light", viewport=view)
        tab.goto(f"file://{page.parent / PAGE}")
        tab.screenshot(path=str(FOLDER / "nao-report.png"))
        browser.close()
    print("docs/pictures/nao-report.png")


def _bright(pixels: np.ndarray) -> np.ndarray:
    """Return an image whose brightest parts are nearly white."""
    scaled = pixels * (240.0 / np.percentile(pixels, 99.5))
    return np.clip(scaled, 0, 255).astype(np.uint8)


def _save(name: str, pixels: np.ndarray) -> None:
    cv2.imwrite(str(FOLDER / name), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(f"docs/pictures/{name}")


def main() -> None:
    """Draw all pictures, or those that are named."""
    makers = {"lying": lying, "corners": corners, "report": report}
    for name in sys.argv[1:] or makers:
        makers[name]()


if __name__ == "__main__":
    main()

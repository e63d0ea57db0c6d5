"""Takes the pictures of the page for the guide, in light and in dark.

    python docs/pictures/make_page.py [NAME ...]

Needs Chromium and `pip install 'gelenk[dev]'`; draws in software, in full quality.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from testkit.browser import Complaints, Served, browsing, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = Path(__file__).parent
SIZE = {"width": 1280, "height": 800}
PATIENCE = 120.0  # [s]; software drawing takes its time
MAX_SIZE = 200_000  # [bytes] of a picture
BROKEN = """// Two balls, and two mistakes.
BORDER -75 -75 75 75

MANIPULATOR manipulators.SimpleArm
GRIPPER     grippers.ThreeFingerGripper
ROBOT       0 0 -90
CONTROLLER  robotcontroller.PickAndPlace
CONFIG from=32,0,3 to=0,30,12 width=4.4

NUMBER RADIUS 3
BALL 32 0 RADIUS RADIUS 0.5 0.5 D04030
BALL 20 24 RADIUS RADUIS 0.5 0.5 3070C0
STEP 5 8C7B6B RECT 32 16 8 8
"""


def wait(page: Page, expression: str) -> None:
    """Wait until an expression of JavaScript is true."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise TimeoutError(expression)
        page.wait_for_timeout(100.0)


def open_scene(page: Page, title: str, seconds: float) -> None:
    """Open a scene, let it run for some simulated seconds and hold it there."""
    page.get_by_role("button", name=title, exact=True).click()
    page.get_by_role("heading", level=1, name=title).wait_for()
    wait(page, "window.__gelenk.ready")
    ticks = round(1e3 * seconds)
    wait(page, f"window.__gelenk.tick >= {ticks}")
    page.get_by_role("button", name="Hold time").click()
    page.get_by_role("button", name="Continue time").wait_for()


def tab(page: Page, name: str) -> None:
    """Open a tab."""
    page.get_by_role("tab", name=name, exact=True).click()


def gallery(page: Page) -> None:
    """Show all pictures of the gallery that are in sight."""
    wait(
        page,
        "[...document.images].length > 3 && [...document.images].slice(0, 8)"
        ".every(image => image.complete)",
    )


def sorting(page: Page) -> None:
    """Sort, with the triggers that led to it."""
    open_scene(page, "Sorting", 9.0)
    tab(page, "Trigger-Console")


def line(page: Page) -> None:
    """Ten arms, and curves of their joints."""
    open_scene(page, "Line", 12.0)
    tab(page, "Plots")


def editor(page: Page) -> None:
    """Write a file with mistakes."""
    open_scene(page, "Pick place", 5.0)
    tab(page, "Editor")
    text = page.get_by_role("textbox", name="Text of the environment file")
    text.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(BROKEN)
    page.get_by_role("list", name="Problems").wait_for()


def race(page: Page) -> None:
    """Let four methods race."""
    open_scene(page, "Tower", 2.0)
    tab(page, "IK race")
    wait(
        page, "document.querySelectorAll('[aria-label=Results] tbody tr').length === 4"
    )
    field = page.get_by_role("textbox", name="y", exact=True)
    field.fill("18")
    field.press("Enter")


def assembly(page: Page) -> None:
    """Put an arm together."""
    open_scene(page, "Tower", 2.0)
    tab(page, "Assembly")
    page.get_by_role("list", name="Parts").get_by_role("listitem").first.wait_for()


def flight(page: Page) -> None:
    """A ball in the air, where it will land, and what a camera sees of it."""
    page.get_by_role("button", name="Ball flight", exact=True).click()
    wait(page, "window.__gelenk.ready")
    speed = page.get_by_role("combobox", name="Speed")
    speed.select_option(label="0.25 ×")
    tab(page, "Pictures")
    wait(page, "!window.__gelenk.overlays.includes('prediction')")
    wait(page, "window.__gelenk.overlays.includes('prediction')")
    page.wait_for_timeout(1500.0)
    page.get_by_role("button", name="Hold time").click()
    page.get_by_role("button", name="predicted flight").wait_for()
    speed.select_option(label="1 ×")


def amee(page: Page) -> None:
    """A robot on stones: what its legs do, and why."""
    page.get_by_role("button", name="AMEE walks", exact=True).click()
    wait(page, "window.__gelenk.ready")
    terrain = page.get_by_role("combobox", name="Terrain")
    terrain.select_option(label="rubble, 5 cm")
    page.get_by_role("button", name="Reset").click()
    wait(page, "window.__gelenk.ready && window.__gelenk.bodies > 100")
    wait(page, "window.__gelenk.tick >= 9000")
    tab(page, "Tables")
    page.get_by_role("button", name="Hold time").click()
    page.get_by_role("button", name="Continue time").wait_for()


def course(page: Page) -> None:
    """A scenario of the course on film: what the arm saw, found and does."""
    page.get_by_role("button", name="Camera grasp", exact=True).click()
    page.get_by_role("heading", level=1, name="Camera grasp").wait_for()
    wait(page, "window.__gelenk.ready")
    tab(page, "Tables")
    wait(page, "document.body.innerText.includes('corrects itself')")
    page.get_by_role("button", name="Hold time").click()
    page.get_by_role("button", name="Continue time").wait_for()


PICTURES: dict[str, Callable[[Page], None]] = {
    "gallery": gallery,
    "sorting": sorting,
    "line": line,
    "editor": editor,
    "ik-race": race,
    "assembly": assembly,
    "flight": flight,
    "amee": amee,
    "course": course,
}


def take(browser: Any, served: Served, name: str, theme: str) -> None:
    """Take one picture."""
    context = browser.new_context(
        viewport=SIZE, color_scheme=theme, reduced_motion="reduce"
    )
    context.set_default_timeout(1e3 * PATIENCE)
    try:
        page = context.new_page()
        complaints = Complaints(page)
        page.goto(served.address("", "#gallery"))
        page.get_by_text("Connected", exact=True).wait_for()
        PICTURES[name](page)
        page.mouse.move(2, 60)
        shot = _settled(page)
        path = FOLDER / f"page-{name}-{theme}.png"
        path.write_bytes(_packed(shot))
        size = path.stat().st_size
        print(f"{path.name}: {size / 1e3:.0f} kB", *complaints.lines, sep="\n  ")
        if size > MAX_SIZE:
            raise SystemExit(f"{path.name} has more than {MAX_SIZE / 1e3:.0f} kB")
    finally:
        context.close()


def _settled(page: Page) -> bytes:
    """Return a picture once two in a row agree."""
    old = b""
    for _ in range(20):
        page.wait_for_timeout(700.0)
        new = page.screenshot()
        if new == old:
            return new
        old = new
    return old


def _packed(png: bytes) -> bytes:
    """Return the picture as small as it gets; with 256 colours if it must be."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    buffer = io.BytesIO()
    image.save(buffer, format="png", optimize=True)
    if buffer.tell() > MAX_SIZE:
        buffer = io.BytesIO()
        few = image.quantize(256, dither=Image.Dither.NONE)
        few.save(buffer, format="png", optimize=True)
    return buffer.getvalue()


def main() -> None:
    """Take the pictures that are named, or all."""
    names = sys.argv[1:] or list(PICTURES)
    with serving() as served, browsing() as browser:
        for name in names:
            for theme in ("light", "dark"):
                take(browser, served, name, theme)


if __name__ == "__main__":
    main()

"""ArmBot's own views: the environment file, the race of methods, the assembly."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from page_driver import Driver

pytestmark = pytest.mark.slow

CELL = """// A cell from a browser.
BORDER -75 -75 75 75
MANIPULATOR manipulators.SimpleArm
ROBOT 0 0 -90
CONTROLLER robotcontroller.PickAndPlace
CONFIG from=30,0,10 to=0,30,12
BALL 20 20 3 3 0.5 0.5 D04030
"""


def write(page: Driver, text: str) -> Locator:
    """Put a text into the editor, as by pasting."""
    page.tab("Editor")
    editor = page.field("Text of the environment file")
    expect(editor).to_be_visible()
    editor.click()
    page.page.keyboard.press("Control+a")
    page.page.keyboard.insert_text(text)
    return page.page.get_by_role("region", name="Environment file")


def test_a_mistake_is_marked_at_its_line_and_the_mended_file_runs(new_page) -> None:
    page = new_page("Tower")
    broken = CELL.replace("BALL 20 20", "BALLL 20 20")
    panel = write(page, broken)
    problem = panel.get_by_role("list", name="Problems").get_by_role("button").first
    expect(problem).to_contain_text(re.compile(r"7:1\s*.*BALLL", re.DOTALL))
    expect(panel.locator(".cm-lint-marker-error")).to_have_count(1)
    expect(panel.get_by_role("button", name="Load & run")).to_be_disabled()
    assert page.hook("scene") == "armbot/tower"  # nothing has changed

    write(page, CELL)
    expect(panel.get_by_role("list", name="Problems")).to_be_hidden()
    load = panel.get_by_role("button", name="Load & run")
    expect(load).to_be_enabled()
    load.click()
    page.wait_until("window.__gelenk.scene.startsWith('armbot/text')")
    page.wait_for_frames(3)
    expect(page.page.get_by_role("alert", name="Problem")).to_be_hidden()


def test_a_draft_can_be_thrown_away(new_page) -> None:
    page = new_page("Tower")
    panel = write(page, "BORDER 1")
    expect(panel.get_by_role("list", name="Problems")).to_be_visible()
    panel.get_by_role("button", name="Revert").click()
    expect(panel.get_by_role("list", name="Problems")).to_be_hidden()
    expect(page.field("Text of the environment file")).to_contain_text(
        "stacks four cuboids"
    )


def test_four_methods_race_to_a_target_that_is_set(new_page) -> None:
    page = new_page("Tower")
    page.tab("IK race")
    results = page.page.get_by_role("region", name="Results").get_by_role("row")
    expect(results).to_have_count(5)  # with the head
    before = results.all_inner_texts()
    field = page.field("x")
    field.fill(str(float(field.input_value()) - 5.0))
    field.press("Enter")
    page.wait_until(
        "old => document.querySelector('[aria-label=Results] tbody').innerText !== old",
        "\n".join(before[1:]),
    )
    expect(
        results.filter(has_text=re.compile("converged|ok|reached|success", re.I))
    ).not_to_have_count(0)
    expect(page.page.get_by_role("img", name="Residual of each method")).to_be_visible()


def test_a_target_dragged_in_the_picture_is_raced_to(new_page) -> None:
    page = new_page("Tower")
    page.tab("IK race")
    field = page.field("x")
    expect(field).to_be_visible()
    before = [page.field(axis).input_value() for axis in "xyz"]
    page.wait_until("window.__gelenk.target")
    place = page.hook("target")
    page.page.mouse.move(*place)
    page.page.mouse.down()
    page.page.mouse.move(place[0] + 30, place[1] - 20, steps=6)
    page.page.mouse.up()
    expect(
        page.page.get_by_role("region", name="Results").get_by_role("row")
    ).to_have_count(5)
    assert [page.field(axis).input_value() for axis in "xyz"] != before


def test_a_target_that_is_no_number_is_told_beside_the_field(new_page) -> None:
    page = new_page("Tower")
    page.tab("IK race")
    page.field("y").fill("far")
    page.field("y").press("Enter")
    expect(
        page.page.get_by_role("alert").filter(has_text="y: expected a number")
    ).to_be_visible()


def test_an_added_part_changes_the_arm_and_a_removed_one_too(new_page) -> None:
    page = new_page("Tower")
    page.tab("Assembly")
    parts = page.page.get_by_role("list", name="Parts").get_by_role("listitem")
    expect(parts).not_to_have_count(0)
    count = parts.count()
    picture = page.page.get_by_label("Preview of the arm")
    expect(picture).to_be_visible()
    before = picture.inner_html()
    page.press("Add part")
    expect(parts).to_have_count(count + 1)
    number = count + 1
    page.page.get_by_role("combobox", name=f"Part {number}", exact=True).select_option(
        index=0
    )
    page.wait_until(
        "([node, old]) => node.innerHTML !== old", [picture.element_handle(), before]
    )
    page.press(f"Remove part {number}")
    expect(parts).to_have_count(count)


def test_a_moved_motor_moves_the_arm(new_page) -> None:
    page = new_page("Tower")
    page.tab("Assembly")
    picture = page.page.get_by_label("Preview of the arm")
    slider = page.page.get_by_role("region", name="Motors").get_by_role("slider").first
    expect(slider).to_be_visible()
    before = picture.inner_html()
    for _ in range(5):
        slider.press("ArrowRight")
    page.wait_until(
        "([node, old]) => node.innerHTML !== old", [picture.element_handle(), before]
    )

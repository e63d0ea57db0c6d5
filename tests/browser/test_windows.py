"""The windows: Debug-Out, Commander, Trigger-Console, parameters, plots."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page_driver import Driver

pytestmark = pytest.mark.slow


@pytest.fixture
def sorting(new_page) -> Driver:
    page = new_page("Sorting")
    page.page.get_by_role("combobox", name="Speed").select_option("5")
    return page


def test_a_typed_line_reaches_the_controller_and_its_answer_appears(
    sorting: Driver,
) -> None:
    sorting.tab("Commander")
    sorting.field("Command").fill("where")
    sorting.field("Command").press("Enter")
    log = sorting.log("Commander")
    expect(log).to_contain_text("where")
    expect(log).to_contain_text(re.compile(r"success: x = -?\d+\.\d cm"))
    expect(sorting.field("Command")).to_have_value("")
    sorting.field("Command").press("ArrowUp")
    expect(sorting.field("Command")).to_have_value("where")


def test_an_empty_command_is_refused_beside_the_field(sorting: Driver) -> None:
    sorting.tab("Commander")
    sorting.button("Send").click()
    alert = sorting.page.get_by_role("alert").filter(has_text="Type a line first")
    expect(alert).to_be_visible()
    expect(sorting.field("Command")).to_have_attribute("aria-invalid", "true")


def test_triggers_are_shown_and_one_is_sent(sorting: Driver) -> None:
    sorting.tab("Trigger-Console")
    log = sorting.log("Trigger-Console")
    expect(log).to_contain_text(re.compile("RED|GREEN|BLUE"))
    receiver = sorting.page.get_by_role("combobox", name="Receiver")
    receiver.select_option("20")
    sorting.field("Trigger text").fill("STOP now please")
    sorting.press("Send trigger")
    expect(sorting.field("Trigger text")).to_have_value("")
    expect(log).to_contain_text("STOP now please")


def test_debug_out_is_filtered(new_page) -> None:
    page = new_page("Pick place")
    page.page.get_by_role("combobox", name="Speed").select_option("max")
    log = page.log("Debug-Out")
    expect(log).to_contain_text("job 2 of 3 is done")
    search = page.page.get_by_role("searchbox", name="Filter Debug-Out")
    search.fill("job 2")
    expect(log).not_to_contain_text("job 1 of 3")
    expect(log).to_contain_text("job 2 of 3")
    search.fill("not to be found")
    expect(log).to_contain_text("No line passes the filter")


def test_a_parameter_is_changed_while_the_scene_runs(new_page) -> None:
    page = new_page("Belts")
    field = page.field("South: speed")
    field.fill("0.7")
    field.press("Enter")
    expect(page.page.get_by_role("slider", name="South: speed, slider")).to_have_value(
        "0.7"
    )
    expect(field).to_have_attribute("aria-invalid", "false")


def test_a_bad_parameter_is_told_beside_its_field_and_changes_nothing(new_page) -> None:
    page = new_page("Belts")
    field = page.field("South: speed")
    before = field.input_value()
    block = page.page.get_by_role("region", name="Parameters")
    for typed, word in (("fast", "Expected a number"), ("99", "Expected -1 to 1 m/s")):
        field.fill(typed)
        field.press("Enter")
        expect(block.get_by_role("alert").filter(has_text=word)).to_be_visible()
        expect(field).to_have_attribute("aria-invalid", "true")
    page.page.reload()
    expect(field).to_have_value(before)


def test_a_special_button_of_a_scene_acts(new_page) -> None:
    page = new_page("Billiards")
    page.press("Kick")
    page.wait_for_frames(5)
    expect(page.log("Notices")).to_be_empty()


def test_curves_are_drawn_and_chosen(new_page) -> None:
    page = new_page("UR5e")
    page.tab("Plots")
    panel = page.page.get_by_role("tabpanel", name="Plots")
    expect(panel.locator("canvas").first).to_be_visible()
    page.press("Choose curves")
    sheet = page.page.get_by_role("dialog", name="Choose curves")
    boxes = sheet.get_by_role("checkbox", name=re.compile(r"angle \[rad\]$"))
    expect(boxes.first).to_be_checked()
    expect(boxes).to_have_count(6)
    sheet.get_by_role("checkbox", name=re.compile("all curves of torque")).check()
    torques = panel.get_by_role("region", name="Plot of torque in N·m")
    expect(torques.get_by_role("listitem")).to_have_count(6)
    sheet.get_by_label("Search curves").fill("joint_3 error")
    expect(sheet.get_by_role("checkbox", name=re.compile("joint_3"))).to_have_count(1)


def test_preset_views_and_flags_are_drawn(new_page) -> None:
    page = new_page("Handover")
    page.press("What is shown")
    boxes = page.page.get_by_role("dialog", name="What is shown").get_by_role(
        "checkbox"
    )
    for box in boxes.all():
        box.set_checked(True)
    page.page.keyboard.press("Escape")
    for name in ("View from above", "View from the front", "Home view"):
        page.press(name)
        page.wait_until(f"window.__gelenk.drawn > {page.hook('drawn') + 3}")

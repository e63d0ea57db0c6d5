"""AMEE on the page: it walks, something breaks, it says what."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page_driver import Driver

pytestmark = pytest.mark.slow

LONG = 180e3  # [ms]; two cores draw, think for four legs and run the browser


def test_amee_shows_its_legs_and_names_what_a_visitor_breaks(new_page) -> None:
    page: Driver = new_page("AMEE walks")
    page.tab("Tables")
    legs = page.page.get_by_role("region", name="Automata of the legs")
    rows = legs.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(14)
    step = rows.filter(has_text=re.compile(r"^Motion.*step"))
    expect(step).to_be_visible(timeout=LONG)
    overlays = set(page.hook("overlays"))
    assert {"support polygon", "centre of mass", "what legs do"} <= overlays

    page.tab("Control")
    form = page.page.get_by_role("form", name="Break it", exact=True)
    form.get_by_role("combobox", name="What").select_option(label="sensor wire")
    form.get_by_role("combobox", name="Leg").select_option(label="4 rear right")
    page.press("Break it")
    page.tab("Tables")
    robot = page.page.get_by_role("region", name="Robot").get_by_role("table")
    told = re.compile(r"stopped: leg 4, rear right, joint C: angle sensor C")
    expect(robot.get_by_role("row", name=told)).to_be_visible(timeout=LONG)

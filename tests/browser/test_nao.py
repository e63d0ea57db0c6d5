"""NAO on the page: it calibrates itself, and shows what it looks at."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page_driver import Driver

pytestmark = pytest.mark.slow

LONG = 180e3  # [ms]; two cores draw, detect and run the browser


def test_nao_calibrates_itself_before_everybodys_eyes(new_page) -> None:
    page: Driver = new_page("NAO calibrates itself")
    expect(page.button("Press left bumper")).to_be_disabled(timeout=LONG)
    page.tab("Pictures")
    card = page.page.get_by_role("figure", name="Lower camera")
    expect(card).to_contain_text(re.compile(r"found; off by .* px rms"), timeout=LONG)
    expect(card.locator("svg.marks g")).not_to_have_count(0)
    overlays = set(page.hook("overlays"))
    assert {"corners", "corners as believed", "way of the sole"} <= overlays

    page.tab("Tables")
    table = page.page.get_by_role("region", name="Calibration").get_by_role("table")
    found = table.get_by_role("row", name=re.compile(r"views found [1-9]\d* of 36"))
    expect(found).to_be_visible(timeout=LONG)
    angles = page.page.get_by_role("region", name="Angles").get_by_role("table")
    expect(angles.get_by_role("row")).to_have_count(18)
    expect(
        angles.get_by_role("columnheader", name=re.compile(r"true \(simulator\)"))
    ).to_be_visible()

    page.tab("Control")
    page.press("Press right bumper")
    page.tab("Tables")
    ended = table.get_by_role("row", name=re.compile("verdict aborted"))
    expect(ended).to_be_visible(timeout=LONG)

    page.tab("Control")
    shown = page.page.get_by_role("form", name="Show a view", exact=True)
    shown.get_by_role("textbox", name="Pose", exact=True).fill("99")
    page.press("Show a view")
    form = page.page.get_by_role("form", name="Show a view", exact=True)
    expect(form).to_contain_text("Expected 1 to 6.")

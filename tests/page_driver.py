"""Drives the page as a person does: by the roles and names of what can be seen."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from playwright.sync_api import BrowserContext, Locator, expect

from testkit.browser import Complaints, Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

QUERY = "quality=low"
PATIENCE = 120.0  # [s]; other work shares the cores
LOOK_PERIOD = 50.0  # [ms]


class Driver:
    """One page in one browser context.

    Attributes:
        page: Playwright's page.
        expected: Words of complaints that a test provokes.
    """

    def __init__(self, context: BrowserContext, served: Served) -> None:
        self.context, self.served = context, served
        self.page: Page = context.new_page()
        self.complaints = Complaints(self.page)
        self.expected: list[str] = []

    def unexpected(self) -> list[str]:
        """Return complaints of the browser, and errors that the page itself noted."""
        found = self.complaints.beyond(*self.expected)
        if not self.page.is_closed():
            found += [str(error) for error in self.hook("errors") or []]
        return found

    # -- where one is --------------------------------------------------------------

    def load(self, fragment: str = "#gallery") -> None:
        self.page.goto(self.served.address(QUERY, fragment))
        expect(self.page.get_by_text("Connected")).to_be_visible()

    def open_scene(self, title: str) -> None:
        """Choose a scene of the gallery and wait until it is drawn."""
        self.card(title).click()
        self.wait_for_motion(title)

    def card(self, title: str) -> Locator:
        return self.page.get_by_role("button", name=title, exact=True)

    def wait_for_motion(self, title: str) -> None:
        expect(self.page.get_by_role("heading", level=1, name=title)).to_be_visible()
        self.wait_until("window.__gelenk.ready && window.__gelenk.bodies > 0")
        self.wait_for_frames(3)

    def wait_for_frames(self, count: int) -> None:
        """Wait until so many more pictures were drawn."""
        seen = self.hook("frames")
        self.wait_until(f"window.__gelenk.frames >= {seen + count}")

    def wait_until(self, expression: str, argument: Any = None) -> None:
        """Wait until an expression of JavaScript is true.

        Playwright's own way would need `eval`, which the page forbids.
        """
        end = time.monotonic() + PATIENCE
        while not self.page.evaluate(expression, argument):
            assert time.monotonic() < end, f"never came true: {expression}"
            self.page.wait_for_timeout(LOOK_PERIOD)

    def hook(self, name: str) -> Any:
        return self.page.evaluate(f"window.__gelenk?.{name}")

    # -- what can be pressed -------------------------------------------------------

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        self.button(name).click()

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def field(self, name: str) -> Locator:
        return self.page.get_by_role("textbox", name=name, exact=True)

    def log(self, name: str) -> Locator:
        return self.page.get_by_role("log", name=name, exact=True)

    # -- what can be read ----------------------------------------------------------

    @property
    def timeline(self) -> Locator:
        return self.page.get_by_role("slider", name="Time line")

    def tick(self) -> int:
        """Return the shown physics tick."""
        return int(self.timeline.get_attribute("aria-valuenow") or -1)

    def newest_tick(self) -> int:
        return int(self.timeline.get_attribute("aria-valuemax") or -1)

    def controller_states(self) -> set[str]:
        rows = self.page.get_by_role("region", name="Controllers").get_by_role(
            "listitem"
        )
        texts = rows.all_inner_texts()
        words = (
            re.search(r"\b(idle|running|paused|resetting|broken)\b", t) for t in texts
        )
        return {word[0] for word in words if word}

    def expect_enabled(self, **buttons: bool) -> None:
        for name, is_enabled in buttons.items():
            expect(self.button(name.capitalize())).to_be_enabled(enabled=is_enabled)

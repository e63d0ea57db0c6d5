"""Several pages, closed pages, lost connections: the run goes on."""

from __future__ import annotations

import pytest
from playwright.sync_api import WebSocketRoute, expect

from page_driver import Driver

pytestmark = pytest.mark.slow


def test_two_pages_see_the_same_run_and_closing_one_changes_nothing(new_page) -> None:
    first = new_page("Billiards")
    second: Driver = new_page()
    second.load("")
    second.wait_for_motion("Billiards")
    second.press("Hold time")
    expect(first.button("Continue time")).to_be_visible()
    first.press("Continue time")
    expect(second.button("Hold time")).to_be_visible()
    first.page.close()
    second.wait_for_frames(10)


def test_a_reload_finds_the_run_where_it_has_come_to(new_page) -> None:
    page = new_page("Billiards")
    page.wait_until("window.__gelenk.tick > 500")
    before = page.hook("tick")
    page.page.reload()
    page.wait_for_motion("Billiards")
    assert page.hook("tick") > before


def test_a_lost_connection_comes_back_to_the_same_run(new_page) -> None:
    page = new_page()
    wires: list[WebSocketRoute] = []
    is_cut = False

    def wire(route: WebSocketRoute) -> None:
        if is_cut:
            route.close()
        else:
            wires.append(route)
            route.connect_to_server()

    page.page.route_web_socket("**/ws", wire)
    page.load()
    page.open_scene("Billiards")
    before = page.hook("tick")
    page.page.evaluate("window.mark = 'the same page'")
    is_cut = True
    wires[-1].close()
    expect(page.page.get_by_text("Connection lost")).to_be_visible()
    is_cut = False
    expect(page.page.get_by_text("Connected", exact=True)).to_be_visible()
    page.wait_for_frames(5)
    assert len(wires) == 2
    assert page.hook("tick") > before
    assert page.page.evaluate("window.mark") == "the same page"


def test_switching_scenes_in_one_page_switches_all(new_page) -> None:
    first, second = new_page("Billiards"), new_page()
    second.open_scene("Bounce stairs")
    first.wait_for_motion("Bounce stairs")

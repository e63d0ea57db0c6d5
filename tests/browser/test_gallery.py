"""The gallery: what is offered, how it is chosen, and what a stranger gets."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from gelenk.runtime.registry import list_scenes
from gelenk.ui.gallery import card_of
from page_driver import Driver
from testkit.browser import Served

pytestmark = pytest.mark.slow

CARDS = [card_of(spec) for spec in list_scenes().values()]
# Arms of the catalogue differ in their model only: an open and a closed one do.
ALIKE = (
    "puma560",
    "scara",
    "stewart",
    "ur5e",
)
MOVING = [card for card in CARDS if card.name not in ALIKE]


def test_every_scene_has_a_card_with_its_picture_and_its_sentence(page: Driver) -> None:
    for card in CARDS:
        found = page.card(card.title)
        expect(found).to_contain_text(card.summary)
        picture = found.locator("img")
        picture.scroll_into_view_if_needed()
        page.wait_until(
            "image => image.complete && image.naturalWidth >= 300",
            picture.element_handle(),
        )


def test_the_search_leaves_the_scenes_that_have_all_words(page: Driver) -> None:
    search = page.page.get_by_role("searchbox", name="Search scenes")
    search.fill("suction cup")
    expect(page.card("Sorting")).to_be_visible()
    expect(page.card("Billiards")).to_be_hidden()
    search.fill("nothing like this")
    expect(page.page.get_by_text("No scene has")).to_be_visible()


@pytest.mark.parametrize("card", MOVING, ids=[card.name for card in MOVING])
def test_a_scene_opens_and_moves(page: Driver, card) -> None:
    page.open_scene(card.title)
    assert page.hook("scene") == card.name
    tick, drawn = page.hook("tick"), page.hook("drawn")
    page.wait_until(
        f"window.__gelenk.tick > {tick} && window.__gelenk.drawn > {drawn + 2}"
    )
    expect(page.page.get_by_role("alert", name="Problem")).to_be_hidden()


def test_the_gallery_shows_the_open_scene_and_leads_back_to_it(page: Driver) -> None:
    page.open_scene("Billiards")
    page.press("Back to gallery")
    expect(page.page.get_by_role("region", name="Open scene")).to_contain_text(
        "Billiards"
    )
    page.press("Return to scene")
    page.wait_for_motion("Billiards")


def test_ending_the_scene_leaves_an_empty_stage(page: Driver) -> None:
    page.open_scene("Billiards")
    page.press("Back to gallery")
    page.press("End scene")
    expect(page.page.get_by_role("region", name="Open scene")).to_be_hidden()


def test_the_theme_is_switched_and_kept(page: Driver) -> None:
    shown = "document.documentElement.dataset.theme"
    first = page.page.evaluate(shown)
    page.page.keyboard.press("t")
    page.wait_until(f"{shown} !== '{first}'")
    kept = r"Object.values(localStorage).some(t => /theme.:.(dark|light)/.test(t))"
    page.wait_until(kept)
    page.page.reload()
    page.wait_until(f"{shown} && {shown} !== '{first}'")


def test_the_keys_are_explained(page: Driver) -> None:
    page.press("Keyboard and mouse")
    sheet = page.page.get_by_role("dialog", name="Keyboard and mouse")
    expect(sheet).to_contain_text("Single step")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()


def test_a_stranger_without_the_token_gets_nothing(served: Served, chromium) -> None:
    context = chromium.new_context()
    try:
        stranger = context.new_page()
        base = served.url.partition("?")[0]
        answer = stranger.goto(f"{base}?token=wrong")
        assert answer is not None
        assert answer.status == 403
        stranger.goto(base)
        stranger.wait_for_timeout(500)
        assert not stranger.get_by_text("Connected", exact=True).is_visible()
        assert stranger.get_by_role("button", name="Sorting").count() == 0
        assert stranger.goto(f"{base}no/such/place").status == 404  # type: ignore[union-attr]
    finally:
        context.close()

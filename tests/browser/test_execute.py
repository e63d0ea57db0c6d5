"""The transport bar: what its buttons do, and that it shows what is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page_driver import Driver

pytestmark = pytest.mark.slow


@pytest.fixture
def sorting(new_page) -> Driver:
    return new_page("Sorting")


@pytest.fixture
def billiards(new_page) -> Driver:
    return new_page("Billiards")


def wait_for_state(page: Driver, *states: str) -> None:
    shown = page.page.get_by_role("status", name="State")
    expect(shown).to_have_text(re.compile(rf"^\s*({'|'.join(states)})\s*$"))


def test_start_pause_stop_and_reset_change_the_shown_state(sorting: Driver) -> None:
    wait_for_state(sorting, "running")
    sorting.expect_enabled(start=False, stop=True)
    sorting.press("Stop")
    wait_for_state(sorting, "idle")
    sorting.expect_enabled(start=True, stop=False)
    sorting.press("Start")
    wait_for_state(sorting, "running")
    sorting.expect_enabled(start=False, stop=True)
    if sorting.button("Pause").is_enabled():
        sorting.press("Pause")
        wait_for_state(sorting, "paused", "idle")
        sorting.expect_enabled(start=True)
    before = sorting.newest_tick()
    sorting.press("Reset")
    sorting.wait_until(f"window.__gelenk.tick < {before}")
    wait_for_state(sorting, "idle")
    sorting.expect_enabled(start=True, stop=False)


def test_held_time_stands_still_and_a_step_is_one_control_tick(
    billiards: Driver,
) -> None:
    billiards.press("Hold time")
    expect(billiards.button("Continue time")).to_be_visible()
    first = settled_tick(billiards)
    billiards.press("Single step")
    billiards.wait_until(f"window.__gelenk.tick > {first}")
    assert settled_tick(billiards) - first == 10  # 10 ms in steps of 1 ms
    billiards.press("Continue time")
    expect(billiards.button("Hold time")).to_be_visible()
    billiards.wait_until(f"window.__gelenk.tick > {first + 100}")


def settled_tick(page: Driver) -> int:
    """Return the shown tick once two looks in a row agree."""
    page.wait_until(
        """() => new Promise(done => {
            const tick = window.__gelenk.tick;
            setTimeout(() => done(window.__gelenk.tick === tick), 250);
        })"""
    )
    return page.hook("tick")


def test_a_chosen_speed_is_shown_and_reached(billiards: Driver) -> None:
    speed = billiards.page.get_by_role("combobox", name="Speed")
    reached = billiards.page.get_by_title("Reached speed")
    speed.select_option("0.1")
    expect(reached).to_have_text(re.compile(r"^0\.(0[6-9]|1[0-4])"))
    speed.select_option("max")
    expect(reached).to_have_text(re.compile(r"^(1\.[2-9]|[2-9]|\d\d)"))


def test_the_past_is_looked_at_while_the_run_goes_on(billiards: Driver) -> None:
    # More than the second that is gone forward below: at the end the page is live.
    billiards.wait_until("window.__gelenk.tick > 2500")
    billiards.timeline.press("Home")
    expect(billiards.page.get_by_role("group", name="Looking back")).to_be_visible()
    billiards.wait_until("window.__gelenk.tick < 100")
    newest = billiards.newest_tick()
    billiards.timeline.press("Shift+ArrowRight")  # one second on
    expect(billiards.timeline).to_have_attribute("aria-valuetext", re.compile(r"^1\.0"))
    billiards.wait_until(
        "n => Number(document.querySelector('[aria-label=\"Time line\"]').ariaValueMax) > n",
        newest,
    )
    billiards.press("Back to live")
    billiards.wait_until(f"window.__gelenk.tick > {newest}")
    expect(billiards.button("Back to live")).to_be_disabled()


def test_a_click_on_the_time_line_shows_that_moment(billiards: Driver) -> None:
    billiards.wait_until("window.__gelenk.tick > 600")
    box = billiards.timeline.bounding_box()
    assert box is not None
    billiards.timeline.click(position={"x": 12.0, "y": 0.5 * box["height"]})
    expect(billiards.page.get_by_role("group", name="Looking back")).to_be_visible()
    billiards.wait_until("window.__gelenk.tick < 300")


def test_a_world_without_programs_goes_on_from_an_earlier_moment(
    billiards: Driver,
) -> None:
    billiards.wait_until("window.__gelenk.tick > 2500")
    billiards.press("Hold time")
    newest = settled_tick(billiards)
    billiards.timeline.press("Home")
    billiards.timeline.press("Shift+ArrowRight")
    expect(billiards.timeline).to_have_attribute("aria-valuetext", re.compile(r"^1\.0"))
    billiards.press("Continue from here")
    expect(billiards.page.get_by_role("group", name="Looking back")).to_be_hidden()
    billiards.wait_until(f"window.__gelenk.tick < {newest - 500}")


def test_a_running_program_cannot_be_taken_back_and_the_page_says_why(
    sorting: Driver,
) -> None:
    sorting.wait_until("window.__gelenk.tick > 1500")
    sorting.timeline.press("Shift+ArrowLeft")
    sorting.press("Continue from here")
    expect(sorting.page.get_by_text("cannot be taken back")).to_be_visible()


def test_an_event_leads_to_its_moment(sorting: Driver) -> None:
    sorting.page.get_by_role("combobox", name="Speed").select_option("5")
    sorting.tab("Events")
    event = sorting.log("Events").get_by_role("button").first
    expect(event).to_be_visible()
    event.click()
    expect(sorting.page.get_by_role("group", name="Looking back")).to_be_visible()
    expect(event).to_have_attribute("aria-current", "true")


def test_a_recording_is_made_and_handed_over(billiards: Driver) -> None:
    billiards.press("Record and download")
    billiards.page.get_by_role("button", name="Record the run").click()
    ending = billiards.page.get_by_role("button", name="Recording", exact=True)
    expect(ending).to_be_visible()
    billiards.wait_for_frames(10)
    ending.click()
    expect(billiards.log("Notices")).to_contain_text("The recording can be fetched")
    billiards.press("Record and download")
    with billiards.page.expect_download() as waiting:
        billiards.page.get_by_role("link", name=".mcap").click()
    assert waiting.value.path().read_bytes()[:5] == b"\x89MCAP"


def test_a_short_animation_is_taken(billiards: Driver) -> None:
    billiards.press("Record and download")
    billiards.press("Take an animation")
    billiards.wait_until(f"window.__gelenk.drawn > {billiards.hook('drawn') + 10}")
    with billiards.page.expect_download() as waiting:
        billiards.page.get_by_role("button", name=re.compile(r"^\d+\.\d s$")).click()
    assert waiting.value.path().read_bytes()[:4] == b"\x1aE\xdf\xa3"  # Matroska, WebM


@pytest.mark.parametrize(
    ("name", "magic"), [("Picture (PNG)", b"\x89PNG"), ("Curves (CSV)", b"time [s],")]
)
def test_what_is_shown_can_be_saved(new_page, name: str, magic: bytes) -> None:
    page = new_page("UR5e")
    page.wait_for_frames(30)
    page.press("Record and download")
    with page.page.expect_download() as waiting:
        page.press(name)
    assert waiting.value.path().read_bytes().startswith(magic)


def test_a_cell_that_has_finished_is_run_again(new_page) -> None:
    page = new_page("Slope")
    repeat = page.page.get_by_role("checkbox", name="Repeat")
    expect(repeat).to_be_checked()
    page.page.get_by_role("combobox", name="Speed").select_option("max")
    offer = page.page.get_by_role("group", name="All programs have finished")
    expect(offer).to_be_visible()
    expect(repeat).not_to_be_checked()  # who uses a scene ends its repeating

    page.page.get_by_role("combobox", name="Speed").select_option("1")
    offer.get_by_role("button", name="Run again").click()

    expect(offer).to_be_hidden()
    wait_for_state(page, "running")

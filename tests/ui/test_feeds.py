"""Lines, events and samples: numbered, bounded, told once to all and again to late."""

from __future__ import annotations

import base64
import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gelenk.runtime.bounded_log import SharedLog
from gelenk.runtime.bus import Delivery
from gelenk.runtime.clock import Clock
from gelenk.runtime.events import (
    CONTROLLER_TOPIC,
    LOG_TOPIC,
    TRIGGER_TOPIC,
    WATCHDOG_TOPIC,
    ControllerEvent,
    LogEvent,
    TriggerEvent,
    WatchdogEvent,
)
from gelenk.runtime.message_faults import FAULT_TOPIC, FaultEvent
from gelenk.sim.observe import Impact
from gelenk.sim.renderer_view import Grasp
from gelenk.sim.self_collisions import SelfCollision
from gelenk.ui.feeds import KEPT_LINES, MAX_TEXT, Feeds
from gelenk.ui.messages import Event, Events, Line, Lines, Samples


def _feeds(tick: int = 0) -> Feeds:
    return Feeds(1, Clock(step=0.001, period=0.01, tick=tick))


def _deliver(topic: str, message: object, time_ns: int = 250_000_000) -> Delivery:
    return Delivery(topic, message, "somebody", 0, time_ns, time_ns + 10_000_000)


def _events(feeds: Feeds) -> list[Event]:
    news = feeds.news(with_samples=False)
    return [event for item in news if isinstance(item, Events) for event in item.events]


@given(batches=st.lists(st.integers(0, 30), max_size=12), limit=st.integers(1, 20))
def test_everything_is_told_once_in_order_with_its_number(
    batches: list[int], limit: int
) -> None:
    tape: SharedLog[int] = SharedLog(10_000)
    told: list[int] = []
    count = 0
    for batch in batches:
        for _ in range(batch):
            tape.append(count)
            count += 1
        start, items = tape.news(limit)
        assert start == len(told)
        told += items
    while items := tape.news(limit)[1]:
        told += items

    assert told == list(range(count)) == list(tape.everything()[1])
    assert tape.everything()[0] == 0


def test_what_nobody_fetched_in_time_is_left_out_and_counted() -> None:
    tape: SharedLog[int] = SharedLog(5)
    for k in range(12):
        tape.append(k)

    assert tape.news() == (7, (7, 8, 9, 10, 11))
    assert tape.everything() == (7, (7, 8, 9, 10, 11))


def test_a_late_comer_gets_only_what_was_told_and_will_get_the_rest() -> None:
    tape: SharedLog[int] = SharedLog(100)
    tape.append(0)
    tape.news()
    tape.append(1)

    assert tape.everything() == (0, (0,))
    assert tape.news() == (1, (1,))


def test_windows_are_bounded_and_long_lines_cut() -> None:
    feeds = _feeds()
    for k in range(KEPT_LINES + 50):
        feeds.add_line("debug", Line(tick=k, time=0.0, source="a", text="x" * 10_000))
    told = []
    while news := feeds.news(with_samples=False):
        told += news

    late = [item for item in feeds.everything() if isinstance(item, Lines)]
    assert late[0].window == "debug"
    assert late[0].start + len(late[0].lines) == KEPT_LINES + 50
    assert len(late[0].lines) <= KEPT_LINES
    assert len(late[0].lines[0].text) < MAX_TEXT + 50
    assert "10000 characters" in late[0].lines[0].text
    assert told[0].start == late[0].start >= 50


def test_a_trigger_becomes_a_line_and_an_event_at_the_tick_it_was_raised() -> None:
    feeds = _feeds()
    event = TriggerEvent(
        time=0.123, sender="gate (ball)", receiver=4, text="GO", num_receivers=0
    )
    feeds.hear(_deliver(TRIGGER_TOPIC, event))

    lines, events = feeds.news(with_samples=False)

    assert (lines.window, lines.start) == ("triggers", 0)
    line = lines.lines[0]
    assert (line.tick, line.receiver, line.level) == (123, 4, "warning")
    assert "nobody" in line.text
    assert (events.events[0].tick, events.events[0].what) == (123, "trigger")


def test_what_the_runtime_says_goes_to_the_system_log() -> None:
    feeds = _feeds()
    change = ControllerEvent(
        controller="pick",
        instance=0,
        state="idle",
        previous="running",
        reason="finished",
    )
    trace = "Traceback\n  here\nValueError: no"
    feeds.hear(_deliver(CONTROLLER_TOPIC, change))
    feeds.hear(_deliver(LOG_TOPIC, LogEvent(level="error", source="pick", text=trace)))
    dog = WatchdogEvent(watchdog="heart", deadline=0.5, last_fed=0.1)
    feeds.hear(_deliver(WATCHDOG_TOPIC, dog))
    fault = FaultEvent(kind="joint_limp", target="arm/elbow", time=0.2)
    feeds.hear(_deliver(FAULT_TOPIC, fault))

    lines, events = feeds.news(with_samples=False)

    assert [line.source for line in lines.lines] == ["pick", "pick", "heart", "faults"]
    assert lines.lines[1].text == trace
    assert [(event.what, event.tick) for event in events.events] == [
        ("controller", 250),
        ("error", 250),
        ("fault", 250),
        ("fault", 200),
    ]
    assert events.events[1].text == "pick: ValueError: no"


def test_of_many_impacts_the_hardest_is_an_event_and_not_too_often() -> None:
    feeds = _feeds(tick=1000)

    def impact(speed: float) -> Impact:
        return Impact(
            time=0.9995,
            bodies=("ball", "ground"),
            impulse=np.zeros(3),
            position=np.zeros(3),
            speed=speed,
            restitution=0.5,
        )

    feeds.note_impacts([impact(1.0), impact(3.0), impact(2.0)])
    feeds.note_impacts([impact(9.0)])

    (event,) = _events(feeds)
    assert event.tick == 999
    assert event.text == "ball hits ground at 3.00 m/s"


def test_what_is_taken_and_let_go_are_events() -> None:
    feeds = _feeds()
    feeds.note_grasps([Grasp("cube", "robot0/gripper", True)])
    feeds.note_grasps([Grasp("cube", "robot0/gripper", False)])

    texts = [event.text for event in _events(feeds)]
    assert texts == ["robot0 takes cube", "robot0 lets go of cube"]


def test_a_collision_of_a_robot_is_an_event_at_its_moment() -> None:
    feeds = _feeds(tick=500)
    feeds.note_touches([SelfCollision(0.42, "robot0/tibia", "wall")])

    (event,) = _events(feeds)
    assert (event.what, event.tick) == ("collision", 420)
    assert event.text == "robot0/tibia collides with wall"


def test_going_back_takes_later_events_from_those_who_have_them() -> None:
    feeds = _feeds(tick=500)
    for tick in (100, 200, 300):
        feeds.add_event("impact", f"at {tick}", tick / 1000)
    assert len(_events(feeds)) == 3

    feeds.go_back(200)
    (again,) = feeds.news(with_samples=False)

    assert again.start == 0
    assert [event.tick for event in again.events] == [100, 200]
    feeds.go_back(50)
    (none,) = feeds.news(with_samples=False)
    assert (none.start, none.events) == (0, ())
    assert feeds.news(with_samples=False) == []


def test_samples_are_kept_also_if_nobody_wants_them_now() -> None:
    feeds = _feeds()
    for k in range(3):
        feeds.add_sample(np.array([k, 0.5], dtype=np.float32))

    assert feeds.news(with_samples=False) == []
    (late,) = feeds.everything()
    assert isinstance(late, Samples)
    numbers = struct.unpack("<6f", base64.b64decode(late.values))
    assert numbers == (0.0, 0.5, 1.0, 0.5, 2.0, 0.5)

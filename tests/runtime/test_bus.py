"""The bus: one tick of latency, one order, one type per topic, whoever runs first."""

import threading
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.bus import Bus
from gelenk.runtime.messages import MessageError
from runtime.sample_messages import Count, JointState, Pose, Speed

TICK = 10_000_000  # [ns]


def make_bus() -> Bus:
    return Bus({"first": Count, "second": Count, "speed": Speed})


def test_a_message_arrives_at_the_start_of_the_next_tick() -> None:
    bus = make_bus()
    bus.advance(0)
    bus.publish("first", Count(value=1))

    assert bus.latest("first") is None
    bus.advance(TICK)
    assert bus.latest("first") == Count(value=1)


def test_what_a_callback_publishes_arrives_one_tick_later() -> None:
    bus, seen = make_bus(), []
    bus.subscribe("first", lambda m: bus.publish("second", Count(value=m.value + 1)))
    bus.subscribe("second", lambda m: seen.append((bus.time_ns, m.value)))
    bus.publish("first", Count(value=1))

    for tick in range(4):
        bus.advance(tick * TICK)

    assert seen == [(TICK, 2)]


@given(st.lists(st.sampled_from(["first", "second", "speed"]), max_size=20))
def test_order_is_by_declaration_then_by_publication(topics: list[str]) -> None:
    bus = Bus({"first": Count, "second": Count, "speed": Count})
    for i, topic in enumerate(topics):
        bus.publish(topic, Count(value=i))

    arrived = [(d.topic, d.message.value) for d in bus.advance(0)]

    names = ["first", "second", "speed"]
    expected = [(n, i) for n in names for i, topic in enumerate(topics) if topic == n]
    assert arrived == expected


def test_threads_that_publish_on_topics_of_their_own_change_nothing() -> None:
    """Fifty threads, all at once, many ticks: every message arrives, in order."""
    names = [f"topic_{i}" for i in range(50)]
    bus = Bus(dict.fromkeys(names, Count))

    for tick in range(5):
        barrier = threading.Barrier(len(names))

        def send(name: str, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            for value in range(20):
                bus.publish(name, Count(value=value))

        threads = [threading.Thread(target=send, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        arrived = [(d.topic, d.message.value) for d in bus.advance(tick)]
        assert arrived == [(name, value) for name in names for value in range(20)]


def test_all_latest_are_renewed_before_the_first_callback() -> None:
    bus, seen = make_bus(), []
    bus.subscribe("first", lambda _: seen.append(bus.latest("second")))
    bus.publish("second", Count(value=2))
    bus.publish("first", Count(value=1))

    bus.advance(0)

    assert seen == [Count(value=2)]


def test_a_callback_may_wait_for_a_thread_that_publishes() -> None:
    bus = make_bus()

    def wait_for_other(_: Count) -> None:
        other = threading.Thread(target=lambda: bus.publish("speed", Speed()))
        other.start()
        other.join(timeout=5.0)
        assert not other.is_alive(), "the bus holds its lock while it calls back"

    bus.subscribe("first", wait_for_other)
    bus.publish("first", Count(value=1))
    bus.advance(0)

    assert [d.topic for d in bus.advance(1)] == ["speed"]


def test_the_newest_message_replaces_the_older() -> None:
    bus = make_bus()
    for value in range(3):
        bus.publish("first", Count(value=value))
    bus.advance(0)

    assert bus.latest("first") == Count(value=2)
    bus.advance(TICK)
    assert bus.latest("first") == Count(value=2)


@pytest.mark.capability("GR-262", "GR-263", "BB-76")
def test_a_message_goes_to_one_to_many_or_to_no_subscriber_of_its_topic() -> None:
    bus, heard = make_bus(), []
    bus.subscribe("first", lambda m: heard.append(("a", m.value)))
    for name in ("b", "c"):
        bus.subscribe("second", lambda m, name=name: heard.append((name, m.value)))
    bus.publish("second", Count(value=2))
    bus.publish("first", Count(value=1))
    bus.publish("speed", Speed())

    bus.advance(0)

    assert heard == [("a", 1), ("b", 2), ("c", 2)]


def test_a_delivery_tells_sender_number_and_both_times() -> None:
    bus = make_bus()
    bus.advance(TICK)
    bus.publish("first", Count(value=1), sender="arm")
    bus.publish("first", Count(value=2), sender="arm")

    delivery = bus.advance(2 * TICK)[1]

    assert delivery.sender == "arm"
    assert delivery.number == 1
    assert (delivery.publish_time_ns, delivery.time_ns) == (TICK, 2 * TICK)


def test_the_type_of_a_message_is_checked_when_it_is_published() -> None:
    with pytest.raises(MessageError) as caught:
        make_bus().publish("speed", Count(value=1), sender="arm")

    assert str(caught.value) == "topic 'speed': expected Speed, got Count from 'arm'"
    assert caught.value.topic == "speed"


def test_an_array_of_the_wrong_kind_is_refused_when_it_is_published() -> None:
    bus = Bus({"joints": JointState, "pose": Pose})

    with pytest.raises(MessageError, match=r"topic 'joints', field `qd`.*\(2, 2\)"):
        bus.publish("joints", JointState(q=np.zeros(2), qd=np.zeros((2, 2))))
    with pytest.raises(MessageError, match=r"shape \(4, 4\), got \(3, 3\)"):
        bus.publish("pose", Pose(T_world_tool=np.eye(3)))
    with pytest.raises(MessageError, match="array of float64"):
        bus.publish("joints", JointState(q=np.zeros(2), qd=np.zeros(2, complex)))


@pytest.mark.parametrize("view", [False, True])
def test_a_sender_that_reuses_its_array_does_not_change_the_message(view: bool) -> None:
    bus = Bus({"joints": JointState})
    buffer = np.zeros(3)
    array = buffer[:]
    array.setflags(write=not view)  # a read-only view of a buffer that changes
    bus.publish("joints", JointState(q=array, qd=np.ones(3)))
    buffer[:] = 9.0
    bus.advance(0)

    np.testing.assert_array_equal(bus.latest("joints").q, np.zeros(3))
    with pytest.raises(ValueError, match="read-only"):
        bus.latest("joints").q[0] = 1.0


def test_a_message_that_is_immutable_already_is_not_copied() -> None:
    bus = Bus({"joints": JointState})
    q, qd = np.zeros(3), np.zeros(3)
    for array in (q, qd):
        array.setflags(write=False)
    message = JointState(q=q, qd=qd)
    bus.publish("joints", message)
    bus.advance(0)

    assert bus.latest("joints") is message


@pytest.mark.capability("BB-76")
def test_who_joins_late_finds_the_newest_message_and_hears_all_later_ones() -> None:
    bus, heard = make_bus(), []
    bus.publish("first", Count(value=1))
    bus.advance(0)
    bus.subscribe("first", lambda m: heard.append(m.value))
    assert bus.latest("first") == Count(value=1)
    bus.publish("first", Count(value=2))
    bus.advance(TICK)

    assert heard == [2]


@pytest.mark.capability("BB-76")
def test_unknown_topics_are_named_with_the_closest() -> None:
    bus = make_bus()

    for call in (
        lambda: bus.publish("sped", Speed()),
        lambda: bus.subscribe("sped", print),
        lambda: bus.latest("sped"),
    ):
        with pytest.raises(NameNotFoundError, match="Did you mean 'speed'"):
            call()


def test_a_topic_has_one_type() -> None:
    bus = make_bus()
    bus.declare("first", Count)

    with pytest.raises(ConfigError, match="carries Count, it cannot carry Speed"):
        bus.declare("first", Speed)
    assert list(bus.topics) == ["first", "second", "speed"]


def test_only_frozen_dataclasses_are_messages() -> None:
    @dataclass
    class Loose:
        value: int

    with pytest.raises(ConfigError, match="frozen=True"):
        Bus({"loose": Loose})
    with pytest.raises(ConfigError, match="must be a dataclass"):
        Bus({"number": int})


def test_time_only_moves_forward() -> None:
    bus = make_bus()
    bus.advance(5)

    with pytest.raises(ConfigError, match="time must move forward"):
        bus.advance(5)


def test_who_unsubscribed_hears_nothing_more() -> None:
    bus, heard, overheard = make_bus(), [], []
    stop = bus.subscribe("first", heard.append)
    stop_all = bus.subscribe_all(overheard.append)
    bus.publish("first", Count(value=1))
    bus.advance(0)
    stop()
    stop_all()
    stop()
    bus.publish("first", Count(value=2))
    bus.advance(1)

    assert heard == [Count(value=1)]
    assert [d.message for d in overheard] == [Count(value=1)]


def test_after_restoring_a_snapshot_everything_happens_again() -> None:
    def play(bus: Bus, start: int) -> list[tuple]:
        seen = []
        for tick in range(start, start + 5):
            seen += bus.advance(tick * TICK)
            bus.publish("first", Count(value=tick))
        return seen

    bus = make_bus()
    play(bus, 0)
    snapshot = bus.snapshot()
    once = play(bus, 5)
    bus.restore(snapshot)

    assert bus.latest("first") == Count(value=3)
    assert play(bus, 5) == once

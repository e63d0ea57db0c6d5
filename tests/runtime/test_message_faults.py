"""Lost, late and doubled messages: by schedule, by chance, and always on the record."""

import math

import numpy as np
import pytest

from gelenk.errors import NameNotFoundError
from gelenk.runtime.bus import Bus, Delivery
from gelenk.runtime.message_faults import FaultEvent, MessageFaults, uniform_draw
from gelenk.sim.faults import Fault, FaultKind
from runtime.sample_messages import Count

TICK = 10_000_000  # [ns]


def fault(kind: FaultKind, topic: str = "a", **changes: float) -> Fault:
    return Fault(kind=kind, target=topic, **({"start": 0.0} | changes))


def play(
    *faults: Fault, seed: int = 7, ticks: int = 20, topics: tuple[str, ...] = ("a", "b")
) -> list[Delivery]:
    """Publish the number of the tick on every topic in every tick."""
    bus = Bus(dict.fromkeys(topics, Count), faults=MessageFaults(faults, seed))
    seen: list[Delivery] = []
    for tick in range(ticks):
        seen += bus.advance(tick * TICK)
        for topic in topics:
            bus.publish(topic, Count(value=tick), sender="test")
    return seen


def values(deliveries: list[Delivery], topic: str) -> list[int]:
    return [d.message.value for d in deliveries if d.topic == topic]


def test_a_lost_message_never_reaches_its_subscriber() -> None:
    seen = play(fault("message_lost", start=0.05, duration=0.03))

    assert values(seen, "a") == [0, 1, 2, 3, 4, *range(8, 19)]
    assert values(seen, "b") == list(range(19))


def test_a_doubled_message_arrives_twice_in_the_same_tick() -> None:
    seen = play(fault("message_doubled", start=0.05, duration=0.01))

    assert values(seen, "a") == [0, 1, 2, 3, 4, 5, 5, *range(6, 19)]
    twice = [d for d in seen if d.topic == "a" and d.message.value == 5]
    assert twice[0] == twice[1]


def test_a_delay_is_added_to_the_one_tick() -> None:
    seen = play(fault("message_delayed", start=0.05, duration=0.01, amount=0.03))

    arrival = {d.message.value: d.time_ns for d in seen if d.topic == "a"}
    assert arrival[4] == 5 * TICK
    assert arrival[5] == 9 * TICK  # published in tick 5, one tick, 3 ticks late
    assert values(seen, "a") == [0, 1, 2, 3, 4, 6, 7, 5, *range(8, 19)]


def test_a_delay_that_is_no_multiple_of_the_tick_ends_at_the_next_tick() -> None:
    seen = play(fault("message_delayed", amount=0.0101))

    assert all(
        d.time_ns - d.publish_time_ns == 3 * TICK for d in seen if d.topic == "a"
    )


def test_faults_of_one_topic_add_up() -> None:
    seen = play(
        fault("message_delayed", amount=0.02),
        fault("message_delayed", amount=0.01),
        fault("message_doubled"),
    )

    late = [d for d in seen if d.topic == "a"]
    assert all(d.time_ns - d.publish_time_ns == 4 * TICK for d in late)
    assert [d.message.value for d in late[:4]] == [0, 0, 1, 1]


@pytest.mark.parametrize("kind", ["message_lost", "message_doubled"])
def test_the_share_of_messages_hit_is_the_probability(kind: FaultKind) -> None:
    count, probability = 4000, 0.3

    seen = play(fault(kind, amount=probability), ticks=count + 1)

    hits = sum(d.topic == "faults" for d in seen)
    sigma = math.sqrt(count * probability * (1.0 - probability))
    assert abs(hits - count * probability) < 4.0 * sigma
    expected = count - hits if kind == "message_lost" else count + hits
    assert abs(len(values(seen, "a")) - expected) <= 1


def test_every_hit_is_on_the_topic_faults_at_the_time_the_message_was_due() -> None:
    seen = play(fault("message_lost", amount=0.5))

    events = {d.message.number: d for d in seen if d.topic == "faults"}
    arrived = set(values(seen, "a"))
    assert arrived.isdisjoint(events)
    assert arrived | set(events) == set(range(19))
    for number, delivery in events.items():
        assert delivery.message == FaultEvent(
            kind="message_lost",
            target="a",
            phase="hit",
            time=number / 100,
            amount=0.5,
            number=number,
            sender="test",
        )
        assert delivery.time_ns == (number + 1) * TICK


def test_chance_depends_on_seed_topic_and_number_only() -> None:
    lossy = fault("message_lost", amount=0.5)
    alone = values(play(lossy, ticks=200, topics=("a",)), "a")

    crowd = play(
        lossy,
        fault("message_doubled", "b", amount=0.5),
        ticks=200,
        topics=("c", "b", "a"),
    )

    assert values(crowd, "a") == alone
    assert values(play(lossy, ticks=200, seed=8), "a") != alone
    both = play(lossy, fault("message_lost", "b", amount=0.5), ticks=200)
    assert values(both, "b") != values(both, "a") == alone


def test_two_faults_on_one_topic_draw_independently() -> None:
    """Each loses half; if they drew the same numbers, half would still arrive."""
    seen = play(
        fault("message_lost", amount=0.5),
        fault("message_lost", amount=0.5, start=0.001),
        ticks=2000,
    )

    assert len(values(seen, "a")) == pytest.approx(500, abs=80)  # 4 sigma


def test_draws_are_uniform_and_uncorrelated() -> None:
    draws = np.array([uniform_draw(1, "topic", n, "") for n in range(20_000)])
    counts, _ = np.histogram(draws, bins=20, range=(0.0, 1.0))
    chi_squared = float(((counts - 1000.0) ** 2 / 1000.0).sum())

    assert draws.min() >= 0.0
    assert draws.max() < 1.0
    assert chi_squared < 43.8  # 19 degrees of freedom, 0.1 %
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 4.0 / math.sqrt(20_000)


def test_a_fault_on_an_unknown_topic_stops_the_first_tick() -> None:
    bus = Bus(
        {"speed": Count}, faults=MessageFaults([fault("message_lost", "sped")], 0)
    )

    with pytest.raises(
        NameNotFoundError, match=r"no topic to disturb named 'sped'.*'speed'"
    ):
        bus.advance(0)


def test_faults_of_other_layers_are_left_alone() -> None:
    dead = Fault(kind="motor_dead", target="arm/joint_1", start=0.0)

    assert MessageFaults([dead], 0).topics == ()
    assert "faults" not in Bus({"a": Count}, faults=MessageFaults([dead], 0)).topics


def test_messages_under_way_are_part_of_a_snapshot() -> None:
    faults = MessageFaults([fault("message_delayed", amount=0.02)], 0)
    bus = Bus({"a": Count}, faults=faults)
    bus.publish("a", Count(value=1))
    bus.advance(0)
    snapshot = bus.snapshot()

    once = [bus.advance(tick * TICK) for tick in (1, 2, 3)]
    bus.restore(snapshot)
    again = [bus.advance(tick * TICK) for tick in (1, 2, 3)]

    assert once == again
    assert [len(deliveries) for deliveries in once] == [0, 1, 0]

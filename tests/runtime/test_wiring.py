"""Wiring mistakes are found before the first step, and all at once."""

import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.bus import Bus
from gelenk.runtime.modules import Component, check_wiring
from runtime.sample_messages import Count, Node, Speed

SENSOR = Node(name="sensor", provides={"speed": Speed})


def test_a_complete_wiring_gives_the_topics_of_the_bus() -> None:
    reader = Node(name="reader", requires={"speed": Speed}, provides={"n": Count})

    topics = check_wiring([reader, SENSOR], given={"clock": Count})

    assert list(topics.items()) == [("clock", Count), ("n", Count), ("speed", Speed)]
    assert Bus(topics).topics == topics


def test_a_cycle_is_no_mistake() -> None:
    a = Node(name="a", requires={"x": Count}, provides={"y": Count})
    b = Node(name="b", requires={"y": Count}, provides={"x": Count})

    assert check_wiring([a, b]) == {"y": Count, "x": Count}


@pytest.mark.parametrize(
    ("requires", "message"),
    [
        ({"sped": Speed}, "'reader' requires 'sped', which nothing provides; did you mean 'speed'?"),
        ({"wind": Speed}, "requires 'wind', which nothing provides; Speed is provided as speed"),
        ({"ticks": Count}, "requires 'ticks', which nothing provides; add a provider of Count"),
        ({"speed": Count}, "'reader' requires 'speed' as Count, but 'sensor' provides it as Speed"),
    ],
)  # fmt: skip
def test_what_a_component_misses_is_said(requires, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_wiring([SENSOR, Node(name="reader", requires=requires)])

    assert message in str(caught.value)


def test_two_providers_must_agree_on_the_type() -> None:
    agreeing = Node(name="spare", provides={"speed": Speed})
    other = Node(name="other", provides={"speed": Count})

    assert check_wiring([SENSOR, agreeing]) == {"speed": Speed}
    with pytest.raises(
        ConfigError, match="'other' provides 'speed' as Count, but 'sensor'"
    ):
        check_wiring([SENSOR, other])


def test_every_problem_is_listed() -> None:
    with pytest.raises(ConfigError) as caught:
        check_wiring(
            [
                SENSOR,
                Node(name="sensor", requires={"a": Count}),
                Node(name="bad", provides={"b": int}),
            ]
        )

    for part in ("two components are named 'sensor'", "'a'", "must be a dataclass"):
        assert part in str(caught.value)


def test_anything_with_the_three_attributes_is_a_component() -> None:
    assert isinstance(SENSOR, Component)
    assert not isinstance(object(), Component)

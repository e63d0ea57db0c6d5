"""Configuration: layers, origins, and messages that say place, expectation and remedy."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.runtime.config import (
    ConfigLayer,
    InvalidConfigError,
    effective,
    fingerprint,
    layer_of,
    options_layer,
    resolve,
    setting,
    to_plain,
)


class Mode(StrEnum):
    slow = "slow"
    fast = "fast"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball:
    mass: float = setting(0.2, unit="kg", minimum=0.0)
    position: tuple[float, float, float] = setting((0.0, 0.0, 1.0), unit="m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    height: float = setting(1.0, unit="m", maximum=5.0)
    count: int = 3
    is_loud: bool = False
    name: str = "cell"
    mode: Mode = Mode.slow
    method: Literal["lm", "closed"] = "lm"
    path: Path = Path("a.txt")
    gains: tuple[float, ...] = (1.0,)
    ball: Ball = field(default_factory=Ball)
    spare: Ball | None = None
    balls: tuple[Ball, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)
    limit: float | None = 2.0

    def __post_init__(self) -> None:
        if self.count == 13:
            raise ConfigError("count must not be 13")


def problems_of(*layers: ConfigLayer) -> list[str]:
    with pytest.raises(InvalidConfigError) as caught:
        resolve(Cell, layers)
    return [str(problem) for problem in caught.value.problems]


def test_later_layers_win_and_every_value_knows_its_origin() -> None:
    resolved = resolve(
        Cell,
        [
            ConfigLayer(origin="robot", values={"height": 2.0, "ball": {"mass": 1.0}}),
            ConfigLayer(origin="scenario", values={"height": 3.0, "count": 4}),
            options_layer(["count=5"]),
        ],
    )

    table = effective(resolved)
    assert resolved.config == Cell(height=3.0, count=5, ball=Ball(mass=1.0))
    assert table["height"] == {"value": 3.0, "unit": "m", "origin": "scenario"}
    assert table["count"]["origin"] == "option --set count=5"
    assert table["ball.mass"] == {"value": 1.0, "unit": "kg", "origin": "robot"}
    assert table["ball.position"]["origin"] == "default"
    assert set(table) >= {"ball.mass", "ball.position", "gains", "limit"}


def test_a_layer_that_sets_a_part_of_a_table_keeps_the_rest() -> None:
    first = ConfigLayer(origin="a", values={"ball": {"mass": 3.0}})
    second = ConfigLayer(origin="b", values={"ball": {"position": [1, 2, 3]}})

    config = resolve(Cell, [first, second]).config

    assert config.ball == Ball(mass=3.0, position=(1.0, 2.0, 3.0))


def test_a_table_that_may_be_left_out_is_made_when_a_part_of_it_is_set() -> None:
    config = resolve(Cell, [options_layer(["spare.mass=4"])]).config

    assert config.spare == Ball(mass=4.0)
    assert effective(config)["spare.position"]["origin"] == "default"


def test_the_rest_of_a_table_is_what_the_outer_default_says() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Outer:
        ball: Ball = field(default_factory=lambda: Ball(mass=9.0))

    config = resolve(Outer, [options_layer(["ball.position=1,2,3"])]).config

    assert config.ball == Ball(mass=9.0, position=(1.0, 2.0, 3.0))
    assert effective(config)["ball.mass"]["origin"] == "default"


def test_a_configuration_can_be_a_layer_and_only_its_changes_count() -> None:
    layer = layer_of("robot x", Cell(height=4.0, ball=Ball(mass=0.5)))

    resolved = resolve(Cell, [layer])

    assert resolved.config == Cell(height=4.0, ball=Ball(mass=0.5))
    assert dict(resolved.origins) == {"height": "robot x", "ball.mass": "robot x"}


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("height=2", "height", 2.0),
        ("height=1e-3", "height", 1e-3),
        ("is_loud=true", "is_loud", True),
        ("name=3", "name", "3"),
        ("name='true'", "name", "true"),
        (r'name="two\nlines"', "name", "two\nlines"),
        ("name='s open", "name", "'s open"),
        ("name=a=b", "name", "a=b"),
        ("mode=fast", "mode", Mode.fast),
        ("method=closed", "method", "closed"),
        ("path=b c.txt", "path", Path("b c.txt")),
        ("gains=1,2.5", "gains", (1.0, 2.5)),
        ("gains=[]", "gains", ()),
        ("limit=none", "limit", None),
        ("limit=inf", "limit", float("inf")),
        ("balls=[{mass=2}]", "balls", (Ball(mass=2.0),)),
        ("weights={a = 1}", "weights", {"a": 1.0}),
        ('pairs={"a, b" = 1}', "pairs", {("a", "b"): 1.0}),
    ],
)
def test_options_mean_what_the_type_of_the_field_says(text, attribute, value) -> None:
    config = resolve(Cell, [options_layer([text])]).config

    assert getattr(config, attribute) == value
    assert type(getattr(config, attribute)) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("heigth=1", "heigth: no such key; did you mean 'height'?"),
        ("ball.mas=1", "ball.mas: no such key; did you mean 'mass'?"),
        ("height=tall", "height: expected a number [m], got the text 'tall'"),
        ("height=true", "height: expected a number [m], got true"),
        ("height=nan", "height: expected a number [m], got the number nan"),
        ("height=6", "height: must be at most 5 [m], got the number 6.0"),
        ("ball.mass=-1", "ball.mass: must be at least 0 [kg], got the number -1.0"),
        ("count=2.5", "count: expected a whole number, got the number 2.5"),
        ("is_loud=1", "is_loud: expected true or false, got the number 1"),
        ("mode=quick", "mode: expected one of 'slow', 'fast', got the text 'quick'"),
        ("method=x", "method: expected one of 'lm', 'closed', got the text 'x'"),
        ("gains=a", "gains: expected a list of numbers, got the text 'a'"),
        ("ball=3", "ball: expected a table, got the number 3"),
        ("ball.position=1,2", "ball.position: expected a list of 3 numbers [m], got a list of 2"),
        ("limit=x", "limit: expected a number or none, got the text 'x'"),
        ("count=13", "Cell: count must not be 13"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_told_with_place_expectation_and_value(text, message) -> None:
    assert problems_of(options_layer([text])) == [f"option --set {text}: {message}"]


def test_a_key_far_from_all_others_lists_what_there_is() -> None:
    (problem,) = problems_of(ConfigLayer(origin="robot", values={"ball": {"qqq": 1}}))

    assert problem == "robot: ball.qqq: no such key; there are mass, position"


def test_all_problems_of_all_layers_come_at_once() -> None:
    robot = ConfigLayer(origin="robot", values={"heigth": 1, "ball": {"mass": "heavy"}})

    found = problems_of(robot, options_layer(["count=x"]))

    assert [text.partition(":")[0] for text in found] == [
        "robot",
        "robot",
        "option --set count=x",
    ]


@pytest.mark.parametrize("text", ["height", "=3", "ball.=3", ""])
def test_an_option_that_is_no_assignment_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="expected KEY=VALUE"):
        options_layer([text])


@pytest.mark.parametrize("order", [1, -1])
def test_a_key_cannot_be_a_value_and_a_table(order: int) -> None:
    with pytest.raises(ConfigError, match="a value and a table"):
        options_layer(["ball=3", "ball.mass=3"][::order])


def test_a_value_without_default_must_be_given() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Needy:
        speed: float = field(metadata={"unit": "m/s"})

    with pytest.raises(InvalidConfigError, match=r"speed: a value is missing \[m/s\]"):
        resolve(Needy)
    assert resolve(Needy, [options_layer(["speed=1"])]).config.speed == 1.0


def test_arrays_are_read_and_frozen() -> None:
    @dataclass(frozen=True, kw_only=True, eq=False)
    class Drive:
        gain: NDArray[np.float64]

    config = resolve(Drive, [options_layer(["gain=[[1,2],[3,4]]"])]).config

    assert config.gain.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert not config.gain.flags.writeable
    assert to_plain(config) == {"gain": [[1.0, 2.0], [3.0, 4.0]]}


def test_plain_values_make_the_same_configuration_again() -> None:
    config = Cell(
        mode=Mode.fast,
        path=Path("x"),
        spare=Ball(),
        balls=(Ball(mass=1.0),),
        pairs={("a", "b"): 0.5},
    )

    again = resolve(Cell, [ConfigLayer(origin="plain", values=to_plain(config))]).config

    assert again == config


def test_fingerprints_differ_when_any_value_does() -> None:
    variants = [Cell(), Cell(height=2.0), Cell(ball=Ball(mass=0.3)), Cell(limit=None)]

    assert len({fingerprint(config) for config in variants}) == len(variants)
    assert fingerprint(Cell()) == fingerprint(Cell(height=1.0))

"""What is written reads back as what it was."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.robots.armbot.environment.description import CuboidEntry
from gelenk.robots.armbot.environment.read import parse_environment
from robots.armbot.environment.sample_files import ALL_SHAPES, TWO_ARMS, without_places
from testkit.environment_writer import write_environment

lengths = st.floats(-1e4, 1e4).map(repr)
sizes = st.floats(0.01, 1e4).map(repr)
shares = st.floats(0.0, 1.0).map(repr)
colors = st.integers(0, 2**24 - 1).map(lambda n: f"{n:06x}")
# Pieces that mean something in a text, side by side in every order.
texts = st.lists(
    st.sampled_from(
        ["_S{V}_", "_S{SLASH}_", "_S{OPEN}", "a", "/", "*", " ", "_", "I{1}", "é"]
    )
).map("".join)
words = texts.map(lambda text: "w" + text.replace(" ", "").replace("/", ""))


def row(*parts: st.SearchStrategy[str] | str) -> st.SearchStrategy[str]:
    strategies = [st.just(part) if isinstance(part, str) else part for part in parts]
    return st.tuples(*strategies).map(" ".join)


plans = row("RECT", lengths, lengths, sizes, sizes) | row(
    "CIRCLE", lengths, lengths, sizes
)
rects = row("RECT", lengths, lengths, sizes, sizes)
labels = st.sampled_from(
    ["", "DEBUGNAME a\n", "DEBUGNAME ball_1\n", "DEBUGNAME ground\n"]
)
masses = st.sampled_from(["", "MASS 0.1\n"])
things = st.one_of(
    row(labels, "STEP", sizes, colors, plans, "ENDSTEP"),
    row(labels, "SLOPE", sizes, sizes, st.sampled_from("xy"), colors, rects, "ENDSLOPE"),
    row(labels, "SPHERE", lengths, lengths, lengths, sizes, colors),
    row("BOTTOMPAINT", colors, st.floats(0, 255).map(repr), plans, "ENDSLICK"),
    row(labels, masses, "BALL", lengths, lengths, lengths, sizes, shares, shares, colors),
    row(masses, labels, "CUBOID", lengths, lengths, lengths, sizes, sizes, sizes, colors),
    row("CONVEYOR 7 RUN", sizes, sizes, "y", lengths, sizes, colors, rects, "ENDCONVEYOR"),
    row("TRIGGER BALLLEAVES 5", words, lengths, lengths, sizes, sizes, colors),
    row("TRIGGER CUBOIDBARRIER -1", words, lengths, "0 2e4", lengths, sizes, "*"),
    row("TILE", st.sampled_from(["3", "1~4"]), "0", colors),
)  # fmt: skip
files = st.tuples(
    st.sampled_from(["", "MULTIROBOT 2\n"]),
    row("STRING V ", texts.map(lambda t: t.replace("_S", "x"))),
    st.just("STRING SLASH /\nSTRING OPEN _"),
    row("ROBOT", lengths, lengths, st.floats(-720, 720).map(repr)),
    row("CONFIG", texts),
    row("TPCONFIG", texts),
    st.lists(things, max_size=6).map("\n".join),
).map("\n".join)


@pytest.mark.parametrize("text", [TWO_ARMS, ALL_SHAPES, ""])
def test_a_written_file_reads_back_as_the_same(text: str) -> None:
    environment = parse_environment(text)

    again = parse_environment(write_environment(environment))

    assert without_places(again) == without_places(environment)


@pytest.mark.slow
@given(text=files.filter(lambda text: "/*" not in text))
def test_any_environment_survives_writing_and_reading(text: str) -> None:
    environment = parse_environment(text)

    written = write_environment(environment)
    again = parse_environment(written)

    assert without_places(again) == without_places(environment)
    assert write_environment(again) == written


def test_numbers_are_written_as_one_would() -> None:
    text = (
        "BORDER -300 -300 300 300\nROBOT0 10.5 0 -90\nBALL 60 0 35 5 0.3 0.5 FF0000\n"
    )

    assert write_environment(parse_environment(text)) == text


def test_a_turned_cuboid_and_a_text_of_two_lines_cannot_be_written() -> None:
    environment = parse_environment(
        "CUBOID 0 0 0 1 1 1 FF0000\nTRIGGER BALLENTERS 1 A 0 0 1 0 *"
    )
    (cuboid,), (trigger,) = environment.movables, environment.triggers
    assert isinstance(cuboid, CuboidEntry)
    turned = dataclasses.replace(cuboid, yaw=0.1)
    long = dataclasses.replace(trigger, text="a\nb")
    spaced = dataclasses.replace(cuboid, name="a b")

    for changes, message in (
        ({"movables": (turned,)}, "must not be turned"),
        ({"triggers": (long,)}, "must be one line"),
        ({"movables": (spaced,)}, "must be one word"),
    ):
        with pytest.raises(ConfigError, match=message):
            write_environment(dataclasses.replace(environment, **changes))

"""What robots show is data that is checked where it is made."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.runtime.panel import (
    ActionError,
    AnnotatedImage,
    ChoiceField,
    Column,
    GroundField,
    NumberField,
    PanelAction,
    PixelArrows,
    PixelCircles,
    PixelPoints,
    PixelTexts,
    RobotPanel,
    SwitchField,
    Table,
    TextField,
    WorldPath,
    WorldTexts,
    WorldTube,
    write_cell,
)
from gelenk.runtime.panel_actions import check_values
from gelenk.runtime.panel_overlays import MAX_POINTS
from gelenk.runtime.scene import LiveScene

THROW = PanelAction(
    name="throw",
    title="Throw",
    fields=(
        GroundField(name="target", title="Target", low=(0.0, -1.0), high=(2.0, 1.0)),
        NumberField(
            name="peak", title="Peak", default=2.0, unit="m", minimum=1.0, maximum=3.0
        ),
        ChoiceField(name="ball", title="Ball", choices=("red", "blue"), default="red"),
        SwitchField(name="spin", title="Spin"),
        TextField(name="note", title="Note"),
    ),
)


# -- points ----------------------------------------------------------------------------


def test_points_become_arrays_that_nobody_changes() -> None:
    given = np.array([[1.0, 2.0], [3.0, 4.0]])
    mark = PixelPoints(at=given)
    given[0, 0] = 99.0

    kept = np.asarray(mark.at)

    assert kept.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert kept.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        kept[0, 0] = 5.0


@pytest.mark.parametrize("empty", [[], (), np.zeros((0, 3)), np.zeros(0)])
def test_no_points_are_an_empty_array_of_the_right_shape(empty: Any) -> None:
    assert np.asarray(WorldPath(name="way", at=empty).at).shape == (0, 3)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: PixelPoints(at=[1.0, 2.0]), ShapeError, "PixelPoints.at"),
        (lambda: PixelPoints(at=[[1.0, 2.0, 3.0]]), ShapeError, "2"),
        (lambda: PixelPoints(at=[[1.0, np.nan]]), ConfigError, "finite"),
        (lambda: PixelPoints(at=[["a", "b"]]), ConfigError, "numbers"),
        (
            lambda: PixelCircles(centers=[[0, 0]], radii=[1.0, 2.0]),
            ConfigError,
            "centers 1, radii 2",
        ),
        (
            lambda: PixelArrows(starts=[[0, 0]], ends=np.zeros((2, 2))),
            ConfigError,
            "one length",
        ),
        (
            lambda: WorldTube(name="t", at=np.zeros((3, 3)), radii=[1.0]),
            ConfigError,
            "at 3, radii 1",
        ),
        (lambda: PixelTexts(at=[[0, 0]], texts=()), ConfigError, "1 texts"),
        (
            lambda: WorldTexts(name="t", at=[[0, 0, 0]], texts=("a", "b")),
            ConfigError,
            "1 texts",
        ),
        (
            lambda: PixelPoints(at=[[0, 0], [1, 1]], labels=("one",)),
            ConfigError,
            "2 labels",
        ),
        (
            lambda: PixelPoints(at=np.zeros((MAX_POINTS + 1, 2))),
            ConfigError,
            str(MAX_POINTS),
        ),
    ],
)
def test_wrong_points_are_refused_with_what_is_wrong(
    make: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        make()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4), dtype=np.float64),
        np.zeros((4, 4, 4), dtype=np.uint8),
        np.zeros((0, 4), dtype=np.uint8),
        np.zeros(4, dtype=np.uint8),
        np.zeros((1, 5000), dtype=np.uint8),
    ],
)
def test_only_gray_and_coloured_images_of_bytes_are_pictures(image: Any) -> None:
    with pytest.raises((ConfigError, ShapeError), match="image"):
        AnnotatedImage(name="one", image=image)


# -- tables ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "cell", "text"),
    [
        (".2f", 1.005001, "1.01"),
        (".2f", -1.5, "−1.50"),
        (".1e", 12345.0, "1.2e+04"),
        ("d", 7, "7"),
        ("d", 7.5, "7.5"),
        (".3f", None, "–"),
        (".3f", True, "yes"),
        (".3f", "a-b", "a-b"),
        (".3f", np.float64(0.5), "0.500"),
    ],
)
def test_cells_are_written_as_their_column_says(
    form: str, cell: Any, text: str
) -> None:
    assert write_cell(Column(title="x", format=form), cell) == text


def test_a_format_that_writes_no_number_and_a_short_row_are_refused() -> None:
    with pytest.raises(ConfigError, match="'banana' writes no number"):
        Column(title="x", format="banana")
    columns = (Column(title="x"), Column(title="y"))
    with pytest.raises(ConfigError, match="row 1 of table 't' has 1 entries for 2"):
        Table(name="t", title="T", columns=columns, rows=((1.0, 2.0), (1.0,)))


# -- actions ---------------------------------------------------------------------------


def test_values_are_completed_by_defaults_and_made_of_plain_types() -> None:
    values = check_values(THROW, {"target": [1, 0.5], "peak": 2})

    assert values == {
        "target": (1.0, 0.5),
        "peak": 2.0,
        "ball": "red",
        "spin": False,
        "note": "",
    }
    assert isinstance(values["peak"], float)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("target", None, "click"),
        ("target", [3.0, 0.0], "0 to 2 m"),
        ("target", [1.0], "x, y"),
        ("target", ["1", "2"], "x, y"),
        ("target", [1.0, float("inf")], "x, y"),
        ("target", [True, False], "x, y"),
        ("peak", 0.5, "at least 1 m and at most 3 m"),
        ("peak", float("nan"), "at least 1 m"),
        ("peak", "2", "a number"),
        ("peak", True, "a number"),
        ("ball", "green", "red, blue"),
        ("ball", ["red"], "red, blue"),
        ("spin", 1, "true or false"),
        ("note", 5, "text"),
        ("note", "x" * 2001, "2000"),
        ("color", "red", "no field 'color'"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_the_name_of_its_field(
    name: str, value: Any, words: str
) -> None:
    given = {"target": [1.0, 0.0]} | {name: value}

    with pytest.raises(ActionError) as caught:
        check_values(THROW, given)

    assert caught.value.field == name
    assert words in str(caught.value)


def test_a_choice_begins_with_one_of_its_choices() -> None:
    with pytest.raises(ConfigError, match="one of a, b, got 'c'"):
        ChoiceField(name="x", title="X", choices=("a", "b"), default="c")


# -- exhibits and stands ---------------------------------------------------------------


def test_an_exhibit_that_overrides_nothing_shows_nothing() -> None:
    plain = RobotPanel()

    assert plain.actions() == plain.tables() == plain.overlays() == plain.curves() == ()
    assert list(plain.pictures(frozenset({"one"}))) == []
    assert dict(plain.picture_titles()) == {}
    with pytest.raises(NameNotFoundError, match="'jump'"):
        plain.press("jump", {})


def test_a_setter_without_its_parameter_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(ConfigError, match="'speed'"):
        LiveScene(run=nothing, world=nothing, setters={"speed": print})


def test_offering_scenes_loads_no_engine() -> None:
    code = (
        "import sys, gelenk.runtime.panel, gelenk.runtime.scene\n"
        "print('mujoco' in sys.modules, 'cv2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]

"""Configuration files: lines in messages, and text that reads back the same."""

import tomllib
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError, FileFormatError
from gelenk.runtime.config import (
    ConfigLayer,
    InvalidConfigError,
    resolve,
    setting,
    to_plain,
)
from gelenk.runtime.config_toml import file_layer, find_lines, text_layer, to_toml

TEXT = '''\
# a comment with [brackets] and = signs
height = "tall"   # [m]
gains = [
  1,  # [
  2, "]",
[1],
]
text = """
[ball]
mas = 3
"""
plain = 'it''s' # two strings would be wrong TOML, so: one

[ball]
mass = -1
  "strange key".inner = { a = 1 }
[ball.spring]
stiffness = 1
[[balls]]
x = 1
'''.replace("'it''s'", "'its'")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball:
    mass: float = setting(0.2, unit="kg", minimum=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    height: float = setting(1.0, unit="m")
    text: str = "x"
    nothing: float | None = None
    something: float | None = 1.0
    ball: Ball = field(default_factory=Ball)


def test_the_line_of_every_key_is_found() -> None:
    assert dict(find_lines(TEXT)) == {
        "height": 2,
        "gains": 3,
        "text": 8,
        "plain": 12,
        "ball": 14,
        "ball.mass": 15,
        "ball.strange key.inner": 16,
        "ball.spring": 17,
        "ball.spring.stiffness": 18,
        "balls": 19,
        "balls.x": 20,
    }


def test_problems_of_a_file_name_their_lines_all_at_once(tmp_path: Path) -> None:
    path = tmp_path / "cell.toml"
    path.write_text('\nheight = "tall"\n[ball]\nmass = -1\nmas = 2\n[bal]\n')

    with pytest.raises(InvalidConfigError) as caught:
        resolve(Cell, [file_layer(path)])

    assert str(caught.value).splitlines() == [
        "4 problems in the configuration",
        f"  {path}, line 2: height: expected a number [m], got the text 'tall'",
        f"  {path}, line 4: ball.mass: must be at least 0 [kg], got the number -1.0",
        f"  {path}, line 5: ball.mas: no such key; did you mean 'mass'?",
        f"  {path}, line 6: bal: no such key; did you mean 'ball'?",
    ]


def test_a_file_that_is_no_toml_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "cell.toml"
    path.write_text("height = 1\ntext =\n")

    with pytest.raises(FileFormatError, match="line 2: is not TOML"):
        file_layer(path)


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(ConfigError, match=r"no\.toml: No such file"):
        file_layer(tmp_path / "no.toml")
    with pytest.raises(FileFormatError, match="is not UTF-8"):
        file_layer(tmp_path / "x.toml")


def test_the_text_of_a_configuration_shows_units_and_origins() -> None:
    resolved = resolve(Cell, [text_layer("height = 2\n", origin="cell.toml")])

    text = to_toml(resolved)

    assert "height = 2.0  # [m] from cell.toml, line 1\n" in text
    assert "[ball]\nmass = 0.2  # [kg]\n" in text


def test_none_is_written_where_it_is_not_the_default() -> None:
    text = to_toml(Cell(something=None))

    config = resolve(Cell, [text_layer(text, origin="text")]).config
    assert "nothing" not in text
    assert config.something is None


LEAVES = (
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text()
)
KEYS = st.text(min_size=1)


@given(LEAVES | st.lists(st.floats(allow_nan=False)) | st.dictionaries(KEYS, LEAVES))
def test_any_value_reads_back_the_same_from_its_text(value: Any) -> None:
    """Oracle: the standard library's reader of TOML."""
    kind = make_dataclass("Kind", [("value", Any)], frozen=True)

    assert tomllib.loads(to_toml(kind(value))) == {"value": to_plain(value)}


@given(st.floats(allow_nan=False), st.text(), st.floats(min_value=0.0))
def test_a_configuration_reads_back_the_same_bits(height, text, mass) -> None:
    config = Cell(height=height, text=text, ball=Ball(mass=mass))

    layer = text_layer(to_toml(config), origin="text")

    assert isinstance(layer, ConfigLayer)
    assert resolve(Cell, [layer]).config == config

"""Settings of a leg as a file: read back the same, refused with the line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gelenk.errors import FileFormatError
from gelenk.robots.amee.config import GEARED_DRIVE, LegCfg, SensorLine, TouchCfg
from gelenk.robots.amee.leg_file import read_leg, write_leg


@pytest.mark.capability("QW-113")
def test_a_leg_is_read_as_it_was_written(tmp_path: Path) -> None:
    leg = LegCfg(
        number=3,
        drive=GEARED_DRIVE,
        sensors=tuple(SensorLine(slope=190.0 + i, offset=100.0 * i) for i in range(4)),
        limits=((-1.0, 1.0), (-math.pi, 0.5), (0.0, 2.5), (0.3, 4.0)),
        touch=TouchCfg(tries=5),
    )
    path = tmp_path / "leg.toml"
    write_leg(path, leg)
    found = read_leg(path)
    assert found.leg == leg
    assert found.port == 3552
    path.write_text('format = "gelenk amee leg 1"\n[leg]\nnumber = 2\n')
    assert read_leg(path).leg == LegCfg(number=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('format = "gelenk piggy setup 1"\n', "another kind of file"),
        ('format = "gelenk amee leg 1"\n[leg]\nnumber = "two"\n', "line 3"),
        ('format = "gelenk amee leg 1"\n[leg.touch]\ntrys = 4\n', "tries"),
        ('format = "gelenk amee leg 1"\n[leg]\nnumber = 7\n', "1 to 4"),
        ("format = \n", "not TOML"),
    ],
)
def test_a_wrong_file_is_answered_with_the_place(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "leg.toml"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        read_leg(path)

"""Setups that ship: calibrated from images and servo readings, one for each drive.

They belong to the cameras of `RigCfg()`. `gelenk piggy calibrate --save FILE` makes
others.
"""

from __future__ import annotations

from functools import cache

from gelenk.errors import NameNotFoundError
from gelenk.robots.piggy.setup import Setup, read_setup
from gelenk.runtime.files import shipped_files


@cache
def shipped_setup(drive: str) -> Setup:
    """Return the calibrated setup of a robot with this drive.

    Args:
        drive: "thesis" or "tight".
    """
    files = shipped_files("piggy", ".toml")
    if drive not in files:
        raise NameNotFoundError("setup", drive, files)
    return read_setup(files[drive])

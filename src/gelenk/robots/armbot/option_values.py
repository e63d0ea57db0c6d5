"""The values of options: from one word of the command line to a checked value.

Each function takes the word and raises `ConfigError` with what it expected.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from gelenk.errors import ConfigError
from gelenk.robots.armbot.problems import close_match

Pose: TypeAlias = tuple[float, float, float]  # x, y [m], heading [rad]

NUM_FLAGS = 3
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderFlags:
    """What the picture highlights.

    Attributes:
        moving: Servos that move.
        fast: Servos that move at 95 % of their top speed or more.
        triggers: Areas that send triggers.
    """

    moving: bool = False
    fast: bool = False
    triggers: bool = False


def flag(_: str) -> bool:
    """Return True: the option is there."""
    return True


def words(text: str) -> str:
    """Return any text as it is, also an empty one."""
    return text


def name(text: str) -> str:
    """Return a text without blanks around it, which must not be empty."""
    if not text.strip():
        raise ConfigError("expected a name, got an empty text")
    return text.strip()


def path(text: str) -> Path:
    """Return a path."""
    return Path(name(text)).expanduser()


def file_part(text: str) -> str:
    """Return a text that can be a part of a file's name."""
    if not text or not text.isprintable() or set(text) & set("/\\:"):
        raise ConfigError(
            f"expected a part of a file name, got {text!r}; folders belong to -logdir"
        )
    return text


def setting(text: str) -> str:
    """Return a text KEY=VALUE."""
    key, sign, _ = text.partition("=")
    if not sign or not key.strip():
        raise ConfigError(f"expected KEY=VALUE, such as gravity=1.62, got {text!r}")
    return text


def number(text: str) -> float:
    """Return a finite number."""
    if not _NUMBER.fullmatch(text.strip()) or not math.isfinite(float(text)):
        raise ConfigError(f"expected a number, got {text!r}")
    return float(text)


def positive(text: str) -> float:
    """Return a number that is 0 or more."""
    value = number(text)
    if value < 0.0:
        raise ConfigError(f"expected a number that is 0 or more, got {text}")
    return value


def milliseconds(text: str) -> float:
    """Return a time [s] given in milliseconds."""
    return positive(text) / 1e3


def whole(text: str) -> int:
    """Return a whole number that is 0 or more."""
    if not _INTEGER.fullmatch(text.strip()) or int(text) < 0:
        raise ConfigError(f"expected a whole number that is 0 or more, got {text!r}")
    return int(text)


def port(text: str) -> int:
    """Return a port number."""
    value = whole(text)
    if value > 65535:
        raise ConfigError(f"expected a port, 0 to 65535, got {text}")
    return value


def one_of(*allowed: str) -> Callable[[str], str]:
    """Return the function that takes one of some words."""

    def convert(text: str) -> str:
        if text not in allowed:
            listing = f"; there are {', '.join(allowed)}"
            raise ConfigError(
                f"expected {' or '.join(allowed)}, got {text!r}"
                f"{close_match(text, allowed, or_list=listing)}"
            )
        return text

    return convert


def flags(text: str) -> RenderFlags:
    """Return the flags of a text of T and F, of which missing ones are F."""
    if len(text) > NUM_FLAGS or set(text) - {"T", "F"}:
        raise ConfigError(
            f"expected up to {NUM_FLAGS} letters T or F (moving servos, fast servos, "
            f"trigger areas), got {text!r}; TFT shows the first and the last"
        )
    moving, fast, triggers = (letter == "T" for letter in text.ljust(NUM_FLAGS, "F"))
    return RenderFlags(moving=moving, fast=fast, triggers=triggers)


def pose(text: str) -> Pose:
    """Return x, y [m] and heading [rad] of "x y angle" in cm and degrees."""
    from gelenk.robots.armbot.environment.values import CM_PER_M  # not for the help

    parts = re.split(r"[\s,;]+", text.strip())
    try:
        x, y, angle = (number(part) for part in parts)
    except (ConfigError, ValueError) as error:
        raise ConfigError(
            f"expected x, y [cm] and an angle [degrees], got {text!r}; "
            'say for example "-100 50 90"'
        ) from error
    return x / CM_PER_M, y / CM_PER_M, math.radians(angle)


def processor(text: str) -> tuple[int, str]:
    """Return number and class name of "50:package.Class"."""
    before, colon, after = text.partition(":")
    if not colon or not _INTEGER.fullmatch(before.strip()) or not after.strip():
        raise ConfigError(
            f"expected <number>:<class>, such as 50:robotcontroller.BeltLogic, "
            f"got {text!r}"
        )
    return whole(before), after.strip()

"""Message types and components that the tests of the runtime share."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    value: float = field(default=0.0, metadata={"unit": "m/s"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointState:
    q: FloatArray = field(metadata={"unit": "rad"})
    qd: FloatArray = field(metadata={"unit": "rad/s"})
    is_valid: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pose:
    T_world_tool: FloatArray = field(metadata={"shape": (4, 4)})


class Mood(enum.Enum):
    CALM = 1
    ANGRY = "grrr"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    gain: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Everything:
    """One field of every kind that a message can carry."""

    number: float
    whole: int
    flag: bool
    text: str
    blob: bytes
    mood: Mood
    choice: Literal["left", "right"]
    inner: Inner
    pair: tuple[str, float]
    triple: tuple[float, float, float]
    series: tuple[int, ...]
    parts: tuple[Inner, ...]
    gains: dict[str, float]
    by_number: Mapping[int, Inner]
    vector: FloatArray
    matrix: FloatArray = field(metadata={"shape": (None, 3), "unit": "m"})
    counts: IntArray
    flags: BoolArray
    small: NDArray[np.float32]
    scalar: FloatArray = field(metadata={"shape": ()})
    maybe: float | None = None
    maybe_inner: Inner | None = None
    maybes: tuple[float | None, ...] = ()
    maybe_vector: FloatArray | None = None


@dataclass(frozen=True, kw_only=True)
class Node:
    """A component that only declares."""

    name: str
    requires: Mapping[str, type] = field(default_factory=dict)
    provides: Mapping[str, type] = field(default_factory=dict)

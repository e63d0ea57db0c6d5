"""What a multi-hypothesis tracker is given, keeps and tells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import FloatArray

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scan:
    """What one sensor detected at one moment.

    Attributes:
        time: [s].
        detections: One row per detection, shape (m, d).
        sensor: Number of the sensor.
    """

    time: float
    detections: FloatArray
    sensor: int = 0

    def __post_init__(self) -> None:
        rows = as_array("detections", self.detections, ())
        if rows.ndim != 2:
            raise ShapeError("detections", expected="(m, d)", actual=rows.shape)
        object.__setattr__(self, "detections", np.ascontiguousarray(rows))


class TrackModel(Protocol[S]):
    """What a tracker must know about the objects; states are never changed in place."""

    def predict(self, state: S, dt: float) -> S:
        """Return the state dt [s] later."""
        ...

    def likelihoods(self, state: S, scan: Scan) -> FloatArray:
        """Return the log density of each detection, -inf beyond the gate, (m,)."""
        ...

    def update(self, state: S, scan: Scan, index: int) -> S:
        """Return the state after detection `index`."""
        ...

    def detection_probability(self, state: S, scan: Scan) -> float:
        """Return how likely the object is detected in the scan, 0 to 1."""
        ...

    def births(self, scan: Scan) -> FloatArray:
        """Return the log density of each detection as a new object's first, (m,)."""
        ...

    def birth(self, scan: Scan, index: int) -> S:
        """Return the state of a new object first seen as detection `index`."""
        ...

    def is_lost(self, state: S, silence: float) -> bool:
        """Return whether a track, unseen for `silence` [s], is over."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerCfg:
    """How much is believed, and how much work a scan may cost.

    Attributes:
        clutter_density: False detections per scan and unit of detection volume.
        birth_rate: New objects per scan.
        max_hypotheses: Global hypotheses kept.
        max_births: Detections per scan that may begin a track; the likeliest.
        max_detections: Detections that are looked at by tracks; the likeliest.
        max_gap: Log odds against the best hypothesis at which others are dropped.
        depth: Scans after which a decision is final.
        min_hits: Detections that a track needs before it is reported.
        min_existence: Weight of hypotheses that hold a reported track.
    """

    clutter_density: float
    birth_rate: float = 0.02
    max_hypotheses: int = 24
    max_births: int = 6
    max_detections: int = 24
    max_gap: float = 12.0
    depth: int = 8
    min_hits: int = 3
    min_existence: float = 0.9

    def __post_init__(self) -> None:
        for name in ("clutter_density", "birth_rate", "max_gap"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise ConfigError(
                    f"`{name}` must be positive, got {getattr(self, name)}"
                )
        for name in ("max_hypotheses", "max_detections", "depth", "min_hits"):
            if getattr(self, name) < 1:
                raise ConfigError(
                    f"`{name}` must be at least 1, got {getattr(self, name)}"
                )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaf(Generic[S]):
    """A track under one sequence of decisions.

    Attributes:
        track: Number of the track, the same in all its leaves, never used again.
        state: What the model knows.
        hits: How often it was detected.
        born: Time of its first detection [s].
        seen: Time of its last detection [s].
        path: Its nodes in the last scans, oldest first; nodes are numbered uniquely.
        scans: Scans since its birth.
    """

    track: int
    state: S
    hits: int
    born: float
    seen: float
    path: tuple[int, ...]
    scans: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothesis:
    """One explanation of everything: its leaves, by their nodes, and its log weight."""

    leaves: tuple[int, ...]
    log_weight: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrackerState(Generic[S]):
    """All hypotheses after a scan; the start is `TrackerState()`.

    Attributes:
        time: Of the last scan [s]; None before the first.
        leaves: By node.
        hypotheses: From the best on; weights sum to 1.
        next_track: Number of the next new track.
        next_node: Number of the next node.
    """

    time: float | None = None
    leaves: Mapping[int, Leaf[S]] = field(default_factory=dict)
    hypotheses: tuple[Hypothesis, ...] = (Hypothesis(leaves=(), log_weight=0.0),)
    next_track: int = 1
    next_node: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track(Generic[S]):
    """A track of the best hypothesis, and how sure it exists."""

    id: int
    state: S
    existence: float
    hits: int
    born: float
    seen: float

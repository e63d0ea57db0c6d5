"""Multi-hypothesis tracking: which detections belong to which objects, and to none.

After Cox and Hingorani (1996). A global hypothesis explains every detection so far as
the next detection of a track, the first of a new one, or clutter. Each new scan
multiplies every hypothesis; the best of all children are found by Murty's method in one
ranking, the rest is dropped. Decisions older than a few scans are made final. A
`TrackModel` tells how an object moves and looks; nothing here knows about balls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.assignment import best_assignments
from gelenk.typing import FloatArray, IntArray

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DetectionScan:
    """Detections of one sensor at one moment.

    Attributes:
        time: Time of the scan [s].
        detections: One row per detection, shape (m, d).
        sensor: Number of the sensor.

    Example:
        >>> from gelenk.estimation import DetectionScan
        >>> DetectionScan(time=0.5, detections=np.zeros((3, 2))).sensor
        0
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
    """Model of the objects for a tracker; states are never changed in place."""

    def predict(self, state: S, dt: float) -> S:
        """Return the state dt [s] later."""
        ...

    def likelihoods(self, state: S, scan: DetectionScan) -> FloatArray:
        """Return the log density of each detection, -inf beyond the gate, (m,)."""
        ...

    def update(self, state: S, scan: DetectionScan, index: int) -> S:
        """Return the state after detection `index`."""
        ...

    def detection_probability(self, state: S, scan: DetectionScan) -> float:
        """Return how likely the object is detected in the scan, 0 to 1."""
        ...

    def births(self, scan: DetectionScan) -> FloatArray:
        """Return the log density of each detection as a new object's first, (m,)."""
        ...

    def birth(self, scan: DetectionScan, index: int) -> S:
        """Return the state of a new object first seen as detection `index`."""
        ...

    def is_lost(self, state: S, silence: float) -> bool:
        """Return whether a track, unseen for `silence` [s], is over."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerCfg:
    """Settings of a tracker: rates, and the work that a scan may cost.

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

    Example:
        >>> from gelenk.estimation import TrackerCfg
        >>> TrackerCfg(clutter_density=0.1, depth=5).min_hits
        3
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
        state: State of the object, as the model defines it.
        hits: Number of detections.
        born: Time of its first detection [s].
        seen: Time of its last detection [s].
        path: Nodes of the track in the last scans, oldest first; nodes are numbered
            uniquely.
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
        time: Time of the last scan [s]; None before the first.
        leaves: Leaves of all tracks, by node.
        hypotheses: Hypotheses from the best on; weights sum to 1.
        next_track: Number of the next new track.
        next_node: Number of the next node.

    Example:
        >>> from gelenk.estimation import TrackerState
        >>> TrackerState().time is None
        True
    """

    time: float | None = None
    leaves: Mapping[int, Leaf[S]] = field(default_factory=dict[int, Leaf[S]])
    hypotheses: tuple[Hypothesis, ...] = (Hypothesis(leaves=(), log_weight=0.0),)
    next_track: int = 1
    next_node: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectTrack(Generic[S]):
    """A track of the best hypothesis, and how sure it exists."""

    id: int
    state: S
    existence: float
    hits: int
    born: float
    seen: float


MISSED = -1  # instead of the number of a detection


class MultiHypothesisTracker(Generic[S]):
    """Multi-hypothesis tracking of any objects; holds no tracks itself.

    Args:
        model: Model of the objects.
        cfg: Settings of the tracker.

    Example:
        One object at rest on a line, seen with a noise of 0.1 m, among clutter.

        >>> from gelenk.estimation import (
        ...     DetectionScan, MultiHypothesisTracker, TrackerCfg, TrackerState,
        ... )
        >>> class Points:
        ...     def predict(self, state, dt):
        ...         return state
        ...     def likelihoods(self, state, scan):
        ...         d = (scan.detections[:, 0] - state) / 0.1
        ...         return np.where(abs(d) < 5.0, 1.384 - 0.5 * d**2, -np.inf)
        ...     def update(self, state, scan, index):
        ...         return 0.5 * (state + scan.detections[index, 0].item())
        ...     def detection_probability(self, state, scan):
        ...         return 0.9
        ...     def births(self, scan):
        ...         return np.full(len(scan.detections), -2.3)
        ...     def birth(self, scan, index):
        ...         return float(scan.detections[index, 0])
        ...     def is_lost(self, state, silence):
        ...         return silence > 1.0
        >>> tracker, state = (
        ...     MultiHypothesisTracker(Points(), TrackerCfg(clutter_density=0.1)),
        ...     TrackerState(),
        ... )
        >>> for k, clutter in enumerate([7.0, 4.0, 9.0, 2.0, 5.0]):
        ...     found = np.array([[1.0], [clutter]])
        ...     scan = DetectionScan(time=0.1 * k, detections=found)
        ...     state = tracker.step(state, scan)
        >>> [(track.state, track.hits) for track in tracker.tracks(state)]
        [(1.0, 5)]
    """

    def __init__(self, model: TrackModel[S], cfg: TrackerCfg) -> None:
        self.model, self.cfg = model, cfg

    def step(self, state: TrackerState[S], scan: DetectionScan) -> TrackerState[S]:
        """Return all hypotheses after a scan; sensors of one moment follow each other.

        Raises:
            ConfigError: If the scan is older than the last one.
        """
        if state.time is not None and scan.time < state.time:
            raise ConfigError(
                f"scans must come in order of time, got {scan.time} after {state.time}"
            )
        dt = 0.0 if state.time is None else scan.time - state.time
        growth = _Growth(self.model, self.cfg, state, scan, dt)
        children = growth.children()
        children = _pruned(children, growth.leaves, self.cfg.depth)
        used = {node for child in children for node in child.leaves}
        return TrackerState(
            time=scan.time,
            leaves={node: growth.leaves[node] for node in sorted(used)},
            hypotheses=_normalized(children),
            next_track=growth.next_track,
            next_node=growth.next_node,
        )

    def tracks(self, state: TrackerState[S]) -> tuple[ObjectTrack[S], ...]:
        """Return the tracks of the best hypothesis that are sure enough, by number."""
        existence: dict[int, float] = {}
        for hypothesis in state.hypotheses:
            for node in hypothesis.leaves:
                track = state.leaves[node].track
                weight = math.exp(hypothesis.log_weight)
                existence[track] = existence.get(track, 0.0) + weight
        best = (state.leaves[node] for node in state.hypotheses[0].leaves)
        found = (
            ObjectTrack(
                id=leaf.track,
                state=leaf.state,
                existence=min(1.0, existence[leaf.track]),
                hits=leaf.hits,
                born=leaf.born,
                seen=leaf.seen,
            )
            for leaf in best
            if leaf.hits >= self.cfg.min_hits
            and existence[leaf.track] >= self.cfg.min_existence
        )
        return tuple(sorted(found, key=lambda track: track.id))


class _Growth(Generic[S]):
    """The children of all hypotheses in one scan."""

    def __init__(
        self,
        model: TrackModel[S],
        cfg: TrackerCfg,
        state: TrackerState[S],
        scan: DetectionScan,
        dt: float,
    ) -> None:
        self.model, self.cfg, self.scan, self.state = model, cfg, scan, state
        self.next_track, self.next_node = state.next_track, state.next_node
        self.leaves: dict[int, Leaf[S]] = {}
        self.made: dict[tuple[int, int], int] = {}
        self.nodes = list(state.leaves)
        self.moved = {
            node: model.predict(leaf.state, dt) if dt > 0.0 else leaf.state
            for node, leaf in state.leaves.items()
        }
        self._rate()

    def _rate(self) -> None:
        """Find the detections that matter, and what every explanation of them costs."""
        cfg, m = self.cfg, len(self.scan.detections)
        fits = np.full((len(self.nodes), m), -np.inf)
        self.miss = np.zeros(len(self.nodes))
        clutter = math.log(cfg.clutter_density)
        for k, node in enumerate(self.nodes):
            p = self.model.detection_probability(self.moved[node], self.scan)
            p = min(max(p, 0.0), 1.0 - 1e-9)
            self.miss[k] = math.log1p(-p)
            if m and p > 0.0:
                odds = math.log(p) - self.miss[k] - clutter
                fits[k] = self.model.likelihoods(self.moved[node], self.scan) + odds
        births = np.full(m, -np.inf)
        if m:
            births = self.model.births(self.scan) + math.log(cfg.birth_rate) - clutter
        # Work stays bounded in a storm: few births, few detections, the likeliest.
        unlikely = np.argsort(-births, kind="stable")[cfg.max_births :]
        births[unlikely] = -np.inf
        worth = np.maximum(fits.max(axis=0, initial=-np.inf), births)
        order = np.argsort(-worth, kind="stable")[: cfg.max_detections]
        self.rows = order[worth[order] > -cfg.max_gap]
        self.fits, self.births = fits[:, self.rows], births[self.rows]

    def children(self) -> list[Hypothesis]:
        """Return the best children of all hypotheses, from the best on."""
        n, leaves = len(self.rows), len(self.nodes)
        place = {node: k for k, node in enumerate(self.nodes)}
        parents = self.state.hypotheses
        cost = np.full((len(parents), n, leaves + 2 * n), np.inf)
        offsets = np.empty(len(parents))
        for b, parent in enumerate(parents):
            columns = [place[node] for node in parent.leaves]
            cost[b][:, columns] = -self.fits[columns].T
            offsets[b] = -parent.log_weight - self.miss[columns].sum()
        own = np.arange(n)
        cost[:, own, leaves + own] = -self.births
        cost[:, own, leaves + n + own] = 0.0  # clutter, the measure of all
        best = best_assignments(
            cost, self.cfg.max_hypotheses, offsets=offsets, max_gap=self.cfg.max_gap
        )
        found: dict[tuple[int, ...], float] = {}
        ranking = zip(best.problem, best.columns, best.total, strict=True)
        for problem, columns, total in ranking:
            key = self._grown(parents[int(problem)], columns, place)
            found[key] = np.logaddexp(found.get(key, -np.inf), -total)
        ranked = sorted(found.items(), key=lambda item: -item[1])
        return [Hypothesis(leaves=key, log_weight=weight) for key, weight in ranked]

    def _grown(
        self, parent: Hypothesis, columns: IntArray, place: Mapping[int, int]
    ) -> tuple[int, ...]:
        """Return the nodes of a child hypothesis."""
        count = len(self.nodes)
        taken = {int(c): int(self.rows[row]) for row, c in enumerate(columns)}
        nodes = [
            self._next(node, taken.get(place[node], MISSED)) for node in parent.leaves
        ]
        nodes += [
            self._born(row)
            for c, row in taken.items()
            if count <= c < count + len(columns)
        ]
        return tuple(sorted(node for node in nodes if node is not None))

    def _next(self, node: int, row: int) -> int | None:
        """Return the node of a leaf after detection `row`; None if it is over."""
        if (node, row) not in self.made:
            old, state, seen = self.state.leaves[node], self.moved[node], self.scan.time
            if row == MISSED:
                seen = old.seen
                if self.model.is_lost(state, self.scan.time - seen):
                    return None
            else:
                state = self.model.update(state, self.scan, row)
            self.made[node, row] = self._add(
                Leaf(
                    track=old.track,
                    state=state,
                    hits=old.hits + (row != MISSED),
                    born=old.born,
                    seen=seen,
                    path=(*old.path, self.next_node)[-self.cfg.depth - 1 :],
                    scans=old.scans + 1,
                )
            )
        return self.made[node, row]

    def _born(self, row: int) -> int:
        """Return the node of a new track that begins with detection `row`."""
        if (MISSED, row) not in self.made:
            self.made[MISSED, row] = self._add(
                Leaf(
                    track=self.next_track,
                    state=self.model.birth(self.scan, row),
                    hits=1,
                    born=self.scan.time,
                    seen=self.scan.time,
                    path=(self.next_node,),
                )
            )
            self.next_track += 1
        return self.made[MISSED, row]

    def _add(self, leaf: Leaf[S]) -> int:
        self.leaves[self.next_node] = leaf
        self.next_node += 1
        return self.next_node - 1


def _pruned(
    children: list[Hypothesis], leaves: Mapping[int, Leaf[S]], depth: int
) -> list[Hypothesis]:
    """Return the hypotheses that agree with the best on decisions `depth` scans ago."""

    def decided(hypothesis: Hypothesis) -> frozenset[int]:
        paths = (leaves[node] for node in hypothesis.leaves)
        return frozenset(leaf.path[0] for leaf in paths if leaf.scans >= depth)

    final = decided(children[0])
    return [child for child in children if decided(child) == final]


def _normalized(children: list[Hypothesis]) -> tuple[Hypothesis, ...]:
    total = np.logaddexp.reduce([child.log_weight for child in children])
    return tuple(
        Hypothesis(leaves=child.leaves, log_weight=float(child.log_weight - total))
        for child in children
    )

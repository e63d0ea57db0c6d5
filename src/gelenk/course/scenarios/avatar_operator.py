"""The operator of the avatar, the bad link, and hand wheels found in clouds.

The operator is far away: all that he knows came over the link. He looks at the cloud
that the robot sends with a template drawn into it, and confirms it, or moves the
template to what looks more like a hand wheel; he refuses a grasp that sits unevenly.
He takes his time. The link delays every message and now and then carries none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.behavior.state_machines import Autonomy
from gelenk.pointcloud.kd_tree import KdTree
from gelenk.pointcloud.planes import cut_clusters, find_plane
from gelenk.pointcloud.registration import IcpCfg, align_clouds
from gelenk.spatial import se3
from gelenk.typing import FloatArray

ANGLES = np.radians([0.0, 30.0, 60.0, 90.0])  # three spokes: 120 degrees are all
_ICP = IcpCfg(max_distance=0.1, max_iterations=30, tolerance=1e-5)


def find_things(cloud: FloatArray) -> tuple[FloatArray, ...]:
    """Return what stands out of the wall in a cloud, shape (k, 3) each [m]."""
    wall = find_plane(cloud, tolerance=0.015, rng=np.random.default_rng(0))
    if wall is None:
        return ()
    points = cloud[np.abs(wall.distances(cloud)) > 0.05]
    groups = cut_clusters(points, gap=0.045, min_points=15)
    return tuple(points[group] for group in groups)


def fit_wheel(
    points: FloatArray, wheel: KdTree, *, T_start: FloatArray | None = None
) -> tuple[float, FloatArray]:
    """Return how far points are from a wheel [m], and its pose T_base_wheel.

    Args:
        points: Of one thing, in base axes [m], shape (k, 3).
        wheel: The template in its frame.
        T_start: Where it should be, shape (4, 4); None: around the middle.
    """
    middle = points.mean(axis=0)
    starts = [facing(middle, a) for a in ANGLES] if T_start is None else [T_start]
    best: tuple[float, FloatArray] = (np.inf, np.eye(4))
    for start in starts:
        T = align_clouds(
            points, wheel, T_start=se3.inverse(start), cfg=_ICP
        ).T_target_source
        off = float(np.mean(wheel.nearest(se3.transform_point(T, points))[0]))
        if off < best[0]:
            best = (off, se3.inverse(T))
    return best


def judge_wheel(points: FloatArray, wheel: KdTree) -> tuple[float, FloatArray]:
    """Return how little a thing looks like a wheel [m], and the wheel's pose in it.

    Args:
        points: Of one thing, in base axes [m], shape (k, 3).
        wheel: The template in its frame.
    """
    fits, T_base_wheel = fit_wheel(points, wheel)
    template = se3.transform_point(T_base_wheel, wheel.points)
    covers = KdTree(points).nearest(template)[0]
    return fits + float(np.mean(np.minimum(covers, 0.05))), T_base_wheel


def facing(place: FloatArray, angle: float) -> FloatArray:
    """Return a wheel before the robot, its z axis towards it, shape (4, 4)."""
    c, s = np.cos(angle), np.sin(angle)
    out = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return se3.pose_from_rotation_translation(out @ turn, place)


THINKING = (3.0, 7.0)  # [s]
CLICK_NOISE = 8e-3  # of a template moved by hand [m]
EVEN = 0.016  # a grasp that sits farther off is refused [m]
RESEND = 3.0  # [s]
DELAY = (0.3, 1.0)  # of a message [s]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Request:
    """What the robot sends when it may not go on alone.

    Attributes:
        number: Of the request, counted from 1.
        state: In which it waits.
        outcome: That waits.
        clusters: Things in the cloud, in base axes [m], shape (k, 3) each.
        T_base_object: Where it believes the wheel, shape (4, 4); None: it has no idea.
        uneven: How unevenly the fingers hold [m].
    """

    number: int
    state: str
    outcome: str
    clusters: tuple[FloatArray, ...] = ()
    T_base_object: FloatArray | None = None
    uneven: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What the operator sends.

    Attributes:
        number: Of the request that it answers; 0: none, a sign of life.
        verdict: "confirm", "correct" or "again"; "" in a sign of life.
        T_base_object: Where he moved the template; None: not.
        level: The level he allows.
        count: Of his messages; a robot takes levels of newer ones only.
    """

    number: int = 0
    verdict: str = ""
    T_base_object: FloatArray | None = None
    level: Autonomy
    count: int


@dataclass(slots=True, kw_only=True, eq=False)
class RadioLink:
    """One direction of the link.

    Attributes:
        outages: Begin and end of times in which all is lost [s], shape (k, 2).
        rng: Draws the delays.
    """

    outages: FloatArray
    rng: np.random.Generator
    _flying: list[tuple[float, object]] = field(default_factory=list)

    def is_down(self, now: float) -> bool:
        """Return whether nothing gets through."""
        return bool(((self.outages[:, 0] <= now) & (now < self.outages[:, 1])).any())

    def send(self, message: object, now: float) -> None:
        """Send a message; it comes later, or never."""
        if not self.is_down(now):
            self._flying.append((now + float(self.rng.uniform(*DELAY)), message))

    def receive(self, now: float) -> list[object]:
        """Return what has come since, in the order of arrival."""
        if not self._flying:
            return []
        come = sorted((m for m in self._flying if m[0] <= now), key=lambda m: m[0])
        self._flying = [m for m in self._flying if m[0] > now]
        return [message for _, message in come]


def draw_outages(rng: np.random.Generator, duration: float) -> FloatArray:
    """Return times without a link [s], shape (k, 2)."""
    found: list[tuple[float, float]] = []
    start = float(rng.uniform(10.0, 60.0))
    while start < duration:
        end = start + float(rng.uniform(6.0, 20.0))
        found.append((start, end))
        start = end + float(rng.exponential(60.0))
    return np.array(found).reshape(-1, 2)


@dataclass(slots=True, kw_only=True, eq=False)
class Operator:
    """Somebody who answers requests, one after the other.

    Attributes:
        level: That he allows.
        adapts: Whether he changes it: up when the robot was right, down when not.
        wheel: The template of a wheel in its frame.
        rng: Draws his time and how well he points.
        sent: All of his answers, with the time [s].
    """

    level: Autonomy
    adapts: bool
    wheel: KdTree
    rng: np.random.Generator
    sent: list[tuple[float, Answer]] = field(default_factory=list)
    _known: dict[int, Answer] = field(default_factory=dict)
    _busy: tuple[float, Request] | None = None
    _beat: float = 0.0
    _count: int = 0

    def step(self, mail: list[object], now: float) -> list[Answer]:
        """Return what he sends now.

        Args:
            mail: What has come from the robot.
            now: Time [s].
        """
        out: list[Answer] = []
        for request in mail:
            if not isinstance(request, Request):
                continue
            if request.number in self._known:  # his answer was lost: the same again
                out.append(self._stamped(self._known[request.number]))
            elif self._busy is None or request.number > self._busy[1].number:
                self._busy = (now + float(self.rng.uniform(*THINKING)), request)
        if self._busy is not None and now >= self._busy[0]:
            answer = self._decide(self._busy[1])
            self._known[answer.number] = answer
            self._busy = None
            out.append(answer)
        if now >= self._beat:
            self._beat = now + 1.0
            out.append(self._stamped(Answer(level=self.level, count=0)))
        self.sent += [(now, answer) for answer in out]
        return out

    def _decide(self, request: Request) -> Answer:
        verdict, T = "confirm", None
        if request.state == "look":
            T = self._place(request)
            verdict = "confirm" if T is None else "correct"
        elif request.outcome.startswith("held") and request.uneven > EVEN:
            verdict = "again"
        if self.adapts and request.state in ("look", "grasp"):
            is_right = verdict == "confirm" and request.outcome in ("sure", "held")
            self.level = Autonomy.HIGH if is_right else Autonomy.LOW
        return self._stamped(
            Answer(
                number=request.number,
                verdict=verdict,
                T_base_object=T,
                level=self.level,
                count=0,
            )
        )

    def _stamped(self, answer: Answer) -> Answer:
        self._count += 1
        return Answer(
            number=answer.number,
            verdict=answer.verdict,
            T_base_object=answer.T_base_object,
            level=self.level,
            count=self._count,
        )

    def _place(self, request: Request) -> FloatArray | None:
        """Return where he moves the template; None: it is where it belongs.

        What he sees of shapes: a wheel covers the template, and the template covers
        the wheel; a gauge is full where a wheel has holes.
        """
        best, T_best = np.inf, None
        for points in request.clusters:
            score, T = judge_wheel(points, self.wheel)
            if score < best:
                best, T_best = score, T
        if T_best is None:
            return None
        if request.T_base_object is not None:
            off = request.T_base_object[:3, 3] - T_best[:3, 3]
            if np.linalg.norm(off) < 0.03:
                return None
        moved = T_best.copy()
        moved[:3, 3] += CLICK_NOISE * self.rng.normal(size=3)
        return moved

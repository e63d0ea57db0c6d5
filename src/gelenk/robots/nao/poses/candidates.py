"""Leg poses that can be measured: reachable, free, and the board in full view.

Poses are made for the left leg; the right one takes their mirror images.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.robots.nao.config import nominal_intrinsics
from gelenk.robots.nao.errors import CASES, NaoErrors
from gelenk.robots.nao.joints import LEG, SIDES, Side, ankle_roll_limits, limits, mirror
from gelenk.robots.nao.poses.body import body_pose, is_free, looking_poses
from gelenk.robots.nao.poses.boxes import collision_boxes
from gelenk.robots.nao.poses.view import TARGETS, BoardView, is_unhidden, view_board
from gelenk.robots.nao.robot_with_errors import (
    nominal_model,
    true_intrinsics,
    true_model,
)
from gelenk.typing import BoolArray, FloatArray
from gelenk.vision.camera import Intrinsics

_BATCH = 4000  # poses that are drawn at once
_MAX_DRAWN = 400_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SightCfg:
    """What a pose must offer.

    Attributes:
        border: Distance of all corners from the image's border [px].
        wrong_border: The same for a robot whose errors are not known yet [px].
        min_depth: Distance of the board from the camera [m]; nearer it is blurred.
        min_facing: Cosine of the angle under which the board is seen.
        max_roll: Turn of the board in the image [rad].
        limit_margin: Distance from the ends of the joints' ranges [rad].
        clearance: Distance between bodies and from the floor [m].
        worst: Errors that a robot may have and still see the board.
    """

    border: float = 20.0
    wrong_border: float = 6.0
    min_depth: float = 0.15
    min_facing: float = 0.5
    max_roll: float = math.radians(60.0)
    limit_margin: float = math.radians(2.0)
    clearance: float = 0.005
    worst: tuple[NaoErrors, ...] = field(default_factory=lambda: tuple(CASES.values()))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Candidates:
    """Poses that can be measured.

    Attributes:
        legs: Angles of the left leg [rad], B-Human's signs, shape (n, 6).
        bodies: Body vectors with the head at its three targets, shape (n, 3, 22); the
            right leg's are their mirror images.
    """

    legs: FloatArray
    bodies: FloatArray

    def __len__(self) -> int:
        return len(self.legs)

    def take(self, rows: Sequence[int]) -> Candidates:
        """Return some of the poses, in the order given."""
        index = np.asarray(rows, dtype=np.int64)
        return replace(self, legs=self.legs[index], bodies=self.bodies[index])

    def body(self, side: Side) -> FloatArray:
        """Return the body vectors of one side's poses, shape (n, 3, 22)."""
        return self.bodies if side == "left" else mirror(self.bodies)


def joined(*parts: Candidates) -> Candidates:
    """Return the poses of several sets as one."""
    return Candidates(
        legs=np.concatenate([part.legs for part in parts]),
        bodies=np.concatenate([part.bodies for part in parts]),
    )


class PoseJudge:
    """Says of poses of the left leg whether they can be measured."""

    def __init__(self, cfg: SightCfg | None = None) -> None:
        self.cfg = cfg or SightCfg()
        self._model = nominal_model()
        self._boxes = collision_boxes(self._model)
        self._wrong = [(true_model(e), true_intrinsics(e)) for e in self.cfg.worst]
        low, high = limits()[:, LEG["left"]]
        self.low, self.high = low + self.cfg.limit_margin, high - self.cfg.limit_margin

    def judge(self, legs: FloatArray) -> Candidates:
        """Return those of some poses (n, 6) that can be measured."""
        kept = legs[self._is_in_range(legs)]
        bodies, reached = looking_poses(self._model, body_pose(kept, "left"), "left")
        kept, bodies = kept[reached], bodies[reached]
        cfg = self.cfg
        good = self._sees(self._model, nominal_intrinsics(), bodies, "left", cfg.border)
        kept, bodies = kept[good], bodies[good]
        for model, lens in self._wrong:
            for side in SIDES:
                good = self._sees(model, lens, bodies, side, cfg.wrong_border)
                kept, bodies = kept[good], bodies[good]
        for look in range(len(TARGETS)):
            free = is_free(self._model, self._boxes, bodies[:, look], cfg.clearance)
            kept, bodies = kept[free], bodies[free]
        for model, lens in ((self._model, nominal_intrinsics()), *self._wrong):
            good = self._unhidden(model, lens, bodies)
            kept, bodies = kept[good], bodies[good]
        return Candidates(legs=kept, bodies=bodies)

    def is_way_free(self, start: FloatArray, end: FloatArray, steps: int = 8) -> bool:
        """Return whether nothing touches on the straight way between two leg poses."""
        share = np.linspace(0.0, 1.0, steps + 2)[1:-1, None]
        way = body_pose(start + share * (end - start), "left")
        return bool(is_free(self._model, self._boxes, way, 0.0).all())

    def _is_in_range(self, legs: FloatArray) -> BoolArray:
        roll_low, roll_high = ankle_roll_limits(legs[:, 4])
        margin = self.cfg.limit_margin
        roll = legs[:, 5]
        inside = (legs >= self.low).all(axis=1) & (legs <= self.high).all(axis=1)
        return inside & (roll >= roll_low + margin) & (roll <= roll_high - margin)

    def _sees(
        self,
        model: RobotModel,
        lens: Intrinsics,
        bodies: FloatArray,
        side: Side,
        border: float,
    ) -> BoolArray:
        view = self._view(model, lens, bodies, side)
        high = np.array([lens.width, lens.height]) - 1.0 - border
        cfg = self.cfg
        with np.errstate(invalid="ignore"):
            inside = ((view.pixels >= border) & (view.pixels <= high)).all(axis=(1, 2))
        good = (
            inside
            & (view.depth >= cfg.min_depth).all(axis=1)
            & (view.facing >= cfg.min_facing).all(axis=1)
            & (np.abs(view.roll) <= cfg.max_roll)
        )
        return np.all(good.reshape(-1, len(TARGETS)), axis=1)

    def _unhidden(
        self, model: RobotModel, lens: Intrinsics, bodies: FloatArray
    ) -> BoolArray:
        view = self._view(model, lens, bodies, "left")
        seen = is_unhidden(model, self._boxes, view, "left")
        return np.all(seen.reshape(-1, len(TARGETS)), axis=1)

    def _view(
        self, model: RobotModel, lens: Intrinsics, bodies: FloatArray, side: Side
    ) -> BoardView:
        q = bodies if side == "left" else mirror(bodies)
        return view_board(model, lens, q.reshape(-1, q.shape[-1]), side)


def candidate_poses(
    count: int,
    rng: np.random.Generator,
    cfg: SightCfg | None = None,
    *,
    judge: PoseJudge | None = None,
) -> Candidates:
    """Return leg poses that can be measured, drawn evenly over the joints' ranges.

    Args:
        count: How many.
        rng: Draws them.
        cfg: What they must offer.
        judge: Made of `cfg` before, to save time.

    Raises:
        ConfigError: If hardly any pose offers it.
    """
    judge = judge or PoseJudge(cfg)
    found: list[Candidates] = []
    have = drawn = 0
    while have < count:
        if drawn >= _MAX_DRAWN:
            raise ConfigError(
                f"only {have} of {drawn} leg poses can be measured, {count} are wanted;"
                " widen `SightCfg`"
            )
        good = judge.judge(rng.uniform(judge.low, judge.high, (_BATCH, 6)))
        drawn += _BATCH
        have += len(good)
        found.append(good)
    return joined(*found).take(range(count))

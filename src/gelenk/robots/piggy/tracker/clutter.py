"""What is round but no ball: things at rest, chance, and the bat."""

from __future__ import annotations

import numpy as np

from gelenk.typing import BoolArray, FloatArray
from gelenk.vision.circle_score import GateCfg, ScoreGate
from gelenk.vision.sphere import sphere_circle

SAME_PLACE = 1.5  # [px], and
SAME_SHARE = 0.04  # of the radius: circles of one thing at rest
SAME_RADIUS = 0.08  # relative
SIGHTS = 6  # after which a thing is at rest; a thrown ball grows by 15 % meanwhile
PATIENCE = 0.25  # [s] for things that are not yet known to rest
MEMORY = 20.0  # [s] for those that are
SETTLE = 15  # images until most things at rest are known; chance is learnt after
SCORE = 3  # column of circles


class StillThings:
    """Circles of one camera that come back at the same place, such as lamps."""

    def __init__(self) -> None:
        self._circle = np.empty((0, 3))
        self._sights = np.empty(0, dtype=np.int64)
        self._seen = np.empty(0)

    def __len__(self) -> int:
        """How many things are known to be at rest."""
        return int((self._sights >= SIGHTS).sum())

    def update(self, circles: FloatArray, now: float) -> BoolArray:
        """Remember the circles (u, v, r) of an image; return which are at rest, (n,).

        A thing keeps the place of its first sight, so what creeps is not at rest.
        """
        stays = np.where(self._sights >= SIGHTS, MEMORY, PATIENCE)
        keep = now - self._seen <= stays
        self._circle, self._sights = self._circle[keep], self._sights[keep]
        self._seen = self._seen[keep]
        n, known = len(circles), len(self._circle)
        if not n:
            return np.zeros(0, dtype=np.bool_)
        match = np.full(n, -1)
        if known:
            away = np.hypot(
                circles[:, None, 0] - self._circle[None, :, 0],
                circles[:, None, 1] - self._circle[None, :, 1],
            )
            r = self._circle[None, :, 2]
            other = np.abs(circles[:, None, 2] / r - 1.0) > SAME_RADIUS
            away[other | (away > SAME_PLACE + SAME_SHARE * r)] = np.inf
            best = away.argmin(axis=1)
            is_known = np.isfinite(away[np.arange(n), best])
            match[is_known] = best[is_known]
            found = np.unique(match[is_known])
            self._sights[found] += 1
            self._seen[found] = now
        fresh = match < 0
        is_still = np.zeros(n, dtype=np.bool_)
        is_still[~fresh] = self._sights[match[~fresh]] >= SIGHTS
        self._circle = np.concatenate([self._circle, circles[fresh, :3]])
        self._sights = np.append(self._sights, np.ones(fresh.sum(), dtype=np.int64))
        self._seen = np.append(self._seen, np.full(fresh.sum(), now))
        return is_still


class Sieve:
    """Tells which circles of one camera may be balls.

    Things at rest are not, nor what is too unlikely for the place: in front of shelves
    and pictures much looks nearly round, before a sky little does.

    Args:
        cfg: How many circles by chance may be taken for balls.
    """

    def __init__(self, cfg: GateCfg | None = None) -> None:
        self._still = StillThings()
        self._gate = ScoreGate(cfg)
        self._images = 0

    @property
    def threshold(self) -> float:
        """Least score of a circle that may be a ball where none is expected."""
        return self._gate.threshold

    def sift(
        self, circles: FloatArray, now: float, is_explained: BoolArray | None = None
    ) -> BoolArray:
        """Return which circles of an image may be balls, (n,), and learn from them.

        Args:
            circles: Rows (u, v, r, score), (n, 4 or more).
            now: Time of the image [s].
            is_explained: Which of them are known balls, that need no score and are no
                clutter, (n,).
        """
        may_be = ~self._still.update(circles, now)
        known = np.zeros_like(may_be) if is_explained is None else is_explained
        score, chance = circles[:, SCORE], may_be & ~known
        may_be &= known | (score >= self.threshold)
        self._images += 1
        if self._images > SETTLE:
            self._gate.learn(score[chance])
        return may_be


def is_bat(
    circles: FloatArray,
    camera: FloatArray,
    bat: FloatArray,
    radius: float,
    *,
    slack: float = 0.05,
) -> BoolArray:
    """Return which circles (u, v, r) are the outline of the bat's sphere, (n,).

    Args:
        circles: [px], (n, 3 or more).
        camera: As kernels read it, (21,).
        bat: Centre of the sphere, world axes [m], (3,).
        radius: Of the sphere [m].
        slack: How far the sphere may be from there [m]: play of the gears, lag.
    """
    u, v, r = sphere_circle(camera[None], bat, radius)[0]
    if not np.isfinite(r) or not len(circles):
        return np.zeros(len(circles), dtype=np.bool_)
    near = r * slack / radius
    away = np.hypot(circles[:, 0] - u, circles[:, 1] - v)
    size = np.abs(circles[:, 2] - r)
    return (away < near + 0.1 * r) & (size < near + 0.1 * r)

"""How the night and the day in the museum look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk.course.film import at_height, standing
from gelenk.course.scenarios.museum_world import (
    NUM_VISITORS,
    RADIUS,
    Museum,
    MuseumWorld,
)
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.course.film import Film

TALL = 1.0  # of everything that stands about [m]


class MuseumCamera:
    """Films the museum from above; without a film it does nothing.

    Attributes:
        offset: Time at which the day began [s].
    """

    def __init__(self, film: Film | None, museum: Museum) -> None:
        self._film = film
        self._last = self.offset = 0.0
        if film is None:
            return
        self._still: dict[str, FloatArray] = {}
        solid = zip(
            museum.floor.obstacles, range(len(museum.floor.obstacles)), strict=True
        )
        first = len(museum.floor.obstacles) - len(museum.exhibits)
        for ring, k in solid:
            low, high = ring.min(axis=0), ring.max(axis=0)
            color = "brown" if k >= first else "light_grey"
            film.box(f"solid {k}", [*(high - low), TALL], color=color)
            self._still[f"solid {k}"] = standing([*(0.5 * (low + high)), 0.5 * TALL])
        film.disc("robot", RADIUS, TALL, color="blue")
        for k in range(NUM_VISITORS):
            film.disc(f"visitor {k}", 0.24, 1.7, color="orange")

    def shoot(
        self,
        world: MuseumWorld,
        text: str,
        *,
        path: FloatArray,
        cloud: FloatArray,
    ) -> None:
        """Take a frame if one is due.

        Args:
            world: As it really is.
            text: What goes on.
            path: Planned, in the world [m], shape (k, 2).
            cloud: Of believed places in the world [m], shape (n, 2).
        """
        if self._film is None:
            return
        if self.offset + world.time < self._last:  # the next morning
            self.offset = self._last + 1.0
        time = self._last = self.offset + world.time
        if not self._film.wants(time):
            return
        x, y, heading = world.pose
        poses = {"robot": standing([x, y, 0.5 * TALL], heading)}
        if not self._film.shots:
            poses |= self._still
        if world.crowd is not None:
            for k, place in enumerate(world.crowd.places):
                poses[f"visitor {k}"] = standing([*place, 0.85])
        self._film.shoot(
            time,
            poses=poses,
            lines={"path": at_height(path, 0.02)},
            clouds={"belief": at_height(cloud, 0.02)},
            text=text,
        )

"""Frames of the camera-guided grasp: what is there, what was seen, how hard it pushes.

What the arm does between two places is drawn only: the scenario takes it for done.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.course.film import Film
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

TOP, LEG = 0.03, 0.34  # thickness of the table, height of its leg [m]


class GraspFilm:
    """Takes the frames.

    Attributes:
        time: Of the film [s].
        text: What goes on.

    Args:
        film: Takes frames.
        arm: The arm.
        table: Its height [m].
        things: Pose, boxes as (low, high) and colour of what lies on the table.
    """

    def __init__(
        self,
        film: Film,
        arm: RobotModel,
        table: float,
        things: Sequence[tuple[FloatArray, FloatArray, str]],
    ) -> None:
        self.film, self.time, self.text = film, 0.0, ""
        film.arm("puma", arm)
        film.box("table", (0.9, 1.0, TOP), color="sand")
        film.disc("leg", 0.06, LEG, color="dark_grey")
        film.cloud("cloud", color="measured", radius=2e-3)
        film.cloud("found", color="target", radius=2e-3)
        poses = {
            "table": _moved(np.eye(4), (0.65, -0.05, table - 0.5 * TOP)),
            "leg": _moved(np.eye(4), (0.65, -0.05, table - TOP - 0.5 * LEG)),
        }
        for T, boxes, color in things:
            for number, (low, high) in enumerate(boxes):
                name = f"{color} part {number}"
                film.box(name, high - low, color=color)
                poses[name] = _moved(T, 0.5 * (low + high))
        film.shoot(0.0, poses=poses)

    def move(self, q_from: FloatArray, q_to: FloatArray, seconds: float) -> None:
        """Draw a motion between two configurations [rad]."""
        count = max(round(seconds / self.film.period), 1)
        for k in range(1, count + 1):
            share = k / count
            self.time += seconds / count
            smooth = share * share * (3.0 - 2.0 * share)
            self._shoot(q_from + smooth * (q_to - q_from), 0.0)

    def push(self, q: FloatArray, dt: float, force: float) -> None:
        """Note a step of dt [s] with a force [N]."""
        self.time += dt
        self._shoot(q, force)

    def see(self, name: str, points: FloatArray) -> None:
        """Show points in the base [m], shape (k, 3)."""
        self.film.shoot(self.time, clouds={name: points})

    def _shoot(self, q: FloatArray, force: float) -> None:
        if self.film.wants(self.time):
            self.film.shoot(
                self.time,
                joints={"puma": q},
                curves={"force [N]": force},
                text=self.text,
            )


def _moved(T: FloatArray, place: object) -> FloatArray:
    out = np.array(T)
    out[:3, 3] += T[:3, :3] @ np.asarray(place, dtype=np.float64)
    return out

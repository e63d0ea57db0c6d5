"""A robot as a line drawing in a terminal, seen from a turning camera."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from gelenk.cli.demo.canvas import Canvas
from gelenk.kinematics.forward import link_poses
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

ARM, JOINT, TRAIL, TARGET, FLOOR = "1;36", "1;37", "33", "1;31", "2"
Projection = Callable[[FloatArray], FloatArray]

ELEVATION = 0.35  # [rad], camera above the horizon


class Scene:
    """Draws a robot along a path; the frame is chosen so that all of it fits."""

    def __init__(self, model: RobotModel, q: FloatArray, p_tool: FloatArray) -> None:
        self._edges = [
            (int(parent), i) for i, parent in enumerate(model.parent) if parent >= 0
        ]
        self._p_links = np.asarray(link_poses(model, q))[..., :3, 3]
        self._p_tool = p_tool
        self._joints = model.tree_joint_ids.tolist()
        points = np.concatenate(
            [self._p_links.reshape(-1, 3), p_tool, np.zeros((1, 3))]
        )
        self._center = (points.min(axis=0) + points.max(axis=0)) / 2.0
        spread = np.linalg.norm(points - self._center, axis=1).max()
        self._radius = max(float(spread), 1e-6)

    def draw(self, canvas: Canvas, step: int, azimuth: float) -> None:
        """Draw the robot at step `step` of its path, camera at `azimuth` [rad]."""
        project = self._projection(canvas, azimuth)
        self._draw_floor(canvas, project)
        trail = project(self._p_tool[: step + 1])
        for start, end in itertools.pairwise(trail):
            canvas.line(tuple(start), tuple(end), TRAIL)
        at = project(self._p_links[step])
        for parent, child in self._edges:
            for shift in (0.0, 1.0):  # two pixels thick
                canvas.line(
                    (at[parent, 0] + shift, at[parent, 1]),
                    (at[child, 0] + shift, at[child, 1]),
                    ARM,
                )
        for i in self._joints:
            canvas.disc(at[i, 0], at[i, 1], 1.5, JOINT)
        x, y = project(self._p_tool[step : step + 1])[0]
        canvas.disc(x, y, 1.5, TARGET)

    def _projection(self, canvas: Canvas, azimuth: float) -> Projection:
        scale = 0.48 * min(canvas.width, canvas.height) / self._radius
        right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
        toward = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        up = np.array([0.0, 0.0, np.cos(ELEVATION)]) - np.sin(ELEVATION) * toward
        axes = np.stack([right, -up], axis=1) * scale
        offset = np.array([canvas.width / 2.0, canvas.height / 2.0])

        def project(points: FloatArray) -> FloatArray:
            return (points - self._center) @ axes + offset

        return project

    def _draw_floor(self, canvas: Canvas, project: Projection) -> None:
        """Draw a dotted circle on the floor around the base."""
        t = np.linspace(0.0, 2.0 * np.pi, 72, endpoint=False)
        ring = 0.35 * self._radius * np.stack([np.cos(t), np.sin(t), 0.0 * t], axis=1)
        for x, y in project(ring):
            canvas.dot(x, y, FLOOR)

"""Ground plans: what was read becomes one, and which points lie inside."""

from __future__ import annotations

import numpy as np

from gelenk.geometry import polygon
from gelenk.robots.armbot.environment.description import (
    Axis,
    CirclePlan,
    Plan,
    Point2,
    PolyPlan,
    RectPlan,
)
from gelenk.robots.armbot.environment.problems import ProblemList
from gelenk.robots.armbot.environment.statement import Statement

THINNEST = 1e-6  # area of a polygon as a share of its longest side squared


def make_plan(statement: Statement, problems: ProblemList) -> Plan | None:
    """Return the plan of a statement; None if it cannot be one, which is noted."""
    words = statement.plan
    if words is None:
        return None
    values = words.values
    if words.word == "RECT":
        return RectPlan(
            center=(values["centrex"], values["centrey"]),
            size=(values["sizex"], values["sizey"]),
        )
    if words.word == "CIRCLE":
        center = (values["centrex"], values["centrey"])
        return CirclePlan(center=center, radius=values["rad"])
    crossing = polygon.find_crossing(words.points)
    if crossing is not None:
        i, j = sorted(int(k) + 1 for k in crossing)
        problems.add(
            words.place,
            f"expected a polygon without crossing edges, got one whose edges from "
            f"corner {i} and from corner {j} meet",
        )
        return None
    points = np.array(words.points)
    longest = float(np.ptp(points, axis=0).max())
    if abs(polygon.signed_area(points)) < THINNEST * longest**2:
        problems.add(words.place, "expected a polygon with an area, got a line")
        return None
    return PolyPlan(points=tuple(words.points))


def contains(plan: Plan, point: Point2) -> bool:
    """Return whether a point [m] lies inside a plan.

    The edge of a rectangle or circle belongs to it; that of a polygon to either side.
    """
    x, y = point
    match plan:
        case RectPlan(center=(cx, cy), size=(width, depth)):
            return abs(x - cx) <= width / 2.0 and abs(y - cy) <= depth / 2.0
        case CirclePlan(center=(cx, cy), radius=radius):
            return (x - cx) ** 2 + (y - cy) ** 2 <= radius**2
        case PolyPlan(points=points):
            return bool(polygon.contains(points, point))


def extent(plan: Plan, axis: Axis) -> tuple[float, float]:
    """Return the smallest and the largest coordinate of a plan along an axis [m]."""
    k = 0 if axis == "x" else 1
    match plan:
        case RectPlan(center=center, size=size):
            return center[k] - size[k] / 2.0, center[k] + size[k] / 2.0
        case CirclePlan(center=center, radius=radius):
            return center[k] - radius, center[k] + radius
        case PolyPlan(points=points):
            along = [point[k] for point in points]
            return min(along), max(along)

"""Ground plans, heights and floor tiles of what an environment says."""

from __future__ import annotations

import numpy as np

from gelenk.geometry import polygon
from gelenk.robots.armbot.environment.description import (
    CirclePlan,
    Plan,
    PolyPlan,
    RectPlan,
)
from gelenk.robots.armbot.environment.problems import ProblemList
from gelenk.robots.armbot.environment.tokens import Statement

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

"""Recognise seven joints with a spherical shoulder and a spherical wrist."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.kinematics.inverse.closed.geometry import (
    Screws,
    cone_constants,
    perpendicular,
)
from gelenk.kinematics.inverse.closed.layout import (
    REF_ELBOW,
    REF_SHOULDER_KAPPA,
    START,
)
from gelenk.kinematics.inverse.closed.recipe import Recipe


def swivel_recipe(screws: Screws) -> Recipe | None:
    """Return the solution of a seven-joint arm by its swivel angle, or None."""
    if not screws.is_revolute.all():
        return None
    shoulder, wrist = screws.meeting_point(0, 1, 2), screws.meeting_point(4, 5, 6)
    if shoulder is None or wrist is None:
        return None
    z, p = screws.axis[3], screws.point[3]
    elbow = p + ((shoulder - p) @ z) * z
    reach = np.linalg.norm(np.cross(wrist - p, z))
    if min(np.linalg.norm(elbow - shoulder), reach) < 1e-3 * screws.size:
        return None  # the elbow would not change the distance
    point = screws.point.copy()
    point[0] = shoulder
    minus, plus = cone_constants(*screws.axis[:3])
    extra = dict(enumerate(elbow, start=REF_ELBOW))
    extra |= {REF_SHOULDER_KAPPA: minus, REF_SHOULDER_KAPPA + 1: plus}
    return Recipe(
        solver="swivel",
        cost=0.0,
        core=replace(screws, point=point),
        e=np.stack([perpendicular(axis) for axis in screws.axis]),
        header={START: 4},
        W=wrist,
        kappa=cone_constants(*screws.axis[4:]),
        extra=extra,
    )

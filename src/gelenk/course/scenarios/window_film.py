"""Frames of the window cleaning: all four ways beside each other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gelenk.course.film import Film, standing
from gelenk.spatial import se3
from gelenk.typing import FloatArray

DT = 1e-3  # [s], of the traces
APART, HEIGHT = 0.8, 0.5  # of the panes, and of their middles [m]
GLASS = (0.66, 0.01, 0.66)  # [m]
PAD = (0.10, 0.03, 0.05)  # the wiper [m]


def shoot_panes(
    film: Film,
    wiped: Mapping[str, tuple[FloatArray, FloatArray]],
    slope: FloatArray,
    offset: float,
) -> None:
    """Take the frames.

    Args:
        film: Takes frames.
        wiped: Places [m], shape (k, 3), and pushes [N], shape (k,), of each way.
        slope: Of the pane, dy/dx and dy/dz, shape (2,).
        offset: Of the pane along y [m].
    """
    shifts = {
        name: np.array([APART * (i - 0.5 * (len(wiped) - 1)), 0.0, HEIGHT])
        for i, name in enumerate(wiped)
    }
    x, z = np.array([1.0, slope[0], 0.0]), np.array([0.0, slope[1], 1.0])
    x /= np.linalg.norm(x)
    y = np.cross(z, x)
    y /= np.linalg.norm(y)
    R = np.column_stack([x, y, np.cross(x, y)])
    for name, color in zip(wiped, ("blue", "teal", "orange", "purple"), strict=False):
        film.box(f"pane {name}", GLASS, color="glass")
        film.box(f"wiper {name}", PAD, color=color)
        film.box(f"beam {name}", (GLASS[0], 0.03, 0.03), color="dark_grey")
        for side in ("left", "right"):
            film.box(f"{side} post {name}", (0.03, 0.03, 0.9), color="grey")
    still: dict[str, FloatArray] = {}
    for name, shift in shifts.items():
        aside = np.array([0.0, offset + 0.5 * GLASS[1], 0.0])
        still[f"pane {name}"] = se3.pose_from_rotation_translation(R, shift + aside)
        for side, sign in (("left", -1.0), ("right", 1.0)):
            aside = np.array([sign * 0.5 * GLASS[0], -0.12, 0.45 - HEIGHT])
            still[f"{side} post {name}"] = standing(shift + aside)
    count = min(len(push) for _, push in wiped.values())
    for k in range(count):
        if not film.wants(k * DT):
            continue
        poses: dict[str, FloatArray] = dict(still) if not film.shots else {}
        for name, (places, _) in wiped.items():
            p = places[k] + shifts[name]
            poses[f"wiper {name}"] = standing(p - [0.0, 0.5 * PAD[1], 0.0])
            poses[f"beam {name}"] = standing([shifts[name][0], p[1] - 0.10, p[2]])
        film.shoot(
            k * DT,
            poses=poses,
            lines={f"{n}, wiped": w[0][: k + 1] + shifts[n] for n, w in wiped.items()},
            curves={f"{n}: force [N]": float(w[1][k]) for n, w in wiped.items()},
            text="from left to right: " + ", ".join(wiped),
        )

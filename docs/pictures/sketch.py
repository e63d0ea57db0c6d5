"""Line drawings of frames and arrows in space, in a light and a dark version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import FancyArrowPatch

FOLDER = Path(__file__).parent

mpl.rcParams["svg.hashsalt"] = "gelenk"  # the same drawing gives the same file
mpl.rcParams["svg.fonttype"] = "none"  # text stays text
mpl.rcParams["font.family"] = "sans-serif"
mpl.rcParams["font.sans-serif"] = ["DejaVu Sans", "Arial", "sans-serif"]
mpl.rcParams["mathtext.fontset"] = "dejavusans"


@dataclass(frozen=True)
class Theme:
    """Colours of one version of a picture."""

    name: str
    ink: str
    soft: str
    x: str
    y: str
    z: str
    accent: str
    second: str
    fill: str


LIGHT = Theme(
    name="light", ink="#1f2933", soft="#8a94a0", x="#d64545", y="#2b8a3e", z="#1c6dd0",
    accent="#e8590c", second="#7048e8", fill="#dfe5ec",
)  # fmt: skip
DARK = Theme(
    name="dark", ink="#e6eaef", soft="#8f9bab", x="#ff7b7b", y="#69db7c", z="#74b3ff",
    accent="#ffa94d", second="#b197fc", fill="#37414e",
)  # fmt: skip
THEMES = (LIGHT, DARK)


class Sketch:
    """A drawing of things in space, seen from a camera far away.

    Args:
        theme: Colours.
        size: Width and height [inch].
        azimuth: Direction of the camera about z [rad].
        elevation: Height of the camera above the horizon [rad].
    """

    def __init__(
        self,
        theme: Theme,
        size: tuple[float, float],
        *,
        azimuth: float = -1.05,
        elevation: float = 0.42,
    ) -> None:
        self.theme = theme
        self.figure, self.axes = plt.subplots(figsize=size)
        self.axes.set_aspect("equal")
        self.axes.axis("off")
        ca, sa = np.cos(azimuth), np.sin(azimuth)
        ce, se = np.cos(elevation), np.sin(elevation)
        self._plane = np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce]])

    def flat(self, p) -> np.ndarray:
        """Return points in space as points on the paper."""
        return np.asarray(p, dtype=float) @ self._plane.T

    def line(self, *points, color: str | None = None, **style) -> None:
        """Draw a line through points in space."""
        xy = self.flat(points)
        options = {"lw": 1.6, "solid_capstyle": "round"} | style
        self.axes.plot(xy[:, 0], xy[:, 1], color=color or self.theme.ink, **options)

    def arrow(self, start, end, color: str | None = None, **style) -> None:
        """Draw an arrow between points in space."""
        patch = FancyArrowPatch(
            self.flat(start),
            self.flat(end),
            color=color or self.theme.ink,
            **({"arrowstyle": "-|>", "mutation_scale": 11, "lw": 1.6,
                "shrinkA": 0, "shrinkB": 0} | style),
        )  # fmt: skip
        self.axes.add_patch(patch)
        self._touch(start, end)

    def text(self, p, label: str, color: str | None = None, **style) -> None:
        """Write at a point in space; `dx`, `dy` shift on the paper [points]."""
        shift = (style.pop("dx", 0), style.pop("dy", 0))
        self.axes.annotate(
            label,
            self.flat(p),
            xytext=shift,
            textcoords="offset points",
            color=color or self.theme.ink,
            **({"fontsize": 10, "ha": "center", "va": "center"} | style),
        )
        self._touch(p)

    def dot(self, p, color: str | None = None, size: float = 5.0) -> None:
        """Mark a point in space."""
        x, y = self.flat(p)
        self.axes.plot([x], [y], "o", color=color or self.theme.ink, ms=size)

    def frame(self, T, name: str = "", length: float = 0.25, **style) -> None:
        """Draw the three axes of a pose and its name."""
        origin = T[:3, 3]
        for i, color in enumerate((self.theme.x, self.theme.y, self.theme.z)):
            self.arrow(origin, origin + length * T[:3, i], color, lw=2.0)
            self.text(origin + 1.18 * length * T[:3, i], "xyz"[i], color, fontsize=9)
        if name:
            options = {"dx": -6, "dy": -12, "fontweight": "bold"} | style
            self.text(origin, name, **options)

    def arc(self, center, start, normal, angle: float, color: str, **style) -> None:
        """Draw an arrow that turns `start` about `normal` by `angle` [rad]."""
        normal = np.asarray(normal, dtype=float) / np.linalg.norm(normal)
        start, center = np.asarray(start, dtype=float), np.asarray(center, dtype=float)
        along = normal * (normal @ start)
        u = start - along
        v = np.cross(normal, u)
        t = np.linspace(0.0, angle, 60)[:, None]
        points = center + along + np.cos(t) * u + np.sin(t) * v
        xy = self.flat(points)
        self.axes.plot(xy[:-3, 0], xy[:-3, 1], color=color, lw=style.pop("lw", 1.6))
        self.arrow(points[-6], points[-1], color)

    def save(self, name: str) -> Path:
        """Write the drawing as `name-light.svg` or `name-dark.svg`."""
        self.axes.margins(0.08)
        path = FOLDER / f"{name}-{self.theme.name}.svg"
        self.figure.savefig(
            path, transparent=True, bbox_inches="tight", metadata={"Date": None}
        )
        plt.close(self.figure)
        return path

    def _touch(self, *points) -> None:
        """Make sure that the paper reaches to points that no line draws."""
        self.axes.update_datalim(self.flat(points))
        self.axes.autoscale_view()

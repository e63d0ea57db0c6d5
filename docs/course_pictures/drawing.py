"""What pictures of several chapters share: frames, arms and labelled axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.kinematics.forward import link_poses

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gelenk.models.tree import RobotModel
    from gelenk.typing import FloatArray

COLOURS = ("tab:red", "tab:green", "tab:blue")
# Rows: right and up on the paper. x comes forward to the left, y goes right, z up.
PAPER = np.array([[-0.5, 0.9, 0.0], [-0.4, -0.15, 1.0]])


def label(axes: Axes, x: str, y: str) -> None:
    """Name both axes, and the curves if they have names."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(fontsize="small")


def bare(axes: Axes) -> None:
    """Show shapes as they are, without scales."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()


def on_paper(points: Any) -> FloatArray:
    """Return points in space, shape (..., 3), in oblique projection, shape (..., 2)."""
    return np.asarray(points, dtype=np.float64) @ PAPER.T


def draw_arrow(axes: Axes, start: Any, end: Any, **style: Any) -> None:
    """Draw an arrow between points of the paper or of space."""
    ends = [np.asarray(p, dtype=np.float64) for p in (start, end)]
    (a, b) = [on_paper(p) if p.shape == (3,) else p for p in ends]
    style = {"color": "black", "lw": 1.5} | style
    props = {"arrowstyle": "->", **style}
    axes.annotate("", (b[0], b[1]), (a[0], a[1]), arrowprops=props)
    axes.plot([a[0], b[0]], [a[1], b[1]], alpha=0.0)  # the limits must hold it


def draw_frame(
    axes: Axes, T: FloatArray, *, size: float = 1.0, name: str = "", alpha: float = 1.0
) -> None:
    """Draw a frame given as a pose, shape (4, 4): x red, y green, z blue."""
    origin = T[:3, 3]
    for k, colour in enumerate(COLOURS):
        end = origin + size * T[:3, k]
        draw_arrow(axes, origin, end, color=colour, alpha=alpha)
    if name:
        write_at(axes, origin, name)


def write_at(axes: Axes, point: Any, words: str, **style: Any) -> None:
    """Write words beside a point of space."""
    x, y = on_paper(point)
    style = {"fontsize": 9} | style
    axes.annotate(words, (x, y), (4, -11), textcoords="offset points", **style)


def draw_arm_in_plane(axes: Axes, model: RobotModel, q: Any, **style: Any) -> None:
    """Draw the joints of an arm that moves in the x-y plane, with links between."""
    poses = link_poses(model, np.asarray(q, dtype=np.float64))
    joints = np.vstack([np.zeros(2), *(pose[:2, 3] for pose in poses)])
    style = {"marker": "o", "lw": 3.0, "color": "tab:gray"} | style
    axes.plot(joints[:, 0], joints[:, 1], **style)
    axes.set_aspect("equal", adjustable="datalim")


def draw_line(axes: Axes, points: Any, **style: Any) -> None:
    """Draw a line through points of space, shape (n, 3)."""
    flat = on_paper(np.asarray(points))
    axes.plot(flat[:, 0], flat[:, 1], **style)

"""Camera images in a report: what was seen, and where the model puts the board."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

import cv2
import numpy as np

from gelenk.robots.nao import sandal
from gelenk.robots.nao.automaton import BoardView
from gelenk.robots.nao.command import Finished, GrayPixels
from gelenk.robots.nao.detection import expected_board
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import SIDES
from gelenk.typing import FloatArray

PER_LEG = 2
PADDING = 28.0  # [px] around the board


def chosen_views(fit: Fit, views: Sequence[BoardView], have: set[int]) -> list[int]:
    """Return views worth a look: of each leg those that were most wrong before.

    Args:
        fit: What was found.
        views: All views.
        have: Numbers of those with an image.
    """
    chosen: list[int] = []
    for side in SIDES:
        numbers = [i for i in sorted(have) if views[i].side == side]
        off = {i: _rms(_board(fit, None, views[i]), views[i]) for i in numbers}
        poses: set[int] = set()
        for i in sorted(numbers, key=lambda i: -off[i]):
            if views[i].pose not in poses and len(poses) < PER_LEG:
                poses.add(views[i].pose)
                chosen.append(i)
    return chosen


def view_figures(finished: Finished) -> str:
    """Return some views before and after, as HTML; empty without images."""
    fit, views = finished.outcome.fit, finished.outcome.automaton.views
    if fit is None or not finished.images:
        return ""
    return "".join(
        view_figure(fit, views[i], finished.images[i])
        for i in chosen_views(fit, views, set(finished.images))
    )


def view_figure(fit: Fit, view: BoardView, image: GrayPixels) -> str:
    """Return one view twice: with the board as it was expected, and as it is now."""
    before = _board(fit, None, view)
    after = _board(fit, fit.calibration.values, view)
    everything = np.concatenate([before, after, view.corners])
    rows, columns = image.shape
    low = np.clip(np.floor(everything.min(axis=0) - PADDING), 0, (columns, rows))
    high = np.clip(np.ceil(everything.max(axis=0) + PADDING), 0, (columns, rows))
    left, top = low.astype(int)
    right, bottom = high.astype(int)
    data = png_data(_brightened(image[top:bottom, left:right]))
    box = f"{left - 0.5:g} {top - 0.5:g} {right - left} {bottom - top}"
    picture = (
        f'<image href="{data}" x="{left - 0.5:g}" y="{top - 0.5:g}" '
        f'width="{right - left}" height="{bottom - top}"/>'
    )
    halves = "".join(
        f'<svg viewBox="{box}" role="img" aria-label="{word}">{picture}'
        f"{_marks(view.corners, model)}</svg>"
        for word, model in (("before", before), ("after", after))
    )
    caption = (
        f"{view.side} foot, pose {view.pose + 1}, gaze {view.gaze + 1}: board off by "
        f"{_rms(before, view):.1f} px before, {_rms(after, view):.3f} px after"
    )
    return (
        f'<figure class="view"><div>{halves}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def png_data(image: GrayPixels) -> str:
    """Return an image as the address of its own content."""
    done, data = cv2.imencode(".png", np.ascontiguousarray(image))
    assert done, "a gray image is always written"
    return "data:image/png;base64," + base64.b64encode(data.tobytes()).decode("ascii")


def _brightened(image: GrayPixels) -> GrayPixels:
    """Return an image whose brightest parts are nearly white: for the eye only."""
    white = max(float(np.percentile(image, 99.0)), 1.0)
    return np.clip(image * (235.0 / white), 0.0, 255.0).astype(np.uint8)


def _marks(seen: FloatArray, model: FloatArray) -> str:
    """Return seen corners, the modelled board over them, and what is between."""
    grid = model.reshape(sandal.ROWS, sandal.COLUMNS, 2)
    lines = [*grid, *grid.swapaxes(0, 1)]
    parts = [
        '<polyline class="model" points="'
        + " ".join(f"{x:.2f},{y:.2f}" for x, y in line)
        + '"/>'
        for line in lines
    ]
    for (x, y), (u, v) in zip(seen, model, strict=True):
        parts.append(f'<path class="off" d="M{x:.2f} {y:.2f}L{u:.2f} {v:.2f}"/>')
        parts.append(f'<circle class="seen" cx="{x:.2f}" cy="{y:.2f}" r="2.2"/>')
    return "".join(parts)


def _board(fit: Fit, values: FloatArray | None, view: BoardView) -> FloatArray:
    return expected_board(fit.problem, values, view.angles, view.side)


def _rms(model: FloatArray, view: BoardView) -> float:
    return float(np.sqrt(np.mean(np.sum((model - view.corners) ** 2, axis=1))))

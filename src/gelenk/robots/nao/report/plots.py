"""Plots of a report as inline SVG: colours come from the page, light or dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from gelenk.robots.nao.report.document import Shown
from gelenk.typing import FloatArray

MAX_DOTS = 1500  # of one scatter plot: more only make the file larger
SIZE = 300.0  # [px], of a square plot
MARGIN = 40.0


def nice_reach(values: FloatArray, share: float = 0.995) -> float:
    """Return a round number beyond which hardly any value lies, at least 1e-9.

    Example:
        >>> nice_reach(np.array([0.1, -0.17, 0.12]))
        0.2
    """
    sizes = np.abs(values[np.isfinite(values)])
    largest = float(np.quantile(sizes, share)) if sizes.size else 1.0
    largest = max(largest, 1e-9)
    power = 10.0 ** math.floor(math.log10(largest))
    for step in (1.0, 1.5, 2.0, 3.0, 5.0, 7.5, 10.0):
        if step * power >= largest:
            return float(f"{step * power:.6g}")
    return 10.0 * power


def scatter(sets: Mapping[str, FloatArray], title: str) -> str:
    """Return residuals as dots about the origin.

    Args:
        sets: Residuals [px], shape (n, 2), by the CSS class of their dots.
        title: What is shown.
    """
    everything = np.concatenate([r.reshape(-1, 2) for r in sets.values()])
    reach = nice_reach(everything)
    scale = (SIZE / 2.0 - MARGIN) / reach
    parts = [_square_axes(reach), _rings(everything, scale)]
    dots = max(sum(map(len, sets.values())) // MAX_DOTS, 1)
    for name, residuals in sets.items():
        shown = residuals[::dots]
        shown = shown[(np.abs(shown) <= 1.05 * reach).all(axis=1)]
        parts += [
            f'<circle class="{name}" cx="{SIZE / 2 + scale * x:.1f}" '
            f'cy="{SIZE / 2 + scale * y:.1f}" r="1.6"/>'
            for x, y in shown
        ]
    return _figure("".join(parts), title, SIZE, SIZE)


def _square_axes(reach: float) -> str:
    low, high, middle = MARGIN, SIZE - MARGIN, SIZE / 2.0
    return (
        f'<path class="axis" d="M{low} {middle}H{high}M{middle} {low}V{high}"/>'
        f'<rect class="frame" x="{low}" y="{low}" width="{high - low}" '
        f'height="{high - low}"/>'
        f'<text x="{low}" y="{high + 15}">{-reach:g}</text>'
        f'<text x="{high}" y="{high + 15}" text-anchor="end">{reach:g} px</text>'
        f'<text x="{middle}" y="{high + 15}" text-anchor="middle">x</text>'
        f'<text x="{low - 6}" y="{middle + 4}" text-anchor="end">y</text>'
    )


def _rings(residuals: FloatArray, scale: float) -> str:
    """Return ellipses of one and three robust standard deviations."""
    good = residuals[np.isfinite(residuals).all(axis=1)]
    if not len(good):
        return ""
    middle = np.median(good, axis=0)
    spread = 1.4826 * np.median(np.abs(good - middle), axis=0)
    cx, cy = SIZE / 2.0 + scale * middle
    return "".join(
        f'<ellipse class="ring" cx="{cx:.1f}" cy="{cy:.1f}" '
        f'rx="{k * scale * spread[0]:.1f}" ry="{k * scale * spread[1]:.1f}"/>'
        for k in (1.0, 3.0)
        if k * scale * spread.max() < SIZE / 2.0
    )


def histogram(values: FloatArray, sigma: float, title: str, bins: int = 41) -> str:
    """Return how often residuals occur, and the normal law of the same spread.

    Args:
        values: Of one coordinate [px].
        sigma: Standard deviation of the normal law [px].
        title: What is shown.
        bins: Number of bars.
    """
    width, height = 1.5 * SIZE, 0.7 * SIZE
    reach = nice_reach(values, 0.998)
    edges = np.linspace(-reach, reach, bins + 1)
    counts, _ = np.histogram(values, edges)
    x = np.linspace(-reach, reach, 161)
    usable = math.isfinite(sigma) and sigma > 0.0
    law = np.zeros_like(x)
    if usable:
        law = np.exp(-0.5 * (x / sigma) ** 2) / (sigma * math.sqrt(2.0 * math.pi))
        law = law * len(values) * (edges[1] - edges[0])
    top = max(float(counts.max(initial=1)), float(law.max()))
    left, right, bottom, up = MARGIN, width - 12.0, height - 24.0, 10.0

    def at_x(value: float) -> float:
        return left + (value + reach) / (2.0 * reach) * (right - left)

    def at_y(count: float) -> float:
        return bottom - count / top * (bottom - up)

    bar = (right - left) / bins
    bars = "".join(
        _bar("bar", at_x(edges[i]) + 0.5, at_y(count), bar - 1.0, bottom - at_y(count))
        for i, count in enumerate(counts)
        if count
    )
    curve = " ".join(
        f"{at_x(a):.1f},{at_y(b):.1f}" for a, b in zip(x, law, strict=True)
    )
    words = (
        f'<path class="axis" d="M{left} {bottom}H{right}"/>'
        f'<text x="{left}" y="{height - 6}">{-reach:g}</text>'
        f'<text x="{at_x(0.0)}" y="{height - 6}" text-anchor="middle">0</text>'
        f'<text x="{right}" y="{height - 6}" text-anchor="end">{reach:g} px</text>'
    )
    law_line = f'<polyline class="law" points="{curve}"/>' if usable else ""
    return _figure(bars + law_line + words, title, width, height)


def pose_bars(
    before: Mapping[int, float], after: Mapping[int, float], title: str
) -> str:
    """Return the root mean square residual of each leg pose, before and after.

    Args:
        before: [px], by the number of the pose.
        after: Likewise.
        title: What is shown.
    """
    poses = sorted(before)
    width, height = 1.5 * SIZE, 0.7 * SIZE
    left, right, bottom, up = MARGIN, width - 8.0, height - 24.0, 10.0
    low = 10.0 ** math.floor(math.log10(max(min(after.values(), default=0.01), 1e-4)))
    high = max(max(before.values(), default=1.0), 10.0 * low)
    span = math.log10(high / low)

    def at_y(value: float) -> float:
        share = math.log10(max(value, low) / low) / span
        return bottom - share * (bottom - up)

    parts = []
    decade = low
    while decade <= high:
        y = at_y(decade)
        parts.append(
            f'<path class="grid" d="M{left} {y:.1f}H{right}"/>'
            f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{decade:g}</text>'
        )
        decade *= 10.0
    slot = (right - left) / max(len(poses), 1)
    for i, pose in enumerate(poses):
        x = left + i * slot
        for name, values, shift in (("was", before, 0.1), ("is", after, 0.5)):
            y = at_y(values[pose])
            parts.append(_bar(name, x + shift * slot, y, 0.38 * slot, bottom - y))
        if len(poses) <= 12 or pose % 4 == 0:
            parts.append(
                f'<text x="{x + slot / 2:.1f}" y="{height - 8}" '
                f'text-anchor="middle">{pose + 1}</text>'
            )
    return _figure("".join(parts), title, width, height)


def interval_bar(item: Shown, reach: float) -> str:
    """Return a parameter as a bar from zero with its 95 % interval and the truth.

    Args:
        item: The parameter.
        reach: End of the scale, in its unit.
    """
    width, height, middle = 260.0, 16.0, 130.0
    scale = (middle - 4.0) / max(reach, 1e-12)

    def at(value: float) -> float:
        return middle + scale * max(min(value, 1.02 * reach), -1.02 * reach)

    x = at(item.estimate)
    spread = 1.96 * item.sigma if math.isfinite(item.sigma) else reach
    low, high = at(item.estimate - spread), at(item.estimate + spread)
    parts = [
        f'<path class="axis" d="M{middle} 1V{height - 1}"/>',
        _bar("bar", min(x, middle), 5.0, max(abs(x - middle), 0.5), 6.0),
        (
            f'<path class="whisker" d="M{low:.1f} 8H{high:.1f}M{low:.1f} 4v8'
            f'M{high:.1f} 4v8"/>'
        ),
    ]
    if item.true_error is not None:
        parts.append(
            f'<circle class="truth" cx="{at(item.true_error):.1f}" cy="8" r="3"/>'
        )
    return (
        f'<svg class="interval" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" aria-hidden="true">{"".join(parts)}</svg>'
    )


def _bar(name: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{name}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"/>'
    )


def _figure(inner: str, title: str, width: float, height: float) -> str:
    return (
        f'<figure><svg viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{escape(title, quote=True)}">{inner}</svg>'
        f"<figcaption>{escape(title)}</figcaption></figure>"
    )


def group_reach(items: Sequence[Shown]) -> float:
    """Return a common end of scale for parameters of one group and unit."""
    values = [item.estimate for item in items]
    values += [item.true_error for item in items if item.true_error is not None]
    return nice_reach(np.array(values), 1.0)

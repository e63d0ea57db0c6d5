"""Pictures of chapter 7.2.2: images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.typing import ArrayLike, BoolArray, FloatArray
from gelenk.vision.camera import Intrinsics, project
from gelenk.vision.edges import (
    central_difference,
    crests,
    edge_side,
    forward_difference,
    link_edges,
    prewitt,
    roberts,
    sobel,
)
from gelenk.vision.filters import (
    ILLUMINANCE,
    REFLECTANCE,
    apply_operator,
    brightness,
    butterworth_response,
    filter_frequencies,
    lone_outliers,
    median_filter,
    smooth_weighted,
)
from gelenk.vision.hough import hough_lines, strongest_curves, vote_circles
from gelenk.vision.image_types import FORMATS, hsi_from_rgb, rgb_from_hsi
from gelenk.vision.recognition import relations, scene_objects, template_response
from gelenk.vision.segmentation import (
    label_components,
    split_and_merge,
    threshold_classes,
    valley_threshold,
)
from gelenk.vision.shapes import shape_features

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _masks() -> dict[str, BoolArray]:
    """Return a disc, a box and a triangle, as they lie on the table of the pictures."""
    x, y = np.mgrid[0:72, 0:96]
    return {
        "disc": np.hypot(x - 24, y - 24) < 13,
        "box": (np.abs(x - 26) < 11) & (np.abs(y - 70) < 15),
        "wedge": (x < 64) & (x - 40 > 1.2 * np.abs(y - 44)),
    }


def _table(noise: float = 0.0) -> FloatArray:
    """Return gray levels of the table, shape (72, 96)."""
    masks = _masks()
    image = np.full((72, 96), 40.0)
    for mask, level in zip(masks.values(), (210.0, 120.0, 170.0), strict=True):
        image[mask] = level
    return image + noise * np.random.default_rng(0).normal(size=image.shape)


def _pepper(seed: int = 1) -> FloatArray:
    """Return the table with lone bright and dark pixels."""
    rng = np.random.default_rng(seed)
    image, chance = _table(), rng.uniform(size=(72, 96))
    return np.where(chance < 0.03, 255.0, np.where(chance > 0.97, 0.0, image))


def _show(axes: Axes, image: FloatArray, title: str = "", cmap: str = "gray") -> None:
    axes.imshow(image, cmap=cmap)
    axes.set_xlabel("y [px]")
    axes.set_ylabel("x [px]")
    if title:
        axes.set_title(title)


def _halves(axes: Axes, left: FloatArray, right: ArrayLike, title: str) -> None:
    """Show two images beside each other."""
    gap = np.full((len(left), 4), np.nan)
    _show(axes, np.hstack([left, gap, np.asarray(right, dtype=float)]), title)


def draw_camera(axes: Axes) -> None:
    """A grid as a pinhole sees it, and through a lens."""
    for name, lens, style in (
        ("pinhole", (0.0, 0.0, 0.0, 0.0, 0.0), "0.7"),
        ("lens", (-0.35, 0.1, 0.0, 0.0, 0.0), "tab:blue"),
    ):
        camera = Intrinsics(
            width=640, height=480, fx=420, fy=420, cx=320, cy=240, distortion=lens
        )
        t = np.linspace(-0.7, 0.7, 60)
        for k, level in enumerate(np.linspace(-0.7, 0.7, 9)):
            for line in ((t, np.full(60, level)), (np.full(60, level), t)):
                uv = project(camera, np.column_stack([*line, np.ones(60)]))
                label = name if k == 0 and line[0] is t else None
                axes.plot(*uv.T, color=style, linewidth=0.8, label=label)
    axes.set_xlabel("u [px]")
    axes.set_ylabel("v [px]")
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.legend()


def draw_brightness(axes: Axes) -> None:
    """Brightness of surfaces under three lights."""
    names = list(REFLECTANCE)
    for light, lux in ILLUMINANCE.items():
        values = brightness(lux, [REFLECTANCE[name] for name in names])
        axes.semilogy(names, values, "o-", label=light)
    axes.set_ylabel("brightness")
    axes.tick_params(axis="x", rotation=20)
    axes.legend()


def draw_formats(axes: Axes) -> None:
    """Sizes of images, drawn over each other."""
    for k, kind in enumerate(FORMATS):
        x, y = kind.columns, kind.rows
        axes.fill([0, x, x, 0], [0, 0, y, y], fill=False, edgecolor=f"C{k}")
        axes.text(x - 20, y - 20, kind.name, ha="right", va="bottom", color=f"C{k}")
    axes.set_xlim(0, 2000)
    axes.set_ylim(1150, 0)
    axes.set_xlabel("columns")
    axes.set_ylabel("rows")


def _disc_of_hues() -> FloatArray:
    """Return hue by the angle and saturation by the radius as RGB, (101, 101, 3)."""
    y, x = np.mgrid[-1:1:101j, -1:1:101j]
    size = np.hypot(x, y)
    hue = np.mod(np.arctan2(-y, x), 2.0 * np.pi)
    hsi = np.stack(
        [hue, np.minimum(size, 1.0), np.full(size.shape, 1.0 / 3.0)], axis=-1
    )
    rgb = np.clip(rgb_from_hsi(hsi), 0.0, 1.0)
    rgb[size > 1.0] = 1.0
    return rgb


def draw_hsi(axes: Axes) -> None:
    """Saturation of a disc of colours, with lines of equal hue."""
    hsi = hsi_from_rgb(_disc_of_hues())
    axes.imshow(_disc_of_hues())
    hue = np.ma.masked_where(hsi[..., 1] < 0.05, np.degrees(hsi[..., 0]))
    axes.contour(
        hue, levels=[30, 90, 150, 210, 270, 330], colors="black", linewidths=0.6
    )
    axes.set_axis_off()


def draw_hue_circle(axes: Axes) -> None:
    """Colours made of hue and saturation."""
    axes.imshow(_disc_of_hues())
    axes.set_axis_off()


def draw_operator(axes: Axes) -> None:
    """The range of levels around each pixel: large at edges."""
    _show(axes, apply_operator(_table(), lambda f: np.ptp(f, axis=(-2, -1))))


def draw_frequencies(axes: Axes) -> None:
    """What low frequencies keep, and what is left for high ones."""
    low = filter_frequencies(_table(), butterworth_response((72, 96), cutoff=0.06))
    _halves(axes, low, _table() - low + 120.0, "low | high")


def draw_smoothing(axes: Axes) -> None:
    """Noise before and after the mean of 3 x 3."""
    noisy = _table(25.0)
    _halves(axes, noisy, smooth_weighted(noisy), "noisy | mean of 3 x 3")


def draw_outliers(axes: Axes) -> None:
    """Lone pixels, marked."""
    image = _table()
    rng = np.random.default_rng(2)
    x, y = rng.integers(2, 70, 24), rng.integers(2, 94, 24)
    image[x, y] += np.where(image[x, y] < 50.0, 215.0, 0.0)  # on the table only
    _show(axes, image)
    found = np.argwhere(lone_outliers(image, 1200.0))
    axes.plot(found[:, 1], found[:, 0], "ro", fillstyle="none")


def draw_median(axes: Axes) -> None:
    """Pepper and salt, by mean and by median."""
    pepper = _pepper()
    _halves(axes, smooth_weighted(pepper), median_filter(pepper), "mean | median")


def draw_differences(axes: Axes) -> None:
    """A row of the table and its differences."""
    row = smooth_weighted(_table())[24:25]
    axes.plot(row[0], color="0.6", label="f")
    axes.step(
        np.arange(96), forward_difference(row, "y")[0], where="mid", label="forward"
    )
    axes.step(
        np.arange(96), central_difference(row, "y")[0], where="mid", label="central"
    )
    axes.set_xlabel("y [px]")
    axes.legend()


def draw_prewitt(axes: Axes) -> None:
    """Magnitude by Prewitt."""
    _show(axes, prewitt(_table(6.0)).magnitude)


def draw_sobel(axes: Axes) -> None:
    """Magnitude by Sobel, and directions to the bright side."""
    found = sobel(_table(6.0))
    _show(axes, found.magnitude)
    x, y = np.nonzero(crests(found, 200.0))
    x, y = x[::6], y[::6]
    axes.quiver(y, x, found.y[x, y], found.x[x, y], color="tab:red", angles="xy")


def draw_roberts(axes: Axes) -> None:
    """Magnitude by Roberts."""
    _show(axes, roberts(_table(6.0)))


def draw_sides(axes: Axes) -> None:
    """A ramp: dark side below, bright side above."""
    ramp = np.array([[0.0, 0, 0, 25, 50, 75, 100, 100]])
    side = edge_side(ramp, "y")[0]
    axes.plot(ramp[0], "k.-")
    for value, name, color in (
        (-1, "dark side", "tab:blue"),
        (1, "bright side", "orange"),
    ):
        at = np.flatnonzero(side == value)
        axes.plot(at, ramp[0, at], "o", color=color, markersize=12, label=name)
    axes.set_xlabel("y [px]")
    axes.legend()


def draw_contours(axes: Axes) -> None:
    """Linked contours, each in its colour."""
    edges = sobel(smooth_weighted(_table(4.0)))
    found = link_edges(
        edges, crests(edges, 60.0), max_difference=250.0, max_angle=0.9, reach=2
    )
    _show(axes, _table())
    for k in range(min(found.count, 6)):
        x, y = found.pixels(k).T
        axes.plot(y, x, ".", markersize=3)


def draw_hough_lines(axes: Axes) -> None:
    """Points with clutter, and the lines they vote for."""
    rng = np.random.default_rng(0)
    t = rng.uniform(0, 100, 60)
    points = np.concatenate(
        [
            np.column_stack([t, 0.5 * t + 20]),
            np.column_stack([t, 90 - 0.8 * t]),
            rng.uniform(0, 100, (60, 2)),
        ]
    )
    points = points + 0.4 * rng.normal(size=points.shape)
    axes.plot(*points.T, "k.", markersize=3)
    for theta, rho in hough_lines(points, 2).parameters:
        x = np.array([0.0, 100.0])
        axes.plot(x, (rho - x * np.cos(theta)) / np.sin(theta))
    axes.set_ylim(0, 100)


def draw_hough_circles(axes: Axes) -> None:
    """Edges of discs, and the circles they vote for."""
    x, y = np.mgrid[0:60, 0:80]
    image = 100.0 * ((np.hypot(x - 22, y - 24) < 12) | (np.hypot(x - 38, y - 56) < 16))
    points = np.argwhere(crests(sobel(smooth_weighted(image)), 120.0))
    votes = vote_circles(points, np.arange(9.0, 19.0), (60, 80))
    _show(axes, image)
    angle = np.linspace(0.0, 2.0 * np.pi, 90)
    for a, b, r in strongest_curves(votes, 2, reach=6).parameters:
        axes.plot(b + r * np.sin(angle), a + r * np.cos(angle), "r")


def draw_thresholds(axes: Axes) -> None:
    """Four classes between the valleys of the histogram."""
    noisy = _table(8.0)
    classes = threshold_classes(noisy, valley_threshold(noisy, classes=4))
    _halves(axes, noisy, classes * 80.0, "levels | classes")


def draw_regions(axes: Axes) -> None:
    """Regions by splitting and merging."""
    labels = split_and_merge(_table(3.0), 30.0)
    _show(axes, labels.astype(float), f"{labels.max() + 1} regions", cmap="tab20")


def draw_features(axes: Axes) -> None:
    """Centroid, longer axis, elongation and roundness of each shape."""
    _show(axes, _table())
    for mask in _masks().values():
        found = shape_features(mask)
        x, y = found.centroid
        way = 12.0 * np.array([np.cos(found.orientation), np.sin(found.orientation)])
        axes.plot([y - way[1], y + way[1]], [x - way[0], x + way[0]], "r")
        text = f"{found.elongation:.2f}, {found.roundness:.2f}"
        axes.text(y, x + 5, text, ha="center", va="top", fontsize=8, color="blue")


def draw_template(axes: Axes) -> None:
    """How well the box fits everywhere."""
    box = _table()[12:41, 52:89]
    _show(axes, template_response(_table(20.0), box), "correlation with the box")


def draw_relations(axes: Axes) -> None:
    """What can be said of the table."""
    masks = _masks()
    labels, _ = label_components(sum(masks.values()))
    names = {int(labels[mask][0]): name for name, mask in masks.items()}
    things = scene_objects(labels, lambda mask: names[int(labels[mask][0])])
    _show(axes, _table())
    for thing in things:
        x, y = np.argwhere(thing.mask).mean(axis=0)
        axes.text(y, x, thing.name, ha="center", color="red")
    said = [" ".join(words) for words in relations(things) if words[1] in _SAID]
    axes.set_title("; ".join(said), fontsize=7)


_SAID = ("left of", "above", "larger than")


PICTURES = {
    "GR-135": draw_camera,
    "GR-136": draw_brightness,
    "GR-137": draw_formats,
    "GR-138": draw_hsi,
    "GR-139": draw_operator,
    "GR-140": draw_frequencies,
    "GR-141": draw_smoothing,
    "GR-142": draw_outliers,
    "GR-143": draw_median,
    "GR-144": draw_differences,
    "GR-145": draw_prewitt,
    "GR-146": draw_sobel,
    "GR-147": draw_roberts,
    "GR-148": draw_sides,
    "GR-149": draw_contours,
    "GR-150": draw_hough_lines,
    "GR-151": draw_hough_circles,
    "GR-152": draw_thresholds,
    "GR-153": draw_regions,
    "GR-154": draw_features,
    "GR-155": draw_template,
    "GR-156": draw_relations,
    "GR-288": draw_hue_circle,
}

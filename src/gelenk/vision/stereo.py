"""Stereo vision: disparity, matching costs, and depth from two cameras.

For parallel cameras side by side, B apart, (Z - f) / (B - (x - x')) = Z / B, so

    Z = B f / d,   d = x - x',   dZ = Z^2 / (B f) dd

with the columns x in the left and x' in the right image. Which x' belongs to an x is
the hard part; it fails where a surface has no texture.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.filters import box_sums
from gelenk.vision.image_types import as_levels

Matching = Literal["block", "semi-global"]


def depth_from_disparity(
    disparity: ArrayLike, *, baseline: float, focal: float
) -> FloatArray:
    """Return Z = B f / d [m], shape (...); infinity for 0, NaN for NaN or below 0.

    Args:
        disparity: x - x' [px], shape (...).
        baseline: B, distance of the cameras [m].
        focal: f [px].

    Example:
        >>> from gelenk.vision import depth_from_disparity
        >>> round(float(depth_from_disparity(35.0, baseline=0.12, focal=700.0)), 12)
        2.4
    """
    if not (baseline > 0.0 and focal > 0.0):
        raise ConfigError(f"`baseline` and `focal` must be > 0: {baseline}, {focal}")
    d = np.asarray(disparity, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(d >= 0.0, baseline * focal / np.abs(d), np.nan)


def depth_error(
    depth: ArrayLike, disparity_error: ArrayLike, *, baseline: float, focal: float
) -> FloatArray:
    """Return dZ = Z^2 dd / (B f) [m] for a small error of the disparity [px]."""
    z = np.asarray(depth, dtype=float)
    return z**2 * np.asarray(disparity_error, dtype=float) / (baseline * focal)


def points_from_disparity(
    disparity: ArrayLike, *, baseline: float, focal: float, center: tuple[float, float]
) -> FloatArray:
    """Return the points of a disparity image in the left camera [m], (..., 3).

    Args:
        disparity: Disparity of each pixel [px], NaN: unknown, shape (rows, columns).
        baseline: Distance between the cameras [m].
        focal: Focal length [px].
        center: Column and row of the optical axis [px].
    """
    z = depth_from_disparity(disparity, baseline=baseline, focal=focal)
    v, u = np.indices(z.shape)
    with np.errstate(invalid="ignore"):
        x, y = (u - center[0]) / focal * z, (v - center[1]) / focal * z
    return np.stack([x, y, z], axis=-1)


def rectifying_rotations(T_left_right: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return R_new_left and R_new_right that make two cameras parallel, (3, 3) each.

    Both look across the baseline afterwards: the new x axis points from the left to
    the right camera, the new z axis is as near to the mean of the old ones as can be.
    What both see then lies in the same row.

    Args:
        T_left_right: Pose of the right camera in the left one, shape (4, 4).

    Raises:
        ConfigError: If the cameras are in one place, or one behind the other.
    """
    T = as_finite("T_left_right", T_left_right, (4, 4))
    x = T[:3, 3]
    z = np.array([0.0, 0.0, 1.0]) + T[:3, 2]
    y = np.cross(z, x)
    if not (np.linalg.norm(x) > 0.0 and np.linalg.norm(y) > 1e-9 * np.linalg.norm(x)):
        raise ConfigError("cameras need a baseline across their view to be rectified")
    x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
    R_new_left = np.stack([x, y, np.cross(x, y)])
    return R_new_left, R_new_left @ T[:3, :3]


def matching_costs(
    left: ArrayLike, right: ArrayLike, *, max_disparity: int, block: int = 7
) -> FloatArray:
    """Return the mean absolute difference of blocks for each disparity.

    Args:
        left: Gray levels, rectified, shape (rows, columns).
        right: Image of the right camera, same shape.
        max_disparity: Largest to try [px].
        block: Side of the blocks [px], odd.

    Returns:
        Shape (rows, columns, max_disparity + 1); infinity where a block would leave
        the right image.
    """
    a, b = as_levels("left", left), as_levels("right", right)
    if a.shape != b.shape:
        raise ShapeError("right", expected=f"{a.shape}", actual=b.shape)
    if block < 1 or block % 2 == 0 or not 0 <= max_disparity < a.shape[1]:
        raise ConfigError(
            "`block` must be odd and `max_disparity` below the width, got "
            f"{block} and {max_disparity}"
        )
    half = block // 2
    costs = np.full((*a.shape, max_disparity + 1), np.inf)
    for d in range(max_disparity + 1):
        difference = np.abs(a[:, d:] - b[:, : a.shape[1] - d])
        padded = np.pad(difference, half, mode="edge")
        costs[:, d:, d] = box_sums(padded, (block, block)) / block**2
    return costs


def semi_global_costs(
    costs: ArrayLike, *, small_step: float, large_step: float
) -> FloatArray:
    """Return costs summed along four paths: neighbours shall have like disparities.

    Along a path L(p, d) = C(p, d) + min(L(q, d), L(q, d +- 1) + P1, min_k L(q, k) + P2)
    - min_k L(q, k), with q the pixel before p.

    Args:
        costs: Costs from `matching_costs`, shape (rows, columns, disparities).
        small_step: P1, price of a change by one [gray levels].
        large_step: P2 >= P1, price of any other change.
    """
    C = as_array("costs", costs, ())
    if not 0.0 <= small_step <= large_step:
        raise ConfigError(f"0 <= P1 <= P2 must hold: {small_step}, {large_step}")
    limit = 2.0 * float(C[np.isfinite(C)].max()) + large_step
    C = np.minimum(C, limit)
    total = np.zeros_like(C)
    for axis in (0, 1):
        for way in (1, -1):
            paths = np.moveaxis(C, axis, 0)[::way]
            out = np.moveaxis(total, axis, 0)[::way]
            last = paths[0]
            out[0] += last
            for k in range(1, len(paths)):
                least = last.min(axis=-1, keepdims=True)
                best = np.minimum(last, least + large_step)
                best[:, 1:] = np.minimum(best[:, 1:], last[:, :-1] + small_step)
                best[:, :-1] = np.minimum(best[:, :-1], last[:, 1:] + small_step)
                last = paths[k] + best - least
                out[k] += last
    return total


def disparity_image(
    left: ArrayLike,
    right: ArrayLike,
    *,
    max_disparity: int,
    block: int = 7,
    method: Matching = "block",
    min_texture: float = 1.0,
    max_difference: float = 1.0,
) -> FloatArray:
    """Return the disparity of each pixel of the left image [px]; NaN: unknown.

    The cheapest disparity wins, a parabola through its neighbours refines it. It is
    kept if the right image, asked the same way, points back, and if the block has any
    texture along the row.

    Args:
        left: Gray levels, rectified, shape (rows, columns).
        right: Image of the right camera, same shape.
        max_disparity: Largest to try [px].
        block: Side of the blocks [px], odd.
        method: "block": each pixel for itself; "semi-global": with its neighbours.
        min_texture: Least mean |f(y + 1) - f(y - 1)| / 2 of a block [gray levels].
        max_difference: Largest difference of the answers from left and right [px].

    Example:
        >>> from gelenk.vision import disparity_image
        >>> scene = np.random.default_rng(0).uniform(0.0, 255.0, (20, 40))
        >>> left, right = scene[:, :30], scene[:, 4:34]
        >>> float(np.nanmedian(disparity_image(left, right, max_disparity=8)).round(1))
        4.0
    """
    plain = matching_costs(left, right, max_disparity=max_disparity, block=block)
    costs = plain
    if method == "semi-global":
        costs = semi_global_costs(plain, small_step=4.0, large_step=32.0)
        costs[np.isinf(plain)] = np.inf
    elif method != "block":
        raise ConfigError(f"`method` must be block or semi-global, got {method!r}")
    best: IntArray = costs.argmin(axis=-1)
    columns = best.shape[1]
    i, j = np.indices(best.shape)
    # cost of (x', d) from the right is that of (x' + d, d) from the left
    reverse = np.full_like(costs, np.inf)
    for d in range(max_disparity + 1):
        reverse[:, : columns - d, d] = costs[:, d:, d]
    back = reverse.argmin(axis=-1)[i, j - best]
    is_good = np.abs(back - best) <= max_difference
    is_good &= has_texture(left, block=block, least=min_texture)
    refined = best + _between(plain, best)
    return np.where(is_good, refined, np.nan)


def _between(costs: FloatArray, best: np.ndarray) -> FloatArray:
    """Return where a parabola through three costs is least, -0.5 to 0.5 [px].

    The costs of the blocks themselves: those with prices for steps pull towards whole
    numbers.
    """
    i, j = np.indices(best.shape)
    last = costs.shape[-1] - 1
    middle = np.clip(best, 1, max(1, last - 1))
    low, at, high = (costs[i, j, np.clip(middle + k, 0, last)] for k in (-1, 0, 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        bend = low - 2.0 * at + high
        shift = 0.5 * (low - high) / bend
    is_inner = (middle == best) & np.isfinite(shift) & (bend > 0.0)
    return np.where(is_inner, np.clip(shift, -0.5, 0.5), 0.0)


def has_texture(image: ArrayLike, *, block: int = 7, least: float = 1.0) -> BoolArray:
    """Return where the block around a pixel changes along the row, (rows, columns)."""
    f = as_levels("image", image)
    padded = np.pad(f, ((0, 0), (1, 1)), mode="edge")
    slope = 0.5 * np.abs(padded[:, 2:] - padded[:, :-2])
    mean = box_sums(np.pad(slope, block // 2, mode="edge"), (block, block)) / block**2
    return np.asarray(mean >= least)

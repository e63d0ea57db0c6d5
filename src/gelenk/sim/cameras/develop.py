"""Development to 8 bit images: mean over a pixel, blur, vignetting, noise.

Images are float32 in gray levels, shape (rows, columns, channels), until the sensor
makes them uint8. All functions work on a part of the image and give for each pixel
what they would give on the whole.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from gelenk.kernels.compile import kernel
from gelenk.sim.noise import random_bits
from gelenk.typing import ByteArray, FloatArray, Vec2

Samples = NDArray[np.uint8]
Light = NDArray[np.float32]

# Luma of ITU-R BT.601 in 1/256: red, green, blue; the weights of OpenCV's gray images.
_RED, _GREEN, _BLUE = 77, 150, 29
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BITS = np.uint64(16)
_MASK = np.uint64(0xFFFF)


class Area(NamedTuple):
    """A part of an image: rows and columns from the top left, ends excluded [px]."""

    top: int
    left: int
    bottom: int
    right: int


@kernel
def average_pixels(
    samples: ByteArray, scale: int, area: Area, out: NDArray[np.float32]
) -> None:
    """Write the mean of each pixel's samples into `out`.

    Args:
        samples: Raw colors, bottom row first, (scale rows, scale columns, 3) uint8.
        scale: Samples per side of a pixel.
        area: Part of the image, see `Area`.
        out: Image (rows, columns, 1 or 3) float32.
    """
    top, left, bottom, right = area
    rows, channels = out.shape[0], out.shape[2]
    weight = np.float32(1.0 / (256.0 * scale * scale))
    share = np.float32(1.0 / (scale * scale))
    for row in range(top, bottom):
        first = (rows - 1 - row) * scale
        for column in range(left, right):
            red, green, blue = 0, 0, 0
            for j in range(first, first + scale):
                for i in range(column * scale, column * scale + scale):
                    red += samples[j, i, 0]
                    green += samples[j, i, 1]
                    blue += samples[j, i, 2]
            if channels == 1:
                gray = _RED * red + _GREEN * green + _BLUE * blue
                out[row, column, 0] = np.float32(gray) * weight
            else:
                out[row, column, 0] = np.float32(red) * share
                out[row, column, 1] = np.float32(green) * share
                out[row, column, 2] = np.float32(blue) * share


@kernel
def gather_pixels(
    samples: ByteArray,
    nodes: FloatArray,
    scale: int,
    area: Area,
    out: NDArray[np.float32],
) -> None:
    """Write the mean over the rays that a lens brings to each pixel into `out`.

    A ray between samples takes the bilinear mean of its four neighbours.

    Args:
        samples: Raw colors, bottom row first, (rows, columns, 3) uint8.
        nodes: Places of the pixels' corners among the samples, column and row,
            (rows + 1, columns + 1, 2); between them rays are interpolated.
        scale: Rays per side of a pixel.
        area: Part of the image, see `Area`.
        out: Image (rows, columns, 1 or 3) float32.
    """
    top, left, bottom, right = area
    high, wide, channels = samples.shape[0], samples.shape[1], out.shape[2]
    share = np.float32(1.0 / (scale * scale))
    for row in range(top, bottom):
        for column in range(left, right):
            red = green = blue = np.float32(0.0)
            for j in range(scale):
                b = (j + 0.5) / scale
                for i in range(scale):
                    a = (i + 0.5) / scale
                    upper, lower = (1.0 - b) * (1.0 - a), b * (1.0 - a)
                    upper_right, lower_right = (1.0 - b) * a, b * a
                    x = (
                        upper * nodes[row, column, 0]
                        + upper_right * nodes[row, column + 1, 0]
                        + lower * nodes[row + 1, column, 0]
                        + lower_right * nodes[row + 1, column + 1, 0]
                    )
                    y = (
                        upper * nodes[row, column, 1]
                        + upper_right * nodes[row, column + 1, 1]
                        + lower * nodes[row + 1, column, 1]
                        + lower_right * nodes[row + 1, column + 1, 1]
                    )
                    x0 = min(max(int(np.floor(x)), 0), wide - 2)
                    y0 = min(max(int(np.floor(y)), 0), high - 2)
                    u, v = np.float32(x - x0), np.float32(y - y0)
                    one = np.float32(1.0)
                    w00, w10 = (one - u) * (one - v), u * (one - v)
                    w01, w11 = (one - u) * v, u * v
                    p, q = samples[y0, x0], samples[y0, x0 + 1]
                    r, s = samples[y0 + 1, x0], samples[y0 + 1, x0 + 1]
                    red += w00 * p[0] + w10 * q[0] + w01 * r[0] + w11 * s[0]
                    green += w00 * p[1] + w10 * q[1] + w01 * r[1] + w11 * s[1]
                    blue += w00 * p[2] + w10 * q[2] + w01 * r[2] + w11 * s[2]
            if channels == 1:
                gray = _RED * red + _GREEN * green + _BLUE * blue
                out[row, column, 0] = np.float32(gray / 256.0) * share
            else:
                out[row, column, 0] = red * share
                out[row, column, 1] = green * share
                out[row, column, 2] = blue * share


@kernel
def put_nearer(
    samples: ByteArray,
    depths: NDArray[np.float32],
    drawn: ByteArray,
    drawn_depths: NDArray[np.float32],
    left: int,
    bottom: int,
) -> None:
    """Overwrite samples with those of a window that are nearer to the camera.

    Args:
        samples: Colors of the whole image, (rows, columns, 3).
        depths: Depths of the whole image, (rows, columns).
        drawn: Colors of the window.
        drawn_depths: Depths of the window.
        left: First column of the window.
        bottom: First row of the window.
    """
    for j in range(drawn.shape[0]):
        for i in range(drawn.shape[1]):
            if drawn_depths[j, i] < depths[bottom + j, left + i]:
                for c in range(3):
                    samples[bottom + j, left + i, c] = drawn[j, i, c]


@kernel
def blur_area(
    image: NDArray[np.float32],
    weights: NDArray[np.float32],
    area: Area,
    scratch: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Write the image blurred by a symmetric separable kernel into `out`.

    Pixels beyond the border count as the border pixel.

    Args:
        image: (rows, columns, channels) float32.
        weights: Weights from the middle outward, (radius + 1,) float32; both sides
            sum to 1.
        area: Part of the image, see `Area`.
        scratch: Like image, overwritten.
        out: Like image.
    """
    top, left, bottom, right = area
    rows, columns, channels = image.shape
    radius = weights.shape[0] - 1
    first, last = max(top - radius, 0), min(bottom + radius, rows)
    width = (right - left) * channels
    padded = np.empty(width + 2 * radius * channels, dtype=np.float32)
    for row in range(first, last):
        for i in range(left - radius, right + radius):
            column = min(max(i, 0), columns - 1)
            for c in range(channels):
                padded[(i - left + radius) * channels + c] = image[row, column, c]
        line = scratch[row].reshape(-1)[left * channels : right * channels]
        middle = radius * channels
        for i in range(width):
            line[i] = weights[0] * padded[i + middle]
        for k in range(1, radius + 1):
            before, after = middle - k * channels, middle + k * channels
            for i in range(width):
                line[i] += weights[k] * (padded[i + before] + padded[i + after])
    for row in range(top, bottom):
        line = out[row].reshape(-1)[left * channels : right * channels]
        source = scratch[row].reshape(-1)[left * channels : right * channels]
        for i in range(width):
            line[i] = weights[0] * source[i]
        for k in range(1, radius + 1):
            above = scratch[max(row - k, 0)].reshape(-1)[left * channels :]
            below = scratch[min(row + k, rows - 1)].reshape(-1)[left * channels :]
            for i in range(width):
                line[i] += weights[k] * (above[i] + below[i])


@kernel
def expose(
    image: NDArray[np.float32],
    brightness: NDArray[np.float32],
    noise: Vec2,
    selector: tuple[int, int, int],
    table: NDArray[np.float32],
    out: ByteArray,
) -> None:
    """Write what an 8 bit sensor makes of an image into `out`.

    Each row draws a key for its noise, and each four pixels mix that key with their
    place (SplitMix64 of Steele, Lea and Flood): numbers depend on nothing but the
    selector and the pixel.

    Args:
        image: (rows, columns, channels) float32 [gray levels].
        brightness: Factor of each pixel, (rows, columns, 1) float32.
        noise: Read and shot noise, see `SensorNoise`.
        selector: Seed, stream and frame: three integers.
        table: Quantiles of the standard normal law, (65536,) float32.
        out: (rows, columns, channels) uint8.
    """
    rows, columns, channels = image.shape
    read, shot = np.float32(noise[0] * noise[0]), np.float32(noise[1])
    noisy = noise[0] > 0.0 or noise[1] > 0.0
    seed, stream, frame = selector
    values = np.empty(columns * channels, dtype=np.float32)
    numbers = np.zeros(columns * channels + 4, dtype=np.float32)
    for row in range(rows):
        for column in range(columns):
            for c in range(channels):
                values[column * channels + c] = (
                    image[row, column, c] * brightness[row, column, 0]
                )
        if noisy:
            key, _ = random_bits(seed, stream, frame * rows + row)
            for k in range(0, columns * channels, 4):
                word = _mixed(key + np.uint64(k) * _GOLDEN)
                numbers[k] = table[word & _MASK]
                numbers[k + 1] = table[(word >> _BITS) & _MASK]
                numbers[k + 2] = table[(word >> (_BITS + _BITS)) & _MASK]
                numbers[k + 3] = table[word >> (_BITS + _BITS + _BITS)]
            for i in range(columns * channels):
                light = max(values[i], np.float32(0.0))
                values[i] += np.sqrt(read + shot * light) * numbers[i]
        line = out[row].reshape(-1)
        for i in range(columns * channels):
            level = min(max(values[i], np.float32(0.0)), np.float32(255.0))
            line[i] = np.uint8(level + np.float32(0.5))


@kernel
def _mixed(word: np.uint64) -> np.uint64:
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@cache
def normal_table() -> Light:
    """Return 65536 equally likely values of the standard normal law, variance 1."""
    quantiles = ndtri((np.arange(65536) + 0.5) / 65536.0)
    table = (quantiles / quantiles.std()).astype(np.float32)
    table.setflags(write=False)
    return table


def gaussian_weights(sigma: float) -> Light:
    """Return the weights of a Gaussian, middle first; one weight of 1 for sigma 0.

    Example:
        >>> weights = gaussian_weights(0.7)
        >>> round(float(weights[0] + 2 * weights[1:].sum()), 6)
        1.0
    """
    radius = int(np.ceil(3.5 * sigma))
    if radius == 0:
        return np.ones(1, dtype=np.float32)
    weights = np.exp(-0.5 * (np.arange(radius + 1) / sigma) ** 2)
    weights /= weights[0] + 2.0 * weights[1:].sum()
    return weights.astype(np.float32)


def grown(area: Area, margin: int, rows: int, columns: int) -> Area:
    """Return an area with a margin around it, inside of the image."""
    return Area(
        max(area.top - margin, 0),
        max(area.left - margin, 0),
        min(area.bottom + margin, rows),
        min(area.right + margin, columns),
    )

"""Image filters in the neighbourhood and in the frequency domain; formation of images.

    g(x, y) = h(f around (x, y)),   for masks   g = sum_k w_k f_k

The mask lies on the image as it is written (correlation, no flip); x runs down, y to
the right. Beyond the border the nearest pixel counts unless another rule is chosen.
Weights sum to one only in masks that smooth; those of difference masks sum to zero
(E-24). In the frequency domain, with convolution around the borders,

    F(g) = F(w) F(f)  <=>  g = w * f

Brightness is light times the share that a surface throws back, f* = i r, 0 < r < 1,
a = 1 - r, with the illuminance i, the reflectance r and the absorbed share a. The
course gives its table of lights in candela; what falls on a surface is measured in lux
(E-23).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray
from gelenk.vision.image_types import as_levels

Border = Literal["nearest", "mirror", "wrap", "zero"]

_PAD: dict[Border, Literal["edge", "symmetric", "wrap", "constant"]] = {
    "nearest": "edge",
    "mirror": "symmetric",
    "wrap": "wrap",
    "zero": "constant",
}

OUTLIER_MASK = np.array([[-1.0, -1.0, -1.0], [-1.0, 8.0, -1.0], [-1.0, -1.0, -1.0]])
OUTLIER_MASK.setflags(write=False)


def neighborhoods(
    image: ArrayLike, shape: tuple[int, int], *, border: Border = "nearest"
) -> FloatArray:
    """Return a view of the neighbourhood of each pixel.

    Args:
        image: Gray levels, shape (rows, columns).
        shape: Shape of the neighbourhood, (m, n); the pixel itself is at (m // 2, n //
            2).
        border: Rule for pixels beyond the border.

    Returns:
        Shape (rows, columns, m, n), read-only.
    """
    f = as_levels("image", image)
    m, n = shape
    if m < 1 or n < 1:
        raise ConfigError(f"a neighbourhood needs at least one pixel, got {shape}")
    if border not in _PAD:
        raise ConfigError(f"`border` must be one of {', '.join(_PAD)}, got {border!r}")
    widths = ((m // 2, m - 1 - m // 2), (n // 2, n - 1 - n // 2))
    padded = np.pad(f, widths, mode=_PAD[border])
    return np.lib.stride_tricks.sliding_window_view(padded, (m, n))


def apply_operator(
    image: ArrayLike,
    operator: Callable[[FloatArray], FloatArray],
    shape: tuple[int, int] = (3, 3),
    *,
    border: Border = "nearest",
) -> FloatArray:
    """Return g = h(f): any function of the neighbourhood of each pixel.

    Args:
        image: Gray levels, shape (rows, columns).
        operator: Maps neighbourhoods (rows, columns, m, n) to values (rows, columns).
        shape: Shape of the neighbourhood.
        border: Rule for pixels beyond the border.

    Example:
        The pixel below minus the pixel itself: x runs down.

        >>> below = lambda f: f[..., 2, 1] - f[..., 1, 1]
        >>> print(apply_operator([[1.0, 2.0], [4.0, 8.0]], below))
        [[3. 6.]
         [0. 0.]]
    """
    g = np.asarray(operator(neighborhoods(image, shape, border=border)), dtype=float)
    expected = np.shape(image)
    if g.shape != expected:
        raise ShapeError("operator(...)", expected=f"{expected}", actual=g.shape)
    return g


def apply_mask(
    image: ArrayLike, mask: ArrayLike, *, border: Border = "nearest"
) -> FloatArray:
    """Return the weighted sum of neighbours, g = sum_k w_k f_k, (rows, columns).

    Args:
        image: Gray levels, shape (rows, columns).
        mask: Weights, shape (m, n); for an even number the pixel counts as the one
            after the middle.
        border: Rule for pixels beyond the border.

    Example:
        >>> from gelenk.vision import apply_mask
        >>> from gelenk.vision.filters import OUTLIER_MASK
        >>> dot = np.zeros((5, 5))
        >>> dot[2, 2] = 9.0
        >>> print(apply_mask(dot, OUTLIER_MASK)[1:4, 1:4])
        [[-9. -9. -9.]
         [-9. 72. -9.]
         [-9. -9. -9.]]
    """
    weights = as_finite("mask", mask, ())
    if weights.ndim != 2:
        raise ShapeError("mask", expected="(m, n)", actual=weights.shape)
    shape = (weights.shape[0], weights.shape[1])
    around = neighborhoods(image, shape, border=border)
    g = np.zeros(around.shape[:2])
    for (k, j), weight in np.ndenumerate(weights):  # a pass per weight, no copies
        if weight:
            g += weight * around[:, :, k, j]
    return g


def mean_mask(size: int = 3) -> FloatArray:
    """Return equal weights that sum to one, shape (size, size)."""
    return np.full((size, size), 1.0 / size**2)


def binomial_mask(size: int = 3) -> FloatArray:
    """Return binomial weights that sum to one: a Gaussian in whole numbers.

    Example:
        >>> print(16 * binomial_mask(3))
        [[1. 2. 1.]
         [2. 4. 2.]
         [1. 2. 1.]]
    """
    row = np.ones(1)
    for _ in range(size - 1):
        row = np.convolve(row, [0.5, 0.5])
    return np.outer(row, row)


def smooth_weighted(
    image: ArrayLike, mask: ArrayLike | None = None, *, border: Border = "nearest"
) -> FloatArray:
    """Return an image smoothed by weights that sum to one; by default their mean.

    Raises:
        ConfigError: If the weights do not sum to one: they would change brightness.
    """
    weights = mean_mask() if mask is None else as_finite("mask", mask, ())
    if abs(weights.sum() - 1.0) > 1e-9:
        raise ConfigError(
            f"the weights of a smoothing mask must sum to 1, got {weights.sum()}"
        )
    return apply_mask(image, weights, border=border)


def lone_outliers(image: ArrayLike, threshold: float) -> BoolArray:
    """Return the pixels that differ from all around them, shape (rows, columns).

    With the outlier mask |8 f - sum of the eight| > threshold; next to an outlier the
    mask answers, too, with an eighth: only the greatest of each 3 x 3 counts.

    Args:
        image: Gray levels, shape (rows, columns).
        threshold: Threshold of |g|, eight times the difference that counts [gray
            levels].
    """
    size = np.abs(apply_mask(image, OUTLIER_MASK))
    top = neighborhoods(size, (3, 3)).max(axis=(-2, -1))
    return np.asarray((size > threshold) & (size >= top))


def median_filter(
    image: ArrayLike, size: int = 3, *, border: Border = "nearest"
) -> FloatArray:
    """Return the median of each neighbourhood of size x size, (rows, columns).

    It removes lone outliers and keeps straight edges where a mean would blur them.

    Args:
        image: Gray levels, shape (rows, columns).
        size: Side of the neighbourhood [px], odd.
        border: Rule for pixels beyond the border.

    Example:
        >>> from gelenk.vision import median_filter
        >>> print(median_filter([[0.0, 0.0, 9.0], [0.0, 5.0, 9.0], [0.0, 0.0, 9.0]])[1])
        [0. 0. 9.]
    """
    if size < 1 or size % 2 == 0:
        raise ConfigError(f"`size` must be odd, got {size}")
    return np.median(neighborhoods(image, (size, size), border=border), axis=(-2, -1))


def box_sums(values: ArrayLike, shape: tuple[int, int]) -> FloatArray:
    """Return the sums over all windows of m x n, four additions each, however large.

    Returns:
        Shape (rows - m + 1, columns - n + 1), by the place of the first element.

    Example:
        >>> print(box_sums([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], (2, 2)))
        [[12. 16.]]
    """
    f = as_levels("values", values)
    m, n = shape
    sums = np.zeros((f.shape[0] + 1, f.shape[1] + 1))
    sums[1:, 1:] = f.cumsum(axis=0).cumsum(axis=1)
    return sums[m:, n:] - sums[:-m, n:] - sums[m:, :-n] + sums[:-m, :-n]


def frequencies(shape: tuple[int, int]) -> tuple[FloatArray, FloatArray]:
    """Return cycles per pixel down the rows and along the columns, `shape` each."""
    down: FloatArray = np.fft.fftfreq(shape[0]).astype(np.float64)
    right: FloatArray = np.fft.fftfreq(shape[1]).astype(np.float64)
    fx, fy = np.meshgrid(down, right, indexing="ij")
    return fx, fy


def spectrum(image: ArrayLike) -> NDArray[np.complex128]:
    """Return the discrete Fourier transform of an image, zero frequency at (0, 0).

    F(k, l) = sum_xy f(x, y) exp(-2 pi i (k x / M + l y / N)), shape (M, N).
    """
    return np.fft.fft2(as_levels("image", image))


def mask_response(mask: ArrayLike, shape: tuple[int, int]) -> NDArray[np.complex128]:
    """Return what a mask does to each frequency, shape `shape`.

    Masks are laid on the image as they are (correlation), so the response is the
    conjugate of the transform of the mask, its middle at (0, 0).

    Args:
        mask: Weights, odd numbers of rows and columns, not more than the image has.
        shape: Shape of the images to filter, (rows, columns).
    """
    weights = as_finite("mask", mask, ())
    if weights.ndim != 2 or any(n % 2 == 0 for n in weights.shape):
        raise ShapeError("mask", expected="(odd, odd)", actual=weights.shape)
    if weights.shape[0] > shape[0] or weights.shape[1] > shape[1]:
        raise ShapeError("mask", expected=f"at most {shape}", actual=weights.shape)
    padded = np.zeros(shape)
    padded[: weights.shape[0], : weights.shape[1]] = weights
    half = tuple(-(n // 2) for n in weights.shape)
    return np.conj(np.fft.fft2(np.roll(padded, half, axis=(0, 1))))


def gaussian_response(shape: tuple[int, int], *, sigma: float) -> FloatArray:
    """Return exp(-2 (pi sigma f)^2): a Gaussian of `sigma` [px], shape `shape`."""
    if not sigma > 0.0:
        raise ConfigError(f"`sigma` must be > 0 [px], got {sigma}")
    fx, fy = frequencies(shape)
    return np.exp(-2.0 * (np.pi * sigma) ** 2 * (fx**2 + fy**2))


def butterworth_response(
    shape: tuple[int, int], *, cutoff: float, order: int = 2, is_highpass: bool = False
) -> FloatArray:
    """Return 1 / (1 + (f / cutoff)^(2 order)), or the rest to one, shape `shape`.

    Args:
        shape: Shape of the images to filter, (rows, columns).
        cutoff: Frequency that passes half [cycles per pixel].
        order: Order of the filter: its steepness.
        is_highpass: Keep what lies above instead of below.
    """
    if not (cutoff > 0.0 and order >= 1):
        raise ConfigError(f"`cutoff` and `order` must be > 0, got {cutoff}, {order}")
    fx, fy = frequencies(shape)
    low = 1.0 / (1.0 + ((fx**2 + fy**2) / cutoff**2) ** order)
    return 1.0 - low if is_highpass else low


def filter_frequencies(image: ArrayLike, response: ArrayLike) -> FloatArray:
    """Return an image after each of its frequencies was multiplied.

    Args:
        image: Gray levels, shape (rows, columns).
        response: Factors, real or complex, shape (rows, columns).

    Example:
        >>> image = np.tile([0.0, 4.0], (4, 2))
        >>> keep_mean = np.zeros((4, 4))
        >>> keep_mean[0, 0] = 1.0
        >>> print(filter_frequencies(image, keep_mean)[0])
        [2. 2. 2. 2.]
    """
    f = as_levels("image", image)
    factors = np.asarray(response)
    if factors.shape != f.shape:
        raise ShapeError("response", expected=f"{f.shape}", actual=factors.shape)
    return np.ascontiguousarray(np.fft.ifft2(np.fft.fft2(f) * factors).real)


ILLUMINANCE: Mapping[str, float] = MappingProxyType(
    {"sun": 10_000.0, "clouds": 1_000.0, "workplace": 100.0}
)
"""Light that falls on a surface, as the course's table has it."""

REFLECTANCE: Mapping[str, float] = MappingProxyType(
    {
        "black velvet": 0.01,
        "stainless steel": 0.65,
        "white wall": 0.80,
        "mirror": 0.90,
        "snow": 0.93,
    }
)
"""Share of the light that a surface throws back."""


def brightness(illuminance: ArrayLike, reflectance: ArrayLike) -> FloatArray:
    """Return f* = i r, in the unit of `illuminance`, shape (...).

    Args:
        illuminance: Light that falls in, >= 0, shape (...).
        reflectance: Share thrown back, between 0 and 1, shape (...).

    Raises:
        ConfigError: If a reflectance is not between 0 and 1.

    Example:
        >>> float(brightness(ILLUMINANCE["clouds"], REFLECTANCE["stainless steel"]))
        650.0
    """
    light = as_finite("illuminance", illuminance, ())
    share = as_finite("reflectance", reflectance, ())
    if share.size and not (share.min() > 0.0 and share.max() < 1.0):
        raise ConfigError(
            "`reflectance` must be between 0 and 1, both excluded, got "
            f"{share.min()} to {share.max()}"
        )
    return light * share


def absorptance(reflectance: ArrayLike) -> FloatArray:
    """Return the share of the light that a surface keeps, a = 1 - r, shape (...)."""
    return 1.0 - as_finite("reflectance", reflectance, ())


def split_brightness(
    image: ArrayLike, *, sigma: float
) -> tuple[FloatArray, FloatArray]:
    """Split brightness into slow light and quick reflectance: f = i r.

    Light changes slowly over an image, surfaces change at once: of log f = log i +
    log r the part below the frequencies of a Gaussian is taken for light. What the
    mean reflectance is, no image says: here it is one in the logarithmic mean.

    Args:
        image: Brightness, > 0, shape (rows, columns).
        sigma: Width of the Gaussian that counts as slow [px].

    Returns:
        Light and relative reflectance, shape (rows, columns) each; their product is
        the image.
    """
    f = as_finite("image", image, ())
    if f.ndim != 2 or not f.min() > 0.0:
        raise ConfigError("`image` must be a matrix of positive brightness")
    # Mirrored at its borders an image has no steps there when it is repeated.
    rows, columns = f.shape
    tiled = np.pad(np.log(f), ((0, rows), (0, columns)), mode="symmetric")
    response = gaussian_response(tiled.shape, sigma=sigma)
    slow = filter_frequencies(tiled, response)[:rows, :columns]
    light = np.exp(slow)
    return light, f / light

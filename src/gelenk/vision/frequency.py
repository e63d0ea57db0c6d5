"""Filtering in the frequency domain: transform, multiply, transform back.

    F(g) = F(w) F(f)  <=>  g = w * f   (convolution around the borders)

For small masks the sum over neighbours is quicker; wide filters and those that are
defined by frequencies (what lies below half a cycle per object, say) are simple here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.image_types import as_levels


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
        shape: Of the images to filter, (rows, columns).
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
        shape: (rows, columns).
        cutoff: Frequency that passes half [cycles per pixel].
        order: How steep.
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

"""What a camera's sensor makes of painted boards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from gelenk.robots.piggy.camera_pair import BoardLook
from gelenk.typing import FloatArray


def expose(
    scene: FloatArray, rng: np.random.Generator, look: BoardLook | None = None
) -> NDArray[np.uint8]:
    """Return what the sensor makes of a scene: blur of the lens, noise, 8 bits."""
    look = look or BoardLook()
    clean = gaussian_filter(scene, look.psf, mode="nearest")
    sigma = np.sqrt(look.noise**2 + look.shot_noise * np.clip(clean, 0.0, 255.0))
    noisy = clean + sigma * rng.standard_normal(clean.shape)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)

"""Gray images of a ball in front of a place, with the truth: ray casting in NumPy.

A place is a picture without a ball, drawn once; a shot puts a ball in front of it. The
ball is cast ray by ray, several rays per pixel and several moments of the exposure, so
its outline is that of a sphere and its blur that of a motion; then the lens blurs, and
the sensor adds noise that grows with the light.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, map_coordinates

from gelenk.typing import FloatArray

BALL_RADIUS = 0.0605  # [m]
_RAYS = 4  # per pixel and axis
_MOMENTS = 5  # of the exposure
_SIDE = 2.0  # [px] from the outline to where a step is measured


@dataclass(frozen=True, slots=True, kw_only=True)
class BallCamera:
    """A pinhole; x to the right, y down, z forward.

    Attributes:
        width: Columns of the image.
        height: Rows of the image.
        focal: Focal length [px].
        pitch: Of the optical axis above the horizon [rad].
        psf: Standard deviation of the lens's blur [px].
        exposure: [s].
        noise: Standard deviation of a black pixel [gray levels].
        shot_noise: Variance per gray level of light [gray levels].
    """

    width: int = 780
    height: int = 580
    focal: float = 718.3
    pitch: float = math.radians(35.0)
    psf: float = 0.7
    exposure: float = 0.005
    noise: float = 1.5
    shot_noise: float = 0.04

    @property
    def axis(self) -> tuple[float, float]:
        """Where the optical axis meets the image [px]."""
        return (self.width - 1) / 2.0, (self.height - 1) / 2.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """What the camera sees without a ball.

    Attributes:
        kind: Such as "indoor".
        image: Gray levels before the lens, (rows, columns).
        light: Towards the brightest light, unit vector in camera axes, (3,).
        ambient: Gray level of a white surface without that light.
        direct: Gray levels that the light adds to a white surface facing it.
        lamps: Round lamps: x, y, radius of each [px], (n, 3).
        camera: The camera.
    """

    kind: str
    image: FloatArray
    light: FloatArray
    ambient: float
    direct: float
    lamps: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    camera: BallCamera = field(default_factory=BallCamera)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BallShot:
    """An image and what it shows.

    Attributes:
        image: Gray levels, uint8, (rows, columns).
        center: Of the ball's elliptic outline at the middle of the exposure [px], (2,).
        radius: Of the circle with the area of that outline [px].
        distance: Of the ball's centre from the camera [m].
        visible: Share of the outline with a step of 12 gray levels at least.
        place: In front of which it flies.
    """

    image: NDArray[np.uint8]
    center: FloatArray
    radius: float
    distance: float
    visible: float
    place: Place


def outline(
    camera: BallCamera, p_camera: FloatArray, radius: float = BALL_RADIUS
) -> tuple[FloatArray, float, float]:
    """Return the image of a sphere: centre [px] (2,), semi-axes along and across [px].

    The longer axis points from the optical axis to the centre.
    """
    X, Y, Z = p_camera
    depth = Z * Z - radius * radius
    center = camera.focal * Z / depth * np.array([X, Y]) + np.array(camera.axis)
    across = camera.focal * radius / math.sqrt(depth)
    along = camera.focal * radius * math.sqrt(X * X + Y * Y + depth) / depth
    return center, along, across


def draw_shot(
    place: Place,
    p_camera: FloatArray,
    v_camera: FloatArray,
    albedo: float,
    rng: np.random.Generator,
) -> BallShot:
    """Return an image with a ball.

    Args:
        place: In front of which.
        p_camera: Centre of the ball at the middle of the exposure [m], (3,).
        v_camera: Its velocity [m/s], (3,).
        albedo: Of the ball, 0 (black) to 1 (white).
        rng: Of the noise.
    """
    camera = place.camera
    clean = gaussian_filter(place.image, camera.psf, mode="nearest", truncate=5.0)
    center, along, across = outline(camera, p_camera)
    reach = along + 12.0
    left, top = (max(int(v), 0) for v in np.floor(center - reach))
    right = min(int(center[0] + reach) + 1, camera.width)
    bottom = min(int(center[1] + reach) + 1, camera.height)
    cover, glow = _cast(place, p_camera, v_camera, albedo, (left, top, right, bottom))
    window = place.image[top:bottom, left:right] * (1.0 - cover) + glow
    window = gaussian_filter(window, camera.psf, mode="nearest", truncate=5.0)
    edge = 5  # the blur of a window is wrong at its border
    inner = np.s_[
        edge * (top > 0) : bottom - top - edge * (bottom < camera.height),
        edge * (left > 0) : right - left - edge * (right < camera.width),
    ]
    clean[top:bottom, left:right][inner] = window[inner]
    return BallShot(
        image=_exposed(camera, clean, rng),
        center=center,
        radius=math.sqrt(along * across),
        distance=float(np.linalg.norm(p_camera)),
        visible=_visible_share(camera, clean, center, along, across),
        place=place,
    )


def draw_empty(
    place: Place, count: int, rng: np.random.Generator
) -> Iterator[NDArray[np.uint8]]:
    """Return images of a place without a ball, which differ by their noise."""
    camera = place.camera
    clean = gaussian_filter(place.image, camera.psf, mode="nearest", truncate=5.0)
    for _ in range(count):
        yield _exposed(camera, clean, rng)


def random_shot(place: Place, rng: np.random.Generator) -> BallShot:
    """Return a ball anywhere in the image, 1 to 6 m away, flying towards the camera."""
    camera = place.camera
    while True:
        distance = rng.uniform(1.0, 6.0)
        pixel = rng.uniform((0.0, 0.0), (camera.width - 1.0, camera.height - 1.0))
        ray = np.append((pixel - np.array(camera.axis)) / camera.focal, 1.0)
        p = distance * ray / np.linalg.norm(ray)
        center, along, _ = outline(camera, p)
        room = min(
            center.min(),
            camera.width - 1.0 - center[0],
            camera.height - 1.0 - center[1],
        )
        if room > along + 2.0:
            break
    up = np.array([0.0, -math.cos(camera.pitch), math.sin(camera.pitch)])
    ahead = np.array([0.0, math.sin(camera.pitch), math.cos(camera.pitch)])
    v = -rng.uniform(5.0, 8.0) * ahead + rng.normal(0.0, 0.7, 3)
    v = v + rng.uniform(-3.0, 3.5) * up
    return draw_shot(place, p, v, rng.uniform(0.12, 0.75), rng)


def random_shots(
    places: Sequence[Place], count: int, rng: np.random.Generator
) -> Iterator[BallShot]:
    """Return `count` shots, in front of the places in turn."""
    for k in range(count):
        yield random_shot(places[k % len(places)], rng)


def _exposed(
    camera: BallCamera, clean: FloatArray, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Return the image that the sensor makes of light."""
    sigma = np.sqrt(camera.noise**2 + camera.shot_noise * np.clip(clean, 0.0, 255.0))
    noisy = clean + sigma * rng.standard_normal(clean.shape, np.float32)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def _cast(
    place: Place,
    p_camera: FloatArray,
    v_camera: FloatArray,
    albedo: float,
    window: tuple[int, int, int, int],
) -> tuple[FloatArray, FloatArray]:
    """Return which share of each pixel the ball covers, and the light it adds."""
    camera = place.camera
    left, top, right, bottom = window
    shift = (np.arange(_RAYS) + 0.5) / _RAYS - 0.5
    x = (np.arange(left, right)[:, None] + shift).ravel() - camera.axis[0]
    y = (np.arange(top, bottom)[:, None] + shift).ravel() - camera.axis[1]
    dx, dy = np.meshgrid(x / camera.focal, y / camera.focal)
    square = dx * dx + dy * dy + 1.0
    cover, glow = np.zeros(dx.shape), np.zeros(dx.shape)
    for k in range(_MOMENTS):
        t = ((k + 0.5) / _MOMENTS - 0.5) * camera.exposure
        c = p_camera + t * v_camera
        along = (dx * c[0] + dy * c[1] + c[2]) / square
        inside = along * along - (c @ c - BALL_RADIUS**2) / square
        hit = inside > 0.0
        s = along[hit] - np.sqrt(inside[hit])
        normal = np.stack([s * dx[hit], s * dy[hit], s], axis=-1) - c
        facing = np.clip(normal @ place.light / BALL_RADIUS, 0.0, None)
        # Light from all around, less of it from below.
        up = np.array([0.0, -math.cos(camera.pitch), math.sin(camera.pitch)])
        around = 0.8 + 0.2 * (normal @ up) / BALL_RADIUS
        cover[hit] += 1.0
        glow[hit] += albedo * (place.ambient * around + place.direct * facing)
    shape = (bottom - top, _RAYS, right - left, _RAYS)
    return (
        cover.reshape(shape).mean(axis=(1, 3)) / _MOMENTS,
        glow.reshape(shape).mean(axis=(1, 3)) / _MOMENTS,
    )


def _visible_share(
    camera: BallCamera, clean: FloatArray, center: FloatArray, a: float, b: float
) -> float:
    """Return the share of the outline across which the image without noise steps."""
    radial = center - np.array(camera.axis)
    length = float(np.linalg.norm(radial))
    radial = radial / length if length > 1e-9 else np.array([1.0, 0.0])
    tangent = np.array([-radial[1], radial[0]])
    angle = np.arange(120) * (2.0 * math.pi / 120)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    points = center + a * c * radial + b * s * tangent
    normals = c / a * radial + s / b * tangent
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    levels = [
        map_coordinates(clean, (points + side * normals).T[::-1], order=1)
        for side in (-_SIDE, _SIDE)
    ]
    return float((np.abs(levels[0] - levels[1]) >= 12.0).mean())

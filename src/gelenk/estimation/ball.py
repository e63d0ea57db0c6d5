"""Unscented filter of a thrown ball, from circles in the images of several cameras.

It also estimates what it cannot see directly: the drag of this ball, the lift of its
spin, if wanted the wind, and small displacements of the images. Without spin among the
unknowns predictions of a spinning ball are off by 10 cm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.dynamics.flight import MAX_STEP
from gelenk.dynamics.flight_crossing import Surface
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.ball_kernels import (
    DRAG,
    LIFT,
    WIND,
    ball_expect,
    ball_meet,
    ball_predict,
    ball_update,
)
from gelenk.estimation.kalman import Belief
from gelenk.estimation.unscented import KAPPA
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.sphere import CAMERA


@dataclass(frozen=True, slots=True, kw_only=True)
class BallFilterCfg:
    """Prior knowledge about a ball, and noise of circles.

    Attributes:
        radius: Radius of the ball [m].
        gravity: Gravity in world axes [m/s^2].
        drag: Median of the drag [1/m].
        drag_sigma: Standard deviation of the natural logarithm of the drag.
        lift_sigma: Standard deviation of the lift about each axis [1/s]: spin times
            lift factor.
        wind_sigma: Standard deviation of the wind along each axis [m/s]; None: still
            air, not estimated.
        bias_sigma: Standard deviation of displacements of each image [px]; 0: not
            estimated.
        circle_sigma: Standard deviations of (u, v, r) of a good circle [px].
        tail_share: Share of circles that are worse.
        tail_factor: Factor by which the errors of bad circles are larger.
        acceleration_density: Density of white noise in the acceleration [m^2/s^3].
        lift_density: Density of the lift's random walk [1/s^3].
        wind_density: Density of the wind's random walk [m^2/s^3].
        gate: Largest chi-square, 3 numbers, of a circle that is believed.

    Example:
        >>> from gelenk.estimation import BallFilterCfg
        >>> BallFilterCfg(radius=0.1).gravity
        (0.0, 0.0, -9.81)
    """

    radius: float = 0.0605
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    drag: float = 0.0612
    drag_sigma: float = 0.12
    lift_sigma: float = 0.08
    wind_sigma: tuple[float, float, float] | None = None
    bias_sigma: float = 0.0
    circle_sigma: tuple[float, float, float] = (0.15, 0.15, 0.25)
    tail_share: float = 0.0
    tail_factor: float = 1.0
    acceleration_density: float = 1e-6
    lift_density: float = 0.0
    wind_density: float = 0.0
    gate: float = 30.0

    def __post_init__(self) -> None:
        positive = {
            "radius": self.radius,
            "drag": self.drag,
            "drag_sigma": self.drag_sigma,
            "lift_sigma": self.lift_sigma,
            "gate": self.gate,
            **{f"circle_sigma[{i}]": s for i, s in enumerate(self.circle_sigma)},
            **{f"wind_sigma[{i}]": s for i, s in enumerate(self.wind_sigma or ())},
        }
        for name, value in positive.items():
            if not value > 0.0:
                raise ConfigError(f"`{name}` must be positive, got {value}")
        if not (0.0 <= self.tail_share < 1.0 and self.tail_factor >= 1.0):
            raise ConfigError(
                "`tail_share` must be in [0, 1) and `tail_factor` at least 1, got "
                f"{self.tail_share} and {self.tail_factor}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interception:
    """Place and time at which a ball will meet a surface.

    Attributes:
        mean: Time from now [s], place and velocity in world axes (t, p, v), shape (7,).
        covariance: Covariance of (t, p, v), shape (7, 7).
        share: Weight of the belief that meets the surface at all, 0 to 1.
    """

    mean: FloatArray
    covariance: FloatArray
    share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BallPrediction:
    """The predicted flight of a ball in steps.

    Attributes:
        time: Times from now [s], shape (k,).
        position: World axes [m], shape (k, 3).
        velocity: World axes [m/s], shape (k, 3).
        position_sigma: Standard deviations of the position [m], shape (k, 3).
        velocity_sigma: Standard deviations of the velocity [m/s], shape (k, 3).
        covariance: Covariances of position and velocity, shape (k, 6, 6).
    """

    time: FloatArray
    position: FloatArray
    velocity: FloatArray
    position_sigma: FloatArray
    velocity_sigma: FloatArray
    covariance: FloatArray


class BallFilter:
    """The filter of one kind of ball before some cameras; holds no belief itself.

    Args:
        cfg: The ball.
        cameras: Rows of `camera_row`, shape (C, 21).

    Example:
        >>> from gelenk.estimation import BallFilter, BallFilterCfg
        >>> from gelenk.vision import Intrinsics
        >>> from gelenk.vision.sphere import camera_row
        >>> lens = Intrinsics.from_field_of_view(width=640, height=480, horizontal=1.0)
        >>> balls = BallFilter(BallFilterCfg(), camera_row(lens, np.eye(4))[None])
        >>> belief = balls.start([0, 0, 4, 0, 0, 1], np.diag([1e-4] * 3 + [1e-2] * 3))
        >>> circle, covariance = balls.expect(belief, 0)
        >>> print(circle.round(1))
        [319.5 239.5   8.9]
    """

    def __init__(self, cfg: BallFilterCfg, cameras: ArrayLike) -> None:
        self.cfg = cfg
        self.cameras = as_kernel_array(as_finite("cameras", cameras, (CAMERA,)))
        if self.cameras.ndim != 2:
            expected, actual = f"(C, {CAMERA})", self.cameras.shape
            raise ShapeError("cameras", expected=expected, actual=actual)
        self.has_wind = cfg.wind_sigma is not None
        plain = WIND + 3 * self.has_wind
        self.bias = plain if cfg.bias_sigma > 0.0 else -1
        self.size = plain + (2 * len(self.cameras) if self.bias >= 0 else 0)
        self.R = np.diag(np.square(np.array(cfg.circle_sigma, dtype=np.float64)))
        x, y, z = cfg.gravity
        self._gravity = float(x), float(y), float(z)
        self._tail = (float(cfg.tail_share), float(cfg.tail_factor))
        self._density = (
            float(cfg.acceleration_density),
            0.0,
            float(cfg.lift_density),
            float(cfg.wind_density),
        )

    def start(self, mean: ArrayLike, covariance: ArrayLike) -> Belief:
        """Return the belief for position and velocity (6,) with covariance (6, 6)."""
        x, P = self.start_arrays(
            as_finite("mean", mean, (6,)), as_finite("covariance", covariance, (6, 6))
        )
        return Belief(mean=x, covariance=P)

    def start_arrays(
        self, mean: FloatArray, covariance: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return mean (n,) and covariance (n, n) as `start` does, without checks."""
        cfg = self.cfg
        x, P = np.zeros(self.size), np.zeros((self.size, self.size))
        x[:6], P[:6, :6] = mean, covariance
        x[DRAG] = math.log(cfg.drag)
        P[DRAG, DRAG] = cfg.drag_sigma**2
        for i in range(3):
            P[LIFT + i, LIFT + i] = cfg.lift_sigma**2
            if cfg.wind_sigma is not None:
                P[WIND + i, WIND + i] = cfg.wind_sigma[i] ** 2
        if self.bias >= 0:
            for i in range(self.bias, self.size):
                P[i, i] = cfg.bias_sigma**2
        return x, P

    def predict_arrays(self, x: FloatArray, P: FloatArray, dt: float) -> bool:
        """Carry x and P over dt [s], in place; return whether P was sound."""
        return ball_predict(
            x, P, dt, self.has_wind, self._gravity, self._density, KAPPA, MAX_STEP
        )

    def update_arrays(
        self,
        x: FloatArray,
        P: FloatArray,
        camera: int,
        circle: FloatArray,
        sigma: FloatArray | None = None,
    ) -> tuple[float, float]:
        """Correct x and P, in place; return nis and log-likelihood.

        `sigma`: of this circle (u, v, r) [px], (3,); None: the usual one.
        """
        cfg = self.cfg
        R = self.R if sigma is None else np.diag(sigma * sigma)
        return ball_update(
            x, P, circle, self.cameras, camera, cfg.radius, self.bias, R,
            self._tail, KAPPA, cfg.gate,
        )  # fmt: skip

    def predict(self, belief: Belief, dt: float) -> Belief:
        """Return the belief dt [s] later (or, negative, earlier)."""
        x, P = self._arrays(belief)
        self._check(self.predict_arrays(x, P, float(dt)))
        return Belief(mean=x, covariance=P)

    def update(
        self, belief: Belief, camera: int, circle: ArrayLike
    ) -> tuple[Belief, float]:
        """Return the belief after a circle (u, v, r) [px], and its chi-square.

        A circle beyond the gate, or of a ball that may be behind the camera (NaN),
        changes nothing.
        """
        x, P = self._arrays(belief)
        z = as_kernel_array(as_finite("circle", circle, (3,)))
        nis, _ = self.update_arrays(x, P, camera, z)
        return (Belief(mean=x, covariance=P) if nis <= self.cfg.gate else belief), nis

    def expect(self, belief: Belief, camera: int) -> tuple[FloatArray, FloatArray]:
        """Return the circle expected in an image, (3,) [px], and its covariance.

        NaN if the ball may be behind the camera.
        """
        x, P = self._arrays(belief)
        return self.expect_arrays(x, P, camera)

    def expect_arrays(
        self, x: FloatArray, P: FloatArray, camera: int
    ) -> tuple[FloatArray, FloatArray]:
        """Do what `expect` does, without checks."""
        z, S = np.full(3, np.nan), np.full((3, 3), np.nan)
        ball_expect(
            x, P, self.cameras, camera, self.cfg.radius, self.bias, self.R, KAPPA, z, S
        )
        return z, S

    def meet(
        self, belief: Belief, surface: Surface, *, horizon: float = 2.0
    ) -> Interception | None:
        """Return where and when the ball first comes through a surface from outside.

        What gusts and the rest of the noise do until then is part of the covariance.

        Returns:
            None if the mean does not within `horizon` [s].
        """
        x, P = self._arrays(belief)
        mean, covariance = np.empty(7), np.empty((7, 7))
        share = ball_meet(
            x, P, surface.row(), self.has_wind, self._gravity, self._density, KAPPA,
            float(horizon), MAX_STEP, mean, covariance,
        )  # fmt: skip
        if share == 0.0:
            return None
        return Interception(mean=mean, covariance=covariance, share=share)

    def path(self, belief: Belief, times: ArrayLike) -> BallPrediction:
        """Return the predicted flight at times [s] from now, ascending, shape (k,)."""
        t = np.atleast_1d(as_finite("times", times, ()))
        x, P = self._arrays(belief)
        mean, covariance = np.empty((t.size, 6)), np.empty((t.size, 6, 6))
        now = 0.0
        for k, then in enumerate(t):
            self._check(self.predict_arrays(x, P, float(then - now)))
            mean[k], covariance[k], now = x[:6], P[:6, :6], then
        sigma = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
        return BallPrediction(
            time=t,
            position=mean[:, :3],
            velocity=mean[:, 3:],
            position_sigma=sigma[:, :3],
            velocity_sigma=sigma[:, 3:],
            covariance=covariance,
        )

    def _arrays(self, belief: Belief) -> tuple[FloatArray, FloatArray]:
        if belief.mean.size != self.size:
            expected = f"({self.size},)"
            raise ShapeError("mean", expected=expected, actual=belief.mean.shape)
        return np.array(belief.mean), np.array(belief.covariance)

    def _check(self, is_sound: bool) -> None:
        if not is_sound:
            raise ConfigError("`covariance` must be positive definite")

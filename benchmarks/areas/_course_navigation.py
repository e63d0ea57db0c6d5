"""Filters of the course against pure Python: filterpy, and code as tutorials write it.

The peers below do the same arithmetic with the same data, in NumPy where that is faster
than loops; the fastest of them counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer
from gelenk.estimation.kalman import Belief, chi2_band, nees
from gelenk.navigation.landmark_filter import track_landmarks
from gelenk.navigation.monte_carlo import MonteCarlo
from gelenk.navigation.odometry import odometry_sigmas, split_motion
from gelenk.navigation.sensor_models import LikelihoodField
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import FloatArray

Kind = Literal["extended", "unscented"]
KINDS: tuple[tuple[str, Kind], ...] = (("ekf", "extended"), ("ukf", "unscented"))
LANDMARKS = np.array([[4.0, 5.0], [-3.0, 2.0], [1.0, -4.0], [6.0, -1.0]])
Q, R = np.diag([4e-4, 4e-4, 1e-4]), np.diag([0.01, 0.0025])
START, SPREAD = np.array([0.0, 0.0, 0.3]), np.diag([0.01, 0.01, 0.005])
DT, STEPS = 0.2, 60
FASTER = 5.0
BLOCK = 5e-3  # [s] of one turn
INSIDE = 90.0  # [%] of means inside of a band that should hold 95 %


def filter_speed(settings: Settings) -> Iterator[Row]:
    """Time a drive of 60 steps that sees four landmarks at each."""
    controls, _, z = _drives(1, settings.rng())
    u, z = controls[0], z[0]
    belief = Belief(mean=START, covariance=SPREAD)
    rounds = settings.pick(30, 8)
    peers_of = {
        "ekf": {"numpy": _plain_ekf, "filterpy": _filterpy_ekf},
        "ukf": {"numpy": _plain_ukf, "filterpy": _filterpy_ukf},
    }
    for name, method in KINDS:
        calls: dict[str, Callable[[], object]] = {
            "gelenk": lambda m=method: (
                track_landmarks(belief, u, z, LANDMARKS, dt=DT, Q=Q, R=R, method=m).mean
            )
        }
        for peer, run in peers_of[name].items():
            if peer != "filterpy" or find_peer("filterpy") is not None:
                calls[peer] = lambda run=run: run(u, z)
        ends = {peer: np.asarray(call())[-1] for peer, call in calls.items()}
        apart = max(
            float(np.abs(end - ends["gelenk"])[:2].max()) for end in ends.values()
        )
        yield _speed_row(f"{name}_speed", calls, rounds, f"ends {apart:.1e} m apart")


def particle_speed(settings: Settings) -> Row:
    """Time 1000 particles that move and are weighed by a scan of 60 beams."""
    rng = settings.rng()
    walls = np.full((120, 100), -4.0)
    walls[[0, -1]] = walls[:, [0, -1]] = 1.0
    field = LikelihoodField(
        origin=np.zeros(2), cell=0.1, log_density=walls, outside=-4.4
    )
    poses = rng.uniform([0, 0, -3], [12, 10, 3], (1000, 3))
    points = rng.uniform(-5, 5, (60, 2))
    motion = np.array([0.3, 0.0, 0.2])
    cloud = MonteCarlo(poses=poses, log_weights=np.zeros(1000))

    def ours() -> FloatArray:
        return cloud.moved(motion, np.random.default_rng(1)).seen(field, points).weights

    calls = {
        "gelenk": ours,
        "numpy": lambda: _plain_particles(cloud, motion, field, points),
        "loops": lambda: _looped_particles(cloud, motion, field, points),
    }
    apart = float(np.abs(calls["numpy"]() - ours()).max())
    return _speed_row(
        "particle_speed", calls, settings.pick(30, 10), f"weights {apart:.1e} apart"
    )


def filter_consistency(settings: Settings) -> Iterator[Row]:
    """Compare errors and residuals of groups of 100 seeds with chi-square (95 %).

    Errors of one drive are correlated over its steps: of one group some steps more or
    less leave the band together, so several groups are looked at.
    """
    groups = settings.pick(20, 4)
    drives = [_drives(1, np.random.default_rng(seed)) for seed in range(100 * groups)]
    controls, truth, z = (np.concatenate(part) for part in zip(*drives, strict=True))
    belief = Belief(mean=START, covariance=SPREAD)
    for name, method in KINDS:
        track = track_landmarks(
            belief, controls, z, LANDMARKS, dt=DT, Q=Q, R=R, method=method
        )
        error = track.mean - truth
        error[..., 2] = wrap_angle(error[..., 2])
        squares = nees(error, track.covariance).reshape(groups, 100, STEPS)
        yield _inside_row(f"{name}_nees_inside", squares.mean(axis=1), 3, 100)
        fits = track.nis.reshape(100 * groups, -1)
        yield _inside_row(f"{name}_nis_inside", fits.mean(axis=1), 2, fits.shape[1])


def _inside_row(name: str, means: FloatArray, dim: int, count: int) -> Row:
    low, high = chi2_band(dim, count)
    return Row(
        name=name,
        value=100.0 * float(((means > low) & (means < high)).mean()),
        unit="%",
        target=INSIDE,
        direction=">=",
        note=f"of {means.size} means over {count}, {low:.2f} to {high:.2f}, 95 % "
        f"expected; mean of all {means.mean():.3f}, {dim} expected",
    )


def _speed_row(
    name: str, calls: dict[str, Callable[[], Any]], rounds: int, note: str
) -> Row:
    times = _busy_times(calls, rounds)
    others = [peer for peer in calls if peer != "gelenk"]
    best = min(others, key=times.__getitem__)
    return Row(
        name=name,
        value=times[best] / times["gelenk"],
        unit="x",
        target=FASTER,
        direction=">=",
        note=f"against {best}, the fastest of {', '.join(others)}; processor time, "
        f"median of {rounds} turns: "
        + ", ".join(f"{peer} {1e6 * value:.0f} us" for peer, value in times.items())
        + f"; {note}",
    )


def _busy_times(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Return the processor time of a call [s], median of blocks that take turns."""
    numbers, samples = {}, {name: [] for name in calls}
    for name, call in calls.items():
        call()
        start = time.process_time()
        call()
        spent = max(time.process_time() - start, 1e-6)
        numbers[name] = max(1, round(BLOCK / spent))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.process_time()
            for _ in range(numbers[name]):
                call()
            samples[name].append((time.process_time() - start) / numbers[name])
    return {name: float(np.median(values)) for name, values in samples.items()}


def _drives(
    runs: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return controls, true poses and readings of robots that obey the model."""
    controls = np.zeros((runs, STEPS, 2))
    controls[..., 0], controls[..., 1] = 0.8, 0.4 * np.sin(0.1 * np.arange(STEPS))
    x = rng.multivariate_normal(START, SPREAD, runs)
    truth, z = np.empty((runs, STEPS, 3)), np.empty((runs, STEPS, 4, 2))
    for t in range(STEPS):
        v, w = controls[:, t].T
        x = x + DT * np.stack([v * np.cos(x[:, 2]), v * np.sin(x[:, 2]), w], axis=1)
        x = x + rng.multivariate_normal(np.zeros(3), Q, runs)
        truth[:, t] = x
        d = LANDMARKS - x[:, None, :2]
        bearing = np.arctan2(d[..., 1], d[..., 0]) - x[:, None, 2]
        z[:, t] = np.stack([np.linalg.norm(d, axis=-1), bearing], axis=-1)
        z[:, t] += rng.normal(size=(runs, 4, 2)) * np.sqrt(np.diag(R))
    z[..., 1] = wrap_angle(z[..., 1])
    return controls, truth, z


def _turn(angle: float) -> float:
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


def _plain_ekf(u: FloatArray, z: FloatArray) -> FloatArray:
    """The extended filter as tutorials write it, with NumPy for matrices."""
    x, P = START.copy(), SPREAD.copy()
    way = []
    eye = np.eye(3)
    for (v, w), readings in zip(u, z, strict=True):
        s, c = v * DT * math.sin(x[2]), v * DT * math.cos(x[2])
        x = x + np.array([c, s, w * DT])
        A = np.array([[1.0, 0.0, -s], [0.0, 1.0, c], [0.0, 0.0, 1.0]])
        P = A @ P @ A.T + Q
        for (mx, my), (r, b) in zip(LANDMARKS, readings, strict=True):
            dx, dy = mx - x[0], my - x[1]
            q = dx * dx + dy * dy
            d = math.sqrt(q)
            H = np.array([[-dx / d, -dy / d, 0.0], [dy / q, -dx / q, -1.0]])
            gap = np.array([r - d, _turn(b - math.atan2(dy, dx) + x[2])])
            S = H @ P @ H.T + R
            K = P @ H.T @ np.linalg.inv(S)
            x = x + K @ gap
            P = (eye - K @ H) @ P
        way.append(x)
    return np.asarray(np.stack(way), dtype=np.float64)


def _plain_ukf(u: FloatArray, z: FloatArray) -> FloatArray:
    """The unscented filter as tutorials write it, points in NumPy arrays."""
    x, P, way, n, kappa = START.copy(), SPREAD.copy(), [], 3, 1.0
    weights = np.full(7, 0.5 / (n + kappa))
    weights[0] = kappa / (n + kappa)

    def points() -> FloatArray:
        L = np.linalg.cholesky(P) * math.sqrt(n + kappa)
        spread = np.concatenate([x[None], x + L.T, x - L.T])
        return np.asarray(spread, dtype=np.float64)

    for (v, w), readings in zip(u, z, strict=True):
        p = points()
        p = p + DT * np.stack(
            [v * np.cos(p[:, 2]), v * np.sin(p[:, 2]), np.full(7, w)], axis=1
        )
        x = weights @ p
        P = (p - x).T @ (weights[:, None] * (p - x)) + Q
        for m, reading in zip(LANDMARKS, readings, strict=True):
            p = points()
            d = m - p[:, :2]
            seen = np.stack(
                [np.hypot(d[:, 0], d[:, 1]), np.arctan2(d[:, 1], d[:, 0]) - p[:, 2]], 1
            )
            off = seen[:, 1] - seen[0, 1] + math.pi
            seen[:, 1] = seen[0, 1] + np.mod(off, 2 * math.pi) - math.pi
            mean = weights @ seen
            gap = reading - mean
            gap[1] = _turn(gap[1])
            S = (seen - mean).T @ (weights[:, None] * (seen - mean)) + R
            K = (p - x).T @ (weights[:, None] * (seen - mean)) @ np.linalg.inv(S)
            x, P = x + K @ gap, P - K @ S @ K.T
        way.append(x)
    return np.array(way)


def _filterpy_ekf(u: FloatArray, z: FloatArray) -> FloatArray:
    from filterpy.kalman import (  # pyright: ignore[reportMissingImports]
        ExtendedKalmanFilter,
    )

    kf = ExtendedKalmanFilter(dim_x=3, dim_z=2)
    kf.x, kf.P, kf.Q, kf.R, way = START.copy(), SPREAD.copy(), Q, R, []

    def h(x: FloatArray, m: FloatArray) -> FloatArray:
        dx, dy = m - x[:2]
        return np.array([math.hypot(dx, dy), math.atan2(dy, dx) - x[2]])

    def slope(x: FloatArray, m: FloatArray) -> FloatArray:
        dx, dy = m - x[:2]
        q = dx * dx + dy * dy
        d = math.sqrt(q)
        return np.array([[-dx / d, -dy / d, 0.0], [dy / q, -dx / q, -1.0]])

    def residual(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.array([a[0] - b[0], _turn(a[1] - b[1])])

    for (v, w), readings in zip(u, z, strict=True):
        s, c = v * DT * math.sin(kf.x[2]), v * DT * math.cos(kf.x[2])
        kf.F = np.array([[1.0, 0.0, -s], [0.0, 1.0, c], [0.0, 0.0, 1.0]])
        moved = kf.x + np.array([c, s, w * DT])
        kf.predict()
        kf.x = moved
        for m, reading in zip(LANDMARKS, readings, strict=True):
            kf.update(reading, slope, h, args=(m,), hx_args=(m,), residual=residual)
        way.append(kf.x.copy())
    return np.array(way)


def _filterpy_ukf(u: FloatArray, z: FloatArray) -> FloatArray:
    from filterpy.kalman import (  # pyright: ignore[reportMissingImports]
        JulierSigmaPoints,
        UnscentedKalmanFilter,
    )

    def fx(x: FloatArray, dt: float, v: float, w: float) -> FloatArray:
        way = np.array([v * math.cos(x[2]), v * math.sin(x[2]), w])
        return x + dt * way

    def hx(x: FloatArray, m: FloatArray) -> FloatArray:
        dx, dy = m - x[:2]
        return np.array([math.hypot(dx, dy), math.atan2(dy, dx) - x[2]])

    def residual(a: FloatArray, b: FloatArray) -> FloatArray:
        return np.array([a[0] - b[0], _turn(a[1] - b[1])])

    def mean(sigmas: FloatArray, weights: FloatArray) -> FloatArray:
        off = np.mod(sigmas[:, 1] - sigmas[0, 1] + math.pi, 2 * math.pi) - math.pi
        return np.array([weights @ sigmas[:, 0], sigmas[0, 1] + weights @ off])

    kf = UnscentedKalmanFilter(
        dim_x=3, dim_z=2, dt=DT, fx=fx, hx=hx, points=JulierSigmaPoints(3, kappa=1.0),
        z_mean_fn=mean, residual_z=residual,
    )  # fmt: skip
    kf.x, kf.P, kf.Q, kf.R, way = START.copy(), SPREAD.copy(), Q, R, []
    for (v, w), readings in zip(u, z, strict=True):
        kf.predict(v=v, w=w)
        for m, reading in zip(LANDMARKS, readings, strict=True):
            kf.sigmas_f = kf.points_fn.sigma_points(kf.x, kf.P)
            kf.update(reading, m=m)
        way.append(kf.x.copy())
    return np.array(way)


def _plain_particles(
    cloud: MonteCarlo, motion: FloatArray, field: LikelihoodField, points: FloatArray
) -> FloatArray:
    """All particles at once in NumPy."""
    rng = np.random.default_rng(1)
    told, sigma = split_motion(motion), odometry_sigmas(motion, cloud.cfg.noise)
    drawn = told - sigma * rng.standard_normal((len(cloud.poses), 3))
    heading = cloud.poses[:, 2] + drawn[:, 0]
    x = cloud.poses[:, 0] + drawn[:, 1] * np.cos(heading)
    y = cloud.poses[:, 1] + drawn[:, 1] * np.sin(heading)
    heading = heading + drawn[:, 2]
    c, s = np.cos(heading)[:, None], np.sin(heading)[:, None]
    i = np.floor((x[:, None] + c * points[:, 0] - s * points[:, 1]) * 10.0).astype(int)
    j = np.floor((y[:, None] + s * points[:, 0] + c * points[:, 1]) * 10.0).astype(int)
    nx, ny = field.log_density.shape
    inside = (i >= 0) & (j >= 0) & (i < nx) & (j < ny)
    logs = field.log_density[np.clip(i, 0, nx - 1), np.clip(j, 0, ny - 1)]
    total = cloud.cfg.share * np.where(inside, logs, field.outside).sum(axis=1)
    w = np.exp(total - total.max())
    return w / w.sum()


def _looped_particles(
    cloud: MonteCarlo, motion: FloatArray, field: LikelihoodField, points: FloatArray
) -> FloatArray:
    """One particle after the other, its beams in NumPy, as tutorials write it."""
    rng = np.random.default_rng(1)
    told, sigma = split_motion(motion), odometry_sigmas(motion, cloud.cfg.noise)
    drawn = told - sigma * rng.standard_normal((len(cloud.poses), 3))
    total = np.empty(len(cloud.poses))
    for k, (x, y, heading) in enumerate(cloud.poses):
        heading += drawn[k, 0]
        x += drawn[k, 1] * math.cos(heading)
        y += drawn[k, 1] * math.sin(heading)
        heading += drawn[k, 2]
        c, s = math.cos(heading), math.sin(heading)
        ends = np.array([x, y]) + points @ np.array([[c, s], [-s, c]])
        total[k] = cloud.cfg.share * field.at(ends).sum()
    w = np.exp(total - total.max())
    return w / w.sum()

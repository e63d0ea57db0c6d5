"""Gravity, drag and the cameras' relative turn from thrown balls.

All circles of all throws are explained at once: one direction of gravity, one drag, one
turn of the right camera; and for each throw its place, velocity, spin, and how far its
drag is from the common one. The unknowns of a throw are eliminated, so that only the
common ones are solved for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.core.calibration.identifiability import (
    Identifiability,
    explain_information,
)
from gelenk.core.checks import as_array, as_finite
from gelenk.core.dynamics.flight import FlightCfg, fly
from gelenk.core.errors import ShapeError
from gelenk.core.estimation.descent import Box, Descent, Status
from gelenk.core.estimation.least_squares import (
    Rounds,
    covariance_from_information,
    find_scale_and_descend,
)
from gelenk.core.estimation.robust import Loss, evaluate_loss, spread
from gelenk.core.spatial import so3
from gelenk.core.typing import FloatArray
from gelenk.core.vision.sphere import (
    sphere_circle,
    sphere_circle_jacobian,
    triangulate_spheres,
)
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.config import BALL_RADIUS

FEWEST_THROWS = 12
FEWEST_SIGHTS = 8  # of both cameras, of one throw
CIRCLE_SIGMA = (0.1, 0.1, 0.3)  # [px]; only their ratio matters
LIFT_SIGMA = 0.08  # [1/s]: spin times lift factor, of one throw; a start
LIFT_ROUNDS = 3  # of finding how much these throwers spin their balls
LEAST_LIFT = 0.008  # [1/s]: 1 rad/s
DRAG_SPREAD = 0.1  # of the logarithm of the drag, from throw to throw
NAMES = ("gravity about x", "gravity about y", "log drag", "right.turn x",
         "right.turn y", "right.turn z")  # fmt: skip
UNITS = ("rad", "rad", "1", "rad", "rad", "rad")
GLOBAL, LOCAL = 6, 10  # p, v, lift, log of drag over the common one
LARGEST_RESIDUAL = 1.5  # [px]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flight:
    """The circles of one thrown ball.

    Attributes:
        time: Of the images [s], shape (k,).
        circles: (u, v, r) in the left and the right one [px], NaN where nothing was
            seen, shape (k, 2, 3).
    """

    time: FloatArray
    circles: FloatArray

    def __post_init__(self) -> None:
        time = as_finite("time", self.time, ())
        circles = as_array("circles", self.circles, (2, 3))
        if time.ndim != 1 or circles.shape != (len(time), 2, 3):
            raise ShapeError(
                "circles", expected=f"({time.size}, 2, 3)", actual=circles.shape
            )
        object.__setattr__(self, "time", time)
        object.__setattr__(self, "circles", circles)

    @property
    def sights(self) -> int:
        """Moments at which both cameras saw the ball."""
        return int(np.isfinite(self.circles).all(axis=(1, 2)).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlightCalibration:
    """What throws tell, in the world that the cameras' poses were given in.

    Attributes:
        gravity: [m/s^2], shape (3,).
        drag: Common to all throws [1/m].
        drag_spread: Of the logarithm of the drag, from throw to throw, as fitted.
        turn: Of the right camera about its own axes, to be put before its pose:
            R_camera_world becomes exp(turn) R_camera_world, (3,) [rad].
        names, units: Of the parameters.
        values: Shape (6,).
        covariance: Shape (6, 6).
        residual: Root mean squares of u, v, r without outliers [px].
        states: (p, v) of each throw when first seen, shape (n, 6).
        lift: Of each throw [1/s], shape (n, 3).
        drags: Of each throw [1/m], shape (n,).
        durations: From first to last sight [s], shape (n,).
        identifiability: What the throws could tell.
    """

    gravity: FloatArray
    drag: float
    drag_spread: float
    turn: FloatArray
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    covariance: FloatArray
    residual: tuple[float, float, float]
    states: FloatArray
    lift: FloatArray
    drags: FloatArray
    durations: FloatArray
    identifiability: Identifiability


def turned(row: FloatArray, turn: FloatArray) -> FloatArray:
    """Return a camera, as kernels read it, turned about its own axes by a vector."""
    R = so3.exp(turn)
    out = row.copy()
    out[:9] = (R @ row[:9].reshape(3, 3)).ravel()
    out[9:12] = R @ row[9:12]
    return out


def calibrate_flight(
    flights: Sequence[Flight],
    camera_rows: FloatArray,
    *,
    gravity: FloatArray,
    drag: float,
    turn_covariance: FloatArray | None = None,
) -> FlightCalibration:
    """Return gravity, drag and what the right camera is turned by.

    Args:
        flights: Thrown balls.
        camera_rows: Both cameras as far as they are known, shape (2, 21).
        gravity: Start; its size is kept, shape (3,) [m/s^2].
        drag: Start [1/m].
        turn_covariance: How well the right camera's turn is known before, (3, 3)
            [rad^2]; None: exactly.

    Raises:
        CalibrationError: If there are too few throws, or nothing explains them.
    """
    good = [flight for flight in flights if flight.sights >= FEWEST_SIGHTS]
    if len(good) < FEWEST_THROWS:
        raise CalibrationError(
            "too few throws",
            f"expected {FEWEST_THROWS} throws at least that both cameras saw "
            f"{FEWEST_SIGHTS} times, got {len(good)} of {len(flights)}",
            advice="throw thirty balls from 5 to 6 m towards the bat",
        )
    problem = _Problem(good, camera_rows, gravity, drag, turn_covariance)
    x = np.zeros(GLOBAL)
    box = Box(
        mean=x,
        precision=np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        lower=np.full(GLOBAL, -math.inf),
        upper=np.full(GLOBAL, math.inf),
        is_free=np.array([True] * 3 + [turn_covariance is not None] * 3),
    )

    def make(scale: float, loss: Loss):
        return lambda x, hidden: _Evaluation(problem, x, hidden, scale, loss)

    def estimate(descent: Descent) -> float:
        return spread(descent.at.r)

    def settle(x: FloatArray, hidden: FloatArray, scale: float) -> Rounds:
        return find_scale_and_descend(
            make, estimate, x, hidden, box,
            loss="tukey", first_scale=max(scale, 1e-6), known_scale=None,
            max_iterations=40, tolerance=1e-9, least_scale=1e-3,
        )  # fmt: skip

    first = _Evaluation(problem, x, problem.start, 1.0, "none")
    rounds = settle(x, problem.start, spread(first.r))
    for _ in range(LIFT_ROUNDS):
        if not problem.learn_lift(rounds.descent.at):
            break
        rounds = settle(rounds.descent.x, rounds.descent.hidden, rounds.scale)
    at: _Evaluation = rounds.descent.at
    residual = at.rms()
    is_good = rounds.descent.status in (Status.CONVERGED, Status.MAX_ITERATIONS)
    if not is_good or max(residual[:2]) > LARGEST_RESIDUAL:
        raise CalibrationError(
            "no agreement",
            f"circles stay {residual[0]:.2f} and {residual[1]:.2f} px away from any "
            f"flights ({rounds.descent.status})",
            advice="calibrate the cameras first, and throw without wind",
        )
    return problem.report(rounds.descent, box, residual)


class _Problem:
    """All throws, with the middle of their time as reference."""

    def __init__(
        self,
        flights: Sequence[Flight],
        rows: FloatArray,
        gravity: FloatArray,
        drag: float,
        turn_covariance: FloatArray | None,
    ) -> None:
        self.flights = flights
        self.rows = as_finite("camera_rows", rows, (2, 21))
        self.gravity = as_finite("gravity", gravity, (3,))
        self.drag = drag
        self.turn_information = (
            np.zeros((3, 3))
            if turn_covariance is None
            else np.linalg.inv(as_finite("turn_covariance", turn_covariance, (3, 3)))
        )
        self.times = [f.time - 0.5 * (f.time[0] + f.time[-1]) for f in flights]
        self.start = np.stack([self._start(k) for k in range(len(flights))])
        self.precision = np.array([0.0] * 6 + [LIFT_SIGMA**-2] * 3 + [DRAG_SPREAD**-2])

    def _start(self, k: int) -> FloatArray:
        flight = self.flights[k]
        both = np.isfinite(flight.circles).all(axis=(1, 2))
        place = triangulate_spheres(
            self.rows, flight.circles[both], CIRCLE_SIGMA, BALL_RADIUS
        ).position
        t = self.times[k][both]
        is_good = np.isfinite(place).all(axis=1)
        A = np.stack([np.ones_like(t), t, 0.5 * t * t], axis=1)[is_good]
        coefficients = np.linalg.lstsq(A, place[is_good], rcond=None)[0]
        return np.concatenate([coefficients[0], coefficients[1], np.zeros(4)])

    def learn_lift(self, at: _Evaluation) -> bool:
        """Set the spread of spin to what the throws show; return whether it changed.

        Of each throw counts what was found, and how uncertain that is.
        """
        square = [
            np.mean(local[6:9] ** 2 + np.diag(P)[6:9])
            for local, P in zip(at.hidden, at.local_covariances, strict=True)
        ]
        sigma = max(math.sqrt(float(np.mean(square))), LEAST_LIFT)
        before = self.precision[6] ** -0.5
        self.precision[6:9] = sigma**-2
        return abs(sigma - before) > 0.1 * before

    def air(self, x: FloatArray, extra: float = 0.0) -> FlightCfg:
        gx, gy, gz = map(float, so3.exp([x[0], x[1], 0.0]) @ self.gravity)
        drag = self.drag * math.exp(min(max(x[2] + extra, -3.0), 3.0))
        return FlightCfg(gravity=(gx, gy, gz), drag=drag, lift=1.0)

    def cameras(self, x: FloatArray) -> FloatArray:
        return np.stack([self.rows[0], turned(self.rows[1], x[3:])])

    def residuals(
        self, k: int, x: FloatArray, local: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return residuals over their sigma (m,), and derivatives (m, 6), (m, 10)."""
        t, flight = self.times[k], self.flights[k]
        d = 1e-4
        steps = np.concatenate([np.zeros((1, 9)), d * np.eye(9), -d * np.eye(9)])
        paths = fly(local[:9] + steps, t, self.air(x, local[9]))[..., :3]
        p = paths[0]
        dp_local = np.empty((len(t), 3, LOCAL))
        dp_local[..., :9] = np.moveaxis((paths[1:10] - paths[10:]) / (2.0 * d), 0, -1)
        dp_global = np.zeros((len(t), 3, GLOBAL))
        for i in range(3):
            ends = []
            for sign in (1.0, -1.0):
                at = x.copy()
                at[i] += sign * d
                ends.append(fly(local[:9], t, self.air(at, local[9]))[..., :3])
            dp_global[..., i] = (ends[0] - ends[1]) / (2.0 * d)
        dp_local[..., 9] = dp_global[..., 2]
        rows = self.cameras(x)
        seen = sphere_circle(rows, p, BALL_RADIUS)
        slope = sphere_circle_jacobian(rows, p, BALL_RADIUS)  # (t, c, 3, 3)
        J_local = slope @ dp_local[:, None]
        J_global = slope @ dp_global[:, None]
        for i in range(3):
            turn = np.zeros(3)
            turn[i] = d
            ends = [
                sphere_circle(turned(rows[1], sign * turn)[None], p, BALL_RADIUS)[:, 0]
                for sign in (1.0, -1.0)
            ]
            J_global[:, 1, :, 3 + i] = (ends[0] - ends[1]) / (2.0 * d)
        sigma = np.array(CIRCLE_SIGMA)
        r = ((seen - flight.circles) / sigma).ravel()
        use = np.isfinite(r)
        tall = sigma[:, None]
        return (
            r[use],
            (J_global / tall).reshape(-1, GLOBAL)[use],
            (J_local / tall).reshape(-1, LOCAL)[use],
        )

    def report(
        self, found: Descent, box: Box, residual: tuple[float, float, float]
    ) -> FlightCalibration:
        x, hidden, at = found.x, found.hidden, found.at
        free = np.flatnonzero(box.is_free)
        spans = [(t[0], t[-1]) for t in self.times]
        states = [
            fly(local[:9], [begin], self.air(x, local[9]))[0, :6]
            for local, (begin, _) in zip(hidden, spans, strict=True)
        ]
        return FlightCalibration(
            gravity=np.array(self.air(x).gravity),
            drag=self.air(x).drag,
            drag_spread=float(np.std(hidden[:, 9])),
            turn=x[3:].copy(),
            names=NAMES,
            units=UNITS,
            values=x,
            covariance=covariance_from_information(at.H, x, box),
            residual=residual,
            states=np.array(states),
            lift=hidden[:, 6:9].copy(),
            drags=self.air(x).drag * np.exp(hidden[:, 9]),
            durations=np.array([end - begin for begin, end in spans]),
            identifiability=explain_information(
                at.data_information[np.ix_(free, free)],
                names=[NAMES[i] for i in free],
                units=[UNITS[i] for i in free],
                prior_sigma=[math.inf] * len(free),
            ),
        )


class _Evaluation:
    """Cost, H and g of the common unknowns, those of the throws eliminated."""

    def __init__(
        self,
        problem: _Problem,
        x: FloatArray,
        hidden: FloatArray,
        scale: float,
        loss: Loss,
    ) -> None:
        self.hidden = hidden
        self.cost = float(x[3:] @ problem.turn_information @ x[3:])
        H, g = np.zeros((GLOBAL, GLOBAL)), np.zeros(GLOBAL)
        self._gains: list[tuple[FloatArray, FloatArray]] = []
        self.local_covariances: list[FloatArray] = []
        residuals, weights = [], []
        for k, local in enumerate(hidden):
            r, J, L = problem.residuals(k, x, local)
            rho, w, _ = evaluate_loss(loss, (r / scale) ** 2)
            prior = problem.precision * local
            self.cost += float(rho.sum()) + float(local @ prior)
            w = w / scale**2
            A = L.T @ (w[:, None] * L) + np.diag(problem.precision)
            a, B = L.T @ (w * r) + prior, L.T @ (w[:, None] * J)
            inverse: FloatArray = np.linalg.inv(A).astype(np.float64)
            self.local_covariances.append(inverse)
            solved = inverse @ np.column_stack([a, B])
            self._gains.append((solved[:, 0], solved[:, 1:]))
            H += J.T @ (w[:, None] * J) - B.T @ solved[:, 1:]
            g += J.T @ (w * r) - B.T @ solved[:, 0]
            residuals.append(r)
            weights.append(w)
        self.data_information = 0.5 * (H + H.T)
        self.H, self.g = self.data_information.copy(), g
        self.H[3:, 3:] += problem.turn_information
        self.g[3:] += problem.turn_information @ x[3:]
        self.r, self.weights = np.concatenate(residuals), np.concatenate(weights)

    def follow(self, step: FloatArray) -> FloatArray:
        moves = [a + B @ step for a, B in self._gains]
        return self.hidden - np.array(moves)

    def rms(self) -> tuple[float, float, float]:
        """Return root mean squares of u, v, r [px], by weight."""
        w = self.weights.reshape(-1, 3)
        square = (w * self.r.reshape(-1, 3) ** 2).sum(axis=0) / w.sum(axis=0)
        u, v, r = np.sqrt(square) * np.array(CIRCLE_SIGMA)
        return float(u), float(v), float(r)

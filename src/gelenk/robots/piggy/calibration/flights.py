"""Gravity and drag from thrown balls, and both cameras once more.

All circles of all throws are explained at once: one direction of gravity, one drag, two
lenses and the pose between them, which boards have told before within a covariance; and
for each throw its place, velocity, spin, and how far its drag is from the common one.
The unknowns of a throw are eliminated, so that only the common ones are solved for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.calibration.identifiability import (
    Identifiability,
    explain_information,
)
from gelenk.checks import as_array, as_finite
from gelenk.dynamics.flight import FlightCfg, simulate_flight
from gelenk.errors import ShapeError
from gelenk.estimation.descent import Bounds, Descent, SolverStatus
from gelenk.estimation.least_squares import (
    Rounds,
    covariance_from_information,
    find_scale_and_descend,
)
from gelenk.estimation.robust import Loss, evaluate_loss, robust_spread
from gelenk.robots.piggy.calibration.cameras import (
    CAMERA_NAMES,
    CAMERA_UNITS,
    N_LENS,
)
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.robots.piggy.config import BALL_RADIUS
from gelenk.spatial import so3
from gelenk.typing import FloatArray
from gelenk.vision.sphere import (
    sphere_circle,
    sphere_circle_jacobian,
    triangulate_spheres,
)

FEWEST_THROWS = 12
FEWEST_SIGHTS = 8  # of both cameras, of one throw
CIRCLE_SIGMA = (0.1, 0.1, 0.3)  # [px], of u, v, r; for the start only
LIFT_SIGMA = 0.08  # [1/s]: spin times lift factor, of one throw; a start
LIFT_ROUNDS = 2  # of finding how much these throwers spin their balls
LEAST_NOISE = 0.05  # [px]: light and lens displace circles by that much, unlike noise
LEAST_LIFT = 0.008  # [1/s]: 1 rad/s
DRAG_SPREAD = 0.1  # of the logarithm of the drag, from throw to throw
NAMES = ("gravity about x", "gravity about y", "log drag", *CAMERA_NAMES)
UNITS = ("rad", "rad", "1", *CAMERA_UNITS)
AIR = 3  # parameters before those of the cameras
GLOBAL, LOCAL = len(NAMES), 10  # of a throw: p, v, lift, log of drag over the common
# Steps of the differences, of the size of what images can tell.
CAMERA_STEPS = np.array([*[1e-2] * 4, *[1e-4] * 5] * 2 + [1e-4] * 3 + [1e-4] * 3)
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
        lift_spread: Of the lift about each axis, from throw to throw [1/s].
        camera_rows: Both cameras, adjusted, as kernels read them, shape (2, 21).
        names, units: Of the parameters: gravity, drag, then those of the cameras.
        values: Changes of what was assumed before, shape (27,).
        covariance: Shape (27, 27).
        residual: Root mean squares of u and v without outliers [px].
        states: (p, v) of each throw when first seen, shape (n, 6).
        lift: Of each throw [1/s], shape (n, 3).
        drags: Of each throw [1/m], shape (n,).
        durations: From first to last sight [s], shape (n,).
        identifiability: What the throws could tell about gravity and drag.
    """

    gravity: FloatArray
    drag: float
    drag_spread: float
    lift_spread: float
    camera_rows: FloatArray
    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    covariance: FloatArray
    residual: tuple[float, float]
    states: FloatArray
    lift: FloatArray
    drags: FloatArray
    durations: FloatArray
    identifiability: Identifiability


def adjusted(rows: FloatArray, change: FloatArray) -> FloatArray:
    """Return both cameras after a change of their parameters, shape (2, 21).

    Args:
        rows: As kernels read them, shape (2, 21).
        change: In the order of `CAMERA_NAMES`, shape (24,).
    """
    out = rows.copy()
    out[0, 12:] += change[:N_LENS]
    out[1, 12:] += change[N_LENS : 2 * N_LENS]
    R_left, t_left = rows[0, :9].reshape(3, 3), rows[0, 9:12]
    R_right, t_right = rows[1, :9].reshape(3, 3), rows[1, 9:12]
    R_right_left = R_right @ R_left.T
    between = t_right - R_right_left @ t_left
    turn = so3.exp(change[18:21])
    out[1, :9] = (turn @ R_right).ravel()
    out[1, 9:12] = turn @ R_right_left @ t_left + between + change[21:]
    return out


def calibrate_flight(
    flights: Sequence[Flight],
    camera_rows: FloatArray,
    *,
    gravity: FloatArray,
    drag: float,
    camera_covariance: FloatArray | None = None,
) -> FlightCalibration:
    """Return gravity, drag and the cameras, adjusted.

    Args:
        flights: Thrown balls.
        camera_rows: Both cameras as far as they are known, shape (2, 21).
        gravity: Start; its size is kept, shape (3,) [m/s^2].
        drag: Start [1/m].
        camera_covariance: How well they are known, in the order of `CAMERA_NAMES`,
            shape (24, 24); None: exactly.

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
    problem = _Problem(good, camera_rows, gravity, drag, camera_covariance)
    x = np.zeros(GLOBAL)
    box = Bounds(
        mean=x,
        precision=np.zeros(GLOBAL),
        lower=np.full(GLOBAL, -math.inf),
        upper=np.full(GLOBAL, math.inf),
        is_free=np.arange(GLOBAL) < (AIR if camera_covariance is None else GLOBAL),
    )

    def make(
        scale: float, loss: Loss
    ) -> Callable[[FloatArray, FloatArray], _Evaluation]:
        return lambda x, hidden: _Evaluation(problem, x, hidden, scale, loss)

    def estimate(descent: Descent) -> float:
        return robust_spread(descent.at.r)

    def settle(x: FloatArray, hidden: FloatArray, scale: float) -> Rounds:
        return find_scale_and_descend(
            make, estimate, x, hidden, box,
            loss="tukey", first_scale=max(scale, LEAST_NOISE), known_scale=None,
            max_iterations=40, tolerance=1e-9, least_scale=LEAST_NOISE,
        )  # fmt: skip

    first = _Evaluation(problem, x, problem.start, 1.0, "none")
    rounds = settle(x, problem.start, robust_spread(first.r))
    for _ in range(LIFT_ROUNDS):
        if not problem.learn_lift(rounds.descent.at):
            break
        rounds = settle(rounds.descent.x, rounds.descent.hidden, rounds.scale)
    at: _Evaluation = rounds.descent.at
    residual = at.rms()
    is_good = rounds.descent.status in (
        SolverStatus.CONVERGED,
        SolverStatus.MAX_ITERATIONS,
    )
    if not is_good or max(residual) > LARGEST_RESIDUAL:
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
        camera_covariance: FloatArray | None,
    ) -> None:
        self.flights = flights
        self.rows = as_finite("camera_rows", rows, (2, 21))
        self.gravity = as_finite("gravity", gravity, (3,))
        self.drag = drag
        size = GLOBAL - AIR
        self.is_adjusting = camera_covariance is not None
        self.camera_information = np.zeros((size, size))
        if camera_covariance is not None:
            P = as_finite("camera_covariance", camera_covariance, (size, size))
            sigma = np.sqrt(np.diag(P))
            inverse = np.linalg.inv(P / np.outer(sigma, sigma))
            self.camera_information = inverse / np.outer(sigma, sigma)
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

    def lift_spread(self, at: _Evaluation) -> float:
        """Return the spread of spin that the throws show, as lift [1/s].

        Of each throw counts what was found, and how uncertain that is.
        """
        square = [
            np.mean(local[6:9] ** 2 + np.diag(P)[6:9])
            for local, P in zip(at.hidden, at.local_covariances, strict=True)
        ]
        return max(math.sqrt(float(np.mean(square))), LEAST_LIFT)

    def learn_lift(self, at: _Evaluation) -> bool:
        """Set the spread of spin to what the throws show; return whether it changed."""
        sigma = self.lift_spread(at)
        before = self.precision[6] ** -0.5
        self.precision[6:9] = sigma**-2
        return abs(sigma - before) > 0.1 * before

    def air(self, x: FloatArray, extra: float = 0.0) -> FlightCfg:
        gx, gy, gz = map(float, so3.exp([x[0], x[1], 0.0]) @ self.gravity)
        drag = self.drag * math.exp(min(max(x[2] + extra, -3.0), 3.0))
        return FlightCfg(gravity=(gx, gy, gz), drag=drag, lift=1.0)

    def cameras(self, x: FloatArray) -> FloatArray:
        return adjusted(self.rows, x[AIR:])

    def residuals(
        self, k: int, x: FloatArray, local: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return residuals (m,) [px], and derivatives (m, 27), (m, 10)."""
        t, flight = self.times[k], self.flights[k]
        d = 1e-4
        steps = np.concatenate([np.zeros((1, 9)), d * np.eye(9), -d * np.eye(9)])
        paths = simulate_flight(local[:9] + steps, t, self.air(x, local[9]))[..., :3]
        p = paths[0]
        dp_local = np.empty((len(t), 3, LOCAL))
        dp_local[..., :9] = np.moveaxis((paths[1:10] - paths[10:]) / (2.0 * d), 0, -1)
        dp_global = np.zeros((len(t), 3, GLOBAL))
        for i in range(AIR):
            ends = []
            for sign in (1.0, -1.0):
                at = x.copy()
                at[i] += sign * d
                ends.append(
                    simulate_flight(local[:9], t, self.air(at, local[9]))[..., :3]
                )
            dp_global[..., i] = (ends[0] - ends[1]) / (2.0 * d)
        dp_local[..., 9] = dp_global[..., 2]
        rows = self.cameras(x)
        seen = sphere_circle(rows, p, BALL_RADIUS)
        slope = sphere_circle_jacobian(rows, p, BALL_RADIUS)  # (t, c, 3, 3)
        J_local = slope @ dp_local[:, None]
        J_global = slope @ dp_global[:, None]
        for i in range(GLOBAL - AIR if self.is_adjusting else 0):
            ends = []
            for sign in (1.0, -1.0):
                at = x[AIR:].copy()
                at[i] += sign * CAMERA_STEPS[i]
                row = adjusted(self.rows, at)
                ends.append(sphere_circle(row, p, BALL_RADIUS))
            J_global[..., AIR + i] = (ends[0] - ends[1]) / (2.0 * CAMERA_STEPS[i])
        # Radii are left out: a bias of 0.05 px, which light and lens can make, would
        # turn a camera by 0.04 degrees.
        r = (seen - flight.circles)[..., :2].ravel()
        use = np.isfinite(r)
        return (
            r[use],
            J_global[:, :, :2].reshape(-1, GLOBAL)[use],
            J_local[:, :, :2].reshape(-1, LOCAL)[use],
        )

    def report(
        self, found: Descent, box: Bounds, residual: tuple[float, float]
    ) -> FlightCalibration:
        x, hidden, at = found.x, found.hidden, found.at
        spans = [(t[0], t[-1]) for t in self.times]
        states = [
            simulate_flight(local[:9], [begin], self.air(x, local[9]))[0, :6]
            for local, (begin, _) in zip(hidden, spans, strict=True)
        ]
        return FlightCalibration(
            gravity=np.array(self.air(x).gravity),
            drag=self.air(x).drag,
            drag_spread=float(np.std(hidden[:, 9])),
            lift_spread=self.lift_spread(at),
            camera_rows=self.cameras(x),
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
                at.data_information[:AIR, :AIR],
                names=NAMES[:AIR],
                units=UNITS[:AIR],
                prior_sigma=[math.inf] * AIR,
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
        self.cost = float(x[AIR:] @ problem.camera_information @ x[AIR:])
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
        self.H[AIR:, AIR:] += problem.camera_information
        self.g[AIR:] += problem.camera_information @ x[AIR:]
        self.r, self.weights = np.concatenate(residuals), np.concatenate(weights)

    def follow(self, step: FloatArray) -> FloatArray:
        moves = [a + B @ step for a, B in self._gains]
        return self.hidden - np.array(moves)

    def rms(self) -> tuple[float, float]:
        """Return root mean squares of u and v [px], by weight."""
        w = self.weights.reshape(-1, 2)
        square = (w * self.r.reshape(-1, 2) ** 2).sum(axis=0) / w.sum(axis=0)
        u, v = np.sqrt(square)
        return float(u), float(v)

"""Linear systems dx/dt = A x + B u, y = C x + D u: response, loops, stability.

Held inputs are solved exactly. A simulated loop has the elements of a real one: limits,
delay, disturbance, sensor noise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LinearSystem:
    """A linear system in continuous time.

    Attributes:
        A: State matrix A [1/s], shape (n, n).
        B: Input matrix B, shape (n, m).
        C: Output matrix C, shape (p, n).
        D: Feedthrough matrix D, shape (p, m).

    Example:
        >>> from gelenk.control import LinearSystem
        >>> lag = LinearSystem(A=[[-2.0]], B=[[1.0]], C=[[1.0]], D=[[0.0]])
        >>> print(lag.poles.real)
        [-2.]
    """

    A: FloatArray
    B: FloatArray
    C: FloatArray
    D: FloatArray

    def __post_init__(self) -> None:
        n, m, p = np.shape(self.A)[0], np.shape(self.B)[-1], np.shape(self.C)[0]
        shapes = {"A": (n, n), "B": (n, m), "C": (p, n), "D": (p, m)}
        for name, shape in shapes.items():
            array = np.array(as_finite(name, getattr(self, name), shape))
            if array.shape != shape:
                raise ShapeError(name, expected=str(shape), actual=array.shape)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def from_transfer_function(
        cls, numerator: ArrayLike, denominator: ArrayLike
    ) -> Self:
        """Return G(s) = numerator / denominator in controllable form.

        Args:
            numerator: Coefficients, highest power first, shape (k,), k <= n + 1.
            denominator: Coefficients, highest power first, shape (n + 1,).

        Example:
            >>> plant = LinearSystem.from_transfer_function([1.0], [1.0, 3.0, 2.0])
            >>> print(np.sort(plant.poles.real).round(9))
            [-2. -1.]
        """
        a = np.trim_zeros(np.atleast_1d(np.asarray(denominator, np.float64)), "f")
        b = np.atleast_1d(np.asarray(numerator, np.float64))
        n = len(a) - 1
        if n < 1 or len(b) > n + 1:
            raise ConfigError(
                "a transfer function needs a denominator of degree >= 1 that is not "
                f"below the numerator's, got {b.tolist()} / {a.tolist()}"
            )
        b = np.concatenate([np.zeros(n + 1 - len(b)), b]) / a[0]
        a = a / a[0]
        A = np.eye(n, k=-1)
        A[0] = -a[1:]
        B = np.zeros((n, 1))
        B[0] = 1.0
        C = (b[1:] - b[0] * a[1:]).reshape(1, n)
        return cls(A=A, B=B, C=C, D=np.full((1, 1), b[0]))

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Eigenvalues of A [1/s], complex, shape (n,)."""
        return np.linalg.eigvals(self.A).astype(np.complex128)


def hold_input(system: LinearSystem, dt: float) -> tuple[FloatArray, FloatArray]:
    """Return (Ad, Bd) of x_{k+1} = Ad x_k + Bd u_k for an input held for `dt`.

    Exact: the exponential of [[A, B], [0, 0]] dt holds both.

    Args:
        system: The system.
        dt: Time for which the input is held [s].

    Example:
        >>> lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
        >>> Ad, Bd = hold_input(lag, 0.5)
        >>> print(Ad[0, 0].round(6), Bd[0, 0].round(6))
        0.606531 0.393469
    """
    if not dt > 0.0:
        raise ConfigError(f"`dt` must be > 0 s, got {dt}")
    n, m = system.B.shape
    block = np.zeros((n + m, n + m))
    block[:n, :n], block[:n, n:] = system.A, system.B
    E = np.asarray(expm(block * dt), np.float64)
    return E[:n, :n], E[:n, n:]


def feedback(system: LinearSystem, gain: ArrayLike) -> LinearSystem:
    """Return the loop closed by u = gain (r - y), from r to y.

    Args:
        system: Open loop without direct part D.
        gain: Gain, shape (m, p), or a number.

    Example:
        >>> lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
        >>> print(feedback(lag, 9.0).poles.real)
        [-10.]
    """
    if system.D.any():
        raise ConfigError("`feedback` needs a system whose direct part D is zero")
    K = np.broadcast_to(
        np.asarray(gain, np.float64), (system.B.shape[1], system.C.shape[0])
    )
    return LinearSystem(
        A=system.A - system.B @ K @ system.C, B=system.B @ K, C=system.C, D=system.D
    )


def step_response(
    system: LinearSystem, *, dt: float, duration: float
) -> tuple[FloatArray, FloatArray]:
    """Return times (k,) [s] and the response to a unit step of the first input (k, p).

    Exact at the samples; states are doubled block by block instead of one by one.

    Args:
        system: The system, at rest before the step.
        dt: Time between samples [s].
        duration: Duration of the response [s].

    Example:
        >>> from gelenk.control import LinearSystem, step_response
        >>> lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
        >>> t, y = step_response(lag, dt=0.5, duration=2.0)
        >>> print(y[:, 0].round(4))
        [0.     0.3935 0.6321 0.7769 0.8647]
    """
    Ad, Bd = hold_input(system, dt)
    n, count = len(Ad), round(duration / dt) + 1
    step = np.eye(n + 1)  # the last state is the constant input
    step[:n, :n], step[:n, n] = Ad, Bd[:, 0]
    states, power = np.eye(n + 1)[-1:], step
    while len(states) < count:
        states, power = np.concatenate([states, states @ power.T]), power @ power
    states = states[:count]
    return dt * np.arange(count, dtype=np.float64), states[
        :, :n
    ] @ system.C.T + system.D[:, 0]


Signal: TypeAlias = Callable[[float], float]
Controller: TypeAlias = Callable[[float, float, float], float]


def _nothing(time: float) -> float:
    return 0.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopCfg:
    """Control loop without its controller; one input, one output.

    Attributes:
        plant: System that is controlled.
        dt: Time between two decisions [s]; the output is held meanwhile.
        max_output: Largest output of the actuator, on either side.
        delay: Delay from decision to actuator [s], a whole multiple of `dt`.
        disturbance: Function of time [s] added to the input of the plant.
        sensor_error: Function of time [s] added to the measured output.
    """

    plant: LinearSystem
    dt: float
    max_output: float = float("inf")
    delay: float = 0.0
    disturbance: Signal = field(default=_nothing)
    sensor_error: Signal = field(default=_nothing)

    def __post_init__(self) -> None:
        if self.plant.B.shape[1] != 1 or self.plant.C.shape[0] != 1:
            raise ConfigError("a loop needs a plant with one input and one output")
        if not (self.dt > 0.0 and self.delay >= 0.0 and self.max_output > 0.0):
            raise ConfigError(
                "`dt` and `max_output` must be > 0, `delay` >= 0, got "
                f"{self.dt} s, {self.max_output}, {self.delay} s"
            )
        if abs(self.delay / self.dt - self.delay_steps) > 1e-6:
            raise ConfigError(
                f"delay {self.delay} s is not a whole multiple of the step {self.dt} s"
            )

    @property
    def delay_steps(self) -> int:
        """Of the delay."""
        return round(self.delay / self.dt)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopMotion:
    """Signals of a simulated loop, one row per decision.

    Attributes:
        t: Times [s], shape (k,).
        output: True output x of the plant, shape (k,).
        measured: x̃, shape (k,).
        command: u as decided, shape (k,).
        applied: Input as it reached the plant: late, limited, disturbed, shape (k,).
    """

    t: FloatArray
    output: FloatArray
    measured: FloatArray
    command: FloatArray
    applied: FloatArray


def simulate_loop(
    cfg: LoopCfg, controller: Controller, reference: Signal, *, duration: float
) -> LoopMotion:
    """Return the motion of a loop from rest.

    Args:
        cfg: Plant and elements.
        controller: u as a function of (time, reference, measured).
        reference: x_d as a function of time.
        duration: Duration [s].

    Example:
        A constant disturbance: feedback fights it, open-loop control cannot.

        >>> lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
        >>> cfg = LoopCfg(plant=lag, dt=0.01, disturbance=lambda t: 0.5)
        >>> open_loop = simulate_loop(
        ...     cfg, lambda t, x_d, x: x_d, lambda t: 1.0, duration=9.0
        ... )
        >>> closed = simulate_loop(
        ...     cfg, lambda t, x_d, x: 20 * (x_d - x) + x_d, lambda t: 1.0, duration=9.0
        ... )
        >>> print(open_loop.output[-1].round(3), closed.output[-1].round(3))
        1.5 1.024
    """
    Ad, Bd = hold_input(cfg.plant, cfg.dt)
    B, C, D = Bd[:, 0], cfg.plant.C[0], float(cfg.plant.D[0, 0])
    count = round(duration / cfg.dt) + 1
    rows = np.zeros((count, 5))
    x, applied = np.zeros(len(Ad)), 0.0
    late = deque([0.0] * cfg.delay_steps)
    for k in range(count):
        t = k * cfg.dt
        y = float(C @ x) + D * applied
        measured = y + cfg.sensor_error(t)
        u = controller(t, reference(t), measured)
        late.append(u)
        applied = min(max(late.popleft(), -cfg.max_output), cfg.max_output)
        applied += cfg.disturbance(t)
        rows[k] = t, y, measured, u, applied
        x = Ad @ x + B * applied
    t, output, measured, command, applied = rows.T
    return LoopMotion(
        t=t, output=output, measured=measured, command=command, applied=applied
    )


class Stability(StrEnum):
    """Stability of a system after a small disturbance."""

    STABLE = "stable"
    """It dies out: every pole has a negative real part."""
    MARGINAL = "marginal"
    """A pole lies on the imaginary axis, none to the right of it."""
    UNSTABLE = "unstable"
    """It grows."""


def stability_of_poles(poles: ArrayLike, *, tol: float = 1e-9) -> Stability:
    """Return what the real parts of poles say.

    Args:
        poles: Complex [1/s], shape (n,).
        tol: Real parts this close to 0 (relative to the largest pole) count as 0.

    Example:
        >>> stability_of_poles([-1.0 + 2.0j, -1.0 - 2.0j]).value
        'stable'
    """
    poles = np.asarray(poles, dtype=np.complex128)
    width = tol * max(1.0, float(np.abs(poles).max(initial=0.0)))
    largest = float(poles.real.max(initial=-np.inf))
    if largest < -width:
        return Stability.STABLE
    return Stability.MARGINAL if largest <= width else Stability.UNSTABLE


def routh_column(coefficients: ArrayLike) -> FloatArray:
    """Return the first column of Routh's scheme of a polynomial.

    Every sign change is a root with a positive real part; all of one sign means stable.
    A zero in the column is replaced by a tiny positive number, as usual.

    Args:
        coefficients: Highest power first, shape (n + 1,), the first not 0.

    Example:
        s³ + 2 s² + 3 s + 10: two roots on the right.

        >>> print(routh_column([1.0, 2.0, 3.0, 10.0]))
        [ 1.  2. -2. 10.]
    """
    a = np.asarray(coefficients, dtype=np.float64)
    if a.ndim != 1 or len(a) < 2 or a[0] == 0.0:
        raise ConfigError(
            f"a polynomial needs a leading coefficient that is not 0, got {a.tolist()}"
        )
    n, width = len(a) - 1, (len(a) + 1) // 2
    rows = np.zeros((n + 1, width + 1))
    rows[0, : len(a[0::2])], rows[1, : len(a[1::2])] = a[0::2], a[1::2]
    for i in range(2, n + 1):
        pivot = rows[i - 1, 0] or np.finfo(np.float64).tiny ** 0.25
        rows[i, :-1] = rows[i - 2, 1:] - rows[i - 2, 0] / pivot * rows[i - 1, 1:]
    return rows[:, 0]


def is_hurwitz(coefficients: ArrayLike) -> bool:
    """Return whether all roots of a polynomial have negative real parts.

    Args:
        coefficients: Highest power first, shape (n + 1,).

    Example:
        >>> is_hurwitz([1.0, 3.0, 3.0, 1.0])
        True
    """
    column = routh_column(coefficients)
    return bool(np.all(column * column[0] > 0.0))

"""Linear systems dx/dt = A x + B u, y = C x + D u, held inputs solved exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

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
        A: Shape (n, n) [1/s].
        B: Shape (n, m).
        C: Shape (p, n).
        D: Shape (p, m).
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
        gain: Shape (m, p), or a number.

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
        dt: Between samples [s].
        duration: Of the response [s].

    Example:
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

"""Contact tasks as phases with natural and artificial constraints.

In a frame of the contact every axis is either blocked or free. A blocked axis has the
natural constraint v = 0, and the plan may choose its force; a free one has the natural
constraint f = 0, and the plan chooses its velocity (Mason 1981; Damken 2023 §8.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.typing import FloatArray

VELOCITIES = ("vx", "vy", "vz", "wx", "wy", "wz")
FORCES = ("fx", "fy", "fz", "nx", "ny", "nz")


def _never(twist: FloatArray, wrench: FloatArray) -> bool:
    """Return False: the phase has no end of its own."""
    return False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContactPhase:
    """One phase of a contact task.

    Attributes:
        name: Name of what happens in the phase.
        natural: The names that geometry sets to 0, one for each axis: "vx" (blocked)
            or "fx" (free), and so on.
        artificial: Values that the plan wants of the other six [m/s], [rad/s], [N], [N
            m].
        ends: Whether the phase is over, from measured twist and wrench, each (6,).
    """

    name: str
    natural: tuple[str, ...]
    artificial: Mapping[str, float]
    ends: Callable[[FloatArray, FloatArray], bool] = field(default=_never)

    def __post_init__(self) -> None:
        for name in (*self.natural, *self.artificial):
            if name not in VELOCITIES + FORCES:
                raise NameNotFoundError("constraint", name, VELOCITIES + FORCES)
        for v, f in zip(VELOCITIES, FORCES, strict=True):
            natural = [name for name in (v, f) if name in self.natural]
            chosen = [name for name in (v, f) if name in self.artificial]
            if len(natural) != 1 or len(chosen) != 1 or natural == chosen:
                raise ConfigError(
                    f"phase {self.name!r}: of {v} and {f} one must be natural and the "
                    f"other artificial, got natural {natural} and artificial {chosen}"
                )

    @property
    def is_blocked(self) -> np.ndarray:
        """Axes whose velocity geometry forbids, shape (6,)."""
        return np.array([v in self.natural for v in VELOCITIES])

    @property
    def wanted_twist(self) -> FloatArray:
        """Wanted [v; ω], 0 on blocked axes, shape (6,)."""
        return np.array([self.artificial.get(v, 0.0) for v in VELOCITIES])

    @property
    def wanted_wrench(self) -> FloatArray:
        """Wanted [f; n], 0 on free axes, shape (6,)."""
        return np.array([self.artificial.get(f, 0.0) for f in FORCES])


def contact_phase(
    name: str,
    *,
    blocked: Sequence[str] = (),
    wanted: Mapping[str, float] | None = None,
    ends: Callable[[FloatArray, FloatArray], bool] = _never,
) -> ContactPhase:
    """Return a phase from its blocked velocities; what is not wanted otherwise is 0.

    Args:
        name: Name of what happens in the phase.
        blocked: Velocities that geometry forbids, such as ("vz", "wx").
        wanted: Velocities of free and forces of blocked axes that are not 0.
        ends: Condition on measured twist and wrench that ends the phase.

    Raises:
        ConfigError: If a force of a free or a velocity of a blocked axis is wanted.

    Example:
        Wiping a window whose normal is y, with 10 N.

        >>> wipe = contact_phase("wipe", blocked=["vy"], wanted={"vx": 0.2, "fy": 10.0})
        >>> S, S_force = selection_matrices(wipe)
        >>> print(np.diag(S), np.diag(S_force))
        [1. 0. 1. 1. 1. 1.] [0. 1. 0. 0. 0. 0.]
    """
    pairs = list(zip(VELOCITIES, FORCES, strict=True))
    natural = tuple(v if v in blocked else f for v, f in pairs)
    artificial = dict(wanted or {})
    for v, f in pairs:
        artificial.setdefault(f if v in blocked else v, 0.0)
    unknown = set(blocked) - set(VELOCITIES)
    if unknown:
        raise NameNotFoundError("velocity", unknown.pop(), VELOCITIES)
    return ContactPhase(name=name, natural=natural, artificial=artificial, ends=ends)


def selection_matrices(phase: ContactPhase) -> tuple[FloatArray, FloatArray]:
    """Return S of the axes whose motion and S' of those whose force is controlled.

    S + S' = E, each (6, 6).

    Example:
        >>> S, S_force = selection_matrices(contact_phase("free"))
        >>> print(np.array_equal(S, np.eye(6)), S_force.any())
        True False
    """
    blocked = phase.is_blocked.astype(np.float64)
    return np.diag(1.0 - blocked), np.diag(blocked)


def next_phase(
    phases: Sequence[ContactPhase], index: int, twist: FloatArray, wrench: FloatArray
) -> int:
    """Return the index of the phase that rules now; len(phases) when all is done.

    Args:
        phases: The strategy.
        index: Index of the phase that ruled.
        twist: Measured twist in the contact frame [m/s], [rad/s], shape (6,).
        wrench: Measured wrench on the environment [N], [N m], shape (6,).

    Example:
        >>> press = contact_phase(
        ...     "approach", wanted={"vz": -0.05}, ends=lambda v, f: f[2] < -1.0
        ... )
        >>> next_phase([press], 0, np.zeros(6), np.array([0, 0, -2.0, 0, 0, 0]))
        1
    """
    if index < len(phases) and phases[index].ends(twist, wrench):
        return index + 1
    return index


def turn_crank(rate: float, radius: float) -> ContactPhase:
    """Return the phase of turning a crank: x to the axle, z along it.

    Args:
        rate: Wanted turn [rad/s].
        radius: Radius of the crank [m].

    Example:
        >>> turn_crank(2.0, 0.1).artificial["vy"]
        0.2
    """
    return contact_phase(
        "turn",
        blocked=("vx", "vz", "wx", "wy"),
        wanted={"vy": rate * radius, "wz": rate},
    )


def drive_screw(rate: float, push: float) -> ContactPhase:
    """Return the phase of driving a screw: z along it, the blade slides along y.

    Args:
        rate: Wanted turn [rad/s].
        push: Wanted force along z [N].

    Example:
        >>> drive_screw(3.0, 20.0).wanted_wrench[2]
        np.float64(20.0)
    """
    return contact_phase(
        "screw",
        blocked=("vx", "vz", "wx", "wy"),
        wanted={"wz": rate, "fz": push},
    )


def peg_in_hole(
    *, speed: float, push: float, slide: float, limit: float
) -> tuple[ContactPhase, ...]:
    """Return the strategy of putting a peg into a hole: z out of the surface.

    Approach until the surface pushes back; slide along x, pressed on, until the floor
    gives way; insert until the bottom pushes back.

    Args:
        speed: Speed of approach and insertion, along -z [m/s], > 0.
        push: Force on the surface while sliding [N], > 0.
        slide: Speed along x [m/s].
        limit: Force that means contact [N], > 0.

    Example:
        >>> phases = peg_in_hole(speed=0.05, push=5.0, slide=0.01, limit=8.0)
        >>> [phase.name for phase in phases]
        ['approach', 'slide', 'insert']
    """
    free_fall = 0.2 * speed  # a peg on a surface does not sink at all

    def touches(twist: FloatArray, wrench: FloatArray) -> bool:
        return bool(wrench[2] < -limit)

    def falls(twist: FloatArray, wrench: FloatArray) -> bool:
        return bool(twist[2] < -free_fall and wrench[2] > -0.5 * push)

    return (
        contact_phase("approach", wanted={"vz": -speed}, ends=touches),
        contact_phase(
            "slide",
            blocked=("vz", "wx", "wy"),
            wanted={"fz": -push, "vx": slide},
            ends=falls,
        ),
        contact_phase(
            "insert",
            blocked=("vx", "vy", "wx", "wy"),
            wanted={"vz": -speed},
            ends=touches,
        ),
    )

"""How parts are joined: the place of one part on another, and closed chains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.errors import ModelError
from gelenk.models.parts.components import ORIGIN, Part, Vector3
from gelenk.spatial.plane_angles import matrix_from_plane_angles
from gelenk.typing import ArrayLike, FloatArray

ClosureMode: TypeAlias = Literal["preferred", "required"]

_IDENTITY = np.eye(4)


@dataclass(frozen=True, slots=True, eq=False)
class ConnectionPoint:
    """A place on a part that can carry another part or close a chain.

    Attributes:
        part: Name of the part.
        T_part_point: Pose of the point in the part, shape (4, 4).
    """

    part: str
    T_part_point: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClosedChain:
    """Connection points of different chains that are held together in one position.

    Attributes:
        name: Name of the closure.
        ends: The points; what follows behind them hangs on the first.
        branch: +1 or -1 chooses between the two ways to close a pattern; 0 leaves it
            to the pattern.
        pattern: "preferred" takes any set of passive parts and leaves what is no
            pattern with a closed form to the numerical solver; "required" refuses it.
    """

    name: str
    ends: tuple[ConnectionPoint, ...]
    branch: int = 0
    pattern: ClosureMode = "preferred"


def connection_pose(
    part: Part, at: ArrayLike, turn: ArrayLike, pose: ArrayLike | None
) -> FloatArray:
    """Return the pose of a connection point in the part that owns it, shape (4, 4).

    Args:
        part: The fix-side part.
        at: Position [m], shape (3,). Only a body and a t-connector have a choice.
        turn: Angles (xy, xz, yz) [rad] in ArmBot's forward order, shape (3,).
        pose: Both at once, shape (4, 4).

    Raises:
        ModelError: If the part has its connection point elsewhere, or a value is not
            finite.
    """
    if pose is not None:
        if at is not ORIGIN or turn is not ORIGIN:
            raise ModelError(f"{part}: give either `pose` or `at` and `turn`")
        T = _as_finite(part, "pose", pose, (4, 4)).copy()
        at = T[:3, 3]
    else:
        T = _IDENTITY.copy()
        if turn is not ORIGIN:
            angles = _as_finite(part, "turn", turn, (3,))
            T[:3, :3] = matrix_from_plane_angles(angles, order="forward")
    if at is not ORIGIN:
        at = _as_finite(part, "at", at, (3,))
        if not part.carries_many and at.any():
            raise ModelError(
                f"{part} has its one connection point at {part.end} m and cannot move "
                f"it by {at.tolist()}; put a segment between the two parts"
            )
        T[:3, 3] = at
    if not part.carries_many:
        T[:3, 3] = part.end
    return T


def as_end(name: str, length: float | Vector3 | ArrayLike) -> Vector3:
    """Return the end of a segment [m] from a length along x or from three numbers.

    Raises:
        ModelError: If it is neither, or the length is not positive.
    """
    values = np.asarray(length, dtype=np.float64)
    if values.shape == (3,):
        return (float(values[0]), float(values[1]), float(values[2]))
    if values.shape != ():
        raise ModelError(
            f"segment {name!r} needs one length [m] or the three coordinates of its "
            f"end, got shape {values.shape}"
        )
    if not 0.0 < values < np.inf:
        raise ModelError(
            f"segment {name!r}: length must be finite and > 0 m, got {length}"
        )
    return (float(values), 0.0, 0.0)


def _as_finite(
    part: Part, key: str, value: ArrayLike, shape: tuple[int, ...]
) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ModelError(
            f"connection point on {part}: `{key}` must be finite with shape {shape}, "
            f"got {value}"
        )
    return array

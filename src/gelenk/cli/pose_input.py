"""Poses as people type them on a command line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.typing import FloatArray

FORMS = (
    "write x,y,z,roll,pitch,yaw or 16 numbers row by row, or JSON: a 4 x 4 list, "
    '{"xyz": [...], "rpy": [...]} or {"xyz": [...], "wxyz": [...]}'
)


def parse_pose(text: str, *, degrees: bool = False) -> FloatArray:
    """Return the pose that `text` states, shape (4, 4).

    Lengths are in [m]; roll, pitch and yaw turn about the fixed axes x, y, z in this
    order.

    Args:
        text: Six or sixteen numbers, or JSON; see `FORMS`.
        degrees: Whether roll, pitch and yaw are in degrees.

    Raises:
        ConfigError: If the text is not a pose.

    Example:
        >>> parse_pose("0.4, 0.1, 0.5, 0, 0, 90", degrees=True)[:3, 3].tolist()
        [0.4, 0.1, 0.5]
    """
    stripped = text.strip()
    value = _from_json(stripped) if stripped[:1] in ("[", "{") else _numbers(stripped)
    if isinstance(value, Mapping):
        return _from_parts(value, text, degrees=degrees)
    return _from_numbers(_flat(value, text), text, degrees=degrees)


def parse_numbers(text: str, *, option: str) -> list[float]:
    """Return the numbers of `text`, separated by commas or blanks, or as a JSON list.

    Raises:
        ConfigError: If one of them is not a number; the message names `option`.
    """
    try:
        return _flat(_numbers(text.strip().strip("[]")), text)
    except ConfigError as error:
        raise ConfigError(f"`{option}`: {error}") from error


def _from_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _refuse(
            text, f"is not JSON ({error.msg}, column {error.colno})"
        ) from None


def _numbers(text: str) -> list[str]:
    return [word for word in re.split(r"[,;\s]+", text) if word]


def _flat(value: Any, text: str) -> list[float]:
    """Return nested lists of numbers as one list of finite floats."""
    if isinstance(value, list):
        return [number for item in value for number in _flat(item, text)]
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{value!r} in {text!r} is not a number") from None
    if number - number != 0.0:  # inf and nan
        raise ConfigError(f"{value!r} in {text!r} is not finite")
    return [number]


def _from_parts(parts: Mapping[str, Any], text: str, *, degrees: bool) -> FloatArray:
    keys = set(parts)
    if keys == {"T"}:
        return _from_numbers(_flat(parts["T"], text), text, degrees=degrees)
    xyz = _flat(parts.get("xyz", []), text)
    if keys == {"xyz", "rpy"}:
        return _from_numbers(xyz + _flat(parts["rpy"], text), text, degrees=degrees)
    if keys == {"xyz", "wxyz"} and len(wxyz := _flat(parts["wxyz"], text)) == 4:
        from gelenk.spatial import se3
        from gelenk.spatial.quaternion import matrix_from_quaternion

        R = matrix_from_quaternion(wxyz)
        return se3.pose_from_rotation_translation(R, xyz)
    raise _refuse(text, f"has the keys {', '.join(sorted(keys)) or 'none'}")


def _from_numbers(numbers: list[float], text: str, *, degrees: bool) -> FloatArray:
    import numpy as np

    from gelenk.spatial import se3
    from gelenk.spatial.euler import matrix_from_rpy

    if len(numbers) == 6:
        angles = np.array(numbers[3:])
        R = matrix_from_rpy(*(np.deg2rad(angles) if degrees else angles))
        return se3.pose_from_rotation_translation(R, np.array(numbers[:3]))
    if len(numbers) == 16:
        T = np.array(numbers).reshape(4, 4)
        if not se3.is_pose(T, tol=1e-6):
            raise _refuse(text, "is not a pose: its rotation part is not a rotation")
        return T
    raise _refuse(text, f"has {len(numbers)} numbers")


def _refuse(text: str, problem: str) -> ConfigError:
    shown = text if len(text) < 60 else text[:57] + "..."
    return ConfigError(f"the pose {shown!r} {problem}; {FORMS}")

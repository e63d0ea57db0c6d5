"""Arms and grippers as their developers write them: subclasses that join parts.

A `ManipulatorModel` builds an arm from the body to its gripper mount; a `GripperModel`
builds what follows behind the mount. Between them stand three wrist servos, all in the
mount point, so that a gripper takes any orientation; an arm that brings its own wrist
says so. Lengths in metres, angles in radians.

Example:
    >>> class Pole(ManipulatorModel):
    ...     '''A turning pole.'''
    ...     def build(self, body):
    ...         return body.servo("stand").segment((0, 0, 0.4)).gripper_mount("mount")
    >>> Pole().build(Assembly()).name
    'mount'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from gelenk.models.parts import Assembly as Assembly
from gelenk.models.parts import Tip as Tip
from gelenk.typing import FloatArray

Method: TypeAlias = Literal["closed", "down", "jac"]
Grasp: TypeAlias = Literal["fingers", "suction"]


class ManipulatorModel:
    """An arm; derive from it and write `build`.

    Attributes:
        preferred_ik: The inverse kinematics that suits it best.
        has_own_wrist: Whether the arm orients its mount itself; if not, three wrist
            servos are put behind the mount.
    """

    preferred_ik: ClassVar[Method] = "jac"
    has_own_wrist: ClassVar[bool] = False

    def build(self, body: Assembly) -> Tip:
        """Join the parts of the arm, from the body to its gripper mount.

        Args:
            body: Place of the body: x forward, z up.

        Returns:
            The gripper mount, made by `gripper_mount`.
        """
        raise NotImplementedError(f"{type(self).__name__} has no build()")

    def closed_inverse(
        self, position: FloatArray, q_start: FloatArray
    ) -> FloatArray | None:
        """Return joint values for a position of the mount in the body frame [m].

        Args:
            position: Shape (3,).
            q_start: Joint values now; keeps what the position does not decide.

        Returns:
            Joint values, shape (n,), or None if the position is out of reach.
        """
        raise NotImplementedError(f"{type(self).__name__} has no closed_inverse()")


class GripperModel:
    """A gripper; derive from it and write `build`.

    Attributes:
        grasp: How it holds: between touching fingers, or by suction of its touch
            points while it is closed.
        tcp: Grip point in the gripper's base frame [m]; its x axis points forward.
        open_values, closed_values: Motor values by name [rad] or [m].
    """

    grasp: ClassVar[Grasp] = "fingers"
    tcp: ClassVar[tuple[float, float, float]] = (0.0, 0.0, 0.0)
    open_values: ClassVar[Mapping[str, float]] = {}
    closed_values: ClassVar[Mapping[str, float]] = {}

    def build(self, base: Tip) -> None:
        """Join the parts of the gripper behind its base.

        Args:
            base: Where the gripper starts, a t-connector: x points forward.
        """
        raise NotImplementedError(f"{type(self).__name__} has no build()")

    def values_for_width(self, width: float) -> Mapping[str, float]:
        """Return motor values by name for a distance between the fingers [m]."""
        raise NotImplementedError(f"{type(self).__name__} has no values_for_width()")

"""Common interface of multibody engines, for comparison across libraries.

`RobotModel` has it. An adapter to another library builds the same robot there and
translates, so that every engine is asked in the same coordinates and answers in the
same axes.
"""

from __future__ import annotations

from typing import Any, Protocol

from gelenk.typing import ArrayLike, FloatArray


class MultibodyEngine(Protocol):
    """Questions that every engine answers, in the coordinates of `RobotModel`."""

    def forward(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return the pose of a frame in the world, shape (4, 4)."""
        ...

    def jacobian(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return [v; omega] per unit of qd, world axes, shape (6, nv)."""
        ...

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Any
    ) -> FloatArray:
        """Return the generalised forces, shape (nv,); option `wrenches` by link."""
        ...

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """Return the joint-space inertia, shape (nv, nv)."""
        ...

    def forward_dynamics(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, **options: Any
    ) -> FloatArray:
        """Return the accelerations, shape (nv,); option `wrenches` by link."""
        ...

"""Object templates, grasp poses, and the test of whether a grasp holds an object.

A template has grasp poses in the object's frame; placed by an operator or by matching,
T_world_grasp = T_world_object T_object_grasp. Contacts with friction push along edges
of their cones; the wrenches [f; (p - c) x f / ρ] of all edges resist every load exactly
if they span space and their hull holds the origin inside (force closure). Its distance
from the nearest facet is the quality ε: the weakest direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.spatial import se3
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GraspPose:
    """Pose of a hand that grasps an object, and the approach to it.

    Attributes:
        T_object_grasp: Pose of the hand, shape (4, 4).
        approach: Distance along the hand's z axis from the pose before [m].
        opening: Opening of the fingers [m].

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import GraspPose
        >>> print(GraspPose(T_object_grasp=np.eye(4)).pose_before[:3, 3])
        [ 0.   0.  -0.1]
    """

    T_object_grasp: FloatArray
    approach: float = 0.1
    opening: float = 0.08

    @property
    def pose_before(self) -> FloatArray:
        """Pose from which the hand moves straight to the grasp, shape (4, 4)."""
        back = np.eye(4)
        back[2, 3] = -self.approach
        return self.T_object_grasp @ back


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectTemplate:
    """A kind of object: its grasps, the robot's stands, and its axis.

    Attributes:
        name: Name of the kind, such as "valve".
        grasps: Grasps of the object by name.
        stands: Poses of the robot's base in the object's frame, by name, (4, 4) each.
        axis: Point and direction of the line it turns about, in its frame, or None.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import GraspPose, ObjectTemplate
        >>> cup = ObjectTemplate(
        ...     name="cup", grasps={"side": GraspPose(T_object_grasp=np.eye(4))})
        >>> T_world_object = np.eye(4)
        >>> T_world_object[0, 3] = 0.5
        >>> before, at = cup.placed(T_world_object, "side")
        >>> print(before[:3, 3], at[:3, 3])
        [ 0.5  0.  -0.1] [0.5 0.  0. ]
    """

    name: str
    grasps: dict[str, GraspPose]
    stands: dict[str, FloatArray] = field(default_factory=dict[str, FloatArray])
    axis: tuple[FloatArray, FloatArray] | None = None

    def placed(
        self, T_world_object: ArrayLike, grasp: str
    ) -> tuple[FloatArray, FloatArray]:
        """Return the poses of the hand before and at a grasp, in the world.

        Args:
            T_world_object: Pose of the object in the world, shape (4, 4).
            grasp: Name of the grasp.
        """
        if grasp not in self.grasps:
            raise NameNotFoundError(f"grasp of {self.name!r}", grasp, self.grasps)
        T = as_finite("T_world_object", T_world_object, (4, 4))
        chosen = self.grasps[grasp]
        return T @ chosen.pose_before, T @ chosen.T_object_grasp

    def turned(self, T_world_object: ArrayLike, grasp: str, angle: float) -> FloatArray:
        """Return the pose of a hand that holds the object while it turns, (4, 4).

        Args:
            T_world_object: Pose of the object in the world, shape (4, 4).
            grasp: Name of the grasp.
            angle: Turn of the object about its axis [rad].

        Raises:
            ConfigError: If the template has no axis.
        """
        if self.axis is None:
            raise ConfigError(f"{self.name!r} does not turn about an axis")
        point, along = (np.asarray(v, dtype=float) for v in self.axis)
        along = along / np.linalg.norm(along)
        shift = np.concatenate([-np.cross(angle * along, point), angle * along])
        _, T_grasp = self.placed(np.eye(4), grasp)
        T = as_finite("T_world_object", T_world_object, (4, 4))
        return T @ se3.exp(shift) @ T_grasp


def reachable_grasps(
    template: ObjectTemplate,
    T_world_object: ArrayLike,
    can_reach: Callable[[FloatArray], bool],
) -> tuple[str, ...]:
    """Return the grasps whose both poses a robot reaches, by its inverse kinematics.

    Args:
        template: Object to be grasped.
        T_world_object: Pose of the object in the world, shape (4, 4).
        can_reach: Test of whether the hand gets to a pose without collision.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import GraspPose, ObjectTemplate, reachable_grasps
        >>> far = np.eye(4)
        >>> far[0, 3] = 2.0
        >>> cup = ObjectTemplate(name="cup", grasps={
        ...     "near": GraspPose(T_object_grasp=np.eye(4)),
        ...     "far": GraspPose(T_object_grasp=far)})
        >>> reachable_grasps(cup, np.eye(4), lambda T: T[0, 3] < 1.0)
        ('near',)
    """
    return tuple(
        name
        for name in template.grasps
        if all(can_reach(T) for T in template.placed(T_world_object, name))
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GraspContact:
    """A contact of a finger with an object.

    Attributes:
        point: Point of contact [m], shape (3,).
        normal: Unit normal that points into the object, shape (3,).
        friction: Coefficient of friction μ.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import GraspContact
        >>> finger = GraspContact(point=np.zeros(3), normal=np.array([0.0, 0.0, 1.0]))
        >>> finger.friction
        0.5
    """

    point: FloatArray
    normal: FloatArray
    friction: float = 0.5


def contact_wrenches(
    contacts: Sequence[GraspContact],
    *,
    center: ArrayLike = (0.0, 0.0, 0.0),
    radius: float = 1.0,
    edges: int = 8,
) -> FloatArray:
    """Return the wrenches of unit normal force along cone edges, shape (k edges, 6).

    w = [f; (p - c) x f / ρ], f = n + μ (cos α t₁ + sin α t₂).

    Args:
        contacts: The k contacts of the grasp.
        center: Reference point c of the moments [m], shape (3,).
        radius: Radius ρ of the object [m], which makes moments comparable with forces.
        edges: Number of edges of each friction cone.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import GraspContact, contact_wrenches
        >>> point, normal = np.array([1.0, 0.0, 0.0]), np.array([-1.0, 0.0, 0.0])
        >>> contact_wrenches([GraspContact(point=point, normal=normal)]).shape
        (8, 6)
    """
    c = as_finite("center", center, (3,))
    angle = 2.0 * np.pi * np.arange(edges) / edges
    rows: list[FloatArray] = []
    for contact in contacts:
        n = np.asarray(contact.normal, dtype=float)
        n = n / np.linalg.norm(n)
        t1 = cross(n, np.eye(3)[np.argmin(np.abs(n))])
        t1 = t1 / np.linalg.norm(t1)
        t2 = cross(n, t1)
        around = np.cos(angle)[:, None] * t1 + np.sin(angle)[:, None] * t2
        f = n + contact.friction * around
        arm = np.asarray(contact.point, dtype=float) - c
        moment = cross(arm, f) / radius
        rows.append(np.hstack([f, moment]))
    return np.concatenate(rows)


def is_force_closure(wrenches: ArrayLike) -> bool:
    """Return whether pushes along these wrenches can balance any load.

    Rank 6, and the origin strictly inside their hull: max t with Σ λ_i w_i = 0,
    λ_i >= t, Σ λ_i = 1 is positive (linear programme).

    Args:
        wrenches: Wrenches that the contacts can exert, shape (m, 6).

    Example:
        Two point fingers cannot stop a turn about the line between them.

        >>> import numpy as np
        >>> from gelenk.geometry import GraspContact, contact_wrenches, is_force_closure
        >>> x = np.array([1.0, 0.0, 0.0])
        >>> sides = [GraspContact(point=s * x, normal=-s * x) for s in (1.0, -1.0)]
        >>> is_force_closure(contact_wrenches(sides))
        False
    """
    w = as_finite("wrenches", wrenches, (6,))
    if np.linalg.matrix_rank(w, tol=1e-9) < 6:
        return False
    m = len(w)
    equal = np.concatenate([w.T, np.ones((1, m))])
    equal = np.concatenate([equal, np.zeros((7, 1))], axis=1)
    above = np.concatenate([-np.eye(m), np.ones((m, 1))], axis=1)
    found = linprog(
        np.append(np.zeros(m), -1.0), A_ub=above, b_ub=np.zeros(m), A_eq=equal,
        b_eq=np.append(np.zeros(6), 1.0), bounds=[(0, None)] * m + [(None, None)],
    )  # fmt: skip
    return bool(found.status == 0 and -float(found["fun"]) > 1e-9)


def grasp_quality(wrenches: ArrayLike) -> float:
    """Return ε, the distance of the origin from the nearest facet; 0 without closure.

    Args:
        wrenches: Wrenches that the contacts can exert, shape (m, 6).

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import grasp_quality
        >>> corners = np.concatenate([np.eye(6), -np.eye(6)])
        >>> round(grasp_quality(corners), 3)  # 1/sqrt(6)
        0.408
    """
    w = as_finite("wrenches", wrenches, (6,))
    if not is_force_closure(w):
        return 0.0
    hull = ConvexHull(w, qhull_options="QJ")
    least = float(-hull.equations[:, -1].max())
    return least if math.isfinite(least) and least > 0.0 else 0.0

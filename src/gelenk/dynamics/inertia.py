"""Mass distribution of rigid bodies: rotating, shifting, joining, checking.

The inertia tensor holds **minus** the products of inertia off its diagonal, as here

    I = [[Ixx, -Ixy, -Ixz], [-Ixy, Iyy, -Iyz], [-Ixz, -Iyz, Izz]]

with Ixy the integral of x y (Damken 2023 §5.1). Spatial inertias are linear first: they
take [v; omega] at the frame's origin to [momentum; angular momentum] about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError
from gelenk.spatial import se3
from gelenk.spatial.twist import adjoint
from gelenk.spatial.vectors import skew, unskew
from gelenk.typing import ArrayLike, FloatArray

CHECK_TOL = 1e-9  # relative; rounding of printed tensors


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BodyInertia:
    """Mass, centre of mass and rotational inertia about it, in one frame.

    Attributes:
        mass: Mass [kg], shape (...).
        com: Centre of mass in the frame [m], shape (..., 3).
        inertia: Tensor about the centre of mass, axes of the frame [kg m^2], shape
            (..., 3, 3).

    Example:
        >>> import numpy as np
        >>> from gelenk.dynamics import BodyInertia
        >>> tensor = np.diag([0.02, 0.02, 0.01])
        >>> body = BodyInertia(mass=2.0, com=[0, 0, 0.1], inertia=tensor)
        >>> body.mass
        array(2.)
    """

    mass: FloatArray
    com: FloatArray
    inertia: FloatArray

    def __post_init__(self) -> None:
        for name, shape in (("mass", ()), ("com", (3,)), ("inertia", (3, 3))):
            value = as_finite(name, getattr(self, name), shape).copy()
            value.setflags(write=False)
            object.__setattr__(self, name, value)


def tensor_from_products(moments: ArrayLike, products: ArrayLike) -> FloatArray:
    """Return the inertia tensor of moments and products of inertia.

    Args:
        moments: Moments of inertia (Ixx, Iyy, Izz) [kg m^2], shape (..., 3).
        products: Products of inertia (Ixy, Ixz, Iyz), the integrals of x y and so on
            [kg m^2], shape (..., 3).
    """
    moments = as_array("moments", moments, (3,))
    products = as_array("products", products, (3,))
    batch = np.broadcast_shapes(moments.shape[:-1], products.shape[:-1])
    I = np.zeros((*batch, 3, 3))  # noqa: E741
    for k in range(3):
        I[..., k, k] = moments[..., k]
    for k, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        I[..., i, j] = I[..., j, i] = -products[..., k]
    return I


def rotate_inertia(R_b_a: ArrayLike, inertia_a: ArrayLike) -> FloatArray:
    """Return a tensor given in axes of a in axes of b: R I R^T; the point stays.

    Args:
        R_b_a: Orientation of a in b, shape (..., 3, 3).
        inertia_a: Tensor in axes of a, shape (..., 3, 3).

    Example:
        >>> quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        >>> np.diag(rotate_inertia(quarter, np.diag([1.0, 2.0, 3.0])))
        array([2., 1., 3.])
    """
    R = as_array("R_b_a", R_b_a, (3, 3))
    return R @ as_array("inertia_a", inertia_a, (3, 3)) @ R.swapaxes(-1, -2)


def shift_from_com(
    inertia: ArrayLike, mass: ArrayLike, offset: ArrayLike
) -> FloatArray:
    """Return the tensor about another point by Steiner's rule I + m (r^2 E - r r^T).

    Valid **from** the centre of mass only; `shift_to_com` goes back.

    Args:
        inertia: Tensor about the centre of mass, shape (..., 3, 3).
        mass: Mass [kg], shape (...).
        offset: Offset from the centre of mass to the point, or back [m], shape (...,
            3).

    Example:
        >>> print(shift_from_com(np.zeros((3, 3)), 2.0, [0.0, 0.0, 3.0]))
        [[18.  0.  0.]
         [ 0. 18.  0.]
         [ 0.  0.  0.]]
    """
    return as_array("inertia", inertia, (3, 3)) + _point_mass(mass, offset)


def shift_to_com(inertia: ArrayLike, mass: ArrayLike, com: ArrayLike) -> FloatArray:
    """Return the tensor about the centre of mass of one about the origin.

    Args:
        inertia: Tensor about the origin, shape (..., 3, 3).
        mass: Mass [kg], shape (...).
        com: Centre of mass [m], shape (..., 3).
    """
    return as_array("inertia", inertia, (3, 3)) - _point_mass(mass, com)


def transform_body(T_a_b: ArrayLike, body: BodyInertia) -> BodyInertia:
    """Return a body given in frame b in frame a.

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).
        body: Body in b.
    """
    T = as_array("T_a_b", T_a_b, (4, 4))
    com = se3.transform_point(T, body.com)
    return BodyInertia(
        mass=np.broadcast_to(body.mass, com.shape[:-1]),
        com=com,
        inertia=rotate_inertia(T[..., :3, :3], body.inertia),
    )


def join_bodies(bodies: Sequence[BodyInertia]) -> BodyInertia:
    """Return several bodies, all in one frame, as one.

    Raises:
        ConfigError: If there is no body, or no mass at all.

    Example:
        >>> ball = np.zeros((3, 3))
        >>> left = BodyInertia(mass=1.0, com=np.array([-1.0, 0.0, 0.0]), inertia=ball)
        >>> right = BodyInertia(mass=3.0, com=np.array([1.0, 0.0, 0.0]), inertia=ball)
        >>> both = join_bodies([left, right])
        >>> print(both.mass, both.com, np.diag(both.inertia))
        4.0 [0.5 0.  0. ] [0. 3. 3.]
    """
    if not bodies:
        raise ConfigError("`bodies` must hold at least one body, got none")
    mass = np.sum([body.mass for body in bodies], axis=0)
    if not (np.asarray(mass) > 0.0).all():
        raise ConfigError("bodies without mass have no centre to join them about")
    moment = sum(body.mass[..., None] * body.com for body in bodies)
    com = moment / np.asarray(mass)[..., None]
    inertia = sum(
        shift_from_com(body.inertia, body.mass, body.com - com) for body in bodies
    )
    return BodyInertia(mass=mass, com=com, inertia=np.asarray(inertia))


def explain_implausible(inertia: ArrayLike, mass: float = 1.0) -> str:
    """Return why no body can have this mass and tensor, or nothing if one can.

    A tensor about the centre of mass is symmetric, has no negative principal moment,
    and none exceeds the sum of the other two.

    Args:
        inertia: Tensor about the centre of mass [kg m^2], shape (3, 3).
        mass: Mass [kg].

    Returns:
        The reason in words; empty if plausible.
    """
    I = as_array("inertia", inertia, (3, 3))  # noqa: E741
    if not np.isfinite(I).all():
        return "the tensor is not finite"
    scale = float(np.abs(I).max())
    if mass < 0.0:
        return f"the mass {mass} kg is negative"
    if mass == 0.0 and scale > 0.0:
        return "a body without mass has an inertia"
    if np.abs(I - I.T).max() > CHECK_TOL * scale:
        return "the tensor is not symmetric"
    low, middle, high = np.linalg.eigvalsh(I)
    if low < -CHECK_TOL * scale:
        return f"the principal moment {low:.4g} kg m^2 is negative"
    if low + middle < high * (1.0 - CHECK_TOL):
        return (
            f"the principal moment {high:.4g} exceeds the sum of the others, "
            f"{low:.4g} + {middle:.4g} kg m^2"
        )
    return ""


def spatial_inertia(body: BodyInertia) -> FloatArray:
    """Return the 6 x 6 inertia [[m E, -m C], [m C, I_o]] with C the skew of the centre.

    Its product with the twist [v; omega] of the frame is momentum and angular momentum
    about the origin; half of twist . (G twist) is the kinetic energy.

    Returns:
        Array of shape (..., 6, 6).
    """
    mC = body.mass[..., None, None] * skew(body.com)
    G = np.zeros((*mC.shape[:-2], 6, 6))
    G[..., :3, :3] = body.mass[..., None, None] * np.eye(3)
    G[..., :3, 3:], G[..., 3:, :3] = -mC, mC
    G[..., 3:, 3:] = shift_from_com(body.inertia, body.mass, body.com)
    return G


def transform_spatial_inertia(T_a_b: ArrayLike, G_b: ArrayLike) -> FloatArray:
    """Return a spatial inertia given in b in frame a: X^T G X with X = Ad(T_b_a).

    Args:
        T_a_b: Pose of b in a, shape (..., 4, 4).
        G_b: Spatial inertia in b, shape (..., 6, 6).
    """
    X = adjoint(se3.inverse(T_a_b))
    return X.swapaxes(-1, -2) @ as_array("G_b", G_b, (6, 6)) @ X


def body_from_spatial_inertia(G: ArrayLike) -> BodyInertia:
    """Return mass, centre and tensor of a spatial inertia, shape (..., 6, 6).

    Raises:
        ConfigError: If the mass is not positive.
    """
    G = as_array("G", G, (6, 6))
    mass = np.trace(G[..., :3, :3], axis1=-2, axis2=-1) / 3.0
    if not (np.asarray(mass) > 0.0).all():
        raise ConfigError(f"the mass must be > 0 kg, got {mass}")
    com = unskew(G[..., 3:, :3]) / np.asarray(mass)[..., None]
    return BodyInertia(
        mass=mass, com=com, inertia=shift_to_com(G[..., 3:, 3:], mass, com)
    )


def _point_mass(mass: ArrayLike, offset: ArrayLike) -> FloatArray:
    r = as_array("offset", offset, (3,))
    m = np.asarray(mass, dtype=np.float64)[..., None, None]
    square = np.vecdot(r, r)[..., None, None] * np.eye(3)
    return m * (square - r[..., :, None] * r[..., None, :])

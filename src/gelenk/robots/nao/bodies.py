"""Shapes of NAO's bodies, left side, in the frames of their links.

What touches and hides others are the boxes of B-Human's SimRobot scene; what is drawn
is rounder, has NAO's colours, and stays inside of those boxes where there is one.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.models.catalog.shapes import Rgba, box, capsule, cylinder, sphere
from gelenk.models.link import Geometry

SHELL: Rgba = (0.93, 0.93, 0.92, 1.0)
SEAM: Rgba = (0.55, 0.57, 0.60, 1.0)
BLUE: Rgba = (0.07, 0.33, 0.68, 1.0)
EYE: Rgba = (0.10, 0.11, 0.13, 1.0)


def mirrored(shape: Geometry) -> Geometry:
    """Return the shape on the other side of the x-z plane.

    All shapes here look the same from either end of their axes, so turning them by the
    mirrored rotation is mirroring them.
    """
    flip = np.diag([1.0, -1.0, 1.0, 1.0])
    return replace(
        shape, T_link_geometry=flip @ np.asarray(shape.T_link_geometry) @ flip
    )


def torso() -> tuple[Geometry, ...]:
    """Return chest, shoulders' bar, belly and button."""
    return (
        touched(box((0.0, 0.0, 0.105), (0.1, 0.12, 0.19))),
        ellipsoid((0.0, 0.0, 0.135), (0.05, 0.06, 0.062), SHELL),
        capsule((0.0, -0.03, 0.165), (0.0, 0.03, 0.165), 0.030, SHELL),
        capsule((0.0, 0.0, 0.045), (0.0, 0.0, 0.10), 0.034, SEAM),
        ellipsoid((0.0, 0.0, 0.045), (0.043, 0.055, 0.035), SHELL),
        cylinder((0.040, 0.0, 0.14), (0.050, 0.0, 0.14), 0.010, BLUE),
        capsule((0.0, -0.045, 0.168), (0.0, -0.058, 0.178), 0.017, BLUE),
        capsule((0.0, 0.045, 0.168), (0.0, 0.058, 0.178), 0.017, BLUE),
    )


def neck() -> tuple[Geometry, ...]:
    """Return the column under the head."""
    return (cylinder((0.0, 0.0, -0.035), (0.0, 0.0, 0.005), 0.022, SEAM),)


def head() -> tuple[Geometry, ...]:
    """Return skull, ears, eyes and the two cameras' windows."""
    # Nothing that is drawn reaches in front of a camera.
    return (
        touched(sphere((0.0, 0.0, 0.055), 0.062)),
        ellipsoid((-0.008, 0.0, 0.055), (0.052, 0.060, 0.055), SHELL),
        cylinder((-0.008, 0.050, 0.058), (-0.008, 0.061, 0.058), 0.022, BLUE),
        cylinder((-0.008, -0.050, 0.058), (-0.008, -0.061, 0.058), 0.022, BLUE),
        ellipsoid((0.030, 0.024, 0.052), (0.012, 0.011, 0.011), EYE),
        ellipsoid((0.030, -0.024, 0.052), (0.012, 0.011, 0.011), EYE),
        capsule((-0.028, 0.0, 0.103), (0.005, 0.0, 0.108), 0.008, SEAM),
    )


def shoulder() -> tuple[Geometry, ...]:
    """Return the ball of the shoulder."""
    return (sphere((0.0, 0.0, 0.0), 0.026, SEAM),)


def bicep() -> tuple[Geometry, ...]:
    """Return the upper arm."""
    return (
        touched(box((0.05, 0.008, 0.0), (0.14, 0.05, 0.05))),
        ellipsoid((0.004, 0.008, 0.0), (0.024, 0.025, 0.025), SHELL),
        capsule((0.02, 0.006, 0.0), (0.085, 0.012, 0.0), 0.021, SHELL),
    )


def elbow() -> tuple[Geometry, ...]:
    """Return the elbow."""
    return (sphere((-0.004, 0.0, 0.0), 0.022, BLUE),)


def forearm() -> tuple[Geometry, ...]:
    """Return the lower arm, which touches as far as the hand."""
    return (
        touched(box((0.05, 0.0, 0.0), (0.1, 0.05, 0.05))),
        capsule((0.008, 0.0, 0.0), (0.045, 0.0, 0.0), 0.020, SHELL),
    )


def wrist() -> tuple[Geometry, ...]:
    """Return wrist and palm."""
    return (
        cylinder((-0.008, 0.0, 0.0), (0.008, 0.0, 0.0), 0.019, SEAM),
        ellipsoid((0.022, 0.0, 0.0), (0.020, 0.018, 0.012), SHELL),
    )


def finger() -> tuple[Geometry, ...]:
    """Return the fingers, as one."""
    return (
        capsule((0.0, 0.010, 0.0), (0.030, 0.008, 0.0), 0.006, SHELL),
        capsule((0.0, -0.010, 0.0), (0.030, -0.008, 0.0), 0.006, SHELL),
    )


def pelvis() -> tuple[Geometry, ...]:
    """Return the motor on the slanting axis."""
    return (sphere((-0.006, -0.006, 0.012), 0.026, SEAM),)


def hip() -> tuple[Geometry, ...]:
    """Return the joint between pelvis and thigh."""
    return (sphere((-0.010, 0.0, -0.004), 0.027, SEAM),)


def thigh() -> tuple[Geometry, ...]:
    """Return the upper leg."""
    return (
        touched(box((0.0, 0.0, -0.05), (0.07, 0.07, 0.09))),
        ellipsoid((0.0, 0.0, -0.035), (0.034, 0.034, 0.030), SHELL),
        capsule((0.002, 0.0, -0.035), (0.002, 0.0, -0.064), 0.0305, SHELL),
        cylinder((0.002, 0.028, -0.05), (0.002, 0.0345, -0.05), 0.017, BLUE),
        cylinder((0.0, -0.030, -0.092), (0.0, 0.030, -0.092), 0.017, SEAM),
    )


def tibia() -> tuple[Geometry, ...]:
    """Return the lower leg, its front plate included."""
    return (
        touched(box((0.0, 0.0, -0.0514), (0.07, 0.07, 0.09))),
        capsule((0.0, 0.0, -0.037), (0.0, 0.0, -0.066), 0.030, SHELL),
        ellipsoid((0.010, 0.0, -0.052), (0.025, 0.027, 0.042), SHELL),
        capsule((0.027, 0.0, -0.035), (0.027, 0.0, -0.065), 0.008, BLUE),
    )


def ankle_pitch() -> tuple[Geometry, ...]:
    """Return the ankle's joint."""
    return (sphere((0.0, 0.0, 0.004), 0.024, SEAM),)


def ankle() -> tuple[Geometry, ...]:
    """Return the foot, a little wider outwards."""
    low = -0.0365
    return (
        touched(box((0.02, 0.003, -0.0301), (0.15, 0.075, 0.03))),
        capsule((-0.042, 0.003, low), (0.078, 0.003, low), 0.0082, SHELL),
        box((0.020, 0.003, -0.0365), (0.118, 0.072, 0.016), SHELL),
        ellipsoid((0.018, 0.003, -0.030), (0.062, 0.033, 0.0145), SHELL),
        ellipsoid((0.080, 0.003, -0.0365), (0.0145, 0.034, 0.0080), SHELL),
        ellipsoid((-0.041, 0.003, -0.0365), (0.0135, 0.034, 0.0080), SHELL),
    )


def touched(shape: Geometry) -> Geometry:
    """Return a shape that is touched and not drawn."""
    return replace(shape, role="collision")


def ellipsoid(
    centre: tuple[float, float, float], radii: tuple[float, float, float], rgba: Rgba
) -> Geometry:
    """Return an ellipsoid with axes along those of the link [m]."""
    T = np.eye(4)
    T[:3, 3] = centre
    return Geometry(kind="ellipsoid", size=radii, T_link_geometry=T, rgba=rgba)

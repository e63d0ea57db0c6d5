"""Elastic links as slender beams: deflection, virtual springs, modes of vibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import root_scalar

from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam:
    """A slender beam, clamped at one end, free at the other.

    Attributes:
        length: Length L [m].
        youngs_modulus: Young's modulus E [Pa].
        area_moment: Second moment of area I of the cross-section [m^4].
        area: Area A of the cross-section [m^2].
        density: Density ρ [kg/m^3].
        expansion: Coefficient of thermal expansion α_T [1/K].
    """

    length: float
    youngs_modulus: float
    area_moment: float
    area: float
    density: float
    expansion: float = 0.0

    def __post_init__(self) -> None:
        for name in ("length", "youngs_modulus", "area_moment", "area", "density"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(f"`{name}` of a beam must be > 0")

    @property
    def bending_stiffness(self) -> float:
        """E I [N m^2]."""
        return self.youngs_modulus * self.area_moment


def round_rod(
    *, length: float, radius: float, youngs_modulus: float, density: float
) -> Beam:
    """Return a rod with a round, full cross-section.

    Example:
        >>> rod = round_rod(length=0.5, radius=0.01, youngs_modulus=70e9, density=2700)
        >>> round(rod.bending_stiffness, 6)
        549.778714
    """
    return Beam(
        length=length,
        youngs_modulus=youngs_modulus,
        area_moment=0.25 * math.pi * radius**4,
        area=math.pi * radius**2,
        density=density,
    )


def tip_deflection(
    beam: Beam,
    *,
    force: float = 0.0,
    moment: float = 0.0,
    elevation: float | None = None,
    gravity: float = 9.81,
) -> float:
    """Return how far the tip gives way [m]: F L³/3EI + N L²/2EI + w L⁴/8EI.

    Args:
        beam: Link as a slender beam.
        force: Force across the tip [N].
        moment: Moment at the tip [N m].
        elevation: Angle of the link above the horizontal [rad]; its own weight then
            bends it by w = ρ A g cos(elevation). None: weightless.
        gravity: Gravitational acceleration [m/s^2].

    Example:
        >>> rod = round_rod(length=0.5, radius=0.01, youngs_modulus=70e9, density=2700)
        >>> round(1e3 * tip_deflection(rod, force=10.0), 6)
        0.757881
    """
    L, EI = beam.length, beam.bending_stiffness
    total = force * L**3 / (3.0 * EI) + moment * L**2 / (2.0 * EI)
    if elevation is not None:
        weight = beam.density * beam.area * gravity * math.cos(elevation)
        total += weight * L**4 / (8.0 * EI)
    return total


def thermal_growth(beam: Beam, warming: float) -> float:
    """Return the change of length with temperature [m]: α_T L ΔT."""
    return beam.expansion * beam.length * warming


def virtual_spring(beam: Beam) -> float:
    """Return the rotary spring at the root with the same tip deflection [N m/rad].

    3 E I / L: an elastic link becomes a rigid one with one more elastic joint.
    """
    return 3.0 * beam.bending_stiffness / beam.length


def segment_deflection(beam: Beam, num_segments: int, *, force: float) -> FloatArray:
    """Return the bent shape of rigid segments with springs E I N/L between them [m].

    The springs sit in the middle of what they replace: half a segment is rigid at
    either end. Small angles.

    Args:
        beam: Link as a slender beam.
        num_segments: N springs.
        force: Force across the tip [N].

    Returns:
        Deflection at the springs and at the tip, shape (N + 1,).
    """
    if num_segments < 1:
        raise ConfigError(f"`num_segments` must be at least 1, got {num_segments}")
    N, L = num_segments, beam.length
    places = L * (np.arange(N) + 0.5) / N
    kinks = force * (L - places) / (beam.bending_stiffness * N / L)
    at = np.append(places, L)
    return np.maximum(at[:, None] - places, 0.0) @ kinks


def mode_constants(count: int) -> FloatArray:
    """Return β_i L of a clamped-free beam, roots of cos x cosh x = -1, shape (count,).

    Example:
        >>> print(mode_constants(3).round(6))
        [1.875104 4.694091 7.854757]
    """
    roots: list[float] = []
    for k in range(count):
        middle = (k + 0.5) * math.pi
        found = root_scalar(
            # divided by cosh: the same roots, and no overflow
            lambda x: math.cos(x) + 1.0 / math.cosh(x),
            bracket=(max(middle - 0.5, 0.1), middle + 0.5),
            xtol=1e-14,
        )
        roots.append(float(found.root))
    return np.array(roots)


def natural_frequencies(beam: Beam, count: int) -> FloatArray:
    """Return ω_i = (β_i L)² √(E I / ρ A L⁴) [rad/s], shape (count,).

    Example:
        >>> rod = round_rod(length=0.5, radius=0.01, youngs_modulus=70e9, density=2700)
        >>> print((natural_frequencies(rod, 2) / (2 * np.pi)).round(6))
        [ 56.98598  357.125038]
    """
    scale = beam.density * beam.area * beam.length**4
    return mode_constants(count) ** 2 * math.sqrt(beam.bending_stiffness / scale)


def mode_shape(beam: Beam, index: int, places: ArrayLike) -> FloatArray:
    """Return the shape φ_i of a mode, 1 at the tip, shape of `places`.

    φ = cosh βx - cos βx - σ (sinh βx - sin βx), scaled.

    Args:
        beam: Link as a slender beam.
        index: 0 is the slowest mode.
        places: x from the clamped end [m].
    """
    b = float(mode_constants(index + 1)[index])
    x = np.asarray(places, np.float64) / beam.length
    sigma = (math.cosh(b) + math.cos(b)) / (math.sinh(b) + math.sin(b))

    def shape(s: FloatArray) -> FloatArray:
        return np.cosh(b * s) - np.cos(b * s) - sigma * (np.sinh(b * s) - np.sin(b * s))

    return shape(x) / shape(np.array(1.0))


def modal_response(
    beam: Beam, t: ArrayLike, *, force: float, count: int = 3, damping: float = 0.0
) -> FloatArray:
    """Return the tip's motion after a force appears at it [m], shape of `t`.

    y = Σ η_i, m_i (η̈_i + 2 ζ ω_i η̇_i + ω_i² η_i) = F with m_i = ρ A ∫φ_i² dx.

    Args:
        beam: Link at rest.
        t: Time since the force appeared [s].
        force: Force across the tip [N].
        count: Number of modes.
        damping: ζ of every mode, < 1.
    """
    t = np.asarray(t, np.float64)
    total = np.zeros_like(t)
    mass = 0.25 * beam.density * beam.area * beam.length  # ∫φ² = L/4 for all modes
    for omega in natural_frequencies(beam, count):
        damped = omega * math.sqrt(1.0 - damping**2)
        swing = np.cos(damped * t) + damping * omega / damped * np.sin(damped * t)
        rest = force / (mass * omega**2)
        total += rest * (1.0 - np.exp(-damping * omega * t) * swing)
    return total

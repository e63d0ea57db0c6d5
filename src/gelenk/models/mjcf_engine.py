"""The one door of the models to MuJoCo: MJCF texts compiled, and the same spec again.

MuJoCo is imported on first use. It gets every file as bytes and touches no disk.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.xml import read_bytes
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import ModelSource

FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3  # types of joints
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)
CONNECT, WELD, JOINT_LAW, TENDON_LAW = 0, 1, 2, 3  # types of equalities
ON_JOINT, ON_PARENT, ON_TENDON = 0, 1, 3  # what an actuator drives
WRAP_JOINT, WRAP_SITE = 1, 3  # what a tendon runs over
BODY_OBJECT, SITE_OBJECT = 1, 6
NO_GRAVITY = 1 << 7  # flag of disabled physics
RGB_ROLE = 1  # of the texture that colours a material
TEXTURE_2D = 0
XYAXES = 2  # kind of stated orientation

LEAST = 1e-15  # [kg], [kg m^2]: the smallest mass of a moving body in MuJoCo
MASSLESS = 2e-14  # [kg], [kg m^2]: at or below, a bound of `mjcf_write` or of ours

_EXPECTED = "Inertia matrix is too close to singular"  # of links without mass

# Stands for a mesh that is missing: MuJoCo needs one, and no mass depends on it.
PLACEHOLDER = "missing.obj"
_TETRAHEDRON = (
    b"v 0 0 0\nv 1e-3 0 0\nv 0 1e-3 0\nv 0 0 1e-3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
)


@dataclass(frozen=True, slots=True, eq=False)
class CompiledFile:
    """A compiled MJCF text: MuJoCo's model, and its description, ordered by index.

    Attributes:
        model: `mujoco.MjModel`; its arrays are what the readers read.
        spec: `mujoco.MjSpec`, every body and joint with a name.
        bodies, joints, geoms, sites, meshes, equalities: Elements of the spec by index.
        stated: Mass [kg], centre [m] and tensor [kg m^2] that the file states, by
            index of the body.
        impossible: Names of bodies with moments that no rigid body has.
        warnings: Warnings of MuJoCo.
    """

    model: Any
    spec: Any
    bodies: list[Any]
    joints: list[Any]
    geoms: list[Any]
    sites: list[Any]
    meshes: list[Any]
    equalities: list[Any]
    stated: dict[int, tuple[float, FloatArray, FloatArray]]
    impossible: tuple[str, ...]
    warnings: tuple[str, ...]

    def name(self, kind: str, index: int) -> str:
        """Return the name of an element, such as ("site", 3); empty without one."""
        name: str = getattr(self.model, kind)(index).name
        return name


class Names:
    """Hands out names that are unique."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def claim(self, wanted: str) -> str:
        """Return `wanted`, or with a number appended if it is taken."""
        name, k = wanted, 1
        while name in self._taken:
            k += 1
            name = f"{wanted}_{k}"
        self._taken.add(name)
        return name


def parse_spec(text: str, parts: dict[str, str], files: dict[str, bytes]) -> Any:
    """Return the `mujoco.MjSpec` of an expanded text, all bodies and joints named.

    Args:
        text: MJCF without <include>.
        parts: Texts of attached models by the name under which the text states them.
        files: Content of the meshes, textures and height fields, likewise.

    Raises:
        ValueError: If MuJoCo refuses the text; its message names a line.
    """
    import mujoco

    spec: Any = mujoco.MjSpec.from_string(
        text,
        include={name: part.encode() for name, part in parts.items()},
        assets=files | {PLACEHOLDER: _TETRAHEDRON},
    )
    _name_elements(spec)
    return spec


def spec_of_source(source: ModelSource) -> Any:
    """Return the `mujoco.MjSpec` of the file that a model was read from.

    The whole file is in it, with actuators, sensors, tendons, cameras and loose
    objects. Bodies have the names of their links and joints those of the model. Shapes
    whose meshes are missing touch nothing.

    Args:
        source: Source of a model that was read from MJCF.

    Raises:
        ConfigError: If the model came from no MJCF file.
    """
    if source.kind != "mjcf":
        raise ConfigError(f"`source` must be MJCF, got {source.kind!r}")
    files = {name: read_bytes(path) for name, path in source.files.items()}
    spec = parse_spec(source.text, dict(source.parts), files)
    missing = {mesh.name for mesh in spec.meshes if mesh.file == PLACEHOLDER}
    for geom in spec.geoms:
        if geom.meshname in missing:
            geom.contype = geom.conaffinity = 0
            geom.rgba = (0.0, 0.0, 0.0, 0.0)
    return spec


def compile_spec(spec: Any) -> CompiledFile:
    """Return the compiled model of a spec, which is changed.

    What MuJoCo refuses for the sake of its integrator is no fault of a robot: bodies
    without mass, and moments of which one exceeds the sum of the others. For compiling
    they get harmless values, and `stated` keeps the true ones.

    Raises:
        ValueError: If MuJoCo refuses the text; its message names a line.
    """
    settings = spec.compiler
    settings.fusestatic = settings.discardvisual = False
    has_bounds = max(settings.boundmass, settings.boundinertia) > MASSLESS
    settings.boundmass = max(settings.boundmass, LEAST)
    settings.boundinertia = max(settings.boundinertia, LEAST)
    bodies = list(spec.bodies)
    given = {body.name: _stated(body) for body in bodies if body.explicitinertial}
    for body in bodies if not has_bounds else ():
        _check_signs(body, given.get(body.name))
    impossible: list[str] = []
    if not settings.balanceinertia and not has_bounds:
        for body in bodies:
            if body.name in given and _is_impossible(given[body.name][2]):
                impossible.append(body.name)
                body.fullinertia = [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0]
                body.inertia = np.full(3, np.abs(given[body.name][2]).max())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model: Any = spec.compile()
    ordered = _by_index(spec.bodies)
    return CompiledFile(
        model=model,
        spec=spec,
        bodies=ordered,
        joints=_by_index(spec.joints),
        geoms=_by_index(spec.geoms),
        sites=_by_index(spec.sites),
        meshes=_by_index(spec.meshes),
        equalities=_by_index(spec.equalities),
        stated={b.id: given[b.name] for b in ordered if b.name in given},
        impossible=tuple(impossible),
        warnings=tuple(
            text
            for warning in caught
            if not (text := str(warning.message)).startswith(_EXPECTED)
        ),
    )


def _by_index(elements: Iterable[Any]) -> list[Any]:
    return sorted(elements, key=lambda element: element.id)


def _stated(body: Any) -> tuple[float, FloatArray, FloatArray]:
    """Return mass, centre and tensor as the file states them in the frame of a body."""
    full = np.array(body.fullinertia)
    if np.isnan(full[0]):
        tensor = np.diag(body.inertia)
    else:
        xx, yy, zz, xy, xz, yz = full
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return float(body.mass), np.array(body.ipos), tensor


def _check_signs(body: Any, given: tuple[float, FloatArray, FloatArray] | None) -> None:
    """Refuse negative masses and moments as MuJoCo would without our bounds."""
    if given is None:
        return
    mass, _, tensor = given
    problem = ""
    if mass < 0.0:
        problem = f"mass must be >= 0 kg, got {mass}"
    elif np.isfinite(tensor).all():
        lowest = float(np.linalg.eigvalsh(tensor)[0])
        if lowest < -1e-6 * float(np.abs(tensor).max()) - 1e-9:
            problem = f"inertia has the negative principal moment {lowest:.3g} kg m^2"
    if problem:
        raise ValueError(f"{problem}\nElement name {body.name!r}, {body.info}")


def _is_impossible(tensor: FloatArray) -> bool:
    if not np.isfinite(tensor).all():
        return False
    low, middle, high = np.linalg.eigvalsh(tensor)
    return bool(low >= 0.0 and low + middle < high)


def _name_elements(spec: Any) -> None:
    """Give every body and every joint a name that is free."""
    bodies = list(spec.bodies)
    links = Names({body.name for body in bodies} | {"world"})
    joints = Names(joint.name for joint in spec.joints)
    for i, body in enumerate(bodies):
        if not body.name:
            body.name = links.claim(f"body_{i}")
    for body in bodies:
        own = list(body.joints)
        for k, joint in enumerate(own):
            if joint.name:
                continue
            # The last joint carries the body itself, others massless links.
            is_last = k == len(own) - 1 and not np.any(joint.pos)
            stem = body.name if is_last else f"{body.name}_joint_{k + 1}"
            joint.name = joints.claim(f"{stem}_joint")

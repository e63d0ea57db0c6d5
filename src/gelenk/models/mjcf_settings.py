"""Settings of an MJCF file: its <compiler> and <default> sections.

Angles are in degrees unless the file says otherwise; an attribute that an element does
not state comes from its class, the class of an enclosing body, or the main class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gelenk.models.xml import XmlElement, closest
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.spatial.so3 import rot_x, rot_y, rot_z, rotation_about
from gelenk.typing import ArrayLike, FloatArray

# Below this a bound on masses only satisfies MuJoCo's compiler; see `mjcf_write`.
NEGLIGIBLE_BOUND = 1e-12  # [kg], [kg m^2]

ORIENTATIONS = ("quat", "euler", "axisangle", "xyaxes", "zaxis")
_ABOUT = {"x": rot_x, "y": rot_y, "z": rot_z}
_TINY = 1e-9  # a vector shorter than this has no direction
_ROUNDING = 4e-15  # of the products of unit vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiler:
    """Settings of the <compiler> element, with MuJoCo's defaults.

    Attributes:
        angle_unit: Radians per unit of angle in the file.
        euler_sequence: Axes of `euler`; lower case turning, upper case fixed.
        auto_limits: A range makes a joint limited.
        inertia_from_geoms: "true", "false" or "auto" (where no inertial is given).
        inertia_groups: First and last geom group that has mass.
        balance_inertia: Replace impossible principal moments by their mean.
        least_mass, least_inertia: Lower bounds on bodies [kg], [kg m^2].
        total_mass: Scale all masses to this sum [kg]; not positive: leave them.
        mesh_folder: Prefix of mesh file names.
    """

    angle_unit: float = np.pi / 180.0
    euler_sequence: str = "xyz"
    auto_limits: bool = True
    inertia_from_geoms: str = "auto"
    inertia_groups: tuple[float, ...] = (0.0, 5.0)
    balance_inertia: bool = False
    least_mass: float = 0.0
    least_inertia: float = 0.0
    total_mass: float = -1.0
    mesh_folder: str = ""


def compiler_from(sections: list[XmlElement]) -> Compiler:
    """Return the settings of all <compiler> elements, later ones over earlier ones."""
    settings = Compiler()
    for element in sections:
        settings = _updated(settings, element)
    return settings


def _updated(old: Compiler, element: XmlElement) -> Compiler:
    if element.choice("coordinate", ("local", "global"), "local") == "global":
        raise element.error(
            "global coordinates are not supported, MuJoCo dropped them in 2.3.4",
            "load and save the file in MuJoCo 2.3.3 to convert it",
        )
    has_degrees = "degree" if old.angle_unit != 1.0 else "radian"
    angle = element.choice("angle", ("degree", "radian"), has_degrees)
    sequence = element.text("eulerseq", old.euler_sequence)
    if len(sequence) != 3 or not set(sequence) <= set("xyzXYZ"):
        raise element.error(
            f"`eulerseq` is {sequence!r:.20}", "use three of x, y, z, X, Y, Z"
        )
    groups = element.numbers("inertiagrouprange", 2, old.inertia_groups)
    folder = element.text("meshdir", element.text("assetdir", old.mesh_folder))
    return Compiler(
        angle_unit=np.pi / 180.0 if angle == "degree" else 1.0,
        euler_sequence=sequence,
        auto_limits=_flag(element, "autolimits", old.auto_limits),
        inertia_from_geoms=element.choice(
            "inertiafromgeom", ("true", "false", "auto"), old.inertia_from_geoms
        ),
        inertia_groups=groups,
        balance_inertia=_flag(element, "balanceinertia", old.balance_inertia),
        least_mass=element.number("boundmass", old.least_mass),
        least_inertia=element.number("boundinertia", old.least_inertia),
        total_mass=element.number("settotalmass", old.total_mass),
        mesh_folder=folder.strip(),
    )


def _flag(element: XmlElement, name: str, default: bool) -> bool:
    word = str(default).lower()
    return element.choice(name, ("true", "false"), word) == "true"


class Defaults:
    """The tree of default classes, flattened: attributes by class and tag."""

    def __init__(self, sections: list[XmlElement]) -> None:
        self._classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for section in sections:
            top = section.attributes.get("class", "main")
            # All top-level sections add to one class, whatever name it goes by.
            main = self._classes["main"]
            self._classes[top] = main
            self._read(section, main)

    def _read(self, section: XmlElement, table: dict[str, dict[str, str]]) -> None:
        stack = [(section, table)]
        while stack:
            element, own = stack.pop()
            for child in element.children:
                if child.tag != "default":
                    own[child.tag] = _merged(own.get(child.tag, {}), child.attributes)
            for child in reversed(element.all("default")):
                name = child.text("class")
                if name in self._classes:
                    raise child.error(
                        f"there are two default classes {name!r:.80}", "rename one"
                    )
                self._classes[name] = dict(own)
                stack.append((child, self._classes[name]))

    def resolve(self, element: XmlElement, child_class: str | None) -> XmlElement:
        """Return a copy of an element with the attributes of its class filled in.

        Args:
            element: A joint, geom or site.
            child_class: `childclass` of the nearest enclosing body or frame.
        """
        name = element.attributes.get("class", child_class) or "main"
        self.check(element, name)
        inherited = self._classes[name].get(element.tag, {})
        merged = _merged(inherited, element.attributes)
        return replace(element, attributes=merged)

    def check(self, element: XmlElement, name: str) -> None:
        """Raise if no default class has this name."""
        if name not in self._classes:
            raise element.error(
                f"there is no default class {name!r:.80}", closest(name, self._classes)
            )


def _merged(inherited: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Return attributes, own over inherited; an own orientation replaces any other."""
    if any(key in own for key in ORIENTATIONS):
        inherited = {k: v for k, v in inherited.items() if k not in ORIENTATIONS}
    return inherited | own


def pose(element: XmlElement, settings: Compiler) -> FloatArray:
    """Return the pose that `pos` and one orientation attribute give, shape (4, 4)."""
    p = element.numbers("pos", 3, (0.0, 0.0, 0.0))
    return pose_from_rotation_translation(_rotation(element, settings), p)


def _rotation(element: XmlElement, settings: Compiler) -> FloatArray:
    given = [key for key in ORIENTATIONS if key in element.attributes]
    if not given:
        return np.eye(3)
    if len(given) > 1:
        raise element.error(
            f"several orientations: {', '.join(given)}", "keep one of them"
        )
    key = given[0]
    if key == "quat":
        quat = element.numbers(key, 4)
        _check_direction(element, key, quat)
        return matrix_from_quaternion(quat)
    if key == "euler":
        return _from_euler(element, settings)
    if key == "axisangle":
        *axis, angle = element.numbers(key, 4)
        _check_direction(element, key, axis)
        return rotation_about(axis, angle * settings.angle_unit)
    if key == "zaxis":
        axis = element.numbers(key, 3)
        _check_direction(element, key, axis)
        return _shortest_rotation_of_z(axis)
    return _from_axes(element, np.array(element.numbers(key, 6)))


def _from_axes(element: XmlElement, axes: FloatArray) -> FloatArray:
    """Return the rotation whose first columns are x and y, made orthonormal."""
    x, y = axes[:3], axes[3:]
    defect = max(abs(x @ x - 1.0), abs(y @ y - 1.0), abs(x @ y))
    if defect > _ROUNDING:  # leave the digits of a written file alone
        _check_direction(element, "xyaxes", x)
        x = x / np.linalg.norm(x)
        y = y - (y @ x) * x
        _check_direction(element, "xyaxes", y)
        y = y / np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _check_direction(element: XmlElement, key: str, vector: ArrayLike) -> None:
    if np.linalg.norm(vector) < _TINY:
        raise element.error(
            f"`{key}` has no direction: {element.attributes[key]!r:.60}",
            "give vectors that are neither zero nor parallel",
        )


def _from_euler(element: XmlElement, settings: Compiler) -> FloatArray:
    R = np.eye(3)
    angles = element.numbers("euler", 3)
    for letter, angle in zip(settings.euler_sequence, angles, strict=True):
        turn = _ABOUT[letter.lower()](angle * settings.angle_unit)
        R = R @ turn if letter.islower() else turn @ R
    return R


def pose_between_ends(element: XmlElement) -> tuple[FloatArray, float]:
    """Return the pose halfway between the ends in `fromto`, and their distance [m].

    The z axis points from the second end to the first, as in MuJoCo.
    """
    ends = np.array(element.numbers("fromto", 6))
    down = ends[:3] - ends[3:]
    length = float(np.linalg.norm(down))
    if length < _TINY:
        raise element.error("the ends in `fromto` coincide", "move one of them")
    R = _shortest_rotation_of_z(down)
    return pose_from_rotation_translation(R, 0.5 * (ends[:3] + ends[3:])), length


def _shortest_rotation_of_z(direction: ArrayLike) -> FloatArray:
    """Return the rotation by the smallest angle that turns z into `direction`.

    For -z, and within 1e-10 of it, where no turn is shortest, it is the half turn about
    x, as in MuJoCo.
    """
    d = np.asarray(direction, dtype=np.float64)
    d = d / np.linalg.norm(d)
    axis = np.array([-d[1], d[0], 0.0])  # z x d
    sine = np.hypot(d[0], d[1])
    if d[2] < 0.0 and sine < 1e-10:
        return np.diag([1.0, -1.0, -1.0])
    if sine < 1e-100:
        return np.eye(3)
    return rotation_about(axis, np.arctan2(sine, d[2]))

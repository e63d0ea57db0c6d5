"""URDF files as robot models.

Read are links (inertia, shapes, colours) and joints (revolute, continuous, prismatic,
fixed, floating at the root) with limits, damping, friction and mimic laws. Joints keep
the order of the file. Mesh files are named, not opened. Ignored: calibration, safety
controllers, transmissions and simulator tags.

A floating joint between the root link and its only child makes that child a floating
base and drops the root, which stands for the world.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

import numpy as np

from gelenk.errors import ConfigError, FileFormatError, ModelError
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, GeometryKind, GeometryRole, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.models.xml import XmlElement, closest, locate, parse_xml, read_bytes
from gelenk.spatial.euler import matrix_from_rpy
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.typing import FloatArray

Rgba = tuple[float, float, float, float]

SHAPE_ROLES = ("visual", "collision")

# Attributes that make up `Geometry.size`, and how many numbers each holds.
_SIZES: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "sphere": (("radius", 1),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
}


def origin(owner: XmlElement) -> FloatArray:
    """Return the pose that the <origin> of an element gives, shape (4, 4)."""
    element = owner.only("origin")
    if element is None:
        return np.eye(4)
    rpy = element.numbers("rpy", 3, (0.0, 0.0, 0.0))
    xyz = element.numbers("xyz", 3, (0.0, 0.0, 0.0))
    return pose_from_rotation_translation(matrix_from_rpy(*rpy), xyz)


def material_colours(robot: XmlElement) -> dict[str, Rgba]:
    """Return the colour of each named material, wherever the file defines it.

    Definitions directly under <robot> win over those inside a visual, the first over
    later ones.
    """
    inside = (
        material
        for link in robot.all("link")
        for visual in link.all("visual")
        for material in visual.all("material")
    )
    colours: dict[str, Rgba] = {}
    for material in (*robot.all("material"), *inside):
        colour = _own_colour(material)
        if colour is not None and material.attributes.get("name"):
            colours.setdefault(material.attributes["name"], colour)
    return colours


def shape(element: XmlElement, colours: dict[str, Rgba]) -> Geometry:
    """Return the shape that a <visual> or <collision> element describes."""
    geometry = element.need("geometry", "add <geometry> with a box, sphere, ... inside")
    if len(geometry.children) != 1:
        raise geometry.error(
            f"one shape is needed, found {len(geometry.children)}",
            f"write one of: {', '.join((*_SIZES, 'mesh'))}",
        )
    body = geometry.children[0]
    if body.tag == "mesh":
        size, mesh = body.numbers("scale", 3, (1.0, 1.0, 1.0)), body.text("filename")
    elif body.tag in _SIZES:
        size = tuple(x for key, n in _SIZES[body.tag] for x in body.numbers(key, n))
        mesh = ""
        if min(size) < 0.0:
            raise body.error(f"sizes must be >= 0 m, got {size}", "correct the sign")
    else:
        raise body.error(f"unknown shape <{body.tag:.40}>", closest(body.tag, _SIZES))
    return Geometry(
        kind=cast("GeometryKind", body.tag),
        size=size,
        T_link_geometry=origin(element),
        role=cast("GeometryRole", element.tag),
        name=element.attributes.get("name", ""),
        mesh=mesh,
        rgba=_colour(element, colours),
    )


def _colour(element: XmlElement, colours: dict[str, Rgba]) -> Rgba | None:
    material = element.only("material")
    if material is None:
        return None
    own = _own_colour(material)
    return own if own else colours.get(material.attributes.get("name", ""))


def _own_colour(material: XmlElement) -> Rgba | None:
    """Return the colour stated inside a material, clipped to [0, 1]."""
    colour = material.only("color")
    if colour is None:
        return None
    r, g, b, a = (min(max(x, 0.0), 1.0) for x in colour.numbers("rgba", 4))
    return (r, g, b, a)


logger = logging.getLogger(__name__)

Base = Literal["fixed", "floating"]

_JOINT_TYPES = {
    "revolute": JointType.REVOLUTE,
    "continuous": JointType.REVOLUTE,
    "prismatic": JointType.PRISMATIC,
    "fixed": JointType.FIXED,
    "floating": JointType.FLOATING,
}


def load_urdf(path: str | Path, *, base: Base = "fixed") -> RobotModel:
    """Return the robot that a URDF file describes.

    Args:
        path: File to be read.
        base: "fixed" bolts the root link to the world, unless the file itself lets it
            float; "floating" lets it float.

    Raises:
        FileFormatError: If the file does not describe a robot; the message names file,
            line and element.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gelenk.models import load as load_robot, save_urdf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_urdf(load_robot("rp"), Path(folder) / "rp.urdf")
        ...     load_urdf(Path(folder) / "rp.urdf").num_joints
        2
    """
    return model_from_urdf(read_bytes(path), base=base, path=path)


def model_from_urdf(
    text: str | bytes, *, base: Base = "fixed", path: str | Path = "<urdf text>"
) -> RobotModel:
    """Return the robot that a URDF text describes.

    Args:
        text: The content of a URDF file.
        base: Whether the root link is fixed or floats; see `load_urdf`.
        path: File name for error messages.

    Raises:
        FileFormatError: See `load_urdf`.

    Example:
        >>> from gelenk.models import model_from_urdf
        >>> robot = model_from_urdf(
        ...     '<robot name="lamp"><link name="foot"/><link name="arm"/>'
        ...     '<joint name="hinge" type="continuous">'
        ...     '<parent link="foot"/><child link="arm"/></joint></robot>'
        ... )
        >>> robot.joint_names, robot.axis[1].tolist()
        (('hinge',), [1.0, 0.0, 0.0])
    """
    return model_from_urdf_tree(parse_xml(text, path), base=base)


def model_from_urdf_tree(robot: XmlElement, *, base: Base = "fixed") -> RobotModel:
    """Return the robot that a parsed <robot> element describes; see `load_urdf`."""
    if base not in ("fixed", "floating"):
        raise ConfigError(f"`base` must be 'fixed' or 'floating', got {base!r}")
    if robot.tag != "robot":
        raise robot.error(
            f"the root element of a URDF file is <robot>, got <{robot.tag:.40}>",
            "read MJCF (<mujoco>) with load_mjcf",
        )
    _refuse_xacro(robot)
    name = robot.text("name")
    links = _named(robot, "link")
    joints = _named(robot, "joint")
    if not links:
        raise robot.error("the robot has no link", "add at least one <link>")
    root = _check_tree(robot, links, joints)

    colours = material_colours(robot)
    bodies = {key: _link(element, colours) for key, element in links.items()}
    rows = [_root_row(bodies[root], base, joints)]
    rows += [_row(joint, bodies, joints) for joint in joints.values()]
    rows = _without_world(rows, joints)

    places = {("link", key): element for key, element in links.items()}
    places |= {("joint", key): element for key, element in joints.items()}
    try:
        return assemble(name, rows)
    except FileFormatError:
        raise
    except ModelError as error:
        raise locate(error, robot.path, places) from error


def _refuse_xacro(robot: XmlElement) -> None:
    for element in robot.walk():
        if element.tag.startswith("xacro:"):
            raise element.error(
                "this file is a xacro template, not a URDF",
                "expand it first: xacro robot.urdf.xacro > robot.urdf",
            )


def _named(robot: XmlElement, tag: str) -> dict[str, XmlElement]:
    """Return the elements of one kind by name; two of one name are an error."""
    found: dict[str, XmlElement] = {}
    for element in robot.all(tag):
        name = element.text("name")
        if name in found:
            raise element.error(
                f"the name is taken by the {tag} in line {found[name].line}",
                "rename one of them",
            )
        found[name] = element
    return found


def _check_tree(
    robot: XmlElement, links: dict[str, XmlElement], joints: dict[str, XmlElement]
) -> str:
    """Return the name of the root after checking that the joints form a tree."""
    carrier: dict[str, XmlElement] = {}
    children: dict[str, list[str]] = {}
    for joint in joints.values():
        parent, child = (_end(joint, tag, links) for tag in ("parent", "child"))
        if child in carrier:
            raise joint.error(
                f"link {child!r} is already carried by {carrier[child].label} "
                f"(line {carrier[child].line})",
                "a link has one parent joint; remove one of the two",
            )
        carrier[child] = joint
        children.setdefault(parent, []).append(child)
    roots = [name for name in links if name not in carrier]
    if len(roots) > 1:
        raise links[roots[1]].error(
            f"the robot has {len(roots)} root links: {', '.join(roots[:8])}",
            f"make {roots[1]!r} the child of a joint, or remove it",
        )
    reached: set[str] = set()
    stack = list(roots)
    while stack:
        name = stack.pop()
        reached.add(name)
        stack.extend(children.get(name, ()))
    lost = [name for name in links if name not in reached]
    if lost:
        raise carrier[lost[0]].error(
            f"the joints form a cycle through the links {', '.join(lost[:8])}",
            "a URDF is a tree; remove the joint that closes the cycle",
        )
    return roots[0]


def _end(joint: XmlElement, tag: str, links: dict[str, XmlElement]) -> str:
    element = joint.need(tag, f'add <{tag} link="..."/>')
    name = element.text("link")
    if name not in links:
        raise element.error(f"there is no link {name!r:.80}", closest(name, links))
    return name


def _root_row(link: Link, base: Base, joints: dict[str, XmlElement]) -> Link:
    joint = f"{link.name}_joint"
    while joint in joints:
        joint = f"root_{joint}"
    kind = JointType.FLOATING if base == "floating" else JointType.FIXED
    return replace(link, joint=joint, joint_type=kind)


def _without_world(rows: list[Link], joints: dict[str, XmlElement]) -> list[Link]:
    """Return the rows without a root that only carries a floating joint."""
    root = rows[0]
    floating = [row for row in rows[1:] if row.joint_type == JointType.FLOATING]
    if not floating:
        return rows
    first = floating[0]
    others = [row for row in rows[1:] if row.parent == root.name and row is not first]
    if first.parent != root.name or others or len(floating) > 1:
        raise joints[floating[-1].joint].error(
            "a floating joint is possible only between the root link and its only "
            "child",
            "make it fixed, or three prismatic and three revolute joints",
        )
    if root.mass > 0.0 or root.geometry:
        logger.info(
            "%s: link %r stands for the world; its mass and shapes are left out",
            joints[first.joint].path,
            root.name,
        )
    base = replace(first, parent=None)
    return [base, *(row for row in rows[1:] if row is not first)]


def _row(
    joint: XmlElement, bodies: dict[str, Link], joints: dict[str, XmlElement]
) -> Link:
    """Return the child link of a joint with all that the joint says."""
    name = joint.text("name")
    word = joint.text("type")
    if word == "planar":
        raise joint.error(
            "planar joints are not supported",
            "write two prismatic joints and a revolute one with massless links between",
        )
    kind = _JOINT_TYPES[joint.choice("type", _JOINT_TYPES, word)]
    lower, upper, max_velocity, max_effort = _limits(joint, word)
    dynamics = joint.only("dynamics")
    mimic, multiplier, offset = _mimic(joint, joints)
    return replace(
        bodies[joint.need("child").text("link")],
        parent=joint.need("parent").text("link"),
        joint=name,
        joint_type=kind,
        T_parent_joint=origin(joint),
        axis=_axis(joint, kind),
        lower=lower,
        upper=upper,
        max_velocity=max_velocity,
        max_effort=max_effort,
        damping=dynamics.number("damping", 0.0) if dynamics else 0.0,
        friction=dynamics.number("friction", 0.0) if dynamics else 0.0,
        mimic=mimic,
        multiplier=multiplier,
        offset=offset,
    )


def _limits(joint: XmlElement, word: str) -> tuple[float, float, float, float]:
    """Return lower, upper, largest speed and largest effort of a joint."""
    limit = joint.only("limit")
    if limit is None:
        if word in ("revolute", "prismatic"):
            remedy = 'add <limit lower="..." upper="..." effort="..." velocity="..."/>'
            if word == "revolute":
                remedy += ', or make the type "continuous"'
            raise joint.error(f"a {word} joint needs a <limit>", remedy)
        return -np.inf, np.inf, np.inf, np.inf
    # Zero is what exporters write when they do not know; a joint that can neither push
    # nor move would not be one.
    max_velocity = limit.limit("velocity", np.inf) or np.inf
    max_effort = limit.limit("effort", np.inf) or np.inf
    if word not in ("revolute", "prismatic"):
        return -np.inf, np.inf, max_velocity, max_effort
    lower, upper = limit.limit("lower", 0.0), limit.limit("upper", 0.0)
    if lower > upper:
        raise limit.error(f"`lower` {lower} is above `upper` {upper}", "swap the two")
    return lower, upper, max_velocity, max_effort


def _axis(joint: XmlElement, kind: JointType) -> tuple[float, ...]:
    if kind not in (JointType.REVOLUTE, JointType.PRISMATIC):
        return (0.0, 0.0, 1.0)  # without meaning, as for any link that does not move
    element = joint.only("axis")
    if element is None:
        return (1.0, 0.0, 0.0)
    axis = element.numbers("xyz", 3, (1.0, 0.0, 0.0))
    if np.linalg.norm(axis) < 1e-9:
        raise element.error(
            f"`xyz` has no direction: {axis}", "give a unit vector such as 0 0 1"
        )
    return axis


def _mimic(
    joint: XmlElement, joints: dict[str, XmlElement]
) -> tuple[str | None, float, float]:
    element = joint.only("mimic")
    if element is None:
        return None, 1.0, 0.0
    followed = element.text("joint")
    if followed not in joints:
        raise element.error(
            f"there is no joint {followed!r:.80} to mimic", closest(followed, joints)
        )
    return followed, element.number("multiplier", 1.0), element.number("offset", 0.0)


def _link(element: XmlElement, colours: dict[str, Rgba]) -> Link:
    """Return a link without its joint."""
    shapes = tuple(shape(child, colours) for child in element.all(*SHAPE_ROLES))
    name = element.text("name")
    inertial = element.only("inertial")
    if inertial is None:
        return Link(name=name, geometry=shapes)
    mass = inertial.need("mass", 'add <mass value="..."/>').number("value")
    if mass < 0.0:
        raise inertial.error(f"mass must be >= 0 kg, got {mass}", "correct its sign")
    tensor = inertial.need("inertia", "add <inertia ixx= ixy= ixz= iyy= iyz= izz=/>")
    xx, xy, xz, yy, yz, zz = (
        tensor.number(key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    T_link_inertia = origin(inertial)
    R = T_link_inertia[:3, :3]
    inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return Link(
        name=name,
        mass=mass,
        com=T_link_inertia[:3, 3],
        inertia=0.5 * (inertia + inertia.T),
        geometry=shapes,
    )

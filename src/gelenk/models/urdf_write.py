"""Robot models as URDF files.

Kept to the last digit: names, order, joint types, translations, axes, limits, damping,
friction, mimic laws, masses, centres, inertia tensors, shapes, colours, textures, names
of mesh files. Rotations are roll, pitch and yaw, whose rounding changes a matrix entry
by less than 1e-15, also at the gimbal lock. A floating base becomes a floating joint on
a link that stands for the world. Transmissions and other tags are copied from the URDF
that the model came from. Named poses, groups, excluded pairs and the home configuration
go to an SRDF file beside (`save_urdf`). What the format cannot hold is named in a
warning: armature, springs, gravity compensation, ellipsoids. Loops cannot be left out
unnoticed: see `urdf_from_model`.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError, FileFormatError
from gelenk.models.findings import warn
from gelenk.models.link import Geometry, JointType
from gelenk.models.mesh_files import MeshFiles
from gelenk.models.srdf import needs_srdf, srdf_from_model
from gelenk.models.tree import RobotModel
from gelenk.models.urdf_mend import strip_before_declaration
from gelenk.models.xml import (
    XmlElement,
    XmlText,
    number,
    numbers,
    parse_xml,
    read_bytes,
    save_text,
)
from gelenk.typing import ArrayLike, FloatArray

Loops = Literal["refuse", "drop"]

# Columns of a model that a URDF cannot hold.
_BEYOND = (
    ("armature", "rotor inertia"),
    ("stiffness", "springs"),
    ("gravity_compensation", "gravity compensation"),
)


def urdf_from_model(model: RobotModel, *, loops: Loops = "refuse") -> str:
    """Return the URDF text of a robot.

    Args:
        model: Robot.
        loops: URDF holds trees only: "refuse" raises for a robot with loop closures,
            "drop" writes the tree with the loops cut open.

    Raises:
        ConfigError: If the robot has loops and they may not be dropped, or a name holds
            a character that XML cannot.

    Example:
        >>> import gelenk
        >>> text = urdf_from_model(gelenk.load("scara"))
        >>> text.splitlines()[1]
        '<robot name="scara">'
    """
    return _written(model, loops, MeshFiles())


def save_urdf(
    model: RobotModel,
    path: str | Path,
    *,
    loops: Loops = "refuse",
    copy_meshes: bool = False,
) -> None:
    """Write a robot to a URDF file; an old file stays whole until the new one is.

    Named poses, groups, excluded pairs and a home configuration that is not the
    reader's own go to an SRDF file of the same name beside it. Meshes that the model
    holds itself go to a folder `meshes` beside it.

    Args:
        model: Robot.
        path: File to be written.
        loops: Treatment of loop closures; see `urdf_from_model`.
        copy_meshes: Copy mesh and image files to the folder `meshes` as well; without,
            they are named relative to the new file.

    Raises:
        ConfigError: See `urdf_from_model`; also if a file cannot be written.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import gelenk
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "scara.urdf"
        ...     save_urdf(gelenk.load("scara"), path)
        ...     gelenk.load(path).joint_names
        ('joint_1', 'joint_2', 'joint_3', 'joint_4')
    """
    path = Path(path)
    files = MeshFiles(path.absolute().parent, copy=copy_meshes)
    save_text(path, _written(model, loops, files))
    if needs_srdf(model):
        save_text(path.with_suffix(".srdf"), srdf_from_model(model))


def _written(model: RobotModel, loops: Loops, files: MeshFiles) -> str:
    if loops not in ("refuse", "drop"):
        raise ConfigError(f"`loops` must be 'refuse' or 'drop', got {loops!r}")
    if model.loops and loops == "refuse":
        names = ", ".join(loop.name for loop in model.loops)
        raise ConfigError(
            f"URDF cannot hold the loops of robot {model.name!r}: {names}; "
            "write MJCF, or pass loops='drop' to cut them open"
        )
    out = XmlText()
    out.open("robot", name=model.name)
    world = _world_name(model)
    if model.has_floating_base:
        out.leaf("link", name=world)
    for i in range(len(model.link_names)):
        _write_link(out, model, i, files)
    for i in range(0 if model.has_floating_base else 1, len(model.link_names)):
        _write_joint(out, model, i, world)
    _copy_others(out, model)
    out.close()
    _warn_of_losses(model, files)
    return out.text()


def _warn_of_losses(model: RobotModel, files: MeshFiles) -> None:
    """Name in one warning what the format cannot hold."""
    lost: list[str] = []
    for key, words in _BEYOND:
        column = getattr(model, key)
        owners = model.link_names if key[0] == "g" else model.joint_names_all
        names = [owners[i] for i in np.flatnonzero(column)]
        if names:
            lost.append(f"the {words} of {_listed(names)}")
    names = [
        shape.name or model.link_names[i]
        for i, row in enumerate(model.geometry)
        for shape in row
        if shape.kind == "ellipsoid"
    ]
    if names:
        lost.append(f"the ellipsoids {_listed(names)}")
    if files.nameless:
        lost.append(f"the inline meshes {_listed(files.nameless)} (save_urdf can)")
    balls = [model.joint_names_all[i] for i in np.flatnonzero(model.joint_type == 4)]
    if balls:
        warn(
            f"robot {model.name!r}: ball joints {_listed(balls)} are written as "
            "'spherical', which few readers of URDF know; write MJCF with save_mjcf"
        )
    if lost:
        warn(
            f"robot {model.name!r}: URDF cannot hold {'; '.join(lost)}; write MJCF "
            "with save_mjcf to keep them"
        )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(repr(name) for name in names[:6]) + more


def _copy_others(out: XmlText, model: RobotModel) -> None:
    """Copy transmissions and other tags of the file that the model came from."""
    source = model.source
    if source is None or source.kind != "urdf":
        return
    try:
        if source.text:
            root = parse_xml(source.text, "<source>", keep_words=True)
        elif source.path is not None:
            root = parse_xml(
                strip_before_declaration(read_bytes(source.path)),
                source.path,
                keep_words=True,
            )
        else:
            return
    except FileFormatError as error:
        warn(f"robot {model.name!r}: transmissions are left out: {error}")
        return
    known = {*model.joint_names_all, *model.link_names}
    for element in root.children:
        plain = element.tag not in ("link", "joint", "material")
        if plain and ":" not in element.tag and _names_known(element, known):
            out.copy(element)


def _names_known(element: XmlElement, known: set[str]) -> bool:
    """Return whether all joints and links that a tag names are those of the model."""
    reference = element.attributes.get("reference")
    if reference is not None and reference not in known:
        return False
    joints = (x.attributes.get("name") for x in element.walk() if x.tag == "joint")
    return all(name is None or name in known for name in joints)


def _world_name(model: RobotModel) -> str:
    name = "world"
    while name in model.link_names:
        name += "_"
    return name


def _write_link(out: XmlText, model: RobotModel, i: int, files: MeshFiles) -> None:
    shapes = model.geometry[i] if model.geometry else ()
    has_inertia = model.mass[i] > 0.0 or model.inertia[i].any() or model.com[i].any()
    if not shapes and not has_inertia:
        out.leaf("link", name=model.link_names[i])
        return
    out.open("link", name=model.link_names[i])
    if has_inertia:
        tensor = model.inertia[i]
        out.open("inertial")
        out.leaf("origin", xyz=numbers(model.com[i]), rpy="0 0 0")
        out.leaf("mass", value=number(model.mass[i]))
        out.leaf(
            "inertia",
            **{
                f"i{'xyz'[a]}{'xyz'[b]}": number(tensor[a, b])
                for a in range(3)
                for b in range(a, 3)
            },
        )
        out.close()
    for k, shape in enumerate(shapes):
        _write_shape(out, shape, f"{model.link_names[i]}_{k}", files)
    out.close()


def _write_shape(
    out: XmlText, shape: Geometry, material: str, files: MeshFiles
) -> None:
    mesh = files.mesh(shape, material) if shape.kind == "mesh" else ""
    if shape.kind == "ellipsoid" or (shape.kind == "mesh" and not mesh):
        return
    out.open(shape.role, name=shape.name or None)
    _write_origin(out, shape.T_link_geometry)
    out.open("geometry")
    size = shape.size
    if shape.kind == "mesh":
        out.leaf("mesh", filename=mesh, scale=numbers(size))
    elif shape.kind == "box":
        out.leaf("box", size=numbers(size))
    elif shape.kind == "sphere":
        out.leaf("sphere", radius=number(size[0]))
    else:
        out.leaf(shape.kind, radius=number(size[0]), length=number(size[1]))
    out.close()
    if shape.rgba is not None or shape.texture is not None:
        out.open("material", name=material)
        if shape.rgba is not None:
            out.leaf("color", rgba=numbers(shape.rgba))
        if shape.texture is not None:
            out.leaf("texture", filename=files.image(shape.texture))
        out.close()
    out.close()


def _write_joint(out: XmlText, model: RobotModel, i: int, world: str) -> None:
    kind = JointType(int(model.joint_type[i]))
    word = "spherical" if kind == JointType.BALL else kind.name.lower()
    lower, upper = model.lower[i], model.upper[i]
    if kind == JointType.REVOLUTE and np.isinf(lower) and np.isinf(upper):
        word = "continuous"
    parent = int(model.parent[i])
    out.open("joint", name=model.joint_names_all[i], type=word)
    _write_origin(out, model.T_parent_joint[i])
    out.leaf("parent", link=model.link_names[parent] if parent >= 0 else world)
    out.leaf("child", link=model.link_names[i])
    if kind in (JointType.REVOLUTE, JointType.PRISMATIC):
        out.leaf("axis", xyz=numbers(model.axis[i]))
        _write_limit(out, model, i, word)
        if model.damping[i] or model.friction[i]:
            out.leaf(
                "dynamics",
                damping=number(model.damping[i]),
                friction=number(model.friction[i]),
            )
    if model.mimic[i] >= 0:
        out.leaf(
            "mimic",
            joint=model.joint_names_all[int(model.mimic[i])],
            multiplier=number(model.multiplier[i]),
            offset=number(model.offset[i]),
        )
    out.close()


def _write_limit(out: XmlText, model: RobotModel, i: int, word: str) -> None:
    effort, velocity = model.max_effort[i], model.max_velocity[i]
    if word == "continuous":
        if math.isfinite(effort) or math.isfinite(velocity):
            out.leaf("limit", effort=_bound(effort), velocity=_bound(velocity))
        return
    out.leaf(
        "limit",
        lower=_bound(model.lower[i]),
        upper=_bound(model.upper[i]),
        effort=_bound(effort),
        velocity=_bound(velocity),
    )


def _bound(value: float) -> str:
    """Return a limit; the largest double stands for none, as C++ readers expect it."""
    largest = sys.float_info.max
    return number(min(max(value, -largest), largest))


def _write_origin(out: XmlText, T: ArrayLike) -> None:
    T = np.asarray(T, dtype=np.float64)
    if not np.array_equal(T, np.eye(4)):
        out.leaf("origin", xyz=numbers(T[:3, 3]), rpy=numbers(_rpy(T[:3, :3])))


def _rpy(R: FloatArray) -> tuple[float, float, float]:
    """Return roll, pitch and yaw with R = Rz(yaw) Ry(pitch) Rx(roll), to all digits.

    `spatial.euler` calls a rotation singular within 1e-12 of the gimbal lock, which is
    right for people; a file must not lose those digits. The roll is read off
    Rz(yaw)^T R = Ry(pitch) Rx(roll), so it makes up for the rounding of the yaw however
    ill-determined that is.
    """
    yaw = math.atan2(R[1, 0], R[0, 0])
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = math.atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return roll, pitch, yaw

"""URDF files as robot models.

Read are links (inertia, shapes, colours, textures) and joints (all types of the format)
with limits, damping, friction and mimic laws. Joints keep the order of the file. Mesh
files are found, not opened. Ignored: calibration, safety controllers, transmissions and
simulator tags; `urdf_write` copies those that stand directly under <robot>.

Faults that files in use have are mended, each with a warning that names line and
remedy, and kept in the `notes` of the model; `strict` refuses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gelenk.errors import ConfigError, FileFormatError, ModelError
from gelenk.models.assembler import assemble
from gelenk.models.findings import Findings
from gelenk.models.inertias import TOL, physical_inertia
from gelenk.models.link import Link
from gelenk.models.packages import FileFinder, PathLike, missing_files
from gelenk.models.srdf import apply_srdf, srdf_beside
from gelenk.models.tree import ModelSource, RobotModel
from gelenk.models.urdf_joint import Base, joint_rows, root_row, without_world
from gelenk.models.urdf_link import bare_link, material_looks
from gelenk.models.urdf_mend import mend_urdf, strip_before_declaration
from gelenk.models.xml import XmlElement, closest, locate, parse_xml, read_bytes

NO_FILE = "<urdf text>"


@dataclass(frozen=True, slots=True, kw_only=True)
class UrdfOptions:
    """Ways to read a URDF file; see `load_urdf`.

    Attributes:
        base: Whether the root link is fixed or floats.
        strict: Whether faults are refused instead of mended.
        package_dirs: Folders in which packages and meshes are looked for.
        srdf: Semantic description; None takes the one beside the file, if any.
    """

    base: Base = "fixed"
    strict: bool = False
    package_dirs: Sequence[PathLike] = ()
    srdf: PathLike | None = None


def load_urdf(
    path: str | Path,
    *,
    base: Base = "fixed",
    strict: bool = False,
    package_dirs: Sequence[PathLike] = (),
    srdf: PathLike | None = None,
) -> RobotModel:
    """Return the robot that a URDF file describes.

    Args:
        path: File to be read.
        base: "fixed" bolts the root link to the world, unless the file itself lets it
            float; "floating" lets it float.
        strict: Refuse the faults that are mended otherwise.
        package_dirs: Folders of packages, or folders in which packages lie, for names
            such as package://arm_description/meshes/base.stl.
        srdf: Semantic description (groups, named poses, pairs that never collide); by
            default that of the same name beside the file or in ../srdf or ../config.

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
    options = UrdfOptions(
        base=base, strict=strict, package_dirs=package_dirs, srdf=srdf
    )
    root = parse_urdf(read_bytes(path), path, strict=strict)
    return model_from_urdf_tree(root, options, file=Path(path))


def model_from_urdf(
    text: str | bytes,
    *,
    base: Base = "fixed",
    path: str | Path = NO_FILE,
    strict: bool = False,
    package_dirs: Sequence[PathLike] = (),
    srdf: PathLike | None = None,
) -> RobotModel:
    """Return the robot that a URDF text describes.

    Args:
        text: The content of a URDF file.
        base: Whether the root link is fixed or floats; see `load_urdf`.
        path: File name for error messages.
        strict: Refuse the faults that are mended otherwise.
        package_dirs: Folders in which meshes are looked for; without any, meshes are
            named and not looked for.
        srdf: Semantic description; none by default.

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
    options = UrdfOptions(
        base=base, strict=strict, package_dirs=package_dirs, srdf=srdf
    )
    root = parse_urdf(text, path, strict=strict)
    plain = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return model_from_urdf_tree(root, options, text=plain)


def parse_urdf(text: str | bytes, path: str | Path, *, strict: bool) -> XmlElement:
    """Return the root element of a URDF text."""
    if not strict:
        text = strip_before_declaration(text)
    return parse_xml(text, path)


def model_from_urdf_tree(
    robot: XmlElement,
    options: UrdfOptions,
    *,
    file: Path | None = None,
    text: str = "",
) -> RobotModel:
    """Return the robot that a parsed <robot> element describes; see `load_urdf`.

    Args:
        robot: Root element.
        options: Ways to read it.
        file: File of the description, None if it is a text alone.
        text: Description where it is not what stands in the file.
    """
    if options.base not in ("fixed", "floating"):
        raise ConfigError(f"`base` must be 'fixed' or 'floating', got {options.base!r}")
    if robot.tag != "robot":
        raise robot.error(
            f"the root element of a URDF file is <robot>, got <{robot.tag:.40}>",
            "read MJCF (<mujoco>) with load_mjcf",
        )
    findings = Findings()
    if not options.strict:
        mend_urdf(robot, findings)
    _refuse_xacro(robot)
    if text and len(text) > MAX_KEPT:
        text = ""
    source = None
    if file is not None or text:
        where = file.absolute() if file is not None else None
        source = ModelSource(kind="urdf", path=where, text=text)
    finder = _finder(file, options)
    model = _tree_model(robot, options, finder, findings, source)
    model = _with_srdf(model, robot, options, file, findings)
    if finder is not None:
        for sentence in missing_files(finder):
            findings.tell(sentence, f"{robot.path}: {sentence}")
    findings.warn()
    return replace(model, notes=tuple(findings.notes)) if findings.notes else model


MAX_KEPT = 4 * 2**20  # characters of a text that is kept with the model


def _finder(file: Path | None, options: UrdfOptions) -> FileFinder | None:
    if file is None and not options.package_dirs:
        return None
    return FileFinder(file, options.package_dirs)


def _with_srdf(
    model: RobotModel,
    robot: XmlElement,
    options: UrdfOptions,
    file: Path | None,
    findings: Findings,
) -> RobotModel:
    """Return the model with what its semantic description says."""
    path = Path(options.srdf) if options.srdf is not None else None
    if path is not None:
        return apply_srdf(model, parse_xml(read_bytes(path), path), findings)
    beside = srdf_beside(file, model.name) if file is not None else None
    if beside is None:
        return model
    try:
        return apply_srdf(model, parse_xml(read_bytes(beside), beside), findings)
    except FileFormatError as error:
        if options.strict:
            raise
        findings.tell("srdf", f"{error}; the SRDF file is left out")
        return model


def _tree_model(
    robot: XmlElement,
    options: UrdfOptions,
    finder: FileFinder | None,
    findings: Findings,
    source: ModelSource | None,
) -> RobotModel:
    name = robot.text("name")
    links = _named(robot, "link")
    joints = _named(robot, "joint")
    if not links:
        raise robot.error("the robot has no link", "add at least one <link>")
    root = _check_tree(robot, links, joints)

    looks = material_looks(robot, finder)
    bodies = {key: bare_link(element, looks) for key, element in links.items()}
    rows = [root_row(bodies[root], options.base, joints)]
    rows += joint_rows(joints, bodies, mended=not options.strict)
    rows = without_world(rows, joints, findings)
    if not options.strict:
        rows = _with_inertias(rows, links, findings)

    places = {("link", key): element for key, element in links.items()}
    places |= {("joint", key): element for key, element in joints.items()}
    try:
        return assemble(name, rows, source=source)
    except FileFormatError:
        raise
    except ModelError as error:
        raise locate(error, robot.path, places) from error


def _with_inertias(
    rows: list[Link], links: dict[str, XmlElement], findings: Findings
) -> list[Link]:
    """Return the rows without negative principal moments.

    Moments of which one exceeds the sum of the others are kept, as other readers do:
    kinematics and dynamics work with them.
    """
    tensors = np.array([row.inertia for row in rows], dtype=np.float64)
    moments = np.linalg.eigvalsh(tensors)
    slack = TOL * (1.0 + np.abs(moments).max(axis=1))
    excess = moments[:, 2] - moments[:, 0] - moments[:, 1]
    rows = list(rows)
    for i in np.flatnonzero((moments[:, 0] < -slack) | (excess > slack)).tolist():
        element = links[rows[i].name]
        words = ", ".join(f"{moment:.4g}" for moment in moments[i])
        if moments[i, 0] < -slack[i]:
            findings.add(
                element, "negative moment", "a principal moment of inertia is negative "
                f"({words} kg m^2); the nearest tensor of a body is taken",
                "check the signs of the products, or export the inertia again",
            )  # fmt: skip
            rows[i] = replace(rows[i], inertia=physical_inertia(tensors[i]))
        else:
            findings.add(
                element, "triangle", f"no body has these principal moments ({words} kg "
                "m^2): one exceeds the sum of the others; they are kept",
                "export the inertia again; in a world set Robot(mend_inertias=True)",
            )  # fmt: skip
    return rows


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

"""MJCF (MuJoCo) files as robot models, with the files they include.

Read are bodies, hinges and slides, sites, geoms, mass properties (from the geoms where
the file states none), default classes, equality constraints, the gravity and a keyframe
named "home". Mesh files are named, not opened. A body's link is named after the body, a
site becomes a massless fixed link.

**The root link** is the single body directly below the world if it has a free joint,
which makes it a floating base, or no joint and the axes of the world, so that gravity
means the same in both. Bodies that cannot move beside a floating base are scenery and
left out, as are motion-capture bodies. In all other files the world itself is the root
link, named "world", and keeps its geoms.

**Motors.** If the file has an <actuator> section, joints without one are passive.

Skipped, and said once in the log, is what a model cannot hold: springs, tendons (except
a rod between two sites held by an equality), flexible bodies, nonlinear couplings.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gelenk.errors import FileFormatError, ModelError
from gelenk.models.assembler import GRAVITY, assemble
from gelenk.models.mjcf_body import WORLD, BodyReader, MjcfBody
from gelenk.models.mjcf_link import LinkBuilder, LinkRow
from gelenk.models.mjcf_loop import (
    Equalities,
    custom_texts,
    with_branch,
    with_home,
    with_locks,
    with_mimics,
    with_noted_limits,
    with_passive_flags,
)
from gelenk.models.mjcf_settings import Defaults, compiler_from
from gelenk.models.mjcf_shape import assets_from
from gelenk.models.tree import RobotModel
from gelenk.models.xml import XmlElement, locate, parse_xml, read_bytes


def expand_includes(root: XmlElement, folder: Path | None) -> None:
    """Replace every <include> below `root` by the children of the included root.

    File names are relative to the folder of the main file, or else of the including
    one. As in MuJoCo a file can be included once, so a cycle cannot occur.

    Args:
        root: Parsed main file, changed in place.
        folder: Folder of the main file; None if the text has none.

    Raises:
        FileFormatError: If a file is missing, broken or included twice.
    """
    seen: set[Path] = {_identity(Path(root.path))} if folder else set()
    stack = [root]
    while stack:
        element = stack.pop()
        children: list[XmlElement] = []
        pending = element.children[::-1]
        while pending:
            child = pending.pop()
            if child.tag == "include":
                pending.extend(_included(child, folder, seen)[::-1])
            else:
                child.parent = element
                children.append(child)
        element.children = children
        stack.extend(children)


def _included(
    include: XmlElement, folder: Path | None, seen: set[Path]
) -> list[XmlElement]:
    name = include.text("file")
    if folder is None:
        raise include.error(
            f"{name!r:.80} cannot be found: this text has no folder",
            "save it to a file and load that",
        )
    if Path(name).is_absolute():
        raise include.error(
            f"{name!r:.80} is an absolute path", "make it relative to the main file"
        )
    path = folder / name
    beside = Path(include.path).parent / name
    try:
        path = path if path.exists() or not beside.exists() else beside
        identity = _identity(path)
    except (OSError, ValueError) as error:
        raise include.error(f"{name!r:.80} is no file name", "correct it") from error
    if identity in seen:
        raise include.error(
            f"{name!r:.80} is included a second time, or includes itself",
            "a file can be included once",
        )
    seen.add(identity)
    try:
        root = parse_xml(read_bytes(path), path)
    except FileFormatError as error:
        if error.line is not None:
            raise
        raise include.error(str(error)) from error
    if root.tag not in ("mujoco", "mujocoinclude"):
        raise root.error(
            f"an included file has the root <mujocoinclude>, got <{root.tag:.40}>",
            "wrap its content",
        )
    return root.children


def _identity(path: Path) -> Path:
    return path.resolve()


logger = logging.getLogger(__name__)


def load_mjcf(path: str | Path) -> RobotModel:
    """Return the robot that an MJCF file describes.

    Args:
        path: File to be read.

    Raises:
        FileFormatError: If the file does not describe a robot; the message names file,
            line and element.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from gelenk.models import load as load_robot, save_mjcf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_mjcf(load_robot("rp"), Path(folder) / "rp.xml")
        ...     load_mjcf(Path(folder) / "rp.xml").num_joints
        2
    """
    root = parse_xml(read_bytes(path), path)
    return model_from_mjcf_tree(root, folder=Path(path).parent)


def model_from_mjcf(
    text: str | bytes, *, path: str | Path = "<mjcf text>"
) -> RobotModel:
    """Return the robot that an MJCF text describes.

    Args:
        text: The content of an MJCF file; it cannot include other files.
        path: File name for error messages.

    Raises:
        FileFormatError: See `load_mjcf`.

    Example:
        >>> from gelenk.models import model_from_mjcf
        >>> robot = model_from_mjcf(
        ...     '<mujoco><worldbody><body name="arm"><joint name="hinge" '
        ...     'range="-90 90"/></body></worldbody></mujoco>'
        ... )
        >>> robot.link_names, robot.joint_names, robot.limits[1].round(4).tolist()
        (('world', 'arm'), ('hinge',), [1.5708])
    """
    return model_from_mjcf_tree(parse_xml(text, path), folder=None)


def model_from_mjcf_tree(root: XmlElement, *, folder: Path | None) -> RobotModel:
    """Return the robot that a parsed <mujoco> element describes; see `load_mjcf`."""
    if root.tag != "mujoco":
        raise root.error(
            f"the root element of an MJCF file is <mujoco>, got <{root.tag:.40}>",
            "read URDF (<robot>) with load_urdf",
        )
    expand_includes(root, folder)
    settings = compiler_from(root.all("compiler"))
    defaults = Defaults(root.all("default"))
    assets = assets_from(root.all("asset"), settings, defaults)
    reader = BodyReader(settings=settings, defaults=defaults, assets=assets)
    bodies = reader.read(root.all("worldbody"), root)
    custom = custom_texts(root)
    noted = custom["root"].text("data") if "root" in custom else None
    base, chosen = _choose_root(bodies, noted)
    tendons = _spatial_tendons(root)
    builder = LinkBuilder(
        settings=settings,
        joint_names={
            key.removeprefix("joint:"): text.text("data")
            for key, text in custom.items()
            if key.startswith("joint:")
        },
        hidden_sites=_closure_sites(root, tendons),
    )
    builder.build(bodies, base, chosen)
    equalities = Equalities(
        bodies=bodies,
        link_of_body=builder.link_of_body,
        root=base,
        references={r.link.joint: r.reference for r in builder.rows if r.moves},
        tendons=tendons,
    )
    equalities.read(root.all("equality"))
    rows = with_mimics(builder.rows, equalities.mimics)
    rows = with_passive_flags(rows, root, custom)
    rows = with_home(rows, root)
    rows = with_locks(rows, equalities.locks)
    rows = with_noted_limits(rows, custom)
    _report(root, rows, reader.skipped | equalities.skipped)
    return _assembled(root, rows, equalities, custom)


def _assembled(
    root: XmlElement,
    rows: Sequence[LinkRow],
    equalities: Equalities,
    custom: dict[str, XmlElement],
) -> RobotModel:
    places = {("link", row.link.name): row.element for row in rows}
    places |= {("joint", row.link.joint): row.joint or row.element for row in rows}
    places |= {("loop", name): element for name, element in equalities.places.items()}
    loops = [with_branch(loop, custom) for loop in equalities.loops.values()]
    name = root.attributes.get("model", "") or Path(root.path).stem or "robot"
    try:
        return assemble(
            name,
            [row.link for row in rows],
            loops=loops,
            tool=custom["tool"].text("data") if "tool" in custom else "",
            gravity=_gravity(root),
        )
    except FileFormatError:
        raise
    except ModelError as error:
        raise locate(error, root.path, places) from error


def _choose_root(
    bodies: Sequence[MjcfBody], noted: str | None
) -> tuple[int, list[int]]:
    """Return the index of the root body and of all bodies that become links.

    Args:
        bodies: All bodies, the world first.
        noted: Name of the root link if `mjcf_write` left one.
    """
    gone = {i for i, body in enumerate(bodies) if body.is_mocap}
    tops = [i for i, b in enumerate(bodies) if b.parent == WORLD and i not in gone]
    free = [i for i, body in enumerate(bodies) if body.is_free]
    for i in free:
        _check_free(bodies, i, free)
    if free:
        scenery = [i for i in tops if i != free[0]]
        inside = _below(bodies, scenery)
        mover = next((i for i in inside if bodies[i].joints), None)
        if mover is not None:
            raise bodies[mover].element.error(
                "this body moves beside a floating base",
                "keep one robot per file: take the other body out",
            )
        return free[0], _below(bodies, free[:1])
    if len(tops) == 1 and not bodies[tops[0]].joints:
        top = bodies[tops[0]]
        is_upright = np.allclose(top.T_world_body[:3, :3], np.eye(3), rtol=0, atol=1e-9)
        is_noted = noted is not None and noted == top.element.attributes.get("name")
        if is_noted or (noted is None and is_upright):
            return tops[0], _below(bodies, tops)
    return WORLD, [WORLD, *_below(bodies, tops)]


def _check_free(bodies: Sequence[MjcfBody], i: int, free: Sequence[int]) -> None:
    body = bodies[i]
    if body.parent != WORLD:
        raise body.element.error(
            "a free joint is possible only directly below the world",
            "use three slides and three hinges",
        )
    if len(body.joints) > 1:
        raise body.element.error(
            "a body with a free joint cannot have other joints", "remove them"
        )
    if i != free[0]:
        raise body.element.error(
            "the file has a second floating body", "keep one robot per file"
        )


def _below(bodies: Sequence[MjcfBody], tops: Sequence[int]) -> list[int]:
    """Return the bodies `tops` and all below them, in the order of the file."""
    found = set(tops)
    for i in range(1, len(bodies)):  # parents come first
        if bodies[i].parent in found:
            found.add(i)
    return sorted(found)


def _spatial_tendons(root: XmlElement) -> dict[str, XmlElement]:
    return {
        tendon.attributes.get("name", ""): tendon
        for section in root.all("tendon")
        for tendon in section.all("spatial")
    }


def _closure_sites(root: XmlElement, tendons: dict[str, XmlElement]) -> set[str]:
    """Return the sites that only hold a closure: used by one and named `x:<number>`."""
    used: set[str] = set()
    for section in root.all("equality"):
        for element in section.children:
            used |= {element.attributes.get(key, "") for key in ("site1", "site2")}
            tendon = tendons.get(element.attributes.get("tendon1", ""))
            if element.tag == "tendon" and tendon is not None:
                used |= {site.attributes.get("site", "") for site in tendon.children}
    return {name for name in used if ":" in name and name.rpartition(":")[2].isdigit()}


def _gravity(root: XmlElement) -> tuple[float, ...]:
    gravity = GRAVITY
    for option in root.all("option"):
        gravity = option.numbers("gravity", 3, gravity)
        for flag in option.all("flag"):
            if flag.choice("gravity", ("enable", "disable"), "enable") == "disable":
                return (0.0, 0.0, 0.0)
    return gravity


def _report(root: XmlElement, rows: Sequence[LinkRow], skipped: set[str]) -> None:
    """Say once what the file holds beyond a model."""
    if any(row.joint and row.joint.attributes.get("stiffness") for row in rows):
        skipped.add("joint stiffness")
    held = {
        e.attributes.get("tendon1") for s in root.all("equality") for e in s.children
    }
    tendons = [t for section in root.all("tendon") for t in section.children]
    if any(tendon.attributes.get("name") not in held for tendon in tendons):
        skipped.add("tendons")
    if root.all("deformable"):
        skipped.add("deformable bodies")
    if skipped:
        logger.info("%s: left out: %s", root.path, ", ".join(sorted(skipped)))

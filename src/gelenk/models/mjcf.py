"""MJCF (MuJoCo) files as robot models, read with MuJoCo's own parser.

Whatever MuJoCo compiles is read: includes, attached models, defaults, meshes with their
inertia, ball joints, actuators, equalities. A body's link is named after the body, a
named site becomes a massless fixed link. What a model cannot hold (actuators, tendons,
sensors, cameras, loose objects) stays in `RobotModel.source`, from which a world takes
it, and `RobotModel.notes` says what that is.

**The robot.** A body below the world with a free joint is a robot if joints hang below
it or an actuator acts on it, otherwise a loose object. If there is a floating robot, it
is the model, with a floating base: of several the one with actuators, then with most
joints, then bodies, then mass. Only if joints of bodies fixed to the world have
actuators and no floating robot has any, the fixed ones are the robot. Without a
floating robot all that is fixed to the world is the robot; a loose object alone is one,
too. Motion-capture bodies are left out.

**The root link** of a fixed robot is the single body below the world if it has no joint
and the axes of the world, so that gravity means the same in both. In all other files
the world itself is the root link, named "world", and keeps its geoms.

**Motors.** If the file has an <actuator> section, joints without one are passive.

**Home** is the keyframe "home", else the first one, else the robot as drawn, brought
into the limits of its joints. All keyframes are named poses.

**Ball joints** become three hinges on massless links in a robot with loops.

**Files** outside the folder of the robot are not read (`packages` has the rule), and
MuJoCo itself opens none. A missing or broken mesh gives a warning.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gelenk.errors import FileFormatError, ModelError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Loop
from gelenk.models.mjcf_engine import (
    NO_GRAVITY,
    CompiledFile,
    compile_spec,
    parse_spec,
)
from gelenk.models.mjcf_link import LinkBuilder, LinkRow
from gelenk.models.mjcf_loop import CUSTOM_PREFIX, Equalities, closure_sites
from gelenk.models.mjcf_motor import driven_joints, largest_efforts
from gelenk.models.mjcf_note import default_tool, sentences
from gelenk.models.mjcf_robot import WORLD, select_robot
from gelenk.models.mjcf_shape import ShapeReader
from gelenk.models.mjcf_state import home_values, joint_value, named_poses, with_home
from gelenk.models.mjcf_text import MjcfText, complete
from gelenk.models.packages import FileFinder
from gelenk.models.tree import ModelSource, RobotModel
from gelenk.models.xml import MAX_NUMBER, XmlElement, locate, parse_xml, read_bytes

_LINE = re.compile(r"[Ll]ine(?: number=| )(\d+)")
_PREFIX = re.compile(r"^(XML Error|XML parse error \d+|Error|ParseXML)\s*:\s*")
_WITH_FILE = ("mesh", "texture", "hfield", "skin")

Folders = Sequence[str | os.PathLike[str]]


def load_mjcf(path: str | Path, *, package_dirs: Folders = ()) -> RobotModel:
    """Return the robot that an MJCF file describes.

    Args:
        path: File to be read.
        package_dirs: Folders outside that of the robot whose files may be read.

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
    folder = Path(path).parent
    return model_from_mjcf_tree(root, folder=folder, package_dirs=package_dirs)


def model_from_mjcf(
    text: str | bytes,
    *,
    path: str | Path = "<mjcf text>",
    package_dirs: Folders = (),
) -> RobotModel:
    """Return the robot that an MJCF text describes.

    Args:
        text: The content of an MJCF file; it cannot include other files.
        path: File name for error messages.
        package_dirs: Folders in which its meshes are looked for.

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
    root = parse_xml(text, path)
    return model_from_mjcf_tree(root, folder=None, package_dirs=package_dirs)


def model_from_mjcf_tree(
    root: XmlElement, *, folder: Path | None, package_dirs: Folders = ()
) -> RobotModel:
    """Return the robot that a parsed <mujoco> element describes; see `load_mjcf`."""
    if root.tag != "mujoco":
        raise root.error(
            f"the root element of an MJCF file is <mujoco>, got <{root.tag:.40}>",
            "read URDF (<robot>) with load_urdf",
        )
    file = Path(root.path) if folder is not None else None
    text = complete(root, FileFinder(file, package_dirs), folder)
    compiled = _compiled(text)
    return _model(text, compiled, file)


def _compiled(text: MjcfText) -> CompiledFile:
    """Return the compiled text; meshes and images that MuJoCo refuses are taken out."""
    while True:
        contents = text.contents()
        written, parts = text.written()
        try:
            return compile_spec(parse_spec(written, parts, contents))
        except ValueError as error:
            message = str(error)
            numbers = _LINE.findall(message)
            element = text.element(int(numbers[-1]) if numbers else None)
            problem = _PREFIX.sub("", _PREFIX.sub("", message.strip()))
            problem = " ".join(problem.splitlines()[0].split()) or "not understood"
            if element is None:
                remedy = "correct the file"
                raise FileFormatError(text.root.path, problem, remedy=remedy) from error
            name = element.attributes.get("file")
            if element.tag not in _WITH_FILE or name not in text.files:
                raise element.error(problem, "correct this element") from error
            problem = problem.replace(name, text.stated[name])
            text.take_out(element, text.stated[name], problem)


def _model(text: MjcfText, compiled: CompiledFile, file: Path | None) -> RobotModel:
    _check_finite(text, compiled)
    custom = _custom_texts(text.root)
    noted = custom["root"].text("data") if "root" in custom else None
    selection = select_robot(compiled, noted)
    link_of_body = {
        i: "world" if i == WORLD else compiled.bodies[i].name for i in selection.bodies
    }
    is_floating = _is_floating(compiled, selection.root)
    equalities = Equalities(
        compiled=compiled,
        link_of_body=link_of_body,
        root=selection.root,
        is_floating=is_floating,
    )
    equalities.read()
    shapes = ShapeReader(compiled, text)
    builder = LinkBuilder(
        compiled=compiled,
        shapes=shapes,
        joint_names={
            key.removeprefix("joint:"): note.text("data")
            for key, note in custom.items()
            if key.startswith("joint:")
        },
        hidden_sites=closure_sites(compiled),
        has_balls=not equalities.loops,
        link_of_body=link_of_body,
    )
    builder.build(selection.root)
    rows = _with_laws(compiled, builder.rows, equalities)
    rows = _with_motors(compiled, rows, text.root, custom, link_of_body)
    rows = _with_noted_limits(rows, custom)
    rows, moved = with_home(compiled, rows)
    notes = [
        *text.warn_of_faults(),
        *selection.notes,
        *sentences(compiled, rows, equalities, shapes.skipped, moved),
    ]
    written, parts = text.written()
    source = ModelSource(
        kind="mjcf",
        path=file,
        text=written,
        parts=MappingProxyType(parts),
        files=MappingProxyType(dict(text.files)),
        bodies=tuple(name for i, name in link_of_body.items() if i != WORLD),
    )
    tool = custom["tool"].text("data") if "tool" in custom else default_tool(rows)
    return _assembled(text, compiled, rows, equalities, custom, tool, source, notes)


def _assembled(
    text: MjcfText,
    compiled: CompiledFile,
    rows: Sequence[LinkRow],
    equalities: Equalities,
    custom: Mapping[str, XmlElement],
    tool: str,
    source: ModelSource,
    notes: Sequence[str],
) -> RobotModel:
    option = compiled.spec.option
    is_weightless = bool(int(option.disableflags) & NO_GRAVITY)
    base = next((r for r in rows if r.link.joint_type == JointType.FLOATING), None)
    try:
        model = assemble(
            text.root.attributes.get("model", "")
            or Path(text.root.path).stem
            or "robot",
            [row.link for row in rows],
            loops=[_with_branch(loop, custom) for loop in equalities.loops.values()],
            tool=tool,
            gravity=np.zeros(3) if is_weightless else np.array(option.gravity),
            base_home=None
            if base is None
            else joint_value(compiled, base, home_values(compiled)),
            excluded_pairs=_excluded_pairs(compiled, equalities.link_of_body),
            source=source,
            notes=notes,
        )
    except FileFormatError:
        raise
    except ModelError as error:
        places = _places(text, compiled, equalities)
        raise locate(error, text.root.path, places) from error
    poses = named_poses(compiled, model, rows)
    for pose in poses.values():
        pose.setflags(write=False)
    return replace(model, poses=MappingProxyType(dict(poses))) if poses else model


def _check_finite(text: MjcfText, compiled: CompiledFile) -> None:
    """Refuse bodies whose numbers, each of them sensible, make absurd ones."""
    model = compiled.model
    columns = ("pos", "quat", "mass", "ipos", "iquat", "inertia")
    rows = [
        np.reshape(getattr(model, f"body_{key}"), (model.nbody, -1)) for key in columns
    ]
    bad = ~(np.abs(np.hstack(rows)) <= MAX_NUMBER).all(axis=1)
    if bad.any():
        body = compiled.bodies[int(bad.argmax())]
        element = _element_of(text, body) or text.root
        raise element.error(
            "mass, inertia or pose of this body are beyond all measure",
            "check `size`, `density` and `pos`",
        )


def _element_of(text: MjcfText, item: Any) -> XmlElement | None:
    """Return the element in the file of an element of the spec."""
    match = _LINE.search(str(item.info))
    return text.element(int(match[1]) if match else None)


def _is_floating(compiled: CompiledFile, root: int) -> bool:
    model = compiled.model
    return bool(model.body_jntnum[root]) and bool(
        model.jnt_type[int(model.body_jntadr[root])] == 0
    )


def _custom_texts(root: XmlElement) -> dict[str, XmlElement]:
    """Return the notes that `mjcf_write` left in <custom>, by key."""
    texts = (text for section in root.all("custom") for text in section.all("text"))
    return {
        name.removeprefix(CUSTOM_PREFIX): text
        for text in texts
        if (name := text.attributes.get("name", "")).startswith(CUSTOM_PREFIX)
    }


def _with_laws(
    compiled: CompiledFile, rows: Sequence[LinkRow], equalities: Equalities
) -> list[LinkRow]:
    """Return the rows with joints that follow others or are held at a value."""
    found: list[LinkRow] = []
    for row in rows:
        law = equalities.mimics.get(row.joint)
        lock = equalities.locks.get(row.joint)
        if law is not None:
            followed = compiled.joints[law.followed].name
            row = _changed(
                row, mimic=followed, multiplier=law.multiplier, offset=law.offset
            )
        if lock is not None:
            row = _changed(row, lower=lock, upper=lock)
        found.append(row)
    return found


def _with_motors(
    compiled: CompiledFile,
    rows: Sequence[LinkRow],
    root: XmlElement,
    custom: Mapping[str, XmlElement],
    link_of_body: Mapping[int, str],
) -> list[LinkRow]:
    """Return the rows with the efforts of motors and the flags of joints without one.

    Joints that follow another are passive only if <custom> says so.
    """
    efforts = largest_efforts(compiled)
    rows = [
        _changed(row, max_effort=efforts.get(row.joint, np.inf)) if row.moves else row
        for row in rows
    ]
    driven = driven_joints(compiled, link_of_body)
    if driven is None or not (compiled.model.nu or root.all("actuator")):
        return rows
    return [
        _changed(row, is_passive=f"passive:{row.link.joint}" in custom)
        if row.link.mimic is not None
        else _changed(row, is_passive=_can_move(row) and row.joint not in driven)
        for row in rows
    ]


def _can_move(row: LinkRow) -> bool:
    return row.moves or row.link.joint_type == JointType.BALL


def _with_noted_limits(
    rows: Sequence[LinkRow], custom: Mapping[str, XmlElement]
) -> list[LinkRow]:
    """Return the rows with the largest speeds and efforts noted in <custom>."""
    result = list(rows)
    for name in ("max_velocity", "max_effort"):
        for i, row in enumerate(result):
            note = custom.get(f"{name}:{row.link.joint}")
            if note is not None:
                result[i] = _changed(row, **{name: note.number("data")})
    return result


def _with_branch(loop: Loop, custom: Mapping[str, XmlElement]) -> Loop:
    """Return a loop with the assembly branch noted in <custom>."""
    note = custom.get(f"branch:{loop.name}")
    if note is None:
        return loop
    return replace(loop, branch=int(note.choice("data", ("-1", "0", "1"), "0")))


def _excluded_pairs(
    compiled: CompiledFile, link_of_body: Mapping[int, str]
) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for signature in compiled.model.exclude_signature.tolist():
        a, b = int(signature) >> 16, int(signature) & 0xFFFF
        if a in link_of_body and b in link_of_body:
            pairs.append((link_of_body[a], link_of_body[b]))
    return pairs


def _places(
    text: MjcfText, compiled: CompiledFile, equalities: Equalities
) -> dict[tuple[str, str], XmlElement]:
    """Return the element of each link, joint and loop."""
    found: dict[tuple[str, str], XmlElement] = {}
    kinds: dict[str, list[Any]] = {
        "link": compiled.bodies,
        "joint": compiled.joints,
        "loop": compiled.equalities,
    }
    for kind, elements in kinds.items():
        for item in elements:
            element = _element_of(text, item)
            if element is not None:
                found[kind, str(item.name)] = element
    return found


def _changed(row: LinkRow, **changes: Any) -> LinkRow:
    return replace(row, link=replace(row.link, **changes))

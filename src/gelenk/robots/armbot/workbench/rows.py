"""An arm from a table: one row per part, with what is wrong told row by row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gelenk.errors import GelenkError, LoopError, ModelError, NameNotFoundError
from gelenk.models.parts import Assembly, GripperMount, Tip
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.kinematics import methods_of
from gelenk.robots.armbot.model import ManipulatorModel
from gelenk.robots.armbot.workbench.arms import reach_of
from gelenk.robots.armbot.workbench.fields import (
    FieldError,
    check_fields,
    quoted,
    read_text,
)
from gelenk.robots.armbot.workbench.looks import (
    describe_bodies,
    describe_joints,
    describe_poses,
)
from gelenk.robots.armbot.workbench.part_rows import (
    BODY,
    CHAIN,
    MAX_ROWS,
    Row,
    read_row,
    words_of,
)
from gelenk.robots.armbot.workbench.row_source import write_source

_CLASS_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_QUOTED = re.compile(r"'([^']*)'")


@dataclass(slots=True)
class Joined:
    """What came of rows.

    Attributes:
        assembly: The parts that could be joined.
        rows: What was read, by row; those that could not be are missing.
        tips: Where they are, by row.
        problems: `row` (None: of the whole), `field`, `text`.
        waiting: Rows that hang on a wrong one.
    """

    assembly: Assembly = field(default_factory=Assembly)
    rows: dict[int, Row] = field(default_factory=dict[int, Row])
    tips: dict[int, Tip] = field(default_factory=dict[int, Tip])
    problems: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    waiting: list[int] = field(default_factory=list[int])

    def add_problem(self, row: int | None, text: str, field: str = "") -> None:
        self.problems.append({"row": row, "field": field, "text": text})


def assemble(value: dict[str, Any]) -> dict[str, Any]:
    """Build an arm from a table of parts.

    Args:
        value: `rows`, see `part_rows`; `name`, of the class in `source`.

    Returns:
        `ok`; `problems`: row, field and text each; `waiting`: rows that hang on wrong
        ones; and of what could be joined, if that is an arm: `joints`, `bodies`,
        `poses` at home, `reach` [m], `methods`; `source`: Python text that builds the
        same arm, empty unless `ok`.
    """
    check_fields(value, ("rows", "name"))
    name = "MyArm"
    if value.get("name") is not None:
        name = read_text(value, "name", longest=40)
        if not _CLASS_NAME.fullmatch(name):
            raise FieldError(
                "name", f"expected a class name such as MyArm, got {quoted(name)}"
            )
    joined = join_rows(as_rows(value.get("rows")))
    design = _design(joined)
    is_ok = not joined.problems and design is not None
    answer: dict[str, Any] = {
        "ok": is_ok,
        "problems": joined.problems,
        "waiting": joined.waiting,
        "joints": [],
        "bodies": [],
        "poses": [],
        "reach": None,
        "methods": [],
        "source": write_source(name, joined.rows, joined.tips) if is_ok else "",
    }
    if design is not None:
        arm = design.arm
        answer |= {
            "joints": describe_joints(arm),
            "bodies": describe_bodies(arm),
            "poses": describe_poses(arm, arm.home_configuration),
            "reach": reach_of(design),
            "methods": list(methods_of(design)),
        }
    return answer


def design_rows(rows: object) -> RobotDesign:
    """Return the arm of rows that are all right, or of those that are.

    Raises:
        FieldError: If they make no arm; names the first row that is wrong.
    """
    joined = join_rows(as_rows(rows))
    design = _design(joined)
    if design is not None:
        return design
    first = joined.problems[0]
    place = "" if first["row"] is None else f"row {first['row'] + 1}: "
    raise FieldError("rows", place + first["text"])


def as_rows(rows: object) -> Sequence[object]:
    """Return the rows of a request.

    Raises:
        FieldError: If this is no list of sensible length.
    """
    if not isinstance(rows, list):
        raise FieldError("rows", f"expected a list of rows, got {quoted(rows)}")
    if not 1 <= len(rows) <= MAX_ROWS:
        raise FieldError("rows", f"expected 1 to {MAX_ROWS} rows, got {len(rows)}")
    return rows


def join_rows(rows: Sequence[object]) -> Joined:
    """Join parts row by row; what is wrong is noted and left out."""
    joined = Joined()
    tips: dict[str, Tip | None] = {BODY: joined.assembly}
    before: Tip | None = joined.assembly
    for number, value in enumerate(rows):
        tip: Tip | None = None
        try:
            row = read_row(value)
            carrier = before if row.parent is None else _find(tips, row.parent)
            needed = [_find(tips, end.part) for end in row.ends]
            if None in needed or (carrier is None and row.part != CHAIN):
                joined.waiting.append(number)
                _keep_name(tips, row.name)
                before = None
                continue
            tip = _join(joined.assembly, row, carrier)
            joined.rows[number], joined.tips[number] = row, tip
            tips[row.name or tip.name] = tip
        except FieldError as error:
            joined.add_problem(number, _without_field(error), error.field)
        except (GelenkError, OverflowError) as error:
            joined.add_problem(number, str(error), _field_of(error))
        if tip is None and isinstance(value, dict):
            _keep_name(tips, value.get("name"))
        before = tip
    return joined


def _join(assembly: Assembly, row: Row, carrier: Tip | None) -> Tip:
    if row.part == CHAIN:
        ends = [
            assembly.get(end.part) if end.at is None
            else assembly.get(end.part).point(at=end.at)
            for end in row.ends
        ]  # fmt: skip
        return assembly.closed_chain(row.name, ends, **row.options)
    assert carrier is not None
    attach = getattr(carrier, row.part)
    if row.end is None:
        return attach(row.name, **row.options)
    return attach(row.end, row.name, **row.options)


def _find(tips: Mapping[str, Tip | None], name: str) -> Tip | None:
    if name not in tips:
        raise NameNotFoundError("part above this row", name, tips)
    return tips[name]


def _keep_name(tips: dict[str, Tip | None], name: object) -> None:
    """Remember a part that is missing, so that those who need it wait."""
    if isinstance(name, str) and name.strip():
        tips.setdefault(name.strip(), None)


def _field_of(error: Exception) -> str:
    if isinstance(error, NameNotFoundError):
        return "parent"
    text = str(error)
    hints = {
        "two parts named": "name", "name is empty": "name", "limits": "limits",
        "radius": "radius", "length": "length", "cannot move": "at", "joins": "ends",
        "connection point": "ends", "uses one part": "ends",
    }  # fmt: skip
    return next((field for hint, field in hints.items() if hint in text), "")


def _without_field(error: FieldError) -> str:
    return str(error).removeprefix(f"`{error.field}`: ")


# -- the arm ---------------------------------------------------------------------------


def _design(joined: Joined) -> RobotDesign | None:
    """Return the arm, its open ends closed for the sake of a picture, or None."""
    if not joined.tips:
        return None
    _check_ends(joined)
    mount = _check_mount(joined)
    model = _as_manipulator(joined.assembly, mount)
    try:
        return design_robot(model, None)
    except (GelenkError, LoopError) as error:
        if not joined.problems:
            text = str(error).removeprefix(f"{type(model).__name__}: ")
            joined.add_problem(_row_of(text, joined), text)
        return None


def _check_ends(joined: Joined) -> None:
    assembly = joined.assembly
    closed = {
        end.part for chain in assembly.closed_chains.values() for end in chain.ends
    }
    is_whole = not joined.problems
    for number, tip in list(joined.tips.items()):
        index = assembly.index_of(tip.name)
        is_open = not assembly.num_carried[index] and tip.name not in closed
        if not is_open or tip.part.may_end_chain:
            continue
        if is_whole:
            joined.add_problem(
                number,
                f"a chain ends in this {words_of(tip.part.kind)}; attach a next part, "
                "or end it with a gripper mount or a termination point",
                "part",
            )
        tip.termination_point()


def _check_mount(joined: Joined) -> Tip:
    mounts = [
        (number, tip)
        for number, tip in joined.tips.items()
        if isinstance(tip.part, GripperMount) and joined.rows[number].part != CHAIN
    ]
    if not mounts:
        if not joined.problems:
            joined.add_problem(
                None, "the arm has no gripper mount; end it with one", "part"
            )
        return _make_mount(joined)
    for number, _ in mounts[1:]:
        joined.add_problem(
            number,
            "an arm has one gripper mount; make this a termination point",
            "part",
        )
    return mounts[0][1]


def _make_mount(joined: Joined) -> Tip:
    """Put a mount at the last place that can carry one."""
    for tip in reversed([joined.assembly, *joined.tips.values()]):
        try:
            return tip.gripper_mount()
        except ModelError:
            continue
    raise AssertionError("a body carries any number of parts")


def _as_manipulator(assembly: Assembly, mount: Tip) -> ManipulatorModel:
    class Arm(ManipulatorModel):
        def build(self, body: Assembly) -> Tip:
            for index, part in enumerate(assembly.parts[1:], 1):
                carrier = body.get(assembly.names[assembly.parents[index]])
                T = np.array(assembly.T_fix_tail[index])
                if not carrier.part.carries_many:
                    T[:3, 3] = 0.0  # where it is, the part knows itself
                carrier.attach(part, pose=T)
            for chain in assembly.closed_chains.values():
                body.closed_chain(
                    chain.name, chain.ends, branch=chain.branch, pattern=chain.pattern
                )
            return body.get(mount.name)

    return Arm()


def _row_of(text: str, joined: Joined) -> int | None:
    """Return the row of the first part that a message names."""
    names = {tip.name: number for number, tip in joined.tips.items()}
    names |= {row.name: number for number, row in joined.rows.items() if row.name}
    for match in _QUOTED.finditer(text):
        if match[1] in names:
            return names[match[1]]
    return None

"""Protocol as TypeScript, for the client: `python -m gelenk.ui.typescript`.

One interface per dataclass of `messages.py`, with its comments, units and ranges.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import textwrap
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from gelenk.errors import ConfigError
from gelenk.ui import frames, images, mesh_assets, messages
from gelenk.ui.readers import kind_of

PATH = Path(__file__).parent / "client" / "src" / "protocol.ts"
HEAD = "// Made from `gelenk.ui.messages` by `python -m gelenk.ui.typescript`."
WIDTH = 88  # of the text of a comment [characters]
ALIASES = ("Vec3", "Quat", "Rgba")
ARRAYS = {  # of points in exhibits, as JSON has them
    "Pixels": "[number, number][]",
    "Places": "[number, number, number][]",
    "Numbers": "number[]",
}
SCALARS = {
    float: "number",
    int: "number",
    bool: "boolean",
    str: "string",
    Any: "unknown",
    types.NoneType: "null",
}


def protocol_text() -> str:
    """Return the text of `protocol.ts`."""
    answers = typing.get_args(messages.FromServer)
    requests = typing.get_args(messages.FromPage)
    classes = [
        cls
        for cls in vars(messages).values()
        if isinstance(cls, type) and dataclasses.is_dataclass(cls)
    ]
    parts = [
        HEAD,
        _comment(inspect.getdoc(messages) or ""),
        _constants(VERSION=messages.VERSION),
        _comment(inspect.getdoc(frames) or ""),
        _constants(
            FRAME_MAGIC=f'"{frames.MAGIC.decode()}"',
            FRAME_HEADER_BYTES=frames.HEADER.size,
            FRAME_ASKED=frames.ASKED,
        ),
        _comment(inspect.getdoc(images) or ""),
        _constants(
            IMAGE_MAGIC=f'"{images.MAGIC.decode()}"',
            IMAGE_HEADER_BYTES=images.HEADER.size,
        ),
        _comment(inspect.getdoc(mesh_assets) or ""),
        _constants(
            MESH_MAGIC=f'"{mesh_assets.MAGIC.decode()}"',
            MESH_HEADER_BYTES=mesh_assets.HEADER.size,
            MESH_HAS_COLORS=mesh_assets.HAS_COLORS,
            MESH_HAS_UV=mesh_assets.HAS_UV,
            MESH_IS_OPEN=mesh_assets.IS_OPEN,
        ),
        "\n".join(
            f"export type {name} = {_type(getattr(messages, name))};"
            for name in ALIASES
        ),
        *(
            _interface(
                cls,
                is_message=cls in (*answers, *requests),
                may_omit=cls in requests,
            )
            for cls in classes
        ),
        _union("FromServer", answers),
        _union("FromPage", requests),
        _comment("Requests by their kind."),
    ]
    lines = [f"  {kind_of(cls)}: {cls.__name__};" for cls in requests]
    table = "\n".join(["export interface Requests {", *lines, "}"])
    return "\n\n".join(parts) + "\n" + table + "\n"


def _constants(**values: object) -> str:
    return "\n".join(f"export const {name} = {v};" for name, v in values.items())


def _interface(cls: type, *, is_message: bool, may_omit: bool) -> str:
    summary, notes = _split_docstring(inspect.getdoc(cls) or "")
    hints = typing.get_type_hints(cls)
    lines = [_comment(summary), f"export interface {cls.__name__} {{"]
    if is_message:
        lines.append(f'  kind: "{kind_of(cls)}";')
    for field in dataclasses.fields(cls):
        has_default = (
            field.default is not dataclasses.MISSING
            or field.default_factory is not dataclasses.MISSING
        )
        note = " ".join(filter(None, [notes.get(field.name), _metadata_note(field)]))
        if note:
            lines.append(_comment(note, indent="  "))
        mark = "?" if may_omit and has_default else ""
        text = _field_type(field, hints[field.name])
        lines.append(f"  {field.name}{mark}: {text};")
    return "\n".join([*lines, "}"])


def _field_type(field: dataclasses.Field[Any], hint: Any) -> str:
    written = str(field.type)
    if written in ALIASES:
        return written
    return ARRAYS.get(written) or _type(hint)


def _metadata_note(field: dataclasses.Field[Any]) -> str:
    data = field.metadata
    parts: list[str] = []
    if "unit" in data:
        parts.append(f"[{data['unit']}]")
    if "minimum" in data and "maximum" in data:
        parts.append(f"{data['minimum']:g} to {data['maximum']:g}.")
    return " ".join(parts)


def _union(name: str, members: tuple[type, ...]) -> str:
    return (
        f"export type {name} =" + "".join(f"\n  | {m.__name__}" for m in members) + ";"
    )


def _type(annotation: Any) -> str:
    """Return the TypeScript of a resolved annotation."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if annotation in SCALARS:
        return SCALARS[annotation]
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in args)
    if origin in (types.UnionType, typing.Union):
        return " | ".join(_type(arg) for arg in args)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            item = _type(args[0])
            is_choice = typing.get_origin(args[0]) in (types.UnionType, Literal)
            return f"({item})[]" if is_choice else f"{item}[]"
        return "[" + ", ".join(_type(arg) for arg in args) + "]"
    if origin is dict and args[0] is str:
        return f"Record<string, {_type(args[1])}>"
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return annotation.__name__
    raise ConfigError(f"the client cannot be told the type {annotation}")


# -- comments --------------------------------------------------------------------------


def _split_docstring(text: str) -> tuple[str, dict[str, str]]:
    """Return the text before `Attributes:`, and the notes by attribute."""
    head, _, tail = text.partition("\nAttributes:\n")
    notes: dict[str, str] = {}
    names: list[str] = []
    for line in tail.splitlines():
        found = re.match(r"    (\w+(?:, \w+)*): (.*)", line)
        if found:
            names = found[1].split(", ")
            notes |= dict.fromkeys(names, found[2])
        else:
            notes |= {name: f"{notes[name]} {line.strip()}" for name in names}
    return head.strip(), {name: note.strip() for name, note in notes.items()}


def _comment(text: str, *, indent: str = "") -> str:
    lines = list(_wrapped(re.sub(r"\bNone\b", "null", text)))
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */"
    body = [f"{indent} * {line}".rstrip() for line in lines]
    return "\n".join([f"{indent}/**", *body, f"{indent} */"])


def _wrapped(text: str) -> Iterator[str]:
    """Break long lines; what is short enough stays as it is."""
    for line in text.splitlines():
        yield from textwrap.wrap(line, WIDTH) if len(line) > WIDTH else [line]


def main() -> int:
    """Write `protocol.ts`."""
    PATH.parent.mkdir(parents=True, exist_ok=True)
    PATH.write_text(protocol_text(), encoding="utf-8")
    sys.stdout.write(f"{PATH}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""MJCF files made whole: includes expanded, limits kept, every named file found.

MuJoCo gets one text with one element per line, so that a line in its messages leads to
the element in the user's file, and the content of all files as bytes.
"""

from __future__ import annotations

import posixpath
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import quoteattr

from gelenk.errors import FileFormatError, ModelWarning
from gelenk.models.mjcf_engine import PLACEHOLDER
from gelenk.models.mjcf_include import (
    MAX_PIXELS,
    check_numbers,
    expand_includes,
    why_missing,
)
from gelenk.models.packages import FileFinder
from gelenk.models.xml import (
    XmlElement,
    parse_xml,
    read_bytes,
)

MAX_FACES = 2_000_000

# Folder of the files of each element, and the attributes that name files.
_FOLDERS = {
    "mesh": "meshdir", "skin": "meshdir", "flexcomp": "meshdir", "hfield": "meshdir",
    "texture": "texturedir", "model": "",
}  # fmt: skip
_CUBE = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


@dataclass(slots=True, eq=False)
class MjcfText:
    """An MJCF text as MuJoCo gets it.

    Attributes:
        root: The main file with its includes expanded.
        finder: Search for the files.
        files: Files by the name under which the text states them.
        stated: Name of each file in the user's text, by the same key.
        models: Roots of the attached models by the name under which it states them.
        lines: Element of each line of all texts, from line 1.
        faults: Place and name of the files that are missing or broken, by reason and
            effect.
        meshes: Name of the file of each mesh in the user's text, by name of the mesh.
    """

    root: XmlElement
    finder: FileFinder
    files: dict[str, Path] = field(default_factory=dict[str, Path])
    stated: dict[str, str] = field(default_factory=dict[str, str])
    models: dict[str, XmlElement] = field(default_factory=dict[str, XmlElement])
    lines: list[XmlElement] = field(default_factory=list[XmlElement])
    faults: dict[tuple[str, str], list[tuple[str, str]]] = field(
        default_factory=dict[tuple[str, str], list[tuple[str, str]]]
    )
    meshes: dict[str, str] = field(default_factory=dict[str, str])

    def written(self) -> tuple[str, dict[str, str]]:
        """Return the text and the texts of attached models; `lines` then fits them."""
        self.lines = []
        texts: dict[str, str] = {}
        for name, root in (("", self.root), *self.models.items()):
            head = "\n" * len(self.lines)  # a line belongs to one of the texts only
            texts[name] = head + "\n".join(_written(root, self.lines))
        return texts.pop(""), texts

    def element(self, line: int | None) -> XmlElement | None:
        """Return the element in a line of the written texts."""
        if line is None or not 1 <= line <= len(self.lines):
            return None
        return self.lines[line - 1]

    def contents(self) -> dict[str, bytes]:
        """Return the content of all files; what cannot be read is taken out."""
        found: dict[str, bytes] = {}
        owners = list(self._owners())
        for element in owners:
            for key in ("file", *_CUBE):
                name = element.attributes.get(key, "")
                if name not in self.files or name in found:
                    continue
                try:
                    data = read_bytes(self.files[name])
                    _check_content(self.files[name], data)
                except FileFormatError as error:
                    self.take_out(element, self.stated[name], _reason(error))
                    break
                found[name] = data
        return found

    def _owners(self) -> Iterator[XmlElement]:
        for root in (self.root, *self.models.values()):
            yield from (e for e in root.walk() if e.tag in _FOLDERS)

    def take_out(self, element: XmlElement, name: str, problem: str) -> None:
        """Replace the file of an element by nothing; `warn_of_faults` tells it.

        Args:
            element: Element that names the file.
            name: Name of the file as the user wrote it.
            problem: Reason why it cannot be used, and the remedy.
        """
        place = f"{element.path}, line {element.line}, {element.label}"
        effect = _without_file(element)
        self.faults.setdefault((problem, effect), []).append((place, name))

    def warn_of_faults(self) -> list[str]:
        """Warn of missing and broken files, once for each reason; return the words."""
        sentences: list[str] = []
        for (problem, effect), owners in self.faults.items():
            place, name = owners[0]
            more = f" and {len(owners) - 1} more" if len(owners) > 1 else ""
            sentence = f"{place}: file {name!r:.200}{more}: {problem}; {effect}"
            sentences.append(sentence)
            warnings.warn(sentence, ModelWarning, stacklevel=5)
        return sentences


def complete(root: XmlElement, finder: FileFinder, folder: Path | None) -> MjcfText:
    """Return the text of a parsed file with everything that it names.

    Args:
        root: Parsed main file, changed in place.
        finder: Search for the files that it names.
        folder: Folder of the main file; None if the text has none.

    Raises:
        FileFormatError: If a file is missing, broken or included twice, or a count is
            so large that no robot needs it.
    """
    text = MjcfText(root=root, finder=finder)
    _complete(text, root, folder, ())
    return text


def _complete(
    text: MjcfText, root: XmlElement, folder: Path | None, seen: tuple[Path, ...]
) -> None:
    expand_includes(root, folder, text.finder)
    check_numbers(root)
    folders, is_stripped = _folders(root)
    # The files of an attached model lie in its own folder.
    base = str(folder) if root is not text.root and folder is not None else ""
    for element in list(root.walk()):
        if element.tag == "compiler":
            for key in ("meshdir", "texturedir", "assetdir", "strippath"):
                element.attributes.pop(key, None)
        elif element.tag in _FOLDERS and _has_file(element):
            where = posixpath.join(base, folders.get(_FOLDERS[element.tag], ""))
            _find_files(text, element, where, is_stripped, seen)


def _has_file(element: XmlElement) -> bool:
    return any(element.attributes.get(key) for key in ("file", *_CUBE))


def _find_files(
    text: MjcfText,
    element: XmlElement,
    folder: str,
    is_stripped: bool,
    seen: tuple[Path, ...],
) -> None:
    _claim_name(element)
    for key in ("file", *_CUBE):
        name = element.attributes.get(key, "").strip()
        if not name:
            continue
        name = posixpath.basename(name.replace("\\", "/")) if is_stripped else name
        wanted = name if posixpath.isabs(name) else posixpath.join(folder, name)
        text.meshes[element.attributes.get("name", "")] = wanted
        path = text.finder.resolve(wanted)
        if element.tag == "model":
            _find_model(text, element, path, seen)
            return
        if path is None:
            if text.finder.file is None:  # a text: what it names is nobody's fault
                _without_file(element)
            else:
                text.take_out(element, wanted, why_missing(text.finder, wanted))
            return
        short = f"f{len(text.files)}{posixpath.splitext(name)[1].lower()}"
        text.files[short] = path
        text.stated[short] = wanted
        element.attributes[key] = short


def _find_model(
    text: MjcfText, element: XmlElement, path: Path | None, seen: tuple[Path, ...]
) -> None:
    """Read the file of an attached model, with everything that this one names."""
    if path is None:
        name = element.attributes["file"]
        raise element.error(f"{name!r:.200}: {why_missing(text.finder, name)}")
    if path in seen or len(seen) > 20:
        raise element.error(f"{str(path)!r:.200} attaches itself", "attach another")
    root = parse_xml(read_bytes(path), path)
    if root.tag != "mujoco":
        raise element.error(
            f"an attached model must be MJCF, got <{root.tag:.40}>",
            "load and save it once in MuJoCo",
        )
    name = f"m{len(text.models)}.xml"
    text.models[name] = root
    _complete(text, root, path.parent, (*seen, path))
    element.attributes["file"] = name


def _reason(error: FileFormatError) -> str:
    """Return the problem and the remedy of an error without its place."""
    return str(error).removeprefix(f"{error.path}: ")


def _claim_name(element: XmlElement) -> None:
    """Name a nameless element after its file, as MuJoCo does."""
    file = element.attributes.get("file", "").replace("\\", "/")
    if not element.attributes.get("name") and element.tag != "flexcomp" and file:
        stem = posixpath.splitext(posixpath.basename(file))[0]
        if element.tag != "model":
            element.attributes["name"] = stem


def _without_file(element: XmlElement) -> str:
    """Let an element do without its file; return what is missing now."""
    for key in ("file", "content_type", *_CUBE):
        element.attributes.pop(key, None)
    if element.tag == "mesh":
        keep = ("name", "class", "scale")
        kept = {k: v for k, v in element.attributes.items() if k in keep}
        element.attributes = kept | {"file": PLACEHOLDER, "inertia": "shell"}
        for geom in _root_of(element).walk():
            if geom.tag == "geom" and geom.attributes.get("mesh") == kept.get("name"):
                geom.attributes |= {"mass": "0"}
        return "its shapes are left out and count no mass"
    if element.tag == "texture":
        keep = ("name", "type", "colorspace")
        kept = {k: v for k, v in element.attributes.items() if k in keep}
        flat = {"builtin": "flat", "rgb1": "1 1 1", "width": "8", "height": "8"}
        element.attributes = kept | flat
        return "the texture is left out"
    if element.tag == "hfield":
        element.attributes |= {"nrow": "2", "ncol": "2"}
        return "the height field is left flat"
    if element.parent is not None:
        element.parent.children.remove(element)
    return "it is left out"


def _root_of(element: XmlElement) -> XmlElement:
    while element.parent is not None:
        element = element.parent
    return element


def _folders(root: XmlElement) -> tuple[dict[str, str], bool]:
    """Return the folders of meshes and textures, and whether names lose theirs."""
    found: dict[str, str] = {}
    is_stripped = False
    for element in root.all("compiler"):
        both = element.attributes.get("assetdir")
        for key in ("meshdir", "texturedir"):
            value = element.attributes.get(key, both)
            if value is not None:
                found[key] = value.strip().replace("\\", "/")
        word = element.attributes.get("strippath", str(is_stripped).lower())
        is_stripped = word == "true"
    return found, is_stripped


def _written(root: XmlElement, lines: list[XmlElement]) -> Iterator[str]:
    """Yield the lines of a text, one tag in each; `lines` gets the element of each."""
    stack: list[tuple[XmlElement, bool]] = [(root, False)]
    while stack:
        element, is_end = stack.pop()
        lines.append(element)
        if is_end:
            yield f"</{element.tag}>"
            continue
        words = "".join(f" {k}={quoteattr(v)}" for k, v in element.attributes.items())
        yield f"<{element.tag}{words}{'' if element.children else '/'}>"
        if element.children:
            stack.append((element, True))
            stack.extend((child, False) for child in reversed(element.children))


def _check_content(path: Path, data: bytes) -> None:
    """Refuse meshes and images that would take too much memory."""
    suffix = path.suffix.lower()
    if suffix == ".obj":
        faces = data.count(b"\nf ")
    elif suffix == ".stl":
        faces = max(len(data) - 84, 0) // 50
    else:
        faces = 0
    if faces > MAX_FACES:
        raise FileFormatError(
            path, f"more than {MAX_FACES} faces", remedy="thin the mesh"
        )
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = (int.from_bytes(data[k : k + 4], "big") for k in (16, 20))
        if width * height > MAX_PIXELS:
            raise FileFormatError(
                path, f"an image of {width} x {height} pixels", remedy="shrink it"
            )

"""XML robot files: elements that know their line, exact text, complete files.

Shared by the URDF and MJCF readers and writers. Files are read with the standard
library's expat parser, which refuses document type declarations (and with them entity
bombs) and turns every fault into a `FileFormatError` with file, line, element and
remedy.
"""

from __future__ import annotations

import difflib
import math
import os
import re
import secrets
import xml.parsers.expat as expat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from gelenk.errors import ConfigError, FileFormatError, ModelError
from gelenk.typing import FloatArray

MAX_ELEMENTS = 200_000
MAX_DEPTH = 5_000
MAX_NUMBER = 1e30  # products of a few such numbers stay finite; larger limits mean none

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(slots=True, eq=False, repr=False)
class XmlElement:
    """One element of a parsed file.

    Attributes:
        tag: Name of the element.
        attributes: Attributes as written.
        line: Line of the opening tag, from 1.
        path: File, or a word for text that did not come from one.
        parent: Enclosing element, None for the root.
        children: Enclosed elements in the order of the file.
        words: Text of an element without children, if it was asked for.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    path: str
    parent: XmlElement | None = None
    children: list[XmlElement] = field(default_factory=list["XmlElement"])
    words: str = ""

    @property
    def label(self) -> str:
        """The element as an error names it: joint 'elbow', <limit> of joint 'elbow'."""
        name = self.attributes.get("name")
        if name:
            return f"{self.tag} {name!r:.80}"
        if self.parent is None or self.parent.parent is None:
            return f"<{self.tag:.80}>"
        owner = self.parent
        while not owner.attributes.get("name") and owner.parent is not None:
            owner = owner.parent
        return f"<{self.tag:.80}>" + (f" of {owner.label}" if owner.parent else "")

    def error(self, problem: str, remedy: str = "") -> FileFormatError:
        """Return the error that names this element; the caller raises it."""
        return FileFormatError(
            self.path, problem, element=self.label, line=self.line, remedy=remedy
        )

    def all(self, *tags: str) -> list[XmlElement]:
        """Return the children with one of these tags, in the order of the file."""
        return [child for child in self.children if child.tag in tags]

    def only(self, tag: str) -> XmlElement | None:
        """Return the child with this tag, None without one; two are an error."""
        found = self.all(tag)
        if len(found) > 1:
            raise found[1].error(f"{self.label} has two <{tag}>", "keep one of them")
        return found[0] if found else None

    def need(self, tag: str, remedy: str = "") -> XmlElement:
        """Return the child with this tag; none is an error."""
        child = self.only(tag)
        if child is None:
            raise self.error(f"<{tag}> is missing", remedy or f"add a <{tag}> element")
        return child

    def text(self, name: str, default: str | None = None) -> str:
        """Return an attribute; without default a missing or empty one is an error."""
        value = self.attributes.get(name, default)
        if value is None or (default is None and not value):
            raise self.error(
                f"required attribute `{name}` is missing or empty",
                f'write <{self.tag} {name}="...">',
            )
        return value

    def choice(self, name: str, known: Iterable[str], default: str) -> str:
        """Return an attribute that must be one of the words `known`."""
        value, known = self.attributes.get(name, default), tuple(known)
        if value not in known:
            raise self.error(f"`{name}` is {value!r:.60}", closest(value, known))
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """Return an attribute that holds one finite number."""
        if default is not None and name not in self.attributes:
            return default
        return self.numbers(name, 1)[0]

    def numbers(
        self,
        name: str,
        count: int | tuple[int, int],
        default: tuple[float, ...] | None = None,
    ) -> tuple[float, ...]:
        """Return an attribute that holds finite numbers.

        Args:
            name: Name of the attribute.
            count: Number of numbers, or the smallest and largest count.
            default: Value of a missing attribute; None makes it required.
        """
        if default is not None and name not in self.attributes:
            return default
        words = self.text(name).split()
        least, most = (count, count) if isinstance(count, int) else count
        if not least <= len(words) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise self.error(
                f"`{name}` needs {wanted} numbers, got {len(words)}: "
                f"{' '.join(words)!r:.60}",
                "separate them by spaces",
            )
        return tuple(self._finite(name, word) for word in words)

    def limit(self, name: str, default: float) -> float:
        """Return an attribute that bounds something; +-inf or 1e30 mean no bound."""
        if name not in self.attributes:
            return default
        return self.as_limit(name, self.attributes[name].strip())

    def as_limit(self, name: str, word: str) -> float:
        """Return one word of the attribute `name` as a bound, possibly infinite."""
        if word.lower().lstrip("+-") in ("inf", "infinity"):
            return -math.inf if word.startswith("-") else math.inf
        value = self._parsed(name, word)
        return math.copysign(math.inf, value) if abs(value) >= MAX_NUMBER else value

    def _finite(self, name: str, word: str) -> float:
        value = self._parsed(name, word)
        if abs(value) > MAX_NUMBER:
            raise self.error(
                f"`{name}` is {word!r:.60}, beyond {MAX_NUMBER:g}",
                "check the exponent; lengths are in m, masses in kg",
            )
        return value

    def _parsed(self, name: str, word: str) -> float:
        if not _NUMBER.fullmatch(word):
            raise self.error(
                f"`{name}` must be a finite number, got {word!r:.60}",
                "write it with a decimal point, such as 0.25 or 1e-3",
            )
        return float(word)

    def walk(self) -> Iterator[XmlElement]:
        """Yield this element and all below it, in the order of the file."""
        stack: list[XmlElement] = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))


def closest(name: str, known: Iterable[str]) -> str:
    """Return the remedy for a wrong name: the closest known ones, or all of them."""
    known = sorted(set(known))
    short = [n for n in known[:500] if len(n) <= 100]  # comparing costs their product
    near = difflib.get_close_matches(name[:100], short, n=3, cutoff=0.6)
    words: list[str] = []
    if near:
        words.append("did you mean " + " or ".join(repr(n) for n in near) + "?")
    if not near or len(known) <= 8:
        more = ", ..." if len(known) > 20 else ""
        words.append("known are: " + (", ".join(known[:20]) or "none") + more)
    return " ".join(words)


def parse_xml(
    source: str | bytes, path: str | Path, *, keep_words: bool = False
) -> XmlElement:
    """Return the root element of an XML text.

    Args:
        source: Text, or bytes in the encoding that the XML declaration names.
        path: File name for error messages.
        keep_words: Keep the text between tags.

    Raises:
        FileFormatError: If the text is not well-formed, declares a document type, or is
            nested absurdly.
    """
    path = str(path)
    if not source.strip():
        remedy = "export the robot again"
        raise FileFormatError(path, "the file is empty", remedy=remedy)
    is_text = isinstance(source, str)
    parser = expat.ParserCreate("utf-8" if is_text else None)
    parser.buffer_text = True
    data = source.encode("utf-8", "surrogatepass") if is_text else source
    builder = _Builder(parser, path)
    if keep_words:
        parser.CharacterDataHandler = builder.word
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FileFormatError(
            path,
            f"not well-formed XML: {expat.ErrorString(error.code)} "
            f"at column {error.offset + 1}",
            line=error.lineno,
            remedy="open it in a text editor at this line",
        ) from error
    except FileFormatError:
        raise
    except (LookupError, ValueError) as error:
        raise FileFormatError(
            path, f"unreadable encoding: {error}", remedy="save the file as UTF-8"
        ) from error
    assert builder.root is not None, "expat accepted a text without a root element"
    return builder.root


class _Builder:
    """Receives expat's events and builds the tree."""

    def __init__(self, parser: expat.XMLParserType, path: str) -> None:
        self.parser, self.path = parser, path
        self.root: XmlElement | None = None
        self.stack: list[XmlElement] = []
        self.count = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.StartDoctypeDeclHandler = self.doctype

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        parent = self.stack[-1] if self.stack else None
        line = self.parser.CurrentLineNumber
        element = XmlElement(tag, attributes, line, self.path, parent)
        self.count += 1
        if len(self.stack) >= MAX_DEPTH or self.count > MAX_ELEMENTS:
            raise FileFormatError(
                self.path,
                f"more than {MAX_DEPTH} nested or {MAX_ELEMENTS} elements in all",
                line=line,
                remedy="no robot needs that many; check the generator of the file",
            )
        if parent is None:
            self.root = element
        else:
            parent.children.append(element)
        self.stack.append(element)

    def end(self, _tag: str) -> None:
        self.stack.pop()

    def word(self, text: str) -> None:
        if self.stack:
            self.stack[-1].words += text

    def doctype(self, *_: object) -> None:
        raise FileFormatError(
            self.path,
            "document type declarations are refused (they can expand without bound)",
            line=self.parser.CurrentLineNumber,
            remedy="delete the <!DOCTYPE ...> block and write its entities out",
        )


def locate(
    error: ModelError, path: str, places: Mapping[tuple[str, str], XmlElement]
) -> FileFormatError:
    """Return a model error with the file and, if it names an element, its line.

    Args:
        error: Raised by `assemble`; its message names links and joints.
        path: The file.
        places: Element of each ("link", name), ("joint", name) and ("loop", name).
    """
    message = str(error)
    hits = [
        (message.find(f"{kind} {name!r}"), kind, name)
        for kind, name in places
        if f"{kind} {name!r}" in message
    ]
    remedy = "correct this element" if ";" not in message else ""
    if not hits:
        return FileFormatError(path, message, remedy=remedy)
    _, kind, name = min(hits)
    element = places[kind, name]
    label = f"{kind} {name!r}"
    problem = message.removeprefix(label).removeprefix(":").strip()
    return FileFormatError(
        element.path, problem, element=label, line=element.line, remedy=remedy
    )


# Characters that XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class XmlText:
    """Indented XML, built line by line."""

    def __init__(self) -> None:
        self._lines = ['<?xml version="1.0" encoding="utf-8"?>']
        self._open: list[str] = []
        self._last_open = ""

    def open(self, tag: str, **attributes: str | None) -> None:
        """Open an element; attributes that are None are left out."""
        self._put(f"<{tag}{_attributes(tag, attributes)}>")
        self._last_open = self._lines[-1]
        self._open.append(tag)

    def leaf(self, tag: str, **attributes: str | None) -> None:
        """Write an element without content."""
        self._put(f"<{tag}{_attributes(tag, attributes)}/>")

    def copy(self, element: XmlElement) -> None:
        """Write an element of another file with all that it holds."""
        words = element.words.strip()
        start = f"{element.tag}{_attributes(element.tag, dict(element.attributes))}"
        if element.children:
            self._put(f"<{start}>")
            self._open.append(element.tag)
            for child in element.children:
                self.copy(child)
            self._open.pop()
            self._put(f"</{element.tag}>")
        elif words:
            self._put(f"<{start}>{escape(words)}</{element.tag}>")
        else:
            self._put(f"<{start}/>")

    def close(self) -> None:
        """Close the element opened last."""
        tag = self._open.pop()
        if self._lines[-1] == self._last_open:  # nothing came in between
            self._lines[-1] = f"{self._last_open[:-1]}/>"
        else:
            self._put(f"</{tag}>")
        self._last_open = ""

    def text(self) -> str:
        """Return everything written; all elements must be closed."""
        assert not self._open, f"elements left open: {self._open}"
        return "\n".join(self._lines) + "\n"

    def _put(self, line: str) -> None:
        self._lines.append("  " * len(self._open) + line)


def _attributes(tag: str, attributes: dict[str, str | None]) -> str:
    words: list[str] = []
    for key, value in attributes.items():
        if value is None:
            continue
        if _FORBIDDEN.search(value):
            raise ConfigError(
                f"{tag} attribute `{key}` holds a character that XML cannot: "
                f"{value!r:.80}; rename it"
            )
        words.append(f" {key.rstrip('_')}={quoteattr(value)}")
    return "".join(words)


def number(value: float) -> str:
    """Return the shortest text that reads back as the same float64."""
    value = float(value)
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value)) if value or math.copysign(1.0, value) > 0 else "-0.0"
    return repr(value)


def numbers(values: Iterable[float] | FloatArray) -> str:
    """Return numbers separated by spaces."""
    return " ".join(number(value) for value in np.ravel(np.asarray(values, float)))


MAX_BYTES = 64 * 2**20  # the largest robot descriptions in use have about 5 MiB


def read_bytes(path: str | Path) -> bytes:
    """Return the content of a regular file.

    Raises:
        FileFormatError: If it does not exist, is a directory, empty, too large or may
            not be read.
    """
    path = Path(path)
    try:
        if not path.exists():
            raise FileFormatError(path, "no such file", remedy=_where(path))
        if path.is_dir():
            remedy = "name the robot file inside it"
            raise FileFormatError(path, "this is a directory", remedy=remedy)
        if not path.is_file():
            raise FileFormatError(path, "not a regular file", remedy="copy it to one")
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileFormatError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "check the path and its permissions"
        raise FileFormatError(
            path, f"cannot be read: {reason}", remedy=remedy
        ) from error
    if len(data) > MAX_BYTES:
        raise FileFormatError(
            path,
            f"larger than {MAX_BYTES // 2**20} MiB",
            remedy="keep meshes in their own files",
        )
    return data


def _where(path: Path) -> str:
    """Return the remedy for a missing file: a near name, or where was looked."""
    folder = path.parent
    if not folder.is_dir():
        return f"the folder {str(folder.absolute())!r:.200} does not exist either"
    names = [entry.name for entry, _ in zip(folder.iterdir(), range(500), strict=False)]
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(repr(name) for name in near) + "?"
    return f"looked in {str(folder.absolute())!r:.200}; check the spelling"


def save_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 file that is complete at every moment it exists.

    The text goes to a file beside `path`, which then takes its name; a crash leaves the
    old file untouched.

    Raises:
        ConfigError: If the folder does not exist or cannot be written.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ConfigError(
            f"cannot write {str(path)!r}: {error.strerror or error}; "
            "check that the folder exists and may be written"
        ) from error

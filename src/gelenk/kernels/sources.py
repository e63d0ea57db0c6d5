"""Which source files a compiled function is made of.

A kernel holds the code of its own module and of what that imports, however indirectly.
The imports are read from the text, without running it. Those indented by one level count
too (types, for example); deeper ones stand inside methods, where no kernel sees them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(
    r"^(?: {4})?(?:from[ \t]+(?P<module>gelenk[\w.]*)[ \t]+import[ \t]+"
    r"(?:\((?P<many>[^)]*)\)|(?P<few>[^\n]+))|import[ \t]+(?P<plain>gelenk[\w.]*))",
    re.MULTILINE,
)


@cache
def sources_stamp(file: str) -> str:
    """Return a fingerprint of `file` and of all files of the package it draws on."""
    digest = hashlib.sha256()
    for path in sorted(reachable_sources(Path(file))):
        stat = path.stat()
        digest.update(f"{path.name}:{stat.st_size}:{stat.st_mtime_ns};".encode())
    return digest.hexdigest()


def reachable_sources(file: Path) -> set[Path]:
    """Return `file` and every file of the package it imports, directly or not."""
    found = {file}
    waiting = [file]
    while waiting:
        new = _imported_files(waiting.pop()) - found
        found |= new
        waiting.extend(new)
    return found


@cache
def _imported_files(file: Path) -> frozenset[Path]:
    text = file.read_text(encoding="utf-8")
    return frozenset(
        path
        for name in _imported_names(text)
        for path in _module_files(name)
        if path.is_file()
    )


def _imported_names(text: str) -> Iterator[str]:
    """Yield the dotted names that may be modules: `a.b` and `a.b.c` of each import."""
    for match in _IMPORT.finditer(text):
        module = match["module"] or match["plain"]
        yield module
        names = (match["many"] or match["few"] or "").split(",")
        for name in names:
            if word := name.split("#")[0].split():
                yield f"{module}.{word[0]}"


def _module_files(name: str) -> tuple[Path, Path]:
    path = _PACKAGE.parent.joinpath(*name.split("."))
    return path.with_name(f"{path.name}.py"), path / "__init__.py"

"""Expansion of xacro templates to URDF texts, with the package `xacro` if installed.

A template is a small program: its expressions are evaluated. Expand those that you
would run. Files that it includes must lie where `packages` looks for files.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError, FileFormatError
from gelenk.models.packages import FileFinder, PathLike
from gelenk.models.xml import parse_xml, read_bytes

INSTALL = "pip install 'gelenk[xacro]'"
_lock = threading.Lock()  # the package keeps its state in module variables


def expand_xacro(
    path: Path,
    *,
    arguments: Mapping[str, object] | None = None,
    package_dirs: Sequence[PathLike] = (),
) -> str:
    """Return the URDF text that a xacro template stands for.

    Args:
        path: The template.
        arguments: Values of its arguments, by name.
        package_dirs: Folders in which `$(find NAME)` looks for packages.

    Raises:
        FileFormatError: If the template is faulty, or needs a file that is not there.
        ConfigError: If the package xacro is not installed.
    """
    parse_xml(read_bytes(path), path)  # a located error for what is no XML
    try:
        engine: Any = importlib.import_module("xacro")
        places: Any = importlib.import_module("xacro.substitution_args")
    except ImportError as error:
        raise ConfigError(
            f"{path} is a xacro template, which the package xacro expands; install it "
            f"({INSTALL}), or expand the template: xacro robot.urdf.xacro > robot.urdf"
        ) from error
    words = {key: _word(value) for key, value in (arguments or {}).items()}
    finder = FileFinder(path, package_dirs)
    with _lock, _guarded(engine, places, finder):
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                document = engine.process_file(str(path), mappings=words)
            return document.toxml()
        except FileFormatError:
            raise
        except Exception as error:  # whatever its expressions raise
            stack = [name for name in engine.filestack if name]
            where = stack[-1] if stack else path
            text = " ".join(str(error).split()) or type(error).__name__
            raise FileFormatError(
                where,
                f"the template cannot be expanded: {text:.300}",
                remedy="give its arguments with `arguments=`, its packages with "
                "`package_dirs=`, or correct it",
            ) from error


def _word(value: object) -> str:
    """Return the value of an argument as a template reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@contextlib.contextmanager
def _guarded(engine: Any, places: Any, finder: FileFinder) -> Generator[None]:
    """Let the expansion find packages without ROS, and read only what it may."""
    parse, find = engine.parse, places._eval_find

    def guarded_parse(text: Any, filename: Any = None) -> Any:
        if text is None and filename is not None:
            if not finder.allows(Path(filename).absolute()):
                raise FileFormatError(
                    filename,
                    "the template includes a file outside its folder",
                    remedy="allow the folder with `package_dirs=`",
                )
            parse_xml(read_bytes(filename), filename)
        return parse(text, filename)

    def find_package(name: str) -> str:
        folder = finder.package(name)
        if folder is None:
            raise LookupError(f"there is no package {name!r:.80}")
        return str(folder)

    engine.parse, places._eval_find = guarded_parse, find_package
    try:
        yield
    finally:
        engine.parse, places._eval_find = parse, find

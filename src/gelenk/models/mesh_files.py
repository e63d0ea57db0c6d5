"""Mesh and image files of a robot that is written: names, copies, inline meshes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry.mesh import Mesh
from gelenk.models.link import Geometry
from gelenk.models.xml import number, save_text

FOLDER = "meshes"  # beside the robot file, for copies and inline meshes


class MeshFiles:
    """Names of the files of shapes, as a new robot file states them.

    Attributes:
        written: Files that were written or copied.
        nameless: Names of shapes whose mesh is inline and cannot be written to a text.
    """

    def __init__(self, folder: Path | None = None, *, copy: bool = False) -> None:
        """Make names for the files of one robot.

        Args:
            folder: Folder of the new robot file; None is for a text without one.
            copy: Whether files are copied beside the robot file.
        """
        self.folder, self.copy = folder, copy
        self.written: list[Path] = []
        self.nameless: list[str] = []
        self._names: dict[object, str] = {}
        self._taken: set[str] = set()

    def mesh(self, shape: Geometry, owner: str) -> str:
        """Return the file name of a mesh, empty if it has none.

        Args:
            shape: Shape of the kind "mesh".
            owner: Word for the file of an inline mesh, such as the link's name.
        """
        if shape.path is not None:
            return self._file(shape.path)
        if shape.data is None:
            return shape.mesh
        if self.folder is None:
            self.nameless.append(shape.name or owner)
            return ""
        key = id(shape.data)
        if key not in self._names:
            name = self._free(re.sub(r"\W+", "_", owner) or "mesh", ".obj")
            path = self._made(name)
            save_text(path, obj_text(shape.data))
            self.written.append(path)
            self._names[key] = f"{FOLDER}/{name}"
        return self._names[key]

    def image(self, path: Path) -> str:
        """Return the file name of a texture."""
        return self._file(path)

    def _file(self, path: Path) -> str:
        if self.folder is None:
            return str(path)
        if path not in self._names:
            self._names[path] = (
                self._copied(path) if self.copy else self._relative(path)
            )
        return self._names[path]

    def _relative(self, path: Path) -> str:
        assert self.folder is not None
        try:
            return Path(os.path.relpath(path, self.folder)).as_posix()
        except ValueError:  # another drive
            return path.as_posix()

    def _copied(self, path: Path) -> str:
        name = self._free(path.stem, path.suffix)
        target = self._made(name)
        try:
            if not (target.exists() and target.samefile(path)):
                shutil.copyfile(path, target)
        except OSError as error:
            raise ConfigError(
                f"cannot copy {str(path)!r} to {str(target)!r}: "
                f"{error.strerror or error}; pass copy_meshes=False"
            ) from error
        self.written.append(target)
        return f"{FOLDER}/{name}"

    def _made(self, name: str) -> Path:
        assert self.folder is not None
        try:
            (self.folder / FOLDER).mkdir(exist_ok=True)
        except OSError as error:
            raise ConfigError(
                f"cannot make the folder {str(self.folder / FOLDER)!r}: "
                f"{error.strerror or error}; check that the folder may be written"
            ) from error
        return self.folder / FOLDER / name

    def _free(self, stem: str, suffix: str) -> str:
        name, count = f"{stem}{suffix}", 2
        while name.lower() in self._taken:
            name, count = f"{stem}_{count}{suffix}", count + 1
        self._taken.add(name.lower())
        return name


def obj_text(mesh: Mesh) -> str:
    """Return a mesh in the OBJ format, exact to the last digit."""
    lines = [f"v {_words(corner)}" for corner in mesh.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in (np.asarray(mesh.faces) + 1).tolist()]
    return "\n".join(lines) + "\n"


def _words(values: Iterable[float]) -> str:
    return " ".join(number(value) for value in values)

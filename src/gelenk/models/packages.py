"""Files that a robot file names: meshes, textures and packages, found safely.

Names may be relative, `package://NAME/...`, `model://NAME/...`, `file://...` or
`$(find NAME)/...`. Only files in these folders are found:

- the nearest folder above the robot file that holds a package.xml, else the parent of
  the folder of the file;
- for `package://` and `model://` the folder of that package;
- the given `package_dirs`, and the packages that ROS_PACKAGE_PATH, AMENT_PREFIX_PATH,
  GAZEBO_MODEL_PATH and GZ_SIM_RESOURCE_PATH name.

What lies elsewhere is left alone, whatever the name says, and the reader warns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import unquote

PathLike = str | os.PathLike[str]

MAX_NAME = 1_000  # characters; longer names are no files
_LEVELS = 6  # folders above the file in which a package is looked for
_MANIFEST = "package.xml"
_SIGNS = (_MANIFEST, "meshes", "urdf", "xacro")  # what a package has
_LISTS = ("ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH")
_SCHEME = re.compile(r"(package|model)://+", re.IGNORECASE)
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_PACKAGE_NAME = re.compile(rb"<name>\s*([^<\s]+)\s*</name>")


class FileFinder:
    """Search for the files that one robot file names.

    Attributes:
        file: The robot file, or None for a text: then only packages of the environment
            and of `package_dirs` are found.
        missing: Names that were not found, by the sentence that says why and what to
            do.
    """

    def __init__(
        self,
        file: str | Path | None,
        package_dirs: Sequence[PathLike] = (),
    ) -> None:
        self.file = None if file is None else Path(file).absolute()
        self.missing: dict[str, list[str]] = {}
        self._given = [Path(folder).expanduser().absolute() for folder in package_dirs]
        self._roots = [] if self.file is None else _roots(self.file)
        # Installed packages are often links to their sources: there, names suffice.
        self._trusted = [*self._given, *_environment_folders()]
        self._trusted = [Path(os.path.normpath(folder)) for folder in self._trusted]
        self._packages: dict[str, Path | None] = {}
        self._known: dict[str, Path | None] = {}

    def resolve(self, name: str) -> Path | None:
        """Return the file of a name, None without one; `missing` then has the reason.

        Args:
            name: Name as the robot file states it.
        """
        if name not in self._known:
            found = self._find(name)
            if isinstance(found, str):
                self.missing.setdefault(found, []).append(name)
                found = None
            self._known[name] = found
        return self._known[name]

    def package(self, name: str) -> Path | None:
        """Return the folder of a package, None if there is none."""
        if name in ("", ".", "..") or "/" in name or "\\" in name or "\0" in name:
            return None
        if name not in self._packages:
            self._packages[name] = self._find_package(name)
        return self._packages[name]

    def allows(self, path: Path) -> bool:
        """Return whether a file lies where files may be read."""
        packages = [folder for folder in self._packages.values() if folder is not None]
        return self._is_under(path, [*self._roots, *self._trusted, *packages])

    def _find(self, name: str) -> Path | str:
        """Return the file of a name, or why there is none."""
        if not name or len(name) > MAX_NAME or "\0" in name:
            return "this is no name of a file; correct it"
        if "\\" in name and not _DRIVE.match(name):
            name = name.replace("\\", "/")
        if name.startswith("file://"):
            name = unquote(name[7:])
        name = _FIND.sub(lambda match: f"package://{match[1]}/", name, count=1)
        scheme = _SCHEME.match(name)
        if scheme:
            return self._in_package(name[scheme.end() :])
        if _DRIVE.match(name) or "://" in name:
            return "only files of this machine can be read; copy it beside the file"
        return self._beside(name)

    def _in_package(self, name: str) -> Path | str:
        package, _, rest = name.partition("/")
        rest = rest.lstrip("/")
        if package in ("", ".", "..") or not rest:
            return "the name of a package and a file in it are needed; correct it"
        folder = self.package(package)
        if folder is not None:
            found = self._inside(folder / rest, [folder])
            if found is not None:
                return found
        for root in self._roots:  # the package itself, in a folder of another name
            found = self._inside(root / rest, self._roots)
            if found is not None:
                return found
        if folder is None:
            return (
                f"there is no package {package!r:.80}; name the folder that holds it "
                "with `package_dirs=`, or in ROS_PACKAGE_PATH"
            )
        return f"it is not in the package {package!r:.80} ({folder}); copy it there"

    def _beside(self, name: str) -> Path | str:
        """Return the file of a relative or absolute name, or why there is none."""
        bases = [*([self.file.parent] if self.file else ()), *self._given]
        if not bases:
            return "a text has no folder; load it from a file, or pass `package_dirs=`"
        roots = [*self._roots, *self._trusted]
        is_outside = False
        for base in (*bases, *self._roots):
            candidate = base / name
            found = self._inside(candidate, roots)
            if found is not None:
                return found
            is_outside |= not self._is_under(candidate, roots)
        if is_outside:
            return (
                "it lies outside the folder of the robot and is not read; copy it "
                "there, or allow its folder with `package_dirs=`"
            )
        return f"there is no such file beside {bases[0]}; copy it there"

    def _find_package(self, name: str) -> Path | None:
        for folder in self._trusted:
            if folder.name == name and folder.is_dir():
                return folder
            if (folder / name).is_dir():
                return folder / name
            if _manifest_name(folder) == name:
                return folder
        for root in self._roots:
            if _manifest_name(root) == name:
                return root
        return self._package_above(name)

    def _package_above(self, name: str) -> Path | None:
        """Return a folder named like the package, above the file or beside its roots.

        Beside the roots only what looks like a package counts, and never in the folders
        that hold all of a user's files.
        """
        if self.file is None:
            return None
        above = [p for p in self.file.parents if not _is_general(p)][:_LEVELS]
        for folder in above:
            if folder.name == name:
                return folder
        for folder in above:
            beside = folder / name
            if self._is_under(beside, self._roots) and beside.is_dir():
                return beside
            if any((beside / word).exists() for word in _SIGNS):
                return beside
        return None

    def _inside(self, candidate: Path, roots: Iterable[Path]) -> Path | None:
        """Return a file if it exists under one of the folders, else None."""
        candidate = Path(os.path.normpath(candidate))
        try:
            if self._is_under(candidate, roots) and candidate.is_file():
                return candidate
        except (OSError, ValueError):
            pass
        return None

    def _is_under(self, path: Path, roots: Iterable[Path]) -> bool:
        """Return whether a path lies in a folder, by name and with links followed."""
        roots = list(roots)
        path = Path(os.path.normpath(path))
        if not any(path.is_relative_to(root) for root in roots):
            return False
        if any(path.is_relative_to(folder) for folder in self._trusted):
            return True
        real = Path(os.path.realpath(path))
        allowed = [*roots, *self._roots]
        return any(real.is_relative_to(os.path.realpath(root)) for root in allowed)


def resolve(
    name: str,
    file: str | Path | None,
    package_dirs: Sequence[PathLike] = (),
) -> Path | None:
    """Return the file that a robot file names, None without one.

    Args:
        name: Name as the robot file states it, such as package://arm/base.stl.
        file: The robot file, None for a text.
        package_dirs: Folders of packages, or folders in which packages lie.
    """
    return FileFinder(file, package_dirs).resolve(name)


def missing_files(finder: FileFinder) -> list[str]:
    """Return one sentence for each reason why files were not found."""
    sentences: list[str] = []
    for reason, names in finder.missing.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        problem, _, remedy = reason.partition("; ")
        sentences.append(f"file {names[0]!r:.200}{more}: {problem}; {remedy}")
    return sentences


def _roots(file: Path) -> list[Path]:
    """Return the folders whose files a robot file may name, links followed too."""
    roots: list[Path] = []
    for path in dict.fromkeys((file, Path(os.path.realpath(file)))):
        parents = [p for p in path.parents if not _is_general(p)][:_LEVELS]
        holder = next((p for p in parents if (p / _MANIFEST).is_file()), None)
        if holder is None:
            holder = path.parent.parent
            if _is_general(holder):
                holder = path.parent
        roots.append(holder)
    return roots


def _is_general(folder: Path) -> bool:
    """Return whether a folder holds all of a machine's or a user's files."""
    if len(folder.parts) <= 2:  # the root of the file system, and what lies in it
        return True
    home = Path(os.path.expanduser("~"))
    return folder == home or folder in home.parents


def _environment_folders() -> list[Path]:
    folders = [
        Path(entry)
        for key in _LISTS
        for entry in os.environ.get(key, "").split(os.pathsep)
        if entry
    ]
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    folders += [Path(entry) / "share" for entry in prefixes if entry]
    return folders


def _manifest_name(folder: Path) -> str:
    """Return the name in a folder's package.xml, empty without one."""
    try:
        with (folder / _MANIFEST).open("rb") as stream:
            match = _PACKAGE_NAME.search(stream.read(16_384))
    except (OSError, ValueError):
        return ""
    return match[1].decode("utf-8", "replace") if match else ""

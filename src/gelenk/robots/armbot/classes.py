"""Classes by their names: arms, grippers, controllers and trigger processors.

A name can be, tried in this order:

1. `folder/file.py:Class`, from the folder of the environment file or the current one;
2. `module.Class`, where `module.py` lies in one of these folders;
3. `manipulators.Class`, `grippers.Class` or `robotcontroller.Class`: what ships;
4. any dotted name that Python can import.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from gelenk.errors import ConfigError
from gelenk.robots.armbot.assets import controller_files
from gelenk.robots.armbot.environment.description import Given
from gelenk.robots.armbot.problems import close_match

T = TypeVar("T")

_HOME = "gelenk.robots.armbot"
_LIBRARY = str(Path(__file__).parents[2])  # .../gelenk; what is in it is not the user's
# The paper's examples write manipulators.TwoFingerGripper: both kinds, one package.
_SHORT = {
    "manipulators": (f"{_HOME}.manipulators", f"{_HOME}.grippers"),
    "grippers": (f"{_HOME}.grippers",),
    "robotcontroller": (f"{_HOME}.controllers",),
}
_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_DUTIES = ("build", "run", "receive_trigger")  # what a base class leaves to be written


def load_class(
    given: Given, base: type, *, kind: str, folder: Path | None = None
) -> type[Any]:
    """Return the class of a name, ready to be made without arguments.

    Args:
        given: The name, and where it was given.
        base: What it must be derived from.
        kind: What it is for people, such as "manipulator".
        folder: Folder of the environment file; None: that of the file in which the
            name was given, if it was.

    Raises:
        ConfigError: If it cannot be found, loaded or used; says where the name was
            given, why, and what comes closest.
    """
    text = given.text.strip()
    if folder is None and given.place.line:
        folder = Path(given.place.file).parent
    folders = [item for item in (folder, Path.cwd()) if item is not None]
    try:
        found = _find(text, base, folders)
        _check(found, base)
    except ConfigError as error:
        raise ConfigError(f"{given.place}: {kind} {text!r}: {error}") from error
    return found


def make_instance(found: type[T], *, owner: str) -> T:
    """Return an object of a user's class.

    Args:
        found: The class.
        owner: Whose it is, such as "robot 2".

    Raises:
        ConfigError: If its constructor fails; names the line.
    """
    try:
        return found()
    except (Exception, SystemExit) as error:
        raise ConfigError(
            f"the constructor of {found.__name__} ({owner}) failed: "
            f"{_where(error)}{type(error).__name__}: {error}"
        ) from error


def _find(text: str, base: type, folders: Sequence[Path]) -> Any:
    if ".py:" in text:
        file, _, name = text.rpartition(":")
        return _pick(_load_file(_find_file(file, folders)), name, base)
    if not _DOTTED.fullmatch(text):
        raise ConfigError(
            "expected a name such as package.module.Class or folder/file.py:Class"
        )
    module_name, _, name = text.rpartition(".")
    for folder in dict.fromkeys(folders):
        path = folder.joinpath(*module_name.split(".")).with_suffix(".py")
        if path.is_file():
            return _pick(_load_file(path), name, base)
    if module_name in _SHORT:
        return _find_shipped(module_name, name, base)
    return _pick(_import(module_name, folders), name, base)


# -- what ships --------------------------------------------------------------------


def _find_shipped(short: str, name: str, base: type) -> Any:
    homes = [importlib.import_module(home) for home in _SHORT[short]]
    if short == "robotcontroller":
        homes += [_load_file(path) for path in controller_files()]
    for home in homes:
        if isinstance(vars(home).get(name), type):
            return vars(home)[name]
    names = [key for home in homes for key in _fitting(home, base)]
    raise ConfigError(_missing(f"class {name!r} in {short}", name, names))


# -- modules -----------------------------------------------------------------------


def _find_file(file: str, folders: Sequence[Path]) -> Path:
    path = Path(file).expanduser()
    tried = [path] if path.is_absolute() else [folder / path for folder in folders]
    for candidate in tried:
        if candidate.is_file():
            return candidate
    neighbours = {item.name for folder in folders for item in folder.glob("*.py")}
    places = " or ".join(dict.fromkeys(str(item.parent) for item in tried))
    hint = close_match(path.name, neighbours)
    raise ConfigError(f"there is no file {path.name} in {places}{hint}")


def _load_file(path: Path) -> ModuleType:
    """Return the module of a file; loaded anew only if the file has changed."""
    path = path.resolve()
    name = "gelenk_armbot_" + hashlib.sha256(str(path).encode()).hexdigest()[:12]
    try:
        source = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    digest = hashlib.sha256(source).hexdigest()
    known = sys.modules.get(name)
    if known is not None and known.__dict__.get("__gelenk_digest__") == digest:
        return known
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__gelenk_digest__"] = digest
    sys.modules[name] = module  # dataclasses look their module up by name
    try:
        with _importable([path.parent]), _told(path):
            # Not by the loader: its cache takes a file changed within a second for
            # the old one.
            exec(loader.source_to_code(source, str(path)), module.__dict__)
    except ConfigError:
        del sys.modules[name]
        raise
    return module


def _import(name: str, folders: Sequence[Path]) -> ModuleType:
    try:
        with _importable(folders), _told(name):
            return importlib.import_module(name)
    except ConfigError as error:
        cause = error.__cause__
        is_missing = isinstance(cause, ModuleNotFoundError)
        if not is_missing or not f"{name}.".startswith(f"{cause.name}."):
            raise
        stems = {item.stem for folder in folders for item in folder.glob("*.py")}
        places = " or ".join(dict.fromkeys(str(folder) for folder in folders))
        hint = close_match(name, {*stems, *_SHORT})
        raise ConfigError(
            f"there is no module {name!r}, neither installed nor as {name}.py in "
            f"{places}{hint}"
        ) from cause


@contextmanager
def _importable(folders: Iterable[Path]) -> Iterator[None]:
    """Let modules of folders be found, as those beside a script are."""
    added = [str(folder.resolve()) for folder in folders]
    sys.path[:0] = added
    try:
        yield
    finally:
        for entry in added:
            with suppress(ValueError):  # what was loaded may tidy up itself
                sys.path.remove(entry)


@contextmanager
def _told(what: object) -> Iterator[None]:
    """Turn whatever is raised while a module is loaded into a message."""
    try:
        yield
    except (Exception, SystemExit) as error:
        summary = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ConfigError(
            f"{what} cannot be loaded: {_where(error)}{summary}"
        ) from error


def _where(error: BaseException) -> str:
    """Return "file:line: " of the user's own line that raised, if there is one."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: " if error.lineno else ""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((_LIBRARY, "<frozen importlib"))
    ]
    return f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""


# -- classes -----------------------------------------------------------------------


def _pick(module: ModuleType, name: str, base: type) -> Any:
    found = vars(module).get(name)
    if found is None:
        where = Path(str(module.__file__)).name if module.__file__ else module.__name__
        names = _fitting(module, base)
        raise ConfigError(_missing(f"class {name!r} in {where}", name, names))
    return found


def _fitting(module: ModuleType, base: type) -> list[str]:
    """Return the names of the classes in a module that are derived from `base`."""
    return [
        name
        for name, item in vars(module).items()
        if isinstance(item, type) and issubclass(item, base) and item is not base
    ]


def _missing(what: str, name: str, names: Sequence[str]) -> str:
    listing = f"; there are {', '.join(sorted(names))}" if names else ""
    return f"there is no {what}{close_match(name, names, or_list=listing)}"


def _check(found: Any, base: type) -> None:
    """Refuse what cannot be made or does not do what its base class asks for."""
    if not isinstance(found, type):
        raise ConfigError(f"expected a class, got a {type(found).__name__}")
    if not issubclass(found, base):
        parents = ", ".join(parent.__name__ for parent in found.__bases__)
        raise ConfigError(
            f"expected a class derived from {base.__name__}, got one derived from "
            f"{parents}; write class {found.__name__}({base.__name__})"
        )
    left = sorted(getattr(found, "__abstractmethods__", ()))
    left += [duty for duty in _DUTIES if _is_left_open(found, base, duty)]
    if left:
        methods = " and ".join(f"{name}()" for name in dict.fromkeys(left))
        raise ConfigError(f"it does not say how it works; write its {methods}")
    try:
        inspect.signature(found).bind()
    except TypeError as error:
        raise ConfigError(
            f"it is made without arguments, but {error}; give them defaults, or use "
            "the configuration text"
        ) from error


def _is_left_open(found: type, base: type, duty: str) -> bool:
    """Return whether a method that only raises NotImplementedError was inherited."""
    method = getattr(base, duty, None)
    if method is None or getattr(found, duty, None) is not method:
        return False
    return "NotImplementedError" in method.__code__.co_names

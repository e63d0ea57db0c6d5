"""Scenarios: seeded experiments with a configuration, found by name and run by seed.

A scenario is a function `(config, seed, recorder) -> Outcome` together with the frozen
dataclass of its configuration. The same configuration and seed give the same outcome,
bit for bit, in any process.

Names: `bounce` lives in `gelenk.runtime.scenarios.bounce`, `piggy/toss` in
`gelenk.robots.piggy.scenario`, `course/arm_cell` in `gelenk.course.scenario`. Scenarios
of your own are named by their place: `package.module:function` or
`folder/file.py:function`. Nothing is registered at import: a scenario exists where its
module defines it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.runtime.config import Layer, Resolved, resolve

BUILT_IN = "gelenk.runtime.scenarios"
ROBOTS = "gelenk.robots"
COURSE = "gelenk.course"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one run of a scenario came to.

    Attributes:
        ok: Whether the run met the scenario's criterion.
        figures: What was measured, by name; units are those of `Scenario.figures`.
        reason: Why it did not, in words; empty if it did.
    """

    ok: bool
    figures: dict[str, float] = field(default_factory=dict[str, float])
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What a measured number means.

    Attributes:
        unit: Unit, empty for ratios and counts.
        worst: Which end is the bad one.
        help: The figure in a few words.
    """

    unit: str = ""
    worst: Literal["largest", "smallest"] = "largest"
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConfig:
    """Configuration of a scenario that has nothing to set."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scenario:
    """A seeded experiment; calling it runs it once.

    Attributes:
        name: Name that users say.
        function: `(config, seed, recorder | None) -> Outcome`.
        config_type: Frozen dataclass with defaults.
        figures: Meaning of the figures, by name, in the order of the tables.
        acceptance: Least share of trials that must be ok, 0 to 1.
        summary: One line for lists.
        layers: What the robot and the scenario set over the defaults, weakest first.
        warm_up: Called once per worker process before its first trial, to compile and
            load what the first trial should not pay for.
    """

    name: str
    function: Callable[[Any, int, Any], Outcome]
    config_type: type
    figures: Mapping[str, Figure]
    acceptance: float = 1.0
    summary: str = ""
    layers: tuple[Layer, ...] = ()
    warm_up: Callable[[], object] | None = None

    def __call__(self, config: Any, seed: int, recorder: Any = None) -> Outcome:
        """Run once and return the outcome."""
        return self.function(config, seed, recorder)

    def resolve(self, *layers: Layer) -> Resolved[Any]:
        """Return the configuration that further layers, the last strongest, make."""
        return resolve(self.config_type, [*self.layers, *layers])

    def as_config(self, values: Any, *, origin: str = "values") -> Any:
        """Return the configuration of plain values, or the one that is given."""
        if isinstance(values, self.config_type):
            return values
        return self.resolve(Layer(origin=origin, values=values or {})).config

    @property
    def reference(self) -> str:
        """Text by which another process finds this scenario: module or file."""
        module = sys.modules[self.function.__module__]
        name = self.function.__qualname__
        if "<locals>" in name:
            raise ConfigError(
                f"scenario {self.name!r} is defined inside a function, where no other "
                "process can find it; move it to the top of its module"
            )
        path = getattr(module, "__file__", None)
        is_file = module.__name__ == "__main__" or hasattr(module, "__gelenk_file__")
        if not is_file:
            return f"{module.__name__}:{name}"
        if path is None:
            raise ConfigError(
                f"scenario {self.name!r} has no file, so no other process can find it; "
                "save it in a file"
            )
        return f"{Path(path).resolve()}:{name}"

    @property
    def address(self) -> str:
        """The name if the scenario ships with gelenk, else its `reference`."""
        module = self.function.__module__
        is_ours = module.startswith((f"{BUILT_IN}.", f"{ROBOTS}.", f"{COURSE}."))
        return self.name if is_ours else self.reference

    @property
    def source_digest(self) -> str:
        """16 digits that change with the file that defines the scenario."""
        path = getattr(sys.modules[self.function.__module__], "__file__", None)
        text = Path(path).read_bytes() if path and Path(path).exists() else b""
        return hashlib.sha256(text).hexdigest()[:16]


def scenario(
    name: str,
    *,
    config: type = NoConfig,
    figures: Mapping[str, Figure] | None = None,
    acceptance: float = 1.0,
    layers: Sequence[Layer] = (),
    warm_up: Callable[[], object] | None = None,
) -> Callable[[Callable[[Any, int, Any], Outcome]], Scenario]:
    """Return the decorator that makes a scenario of a function.

    The first line of the function's docstring is its summary.

    Args:
        name: Name that users say.
        config: Frozen dataclass with a default for every field.
        figures: Meaning of the figures; others that the function returns are shown too.
        acceptance: Least share of trials that must be ok.
        layers: What the robot and the scenario set over the defaults, weakest first.
        warm_up: Called once per worker process before its first trial.
    """
    if not 0.0 <= acceptance <= 1.0:
        raise ConfigError(f"`acceptance` must be from 0 to 1, got {acceptance!r}")

    def decorate(function: Callable[[Any, int, Any], Outcome]) -> Scenario:
        return Scenario(
            name=name,
            function=function,
            config_type=config,
            figures=dict(figures or {}),
            acceptance=acceptance,
            summary=(function.__doc__ or "").strip().partition("\n")[0],
            layers=tuple(layers),
            warm_up=warm_up,
        )

    return decorate


def run_scenario(
    name: str | Scenario, config: Any = None, seed: int = 0, recorder: Any = None
) -> Outcome:
    """Run a scenario once.

    Args:
        name: Its name, `package.module:function`, `file.py:function`, or itself.
        config: Its configuration, or plain values of which missing ones are defaults.
        seed: Seed of everything that is drawn.
        recorder: Where its messages go, or None.
    """
    found = get_scenario(name)
    return found(found.as_config(config), seed, recorder)


def get_scenario(name: str | Scenario) -> Scenario:
    """Return the scenario of a name, a place in a module, or a place in a file."""
    if isinstance(name, Scenario):
        return name
    if ":" in name:
        return _scenario_at(name)
    home = _home(name)
    if home is not None:
        for found in _scenarios_in(home):
            if found.name == name:
                return found
    available = {found.name: found for found in list_scenarios()}
    if name in available:
        return available[name]
    raise NameNotFoundError("scenario", name, available)


def list_scenarios() -> list[Scenario]:
    """Return the scenarios that ship with gelenk, by name."""
    found: dict[str, Scenario] = {}
    for module_name in _module_names():
        for item in _scenarios_in(importlib.import_module(module_name)):
            found[item.name] = item
    return [found[name] for name in sorted(found)]


def _home(name: str) -> ModuleType | None:
    """Return the module where a name lives by convention, if it exists."""
    robot, slash, _ = name.partition("/")
    package = COURSE if robot == COURSE.rpartition(".")[2] else f"{ROBOTS}.{robot}"
    place = f"{package}.scenario" if slash else f"{BUILT_IN}.{name}"
    if not all(part.isidentifier() for part in place.split(".")):
        return None
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        if error.name is not None and place.startswith(error.name):
            return None
        raise


def _module_names() -> Iterator[str]:
    for package_name in (BUILT_IN, ROBOTS):
        if importlib.util.find_spec(package_name) is None:
            continue
        package = importlib.import_module(package_name)
        for info in pkgutil.iter_modules(package.__path__, package_name + "."):
            if package_name == BUILT_IN:
                yield info.name
            elif importlib.util.find_spec(info.name + ".scenario") is not None:
                yield info.name + ".scenario"
    yield f"{COURSE}.scenario"


def _scenarios_in(module: ModuleType) -> list[Scenario]:
    return [item for item in vars(module).values() if isinstance(item, Scenario)]


def _scenario_at(reference: str) -> Scenario:
    place, _, attribute = reference.rpartition(":")
    is_file = place.endswith(".py")
    module = _module_of_file(Path(place)) if is_file else _module_of_name(place)
    names = {
        key: item for key, item in vars(module).items() if isinstance(item, Scenario)
    }
    found = vars(module).get(attribute)
    if isinstance(found, Scenario):
        return found
    if found is not None:
        raise ConfigError(
            f"`{attribute}` in {place} is no scenario; put @scenario(...) above it"
        )
    raise NameNotFoundError(f"scenario in {place}", attribute, names)


def _module_of_name(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise ConfigError(
            f"no module named {name!r} for a scenario; is it installed, or is its "
            "folder missing in PYTHONPATH?"
        ) from error


def _module_of_file(path: Path) -> ModuleType:
    """Return the module of a file; one file is loaded once per process."""
    path = path.resolve()
    if not path.is_file():
        raise ConfigError(f"there is no file {path}")
    name = "gelenk_file_" + hashlib.sha256(str(path).encode()).hexdigest()[:12]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["__gelenk_file__"] = str(path)
    sys.modules[name] = module  # dataclasses look their module up by name
    sys.path.insert(0, str(path.parent))  # its neighbours, as with `python file.py`
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        kind = type(error).__name__
        raise ConfigError(f"{path} cannot be loaded: {kind}: {error}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module

"""Scenarios: seeded experiments with a configuration, found by name and run by seed.

A scenario is a function `(config, seed, recorder) -> Outcome` together with the frozen
dataclass of its configuration. The same configuration and seed give the same outcome,
bit for bit, in any process.

Scenarios are found by the entry points `gelenk.scenarios` of installed packages: the
name of the entry point is the first part of the scenarios' names (`piggy` of
`piggy/play`), its object the module that holds them. Scenarios of your own need no
package: they are named by their place, `package.module:function` or
`folder/file.py:function`. Nothing is registered at import.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.plugins import Plugin, PluginError, find_plugins
from gelenk.runtime.config import ConfigLayer, Resolved, resolve, setting

if TYPE_CHECKING:
    from gelenk.runtime.scene import SceneSpec

GROUP = "gelenk.scenarios"  # of entry points


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Outcome of one run of a scenario.

    Attributes:
        ok: Whether the run met the scenario's criterion.
        figures: Measured figures by name; units are those of `Scenario.figures`.
        reason: Cause of a miss in words; empty if the criterion was met.

    Example:
        >>> from gelenk.runtime import Outcome
        >>> Outcome(ok=False, figures={"error": 0.2}, reason="too far").ok
        False
    """

    ok: bool
    figures: dict[str, float] = field(default_factory=dict[str, float])
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Meaning of a measured number.

    Attributes:
        unit: Unit, empty for ratios and counts.
        worst: Bad end of the range.
        help: The figure in a few words.

    Example:
        >>> from gelenk.runtime import Figure
        >>> Figure(unit="m", help="distance to the target").worst
        'largest'
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
        function: Function `(config, seed, recorder | None) -> Outcome`.
        config_type: Frozen dataclass with defaults.
        figures: Meaning of the figures, by name, in the order of the tables.
        acceptance: Least share of trials that must be ok, 0 to 1.
        summary: One line for lists.
        layers: Layers of the robot and the scenario over the defaults, weakest first.
        warm_up: Function that compiles and loads ahead of the first trial, called once
            per worker process.

    Example:
        >>> from gelenk.runtime import get_scenario
        >>> bounce = get_scenario("bounce")
        >>> bounce.figures["rest_time"].unit
        's'
        >>> bounce(bounce.as_config({"height": (0.05, 0.05)}), 1).ok
        True
    """

    name: str
    function: Callable[[Any, int, Any], Outcome]
    config_type: type
    figures: Mapping[str, Figure]
    acceptance: float = 1.0
    summary: str = ""
    layers: tuple[ConfigLayer, ...] = ()
    warm_up: Callable[[], object] | None = None

    def __call__(self, config: object, seed: int, recorder: object = None) -> Outcome:
        """Run once and return the outcome."""
        return self.function(config, seed, recorder)

    def resolve(self, *layers: ConfigLayer) -> Resolved[Any]:
        """Return the configuration that further layers, the last strongest, make."""
        return resolve(self.config_type, [*self.layers, *layers])

    def as_config(self, values: Any, *, origin: str = "values") -> Any:
        """Return the configuration of plain values, or the one that is given."""
        if isinstance(values, self.config_type):
            return values
        return self.resolve(ConfigLayer(origin=origin, values=values or {})).config

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
        """The name if an installed package has the scenario, else its `reference`."""
        found = _find_installed(self.name)
        module = self.function.__module__
        is_installed = found is not None and found.function.__module__ == module
        return self.name if is_installed else self.reference

    @property
    def is_ours(self) -> bool:
        """Whether the scenario is a part of gelenk."""
        return self.function.__module__.startswith("gelenk.")

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
    layers: Sequence[ConfigLayer] = (),
    warm_up: Callable[[], object] | None = None,
) -> Callable[[Callable[[Any, int, Any], Outcome]], Scenario]:
    """Return the decorator that makes a scenario of a function.

    The first line of the function's docstring is its summary.

    Args:
        name: Name that users say.
        config: Frozen dataclass with a default for every field.
        figures: Meaning of the figures; others that the function returns are shown too.
        acceptance: Least share of trials that must be ok.
        layers: Layers of the robot and the scenario over the defaults, weakest first.
        warm_up: Function called once per worker process before its first trial.
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
    name: str | Scenario, config: object = None, seed: int = 0, recorder: object = None
) -> Outcome:
    """Run a scenario once.

    Args:
        name: Name of the scenario, `package.module:function`, `file.py:function`, or
            the scenario itself.
        config: Configuration, or plain values of which missing ones are defaults.
        seed: Seed of all random draws.
        recorder: Recorder of the messages, or None.

    Example:
        >>> from gelenk.runtime import run_scenario
        >>> low = {"height": (0.05, 0.05), "restitution": (0.3, 0.3)}
        >>> run_scenario("bounce", low, seed=1).ok
        True
    """
    found = get_scenario(name)
    return found(found.as_config(config), seed, recorder)


def get_scenario(name: str | Scenario) -> Scenario:
    """Return the scenario of a name, a place in a module, or a place in a file.

    A scene of the page that has no scenario of its own is one as well: it runs for some
    seconds, see `scenario_of_scene`.

    Args:
        name: Name or place of a scenario, name of a scene, or the scenario itself.

    Raises:
        NameNotFoundError: If there is none.
        ConfigError: If the place holds no scenario.
        PluginError: If the package that has the scenario cannot be loaded.

    Example:
        >>> from gelenk.runtime import get_scenario
        >>> get_scenario("bounce").name
        'bounce'
    """
    if isinstance(name, Scenario):
        return name
    if ":" in name:
        return _scenario_at(name)
    found = _find_installed(name)
    if found is not None:
        return found
    from gelenk.runtime.registry import list_scenes

    scenes = list_scenes()
    if name in scenes:
        return scenario_of_scene(scenes[name])
    known = [item.name for item in list_scenarios()]
    raise NameNotFoundError("scenario or scene", name, {*known, *scenes})


def list_scenarios(problems: list[PluginError] | None = None) -> list[Scenario]:
    """Return the scenarios of all installed packages, sorted by name.

    Args:
        problems: List that gets an error for each plugin that cannot be used.

    Example:
        >>> from gelenk.runtime import list_scenarios
        >>> [item.name for item in list_scenarios() if item.name.startswith("b")]
        ['belt', 'billiards', 'bounce']
    """
    found: dict[str, Scenario] = {}
    for plugin in find_plugins(GROUP).values():
        try:
            for item in _scenarios_of(plugin):
                found.setdefault(item.name, item)
        except PluginError as error:
            if problems is not None:
                problems.append(error)
    return [found[name] for name in sorted(found)]


def _find_installed(name: str) -> Scenario | None:
    """Return the scenario of an installed package; loads no other package."""
    plugin = find_plugins(GROUP).get(name.partition("/")[0])
    if plugin is None:
        return None
    return next((item for item in _scenarios_of(plugin) if item.name == name), None)


def _scenarios_of(plugin: Plugin) -> list[Scenario]:
    module = plugin.load()
    return [item for item in vars(module).values() if isinstance(item, Scenario)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRunCfg:
    """Configuration of a scene that is computed without being shown.

    Attributes:
        seconds: Simulated time, unless all programs finish before.
    """

    seconds: float = setting(10.0, unit="s", minimum=0.01)


def scenario_of_scene(spec: SceneSpec) -> Scenario:
    """Return the scenario that computes a scene of the page without showing it.

    Its figures are those curves of the scene that have a value in the end.
    """

    def run_scene(config: SceneRunCfg, seed: int, recorder: Any) -> Outcome:
        from gelenk.runtime.controls import SetPaceRequest

        scene = spec.make(seed, {})
        try:
            if recorder is not None:
                recorder.attach(scene.run.bus)
            scene.run.do(SetPaceRequest(pace=None))
            if scene.run.executors and spec.repeats is not None:
                scene.run.run_until_idle(config.seconds)
            else:
                scene.run.run(config.seconds)
            figures = {"control_ticks": scene.run.clock.tick / scene.run.clock.stride}
            for curve in () if scene.exhibit is None else scene.exhibit.curves():
                value = float(curve.read())
                if math.isfinite(value):
                    figures[curve.name] = value
        finally:
            scene.free()
        return Outcome(ok=True, figures=figures)

    return Scenario(
        name=spec.name,
        function=run_scene,
        config_type=SceneRunCfg,
        figures={"control_ticks": Figure(help="Control ticks that were computed.")},
        summary=spec.summary,
    )


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

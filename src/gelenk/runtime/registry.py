"""Registry of everything that can be opened or run, one name for each subject.

Scenes are shown on the page (`gelenk open hall`), scenarios are computed
(`gelenk run hall`); where both exist for one subject, they share its name. All of them
are found by entry points of installed packages, so that anybody's package can add some:

    gelenk.robots      name of the robot: a `RobotSpec` of `gelenk.models.catalog`
    gelenk.scenes      any name: a sequence of `SceneSpec`
    gelenk.scenarios   first part of their names: a module with scenarios
    gelenk.services    first part of their names: services by name
    gelenk.files       suffix without dot: function from a path to a `SceneSpec`
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from gelenk.errors import NameNotFoundError
from gelenk.plugins import PluginError, find_plugins
from gelenk.runtime.scene import SceneSpec

SCENES, SCENARIOS = "gelenk.scenes", "gelenk.scenarios"
SERVICES, FILES = "gelenk.services", "gelenk.files"

Service: TypeAlias = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """Everything that one name stands for.

    Attributes:
        name: Name that users say.
        title: Title in a few words.
        summary: Summary in one sentence.
        kinds: Some of "scene", "scenario" and "robot".
    """

    name: str
    title: str
    summary: str
    kinds: tuple[str, ...]
    joints: str = ""
    provenance: str = ""


def list_scenes(problems: list[PluginError] | None = None) -> dict[str, SceneSpec]:
    """Return the scenes of all installed packages, by name.

    Args:
        problems: List that gets an error for each plugin that cannot be used.
    """
    found: dict[str, SceneSpec] = {}
    for plugin in find_plugins(SCENES).values():
        try:
            specs = plugin.load()
            if not all(isinstance(spec, SceneSpec) for spec in specs):
                raise plugin.error("expected a sequence of SceneSpec")
        except (PluginError, TypeError) as error:
            if problems is not None:
                is_named = isinstance(error, PluginError)
                problems.append(error if is_named else plugin.error(str(error)))
            continue
        for spec in specs:
            found.setdefault(spec.name, spec)
    return found


def list_subjects(problems: list[PluginError] | None = None) -> list[Subject]:
    """Return all scenes, scenarios and robots by name, one entry for each name.

    Args:
        problems: List that gets an error for each plugin that cannot be used.

    Returns:
        Subjects sorted by name.

    Example:
        >>> from gelenk.runtime import list_subjects
        >>> {item.name: item.kinds for item in list_subjects()}["hall"]
        ('scene', 'scenario')
    """
    from gelenk.models.catalog import registry as catalog
    from gelenk.runtime.scenario import list_scenarios

    scenes = list_scenes(problems)
    scenarios = {item.name: item for item in list_scenarios(problems)}
    robots = {spec.name: spec for spec in catalog.describe_all(problems)}
    subjects: list[Subject] = []
    for name in sorted({*scenes, *scenarios, *robots}):
        kinds, titles, summaries = [], [], []
        joints = provenance = ""
        if name in scenes:
            kinds.append("scene")
            titles.append(scenes[name].title)
            summaries.append(scenes[name].summary)
        if name in scenarios:
            kinds.append("scenario")
            summaries.append(scenarios[name].summary)
        if name in robots:
            kinds.append("robot")
            titles.append(robots[name].title)
            summaries.append(robots[name].title)
            joints, provenance = robots[name].joints, robots[name].provenance
        title = next(iter(titles), name.rpartition("/")[2].replace("_", " "))
        subjects.append(
            Subject(name, title, summaries[0], tuple(kinds), joints, provenance)
        )
    return subjects


def scene_of_file(path: Path) -> SceneSpec | None:
    """Return the scene that shows a file, None if no package opens its kind.

    Args:
        path: File whose suffix says its kind, such as `cell.env` or `arm.urdf`.

    Raises:
        GelenkError: If the file has mistakes, or its package cannot be loaded.
    """
    plugin = find_plugins(FILES).get(path.suffix.lstrip(".").lower())
    return None if plugin is None else plugin.load()(path)


def file_suffixes() -> tuple[str, ...]:
    """Return the suffixes of files that can be opened, with their dots."""
    return tuple(f".{name}" for name in find_plugins(FILES))


def find_service(name: str) -> Service:
    """Return a service by its name, such as `armbot.check`.

    Raises:
        NameNotFoundError: If no package has such a service.
        PluginError: If the package that has it cannot be loaded.
    """
    plugins = find_plugins(SERVICES)
    owner = name.partition(".")[0]
    if owner not in plugins:
        raise NameNotFoundError("package with services", owner, plugins)
    services: Mapping[str, Service] = plugins[owner].load()
    if name not in services:
        raise NameNotFoundError("service", name, services)
    return services[name]

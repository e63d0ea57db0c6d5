"""Plugins: what installed packages announce through entry points.

A package, ours or a stranger's, writes into its `pyproject.toml`

    [project.entry-points."gelenk.scenes"]
    mybot = "mybot.scenes:SCENES"

and is found as soon as it is installed. A plugin that cannot be loaded is reported with
its package and the remedy, and takes nothing else with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from gelenk.errors import GelenkError


class PluginError(GelenkError, ImportError):
    """An installed package announces something that cannot be used."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point of an installed package.

    Attributes:
        group: Group of the entry point, such as "gelenk.scenes".
        name: Name in the group.
        target: Object that is announced, `package.module` or `package.module:object`.
        package: Name and version of the package that announces it.
    """

    group: str
    name: str
    target: str
    package: str

    def load(self) -> Any:
        """Import the object that is announced.

        Raises:
            PluginError: If that fails; says which package, why, and the remedy.
        """
        try:
            return EntryPoint(self.name, self.target, self.group).load()
        except Exception as error:  # whatever a stranger's module does
            raise self.error(f"{type(error).__name__}: {error}") from error

    def error(self, problem: str) -> PluginError:
        """Return the error that says what is wrong with this plugin."""
        name = self.package.partition(" ")[0]
        return PluginError(
            f"package {self.package}, entry point {self.name!r} of {self.group} "
            f"({self.target}): {problem}; mend or upgrade the package, or remove it: "
            f"pip uninstall {name}"
        )


def find_plugins(group: str) -> dict[str, Plugin]:
    """Return the plugins of a group by name, ours before those of other packages.

    Where two packages announce the same name, the first one keeps it.

    Args:
        group: Group of entry points, such as "gelenk.robots".
    """
    found: list[Plugin] = []
    for point in entry_points(group=group):
        package = (
            "" if point.dist is None else f"{point.dist.name} {point.dist.version}"
        )
        found.append(Plugin(group, point.name, point.value, package))
    found.sort(key=lambda item: (not item.package.startswith("gelenk "), item.name))
    plugins: dict[str, Plugin] = {}
    for item in found:
        plugins.setdefault(item.name, item)
    return plugins

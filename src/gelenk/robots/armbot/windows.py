"""The additional windows and their menu, without a screen.

A page or a terminal draws them: it asks which are open and what they show. The
services behind the windows go on collecting while nobody looks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gelenk.errors import NameNotFoundError
from gelenk.robots.armbot.consoles import Commander, SystemLog, TriggerConsole
from gelenk.robots.armbot.debug_out import DebugOut

TITLES: Mapping[str, str] = {
    "debug_out": "Debug-Out",
    "commander": "Commander",
    "triggers": "Trigger Console",
    "system_log": "System Log",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuAction:
    """An entry of the menu of windows, with a tick while its window is open."""

    window: str
    title: str
    is_checked: bool


class Windows:
    """The additional windows: which there are, and which are open; at first none.

    Attributes:
        contents: What they show, by name.
    """

    def __init__(
        self,
        debug_out: DebugOut,
        commander: Commander,
        triggers: TriggerConsole,
        system_log: SystemLog,
    ) -> None:
        self.contents = {
            "debug_out": debug_out,
            "commander": commander,
            "triggers": triggers,
            "system_log": system_log,
        }
        self._lock = threading.Lock()
        self._open: frozenset[str] = frozenset()
        self._listeners: tuple[Callable[[str, bool], object], ...] = ()

    @property
    def menu(self) -> tuple[MenuAction, ...]:
        """The entries of the menu; `toggle` is what they do."""
        return tuple(
            MenuAction(window=name, title=title, is_checked=name in self._open)
            for name, title in TITLES.items()
        )

    def is_open(self, name: str) -> bool:
        """Return whether a window is open."""
        self._check(name)
        return name in self._open

    def open(self, name: str) -> None:
        """Open a window; an open one stays open.

        Raises:
            NameNotFoundError: If there is no such window.
        """
        self._set(name, True)

    def close(self, name: str) -> None:
        """Close a window; what it shows is still collected."""
        self._set(name, False)

    def toggle(self, name: str) -> bool:
        """Open a closed window, close an open one; return whether it is open now."""
        self._set(name, not self.is_open(name))
        return self.is_open(name)

    def listen(self, listener: Callable[[str, bool], object]) -> None:
        """Have `listener(name, is_open)` called whenever a window opens or closes."""
        self._listeners = (*self._listeners, listener)

    def lines(self, name: str, since: int = 0) -> tuple[str, ...]:
        """Return what a window shows, as text, from a line number on."""
        self._check(name)
        return tuple(str(item) for item in self.contents[name].scroll.since(since))

    def _set(self, name: str, is_open: bool) -> None:
        self._check(name)
        with self._lock:
            is_new = (name in self._open) != is_open
            self._open = self._open | {name} if is_open else self._open - {name}
        for listener in self._listeners if is_new else ():
            listener(name, is_open)

    def _check(self, name: str) -> None:
        if name not in TITLES:
            raise NameNotFoundError("window", name, TITLES)

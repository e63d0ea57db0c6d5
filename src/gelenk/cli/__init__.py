"""Command line `gelenk`: parses, calls, prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.cli.commands import main as main

__getattr__, __dir__, __all__ = make_facade(__name__, {"commands": ("main",)})

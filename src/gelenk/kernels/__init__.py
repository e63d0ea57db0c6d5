"""Compiled inner loops that the mathematics shares, and how they are compiled.

`kernel` compiles a function once per machine, `in_pieces` spreads a batch over all
cores, `announce_compiling` names who is told that compilation takes a while.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.kernels.announce import announce_compiling as announce_compiling
    from gelenk.kernels.batch import in_pieces as in_pieces
    from gelenk.kernels.compile import kernel as kernel

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

"""Figures of experiments, for the eye or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk.cli import exit_codes
from gelenk.cli.console import write, write_json

if TYPE_CHECKING:
    from gelenk.runtime.figures import ComparedFigure


def tell(figures: list[ComparedFigure], json: bool) -> int:
    """Print figures; return 1 if one is not as it should be."""
    from gelenk.runtime.figures import as_document

    ok = all(figure.holds for figure in figures)
    if json:
        write_json({"ok": ok, "figures": [as_document(figure) for figure in figures]})
    else:
        for figure in figures:
            mark = (
                "     "
                if figure.accepted is None
                else ("ok   " if figure.holds else "MISS ")
            )
            write(
                f"{mark}{figure.experiment}  {figure.quantity}: "
                f"{figure.value:.4g} {figure.unit}".rstrip()
                + (f" (thesis: {figure.thesis})" if figure.thesis else "")
            )
            if figure.note:
                write(f"            {figure.note}")
    return exit_codes.OK if ok else exit_codes.MISSED

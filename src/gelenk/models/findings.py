"""Faults of a robot file that were mended, collected and told as warnings."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from gelenk.errors import ModelWarning
from gelenk.models.xml import XmlElement

MAX_NOTES = 1_000  # a file with more faults is not read note by note
_PACKAGE = str(Path(__file__).parents[1])


class Findings:
    """Faults that a reader mended, each with file, line, element and remedy.

    Attributes:
        notes: Sentences in the order in which the faults were found.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._kinds: dict[str, tuple[str, int]] = {}

    def add(self, element: XmlElement, kind: str, problem: str, remedy: str) -> None:
        """Keep a fault of an element.

        Args:
            element: Element that has the fault.
            kind: Word for faults of this sort; a warning is given once for each.
            problem: The fault, and what was done about it.
            remedy: Correction of the file.
        """
        place = f"{element.path}, line {element.line}, {element.label}"
        self.tell(kind, f"{place}: {problem}; {remedy}")

    def tell(self, kind: str, sentence: str) -> None:
        """Keep a sentence on something that is no fault of one element."""
        first, count = self._kinds.get(kind, (sentence, 0))
        self._kinds[kind] = first, count + 1
        if len(self.notes) < MAX_NOTES:
            self.notes.append(sentence)

    def note(self, sentence: str) -> None:
        """Keep a sentence that is worth no warning."""
        if len(self.notes) < MAX_NOTES:
            self.notes.append(sentence)

    def warn(self) -> None:
        """Give one warning for each kind of fault."""
        for first, count in self._kinds.values():
            more = f" (and {count - 1} more, see `notes` of the model)"
            warn(first + (more if count > 1 else ""))


def warn(sentence: str) -> None:
    """Give a warning that names the line of the user's program."""
    level = 1
    frame = sys._getframe()  # pyright: ignore[reportPrivateUsage]
    while frame.f_back and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(sentence, ModelWarning, stacklevel=level)

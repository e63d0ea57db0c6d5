"""How a calibration ends: a result, or a named reason why there is none."""

from __future__ import annotations

from typing import Literal

from gelenk.errors import GelenkError

Verdict = Literal[
    "calibrated",
    "board not seen",
    "sphere not seen",
    "sphere cut off",
    "too few boards",
    "too few poses",
    "too few throws",
    "no agreement",
]


class CalibrationError(GelenkError):
    """A step of the calibration cannot give numbers; nothing was changed.

    Attributes:
        verdict: One of the named ends.
        reason: What was expected and what came.
        advice: What a person can do.
    """

    def __init__(self, verdict: Verdict, reason: str, *, advice: str = "") -> None:
        self.verdict: Verdict = verdict
        self.reason, self.advice = reason, advice
        super().__init__(f"{verdict}: {reason}" + (f"; {advice}" if advice else ""))

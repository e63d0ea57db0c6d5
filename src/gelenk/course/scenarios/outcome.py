"""What one trial of a scenario says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOutcome:
    """Result of one trial.

    Attributes:
        seed: Of all draws of the trial.
        is_reached: Whether it did what the scenario asks for.
        figures: What was measured, by name and unit: {"miss [m]": 0.001}.
        reason: Why it was not reached; empty if it was.
    """

    seed: int
    is_reached: bool
    figures: Mapping[str, float]
    reason: str = ""

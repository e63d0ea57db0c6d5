"""The experiments with the drive: EX-13 to EX-21, EX-25 to EX-28, EX-32, EX-36."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from experiments.figures import ComparedFigure
from experiments.piggy.drive_flank import believed_bat, stroke_errors
from experiments.piggy.drive_gear import (
    abrupt_reversal,
    free_play,
    gear_wear_sources,
    high_gain,
    play_oscillation,
    quiet_share,
)
from experiments.piggy.drive_moves import (
    ball_impact,
    patterns_and_direct,
    settling_times,
)
from experiments.piggy.drive_speed import (
    encoder_flicker,
    speed_and_acceleration,
    steady_errors,
    step_responses,
)

EXPERIMENTS: Mapping[str, Callable[[], list[ComparedFigure]]] = MappingProxyType(
    {
        "EX-13": encoder_flicker,
        "EX-14, EX-15": speed_and_acceleration,
        "EX-16": step_responses,
        "EX-17": steady_errors,
        "EX-18": lambda: play_oscillation() + quiet_share(),
        "EX-19": high_gain,
        "EX-20": free_play,
        "EX-21": patterns_and_direct,
        "EX-25, EX-26, EX-27": settling_times,
        "EX-28": ball_impact,
        "EX-32": abrupt_reversal,
        "EX-36": gear_wear_sources,
        "BX-09": lambda: believed_bat() + stroke_errors(),
    }
)

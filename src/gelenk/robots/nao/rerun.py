"""A recorded calibration once more, from its messages alone: no world, no images drawn.

Cognition hears what it heard, at the times at which it heard it, and must come to the
same boards, views and parameters.
"""

from __future__ import annotations

from typing import Any

from gelenk.robots.nao import config
from gelenk.robots.nao.cognition import (
    HEARD,
    CognitionCfg,
    Leading,
    cognition_process,
)
from gelenk.robots.nao.framework import topics
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import Recording
from gelenk.runtime.replay import Replay
from gelenk.runtime.run import Run


def rerun_calibration(
    recording: Recording,
    cfg: CognitionCfg,
    *,
    recorder: Recorder | None = None,
) -> Leading:
    """Return what the calibrator makes of a recorded run.

    Args:
        recording: Of a `Session`, with its images.
        cfg: Settings; those of the recorded run give its result.
        recorder: Gets every message of the second run.
    """
    replay = Replay(recording, topics(*HEARD), period=config.MOTION_PERIOD)
    with Run(
        replay,
        [cognition_process(cfg)],
        bus=replay.bus,
        step=replay.period,
        period=replay.period,
        budget=None,
        recorder=recorder,
        publishers=[replay.publish],
    ) as run:
        cognition: Any = run.executors[0]
        leading = Leading()
        end = replay.duration
        while run.time < end and not leading.automaton.is_over:
            run.tick()
            if cognition.state is ControllerState.RUNNING:
                leading = cognition.value.states[1]
        return leading

"""Controllers in lockstep with a world; messages, recordings, scenarios, campaigns.

The public names are here; each is imported on its first use, so that listing scenarios
or reading a recording loads no engine.

Example:
    >>> from gelenk.runtime import list_scenarios
    >>> "bounce" in [scenario.name for scenario in list_scenarios()]
    True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gelenk.runtime.bus import Bus as Bus
    from gelenk.runtime.bus import Delivery as Delivery
    from gelenk.runtime.campaign import Campaign as Campaign
    from gelenk.runtime.campaign import record_trials as record_trials
    from gelenk.runtime.campaign import run_campaign as run_campaign
    from gelenk.runtime.config import setting as setting
    from gelenk.runtime.controller import Controller as Controller
    from gelenk.runtime.controller import PureController as PureController
    from gelenk.runtime.controller import TriggerProcessor as TriggerProcessor
    from gelenk.runtime.controller import View as View
    from gelenk.runtime.controls import Spectator as Spectator
    from gelenk.runtime.controls import watched_by as watched_by
    from gelenk.runtime.events import CameraImage as CameraImage
    from gelenk.runtime.message_faults import FaultEvent as FaultEvent
    from gelenk.runtime.message_faults import MessageFaults as MessageFaults
    from gelenk.runtime.modules import Module as Module
    from gelenk.runtime.modules import check_wiring as check_wiring
    from gelenk.runtime.modules import make_process as make_process
    from gelenk.runtime.modules import order_modules as order_modules
    from gelenk.runtime.process import ProcessController as ProcessController
    from gelenk.runtime.recorder import Recorder as Recorder
    from gelenk.runtime.recording import Recording as Recording
    from gelenk.runtime.recording import open_recording as open_recording
    from gelenk.runtime.replay import Replay as Replay
    from gelenk.runtime.run import Run as Run
    from gelenk.runtime.scenario import Figure as Figure
    from gelenk.runtime.scenario import Outcome as Outcome
    from gelenk.runtime.scenario import Scenario as Scenario
    from gelenk.runtime.scenario import get_scenario as get_scenario
    from gelenk.runtime.scenario import list_scenarios as list_scenarios
    from gelenk.runtime.scenario import run_scenario as run_scenario
    from gelenk.runtime.triggers import ZoneTrigger as ZoneTrigger
    from gelenk.runtime.verification import verify_recording as verify_recording

__all__ = [
    "Bus",
    "CameraImage",
    "Campaign",
    "Controller",
    "Delivery",
    "FaultEvent",
    "Figure",
    "MessageFaults",
    "Module",
    "Outcome",
    "ProcessController",
    "PureController",
    "Recorder",
    "Recording",
    "Replay",
    "Run",
    "Scenario",
    "Spectator",
    "TriggerProcessor",
    "View",
    "ZoneTrigger",
    "check_wiring",
    "get_scenario",
    "list_scenarios",
    "make_process",
    "open_recording",
    "order_modules",
    "record_trials",
    "run_campaign",
    "run_scenario",
    "setting",
    "verify_recording",
    "watched_by",
]

_HOMES = {
    "Bus": "bus",
    "CameraImage": "events",
    "Campaign": "campaign",
    "Controller": "controller",
    "Delivery": "bus",
    "FaultEvent": "message_faults",
    "Figure": "scenario",
    "MessageFaults": "message_faults",
    "Module": "modules",
    "Outcome": "scenario",
    "ProcessController": "process",
    "PureController": "controller",
    "Recorder": "recorder",
    "Recording": "recording",
    "Replay": "replay",
    "Run": "run",
    "Scenario": "scenario",
    "Spectator": "controls",
    "TriggerProcessor": "controller",
    "View": "controller",
    "ZoneTrigger": "triggers",
    "check_wiring": "modules",
    "get_scenario": "scenario",
    "list_scenarios": "scenario",
    "make_process": "modules",
    "open_recording": "recording",
    "order_modules": "modules",
    "record_trials": "campaign",
    "run_campaign": "campaign",
    "run_scenario": "scenario",
    "setting": "config",
    "verify_recording": "verification",
    "watched_by": "controls",
}


def __getattr__(name: str) -> Any:
    """Import public names on first use."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(f"gelenk.runtime.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'gelenk.runtime' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

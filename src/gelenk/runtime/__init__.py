"""Controllers in lockstep with a world: messages, recordings, scenarios, campaigns.

A `Run` takes a world and its controllers through time together. They talk on a `Bus`, a
`Recorder` keeps every message, and a scenario packs all of it into a function of a
configuration and a seed, which a campaign runs many times.

Example:
    >>> from gelenk.runtime import list_scenarios
    >>> "bounce" in [scenario.name for scenario in list_scenarios()]
    True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

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
    from gelenk.runtime.registry import list_subjects as list_subjects
    from gelenk.runtime.replay import Replay as Replay
    from gelenk.runtime.run import Run as Run
    from gelenk.runtime.scenario import Figure as Figure
    from gelenk.runtime.scenario import Outcome as Outcome
    from gelenk.runtime.scenario import Scenario as Scenario
    from gelenk.runtime.scenario import get_scenario as get_scenario
    from gelenk.runtime.scenario import list_scenarios as list_scenarios
    from gelenk.runtime.scenario import run_scenario as run_scenario
    from gelenk.runtime.scene import LiveScene as LiveScene
    from gelenk.runtime.scene import SceneSpec as SceneSpec
    from gelenk.runtime.triggers import ZoneTrigger as ZoneTrigger
    from gelenk.runtime.verification import verify_recording as verify_recording

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

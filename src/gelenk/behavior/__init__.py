"""Behaviour: what a robot does next, decided by layers, states, nets or tasks.

The way in is `Subsumption` for layers, `BehaviorEngine` for nested state machines,
`Mission` for autonomy levels, `PetriNet` for concurrent behaviours and `run_executive`
for periodic tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.behavior.executive import PeriodicTask as PeriodicTask
    from gelenk.behavior.executive import run_executive as run_executive
    from gelenk.behavior.options import BehaviorEngine as BehaviorEngine
    from gelenk.behavior.options import BehaviorOption as BehaviorOption
    from gelenk.behavior.options import OptionState as OptionState
    from gelenk.behavior.state_machines import Mission as Mission
    from gelenk.behavior.state_machines import PetriNet as PetriNet
    from gelenk.behavior.state_machines import PetriTransition as PetriTransition
    from gelenk.behavior.subsumption import Layer as Layer
    from gelenk.behavior.subsumption import Subsumption as Subsumption

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

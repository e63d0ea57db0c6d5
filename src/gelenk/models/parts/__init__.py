"""Parts to build a robot from, joined one behind the other; `Assembly` is the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.models.parts.assembly import Assembly as Assembly
    from gelenk.models.parts.components import AxisRot as AxisRot
    from gelenk.models.parts.components import BodyPart as BodyPart
    from gelenk.models.parts.components import FullRot as FullRot
    from gelenk.models.parts.components import GripperMount as GripperMount
    from gelenk.models.parts.components import Linear as Linear
    from gelenk.models.parts.components import LinearMotor as LinearMotor
    from gelenk.models.parts.components import Part as Part
    from gelenk.models.parts.components import Segment as Segment
    from gelenk.models.parts.components import Servo as Servo
    from gelenk.models.parts.components import Spindle as Spindle
    from gelenk.models.parts.components import TConnector as TConnector
    from gelenk.models.parts.components import TerminationPoint as TerminationPoint
    from gelenk.models.parts.components import TouchPoint as TouchPoint
    from gelenk.models.parts.components import TouchSegment as TouchSegment
    from gelenk.models.parts.tip import ClosedChain as ClosedChain
    from gelenk.models.parts.tip import ConnectionPoint as ConnectionPoint
    from gelenk.models.parts.tip import Tip as Tip

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

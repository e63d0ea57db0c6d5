"""Parts to build a robot from; start with `Assembly`."""

from gelenk.core.model.parts.assembly import Assembly as Assembly
from gelenk.core.model.parts.components import AxisRot as AxisRot
from gelenk.core.model.parts.components import Body as Body
from gelenk.core.model.parts.components import FullRot as FullRot
from gelenk.core.model.parts.components import GripperMount as GripperMount
from gelenk.core.model.parts.components import Linear as Linear
from gelenk.core.model.parts.components import LinearMotor as LinearMotor
from gelenk.core.model.parts.components import Part as Part
from gelenk.core.model.parts.components import Segment as Segment
from gelenk.core.model.parts.components import Servo as Servo
from gelenk.core.model.parts.components import Spindle as Spindle
from gelenk.core.model.parts.components import TConnector as TConnector
from gelenk.core.model.parts.components import TerminationPoint as TerminationPoint
from gelenk.core.model.parts.components import TouchPoint as TouchPoint
from gelenk.core.model.parts.components import TouchSegment as TouchSegment
from gelenk.core.model.parts.joining import ClosedChain as ClosedChain
from gelenk.core.model.parts.joining import ConnectionPoint as ConnectionPoint
from gelenk.core.model.parts.tip import Tip as Tip

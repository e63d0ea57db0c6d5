"""Standard messages: changes of controllers, triggers, alarms, log lines, images."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ShapeError

CONTROLLER_TOPIC = "runtime/controllers"
TRIGGER_TOPIC = "runtime/triggers"
WATCHDOG_TOPIC = "runtime/watchdogs"
LOG_TOPIC = "runtime/log"


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerEvent:
    """A controller changed its state.

    Attributes:
        controller: Name of the controller.
        instance: Instance number of the controller.
        state: New state, one of `gelenk.runtime.executor.ControllerState`.
        previous: State before the change.
        reason: Cause of the change: "start", "stop", "pause", "finished", "failed:
            ...".
    """

    controller: str
    instance: int
    state: str
    previous: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerEvent:
    """A trigger was sent; it arrives in the next control tick.

    Attributes:
        time: Simulated time at which it was raised [s].
        sender: Name of the sender.
        receiver: Number of the receiver; -1 for all controllers.
        text: Text of the trigger.
        num_receivers: Number of receivers; 0: the number is unknown and the trigger was
            dropped.
    """

    time: float = field(metadata={"unit": "s"})
    sender: str
    receiver: int
    text: str
    num_receivers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchdogEvent:
    """A watchdog was not fed in time.

    Attributes:
        watchdog: Name of the watchdog.
        deadline: Longest time between two feedings [s].
        last_fed: Simulated time of the last feeding [s].
    """

    watchdog: str
    deadline: float = field(metadata={"unit": "s"})
    last_fed: float = field(metadata={"unit": "s"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEvent:
    """A line for people.

    Attributes:
        level: Severity of the line.
        source: Name of the author.
        text: Text of the line; tracebacks have several lines.
    """

    level: Literal["info", "warning", "error"]
    source: str
    text: str


TOPICS: dict[str, type] = {
    CONTROLLER_TOPIC: ControllerEvent,
    TRIGGER_TOPIC: TriggerEvent,
    WATCHDOG_TOPIC: WatchdogEvent,
    LOG_TOPIC: LogEvent,
}


_CHANNELS = {"mono8": 1, "rgb8": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraImage:
    """One image of a camera.

    Attributes:
        camera: Name of the camera.
        number: Number of the image, counted from 0.
        time: Middle of the exposure [s].
        width, height: Size of the image [px].
        encoding: Layout of a pixel: "mono8" is gray, "rgb8" is red, green, blue.
        data: Bytes of the pixels row by row, first row on top.

    Example:
        >>> import numpy as np
        >>> from gelenk.runtime import CameraImage
        >>> gray = np.zeros((2, 3), dtype=np.uint8)
        >>> image = CameraImage.from_pixels(gray, camera="eye", number=0, time=0.1)
        >>> image.encoding, image.pixels.shape
        ('mono8', (2, 3))
    """

    camera: str
    number: int
    time: float = field(metadata={"unit": "s"})
    width: int = field(metadata={"unit": "px"})
    height: int = field(metadata={"unit": "px"})
    encoding: Literal["mono8", "rgb8"]
    data: bytes

    def __post_init__(self) -> None:
        expected = self.height * self.width * _CHANNELS[self.encoding]
        if len(self.data) != expected:
            raise ShapeError(
                "data",
                expected=f"({expected},) for {self.width} x {self.height} "
                f"{self.encoding}",
                actual=(len(self.data),),
            )

    @classmethod
    def from_pixels(
        cls, pixels: NDArray[np.uint8], *, camera: str, number: int, time: float
    ) -> Self:
        """Return the message of an image.

        Args:
            pixels: Pixels as uint8, shape (height, width) or (height, width, 3).
            camera: Name of the camera.
            number: Number of the image.
            time: Middle of the exposure [s].
        """
        array = np.ascontiguousarray(pixels)
        is_gray = array.ndim == 2
        if array.dtype != np.uint8 or not (is_gray or array.shape[2:] == (3,)):
            raise ShapeError(
                "pixels",
                expected="(height, width) or (height, width, 3) of uint8",
                actual=array.shape,
            )
        return cls(
            camera=camera,
            number=number,
            time=time,
            width=array.shape[1],
            height=array.shape[0],
            encoding="mono8" if is_gray else "rgb8",
            data=array.tobytes(),
        )

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """Read-only, shape (height, width) or (height, width, 3)."""
        shape = (self.height, self.width, _CHANNELS[self.encoding])
        array = np.frombuffer(self.data, dtype=np.uint8).reshape(shape)
        return array[..., 0] if self.encoding == "mono8" else array

"""`Viewfinder`: shows what the cameras of a world see, without making it wait."""

from __future__ import annotations

from gelenk.sim.cameras.rig import CameraRig, Image
from gelenk.sim.cameras.schedule import Frame
from gelenk.sim.world import World


class Viewfinder:
    """Draws images of the cameras of a world in another thread than its own.

    They are those that the world itself would deliver, bit for bit, and drawing them
    changes nothing in it.

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._rig: CameraRig | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cameras."""
        return self._world._plant().rig.names

    def note(self, name: str) -> Frame | Image | None:
        """Return what the newest image is made of; in the thread that steps.

        Takes microseconds. It is the image itself if the world has drawn it already,
        and None before the first one arrives.

        Raises:
            NameNotFoundError: If there is no such camera.
        """
        return self._world._plant().rig.moment(name, self._world.tick)

    def draw(self, name: str, moment: Frame | Image) -> Image:
        """Return the image of what was noted; from one other thread at a time.

        Raises:
            RenderError: If nothing can be drawn on this machine.
        """
        if isinstance(moment, Image):
            return moment
        if self._rig is None:
            self._rig = self._world._plant().rig.twin()
        return self._rig.draw(name, moment)

    def close(self) -> None:
        """Free the graphics context; in the thread that draws."""
        if self._rig is not None:
            self._rig.close()
            self._rig = None

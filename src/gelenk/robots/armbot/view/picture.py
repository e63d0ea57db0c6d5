"""A cell as a picture: its parts, their poses now, the view, and the PNG file."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.closing import Closing
from gelenk.errors import ConfigError
from gelenk.geometry.png import encode_png as encode_png
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.robots.armbot.view import native
from gelenk.robots.armbot.view.camera import OrbitCamera, camera_for
from gelenk.robots.armbot.view.parts import Drawable, MotorSpeed, drawables
from gelenk.robots.armbot.view.shapes import DrawnRobot, make_parts
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell


def save_png(path: Path, image: NDArray[np.uint8]) -> None:
    """Write a picture to a file.

    Raises:
        ConfigError: If the file cannot be written or is not called .png.
    """
    if path.suffix.lower() != ".png":
        raise ConfigError(f"a picture needs a name that ends with .png, got {path}")
    try:
        path.write_bytes(encode_png(image))
    except OSError as error:
        raise ConfigError(
            f"cannot write the picture {path}: {error.strerror or error}; choose "
            "another file"
        ) from error


class FrameLimiter:
    """Allows one frame per period of wall time.

    Attributes:
        count: Frames that were allowed.

    Args:
        period: Shortest time between two frames [s]; 0: no limit.
        clock: Monotonic wall clock [s].
    """

    def __init__(
        self, period: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if not (math.isfinite(period) and period >= 0.0):
            raise ConfigError(f"`period` must be 0 s or more, got {period}")
        self.period, self._clock = period, clock
        self._next = -math.inf
        self.count = 0

    def is_due(self) -> bool:
        """Return whether a frame may be drawn now; if so, the period begins anew."""
        now = self._clock()
        if now < self._next:
            return False
        self._next = now + self.period
        self.count += 1
        return True


logger = logging.getLogger(__name__)

WIDTH, HEIGHT = 1280, 960  # [px]
SIDE_KINDS = ("floor", "paint", "trigger")  # the camera need not see all of these


class SceneView(Closing):
    """The three-dimensional view of a cell.

    It looks at the cell between two control ticks, at most once per `period`, and
    draws later, in any thread, what it saw.

    Attributes:
        camera: From where; replace it with what its moves return.
        flags: What is highlighted.
        limiter: How often it looks.
        notice: Why the wanted renderer is not used, or empty.

    Args:
        cell: What is looked at.
        flags: What is highlighted.
        renderer: "native": no graphics library; "fx": accelerated, and native where
            that is not possible.
        period: Shortest wall time between two looks [s].
        clock: Monotonic wall clock [s].
    """

    def __init__(
        self,
        cell: Cell,
        *,
        flags: RenderFlags | None = None,
        renderer: Literal["native", "fx"] = "native",
        period: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cell, self.flags = cell, flags or RenderFlags()
        self.limiter = FrameLimiter(period, clock=clock)
        self._parts = make_parts(cell.setup.environment, drawn_robots(cell))
        self._frames = sorted(
            {name for part in self._parts for name in (part.frame, part.to) if name}
        )
        self.notice = ""
        self._onlooker: Any = self._make_onlooker() if renderer == "fx" else None
        self.refresh()
        self.camera = camera_for(points_of_interest(self._look()))
        self._unsubscribe = cell.run.bus.subscribe_ticks(self._on_tick)

    @property
    def renderer(self) -> str:
        """The renderer in use: "native" or "fx"."""
        return "native" if self._onlooker is None else "fx"

    def refresh(self) -> None:
        """Look now; only between two control ticks, in the thread that runs."""
        world = self._cell.world
        self._poses = {name: np.array(world.pose(name)) for name in self._frames}
        self._motors = motor_speeds(self._cell)

    def image(
        self, width: int = WIDTH, height: int = HEIGHT, *, samples: int = 2
    ) -> NDArray[np.uint8]:
        """Return the picture of the last look, shape (height, width, 3), RGB.

        The accelerated renderer shows the world itself, so it is for the thread that
        runs.
        """
        if self._onlooker is not None:
            camera = self.camera
            lens = camera.intrinsics(width, height)
            return self._onlooker.look(lens, camera.pose, samples=samples)
        return native.render(
            self._look(), self.camera, width=width, height=height, samples=samples
        )

    def drag(self, button: str, dx: float, dy: float, *, shift: bool = False) -> None:
        """Move the camera as a mouse does [px]; see `OrbitCamera.drag`."""
        self.camera = self.camera.drag(button, dx, dy, shift=shift)

    def close(self) -> None:
        """Look no more; twice does no harm."""
        self._unsubscribe()
        if self._onlooker is not None:
            self._onlooker.close()

    # -- inside --------------------------------------------------------------------

    def _look(self) -> tuple[Drawable, ...]:
        return drawables(
            self._parts, self._poses, motors=self._motors, flags=self.flags
        )

    def _on_tick(self, _: int) -> None:
        if self.limiter.is_due():
            self.refresh()

    def _make_onlooker(self) -> Any:
        """Return the accelerated renderer, or None where nothing can draw."""
        from gelenk.sim.cameras.drawing import Onlooker
        from gelenk.sim.cameras.gl import RenderError

        onlooker = Onlooker(self._cell.world)
        camera = OrbitCamera()
        try:
            onlooker.look(camera.intrinsics(8, 8), camera.pose, samples=1)
        except RenderError as error:
            self.notice = f"-render fx is not possible here: {error}; native is used"
            logger.warning(self.notice)
            return None
        return onlooker


def save_picture(
    cell: Cell,
    path: Path,
    *,
    flags: RenderFlags | None = None,
    renderer: Literal["native", "fx"] = "native",
    camera: OrbitCamera | None = None,
    width: int = WIDTH,
    height: int = HEIGHT,
) -> None:
    """Draw a cell as it is now into a PNG file.

    Args:
        cell: What is drawn; not while it steps.
        path: File, ends with .png.
        flags: What is highlighted.
        renderer: See `SceneView`.
        camera: From where; None: so that everything is seen.
        width: [px].
        height: [px].

    Raises:
        ConfigError: If the file cannot be written.
    """
    with SceneView(cell, flags=flags, renderer=renderer) as view:
        if camera is not None:
            view.camera = camera
        save_png(path, view.image(width, height, samples=3))


def drawn_robots(cell: Cell) -> list[DrawnRobot]:
    """Return the robots of a cell as the view needs them."""
    places = {robot.number: (robot.x, robot.y) for robot in cell.setup.robots}
    return [
        DrawnRobot(
            name=robot.name,
            number=robot.number,
            model=robot.design.robot,
            place=places[robot.number],
        )
        for robot in cell.robots
    ]


def motor_speeds(cell: Cell) -> list[MotorSpeed]:
    """Return how fast the motors of all robots move."""
    motors = cell.motor_values()
    return [
        MotorSpeed(robot.name, motor.name, motor.speed, motor.max_speed)
        for robot in cell.robots
        for motor in motors[robot.number]
    ]


def points_of_interest(drawn: tuple[Drawable, ...]) -> FloatArray:
    """Return corners of what is to be seen, world [m], shape (n, 3)."""
    chosen = [item for item in drawn if item.part.kind not in SIDE_KINDS] or drawn
    return np.concatenate(
        [
            item.part.mesh.points @ item.T_world_part[:3, :3].T
            + item.T_world_part[:3, 3]
            for item in chosen
        ]
    )

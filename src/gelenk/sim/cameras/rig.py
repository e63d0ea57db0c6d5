"""All cameras of a world: they store states when they expose, and show them later."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.closing import Closing
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.cameras.description import Camera
from gelenk.sim.cameras.drawing import Drawing
from gelenk.sim.cameras.gl import share_cores
from gelenk.sim.cameras.imager import Imager
from gelenk.sim.cameras.measure import Meter
from gelenk.sim.cameras.schedule import (
    CaptureBank,
    CapturedState,
    capture,
    make_bank,
    newest_frame,
    state_arrays,
)
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.sim.world import World

# pyright: reportAttributeAccessIssue=false


ImageKind = Literal["color", "depth", "segmentation"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Image:
    """Image that a camera delivered.

    Attributes:
        name: Name of the camera.
        frame: Number of the image, from 0.
        time: Middle of the exposure [s].
        pixels: Pixels, first row on top, read-only. "color": uint8, (rows, columns) or
            (rows, columns, 3) in red, green, blue. "depth": float32, along the optical
            axis [m], infinite where nothing is seen, (rows, columns). "segmentation":
            int32, index of the body in `names`, 0 for none, (rows, columns).
        kind: Kind of image.
        names: Names of the bodies of a segmentation: objects, boards, "robot/link".
    """

    name: str
    frame: int
    time: float
    pixels: NDArray[Any]
    kind: ImageKind = "color"
    names: tuple[str, ...] = ()


class CameraRig(Closing):
    """Cameras of one compiled model.

    While the world steps, `capture` stores states at the times of exposure. An image
    is drawn when it is asked for, from the stored states: it shows the world at its
    exposure, whatever happened since, and images that nobody asks for cost nothing.

    Args:
        model: `mujoco.MjModel` with a camera of each name, see
            `gelenk.sim.bridge.cameras.add_camera`.
        cameras: Descriptions.
        step: Physics step [s].
        seed: Selects the noise.
        workers: Images that are drawn at the same time; it changes none of them.

    Attributes:
        bank: Timing and stored states, for the compiled step.
    """

    def __init__(
        self,
        model: Any,
        cameras: Sequence[Camera],
        *,
        step: float,
        seed: int,
        workers: int = 2,
    ) -> None:
        names = [camera.name for camera in cameras]
        if len(set(names)) != len(names):
            raise ConfigError(f"camera names must differ, got {', '.join(names)}")
        self._model = model
        self._step, self._seed = step, seed
        size = model.nq + 7 * model.nmocap
        self.bank: CaptureBank
        self.bank, rows = make_bank(cameras, step, size)
        self._rows = dict(zip(names, rows, strict=True))
        shadows = any(camera.shadows for camera in cameras)
        self._lanes = [
            _Lane(model, shadows) for _ in range(min(len(cameras), max(workers, 1)))
        ]
        if len(self._lanes) > 1:
            share_cores(len(self._lanes))
        self._lane_of = {
            name: self._lanes[i % len(self._lanes)] for i, name in enumerate(names)
        }
        self._imagers = {
            camera.name: Imager(model, camera, self._lane_of[camera.name].drawing, seed)
            for camera in cameras
        }
        self._threads: ThreadPoolExecutor | None = None
        self._shown: dict[str, tuple[FloatArray, Image]] = {}
        self._measured: dict[str, tuple[FloatArray, dict[ImageKind, Image]]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cameras, in the order they were given."""
        return tuple(self._imagers)

    def capture(self, tick: int, data: Any) -> None:
        """Store the state if a camera exposes at this tick; call it at every tick."""
        capture(self.bank, tick, data.qpos, data.mocap_pos, data.mocap_quat)

    def image(self, name: str, tick: int) -> Image | None:
        """Return the newest image that a camera has delivered by a tick.

        Args:
            name: Name of the camera.
            tick: Present tick.

        Returns:
            The image; None before the first one arrives.

        Raises:
            NameNotFoundError: If there is no such camera.
            RenderError: If nothing can be drawn on this machine.
        """
        imager = self._imager(name)
        frame = newest_frame(self.bank, self._rows[name], tick)
        if frame is None:
            return None
        shown = self._shown.get(name)
        # After a rewind a frame of the same number may show something else.
        if (
            shown
            and shown[1].frame == frame.number
            and np.array_equal(shown[0], frame.states)
        ):
            return shown[1]
        image = self._draw(imager, frame)
        self._shown[name] = frame.states, image
        return image

    def measured(self, name: str, tick: int, kind: ImageKind) -> Image | None:
        """Return depth or segmentation of the newest image delivered by a tick.

        They show the state in the middle of its exposure; see `image`.

        Args:
            name: Name of the camera.
            tick: Present tick.
            kind: "depth" or "segmentation".
        """
        imager = self._imager(name)
        frame = newest_frame(self.bank, self._rows[name], tick)
        if frame is None:
            return None
        state = frame.states[len(frame.states) // 2]
        known = self._measured.get(name)
        if (
            known is None
            or known[1][kind].frame != frame.number
            or not np.array_equal(known[0], state)
        ):
            known = self._measured[name] = state, self._measure(imager, frame, state)
        return known[1][kind]

    def _measure(
        self, imager: Imager, frame: CapturedState, state: FloatArray
    ) -> dict[ImageKind, Image]:
        name = imager.camera.name
        lane = self._lane_of[name]
        meter = Meter(self._model, imager.camera, lane.numbering)
        with lane.lock:
            lane.place(state)
            depths, bodies = meter.measure(lane.data)
        found: dict[ImageKind, Image] = {}
        both: tuple[tuple[ImageKind, NDArray[Any]], ...]
        both = ("depth", depths), ("segmentation", bodies)
        for kind, pixels in both:
            pixels.setflags(write=False)
            found[kind] = Image(
                name=name,
                frame=frame.number,
                time=frame.time * self._step,
                pixels=pixels,
                kind=kind,
                names=meter.body_names() if kind == "segmentation" else (),
            )
        return found

    def images(self, tick: int) -> dict[str, Image | None]:
        """Return the newest images of all cameras; synchronous ones show one state."""
        if len(self._lanes) < 2:
            return {name: self.image(name, tick) for name in self._imagers}
        if self._threads is None:
            self._threads = ThreadPoolExecutor(
                len(self._lanes), thread_name_prefix="gelenk-camera"
            )
        found = self._threads.map(lambda name: self.image(name, tick), self._imagers)
        return dict(zip(self._imagers, found, strict=True))

    def moment(self, name: str, tick: int) -> CapturedState | Image | None:
        """Return the newest image of a camera, or what it can be drawn of.

        Args:
            name: Name of the camera.
            tick: Present tick.

        Returns:
            The image if it was drawn already, else its states for `draw`; None before
            the first one arrives.
        """
        self._imager(name)
        frame = newest_frame(self.bank, self._rows[name], tick)
        shown = self._shown.get(name)
        if frame is None or shown is None or shown[1].frame != frame.number:
            return frame
        return shown[1] if np.array_equal(shown[0], frame.states) else frame

    def draw(self, name: str, frame: CapturedState) -> Image:
        """Return the image of a frame of this rig, or of its twin."""
        return self._draw(self._imager(name), frame)

    def twin(self) -> CameraRig:
        """Return a rig whose images are equal, and that draws beside this one."""
        cameras = [imager.camera for imager in self._imagers.values()]
        return CameraRig(
            self._model, cameras, step=self._step, seed=self._seed, workers=1
        )

    def look(self, name: str, data: Any, *, frame: int = 0) -> Image:
        """Return an image of a state right now, beside any schedule.

        Args:
            name: Name of the camera.
            data: `mujoco.MjData`; only its positions are read.
            frame: Number that selects the noise.
        """
        parts = [data.qpos]
        for i in range(self._model.nmocap):
            parts += [data.mocap_pos[i], data.mocap_quat[i]]
        state = np.concatenate(parts)[None]
        moment = CapturedState(number=frame, time=data.time / self._step, states=state)
        return self._draw(self._imager(name), moment)

    def is_cached(self, name: str) -> bool:
        """Return whether a camera draws fixed bodies only once."""
        return self._imager(name).is_cached

    def seconds(self) -> dict[str, float]:
        """Return where the wall time of all images went, see `Imager.seconds` [s]."""
        totals: dict[str, float] = {}
        for imager in self._imagers.values():
            for stage, spent in imager.seconds.items():
                totals[stage] = totals.get(stage, 0.0) + spent
        return totals

    def forget_backgrounds(self) -> None:
        """Draw fixed bodies anew: their colors or places in the model have changed."""
        self._shown.clear()
        self._measured.clear()
        for imager in self._imagers.values():
            imager.forget_background()

    def state_arrays(self) -> tuple[np.ndarray, ...]:
        """Return the arrays that change while stepping; their copies are a snapshot."""
        return state_arrays(self.bank)

    def close(self) -> None:
        """Free threads and graphics contexts; a later image makes new ones."""
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None
        for lane in self._lanes:
            lane.drawing.close()
            lane.numbering.close()

    def _imager(self, name: str) -> Imager:
        try:
            return self._imagers[name]
        except KeyError:
            raise NameNotFoundError("camera", name, self._imagers) from None

    def _draw(self, imager: Imager, frame: CapturedState) -> Image:
        lane = self._lane_of[imager.camera.name]
        with lane.lock:
            for state in frame.states:
                lane.place(state)
                imager.add(lane.data, 1.0 / len(frame.states))
            pixels = imager.finish(frame.number)
        pixels.setflags(write=False)
        return Image(
            name=imager.camera.name,
            frame=frame.number,
            time=frame.time * self._step,
            pixels=pixels,
        )


class _Lane:
    """Tools of one drawing thread: a graphics context and bodies to put in place."""

    def __init__(self, model: Any, shadows: bool) -> None:
        self.lock = threading.Lock()
        self.drawing = Drawing(model, shadows=shadows)
        # A context of its own: a drawing with numbers for colours leaves something
        # behind that changes a pixel of the next coloured one here and there.
        self.numbering = Drawing(model)
        self.data = mujoco.MjData(model)
        self._model = model

    def place(self, state: FloatArray) -> None:
        """Bring bodies, lights and cameras to a state, see `CaptureBank`."""
        data, nq = self.data, self._model.nq
        data.qpos[:] = state[:nq]
        if self._model.nmocap:
            mocap = state[nq:].reshape(-1, 7)
            data.mocap_pos[:], data.mocap_quat[:] = mocap[:, :3], mocap[:, 3:]
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_comPos(self._model, data)
        mujoco.mj_camlight(self._model, data)


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
        return self._world._compiled().rig.names

    def note(self, name: str) -> CapturedState | Image | None:
        """Return what the newest image is made of; in the thread that steps.

        Takes microseconds. It is the image itself if the world has drawn it already,
        and None before the first one arrives.

        Raises:
            NameNotFoundError: If there is no such camera.
        """
        return self._world._compiled().rig.moment(name, self._world.tick)

    def draw(self, name: str, moment: CapturedState | Image) -> Image:
        """Return the image of what was noted; from one other thread at a time.

        Raises:
            RenderError: If nothing can be drawn on this machine.
        """
        if isinstance(moment, Image):
            return moment
        if self._rig is None:
            self._rig = self._world._compiled().rig.twin()
        return self._rig.draw(name, moment)

    def close(self) -> None:
        """Free the graphics context; in the thread that draws."""
        if self._rig is not None:
            self._rig.close()
            self._rig = None

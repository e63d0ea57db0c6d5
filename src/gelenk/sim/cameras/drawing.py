"""Draw the samples of an image with MuJoCo's renderer, off-screen.

Samples are raw: bottom row first, 8 bit colours, depths as the graphics library keeps
them (nearer is smaller). A window of an image is drawn with the same projection as the
whole, shifted by whole samples, so that both agree.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.closing import Closing
from gelenk.sim.bridge.cameras import apply_view
from gelenk.sim.cameras.description import as_pose
from gelenk.sim.cameras.gl import RenderError, current, make_gl_context
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics

if TYPE_CHECKING:
    from gelenk.sim.world import World

# pyright: reportAttributeAccessIssue=false


MAX_SIZE = 16384  # [samples], of a side; what software renderers can hold
SLICES, STACKS = 48, 24  # of round bodies: outlines are 0.2 % too small at most
SHADOW_SIZE = 2048  # [texels], of a side of the shadow map
MAX_DECORATION = 64  # geoms in a scene beyond those of the model

Part = Literal["all", "fixed", "moving"]
_CATEGORIES = {
    "all": mujoco.mjtCatBit.mjCAT_STATIC | mujoco.mjtCatBit.mjCAT_DYNAMIC,
    "fixed": mujoco.mjtCatBit.mjCAT_STATIC,
    "moving": mujoco.mjtCatBit.mjCAT_DYNAMIC,
}


class ImageWindow(NamedTuple):
    """Some samples of an image: columns from the left, rows from the bottom."""

    left: int
    bottom: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CameraView:
    """A pinhole and where it stands.

    Attributes:
        pinhole: Size of the image and projection.
        samples: Rays per side of a pixel.
        T_world_camera: Pose in OpenCV axes, shape (4, 4).
        near, far: Clipping distances [m].
        shadows: Whether lights cast shadows.
    """

    pinhole: Intrinsics
    samples: int
    T_world_camera: FloatArray
    near: float
    far: float
    shadows: bool

    @property
    def whole(self) -> ImageWindow:
        """The window that is the whole image."""
        k, s = self.pinhole, self.samples
        return ImageWindow(0, 0, s * k.width, s * k.height)


class Drawing:
    """A graphics context that holds the meshes and textures of one model.

    Made at the first image, in the process that asks for it. Any thread may draw, one
    at a time. A context does not survive a fork: processes that render must be spawned.
    """

    def __init__(self, model: Any, *, shadows: bool = False) -> None:
        self._model = model
        self._shadows = shadows
        self._lock = threading.RLock()
        self._gl: Any = None
        self._context: Any = None
        self._process = 0
        self._scene = mujoco.MjvScene(model, model.ngeom + MAX_DECORATION)
        self._option = mujoco.MjvOption()
        self._option.sitegroup[:] = 0
        self._eye = mujoco.MjvCamera()

    def draw(
        self,
        data: Any,
        view: CameraView,
        *,
        part: Part = "all",
        only: frozenset[int] | None = None,
        window: ImageWindow | None = None,
        with_depth: bool = False,
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32] | None]:
        """Return colors (rows, columns, 3) and, if asked for, depths (rows, columns).

        Args:
            data: `mujoco.MjData` whose positions are up to date.
            view: Through which camera.
            part: Part to draw; without "fixed" parts there is no sky either.
            only: Numbers of the geoms to draw; None: all of that part.
            window: Part of the samples; None: all.
            with_depth: Whether depths are wanted.

        Raises:
            RenderError: If this machine or this process cannot draw.
        """
        window = window or view.whole
        colors = np.empty((window.height, window.width, 3), dtype=np.uint8)
        depths = np.empty(colors.shape[:2], dtype=np.float32) if with_depth else None
        with self._lock:
            self._require(view.whole)
            with current(self._gl):
                self._fit(window)
                self._fill_scene(data, view, part)
                if only is not None:
                    self._hide_others(only)
                whole = view.whole
                frame = mujoco.MjrRect(
                    -window.left, -window.bottom, whole.width, whole.height
                )
                mujoco.mjr_render(frame, self._scene, self._context)
                area = mujoco.MjrRect(0, 0, window.width, window.height)
                mujoco.mjr_readPixels(colors, depths, area, self._context)
        return colors, depths

    def draw_numbers(
        self, data: Any, view: CameraView
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the geom of each sample, -1 for none, and its closeness.

        Both (rows, columns). Closeness is 1 at `near` and 0 at `far`, between them
        linear in 1 / z.

        Args:
            data: `mujoco.MjData` whose positions are up to date.
            view: Through which camera.

        Raises:
            RenderError: If this machine or this process cannot draw.
        """
        whole, flags = view.whole, mujoco.mjtRndFlag
        colors = np.empty((whole.height, whole.width, 3), dtype=np.uint8)
        closeness = np.empty(colors.shape[:2], dtype=np.float32)
        frame = mujoco.MjrRect(0, 0, whole.width, whole.height)
        with self._lock:
            self._require(whole)
            with current(self._gl):
                self._fit(whole)
                self._fill_scene(data, view, "all")
                scene, context = self._scene, self._context
                usual = context.readDepthMap
                try:
                    scene.flags[flags.mjRND_SEGMENT] = 1
                    scene.flags[flags.mjRND_IDCOLOR] = 1
                    context.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
                    mujoco.mjr_render(frame, scene, context)
                    mujoco.mjr_readPixels(colors, closeness, frame, context)
                finally:
                    scene.flags[flags.mjRND_SEGMENT] = 0
                    scene.flags[flags.mjRND_IDCOLOR] = 0
                    context.readDepthMap = usual
            geom_of = np.full(scene.ngeom + 1, -1, dtype=np.int64)  # by number + 1
            for geom in scene.geoms[: scene.ngeom]:
                if geom.objtype == mujoco.mjtObj.mjOBJ_GEOM and geom.segid >= 0:
                    geom_of[geom.segid + 1] = geom.objid
        numbers = colors.astype(np.int64) @ np.array([1, 1 << 8, 1 << 16])
        return geom_of[numbers], closeness

    def close(self) -> None:
        """Free the context; drawing again makes a new one."""
        with self._lock:
            if self._gl is not None and self._process == os.getpid():
                with current(self._gl):
                    self._context.free()
                self._gl.free()
            self._gl = self._context = None

    def _require(self, whole: ImageWindow) -> None:
        """Make the context if there is none."""
        if self._gl is not None:
            if self._process != os.getpid():
                raise RenderError(
                    "a graphics context cannot be used after a fork",
                    remedy="start processes that render with the method 'spawn' or "
                    "'forkserver', or close the cameras before forking",
                )
            return
        if max(whole.width, whole.height) > MAX_SIZE:
            raise RenderError(
                f"an image of {whole.width} x {whole.height} samples is larger than "
                f"{MAX_SIZE}",
                remedy="use fewer `samples` per pixel",
            )
        self._process = os.getpid()
        gl = make_gl_context(whole.width, whole.height)
        try:
            with current(gl):
                self._context = _make_context(self._model, self._shadows)
        except Exception as error:
            gl.free()
            raise RenderError(
                f"the renderer could not be started ({error})",
                remedy="see what `gelenk doctor` says about off-screen rendering",
            ) from error
        self._gl = gl

    def _fit(self, window: ImageWindow) -> None:
        """Make the buffer as large as the window, in steps, since clearing it costs."""
        width, height = -(-window.width // 64) * 64, -(-window.height // 64) * 64
        if (self._context.offWidth, self._context.offHeight) != (width, height):
            mujoco.mjr_resizeOffscreen(width, height, self._context)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)

    def _fill_scene(self, data: Any, view: CameraView, part: Part) -> None:
        scene, flags = self._scene, mujoco.mjtRndFlag
        mujoco.mjv_updateScene(
            self._model,
            data,
            self._option,
            None,
            self._eye,
            int(_CATEGORIES[part]),
            scene,
        )
        apply_view(scene, view.pinhole, view.T_world_camera, view.near, view.far)
        scene.flags[flags.mjRND_SHADOW] = view.shadows
        scene.flags[flags.mjRND_SKYBOX] = part != "moving"
        scene.flags[flags.mjRND_HAZE] = 0  # hides the horizon, and costs

    def _hide_others(self, shown: frozenset[int]) -> None:
        """Let the scene's other geoms be labels without text: nothing is drawn."""
        label = int(mujoco.mjtGeom.mjGEOM_LABEL)
        for geom in self._scene.geoms[: self._scene.ngeom]:
            if geom.objid not in shown:
                geom.type = label


def _make_context(model: Any, shadows: bool) -> Any:
    """Return a renderer's context with our quality, leaving the model as it was."""
    quality, screen = model.vis.quality, model.vis.global_
    wanted = {
        "offsamples": 0,  # our own samples cost less than the library's
        "shadowsize": SHADOW_SIZE if shadows else 0,
        "numslices": SLICES,
        "numstacks": STACKS,
    }
    before = {name: getattr(quality, name) for name in wanted}
    size_before = screen.offwidth, screen.offheight
    try:
        for name, value in wanted.items():
            setattr(quality, name, value)
        screen.offwidth = screen.offheight = 64
        return mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
    finally:
        for name, value in before.items():
            setattr(quality, name, value)
        screen.offwidth, screen.offheight = size_before


NEAR, FAR = 0.02, 500.0  # [m]


class Onlooker(Closing):
    """Draws a world through a camera that may be elsewhere in every picture.

    Unlike the cameras of a world it changes nothing in it and need not be announced.

    Args:
        world: World to look at, between two steps.
        shadows: Whether lights cast shadows.
    """

    def __init__(self, world: World, *, shadows: bool = True) -> None:
        self._world, self._shadows = world, shadows
        self._drawing: Drawing | None = None

    def look(
        self, intrinsics: Intrinsics, T_world_camera: ArrayLike, *, samples: int = 2
    ) -> NDArray[np.uint8]:
        """Return a picture, shape (rows, columns, 3), RGB.

        Args:
            intrinsics: Size of the picture and lens; without distortion.
            T_world_camera: Pose in OpenCV axes, shape (4, 4).
            samples: Rays per side of a pixel.

        Raises:
            RenderError: If this machine cannot draw.
        """
        compiled = self._world._looked_at()
        if self._drawing is None:
            self._drawing = Drawing(compiled.model, shadows=self._shadows)
        view = CameraView(
            pinhole=intrinsics,
            samples=samples,
            T_world_camera=as_pose("T_world_camera", T_world_camera),
            near=NEAR,
            far=FAR,
            shadows=self._shadows,
        )
        colors, _ = self._drawing.draw(compiled.data, view)
        rows, columns = intrinsics.height, intrinsics.width
        blocks = colors[::-1].reshape(rows, samples, columns, samples, 3)
        return np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)

    def close(self) -> None:
        """Free the graphics context; twice does no harm."""
        if self._drawing is not None:
            self._drawing.close()
            self._drawing = None

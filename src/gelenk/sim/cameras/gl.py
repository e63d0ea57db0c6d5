"""Context for drawing without a screen: EGL, else OSMesa, else what to install."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from gelenk.errors import GelenkError

# pyright: reportAttributeAccessIssue=false


APT_COMMAND = "sudo apt-get install -y libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri"
_EGL_PLATFORM_DEVICE = 0x313F


class RenderError(GelenkError, RuntimeError):
    """Nothing can be drawn on this machine or in this process.

    Attributes:
        problem: Obstacle in words.
        remedy: Remedy in words.
    """

    def __init__(self, problem: str, *, remedy: str) -> None:
        self.problem, self.remedy = problem, remedy
        super().__init__(f"{problem}; {remedy}")


def make_gl_context(width: int, height: int) -> Any:
    """Return a context for drawing off-screen that is not current yet.

    Args:
        width: Width of the largest image [px], which OSMesa must know.
        height: Height of the largest image [px].

    Raises:
        RenderError: If no GL library works.
    """
    name = backend_name()
    try:
        if name == "egl":
            from mujoco.egl import GLContext
        elif name == "osmesa":
            from mujoco.osmesa import GLContext
        else:
            from mujoco import GLContext
        return GLContext(width, height)
    except Exception as error:  # each library fails in its own way
        raise _nothing_works(f"{name} failed: {_first_line(error)}") from error


def share_cores(workers: int) -> None:
    """Give each of some workers its part of the cores, if a program draws.

    Mesa's software renderer starts as many threads per context as there are cores;
    two contexts that draw at the same time would slow each other down. What the
    environment says already stays.
    """
    threads = max(1, (os.cpu_count() or 1) // workers)
    os.environ.setdefault("LP_NUM_THREADS", str(threads))


@cache
def backend_name() -> str:
    """Return "egl", "osmesa", or what MUJOCO_GL asks for.

    PyOpenGL can be bound to one library per process, so the choice is made before it
    is imported, by asking the libraries themselves.

    Raises:
        RenderError: If there is none.
    """
    asked = os.environ.get("MUJOCO_GL", "").lower().strip()
    if asked in ("egl", "osmesa", "glfw", "cgl", "wgl"):
        return asked
    if asked in ("disable", "disabled", "off", "false", "0"):
        raise RenderError(
            f"rendering is switched off by MUJOCO_GL={asked}", remedy="unset MUJOCO_GL"
        )
    if not sys.platform.startswith("linux"):
        return "cgl" if sys.platform == "darwin" else "wgl"
    egl = _why_no_egl()
    if not egl:
        return "egl"
    if "egl" not in os.environ.get("PYOPENGL_PLATFORM", "").lower() and _has_osmesa():
        return "osmesa"
    raise _nothing_works(egl)


def _why_no_egl() -> str:
    """Return why EGL cannot be used, or an empty text if it can."""
    try:
        egl = ctypes.CDLL("libEGL.so.1")
    except OSError as error:
        return f"EGL: {_first_line(error)}"
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    query = egl.eglGetProcAddress(b"eglQueryDevicesEXT")
    get_display = egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT")
    if not query or not get_display:
        return "EGL: the driver knows no devices"
    devices = (ctypes.c_void_p * 16)()
    count = ctypes.c_int32()
    c_query = ctypes.CFUNCTYPE(
        ctypes.c_uint, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p
    )(query)
    c_get_display = ctypes.CFUNCTYPE(
        ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p
    )(get_display)
    if not c_query(16, devices, ctypes.byref(count)) or count.value == 0:
        return "EGL: no device, not even a software one"
    egl.eglInitialize.argtypes = [ctypes.c_void_p] * 3
    for device in devices[: count.value]:
        display = c_get_display(_EGL_PLATFORM_DEVICE, device, None)
        if display and egl.eglInitialize(display, None, None):
            return ""
    return f"EGL: none of {count.value} devices can be initialised"


def _has_osmesa() -> bool:
    for name in ("libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"):
        try:
            ctypes.CDLL(name)
        except OSError:
            continue
        return True
    return False


def _nothing_works(why: str) -> RenderError:
    return RenderError(
        f"no OpenGL library for off-screen rendering was found ({why})",
        remedy=f"install one: {APT_COMMAND}",
    )


def _first_line(error: BaseException) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0]


@contextmanager
def current(context: Any) -> Iterator[None]:
    """Make a context current in this thread for the length of a block.

    Afterwards the thread has what it had before, so that any thread may go next.
    """
    with context.as_current():
        yield


def describe_renderer() -> str:
    """Draw one pixel and return what drew it, such as "egl, llvmpipe (...)".

    Raises:
        RenderError: If nothing can be drawn.
    """
    try:
        import mujoco
    except Exception as error:  # it loads the library that MUJOCO_GL names
        raise _nothing_works(_first_line(error)) from error
    import numpy as np

    context = make_gl_context(8, 8)
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    try:
        with current(context):
            try:
                drawing = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
            except Exception as error:
                raise _nothing_works(_first_line(error)) from error
            from OpenGL import GL

            name = GL.glGetString(GL.GL_RENDERER)
            pixel = np.empty((1, 1, 3), dtype=np.uint8)
            mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, drawing)
            rect = mujoco.MjrRect(0, 0, 1, 1)
            mujoco.mjr_readPixels(pixel, None, rect, drawing)
            drawing.free()
    finally:
        context.free()
    return f"{backend_name()}, {name.decode() if name else 'unknown renderer'}"


def main() -> int:
    """Draw a pixel and report."""
    try:
        answer = {"renderer": describe_renderer()}
    except RenderError as error:
        answer = {"problem": error.problem, "remedy": error.remedy}
    sys.stdout.write(json.dumps(answer) + "\n")
    return 0 if "renderer" in answer else 1


if __name__ == "__main__":
    sys.exit(main())

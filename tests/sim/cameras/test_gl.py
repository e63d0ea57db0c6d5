"""Off-screen drawing: found by itself, freed, usable from threads, named when missing."""

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from camera_scenes import make_camera
from camera_scenes import room as make_room
from gelenk.sim.cameras.gl import RenderError, describe_renderer
from gelenk.sim.cameras.rig import CameraRig

LEAK = 50.0  # [MiB]; ten closed rigs keep 21 of their own, ten open contexts 116
LOOK = """
import sys
import mujoco
from gelenk.vision.camera import Intrinsics
from gelenk.sim.bridge.cameras import add_camera, add_surroundings
from gelenk.sim.cameras.description import Camera
from gelenk.sim.cameras.gl import RenderError
from gelenk.sim.cameras.rig import CameraRig

k = Intrinsics(width=16, height=12, fx=9.0, fy=9.0, cx=7.5, cy=5.5)
spec = mujoco.MjSpec()
add_surroundings(spec)
add_camera(spec, Camera(name="eye", intrinsics=k))
model = spec.compile()
rig = CameraRig(model, [Camera(name="eye", intrinsics=k)], step=0.001, seed=0)
try:
    image = rig.look("eye", mujoco.MjData(model))
except RenderError as error:
    sys.exit(f"RenderError: {error} [{error.remedy}]")
print(image.pixels.mean() > 10)
"""


def run_look(**environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k != "MUJOCO_GL"}
    return subprocess.run(
        [sys.executable, "-c", LOOK],
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_without_any_setting_a_process_finds_its_own_way_to_draw() -> None:
    outcome = run_look()

    assert outcome.stdout.strip() == "True", outcome.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"},
        {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent", "MUJOCO_GL": "egl"},
    ],
)
def test_where_no_library_works_the_error_says_what_to_install(
    environment: dict,
) -> None:
    outcome = run_look(**environment)

    assert outcome.returncode == 1
    assert outcome.stderr.startswith("RenderError: no OpenGL library")
    assert "apt-get install -y libegl1" in outcome.stderr
    assert "Traceback" not in outcome.stderr


def test_the_renderer_says_its_name() -> None:
    assert describe_renderer().startswith(("egl, ", "osmesa, ", "glfw, "))


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_contexts_are_freed_when_a_rig_is_closed() -> None:
    camera = make_camera()
    model, data = make_room([camera])
    sizes, rigs = [], []
    for _ in range(15):
        rigs.append(CameraRig(model, [camera], step=0.001, seed=0))
        rigs[-1].look("eye", data)
        rigs[-1].close()  # what is freed is freed now, not when nobody holds the rig
        sizes.append(resident_megabytes())

    assert sizes[-1] - sizes[4] < LEAK  # for ten more


def test_a_closed_rig_draws_again_and_closing_twice_is_harmless() -> None:
    camera = make_camera()
    model, data = make_room([camera])
    rig = CameraRig(model, [camera], step=0.001, seed=0)
    first = rig.look("eye", data).pixels
    rig.close()
    rig.close()

    np.testing.assert_array_equal(rig.look("eye", data).pixels, first)
    rig.close()


def test_any_thread_may_draw_and_gets_the_same_image() -> None:
    cameras = [make_camera("a"), make_camera("b", gain=1.3)]
    model, data = make_room(cameras)
    with CameraRig(model, cameras, step=0.001, seed=0) as rig:
        here = {name: rig.look(name, data).pixels for name in rig.names}
        with ThreadPoolExecutor(4) as threads:
            names = list(rig.names) * 10
            images = list(threads.map(lambda name: rig.look(name, data), names))
        thread = threading.Thread(target=rig.close)  # may also be the one to free it
        thread.start()
        thread.join()

    for image in images:
        np.testing.assert_array_equal(image.pixels, here[image.name])


def draw_in_child(queue: multiprocessing.SimpleQueue) -> None:
    camera = make_camera()
    model, data = make_room([camera])
    with CameraRig(model, [camera], step=0.001, seed=0) as rig:
        queue.put(rig.look("eye", data).pixels)


@pytest.mark.slow
def test_a_spawned_process_draws_the_same_image() -> None:
    camera = make_camera()
    model, data = make_room([camera])
    with CameraRig(model, [camera], step=0.001, seed=0) as rig:
        here = rig.look("eye", data).pixels
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    child = context.Process(target=draw_in_child, args=(queue,))
    child.start()

    np.testing.assert_array_equal(queue.get(), here)
    child.join()


def test_a_forked_process_is_told_that_its_context_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera = make_camera()
    model, data = make_room([camera])
    rig = CameraRig(model, [camera], step=0.001, seed=0)
    rig.look("eye", data)
    here = os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: here + 1)  # what a fork would look like

    with pytest.raises(RenderError, match="spawn"):
        rig.look("eye", data)

    monkeypatch.undo()
    rig.close()

"""Worker that makes the images pages look at, in a thread of its own.

The simulator's thread only notes what is to be drawn. One batch is made at a time, and
after each the darkroom rests for a multiple of the time that it took: a slow machine
shows fewer images, and the run goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.runtime.panel import AnnotatedImage
from gelenk.sim.cameras.gl import RenderError
from gelenk.sim.cameras.rig import Image, Viewfinder
from gelenk.sim.cameras.schedule import CapturedState
from gelenk.sim.world import World
from gelenk.ui import messages as m
from gelenk.ui.codec import encode_part
from gelenk.ui.images import Packed, compress, pack_image
from gelenk.ui.panel_publisher import PanelPublisher

PERIOD = 0.1  # [s] of wall time between two images of a camera
_NO_IMAGE = np.zeros((1, 1), dtype=np.uint8)
REST = 3.0  # rest after a batch, in times that it took
LONGEST_REST = 0.5  # [s]: the first image of a machine takes long, once


Send = Callable[[Packed], None]
Job = Callable[[], Packed]


class ImageWorker:
    """Makes images of one scene; belongs to the scene runner's thread but for `forget`.

    Args:
        scene: Number of the scene.
        world: World whose cameras are shown.
        exhibition: Publisher whose pictures are shown.
    """

    def __init__(self, scene: int, world: World, exhibition: PanelPublisher) -> None:
        self._scene, self._world, self._exhibition = scene, world, exhibition
        self._viewfinder = Viewfinder(world)
        self._cameras = frozenset(self._viewfinder.names)
        self._worker: ThreadPoolExecutor | None = None
        self._is_busy = False
        self._next = 0.0  # wall time
        self._is_forgetful = False
        self._seen: dict[str, int] = {}  # number of the last image of each camera
        self._shown: dict[str, tuple[NDArray[np.uint8], str]] = {}  # and what was said

    def forget(self) -> None:
        """Show everything anew, changed or not: somebody has come; from any thread."""
        self._is_forgetful = True

    def serve(self, watch: m.Watch, send: Send) -> None:
        """Begin to make what is wanted, has changed and is due; returns at once.

        Args:
            watch: Request that says what somebody looks at.
            send: Takes images, from another thread.
        """
        now = time.monotonic()
        if self._is_busy or now < self._next or not (watch.cameras or watch.pictures):
            return
        self._next = now + PERIOD
        if self._is_forgetful:
            self._is_forgetful = False
            self._seen.clear()
            self._shown.clear()
        jobs = [*self._camera_jobs(watch.cameras), *self._picture_jobs(watch.pictures)]
        if not jobs:
            return
        if self._worker is None:
            self._worker = ThreadPoolExecutor(1, thread_name_prefix="darkroom")
        self._is_busy = True
        self._worker.submit(self._work, jobs, send)

    def close(self) -> None:
        """Let what is being made be finished, and free everything."""
        if self._worker is not None:
            self._worker.submit(self._viewfinder.close)
            self._worker.shutdown()
            self._worker = None

    # -- what is due, in the scene runner's thread ---------------------------------

    def _camera_jobs(self, names: Iterable[str]) -> Iterator[Job]:
        for name in names:
            if name not in self._cameras:
                continue  # of the scene before
            moment = self._viewfinder.note(name)
            if moment is None:
                continue
            number = moment.frame if isinstance(moment, Image) else moment.number
            if self._seen.get(name) != number:
                self._seen[name] = number
                yield partial(self._photograph, name, moment)

    def _picture_jobs(self, names: Iterable[str]) -> Iterator[Job]:
        for picture in self._exhibition.pictures(frozenset(names)):
            said = self._exhibition.attempt("marks", partial(_say, picture))
            known = self._shown.get(picture.name)
            is_same = known and known[0] is picture.image and known[1] == said
            if said is None or is_same:
                continue
            self._shown[picture.name] = picture.image, said
            yield partial(self._develop, picture, self._world.time)

    # -- in the darkroom -----------------------------------------------------------

    def _work(self, jobs: list[Job], send: Send) -> None:
        start = time.monotonic()
        for job in jobs:
            packed = self._exhibition.attempt("images", job)
            if packed is not None:
                send(packed)
        end = time.monotonic()
        rest = min(REST * (end - start), LONGEST_REST)
        self._next = max(self._next, end + rest)
        self._is_busy = False

    def _photograph(self, name: str, moment: CapturedState | Image) -> Packed:
        try:
            image = self._viewfinder.draw(name, moment)
        except RenderError as error:
            head = self._head("camera", name, 0.0, None)
            return pack_image(replace(head, caption=str(error)), b"")
        head = self._head("camera", name, image.time, image.pixels)
        return _compressed(head, image.pixels)

    def _develop(self, picture: AnnotatedImage, now: float) -> Packed:
        head = self._head("picture", picture.name, now, picture.image)
        head = replace(head, marks=picture.marks, caption=picture.caption)
        return _compressed(head, picture.image)

    def _head(
        self,
        source: Literal["camera", "picture"],
        name: str,
        time: float,
        image: NDArray[np.uint8] | None,
    ) -> m.ImageHead:
        height, width = (0, 0) if image is None else image.shape[:2]
        return m.ImageHead(
            scene=self._scene,
            source=source,
            name=name,
            time=time,
            width=width,
            height=height,
            format="image/png",
        )


def _say(picture: AnnotatedImage) -> str:
    """Return everything of a picture but its image."""
    return encode_part(replace(picture, image=_NO_IMAGE))


def _compressed(head: m.ImageHead, image: NDArray[np.uint8]) -> Packed:
    kind, data = compress(image)
    return pack_image(replace(head, format=kind), data)

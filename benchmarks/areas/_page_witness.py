"""Whether a run that pages looked at is the same as one that nobody looked at."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from benchmarks.harness import Settings
from testkit.browser import Served

TIMEOUT = 60.0  # [s]
LAST = 2**31  # a tick later than all
TOLD = 60.0  # [s], simulated, between two words about the progress


class Comparison(NamedTuple):
    """How two runs differ at the same tick.

    Attributes:
        tick, time: When; seconds.
        num_numbers: Numbers of poses and joints that were compared.
        num_different: Those that differ in at least one bit.
    """

    tick: int
    time: float
    num_numbers: int
    num_different: int


def compare_with_nobody(served: Served, scene: str, settings: Settings) -> Comparison:
    """Hold a run and compare its last picture with that of a run without any page.

    Args:
        served: Where the run is.
        scene: Its name.
        settings: Its seed, and who is told about the progress.
    """
    seen = hold_and_look(served)
    alone = _run_alone(scene, seen.tick, settings)
    numbers, others = _numbers(seen), _numbers(alone)
    same = seen.tick == alone.tick and numbers.shape == others.shape
    different = np.count_nonzero(numbers != others) if same else numbers.size
    return Comparison(seen.tick, seen.time, numbers.size, int(different))


def hold_and_look(served: Served) -> Any:
    """Let the time of a run stand still and return its last frame."""
    from websockets.sync.client import connect

    from gelenk.ui.codec import encode
    from gelenk.ui.frames import ASKED, unpack_frame
    from gelenk.ui.messages import GetFrame, Hold

    place = urlsplit(served.url)
    with connect(
        f"ws://{place.netloc}/ws?{place.query}",
        origin=f"http://{place.netloc}",  # pyright: ignore[reportArgumentType]
        compression=None,
        proxy=None,
        max_size=None,
    ) as socket:
        socket.send(encode(Hold(id=1, is_held=True)))
        while '"reply"' not in str(data := socket.recv(TIMEOUT))[:40]:
            pass
        assert '"ok":true' in str(data).replace(" ", ""), data
        socket.send(encode(GetFrame(id=2, tick=LAST)))
        while True:
            data = socket.recv(TIMEOUT)
            if isinstance(data, bytes):
                frame, flags = unpack_frame(data)
                if flags & ASKED:
                    return frame


def _run_alone(scene: str, tick: int, settings: Settings) -> Any:
    """Return the frame of a tick of a run at which nobody looked before."""
    from gelenk.runtime import controls
    from gelenk.runtime.registry import list_scenes
    from gelenk.ui.frames import unpack_frame
    from gelenk.ui.scene_session import SceneSession

    show = SceneSession(1, list_scenes()[scene], settings.seed, {})
    try:
        run, told = show.live.run, 0.0
        run.do(controls.SetPaceRequest(pace=None))
        while run.clock.tick < tick:
            run.tick()
            if run.time >= told:
                settings.tell(f"the same run without a page: {run.time:.0f} s")
                told += TOLD
        show.look()
        return unpack_frame(show.latest_frame())[0]
    finally:
        show.close(lambda text: None)


def _numbers(frame: Any) -> Any:
    return np.concatenate([frame.poses.ravel(), frame.values, frame.shares])

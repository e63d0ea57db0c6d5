"""Session of one scene: what is seen and remembered of it while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError, GelenkError
from gelenk.runtime.events import CONTROLLER_TOPIC, ControllerEvent
from gelenk.runtime.executor import ControllerState, Executor, PureExecutor
from gelenk.runtime.run_controls import Buttons, RunControls
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.sim.renderer_view import RendererView
from gelenk.sim.self_collisions import SelfCollisions
from gelenk.sim.signals import Signals
from gelenk.ui import messages
from gelenk.ui.feeds import IMPACT_SPEED, SAMPLE_PERIOD, Feeds, list_curves
from gelenk.ui.files import ObjectPoses, RobotJoints, SceneRecording
from gelenk.ui.frames import ASKED, pack_frame
from gelenk.ui.gallery import panel_of, patches_of
from gelenk.ui.image_worker import ImageWorker
from gelenk.ui.messages import Scene, Status
from gelenk.ui.panel_publisher import PanelPublisher
from gelenk.ui.repeat import Repeat
from gelenk.ui.scene_encoder import SceneEncoder
from gelenk.ui.track import PictureTrack

MOMENT_PERIOD = 0.5  # [s], simulated, between two moments that can be gone on from
MOMENT_SPAN = 60.0  # [s], simulated, for which they are kept
MOMENT_BYTES = 16 * 2**20  # of all moments together; larger worlds keep fewer
SPEED_SPAN = 1.0  # [s] of wall time over which the speed is measured


def moments_of(nbytes: int) -> int:
    """Return how many moments are kept of a world with snapshots of some bytes.

    They lie as far apart as it takes to cover `MOMENT_SPAN`.
    """
    most = round(MOMENT_SPAN / MOMENT_PERIOD)
    return max(min(most, MOMENT_BYTES // max(nbytes, 1)), 1)


class SceneSession:
    """A scene and all that is remembered of it; belongs to the scene runner's thread.

    `asked_frame`, `latest_frame`, `assets`, `feeds` and `scene` may be used from any
    thread.

    Attributes:
        spec: Description that it was built from.
        settings: Parameters that it was built with.
        wanted: Parameters that it is to be built with next time.
        live: World, controllers and panel that were built.
        scene: Message that the page gets once, with the parameters as they are.
        assets: Meshes and textures that the scene names.
        feeds: Lines, events, samples.
        publisher: Sends what the robot shows of itself.
        images: Makes the images that are looked at.
        track: All pictures.
        execute: Buttons and states.
        recording: Recording that is being written; None: none.
        pace: Wanted simulated seconds per second; None: as fast as possible.
        problem: Reason why the scene stands, if it broke.

    Args:
        number: Number of the scene.
        spec: Description of the scene.
        seed: Seed of everything random.
        settings: Parameters that differ from their defaults.
    """

    def __init__(
        self, number: int, spec: SceneSpec, seed: int, settings: Settings
    ) -> None:
        self.spec, self.settings, self.wanted = spec, settings, dict(settings)
        self.seed = seed
        self.live: LiveScene = spec.make(seed, settings)
        try:
            self._prepare(number)
        except BaseException:
            self.live.free()
            raise

    def _prepare(self, number: int) -> None:
        live, spec = self.live, self.spec
        run = live.run
        self._sight = RendererView(live.world)
        plain = Scene(
            number=number,
            name=spec.name,
            title=spec.title,
            summary=spec.summary,
            step=run.clock.step_ns / 1e9,
            period=run.clock.period,
            bodies=(),
            panel=panel_of(live, spec.group),
        )
        self._gauges = Signals(live.world, self._sight.appearance)
        self._touches = SelfCollisions(live.world, self._sight.appearance)
        self.repeat = Repeat(spec.repeats)
        self._encoder = SceneEncoder(
            self._sight, plain, zone_texts=live.zone_texts, paints=patches_of(live)
        )
        self.assets = self._encoder.assets
        self.feeds = Feeds(number, run.clock)
        self.publisher = PanelPublisher(number, live.exhibit, self._complain)
        self.images = ImageWorker(number, live.world, self.publisher)
        self.scene = self._complete(self._encoder.scene)
        self.track = PictureTrack(self._sight.width)
        self.execute = RunControls(run)
        self.recording: SceneRecording | None = None
        self.pace: float | None = 1.0
        self.problem = ""
        self._changes: dict[str, ControllerEvent] = {}
        self._latest: tuple[int, NDArray[np.float32]] = (-1, self._sight.row())
        self._sent_tick = -1
        self._next_sample = 0.0  # wall time
        self._next_moment = self._next_point = 0.0
        self._kept_moments = moments_of(live.world.snapshot().nbytes)
        self._speed_marks: list[tuple[float, float]] = []
        self.files: tuple[Any, ...] = ()
        self._resets: list[Future[None]] = []
        run.bus.subscribe_all(self.feeds.hear)
        run.bus.subscribe(CONTROLLER_TOPIC, self._note_change)
        if live.connect is not None:
            live.connect(self.feeds)
        self._tell_missing()
        self.look()

    def _complete(self, scene: Scene) -> Scene:
        """Return a scene with what is not seen in its world."""
        curves = list_curves(self._gauges.signals, self.publisher.curves)
        return replace(
            scene,
            signals=curves.names,
            curves=curves.places,
            eye=self.live.eye or scene.eye,
            focus=self.live.focus or scene.focus,
            is_view_chosen=self.live.eye is not None,
        )

    def _tell_missing(self) -> None:
        """Say whose shapes are not as they should be."""
        missing = self._encoder.missing
        if self.assets.is_full:
            text = "the meshes of this scene are too large; some are left out"
            self.feeds.say(text, level="warning")
        elif missing:
            names = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
            text = f"shapes of {names} are left out: no mesh could be read"
            self.feeds.say(text, level="warning")

    def _complain(self, text: str) -> None:
        self.feeds.say(text, level="error", source="exhibit")

    def _note_change(self, event: ControllerEvent) -> None:
        self._changes[event.controller] = event

    @property
    def facts(self) -> dict[str, Any]:
        """What a recording says about its origin."""
        return {"scene": self.spec.name, "seed": self.seed, **self.live.facts}

    # -- between two control ticks ---------------------------------------------------

    def look(self) -> None:
        """Take note of what the last control tick did; cheap, if nothing happened."""
        clock = self.live.run.clock
        tick, last = clock.tick, self._latest[0]
        self.live.run.history.size = 0
        if tick == last:
            return
        if tick < last:
            self._go_back(tick)
        row = self._sight.row()
        self._latest = (tick, row)
        self.track.append(tick, row)
        self.feeds.note_grasps(self._sight.new_grasps())
        self.feeds.note_impacts(self._sight.new_impacts(IMPACT_SPEED))
        self.feeds.note_touches(self._touches.new())
        if clock.time >= self._next_point - 1e-9:
            self._next_point = clock.time + SAMPLE_PERIOD
            self._sample(row, clock.time_ns)
            if self.repeat.is_due(time.monotonic(), is_finished=self.is_finished):
                self._begin_anew()
        if clock.time >= self._next_moment and self.can_be_resumed:
            self.keep_moment()

    def _go_back(self, tick: int) -> None:
        self.feeds.go_back(tick)
        self.images.forget()
        then = self.track.find(tick)
        self._sight.forget_past(None if then is None else then.values)
        self._touches.forget_past()
        self._next_moment = self._next_point = 0.0
        self._speed_marks.clear()

    def _sample(self, row: NDArray[np.float32], time_ns: int) -> None:
        now = time.monotonic()
        is_shown = now >= self._next_sample
        if not is_shown and self.recording is None:
            return
        curves = self._gauges.read()
        if self.publisher.curves:
            more = np.array(self.publisher.sample(), dtype=np.float32)
            curves = np.concatenate([curves, more])
        if is_shown:
            self._next_sample = now + SAMPLE_PERIOD
            self.feeds.add_sample(curves)
        if self.recording is not None:
            self._record(self.recording, row, curves, time_ns)

    def _record(
        self,
        recording: SceneRecording,
        row: NDArray[np.float32],
        curves: NDArray[np.float32],
        time_ns: int,
    ) -> None:
        picture, scene = self._sight.picture(row), self.scene
        robots = {
            robot: RobotJoints(values=picture.values[own], speeds=picture.speeds[own])
            for robot in self._sight.appearance.robots
            if len(own := [i for i, j in enumerate(scene.joints) if j.robot == robot])
        }
        free = [i for i, body in enumerate(scene.bodies) if body.group == "object"]
        names = tuple(scene.bodies[i].name for i in free)
        objects = ObjectPoses(names=names, poses=picture.poses[free]) if free else None
        try:
            recording.add(time_ns, curves.tolist(), robots, objects)
            is_over = recording.is_full
        except (GelenkError, OSError) as error:
            self.feeds.say(f"the recording ends: {error}", level="error")
            is_over = True
        if is_over:
            self.end_recording()

    def end_recording(self) -> tuple[Any, ...]:
        """End the recording and return what can be fetched."""
        recording, self.recording = self.recording, None
        if recording is None:
            return self.files
        try:
            self.files = tuple(recording.finish())
        except (GelenkError, OSError) as error:
            self.feeds.say(f"the recording is damaged: {error}", level="error")
            recording.abandon()
        return self.files

    # -- going on from an earlier moment -------------------------------------------

    @property
    def can_be_resumed(self) -> bool:
        """Whether the present moment can be gone on from later."""
        hosts = self.live.run.executors
        return all(
            isinstance(h, PureExecutor) or h.state is ControllerState.IDLE
            for h in hosts
        )

    def keep_moment(self) -> None:
        """Have the coming control tick kept, to go on from it later."""
        run = self.live.run
        run.history.size = self._kept_moments
        self._next_moment = run.clock.time + MOMENT_SPAN / self._kept_moments

    def note_input(self) -> None:
        """Keep the moment after something came from outside.

        What is done again from an earlier moment would not have it.
        """
        self._next_moment = 0.0

    def reset(self, done: Callable[[Future[None]], None]) -> None:
        """Put the scene to its beginning in the coming tick, and tell when it is."""
        # one that is done still holds the page that asked for it
        self._resets = [future for future in self._resets if not future.done()]
        self._resets.append(self.execute.reset())
        self._resets[-1].add_done_callback(done)

    # -- pictures ------------------------------------------------------------------

    def live_frame(self, *, with_contacts: bool) -> bytes | None:
        """Return the picture of this moment; None if it was returned already."""
        tick, row = self._latest
        if tick == self._sent_tick:
            return None
        self._sent_tick = tick
        contacts = self._sight.contacts() if with_contacts else None
        return pack_frame(self._encoder.frame(tick, row, contacts))

    def latest_frame(self) -> bytes:
        """Return the latest picture, for somebody who comes late."""
        tick, row = self._latest
        return pack_frame(self._encoder.frame(tick, row))

    def asked_frame(self, tick: int) -> bytes | None:
        """Return the picture at or before a tick; None if there is none."""
        self.repeat.touch()
        found = self.track.find(tick)
        if found is None:
            return None
        return pack_frame(self._encoder.frame(found.tick, found.values), flags=ASKED)

    # -- state -----------------------------------------------------------------------

    def status(self) -> Status:
        """Return where the scene stands."""
        run, execute = self.live.run, self.execute
        if self.problem:
            buttons, state = ("reset",), "broken"
        else:
            buttons = _names(execute.buttons)
            state = str(execute.state if run.executors else ControllerState.RUNNING)
        return Status(
            scene=self.scene.number,
            state=state,
            buttons=buttons,
            controllers=tuple(
                messages.ControllerStatus(
                    number=host.instance,
                    name=host.name,
                    state=str(host.state),
                    reason=self._reason(host),
                    buttons=self._buttons(host),
                )
                for host in run.executors
            ),
            time=run.time,
            tick=run.clock.tick,
            first_tick=self.track.first_tick or 0,
            is_held=run.is_held,
            pace=self.pace,
            speed=self._measure_speed(run.time),
            is_recording=self.recording is not None,
            problem=self.problem,
            is_finished=self.is_finished,
            repeats=self.repeat.is_on,
            again_in=self.repeat.again_in(time.monotonic()),
        )

    @property
    def is_finished(self) -> bool:
        """Whether all controllers have come to the end of their programs."""
        hosts = self.live.run.executors
        return bool(hosts) and all(
            host.state is ControllerState.IDLE and self._reason(host) == "finished"
            for host in hosts
        )

    def _begin_anew(self) -> None:
        """Press Reset, and Start as soon as everything stands at its beginning."""

        def start(reset: Future[None]) -> None:
            if not reset.cancelled() and reset.exception() is None:
                self.execute.start()

        self.feeds.say("all programs have finished: the scene begins anew")
        self.reset(start)

    def _buttons(self, host: Executor) -> tuple[str, ...]:
        """Return which buttons would change a controller; a reset is for all."""
        if self.problem:
            return ()
        buttons = self.execute.buttons_of(host.instance)
        return _names(buttons._replace(reset=False))

    def _reason(self, host: Executor) -> str:
        """Return why a controller is in its state; empty until that is known."""
        change = self._changes.get(host.name)
        is_known = change is not None and change.state == str(host.state)
        return change.reason if change is not None and is_known else ""

    def _measure_speed(self, sim_time: float) -> float:
        """Return simulated seconds per second over the last second."""
        now, marks = time.monotonic(), self._speed_marks
        marks.append((now, sim_time))
        while len(marks) > 2 and now - marks[1][0] >= SPEED_SPAN:
            marks.pop(0)
        wall, sim = marks[0]
        passed = now - wall
        return round((sim_time - sim) / passed, 3) if passed > 1e-3 else 0.0

    # -- the end -------------------------------------------------------------------

    def close(self, report: Callable[[str], None]) -> None:
        """Free everything; what goes wrong is reported and changes nothing."""
        for what in (
            self._abandon,
            self.images.close,
            self.live.free,
            self.track.close,
            self._cancel,
        ):
            try:
                what()
            except Exception as error:  # a scene that cannot end must not stay
                report(f"closing {self.spec.name}: {error}")

    def _cancel(self) -> None:
        """Tell those who wait for a reset that it will not come."""
        for future in self._resets:
            if not future.done():
                future.set_exception(ConfigError("the scene was closed"))

    def _abandon(self) -> None:
        if self.recording is not None:
            self.recording.abandon()


def _names(buttons: Buttons) -> tuple[str, ...]:
    return tuple(name for name, is_on in buttons._asdict().items() if is_on)

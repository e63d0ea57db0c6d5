"""A soccer match as messages: minds made of modules, wired to a world or to a log.

Each robot is one process of four modules: eye (image to sight), place, ball and play.
The same modules run on rendered images, on true values in place of what the image would
tell, and on the recording of a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gelenk.course.scenarios.soccer_ball import BallMemory, track_ball
from gelenk.course.scenarios.soccer_eye import see
from gelenk.course.scenarios.soccer_field import (
    TEAM,
    BallGuess,
    BodyReading,
    Call,
    Order,
    Pixels,
    Place,
    Sight,
)
from gelenk.course.scenarios.soccer_place import START_SIGMA, Where, locate
from gelenk.course.scenarios.soccer_play import Memory, decide, make_agent
from gelenk.course.scenarios.soccer_world import STEP, Match
from gelenk.estimation.kalman import Belief
from gelenk.estimation.multi_hypothesis import TrackerState
from gelenk.runtime.bus import Bus
from gelenk.runtime.controller import View
from gelenk.runtime.events import CameraImage
from gelenk.runtime.message_faults import MessageFaults
from gelenk.runtime.modules import Module, make_process, with_truth
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import Recording
from gelenk.runtime.replay import Replay
from gelenk.runtime.run import Run
from gelenk.sim.faults import Fault
from gelenk.typing import FloatArray

PERIOD = 0.05  # of messages [s]
FRAME_TICKS = 6  # physics steps between two images
CALL_LOSS, CALL_DELAY = 0.3, 0.1  # share of lost calls, delay of the others [s]
GIVEN = {"image": CameraImage, "body": BodyReading}


def start_place(k: int) -> Where:
    """Return where robot k knows to begin: a place of its half, roughly."""
    mean = np.array([-2.0, -0.9 if k == 0 else 0.9, 0.0])
    belief = Belief(mean=mean, covariance=np.diag(START_SIGMA**2))
    return Where((belief,), np.ones(1))


def make_modules(k: int) -> tuple[Module, ...]:
    """Return the mind of robot k, not yet in order."""
    own, mate = TEAM[k], TEAM[1 - k]
    image, body, sight = f"{own}/image", f"{own}/body", f"{own}/sight"
    place, ball, order = f"{own}/place", f"{own}/ball", f"{own}/order"
    call, heard = f"{own}/call", f"{mate}/call"

    def eye(state: None, inputs: Mapping[str, Any]) -> tuple[None, dict[str, Any]]:
        return None, {sight: see(inputs[image].pixels, inputs[body])}

    def where(state: Where, inputs: Mapping[str, Any]) -> tuple[Where, dict[str, Any]]:
        state = locate(state, inputs[body].odometry, inputs[sight])
        told = Place(mean=state.best.mean, covariance=state.best.covariance)
        return state, {place: told}

    def track(
        state: BallMemory, inputs: Mapping[str, Any]
    ) -> tuple[BallMemory, dict[str, Any]]:
        state, guess = track_ball(state, inputs[body], inputs[sight], inputs[place])
        return state, {ball: guess}

    def play(state: Memory, inputs: Mapping[str, Any]) -> tuple[Memory, dict[str, Any]]:
        state, said, told = decide(
            state, inputs[body], inputs[place], inputs[ball], inputs[heard]
        )
        return state, {order: said, call: told}

    return (
        Module(
            name="eye",
            step=eye,
            requires={image: CameraImage, body: BodyReading},
            provides={sight: Sight},
        ),
        Module(
            name="place",
            step=where,
            initial=start_place(k),
            requires={body: BodyReading, sight: Sight},
            provides={place: Place},
        ),
        Module(
            name="ball",
            step=track,
            initial=BallMemory(TrackerState()),
            requires={body: BodyReading, sight: Sight, place: Place},
            provides={ball: BallGuess},
        ),
        Module(
            name="play",
            step=play,
            initial=Memory(make_agent()),
            requires={body: BodyReading, place: Place, ball: BallGuess},
            uses={heard: Call},
            provides={order: Order, call: Call},
        ),
    )


def make_mind(k: int, modules: Sequence[Module]) -> Any:
    """Return the process of robot k; it runs once for every image."""
    own, mate = TEAM[k], TEAM[1 - k]
    given = {f"{own}/{name}": kind for name, kind in GIVEN.items()}
    given[f"{mate}/call"] = Call
    return make_process(own, modules, given=given, driver=f"{own}/body")


@dataclass(slots=True)
class Exposure:
    """What was true when an image was taken; for the judge only.

    Attributes:
        pose: Of the robot, shape (3,).
        odometry: What its legs had counted, shape (3,).
        ball: Place and velocity in its axes, shape (4,).
        shown: Pixels that show the ball.
        image: The image; None: none was taken.
    """

    pose: FloatArray
    odometry: FloatArray
    ball: FloatArray
    shown: int
    image: Pixels | None


@dataclass(slots=True)
class Kickoff:
    """A match with its minds, ready to run.

    Attributes:
        match: The truth.
        has_camera: Whether images are taken; else minds are told the truth.
        exposures: By robot and number of the image.
        heard: Messages of the minds by topic, in their order.
    """

    match: Match
    has_camera: bool = True
    exposures: dict[tuple[int, int], Exposure] = field(default_factory=dict)
    heard: dict[str, list[Any]] = field(default_factory=dict)
    _number: int = 0

    def publish(self, view: View) -> None:
        """Carry out what was ordered; publish what sensors give."""
        for k, name in enumerate(TEAM):
            self.match.orders[k] = view.bus.latest(f"{name}/order")
        if self.match.tick % FRAME_TICKS:
            return
        for k, name in enumerate(TEAM):
            body, image, shown = self.match.body(k, self._number), None, 0
            if self.has_camera:
                image, shown = self.match.picture(k)
                message = CameraImage.from_pixels(
                    image, camera=name, number=self._number, time=self.match.time
                )
                view.bus.publish(f"{name}/image", message)
            view.bus.publish(f"{name}/body", body)
            self.exposures[k, self._number] = Exposure(
                pose=self.match.poses[k].copy(),
                odometry=body.odometry,
                ball=self.match.relative_ball(k),
                shown=shown,
                image=image,
            )
        self._number += 1

    def modules(self, k: int) -> tuple[Module, ...]:
        """Return the mind of robot k; without cameras it is told the truth."""
        modules = make_modules(k)
        if self.has_camera:
            return modules
        body = f"{TEAM[k]}/body"

        def place(inputs: Mapping[str, Any]) -> dict[str, Any]:
            at = self.exposures[k, inputs[body].number]
            told = Place(mean=at.pose, covariance=1e-6 * np.eye(3))
            return {f"{TEAM[k]}/place": told}

        def ball(inputs: Mapping[str, Any]) -> dict[str, Any]:
            at = self.exposures[k, inputs[body].number].ball
            told = BallGuess(
                is_known=True, position=at[:2], velocity=at[2:], age=0.0, sigma=1e-3
            )
            return {f"{TEAM[k]}/ball": told}

        without_eye = [module for module in modules if module.name != "eye"]
        needs = {body: BodyReading}
        told_place = with_truth(without_eye, "place", place, requires=needs)
        return with_truth(told_place, "ball", ball, requires=needs)

    def run(
        self,
        limit: float,
        *,
        seed: int,
        recorder: Recorder | None = None,
        watch: Any = None,
    ) -> None:
        """Play until the first goal or the end of the time [s]."""
        calls = [f"{name}/call" for name in TEAM]
        losses = [
            *(
                Fault(kind="message_lost", target=c, start=0.0, amount=CALL_LOSS)
                for c in calls
            ),
            *(
                Fault(kind="message_delayed", target=c, start=0.0, amount=CALL_DELAY)
                for c in calls
            ),
        ]
        topics = {f"{n}/{name}": kind for n in TEAM for name, kind in GIVEN.items()}
        bus = Bus(topics, faults=MessageFaults(losses, seed))
        minds = [make_mind(k, self.modules(k)) for k in range(2)]
        publishers = [self.publish] if watch is None else [self.publish, watch]
        with Run(
            self.match,
            minds,
            bus=bus,
            recorder=recorder,
            period=PERIOD,
            step=STEP,
            budget=None,
            publishers=publishers,
        ) as run:
            for topic in bus.topics:
                if topic.split("/")[-1] in ("sight", "place", "ball", "order", "call"):
                    self.heard[topic] = []
                    bus.subscribe(topic, self.heard[topic].append)
            run.run(limit, until=lambda: bool(np.isfinite(self.match.goal_time)))


def replay_orders(recording: Recording, k: int) -> list[Order]:
    """Return what the mind of robot k decides when it lives through a log again."""
    own, mate = TEAM[k], TEAM[1 - k]
    topics = {f"{own}/{name}": kind for name, kind in GIVEN.items()}
    topics[f"{mate}/call"] = Call
    replay = Replay(recording, topics, period=PERIOD)
    decided: list[Order] = []
    with Run(
        replay,
        [make_mind(k, make_modules(k))],
        bus=replay.bus,
        step=PERIOD,
        period=PERIOD,
        budget=None,
        publishers=[replay.publish],
    ) as run:
        replay.bus.subscribe(f"{own}/order", decided.append)
        # As long as the match; both runs deliver the last messages when they close.
        last = recording.time_range
        run.run(0.0 if last is None else max(0.0, last[1] - 0.5 * PERIOD))
    return decided


def recorded_orders(recording: Recording, k: int) -> list[Order]:
    """Return what the mind of robot k decided in a recorded match."""
    topic = f"{TEAM[k]}/order"
    return [m.value for m in recording.messages(topic, message_type=Order)]


def log_path(folder: str) -> Path:
    """Return the file of a log in a folder."""
    return Path(folder) / "match.mcap"

"""Soccer: two robots share a ball in changing light; with its film.

Colours in hue, saturation and intensity, a circle through the ball's border, tracking
with several hypotheses, nested state machines. The same behaviour is played with the
truth in place of the cameras, which is its automatic test; the log of the match is
lived through again and must lead to the same decisions, bit for bit.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable

import numpy as np

from gelenk.course.film import Film, standing
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    CIRCLE,
    HALF_LENGTH,
    HALF_WIDTH,
    SEGMENTS,
    TEAM,
    Order,
    Pixels,
)
from gelenk.course.scenarios.soccer_match import (
    Kickoff,
    log_path,
    recorded_orders,
    replay_orders,
)
from gelenk.course.scenarios.soccer_picture import GOAL_POSTS
from gelenk.course.scenarios.soccer_world import BODY_HEIGHT, BODY_RADIUS, make_match
from gelenk.navigation.planar import compose, points_in_world, relative_pose
from gelenk.runtime.controller import View
from gelenk.runtime.messages import codec_for
from gelenk.runtime.recorder import Recorder
from gelenk.runtime.recording import open_recording
from gelenk.typing import FloatArray

MARK = 0.05  # width of the lines of the field [m]
_PAINT = {"one": "teal", "two": "purple"}


def film_match(film: Film, kickoff: Kickoff) -> Callable[[View], None]:
    """Return what shoots a frame of a match whenever one is due."""
    match = kickoff.match
    carpet = (2.0 * HALF_LENGTH + 1.0, 2.0 * HALF_WIDTH + 1.0, 0.02)
    film.box("carpet", carpet, color="lawn")
    film.ball("ball", BALL_RADIUS, color="orange")
    still = {"carpet": standing([0.0, 0.0, -0.012])}
    for k, pillar in enumerate((*GOAL_POSTS, *match.people)):
        name = f"pillar {k}"
        film.disc(name, pillar.radius, pillar.height, color=pillar.color)
        still[name] = standing([pillar.x, pillar.y, 0.5 * pillar.height])
    for k, place in enumerate(match.decoys):
        film.ball(f"decoy {k}", BALL_RADIUS, color="orange")
        still[f"decoy {k}"] = standing([place[0], place[1], BALL_RADIUS])
    for name in TEAM:
        film.disc(name, BODY_RADIUS, BODY_HEIGHT, color=_PAINT[name])
        film.box(f"{name} nose", (0.1, 0.08, 0.08), color="black")
    for k, ends in enumerate(SEGMENTS):
        along, middle = ends[1] - ends[0], 0.5 * (ends[0] + ends[1])
        length = float(np.hypot(*along)) + MARK
        film.box(f"mark {k}", (length, MARK, 0.004), color="white")
        heading = float(np.arctan2(along[1], along[0]))
        still[f"mark {k}"] = standing([middle[0], middle[1], 0.0], heading)
    film.line("circle", color="neutral")
    marks = {"circle": _circle()}

    def watch(view: View) -> None:
        if not film.wants(match.time):
            return
        poses = {**still, "ball": standing([match.ball[0], match.ball[1], BALL_RADIUS])}
        clouds: dict[str, FloatArray] = {}
        words: list[str] = []
        for k, name in enumerate(TEAM):
            x, y, heading = match.poses[k]
            poses[name] = standing([x, y, 0.5 * BODY_HEIGHT], heading)
            c, s = np.cos(heading), np.sin(heading)
            front = BODY_RADIUS
            poses[f"{name} nose"] = standing(
                [x + c * front, y + s * front, 0.42], heading
            )
            place = view.bus.latest(f"{name}/place")
            ball, order = (
                view.bus.latest(f"{name}/ball"),
                view.bus.latest(f"{name}/order"),
            )
            if place is not None and ball is not None and ball.is_known:
                at = points_in_world(place.mean, ball.position[None])[0]
                clouds[f"ball of {name}"] = np.array([[*at, 2.5 * BALL_RADIUS]])
            if order is not None:
                words.append(f"{name}: {order.role}, {order.path.split(' > ')[1]}")
        film.shoot(
            match.time, poses=poses, lines=marks, clouds=clouds, text="; ".join(words)
        )

    return watch


def _circle() -> FloatArray:
    """Return the circle in the middle of the field, shape (60, 3) [m]."""
    angle = np.linspace(0.0, 2.0 * np.pi, 60)
    return CIRCLE * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)


LIMIT = 60.0  # to the first goal [s]
MAX_BALL_ERROR = 0.10  # median of the striker's estimate, within 2 m [m]
NEAR = 2.0  # [m]
LEAST_SHOWN = 8  # pixels of a ball that should be found
RGB_BOX = ((150, 255), (40, 120), (0, 70))  # orange, taught in the light of the start


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return how one match went.

    Figures: "goals" within the time and "time to goal [s]"; "bypass goals" and "bypass
    time [s]", the same with the truth in place of images; "ball error [m]", median;
    "self error [m]" and "dead reckoning [m]", what legs alone would believe; "recall",
    "false" balls on the field per image and "recall by RGB", of a box of fixed colours;
    "both striking", share of the time; "replay differs", decisions.
    """
    cameras = Kickoff(make_match(seed))
    with tempfile.TemporaryDirectory(prefix="gelenk-soccer-") as folder:
        with Recorder(log_path(folder), {"seed": seed}) as recorder:
            watch = None if film is None else film_match(film, cameras)
            cameras.run(LIMIT, seed=seed, recorder=recorder, watch=watch)
        with open_recording(log_path(folder)) as log:
            encode = codec_for(Order).encode
            pairs = [
                ([encode(o) for o in recorded_orders(log, k)],
                 [encode(o) for o in replay_orders(log, k)])
                for k in range(2)
            ]  # fmt: skip
    differs = sum(_differences(*pair) for pair in pairs)
    bypass = Kickoff(make_match(seed), has_camera=False)
    bypass.run(LIMIT, seed=seed)
    figures = {
        **_score(cameras, "goals", "time to goal [s]"),
        **_score(bypass, "bypass goals", "bypass time [s]"),
        **judge_beliefs(cameras),
        **judge_eyes(cameras),
        "kicks": float(cameras.match.num_kicks),
        "both striking": _both_striking(cameras),
        "replay differs": float(differs),
    }
    reason = _reason(figures)
    return TrialOutcome(
        seed=seed, is_reached=not reason, figures=figures, reason=reason
    )


def _score(kickoff: Kickoff, goals: str, time: str) -> dict[str, float]:
    at = kickoff.match.goal_time
    return {goals: float(np.isfinite(at)), time: LIMIT if np.isnan(at) else at}


def _reason(figures: dict[str, float]) -> str:
    """Return what is wrong with a match; empty: nothing."""
    if figures["replay differs"] > 0.0:
        return "the log leads to other decisions"
    if figures["bypass goals"] < 1.0:
        return "no goal even with the truth"
    if figures["goals"] < 1.0:
        return "no goal in time"
    if not figures["ball error [m]"] < MAX_BALL_ERROR:
        return "the ball was not where it was believed"
    return ""


def _differences(recorded: list[bytes], replayed: list[bytes]) -> int:
    """Return how many decisions differ; those that are missing, too."""
    unequal = sum(a != b for a, b in zip(recorded, replayed, strict=False))
    return unequal + abs(len(recorded) - len(replayed)) + (not recorded)


def judge_beliefs(kickoff: Kickoff) -> dict[str, float]:
    """Return how wrong robots were about the ball and themselves."""
    ball_errors, self_errors, legs = [], [], []
    for k, name in enumerate(TEAM):
        first = kickoff.exposures[k, 0]
        start = first.pose
        guesses, places = kickoff.heard[f"{name}/ball"], kickoff.heard[f"{name}/place"]
        for number, (guess, place) in enumerate(zip(guesses, places, strict=True)):
            truth = kickoff.exposures[k, number]
            self_errors.append(np.hypot(*(place.mean - truth.pose)[:2]))
            counted = relative_pose(first.odometry, truth.odometry)
            legs.append(np.hypot(*(compose(start, counted) - truth.pose)[:2]))
            is_near = np.hypot(*truth.ball[:2]) < NEAR
            if guess.is_known and guess.age < 0.5 and is_near:
                ball_errors.append(np.hypot(*(guess.position - truth.ball[:2])))
    return {
        "ball error [m]": float(np.median(ball_errors)) if ball_errors else np.inf,
        "self error [m]": float(np.mean(self_errors)),
        "dead reckoning [m]": float(np.mean(legs)),
    }


def judge_eyes(kickoff: Kickoff) -> dict[str, float]:
    """Return shares of balls that were found, and false ones per image."""
    shown = found = taught = false = images = 0
    for k, name in enumerate(TEAM):
        for number, sight in enumerate(kickoff.heard[f"{name}/sight"]):
            truth = kickoff.exposures[k, number]
            off = np.hypot(*(sight.balls[:, :2] - truth.ball[:2]).T)
            is_right = off < 0.15 + 0.2 * np.hypot(*truth.ball[:2])
            images += 1
            at = points_in_world(truth.pose, sight.balls[:, :2])
            is_on = (np.abs(at) < [HALF_LENGTH, HALF_WIDTH]).all(axis=1)
            false += int((is_on & ~is_right).sum())
            if truth.shown >= LEAST_SHOWN:
                shown += 1
                found += bool(is_right.any())
                taught += _has_taught_color(truth.image, truth.shown)
    return {
        "recall": found / max(shown, 1),
        "recall by RGB": taught / max(shown, 1),
        "false": false / max(images, 1),
    }


def _has_taught_color(image: Pixels | None, shown: int) -> bool:
    """Return whether fixed colours would find half of the ball, and not much more."""
    if image is None:
        return False
    is_in = np.ones(image.shape[:2], dtype=bool)
    for channel, (low, high) in enumerate(RGB_BOX):
        is_in &= (image[..., channel] >= low) & (image[..., channel] <= high)
    count = float(is_in.sum())
    return 0.5 * shown <= count <= 3.0 * shown


def _both_striking(kickoff: Kickoff) -> float:
    orders = zip(*(kickoff.heard[f"{name}/order"] for name in TEAM), strict=False)
    return float(np.mean([a.role == b.role == "striker" for a, b in orders] or [0.0]))

"""The film of a soccer match: field, robots, ball, and what each robot believes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.course.film import Film, standing
from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    CIRCLE,
    HALF_LENGTH,
    HALF_WIDTH,
    SEGMENTS,
    TEAM,
)
from gelenk.course.scenarios.soccer_match import Kickoff
from gelenk.course.scenarios.soccer_picture import GOAL_POSTS
from gelenk.course.scenarios.soccer_world import BODY_HEIGHT, BODY_RADIUS
from gelenk.navigation.planar import points_in_world
from gelenk.runtime.controller import View
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

"""What is drawn into the world and into the images around a playing Piggy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gelenk.robots.piggy.config import BALL_RADIUS
from gelenk.robots.piggy.game.people import Person
from gelenk.robots.piggy.kinematics import forward, jacobian
from gelenk.robots.piggy.player import Player
from gelenk.robots.piggy.setup import CameraSetup
from gelenk.robots.piggy.tracker import Frame, Track
from gelenk.robots.piggy.world import PiggyWorld
from gelenk.runtime.panel import (
    Color,
    Mark,
    Overlay,
    PixelCircles,
    PixelPath,
    WorldArrows,
    WorldPath,
    WorldSpheres,
    WorldTexts,
    WorldTube,
)
from gelenk.spatial import se3
from gelenk.typing import BoolArray
from gelenk.vision.camera import project

SIGMAS = 3.0  # of the prediction that the tube shows
TRAIL = 60  # cycles of motion control, 0.6 s
STROKE_SCALE = 0.1  # [s]; an arrow of 0.1 m is 1 m/s
SPHERE = 0.125  # [m]
HEAD = 0.12  # [m]


def balls(place: PiggyWorld) -> Iterator[Overlay]:
    """Draw the balls that are there."""
    tick = place.tick
    there = [
        ball.look(tick)[0]
        for ball in place.truth.balls[-8:]
        if ball.is_visible(tick) and not ball.is_over(tick)
    ]
    if there:
        radii = np.full(len(there), BALL_RADIUS)
        yield WorldSpheres(
            name="balls", centers=there, radii=radii, color="bad", opacity=1.0
        )


def predictions(frame: Frame | None) -> Iterator[Overlay]:
    """Draw tubes of what the tracker expects, and where balls come through."""
    tracks = frame.tracks if frame is not None else ()
    for number, track in enumerate(tracks[:3]):
        sigma = np.linalg.norm(track.sigma[:, :3], axis=1)
        yield WorldTube(
            name="prediction" if number == 0 else f"prediction {number + 1}",
            at=track.position,
            radii=np.clip(SIGMAS * sigma, 0.005, 0.5),
        )
    crossings = [t.crossing.position for t in tracks if t.crossing is not None]
    if crossings:
        radii = np.full(len(crossings), 0.03)
        yield WorldSpheres(
            name="crossing", centers=crossings, radii=radii, color="warning"
        )


def strokes(player: Player) -> Iterator[Overlay]:
    """Draw the stroke that is intended, and the way of the bat."""
    intent = player.state.intent
    if intent is not None:
        place = forward(intent.q)
        yield WorldSpheres(
            name="intended bat", centers=[place], radii=[SPHERE], color="target"
        )
        if intent.is_moving:
            velocity = jacobian(intent.q) @ intent.qd
            yield WorldArrows(
                name="intended velocity (0.1 m is 1 m/s)",
                starts=[place],
                vectors=[STROKE_SCALE * velocity],
                color="target",
            )
    log = player.control.log
    if len(log) > 1:
        way = [state.bat for state in log.latest(TRAIL)]
        yield WorldPath(name="way of the bat", at=way, color="measured")


def bodies(people: Sequence[Person]) -> Iterator[Overlay]:
    """Draw who plays, the team in one colour, opponents in another."""
    for side, color in _SIDES.items():
        some = [person for person in people if person.side == side]
        for person in some:
            x, y = person.place
            heights = np.linspace(0.0, person.height - 2.0 * HEAD, 5)
            yield WorldTube(
                name=person.name,
                at=[(x, y, z) for z in heights],
                radii=[0.12, 0.14, 0.18, 0.22, 0.16],
                color=color,
                opacity=0.8,
            )
        if some:
            tops = [(*p.place, p.height - HEAD) for p in some]
            yield WorldSpheres(
                name=f"heads of the {side}",
                centers=tops,
                radii=np.full(len(tops), HEAD),
                color=color,
                opacity=0.8,
            )
            yield WorldTexts(
                name=f"names of the {side}",
                at=[(*p.place, p.height + 0.2) for p in some],
                texts=tuple(p.name for p in some),
            )


_SIDES: dict[str, Color] = {"team": "one", "opponents": "two"}


def seen(frame: Frame, side: int, camera: CameraSetup) -> tuple[Mark, ...]:
    """Return the marks of one image: circles, balls, where tracks lead.

    Args:
        frame: What the tracker made of it.
        side: 0 left, 1 right.
        camera: As the robot knows it.
    """
    circles, is_ball = frame.circles[side], frame.is_ball[side]
    kinds: tuple[tuple[BoolArray, Color, str], ...] = (
        (~is_ball, "neutral", "other circles"),
        (is_ball, "measured", "balls"),
    )
    marks: list[Mark] = [
        PixelCircles(
            centers=circles[mask, :2], radii=circles[mask, 2], color=color, layer=layer
        )
        for mask, color, layer in kinds
        if mask.any()
    ]
    marks += [mark for track in frame.tracks for mark in _way(track, camera)]
    return tuple(marks)


def _way(track: Track, camera: CameraSetup) -> Iterator[Mark]:
    p_camera = se3.transform_point(se3.inverse(camera.T_world_camera), track.position)
    pixels = project(camera.intrinsics, p_camera)
    good = np.isfinite(pixels).all(axis=1) & (np.abs(pixels) < 4000).all(axis=1)
    if good.sum() > 1:
        yield PixelPath(at=pixels[good], layer="prediction")

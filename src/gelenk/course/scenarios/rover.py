"""Subsumption rover: layers that avoid, wander and explore, and what each is worth.

Five rovers live in copies of one cluttered room: a whole one, one without its layer 2,
one with layer 0 alone, one without layer 0, and a whole one with dead sonars. None has
a map or a plan. Layer 0 stops before what is ahead (*collide*) and goes with the force
of all echoes (*runaway*); layer 1 wanders; layer 2 goes to interesting places, here
lamps that burn until somebody was there, and else where nothing is heard.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from gelenk.behavior.subsumption import (
    Layer,
    Subsumption,
    Wire,
    explore_layer,
    wander_layer,
)
from gelenk.course.film import at_height, standing
from gelenk.course.scenarios.outcome import TrialOutcome
from gelenk.course.scenarios.rover_room import (
    DT,
    RADIUS,
    RING,
    SIZE,
    TURRET,
    Fleet,
    Room,
    make_room,
)
from gelenk.typing import BoolArray, FloatArray

if TYPE_CHECKING:
    from gelenk.course.film import Film

LEAST_LAMPS = 5  # half of all, found by the whole rover
LEAST_DEAF_LAMPS = 4  # with dead sonars
MAX_IDLE_WAY = 1.5  # of layer 0 alone: off what pushes it, and no farther [m]
DURATION = 120.0  # [s]
DEAD = 3  # sonars of 24, no two of them neighbours

# Time constants: a lamp seen is worth following for a while when it is hidden, a
# wandering heading for a moment; the side of a turn is kept until the corner is left.
EXPLORE_HOLD, WANDER_HOLD, TURN_HOLD = 0.6, 0.3, 1.5  # [s]
FORCE_SCALE = 28.0  # echoes that count as much as a wish [1/m^2]
PATIENCE, BOREDOM = 8.0, 5.0  # with a lamp, or a way, that leads nowhere [s]
CELL = 0.5  # of the area covered [m]
ROVERS = ("whole", "no explore", "avoid alone", "no avoid", "deaf")


def run(seed: int, film: Film | None = None) -> TrialOutcome:
    """Return how five rovers fared.

    Figures of each, such as "whole bumps", "whole lamps", "whole way [m]" and
    "whole area [m^2]", the floor of all cells of 0.5 m in which it was.
    """
    rng = np.random.default_rng(seed)
    room = make_room(rng)
    dead = np.zeros((len(ROVERS), RING.count), dtype=bool)
    dead[-1] = dead_sonars(rng)
    fleet = Fleet(room=room, dead=dead, rng=np.random.default_rng([seed, 1]))
    minds, eyes = make_minds(seed)
    trail = [fleet.poses]
    if film is not None:
        _declare(film, room)
    for k in range(round(DURATION / DT)):
        now = k * DT
        ranges = fleet.listen().copy()
        eyes[:] = zip(*fleet.look(), strict=True)
        fleet.move([m.step(r, now) for m, r in zip(minds, ranges, strict=True)])
        trail.append(fleet.poses)
        if film is not None and film.wants(now + DT):
            _shoot(film, now + DT, fleet, trail)
    return _judged(seed, fleet, np.array(trail))


def make_minds(seed: int) -> tuple[list[Subsumption], list[tuple[FloatArray, ...]]]:
    """Return the programs of `ROVERS`, and the list in which they see lamps."""
    eyes: list[tuple[FloatArray, ...]] = [(np.zeros(1), np.zeros(1))] * len(ROVERS)
    minds: list[Subsumption] = []
    for k, name in enumerate(ROVERS):
        wander = wander_layer(np.random.default_rng([seed, 2]), hold=WANDER_HOLD)
        seek = seek_layer(lambda k=k: eyes[k])
        mind = Subsumption(
            bearings=RING.bearings,
            layers=[wander, seek],
            stop_distance=0.4,
            speed=0.4,
            force_scale=FORCE_SCALE,
            turn_hold=TURN_HOLD,
        )
        for level in {"no explore": (2,), "avoid alone": (2, 1), "no avoid": (0,)}.get(
            name, ()
        ):
            mind = mind.without(level)
        minds.append(mind)
    return minds, eyes


def seek_layer(see: Callable[[], tuple[FloatArray, ...]]) -> Layer:
    """Return layer 2: to the brightest lamp, else where nothing is heard.

    A lamp that it does not reach bores it: for a while the line of its eyes is
    inhibited, and it goes elsewhere. So do ways that lead to no lamp: then the layer
    is silent for a while, and the one below it is heard.

    Args:
        see: Bearings [rad] and brightness of lamps, 0: not seen, shape (k,) each.
    """
    line, since = Wire(), math.inf
    elsewhere, seen = explore_layer(RING.bearings), 0.0

    def decide(ranges: FloatArray, now: float) -> float | None:
        nonlocal since, seen
        bearings, bright = see()
        best = int(np.argmax(bright))
        line.send(float(bearings[best]) if bright[best] > 0.0 else None, now=now)
        wish = line.read(now=now)
        if not isinstance(wish, float):
            since = math.inf
            is_bored = (now - seen) % (PATIENCE + BOREDOM) > PATIENCE
            return None if is_bored else elsewhere.decide(ranges, now)
        seen = now
        since = min(since, now)
        if now - since > PATIENCE:
            line.inhibit(now=now, duration=BOREDOM)
        return wish

    return Layer(level=2, name="seek", decide=decide, hold=EXPLORE_HOLD)


def dead_sonars(rng: np.random.Generator) -> BoolArray:
    """Return which sonars of a ring are dead: a few, no two neighbours, shape (s,)."""
    while True:
        dead = np.zeros(RING.count, dtype=bool)
        dead[rng.choice(RING.count, DEAD, replace=False)] = True
        if not (dead & np.roll(dead, 1)).any():
            return dead


def _judged(seed: int, fleet: Fleet, poses: FloatArray) -> TrialOutcome:
    """Return figures of all rovers and whether layers are worth what they must."""
    figures: dict[str, float] = {}
    lamps = (~fleet.burning).sum(axis=1)
    steps = np.linalg.norm(np.diff(poses[..., :2], axis=0), axis=-1).sum(axis=0)
    for k, name in enumerate(ROVERS):
        cells = np.unique(np.floor(poses[:, k, :2] / CELL).astype(int), axis=0)
        figures |= {
            f"{name} bumps": float(fleet.bumps[k]),
            f"{name} lamps": float(lamps[k]),
            f"{name} way [m]": float(steps[k]),
            f"{name} area [m^2]": len(cells) * CELL**2,
        }
    f = figures
    wishes = {
        "the whole rover bumped": f["whole bumps"] == 0,
        "the whole rover found too few lamps": f["whole lamps"] >= LEAST_LAMPS,
        "without layer 2 it bumped": f["no explore bumps"] == 0,
        "without layer 2 it found no fewer": f["no explore lamps"] < f["whole lamps"],
        "layer 0 alone bumped": f["avoid alone bumps"] == 0,
        "layer 0 alone went away": f["avoid alone way [m]"] < MAX_IDLE_WAY,
        "without layer 1 it went no less": f["avoid alone area [m^2]"]
        < f["no explore area [m^2]"],
        "without layer 0 nothing was hit": f["no avoid bumps"] > 0,
        "dead sonars made it bump": f["deaf bumps"] == 0,
        "with dead sonars it found too few lamps": f["deaf lamps"] >= LEAST_DEAF_LAMPS,
    }
    problems = [text for text, is_so in wishes.items() if not is_so]
    return TrialOutcome(
        seed=seed, is_reached=not problems, figures=figures, reason="; ".join(problems)
    )


def _declare(film: Film, room: Room) -> None:
    """Put the room and the rovers into a film."""
    poses: dict[str, FloatArray] = {}
    film.box("floor", [*SIZE, 0.02], color="light_grey")
    poses["floor"] = standing([*SIZE / 2.0, -0.01])
    for k, box in enumerate(room.boxes):
        size = np.linalg.norm(box[[1, 3]] - box[0], axis=1)
        film.box(f"box {k}", [*size, 0.4], color="brown")
        yaw = math.atan2(*(box[1] - box[0])[::-1])
        poses[f"box {k}"] = standing([*box.mean(axis=0), 0.2], yaw)
    for k, (x, y, radius) in enumerate(room.scene.discs[4 * len(room.boxes) :]):
        film.disc(f"leg {k}", radius, 0.7, color="dark_grey")
        poses[f"leg {k}"] = standing([x, y, 0.35])
    for name, color in zip(
        ROVERS, ("blue", "teal", "grey", "red", "purple"), strict=True
    ):
        film.disc(name, RADIUS, 0.25, color=color)
        poses[name] = standing([*room.start[:2], 0.125], room.start[2])
    film.shoot(0.0, poses=poses)


def _shoot(film: Film, now: float, fleet: Fleet, trail: list[FloatArray]) -> None:
    """Show all rovers, and what the whole one hears, seeks and has seen."""
    poses = {
        name: standing([x, y, 0.125], yaw)
        for name, (x, y, yaw) in zip(ROVERS, fleet.poses, strict=True)
    }
    x, y, yaw = fleet.poses[0]
    heard = fleet.ranges[0] < RING.max_range
    reach, axis = TURRET + fleet.ranges[0, heard], yaw + RING.bearings[heard]
    echoes = [x, y] + reach[:, None] * np.stack([np.cos(axis), np.sin(axis)], axis=1)
    way = np.array(trail)[:, 0, :2]
    film.shoot(
        now,
        poses=poses,
        clouds={
            "echoes": at_height(echoes, 0.15),
            "lamps": at_height(fleet.room.lamps[fleet.burning[0]], 0.3),
        },
        lines={"way": at_height(way, 0.02)},
        curves={
            f"lamps of {name} [1]": float(found)
            for name, found in zip(ROVERS, (~fleet.burning).sum(axis=1), strict=True)
        },
    )

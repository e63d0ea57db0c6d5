"""Scenes of the course: a scenario is computed, then its film is played."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.course.film import Film
from gelenk.course.scenario import SUMMARIES
from gelenk.runtime.panel_actions import NumberField
from gelenk.runtime.scene import LiveScene, Point3, SceneSpec, Settings
from gelenk.typing import FloatArray
from gelenk.ui.progress import tell_progress

if TYPE_CHECKING:
    from gelenk.course.scenarios.outcome import TrialOutcome
    from gelenk.sim.world import World
    from gelenk.ui.animation import Animation, Piece

GROUP = "The course"
STEP = 0.02  # [s], of world and pictures: between two frames things glide
VIEW_DIRECTION, VIEW_ABOVE = (0.42, -0.72, 0.56), (0.15, -0.62, 0.78)
VIEW_SHARE, VIEW_SHARE_FLAT = 1.4, 1.1  # distance, in diagonals of what is seen
FLAT = 0.25  # height over diagonal, below which one looks from above
SPEEDS, LONG = (1, 2, 4, 8), 40.0  # of films, and how long they may last [s]
TILES = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0)  # [m]


def scene_of_scenario(name: str, summary: str) -> SceneSpec:
    """Return the scene that shows the film of a scenario."""
    return SceneSpec(
        name=f"course/{name}",
        title=name.replace("_", " ").capitalize(),
        summary=summary,
        group=GROUP,
        make=partial(make_scenario, name),
        repeats=True,
    )


class WatchedFilm(Film):
    """Tells how far it is; whoever waits may break it off."""

    def shoot(self, time: float, **what: Any) -> None:
        tell_progress(f"Computing: {time:.1f} s simulated")
        super().shoot(time, **what)


def compute(name: str, seed: int) -> tuple[Animation, TrialOutcome]:
    """Return film and outcome of a scenario; the last one is remembered."""
    import importlib

    from gelenk.ui.animation import make_reel

    key = (name, seed)
    if key not in _computed:
        tell_progress("Computing")
        film = WatchedFilm()
        module = importlib.import_module(f"gelenk.course.scenarios.{name}")
        outcome = module.run(seed, film=film)
        made = make_reel(film), outcome
        _computed.clear()
        _computed[key] = made
    return _computed[key]


_computed: dict[tuple[str, int], tuple[Animation, TrialOutcome]] = {}


def make_scenario(name: str, seed: int, settings: Settings) -> LiveScene:
    """Compute a scenario and build the world that shows it."""
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.run import Run
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.world import World
    from gelenk.ui.film_panel import FilmPanel

    seed = int(settings.get("seed", seed))
    reel, outcome = compute(name, seed)
    world = World(WorldConfig(step=STEP, gravity=(0.0, 0.0, 0.0)), seed=seed)
    furnish(world, reel)
    shown = [0.0]  # time of the film, kept when it is over
    speed = [speed_of(reel.duration)]  # changed between two ticks

    def apply(view: Any, time: float) -> None:
        shown[0] = min(time, reel.duration)
        for piece, T in zip(reel.moving, reel.poses(time), strict=True):
            view.world.place(piece.name, T)

    projector: Any = PureController(
        name="projector",
        cfg=reel,
        initial=0.0,
        observe=lambda view: None,
        step=lambda cfg, time, _: (time + speed[0] * STEP, time),
        apply=apply,
        is_done=lambda time: time - speed[0] * STEP >= reel.duration,
    )
    run = Run(world, [projector], period=STEP, pace=1.0)
    exhibit = FilmPanel(reel, outcome, lambda: shown[0])
    eye, focus = view_of(reel)

    def set_speed(value: Any) -> None:
        speed[0] = float(value)

    return LiveScene(
        run=run,
        world=world,
        parameters=_parameters(seed, speed[0]),
        setters={"speed": set_speed},
        exhibit=exhibit,
        connect=exhibit.connect,
        eye=eye,
        focus=focus,
        facts={"seed": seed},
    )


def speed_of(duration: float) -> float:
    """Return how many times faster a film is played so that nobody gets bored.

    Example:
        >>> speed_of(20.0), speed_of(120.0)
        (1.0, 4.0)
    """
    return float(next((s for s in SPEEDS if duration <= s * LONG), SPEEDS[-1]))


def _parameters(seed: int, speed: float) -> tuple[NumberField, ...]:
    return (
        NumberField(
            name="seed",
            title="Seed",
            default=float(seed),
            minimum=0.0,
            help="Draws place, noise and disturbances, a whole number.",
        ),
        NumberField(
            name="speed",
            title="Speed of the film",
            default=speed,
            unit="x",
            minimum=0.25,
            maximum=float(SPEEDS[-1]),
            help="Seconds of the scenario per second of the page. At once.",
        ),
    )


def furnish(world: World, reel: Animation) -> None:
    """Put everything that a reel shows into a world where nothing falls or touches."""
    from gelenk.sim.fixed_objects import Ground
    from gelenk.sim.scene_object import RectOutline

    extent = float(np.max((reel.high - reel.low)[:2], initial=0.2))
    tile = next((edge for edge in TILES if extent < 6.0 * edge), TILES[-1])
    around = max(0.4 * extent, tile)
    low = np.floor((reel.low[:2] - around) / tile) * tile
    high = np.ceil((reel.high[:2] + around) / tile) * tile
    (x, y), (width, depth) = (0.5 * (low + high)).tolist(), (high - low).tolist()
    border = RectOutline(center=(x, y), size=(width, depth))
    world.add(Ground(tile_size=tile, border=border))
    for piece in reel.pieces:
        world.add(_thing_of(piece))


def _thing_of(piece: Piece) -> Any:
    """Return a piece as an object of a world: fixed, if it can and never moves."""
    from gelenk.sim import objects
    from gelenk.spatial.quaternion import quaternion_from_matrix

    T, shape = piece.poses[0], piece.shapes[0]
    is_fixed = piece.is_still and len(piece.shapes) == 1
    T = T @ np.asarray(shape.T_link_geometry) if is_fixed else T
    where: dict[str, Any] = {
        "name": piece.name,
        "position": tuple(T[:3, 3]),
        "quat": tuple(quaternion_from_matrix(T[:3, :3])),
        "rgba": piece.rgba,
        "group": "none",
    }
    match shape.kind if is_fixed else "":
        case "box":
            x, y, z = shape.size
            return objects.Box(**where, size=(x, y, z))
        case "sphere":
            return objects.Sphere(**where, radius=shape.size[0])
        case "cylinder":
            return objects.Cylinder(**where, radius=shape.size[0], length=shape.size[1])
        case _:
            return objects.Body(**where, mass=1.0, shapes=piece.shapes)


def view_of(reel: Animation) -> tuple[Point3, Point3]:
    """Return from where to look, and at what [m]."""
    low, high = reel.low, reel.high
    focus = 0.5 * (low + high)
    size = float(np.linalg.norm(high - low))
    is_flat = high[2] - low[2] < FLAT * size
    direction = np.array(reel.view or (VIEW_ABOVE if is_flat else VIEW_DIRECTION))
    share = VIEW_SHARE_FLAT if is_flat else VIEW_SHARE
    eye = focus + share * max(size, 0.4) * direction / np.linalg.norm(direction)
    return _point(eye), _point(focus)


def _point(point: FloatArray) -> Point3:
    x, y, z = (float(value) for value in point)
    return x, y, z


SCENES = tuple(scene_of_scenario(*item) for item in SUMMARIES.items())

"""Scene with thrown balls: what is measured, what is predicted, how well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gelenk.runtime.panel import (
    AnnotatedImage,
    Column,
    GroundField,
    Highlight,
    NumberField,
    Overlay,
    PanelAction,
    PanelCurve,
    PixelCircles,
    PixelPath,
    RobotPanel,
    Table,
    Value,
    WorldPoints,
    WorldSpheres,
    WorldTexts,
    WorldTube,
)
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.typing import FloatArray
from gelenk.ui.flight import (
    Estimate,
    FlightPrediction,
    advance,
    aim,
    begin,
    correct,
    predict,
    time_to_land,
)

if TYPE_CHECKING:
    from gelenk.runtime.executor import PureExecutor
    from gelenk.sim.world import World

PERIOD = 0.01  # [s], one measurement each
RADIUS, MASS = 0.06, 0.15  # [m], [kg]
START = (-1.8, 0.0, 0.9)  # [m], from where balls are thrown
LOW, HIGH = (-0.8, -1.4), (2.2, 1.4)  # [m], where they may land
COURT = (-2.2, -1.7), (2.6, 1.7)  # [m], what the boards surround
PEAK = 1.9  # [m]
SIGMA = 0.012  # [m], of a measurement, in each axis
PAUSE = 2.5  # [s] between landing and the next throw
SCATTER = 0.02  # share of the speed by which a throw goes wrong
KEPT_POINTS, KEPT_THROWS = 150, 8
EARLY = 10  # measurements after which the first prediction is kept
CAMERA = "side"


class BallThrow(NamedTuple):
    """A throw that has landed.

    Attributes:
        number: Number of the throw, from 1.
        target: Point where the ball was to land, x, y [m].
        duration: Duration of the flight [s].
        early, late: Errors of the predicted place of landing after `EARLY`
            measurements and after the last one [m].
        miss: Distance from the target [m].
    """

    number: int
    target: tuple[float, float]
    duration: float
    early: float
    late: float
    miss: float


class State(NamedTuple):
    """All that the thrower knows.

    Attributes:
        tick: Control ticks since the start.
        wish: Target x, y and peak of the throw that is wanted.
        target: Target of the throw in the air, x, y [m].
        estimate: Estimate of the ball; None: it does not fly.
        seen: Last measurements [m].
        since: Time of flight, or of the pause [s].
        early, late: Predicted places of landing, x, y [m].
        throws: The last ones.
        num_throws: Throws so far.
    """

    tick: int = 0
    wish: tuple[float, float, float] | None = (1.0, 0.5, PEAK)
    target: tuple[float, float] = (1.0, 0.5)
    estimate: Estimate | None = None
    seen: tuple[FloatArray, ...] = ()
    since: float = 0.0
    early: FloatArray | None = None
    late: FloatArray | None = None
    throws: tuple[BallThrow, ...] = ()
    num_throws: int = 0


def step(
    config: tuple[int, float], state: State, measured: FloatArray
) -> tuple[State, FloatArray | None]:
    """Follow the ball for one period; return a velocity where a throw begins.

    Args:
        config: Seed, and standard deviation of a measurement [m].
        state: State of the thrower.
        measured: Position of the ball [m], shape (3,).
    """
    seed, sigma = config
    state = state._replace(tick=state.tick + 1, since=state.since + PERIOD)
    if state.wish is not None:
        return _throw(seed, state)
    if state.estimate is None:
        return _wait(seed, state), None
    estimate = advance(state.estimate, PERIOD)
    if state.since > PERIOD and time_to_land(estimate, RADIUS) <= 0.5 * PERIOD:
        return _land(state, measured), None
    if state.since <= 1.5 * PERIOD:
        estimate = begin(measured, sigma)
    else:
        estimate = correct(estimate, measured, sigma)
    place = advance(estimate, time_to_land(estimate, RADIUS)).mean[:2]
    early = place if estimate.num_measured == EARLY else state.early
    seen = (*state.seen, measured)[-KEPT_POINTS:]
    return state._replace(estimate=estimate, seen=seen, early=early, late=place), None


def _throw(seed: int, state: State) -> tuple[State, FloatArray]:
    assert state.wish is not None
    x, y, peak = state.wish
    velocity = aim(START, (x, y, RADIUS), peak)
    rng = np.random.default_rng([seed, 1, state.num_throws])
    velocity = velocity * (1.0 + SCATTER * rng.normal(size=3))
    return (
        State(
            tick=state.tick,
            wish=None,
            target=(x, y),
            estimate=begin(START, 1.0),
            throws=state.throws,
            num_throws=state.num_throws + 1,
        ),
        velocity,
    )


def _wait(seed: int, state: State) -> State:
    if state.since < PAUSE:
        return state
    rng = np.random.default_rng([seed, 2, state.num_throws])
    x, y = rng.uniform(LOW, HIGH)
    return state._replace(wish=(float(x), float(y), PEAK))


def _land(state: State, measured: FloatArray) -> State:
    place = measured[:2]
    early = place if state.early is None else state.early
    late = place if state.late is None else state.late
    throw = BallThrow(
        number=state.num_throws,
        target=state.target,
        duration=state.since,
        early=float(np.linalg.norm(early - place)),
        late=float(np.linalg.norm(late - place)),
        miss=float(np.linalg.norm(place - state.target)),
    )
    throws = (*state.throws, throw)[-KEPT_THROWS:]
    return state._replace(estimate=None, since=0.0, throws=throws)


def hear(config: tuple[int, float], state: State, text: str) -> State:
    """Take the wish for a throw: `x y peak` [m]."""
    x, y, peak = map(float, text.split())
    return state._replace(wish=(x, y, peak))


class FlightExhibit(RobotPanel):
    """Shows measurements, prediction and score, and takes throws.

    Args:
        world: World with the ball and a camera.
        host: Executor of the thrower.
        throw: Hands a wish to the thrower.
    """

    def __init__(self, world: World, host: PureExecutor, throw: Any) -> None:
        self._world, self._host, self._throw = world, host, throw

    @property
    def _state(self) -> State:
        return self._host.value

    def actions(self) -> tuple[PanelAction, ...]:
        fields = (
            GroundField(name="target", title="Landing place", low=LOW, high=HIGH),
            NumberField(
                name="peak",
                title="Peak",
                default=PEAK,
                unit="m",
                minimum=1.2,
                maximum=3.0,
                help="Highest point of the flight.",
            ),
        )
        about = "Throws the ball to the place that you click at."
        return (
            PanelAction(name="throw", title="Throw here", help=about, fields=fields),
        )

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        x, y = values["target"]  # type: ignore[misc]
        self._throw(f"{x!r} {y!r} {values['peak']!r}")
        return f"thrown to x {x:.2f} m, y {y:.2f} m"

    def tables(self) -> tuple[Table, ...]:
        rows = tuple(
            (t.number, t.duration, 1e3 * t.early, 1e3 * t.late, 1e3 * t.miss)
            for t in reversed(self._state.throws)
        )
        columns = (
            Column(title="Throw", format="d"),
            Column(title="Flight", unit="s", format=".2f"),
            Column(title="Early error", unit="mm", format=".0f"),
            Column(title="Last error", unit="mm", format=".0f"),
            Column(title="Miss", unit="mm", format=".0f"),
        )
        close = tuple(
            Highlight(row=i, column=4, color="good")
            for i, row in enumerate(rows)
            if row[4] < 1e3 * RADIUS
        )
        about = (
            f"How far the predicted place of landing was from the true one, after "
            f"{EARLY} measurements and before the ball came down; and how far the "
            "throw was from its target. Measured to "
            f"{1e3 * SIGMA:g} mm in each axis."
        )
        table = Table(
            name="throws",
            title="Throws",
            columns=columns,
            rows=rows,
            highlights=close,
            caption=about,
        )
        return (table,)

    def overlays(self) -> tuple[Overlay, ...]:
        state = self._state
        x, y = state.target
        spot = (x, y, 0.0)
        shown: list[Overlay] = [
            WorldSpheres(name="target", centers=[spot], radii=[RADIUS], color="target"),
            WorldTexts(name="target", at=[(x, y, 0.14)], texts=("target",)),
        ]
        if state.seen:
            seen = np.array(state.seen)
            shown.append(WorldPoints(name="measurements", at=seen, radius=0.014))
        flight = self._prediction()
        if flight is not None:
            radii = np.minimum(RADIUS + 3.0 * flight.sigmas, 1.0)
            shown.append(WorldTube(name="prediction", at=flight.points, radii=radii))
        return tuple(shown)

    def _prediction(self) -> FlightPrediction | None:
        estimate = self._state.estimate
        if estimate is None or estimate.num_measured < 3:
            return None
        return predict(estimate, RADIUS)

    def picture_titles(self) -> Mapping[str, str]:
        return {CAMERA: "Seen from the side"}

    def pictures(self, wanted: frozenset[str]) -> Iterable[AnnotatedImage]:
        from gelenk.vision.camera import project

        image = self._world.image(CAMERA)
        if image is None:
            return
        lens, T_camera_world = _lens(), np.linalg.inv(_camera_pose())
        marks: list[Any] = []

        def seen(points: FloatArray) -> FloatArray:
            return project(
                lens, points @ T_camera_world[:3, :3].T + T_camera_world[:3, 3]
            )

        flight = self._prediction()
        if flight is not None:
            path = PixelPath(at=seen(flight.points), layer="predicted flight")
            marks.append(path)
        if self._state.estimate is not None and self._state.seen:
            centre = self._state.seen[-1][None]
            depth = float((T_camera_world[2, :3] @ centre[0]) + T_camera_world[2, 3])
            circle = PixelCircles(
                centers=seen(centre), radii=[lens.fx * RADIUS / depth], layer="measured"
            )
            marks.append(circle)
        yield AnnotatedImage(
            name=CAMERA,
            image=image.pixels,
            marks=tuple(marks),
            caption=f"Camera at {image.time:.2f} s; what the filter says is drawn in.",
        )

    def curves(self) -> tuple[PanelCurve, ...]:
        return (
            PanelCurve(name="ball/height", unit="m", read=self._height),
            PanelCurve(name="ball/spread at landing", unit="m", read=self._spread),
        )

    def _height(self) -> float:
        estimate = self._state.estimate
        return np.nan if estimate is None else float(estimate.mean[2])

    def _spread(self) -> float:
        flight = self._prediction()
        return np.nan if flight is None else float(flight.sigmas[-1])


def _lens() -> Any:
    from gelenk.vision.camera import Intrinsics

    return Intrinsics.from_field_of_view(width=480, height=270, horizontal=1.2)


def _camera_pose() -> FloatArray:
    from gelenk.sim.cameras.description import looking_at

    return looking_at([0.3, -4.2, 1.5], [0.2, 0.0, 0.85])


def make_flight(seed: int, settings: Settings) -> LiveScene:
    """Build the yard with its thrower."""
    from gelenk.runtime.controller import PureController
    from gelenk.runtime.controls import SendTriggerRequest
    from gelenk.runtime.run import Run
    from gelenk.sim.cameras.description import Camera
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.fixed_objects import Box, Ground
    from gelenk.sim.scene_object import Ball
    from gelenk.sim.world import World
    from gelenk.ui.gallery_worlds import tray

    world = World(WorldConfig(step=0.002), seed=seed)
    world.add(Ground(restitution=0.6))
    x, y, z = START
    stone = (0.48, 0.5, 0.55, 1.0)
    height = z - 1.5 * RADIUS
    world.add(
        Box(
            name="pillar",
            position=(x, y, 0.5 * height),
            size=(0.22, 0.22, height),
            rgba=stone,
        )
    )
    world.add(
        Ball(
            name="ball",
            radius=RADIUS,
            mass=MASS,
            restitution=0.6,
            rolling=0.004,
            position=(x, y, z),
            rgba=(0.92, 0.45, 0.13, 1.0),
        )
    )
    for name, place, size in tray(low=COURT[0], high=COURT[1], height=0.08):
        board = Box(name=name, position=place, size=size, restitution=0.5, rgba=stone)
        world.add(board)
    world.add(
        Camera(
            name=CAMERA,
            intrinsics=_lens(),
            T_parent_camera=_camera_pose(),
            rate=25.0,
            color="rgb",
            samples=1,
        )
    )

    def observe(view: Any) -> FloatArray:
        rng = np.random.default_rng([seed, 0, round(view.time / PERIOD)])
        return view.world.positions(["ball"])[0] + SIGMA * rng.normal(size=3)

    def apply(view: Any, velocity: FloatArray | None) -> None:
        if velocity is not None:
            T_world_ball = np.eye(4)
            T_world_ball[:3, 3] = START
            view.world.place("ball", T_world_ball, [*velocity, 0.0, 0.0, 0.0])

    thrower: Any = PureController(
        name="thrower",
        cfg=(seed, SIGMA),
        initial=State(),
        observe=observe,
        step=step,
        apply=apply,
        on_trigger=hear,
    )
    run = Run(world, [thrower], period=PERIOD, pace=1.0)
    host: Any = run.executors[0]

    def throw(text: str) -> None:
        run.do(SendTriggerRequest(receiver=host.instance, text=text))

    return LiveScene(
        run=run,
        world=world,
        exhibit=FlightExhibit(world, host, throw),
        eye=(1.6, -5.2, 2.6),
        focus=(0.1, 0.0, 0.7),
    )


FLIGHT = SceneSpec(
    name="flight",
    title="Ball flight",
    summary="Click where a ball is to land; a filter predicts its way, and how surely.",
    group="World",
    make=make_flight,
)

"""What a playing Piggy shows on the page, and what visitors may do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from gelenk.robots.piggy.panel import drawn, tables
from gelenk.robots.piggy.panel.hosts import GameHost, Host, PlayHost, Wishes
from gelenk.robots.piggy.player import Player
from gelenk.robots.piggy.throwers import SKILLS, PlaceName, draw_throw
from gelenk.runtime.panel import (
    AnnotatedImage,
    ChoiceField,
    GroundField,
    NumberField,
    Overlay,
    PanelAction,
    PanelCurve,
    RobotPanel,
    SwitchField,
    Table,
    Value,
    WorldSpheres,
)

SIDES = {"left": "Left camera", "right": "Right camera"}
THROWERS = (-3.3, 2.5), (2.7, 6.5)  # [m], corners of where people may throw from
TARGETS = (-3.0, 1.0), (2.4, 5.0)  # [m], of where passes may go
RELEASE = 1.65  # [m], height at which balls leave hands
AXES = ("roll", "tilt")


class BallExhibit(RobotPanel):
    """Images with circles and tracks, prediction, strokes, drive."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @property
    def _player(self) -> Player | None:
        session = self._host.session
        return session.player if session is not None else None

    def picture_titles(self) -> Mapping[str, str]:
        return SIDES

    def pictures(self, wanted: frozenset[str]) -> Iterable[AnnotatedImage]:
        session, images = self._host.session, self._host.place.images()
        if session is None or images is None:
            return
        left, right, stamp = images
        frame, cameras = session.player.frame, session.setup.cameras
        is_worked_on = frame is not None and frame.stamp == stamp
        for number, (name, image) in enumerate(zip(SIDES, (left, right), strict=True)):
            if name not in wanted:
                continue
            marks = ()
            if frame is not None and is_worked_on:
                marks = drawn.seen(frame, number, cameras[number])
            yield AnnotatedImage(
                name=name,
                image=image,
                marks=marks,
                caption=f"{stamp:.2f} s, {session.player.state.phase.value}",
            )

    def overlays(self) -> tuple[Overlay, ...]:
        shown = list(drawn.balls(self._host.place))
        player = self._player
        if player is not None:
            shown += drawn.predictions(player.frame)
            shown += drawn.strokes(player)
        return tuple(shown)

    def tables(self) -> tuple[Table, ...]:
        player = self._player
        return (tables.mind_table(player),) if player is not None else ()

    def curves(self) -> tuple[PanelCurve, ...]:
        found: list[PanelCurve] = []
        for axis, name in enumerate(AXES):
            for word, field in (("", "q"), (" wanted", "q_set"), (" of bat", "q_bat")):
                found.append(
                    PanelCurve(
                        name=f"{name}/{name}{word}",
                        unit="deg",
                        read=lambda f=field, i=axis: math.degrees(self._motion(f, i)),
                    )
                )
            found.append(
                PanelCurve(
                    name=f"torque/{name}",
                    unit="N m",
                    read=lambda i=axis: self._motion("tau", i),
                )
            )
        return tuple(found)

    def _motion(self, field: str, axis: int) -> float:
        player = self._player
        if player is None or not len(player.control.log):
            return math.nan
        return float(getattr(player.control.log.last, field)[axis])


class PlayExhibit(BallExhibit):
    """Throws by clicking, target, what is done with balls.

    Args:
        host: Who plays.
        wishes: Where wishes of visitors go.
        place: "indoor" or "outdoor": whose wind throws have.
    """

    def __init__(self, host: PlayHost, wishes: Wishes, place: PlaceName) -> None:
        super().__init__(host)
        self._play, self._wishes = host, wishes
        self._place: PlaceName = place
        self._rng = np.random.default_rng(0xC11C)

    def actions(self) -> tuple[PanelAction, ...]:
        wishes, skills = self._wishes, tuple(sorted(SKILLS.keys() - {"default"}))
        skill = ChoiceField(
            name="skill", title="Skill", choices=skills, default=wishes.skill
        )
        return (
            PanelAction(
                name="throw",
                title="Throw from here",
                help="Somebody throws from the place that you click at.",
                fields=(
                    GroundField(
                        name="place",
                        title="Thrower",
                        default=(-0.3, 5.0),
                        low=THROWERS[0],
                        high=THROWERS[1],
                    ),
                    skill,
                ),
                group="Throws",
            ),
            PanelAction(
                name="busy",
                title="Throw by themselves",
                help="Whether people throw without being asked.",
                fields=(
                    SwitchField(name="on", title="Throw", default=wishes.is_busy),
                    skill,
                ),
                group="Throws",
            ),
            PanelAction(
                name="target",
                title="Pass to here",
                help="Balls are batted to the place that you click at.",
                fields=(
                    GroundField(
                        name="place",
                        title="Target",
                        default=wishes.target[:2],
                        low=TARGETS[0],
                        high=TARGETS[1],
                    ),
                    NumberField(
                        name="height",
                        title="Height",
                        default=wishes.target[2],
                        unit="m",
                        minimum=0.3,
                        maximum=2.2,
                    ),
                ),
                group="Bat",
            ),
            PanelAction(
                name="mode",
                title="Play like this",
                fields=(
                    ChoiceField(
                        name="mode",
                        title="Balls",
                        choices=("hit", "left", "right", "pass"),
                        default=wishes.mode,
                        help="Met, played aside, or passed to the target.",
                    ),
                ),
                group="Bat",
            ),
        )

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        wishes = self._wishes
        match name:
            case "throw":
                x, y = values["place"]  # type: ignore[misc]
                throw = draw_throw(
                    self._rng,
                    self._place,
                    skill=str(values["skill"]),
                    start=(x, y, RELEASE),
                )
                wishes.throws.append(throw)
                return f"thrown from x {x:.2f} m, y {y:.2f} m as soon as it waits"
            case "busy":
                wishes.is_busy = bool(values["on"])
                wishes.skill = str(values["skill"])
                word = "by themselves" if wishes.is_busy else "when asked"
                return f"people throw {word}"
            case "target":
                x, y = values["place"]  # type: ignore[misc]
                wishes.target = float(x), float(y), float(values["height"])  # type: ignore[arg-type]
                wishes.mode = "pass"
                return f"balls are passed to x {x:.2f} m, y {y:.2f} m"
            case "mode":
                wishes.mode = str(values["mode"])
                return f"from now on: {wishes.mode}"
            case _:
                return super().press(name, values)

    def overlays(self) -> tuple[Overlay, ...]:
        shown = super().overlays()
        if self._wishes.mode != "pass":
            return shown
        target = WorldSpheres(
            name="target", centers=[self._wishes.target], radii=[0.2], color="target"
        )
        return (*shown, target)

    def tables(self) -> tuple[Table, ...]:
        host = self._play
        counts = host.num_throws, host.num_reached, host.num_hits
        return (tables.throw_table(host.rows, counts), *super().tables())


class GameExhibit(BallExhibit):
    """People, score and choices of a game."""

    def __init__(self, host: GameHost) -> None:
        super().__init__(host)
        self._game_host = host

    def overlays(self) -> tuple[Overlay, ...]:
        shown, game = super().overlays(), self._game_host.game
        if game is None:
            return shown
        return (*shown, *drawn.bodies(game.match.people))

    def tables(self) -> tuple[Table, ...]:
        host = self._game_host
        if host.game is None:
            return super().tables()
        return (*tables.score_tables(host.game, host.events), *super().tables())

"""What a NAO that calibrates itself shows on the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.robots.nao import sandal
from gelenk.robots.nao.automaton import AutomatonState, BoardView, Phase
from gelenk.robots.nao.cognition import Leading
from gelenk.robots.nao.compensation import Compensation, compensation_from
from gelenk.robots.nao.detection import expected_board
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import Side
from gelenk.robots.nao.panel import tables
from gelenk.robots.nao.panel.actions import calibration_actions, place_of, side_of
from gelenk.robots.nao.panel.onlooker import Onlooker, Replay
from gelenk.robots.nao.panel.overlays import (
    Posture,
    board_picture,
    boards,
    rms,
    sight,
    way_of_sole,
)
from gelenk.robots.nao.panel.visitor import Visitor
from gelenk.robots.nao.poses.view import TARGETS
from gelenk.robots.nao.session import Session
from gelenk.runtime.controls import ControlRequest
from gelenk.runtime.executor import ControllerState
from gelenk.runtime.panel import (
    ActionError,
    AnnotatedImage,
    Overlay,
    PanelAction,
    PanelCurve,
    RobotPanel,
    Table,
    Value,
)
from gelenk.typing import FloatArray

LIVE, BEFORE, AFTER = "lower", "before", "after"
SETTLE_TIME = 0.8  # [s] at rest before a look
_LOOKING = (Phase.AIM, Phase.DETECT, Phase.STORE, Phase.SKIP, Phase.NEXT_HEAD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrating:
    """A calibration and those who stand around it.

    Attributes:
        session: The robot in its world.
        onlooker: Keeps what it looks at.
        visitor: Does things to it.
        errors: What is wrong with it, for the tables of the simulator's page.
        poses: Of each leg.
    """

    session: Session
    onlooker: Onlooker
    visitor: Visitor
    errors: NaoErrors
    poses: int


class CalibrationExhibit(RobotPanel):
    """Images with residuals, progress, parameters, and what a visitor may do."""

    def __init__(self, scene: Calibrating) -> None:
        self._scene = scene
        self._chosen: tuple[Side, int, int] | None = None
        self._returns = 0
        self._replayed: Replay | None = None
        self._belief: tuple[Fit | None, Compensation] = (None, Compensation())
        self._error: tuple[float, Fit | None, float] = (math.nan, None, math.nan)

    @property
    def _leading(self) -> Leading:
        """What the calibrator knows; nothing after a reset, until it runs again."""
        session, returns = self._scene.session, self._scene.onlooker.num_returns
        if session.run.states["Cognition"] is ControllerState.RUNNING:
            self._returns = returns
        return session.leading if returns == self._returns else Leading()

    @property
    def _state(self) -> AutomatonState:
        return self._leading.automaton

    @property
    def _fit(self) -> Fit | None:
        return self._leading.fit

    # -- actions -------------------------------------------------------------------

    def actions(self) -> tuple[PanelAction, ...]:
        covered = self._scene.visitor.is_lens_covered
        return calibration_actions(self._state, self._scene.poses, is_covered=covered)

    def press(self, name: str, values: Mapping[str, Value]) -> str | None:
        visitor = self._scene.visitor
        match name:
            case "start":
                visitor.press("left")
                return "left bumper pressed"
            case "abort":
                visitor.press("right")
                return "right bumper pressed"
            case "lens":
                visitor.is_lens_covered = not visitor.is_lens_covered
                return f"the lens is {'' if visitor.is_lens_covered else 'un'}covered"
            case "cloth":
                side = side_of(values)
                if side not in self._scene.session.cfg.world.boards:
                    raise ActionError(f"there is no {side} board", field="side")
                visitor.cover_board(side)
                word = "under a cloth" if side in visitor.covered else "free"
                return f"the {side} board is {word}"
            case "show":
                view = self._chosen_view(values)
                self._chosen = view.side, view.pose, view.gaze
                return f"{_place(view)}: see Pictures"
            case "replay":
                return self._replay(self._chosen_view(values))
            case _:
                return super().press(name, values)

    def _chosen_view(self, values: Mapping[str, Value]) -> BoardView:
        side, pose, _ = chosen = place_of(values)
        for view in self._state.missed:
            if (view.side, view.pose, view.gaze) == chosen:
                text = f"this view was missed: {view.reason}"
                raise ActionError(text, field="gaze")
        found = _find(self._state.views, chosen)
        if found is None:
            text = f"the {side} leg has not been looked at in pose {pose + 1} yet"
            raise ActionError(text, field="pose")
        return found

    def _replay(self, view: BoardView) -> str:
        """Let the joints get to where they were read to be, corrected by the fit."""
        session, start = self._scene.session, self._scene.onlooker.angles
        if start is None or self._state.phase is not Phase.DONE:
            raise ActionError("there are no new parameters yet")
        session.run.do(ControlRequest(action="pause", controller="Body"))
        goal = self._compensation().command(view.angles)
        self._scene.visitor.move(start, goal)
        self._replayed = Replay(view, session, self._scene.onlooker)
        return f"moves to {_place(view)}: see the picture of the lower camera"

    # -- pictures ------------------------------------------------------------------

    def picture_titles(self) -> Mapping[str, str]:
        titles: dict[str, str] = {}
        if self._fit is not None or self._chosen is not None:
            titles[BEFORE] = "Before calibration"
        if self._fit is not None:
            titles[AFTER] = "After calibration"
        return {**titles, LIVE: "Lower camera"}

    def pictures(self, wanted: frozenset[str]) -> Iterable[AnnotatedImage]:
        if LIVE in wanted:
            yield from self._live()
        kept = self._kept()
        if kept is None or not wanted & {BEFORE, AFTER}:
            return
        view, pixels = kept
        place = _place(view)
        problem, fit = self._scene.session.problem, self._fit
        if BEFORE in wanted:
            expected = expected_board(problem, None, view.angles, view.side)
            yield board_picture(
                BEFORE, pixels, corners=view.corners, expected=expected, words=place
            )
        if AFTER in wanted and fit is not None:
            yield board_picture(
                AFTER,
                pixels,
                corners=view.corners,
                expected=view.corners + self._left_over(fit, view),
                words=place,
                color="good",
            )

    def _live(self) -> Iterator[AnnotatedImage]:
        fit, replay = self._fit, self._replayed
        rest = self._scene.visitor.rest_time
        if fit is not None and replay is not None and rest > SETTLE_TIME:
            yield replay.picture(LIVE, fit)
            return
        look = self._scene.onlooker.look
        if look is None:
            return
        problem = self._scene.session.problem
        yield board_picture(
            LIVE,
            look.pixels,
            corners=look.corners,
            expected=expected_board(problem, None, look.angles, look.side),
            words=f"{look.time:.1f} s, {look.side} leg: {look.status}",
        )

    def _kept(self) -> tuple[BoardView, NDArray[np.uint8]] | None:
        """Return the chosen view, or else the last one, with its image."""
        views, images = self._state.views, self._scene.onlooker.images
        view = _find(views, self._chosen) or (views[-1] if views else None)
        if view is None or view.time not in images:
            return None
        return view, images[view.time]

    def _left_over(self, fit: Fit, view: BoardView) -> FloatArray:
        """Return the fit's residuals of a view [px], shape (24, 2); 0 if not measured.

        They know by how much the steps of the encoders were wrong in this pose.
        """
        number = self._state.views.index(view)
        points = fit.sights[number].points
        first = sum(len(sight.points) for sight in fit.sights[:number])
        left_over = np.zeros((sandal.NUM_CORNERS, 2))
        left_over[points] = fit.calibration.residuals[first : first + len(points)]
        return left_over

    # -- tables --------------------------------------------------------------------

    def tables(self) -> tuple[Table, ...]:
        state, fit, session = self._state, self._fit, self._scene.session
        shown = [tables.progress_table(state, self._scene.poses, session.world.time)]
        if fit is not None:
            shown.append(tables.figures_table(state, fit, session.problem))
        if state.missed:
            shown.append(tables.missed_table(state))
        shown += tables.parameter_tables(session.problem, fit, self._scene.errors)
        return tuple(shown)

    # -- drawn into the world ------------------------------------------------------

    def overlays(self) -> tuple[Overlay, ...]:
        onlooker, session, state = (
            self._scene.onlooker,
            self._scene.session,
            self._state,
        )
        shown = list(way_of_sole(onlooker.trail))
        is_busy = state.phase is not Phase.IDLE and not state.is_over
        if onlooker.angles is not None and is_busy:
            belief = self._compensation()
            body = Posture.of(session, belief, onlooker.angles, state.side)
            shown += boards(session, body, state.side)
            if state.phase in _LOOKING:
                shown += sight(body, TARGETS[state.gaze])
        return tuple(shown)

    def _compensation(self) -> Compensation:
        """Return what the robot believes of itself: nothing wrong before the fit."""
        fit = self._fit
        if fit is not self._belief[0]:
            known = (
                Compensation() if fit is None else compensation_from(fit.calibration)
            )
            self._belief = fit, known
        return self._belief[1]

    # -- curves --------------------------------------------------------------------

    def curves(self) -> tuple[PanelCurve, ...]:
        onlooker = self._scene.onlooker

        def count(name: str) -> float:
            return float(len(getattr(self._state, name)))

        return (
            PanelCurve(name="views/found", unit="1", read=lambda: count("views")),
            PanelCurve(name="views/missed", unit="1", read=lambda: count("missed")),
            PanelCurve(name="calibration/residual", unit="px", read=self._residual),
            PanelCurve(
                name="motors/tracking error",
                unit="deg",
                read=lambda: math.degrees(onlooker.tracking),
            ),
        )

    def _residual(self) -> float:
        """Return how far the last board is from where it is expected, rms [px]."""
        look, fit = self._scene.onlooker.look, self._fit
        if look is None or not len(look.corners):
            return math.nan
        if (look.time, fit) != self._error[:2]:
            problem, values = self._scene.session.problem, None
            if fit is not None:
                problem, values = fit.problem, fit.calibration.values
            expected = expected_board(problem, values, look.angles, look.side)
            self._error = look.time, fit, rms(look.corners - expected)
        return self._error[2]


def _find(
    views: Iterable[BoardView], chosen: tuple[Side, int, int] | None
) -> BoardView | None:
    places: dict[Any, BoardView] = {(v.side, v.pose, v.gaze): v for v in views}
    return places.get(chosen)


def _place(view: BoardView) -> str:
    return f"{view.side} leg, pose {view.pose + 1}, gaze {view.gaze + 1}"

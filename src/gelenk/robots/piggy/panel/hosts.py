"""Sessions and games on the page: a controller plays, the page lets time pass."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.robots.piggy.game.game import Event, Game, GameCfg
from gelenk.robots.piggy.planner.tables import Tables
from gelenk.robots.piggy.session import PlayCfg, PlayRow, PlaySession
from gelenk.robots.piggy.tactics import PassTactic, meet_ball, play_side
from gelenk.robots.piggy.throwers import Throw, draw_throw
from gelenk.robots.piggy.world import PiggyWorld
from gelenk.runtime.controller import Controller

PERIOD = 0.002  # [s]; images arrive and motion control runs at multiples of it
KEPT = 12  # throws that the table shows


class _EndedError(Exception):
    """Raised where time should pass but the run is to end."""


@dataclass(slots=True, kw_only=True, eq=False)
class Wishes:
    """What a visitor wants; the exhibit writes, the controller reads.

    Attributes:
        throws: To be thrown, in order.
        mode: "hit", "left", "right" or "pass".
        target: Of passes [m].
        is_busy: Whether balls are thrown without being asked for.
        skill: Of those.
    """

    throws: deque[Throw]
    mode: str
    target: tuple[float, float, float]
    is_busy: bool = True
    skill: str = "fair"


class Host(Controller):
    """What both have in common: time passes while they wait for it."""

    robot = "piggy"

    def __init__(self, place: PiggyWorld) -> None:
        self.place = place
        self.session: PlaySession | None = None

    def pass_time(self, until: float) -> None:
        """Wait until the page has taken the world to a time [s].

        Raises:
            _EndedError: If the run is to end.
        """
        if not self.sleep(max(until - self.place.time, 0.0)):
            raise _EndedError

    def run(self) -> None:
        """Play until somebody ends it."""
        try:
            self.play()
        except _EndedError:
            pass
        finally:
            if self.session is not None:
                self.session.close()

    def play(self) -> None:
        """Play on and on."""
        raise NotImplementedError


class PlayHost(Host):
    """Throws balls that visitors want, or its own.

    Args:
        place: Where Piggy stands.
        cfg: Settings of the session.
        wishes: Of visitors.
        tables: Returns the planner's tables; asked when they are needed.
    """

    name = "Player"

    def __init__(
        self,
        place: PiggyWorld,
        cfg: PlayCfg,
        wishes: Wishes,
        tables: Callable[[], Tables],
    ) -> None:
        super().__init__(place)
        self._cfg, self._wishes, self._tables = cfg, wishes, tables
        self._passing: PassTactic | None = None
        self.rows: deque[PlayRow] = deque(maxlen=KEPT)
        self.num_throws = self.num_hits = self.num_reached = 0

    def play(self) -> None:
        """Start, then throw what is wanted."""
        wishes = self._wishes
        self.rows.clear()
        wishes.throws.clear()
        self.num_throws = self.num_hits = self.num_reached = 0
        rng = np.random.default_rng([self._cfg.seed, 0x9A6E])
        self.session = session = PlaySession(
            self._cfg,
            tactic=self._tactic,
            world=self.place,
            pass_time=self.pass_time,
        )
        session.start()
        while True:
            if wishes.throws:
                throw = wishes.throws.popleft()
            elif wishes.is_busy:
                throw = draw_throw(rng, self._cfg.place, skill=wishes.skill)
            else:
                session.advance(session.now + 0.1)
                continue
            session.target = wishes.target
            self._note(session.play(throw))

    def _tactic(self, track: Any, now: float) -> Any:
        """Do with a ball what is wanted now."""
        wishes = self._wishes
        if wishes.mode == "left" or wishes.mode == "right":
            return play_side(wishes.mode)(track, now)
        if wishes.mode == "hit":
            return meet_ball(track, now)
        if self._passing is None:
            self._passing = PassTactic(self._tables(), wishes.target)
        return self._passing.towards(track, now, np.array(wishes.target))

    def _note(self, row: PlayRow) -> None:
        self.rows.append(row)
        self.num_throws += 1
        self.num_reached += row.verdict.crossed
        self.num_hits += row.verdict.hit and row.verdict.crossed


class GameHost(Host):
    """Lets a game be played."""

    name = "Game"

    def __init__(
        self, place: PiggyWorld, cfg: GameCfg, tables: Callable[[], Tables]
    ) -> None:
        super().__init__(place)
        self._cfg, self._tables = cfg, tables
        self.game: Game | None = None
        self.events: deque[Event] = deque(maxlen=KEPT)

    def play(self) -> None:
        """Play on and on."""
        self.events.clear()
        self.game = game = Game(
            self._cfg,
            tables=self._tables(),
            world=self.place,
            pass_time=self.pass_time,
        )
        self.session = game.session
        game.start()
        while True:
            self.events.append(game.play_on())

"""Piggy in the middle, played: people throw and catch, the robot passes on.

The robot sees people and balls in its images only. People and referee belong to the
simulated place and know the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.closing import Closing
from gelenk.robots.piggy.balls import BallFlight
from gelenk.robots.piggy.behaviour import Phase
from gelenk.robots.piggy.cameras import RigCfg
from gelenk.robots.piggy.game.eyes import Eyes
from gelenk.robots.piggy.game.people import Person, make_people, try_catch
from gelenk.robots.piggy.game.referee import Ending, Match, Score, referee, start_match
from gelenk.robots.piggy.game.tactic import GameTactic
from gelenk.robots.piggy.game.throws import draw_game_throw, game_setup
from gelenk.robots.piggy.judge import Verdict, judge
from gelenk.robots.piggy.people import Person as Body
from gelenk.robots.piggy.planner.tables import Tables, build_tables
from gelenk.robots.piggy.session import PlayCfg, PlaySession, touch_time
from gelenk.robots.piggy.setup import Setup, shipped_setup
from gelenk.robots.piggy.throwers import PlaceName
from gelenk.robots.piggy.world import PiggyWorld
from gelenk.typing import FloatArray

EMPTY_PAIRS = 3  # of the empty place, remembered
FLIGHT = 1.4  # [s] after the release, then a ball that was not hit is over
FOLLOWED = 1.1  # [s] after the hit: by then the ball is caught or on the floor
PREPARE = 0.3  # [s] between a catch and the next throw; people take longer
BUSY = (Phase.WAIT, Phase.TRACK)  # in which the robot has to look
SAME = 0.6  # [m], a seen person this near to a real one is that one


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCfg:
    """Who plays where.

    Attributes:
        place: "indoor" or "outdoor".
        drive: Of the robot.
        team: Skill of each team-mate.
        opponents: Skill of each opponent.
        seed: Of everything random.
        rig: The true cameras.
        whistle: Whether the robot looks only from the referee's whistle, when an arm
            begins to swing, until it strikes. In between no ball is in play, and
            images that nobody needs are not drawn: a game takes half the time.
    """

    place: PlaceName = "indoor"
    drive: Literal["thesis", "tight"] = "tight"
    team: tuple[str, ...] = ("skilled", "skilled", "skilled")
    opponents: tuple[str, ...] = ("average", "average")
    seed: int = 0
    rig: RigCfg = field(default_factory=RigCfg)
    whistle: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One throw of the game.

    Attributes:
        time: Of its end [s].
        thrower: Who threw.
        target: Whom the robot chose, by the place it aimed at; empty: nobody.
        chance: That the robot gave the pass.
        ending: What became of it.
        catcher: Who has the ball; empty: nobody.
        passed: How near it passed the chosen person's hands [m].
    """

    time: float
    thrower: str
    target: str
    chance: float
    ending: Ending
    catcher: str
    passed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A finished game.

    Attributes:
        minutes: Simulated.
        score: At the end.
        events: One for each throw.
        sightings: People seen at the right place and class, people there, ghosts.
        faults: Changes into FAULT, with reasons.
    """

    minutes: float
    score: Score
    events: tuple[Event, ...]
    sightings: tuple[int, int, int]
    faults: tuple[str, ...]

    @property
    def rallies(self) -> tuple[int, ...]:
        """Lengths of all rallies in hits, the running one last."""
        running = (self.score.rally,) if self.score.rally else ()
        return self.score.rallies + running


class Game(Closing):
    """A game that can be played on and on; use as a context manager.

    Args:
        cfg: Who plays where.
        setup: What the robot knows about itself; None: the calibration that ships.
        tables: The planner's; None: built now.
        world: A place that somebody else made and closes, see `scene`; None: made here.
        pass_time: Takes the world to a time [s]; None: its own `step_to`.
    """

    def __init__(
        self,
        cfg: GameCfg | None = None,
        *,
        setup: Setup | None = None,
        tables: Tables | None = None,
        world: PiggyWorld | None = None,
        pass_time: Callable[[float], object] | None = None,
    ) -> None:
        self.cfg = cfg = cfg or GameCfg()
        streams = np.random.SeedSequence([cfg.seed, 0x6A3E]).spawn(3)
        self._people_rng, self._luck, chances = map(np.random.default_rng, streams)
        setup = game_setup(setup or shipped_setup(cfg.drive))
        self.tactic = GameTactic(tables or build_tables(), chances)
        self.session = PlaySession(
            PlayCfg(place=cfg.place, drive=cfg.drive, seed=cfg.seed, rig=cfg.rig),
            setup=setup,
            tactic=self.tactic,
            world=world,
            pass_time=pass_time,
        )
        self.eyes = Eyes(setup.cameras)
        people = make_people(self._people_rng, team=cfg.team, opponents=cfg.opponents)
        self.match: Match = start_match(people)
        self.events: list[Event] = []
        self._sightings = np.zeros(3, dtype=np.int64)

    def run(
        self,
        minutes: float = math.inf,
        *,
        rallies: int | None = None,
        throws: int | None = None,
        longest: int | None = None,
        on_event: Callable[[Event], object] | None = None,
    ) -> GameResult:
        """Play until one of the limits is reached.

        Args:
            minutes: Of simulated time.
            rallies: That are over.
            throws: In all.
            longest: Hits after which a rally ends the game.
            on_event: Called after each throw.
        """
        self.start()
        end = self.session.now + 60.0 * minutes
        while self.session.now < end:
            score = self.match.score
            if rallies is not None and len(score.rallies) >= rallies:
                break
            if throws is not None and len(self.events) >= throws:
                break
            if longest is not None and score.rally >= longest:
                break
            event = self.play_on()
            if on_event is not None:
                on_event(event)
        return self.result()

    def result(self) -> GameResult:
        """Return what has come of it so far."""
        seen, there, ghosts = (int(n) for n in self._sightings)
        return GameResult(
            minutes=self.session.now / 60.0,
            score=self.match.score,
            events=tuple(self.events),
            sightings=(seen, there, ghosts),
            faults=tuple(
                change.reason
                for change in self.session.player.changes
                if change.after is Phase.FAULT
            ),
        )

    def start(self) -> None:
        """Switch on, look at the empty place, then let people come."""
        if self.session.player.state.phase is not Phase.INIT:
            return
        self.session.start()
        pairs = []
        for _ in range(EMPTY_PAIRS):
            self.session.advance(self.session.now + 0.02)
            images = self.session.world.images()
            assert images is not None
            pairs.append(images[:2])
        self.eyes.remember(pairs)
        self._show_people()

    def play_on(self) -> Event:
        """Let the person who has the ball throw; return what became of it."""
        self.session.is_looking = True
        self._look()
        session, thrower = self.session, self.match.get(self.match.thrower)
        throw = draw_game_throw(self._luck, thrower, self.cfg.place)
        number = session.world.throw(throw)
        end = session.now + throw.windup + FLIGHT
        chosen = None
        while session.now < end - 1e-9:
            session.advance(min(session.now + 0.02, end))
            state = session.player.state
            if state.intent is not None:
                chosen = state.intent
            if self.cfg.whistle and chosen is not None and state.phase not in BUSY:
                session.is_looking = False
            touched = touch_time(session.world, number)
            if touched is not None:
                end = touched + FOLLOWED
        event = self._ended(thrower, number, chosen.aim if chosen else None,
                            chosen.chance if chosen else math.nan)  # fmt: skip
        self.events.append(event)
        session.advance(session.now + PREPARE)
        session.settle()
        return event

    def _ended(
        self,
        thrower: Person,
        number: int,
        aim: FloatArray | None,
        chance: float,
    ) -> Event:
        verdict = judge(self.session.world, number)
        ending, catcher, passed = self._judged(verdict, number, aim)
        target = self._person_at(aim)
        self.match = referee(self.match, ending, catcher)
        if ending is Ending.INTERCEPTED:
            self._show_people()
        return Event(
            time=self.session.now,
            thrower=thrower.name,
            target=target.name if target else "",
            chance=chance,
            ending=ending,
            catcher=catcher.name if catcher else "",
            passed=passed,
        )

    def _judged(
        self, verdict: Verdict, number: int, aim: FloatArray | None
    ) -> tuple[Ending, Person | None, float]:
        if verdict.touch is None:
            return (Ending.MISSED if verdict.crossed else Ending.WIDE), None, math.inf
        time, path = flight_after(self.session.world.truth.balls[number])
        passed = math.inf
        if aim is not None:
            passed = float(np.linalg.norm(path - aim, axis=1).min())
        caught = try_catch(self.match.people, time, path, self._luck)
        if caught is None:
            return Ending.DROPPED, None, passed
        is_ours = caught.person.side == "team"
        ending = Ending.COMPLETED if is_ours else Ending.INTERCEPTED
        return ending, caught.person, passed

    # -- people --------------------------------------------------------------------

    def _show_people(self) -> None:
        bodies = tuple(
            Body(
                position=person.place,
                height=person.height,
                shirt=person.grey,
                raised=1.0 if person.side == "team" else 0.15,
            )
            for person in self.match.people
        )
        self.session.world.set_people(bodies)
        self.session.advance(self.session.now + 0.06)

    def _look(self) -> None:
        """Let the robot look for people, and count how well it does."""
        images = self.session.world.images()
        assert images is not None
        seen = self.eyes.look(images[0], images[1])
        self.tactic.see(seen)
        right = 0
        for person in self.match.people:
            near = [s for s in seen if math.dist(tuple(s.place), person.place) < SAME]
            right += any(s.side == person.side for s in near)
        self._sightings += [right, len(self.match.people), max(len(seen) - right, 0)]

    def _person_at(self, aim: FloatArray | None) -> Person | None:
        if aim is None:
            return None
        place = (float(aim[0]), float(aim[1]))
        return min(self.match.people, key=lambda p: math.dist(p.place, place))

    def close(self) -> None:
        """Free everything."""
        self.session.close()


def flight_after(ball: BallFlight) -> tuple[FloatArray, FloatArray]:
    """Return the flight after the last contact with the bat, until the floor.

    Returns:
        Time since then [s], (n,), and the ball's place [m], (n, 3), every 5 ms.
    """
    ours = [t for t in ball.touches if t.body in ("sphere", "rod")]
    first = round(ours[-1].end / ball.h) - ball.release
    every = max(1, round(0.005 / ball.h))
    path = ball.path[max(first, 0) :: every, :3]
    path = path[np.isfinite(path[:, 0])]
    landing = np.flatnonzero(path[:, 2] < 0.07)
    if len(landing):
        path = path[: landing[0] + 1]
    time = every * ball.h * np.arange(len(path), dtype=np.float64)
    return time, path

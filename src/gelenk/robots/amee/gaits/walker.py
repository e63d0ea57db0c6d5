"""Who walks: where feet go, what else they try, how the torso follows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from gelenk.robots.amee.coordinator.balance import Point, Up, centre_of_mass
from gelenk.robots.amee.coordinator.desk import (
    Desk,
    Plan,
    TroubleError,
    UnsafeError,
    pause,
)
from gelenk.robots.amee.coordinator.diagnosis import Cause, cause_of
from gelenk.robots.amee.gaits.config import GaitCfg
from gelenk.robots.amee.gaits.footing import height_changes, level_out, set_down
from gelenk.robots.amee.gaits.free_gait import MAX_AHEAD, MAX_RADIUS
from gelenk.robots.amee.gaits.placing import set_high, try_places
from gelenk.robots.amee.gaits.posture import (
    between,
    is_reachable,
    largest_share,
    moved,
    radius_of,
)
from gelenk.robots.amee.gaits.pull import pull
from gelenk.robots.amee.gaits.shift import STRAIGHT, lean_offset, make_safe, mean_height
from gelenk.robots.amee.gaits.step import answers
from gelenk.robots.amee.gaits.strokes import Stroke, plan_strokes
from gelenk.robots.amee.gaits.survey import survey
from gelenk.robots.amee.wire import Command

ALL = (0, 1, 2, 3)
CENTRE_LIMIT = 0.16  # [m], how far feet are set back uphill, or forward downhill
CROUCH = 0.030  # [m], how much lower the torso goes for a foot that finds no ground
LEAST_HEIGHT = 0.45  # [m], of the hip over the soles
BADLY = 0.012  # [m], error of one foot's height that is set right before a lift
MAX_ROLL = math.radians(5.0)  # to one side, with which a foot may still be lifted
LEVEL_TRIES = 4  # before a lift
FARTHEST = 0.24  # [m], of a standing foot from the middle of its strokes
LEAST_ON_ALL = 0.080  # [m], margin on all feet below which the torso goes back
RISE = 0.010  # [m], by which it goes up again in each cycle
TIRED = 3  # failed pulls after which the torso is left as it lies for the next step
HALT_TIME = 0.1  # [s], until legs that were stopped rest
SMALL = 0.004  # [m], shifts that are not worth a move
STRAYED = 0.020  # [m], beyond where feet of planned steps may be
STRAYED_FAR = 0.050  # [m], likewise while a foot is in the air
GIVES_WAY = math.radians(4.0)  # lean in one move of planned steps: legs yield


class GivesWayError(Exception):
    """Legs yielded under the torso while it moved; all of them were stopped."""


class Walker:
    """Moves of the whole robot; keeps account of what happened.

    Attributes:
        height: Hip over sole that is aimed at [m].
        strokes: Of the present cycle.
        reach: Share of its stroke by which a foot is set ahead of the centre.
        caution: Margin that is wanted in addition, since the torso has tipped [m].
        skipped: Feet in a row that could not be placed.
        steps: Feet placed so far.
        collision_steps: Value of `steps` at each collision.
        trouble_steps: Likewise at each foothold that did not do, collisions included.
        footfalls: Leg, time of lift and of touch-down of each step [s].
        put_back: How often each foot could not be drawn from where it stands.
        tried: Legs and places along the way [m] where planned steps have led without
            getting the torso on.
        farthest: How far the torso had come when `tried` was last forgotten [m].
        felt: Height of each foot below its hip where it last felt ground [m].
        propped: Where the sky was when a foot that feels nothing was found to bear,
            torso's axes, by leg.
    """

    def __init__(self, desk: Desk, cfg: GaitCfg) -> None:
        self.desk, self.cfg = desk, cfg
        desk.pad_share, desk.toe_trust = cfg.pad_share, cfg.toe_trust
        desk.attitude.cfg = cfg.attitude
        self.height = cfg.height
        self.strokes = plan_strokes(cfg.stroke, 0.0)
        self.reach = 0.5
        self.caution = 0.0
        self.skipped = 0
        self.steps = 0
        self.collision_steps: list[int] = []
        self.trouble_steps: list[int] = []
        self.footfalls: list[tuple[int, float, float]] = []
        self.put_back = [0] * len(ALL)
        self.tried: list[tuple[int, float]] = []
        self.farthest = 0.0
        self.felt = [-cfg.height] * len(ALL)
        self.propped: dict[int, Up] = {}
        self._failed_pulls = 0  # in a row
        self._tired = 0  # likewise, since a foot was placed

    def set_mode(self, *, high: bool) -> Plan:
        """Tell all legs how high steps shall be."""
        yield from set_high(self, ALL, high=high)

    # -- feet --------------------------------------------------------------------------

    def centre(self) -> float:
        """Return the middle of the strokes: the weight shall lie amid the feet [m]."""
        desk = self.desk
        feet = [view.foot for view in desk.legs]
        x, _, _ = centre_of_mass(feet, desk.leg_cfg.geometry)
        under = x + lean_offset(desk, self.height)
        return self.cfg.centre + max(-CENTRE_LIMIT, min(CENTRE_LIMIT, under))

    def foothold(self, leg: int, ahead: float = 0.0) -> tuple[Stroke, Point]:
        """Return the stroke and the planned foothold of a leg.

        Args:
            leg: Index 0..3.
            ahead: How much farther than usual [m].
        """
        stroke = self.strokes[leg]
        half = self.reach * stroke.length + ahead * math.copysign(1.0, stroke.length)
        return stroke, stroke.point(self.centre() + half, -self.height)

    def place(self, leg: int, caution: float = 0.0) -> Plan:
        """Lift a foot and put it down ahead; try other places where it finds nothing.

        Args:
            leg: Index 0..3.
            caution: Margin that is wanted in addition [m].

        Raises:
            TroubleError: If no place does, or if the leg is broken.
            UnsafeError: If the weight is not over the other feet.
        """
        self.caution = caution
        yield from self.steady(leg)
        begun = self.desk.now
        yield from try_places(self, leg)
        self.count((leg,), begun)

    def steady(self, leg: int) -> Plan:
        """Set the torso right and its weight over the other feet.

        Raises:
            UnsafeError: If the weight cannot be brought there, or the torso rolls.
        """
        yield from self.set_right(leg)
        is_turned = any(abs(stroke.yaw) > STRAIGHT for stroke in self.strokes)
        least = self.cfg.turn_margin if is_turned else self.cfg.least_margin
        yield from make_safe(self.desk, (leg,), least + self.caution, self.carry)

    def set_right(self, leg: int) -> Plan:
        """Let feet that hover down, and level the torso.

        Args:
            leg: Index of the foot that is lifted next and may hover.

        Raises:
            UnsafeError: If the torso goes on rolling.
        """
        for _ in range(LEVEL_TRIES):
            yield from self.set_down((leg,))
            yield from self.recentre()
            yield from self.level_out()
            if abs(self.desk.attitude.roll) < MAX_ROLL:
                return
        raise UnsafeError(leg, self.desk.margin(without=(leg,)))

    def set_down(self, lifted: Sequence[int] = ()) -> Plan:
        """Let feet that hover feel for the ground below them.

        Args:
            lifted: Indices of the feet that are lifted next and may hover.
        """
        yield from set_down(self, lifted)

    def strayed(self, *, is_lifted: bool = False) -> float:
        """Return by how much the torso must go ahead to be amid its feet again [m].

        Knees give way where feet are far ahead, hips where they are far behind.

        Args:
            is_lifted: Whether a foot is in the air: then more is borne.
        """
        limit = STRAYED_FAR if is_lifted else STRAYED
        desk = self.desk
        middle = lean_offset(desk, mean_height(desk))
        views = [desk.legs[leg] for leg in desk.standing()]
        radii = [radius_of(view.foot, view.yaw) - middle for view in views]
        behind, ahead = max(radii) - MAX_AHEAD, -min(radii) - MAX_RADIUS
        if max(behind, ahead) <= limit:
            return 0.0
        even = 0.5 * (behind - ahead)  # feet at both ends are equally far out then
        return min(behind, even) if behind > ahead else max(-ahead, even)

    def way_back(self) -> float:
        """Return what brings a torso that has strayed back, as far as legs reach [m].

        Ahead; 0 if it has not strayed or cannot go. Feet that come nearer to their hips
        hinder nobody.
        """
        wanted = self.strayed()
        begins: list[Point] = []
        ends: list[Point] = []
        for leg, end in self.shifted(wanted).items():
            begin = self.desk.legs[leg].foot
            if math.hypot(end[0], end[2]) > math.hypot(begin[0], begin[2]):
                begins.append(begin)
                ends.append(end)
        shift = wanted * largest_share(begins, ends, self.desk.leg_cfg)
        return shift if abs(shift) > SMALL else 0.0

    def shifted(self, shift: float, sink: float = 0.0) -> dict[int, Point]:
        """Return where standing feet are after a shift of the torso [m].

        Args:
            shift: Ahead, turning as strokes do [m].
            sink: Down [m].
        """
        mean = sum(stroke.length for stroke in self.strokes) / len(self.strokes)
        ends: dict[int, Point] = {}
        for leg in self.desk.standing():
            view = self.desk.legs[leg]
            share = self.strokes[leg].length / mean
            ends[leg] = moved(view.foot, view.yaw, -shift * share, sink)
        return ends

    def recentre(self) -> Plan:
        """Bring the torso back amid its feet, if one of them is far from its hip.

        Likewise if all feet stand and the weight is near an edge of them.
        """
        if self.cfg.plans_steps:  # plans know where it should be
            return
        desk = self.desk
        feet = {leg: desk.legs[leg].foot for leg in desk.standing()}
        yaws = {leg: desk.legs[leg].yaw for leg in feet}
        middle = lean_offset(desk, mean_height(desk))
        radii = [radius_of(feet[leg], yaws[leg]) - middle for leg in feet]
        farthest, margin = max(map(abs, radii)), desk.margin()
        is_central = margin >= LEAST_ON_ALL or len(feet) < len(ALL)
        if (farthest <= FARTHEST and is_central) or self.is_tired:
            return
        shift = 0.5 * (max(radii) + min(radii)) - self.centre() + middle
        desk.journal.decide(
            f"torso goes {shift * 1e3:+.0f} mm: a foot is {farthest:.2f} m from its "
            f"hip, {margin * 1e3:.0f} mm of margin on all feet"
        )
        ends = {leg: moved(feet[leg], yaws[leg], -shift) for leg in feet}
        if all(is_reachable(end, desk.leg_cfg) for end in ends.values()):
            yield from self.carry(ends)

    def rise(self) -> None:
        """Aim a little higher again, up to the usual height."""
        self.height = min(self.cfg.height, self.height + RISE)

    def sink(self) -> bool:
        """Aim lower, so that feet reach deeper; return whether that can be."""
        if self.height - CROUCH < LEAST_HEIGHT:
            return False
        self.height -= CROUCH
        self.desk.journal.decide(f"torso goes down to {self.height * 1e3:.0f} mm")
        return True

    def crouch(self) -> Plan:
        """Lower the torso on the legs that stand, so that the others reach deeper."""
        desk = self.desk
        if not self.sink():
            return
        standing = desk.standing()
        views = desk.legs
        ends = {i: moved(views[i].foot, views[i].yaw, 0.0, CROUCH) for i in standing}
        yield from self.carry(ends)

    def count(self, legs: Sequence[int], begun: float) -> None:
        """Take steps into account."""
        self._tired = 0  # feet are sorted anew
        self.steps += len(legs)
        for leg in legs:
            self.put_back[leg] = 0
            self.propped.pop(leg, None)
            self.felt[leg] = self.desk.legs[leg].foot[1]
        self.footfalls += [(leg, begun, self.desk.now) for leg in legs]

    # -- torso -------------------------------------------------------------------------

    def advance(
        self, legs: Sequence[int], share: float, length: float, goal: float
    ) -> Plan:
        """Pull the torso ahead, and set its height and level right on the way.

        Args:
            legs: That stand and pull.
            share: Of their strokes.
            length: Way of the torso in a whole stroke [m].
            goal: Where the middle of their feet shall be, ahead of the centre, as a
                share of the length; corrects what earlier pulls have missed.

        Raises:
            TroubleError: If legs cannot follow, time after time.
        """
        desk = self.desk
        views = desk.legs
        yield from survey(desk)
        if abs(length) > 1e-6:
            share = self._wanted_share(legs, length, goal)
        level = height_changes(self)
        begins = {leg: views[leg].foot for leg in legs}
        ends = {
            leg: moved(
                foot,
                views[leg].yaw,
                -share * self.strokes[leg].length,
                level.get(leg, 0.0),
            )
            for leg, foot in begins.items()
        }
        possible = largest_share(
            list(begins.values()),
            list(ends.values()),
            desk.leg_cfg,
            FARTHEST + abs(lean_offset(desk, mean_height(desk))),
        )
        if possible < 1.0:
            desk.journal.decide(f"pull shortened to {possible:.0%}: a leg's reach ends")
            ends = {leg: between(begins[leg], ends[leg], possible) for leg in legs}
        yield from self.carry(ends)

    def carry(self, ends: Mapping[int, Point]) -> Plan:
        """Move standing feet together; bear it if a leg cannot follow.

        Args:
            ends: Where each foot shall be in its leg's frame [m], by leg.

        Raises:
            TroubleError: If a leg is broken, or this happens too often.
            GivesWayError: If the torso leans more and more, in a gait that plans steps.
        """
        try:
            if self.cfg.plans_steps and len(ends) > 1:
                yield from self._watched(pull(self.desk, ends))
            else:
                yield from pull(self.desk, ends)
            self._failed_pulls = self._tired = 0
        except TroubleError as trouble:
            yield from self.bear(trouble)
        yield from survey(self.desk)

    @property
    def is_tired(self) -> bool:
        """Whether legs could not follow time after time since a foot was placed."""
        return self._tired >= TIRED

    @property
    def has_stalled(self) -> bool:
        """Whether the last move of the torso came to nothing."""
        return self._failed_pulls > 0

    def _watched(self, move: Plan) -> Plan:
        """Go on with a move of the torso as long as it hardly leans meanwhile.

        Raises:
            GivesWayError: If it leans; who hovers can be set down now, later it falls.
        """
        desk = self.desk
        before = desk.attitude.up
        for _ in move:
            leaned = math.dist(before, desk.attitude.up)  # small angles: radians
            if leaned > GIVES_WAY:
                desk.journal.warn(
                    f"torso leans by {math.degrees(leaned):.1f} deg as it moves, legs "
                    "give way: all stop"
                )
                move.close()
                yield from self._halt()
                raise GivesWayError
            yield

    def _halt(self) -> Plan:
        """Stop all legs that stand; a foot in the air goes on waiting."""
        for leg in self.desk.standing():
            self.desk.order(leg, Command.STOP)
        yield from pause(self.desk, HALT_TIME)

    def level_out(self, badly: float = BADLY) -> Plan:
        """Set height and level right, if the torso lies badly.

        Args:
            badly: Error of one foot's height that is worth it [m].
        """
        yield from level_out(self, badly)

    def bear(self, trouble: TroubleError) -> Plan:
        """Stop what a leg cannot follow; the next steps sort the feet.

        Raises:
            TroubleError: If the leg is broken, or this happens too often.
        """
        desk = self.desk
        cause = cause_of(trouble.leg, trouble.message)
        self._failed_pulls += 1
        self._tired += 1
        yield from self._halt()
        if cause.kind == "silence" and (yield from answers(desk, trouble.leg)):
            cause = Cause(kind="reach", leg=trouble.leg, text="cannot follow the pull")
        if not cause.is_curable or self._failed_pulls >= self.cfg.max_failed_pulls:
            raise trouble
        desk.journal.decide(
            f"all stop: {cause.text}; all legs say where they stand", trouble.leg
        )

    def _wanted_share(self, legs: Sequence[int], length: float, goal: float) -> float:
        """Return the share of the stroke after which the feet are where they should."""
        views = self.desk.legs
        radii = [radius_of(views[leg].foot, views[leg].yaw) for leg in legs]
        missing = sum(radii) / len(radii) - (self.centre() + goal * length)
        return max(0.0, missing / length)

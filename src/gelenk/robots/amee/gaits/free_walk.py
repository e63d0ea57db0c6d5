"""Walking over stones: each step is planned from where the feet really stand."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from gelenk.robots.amee.coordinator.balance import (
    Point,
    bearing,
    bearing_point,
    centre_of_mass,
    seen_from_above,
)
from gelenk.robots.amee.coordinator.desk import Plan, TroubleError, UnsafeError
from gelenk.robots.amee.gaits.footing import leans_badly, props
from gelenk.robots.amee.gaits.free_gait import (
    BEAM,
    WIDE_BEAM,
    Feet,
    FreeStep,
    lift_balance,
    plan_step,
)
from gelenk.robots.amee.gaits.placing import come_down, step_or_return
from gelenk.robots.amee.gaits.posture import moved, radius_of
from gelenk.robots.amee.gaits.shift import lean_offset, mean_height
from gelenk.robots.amee.gaits.step_values import MAX_EFFORT
from gelenk.robots.amee.gaits.strokes import plan_strokes
from gelenk.robots.amee.gaits.walker import ALL, SMALL, GivesWayError, Walker

PROBE = 0.01  # [m], by which feet are moved to see where the weight goes
WARY = 0.020  # [m], margin that a lift which was given up adds to the next of this foot
BOLDNESS = (0.0, 0.008, 0.016)  # [m], margin that is given up where nothing else does
PATIENCE = 8  # steps that may lead nowhere before some of it is given up
# [N m], that legs may bear then: a foot that is drawn up will tell
EFFORTS = (MAX_EFFORT, MAX_EFFORT + 4.0, MAX_EFFORT + 8.0)
LAST_EFFORT = 60.0  # [N m], likewise before the walk is given up
HOPE = 2.0  # [m], worth of steps that lead on
ATTEMPTS = 12  # lifts in a row that may be given up
KEPT_OFFSET = 0.5  # of where a foot bears that is expected after its next step
DEEPER = 0.020  # [m], than the mean of the ground that a foot shall reach
SPARE_REACH = 0.006  # [m], that legs are not stretched
PROGRESS = 0.05  # [m], of the torso, after which places may be tried again
MEMORY = 12  # of them that are remembered
RETURNS = 2  # further tries to bring a torso back that has strayed
SINK, LOWEST = 0.030, 0.40  # [m], by which it goes down then, down to this at most
# A torso on bent knees falls back a little: shifts ahead and back, found by trying.
LAG_AHEAD, LAG_BACK = 0.004, 0.012  # [m]


def free_cycle(walker: Walker, length: float, turn: float) -> Plan:
    """Place as many feet as there are, each where it brings the robot farthest.

    Args:
        walker: Who walks.
        length: Way of the torso for which the turn is meant [m].
        turn: To the left [rad].

    Raises:
        UnsafeError: If no foot may be lifted.
    """
    walker.strokes = plan_strokes(length, turn)
    for _ in ALL:
        yield from free_step(walker)
    walker.rise()


def free_step(walker: Walker) -> Plan:
    """Place the foot that does most for the way ahead.

    Raises:
        TroubleError: If a leg is broken, or trouble does not end.
        UnsafeError: If no foot may be lifted.
    """
    desk = walker.desk
    wary = [0.0] * len(ALL)
    homes = {leg: view.foot for leg, view in enumerate(desk.legs)}
    for _ in range(ATTEMPTS):
        chosen = -1
        try:
            yield from _all_down(walker, homes)
            yield from walker.set_down()
            # hips and knees of the low side bear too much; if feet are far ahead or
            # behind, that is why
            if leans_badly(walker) and not walker.way_back():
                yield from walker.level_out()
            yield from _come_back(walker)
            yield from walker.level_out()
            step = _choose(walker, wary)
            chosen, homes[step.leg] = step.leg, desk.legs[step.leg].foot
            yield from _go(walker, step)
            return
        except UnsafeError:
            if chosen < 0:
                raise
            desk.journal.decide("stays for now: another foot is looked for", chosen)
            wary[chosen] += WARY
        except GivesWayError:
            if chosen >= 0:
                wary[chosen] += WARY
        except TroubleError as trouble:  # most likely of a leg that stands and carries
            yield from walker.bear(trouble)
    why = f"{ATTEMPTS} lifts in a row were given up"
    raise UnsafeError(-1, desk.margin(), why)


def _all_down(walker: Walker, homes: Mapping[int, Point]) -> Plan:
    """Bring down feet that a step which was given up has left in the air.

    Args:
        walker: Who walks.
        homes: Where each foot stood last [m], by leg.
    """
    for leg, view in enumerate(walker.desk.legs):
        if not view.stands:
            yield from come_down(walker, leg, homes[leg])


def _go(walker: Walker, step: FreeStep) -> Plan:
    """Shift the torso and place a foot as planned.

    Raises:
        TroubleError: If a leg is broken.
        UnsafeError: If legs cannot shift the torso, or the foot must stay after all.
        GivesWayError: If they yield.
    """
    desk = walker.desk
    desk.journal.note(
        f"next after {step.shift * 1e3:+.0f} mm of the torso: to "
        f"{step.radius * 1e3:+.0f} mm with {step.margin * 1e3:.0f} mm of margin",
        step.leg,
    )
    if abs(step.shift) > SMALL:
        if not all(view.toes for view in desk.legs):  # levelling may let a foot hover
            yield from walker.set_down()
        lag = LAG_AHEAD if step.shift > 0.0 else LAG_BACK
        yield from walker.carry(walker.shifted(step.shift + lag))
        if walker.has_stalled:
            raise UnsafeError(step.leg, desk.margin(without=(step.leg,)))
    walker.tried.append((step.leg, desk.way.x + step.radius))
    stroke = walker.strokes[step.leg]
    walker.reach = (step.radius - walker.centre()) / stroke.length
    yield from walker.set_right(step.leg)
    _check(walker, step.leg)
    begun = desk.now
    yield from step_or_return(walker, step.leg)
    walker.count((step.leg,), begun)


def _check(walker: Walker, leg: int) -> None:
    """See that a foot may still be lifted, as the others stand now.

    Raises:
        UnsafeError: If the weight is not over them, legs could not bear it, or neither
            of the two that would bear most is known to stand.
    """
    desk = walker.desk
    margin = desk.margin(without=(leg,))
    beside = [(leg + k) % len(ALL) for k in (1, 3)]
    bears = any(desk.legs[i].toes or props(walker, i) for i in beside)
    _, effort = lift_balance(feet_of(walker), leg)
    if margin < walker.cfg.last_margin or not bears or effort > LAST_EFFORT:
        raise UnsafeError(leg, margin)


def _come_back(walker: Walker) -> Plan:
    """Bring a torso back amid its feet that has got too far ahead or fallen behind.

    If drives stall it goes down on the way: knees that give in to their load can move.

    Raises:
        UnsafeError: If legs cannot: braked they hold it, any further move lets it fall.
    """
    desk = walker.desk
    for most in (0.0, *[SINK] * RETURNS):
        shift = walker.way_back()
        if not shift:
            return
        lowest = min(-desk.legs[leg].foot[1] for leg in desk.standing())
        sink = max(0.0, min(most, lowest - LOWEST))
        desk.journal.decide(
            f"torso has strayed: goes {shift * 1e3:+.0f} mm, {sink * 1e3:.0f} mm lower"
        )
        yield from walker.carry(walker.shifted(shift, sink))
        if not walker.has_stalled:
            return
    why = "legs cannot bring the torso back amid its feet"
    raise UnsafeError(-1, desk.margin(), why)


def _choose(walker: Walker, wary: list[float]) -> FreeStep:
    """Return the next step, with as much margin as there is.

    Raises:
        UnsafeError: If there is none.
    """
    desk, feet, found = walker.desk, feet_of(walker), None
    if desk.way.x > walker.farthest + PROGRESS:
        walker.farthest = desk.way.x
        walker.tried.clear()
    bad = [(leg, place - desk.way.x) for leg, place in walker.tried[-MEMORY:]]
    last = walker.footfalls[-1][0] if walker.footfalls else -1
    first = min(len(walker.tried) // PATIENCE, len(BOLDNESS) - 1)
    for boldness, effort in zip(BOLDNESS[first:], EFFORTS[first:], strict=True):
        least = [walker.cfg.least_margin + more - boldness for more in wary]
        for beam in (BEAM, WIDE_BEAM):
            step = plan_step(feet, least, bad, last, effort, beam)
            if step is not None and step.worth > HOPE:
                return step
            found = found or step
    if found is None:  # whatever may be lifted, wherever it is set
        least = [walker.cfg.least_margin - BOLDNESS[-1]] * len(ALL)
        found = plan_step(feet, least, bad, last, LAST_EFFORT) or plan_step(
            feet, least, max_effort=LAST_EFFORT
        )
    if found is None:
        why = "no foot can be lifted safely, wherever it would be set"
        raise UnsafeError(-1, desk.margin(), why)
    return found


def feet_of(walker: Walker) -> Feet:
    """Return feet and weight as the main controller knows them, on a level map."""
    desk = walker.desk
    up, geometry = desk.attitude.up, desk.leg_cfg.geometry
    feet = [view.foot for view in desk.legs]
    yaws = [view.yaw for view in desk.legs]
    radii = [radius_of(foot, yaw) for foot, yaw in zip(feet, yaws, strict=True)]
    bases, new_bases = [], []
    for leg, view in enumerate(desk.legs):
        below = moved(view.foot, view.yaw, -radii[leg])
        toes, trust = view.toes, desk.toe_trust
        bases.append(bearing(leg, below, view.yaw, toes, trust))
        # a foot placed anew may bear little better than it does now
        yaw, below = walker.strokes[leg].yaw, (0.0, -walker.height, 0.0)
        new_bases.append(bearing(leg, below, yaw, toes, KEPT_OFFSET * trust))
    weight = centre_of_mass(feet, geometry)
    pulls = []
    for leg in ALL:
        there = [*feet]
        there[leg] = moved(feet[leg], yaws[leg], PROBE)
        pulls.append(math.dist(centre_of_mass(there, geometry), weight) / PROBE)
    return Feet(
        radii=np.array(radii),
        bases=seen_from_above(bases, up),
        directions=np.array([(math.cos(yaw), math.sin(yaw)) for yaw in yaws]),
        new_bases=seen_from_above(new_bases, up),
        new_directions=np.array(
            [(math.cos(stroke.yaw), math.sin(stroke.yaw)) for stroke in walker.strokes]
        ),
        weight=seen_from_above([weight], up)[0],
        pulls=np.array(pulls),
        middle=lean_offset(desk, mean_height(desk)),
        ranges=np.array([_reach(walker, -foot[1]) for foot in feet]),
        offsets=desk.toe_trust
        * np.outer(
            (1.0, KEPT_OFFSET), [bearing_point(view.toes)[0] for view in desk.legs]
        ),
        depths=np.array([[-foot[1] for foot in feet], [walker.height] * len(ALL)])
        - (geometry.sole_drop + geometry.hip_drop),
    )


def _reach(walker: Walker, height: float) -> tuple[float, float]:
    """Return the least and the largest radius of a foot below its hip [m].

    Args:
        walker: Who walks.
        height: Of the hip over the sole [m]; it may be placed deeper.
    """
    g = walker.desk.leg_cfg.geometry
    depth = max(height, walker.height + DEEPER) - g.sole_drop - g.hip_drop
    square = (g.thigh + g.shank - SPARE_REACH) ** 2 - depth**2
    half = math.sqrt(max(square, 0.0))
    return g.toe_ahead - half, g.toe_ahead + half

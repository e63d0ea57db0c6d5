"""Steps that are planned: margins, what a plan may do, and where it leads."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from gelenk.robots.amee.config import (
    COM_OFFSET,
    HIPS,
    LINK_MASSES,
    ROBOT_MASS,
    LegCfg,
)
from gelenk.robots.amee.coordinator.balance import centre_of_mass, estimated_margin
from gelenk.robots.amee.coordinator.desk import Desk, UnsafeError
from gelenk.robots.amee.gaits.config import GaitCfg
from gelenk.robots.amee.gaits.free_gait import (
    MAX_RADIUS,
    SHARED_EFFORT,
    WIDE_BEAM,
    Feet,
    lift_balance,
    plan_step,
)
from gelenk.robots.amee.gaits.free_walk import (
    HOPE,
    _check,
    _come_back,
    feet_of,
)
from gelenk.robots.amee.gaits.posture import is_reachable
from gelenk.robots.amee.gaits.step_values import MAX_EFFORT, PULL, value_table
from gelenk.robots.amee.gaits.walker import Walker
from gelenk.robots.amee.kinematics.closed import lengths_of, solve_leg

LEAST = 0.03  # [m]
HEIGHT = 0.57  # [m]


def feet_at(radii: list[float], spread: float = 0.0, seed: int = 0) -> Feet:
    """Return feet at radii; each may bear beside its centre by up to `spread` [m]."""
    hips = np.array([hip[:2] for hip in HIPS])
    bases = hips + np.random.default_rng(seed).uniform(-spread, spread, (4, 2))
    ahead = np.tile([1.0, 0.0], (4, 1))
    return Feet(
        radii=np.array(radii),
        bases=bases,
        directions=ahead,
        new_bases=bases,
        new_directions=ahead,
        weight=np.array([COM_OFFSET + PULL * sum(radii), 0.0]),
        pulls=np.full(4, PULL),
        middle=0.0,
        ranges=np.tile([-0.3, 0.3], (4, 1)),
        offsets=np.zeros((2, 4)),
        depths=np.full((2, 4), HEIGHT - LegCfg().geometry.sole_drop),
    )


def lift_margin(feet: Feet, leg: int, shift: float = 0.0) -> float:
    return lift_balance(feet, leg, shift)[0]


def done(feet: Feet, leg: int, shift: float, radius: float) -> Feet:
    """Return the feet after a step as the plan wants it."""
    radii = feet.radii - shift
    weight = feet.weight[0] - shift * PULL * 4 + PULL * (radius - radii[leg])
    radii[leg] = radius
    return replace(feet, radii=radii, weight=np.array([weight, feet.weight[1]]))


def radius_of_largest_circle(points: np.ndarray, centre: np.ndarray) -> float:
    """Return how far a point lies inside a triangle, by a linear programme.

    The largest t such that the point moved by t in any of 720 directions is still a
    convex combination of the corners.
    """
    reach = np.inf
    for angle in np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False):
        way = np.array([np.cos(angle), np.sin(angle)])
        equalities = np.column_stack(
            [np.vstack([points.T, np.ones(3)]), np.append(-way, 0.0)]
        )
        found = linprog([0, 0, 0, -1], A_eq=equalities, b_eq=[*centre, 1.0])
        reach = min(reach, found.x[3])
    return reach


def test_the_margin_of_a_lift_is_the_circle_that_fits_into_the_other_three_feet() -> (
    None
):
    feet = feet_at([0.12, 0.10, -0.05, 0.15], spread=0.03, seed=4)
    others = [1, 2, 3]
    points = feet.bases[others] + feet.radii[others, None] * feet.directions[others]
    wanted = radius_of_largest_circle(points, feet.weight)
    assert wanted > 0.03
    assert lift_margin(feet, 0) == pytest.approx(wanted, rel=1e-4)


def test_margins_of_the_plan_are_those_of_the_main_controller_on_single_toes() -> None:
    desk = Desk(LegCfg(), [(0.0, -0.54, 0.0)] * 4)
    walker = Walker(desk, GaitCfg(height=0.54, pad_share=0.0, toe_trust=0.5))
    for view, x, toes in zip(
        desk.legs, (0.10, -0.08, 0.02, -0.15), (1, 2, 8, 4), strict=True
    ):
        view.foot, view.toes = (x, -0.54, 0.0), toes
    feet = feet_of(walker)
    for leg in range(4):
        assert lift_margin(feet, leg) == pytest.approx(
            desk.margin(without=(leg,)), abs=1e-9
        )
    # the torso shifted by 50 mm: the weight lags behind it, as legs have mass
    shifted = [(view.foot[0] - 0.05, -0.54, 0.0) for view in desk.legs]
    for leg in range(4):
        exact = estimated_margin(
            shifted,
            [0.0] * 4,
            [other for other in range(4) if other != leg],
            desk.attitude.up,
            desk.leg_cfg.geometry,
            0.0,
            [view.toes for view in desk.legs],
            0.5,
        )
        assert lift_margin(feet, leg, 0.05) == pytest.approx(exact, abs=0.002)


def test_the_weight_goes_along_with_a_foot_as_the_masses_of_the_leg_say() -> None:
    feet = [(0.0, -0.54, 0.0)] * 4
    ahead = [(0.05, -0.54, 0.0), *feet[1:]]
    geometry = LegCfg().geometry
    way = centre_of_mass(ahead, geometry)[0] - centre_of_mass(feet, geometry)[0]
    assert way / 0.05 == pytest.approx(PULL, rel=0.05)


def test_planned_steps_lead_ahead_with_margin_and_reach_from_any_sorted_feet() -> None:
    feet, way = feet_at([0.0] * 4), 0.0
    for _ in range(40):
        step = plan_step(feet, [LEAST] * 4)
        assert step is not None
        assert lift_margin(feet, step.leg, step.shift) >= LEAST - 1e-9
        assert np.abs(feet.radii - step.shift).max() <= MAX_RADIUS + 1e-9
        feet = done(feet, step.leg, step.shift, step.radius)
        assert lift_margin(feet, step.leg) >= LEAST - 1e-9  # still, as it lands
        way += step.shift
    assert way / 40 > 0.05  # [m], of the torso for each step


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_feet_that_bear_beside_where_they_were_set_do_not_trap_the_robot(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    feet, way, ways, last = feet_at([0.0] * 4), 0.0, [0.0], -1
    hips = np.array([hip[:2] for hip in HIPS])
    for _ in range(120):
        step = plan_step(feet, [LEAST] * 4, last=last)
        assert step is not None
        last = step.leg
        missed = rng.random() < 0.1  # finds no hold: comes back
        radius = feet.radii[step.leg] - step.shift if missed else step.radius
        feet = done(feet, step.leg, step.shift, radius + rng.normal(0.0, 0.02))
        bases = feet.bases.copy()
        bases[step.leg] = hips[step.leg] + rng.uniform(-0.03, 0.03, 2)
        feet = replace(feet, bases=bases, new_bases=bases)
        way += step.shift
        ways.append(way)
    assert ways[-1] > 3.5
    stretches = [ways[k + 30] - ways[k] for k in range(0, 90, 10)]
    assert min(stretches) > 0.2  # never stuck for thirty steps


def test_a_lagging_foot_is_freed_by_setting_another_one_back() -> None:
    # the rear left foot lags; its lift would hang on the rear right one, far ahead
    feet = feet_at([0.0, -0.02, -0.137, 0.135])
    assert lift_margin(feet, 2, 0.1) < 0.0
    back = plan_step(feet, [LEAST] * 4)
    assert back is not None
    assert back.leg == 3
    assert back.radius < -0.05
    feet = done(feet, back.leg, back.shift, back.radius)
    freed = plan_step(feet, [LEAST] * 4, last=back.leg)
    assert freed is not None
    assert freed.leg == 2


def test_a_trap_is_told_by_its_worth_and_left_by_a_wider_search_or_less_margin() -> (
    None
):
    feet = feet_at([-0.05, 0.12, -0.19, 0.18])
    trapped = plan_step(feet, [LEAST] * 4, beam=WIDE_BEAM)
    narrow = plan_step(feet, [0.005] * 4)
    wide = plan_step(feet, [0.005] * 4, beam=WIDE_BEAM)
    bold = plan_step(feet, [-0.005] * 4)
    assert trapped is not None
    assert narrow is not None
    assert wide is not None
    assert bold is not None
    assert max(trapped.worth, narrow.worth) < HOPE
    assert min(wide.worth, bold.worth) > 4.0


def test_no_foot_is_asked_beyond_the_reach_of_its_leg() -> None:
    ranges = np.array([[-0.30, 0.30], [-0.30, 0.05], [-0.10, 0.30], [-0.12, 0.04]])
    feet, last = replace(feet_at([0.0] * 4), ranges=ranges), -1
    for _ in range(30):
        step = plan_step(feet, [0.02] * 4, last=last)
        assert step is not None
        feet, last = done(feet, step.leg, step.shift, step.radius), step.leg
        assert (feet.radii >= ranges[:, 0] - 1e-9).all()
        assert (feet.radii <= ranges[:, 1] + 1e-9).all()


def lever(radius: float, depth: float) -> float:
    """Return how far a foot is ahead of its knee [m], by the leg's kinematics."""
    geometry = LegCfg().geometry
    sole = -depth - geometry.sole_drop
    _, hip, *_ = solve_leg(radius, sole, 0.0, 0.0, *lengths_of(geometry), False)
    return radius - geometry.thigh * math.cos(hip)


def largest_moment(feet: Feet, leg: int) -> float:
    """Return the largest moment about a knee or hip, by the balance of forces [N m]."""
    others = [i for i in range(4) if i != leg]
    places = feet.bases[others] + feet.radii[others, None] * feet.directions[others]
    weight = 9.81 * ROBOT_MASS
    balance = np.vstack([np.ones(3), places.T])
    forces = np.linalg.solve(balance, weight * np.array([1.0, *feet.weight]))
    return max(
        (force - 9.81 * LINK_MASSES[-1])
        * max(
            abs(arm + feet.offsets[0, i])
            for arm in (lever(feet.radii[i], feet.depths[0, i]), feet.radii[i])
        )
        for i, force in zip(others, forces, strict=True)
    )


def test_legs_bear_the_share_of_the_weight_that_the_balance_gives_to_their_feet() -> (
    None
):
    rng = np.random.default_rng(3)
    looked = 0
    while looked < 50:
        feet = replace(
            feet_at(rng.uniform(-0.15, 0.15, 4).tolist(), 0.03, looked),
            offsets=rng.uniform(-0.08, 0.08, (2, 4)),
        )
        leg = int(rng.integers(4))
        margin, effort = lift_balance(feet, leg)
        if margin > 0.0:
            looked += 1
            assert effort == pytest.approx(largest_moment(feet, leg), rel=1e-6)


def test_no_lift_asks_a_leg_for_more_than_its_drives_can_give() -> None:
    feet, last = feet_at([0.0] * 4), -1
    offsets = np.array([[0.08, 0.08, 0.04, 0.0], [0.04, 0.04, 0.02, 0.0]])
    for _ in range(30):
        feet = replace(feet, offsets=offsets)
        step = plan_step(feet, [0.02] * 4, last=last)
        assert step is not None
        assert lift_balance(feet, step.leg, step.shift)[1] <= MAX_EFFORT
        feet, last = done(feet, step.leg, step.shift, step.radius), step.leg
    heavy = replace(feet, offsets=np.full((2, 4), 0.20))
    assert plan_step(heavy, [0.02] * 4) is None
    assert plan_step(heavy, [0.02] * 4, max_effort=120.0) is not None


def test_no_step_leads_where_legs_could_not_bear_that_a_foot_hovers() -> None:
    rng, looked = np.random.default_rng(8), 0
    for seed in range(150):
        feet = replace(
            feet_at([0.0] * 4, 0.02, seed),
            offsets=np.tile(rng.choice([-0.08, 0.0, 0.08], 4), (2, 1)),
            radii=rng.uniform(-0.22, 0.11, 4),
            depths=np.tile(rng.uniform(0.40, 0.48, 4), (2, 1)),
        )
        weight = COM_OFFSET + PULL * feet.radii.sum()
        feet = replace(feet, weight=np.array([weight, 0.0]))
        step = plan_step(feet, [0.0] * 4)
        if step is None:
            continue
        stays = feet.radii[step.leg] - step.shift  # shifted, not yet lifted
        for radius in (step.radius, stays) if step.shift else (step.radius,):
            after = done(feet, step.leg, step.shift, radius)
            for leg in range(4):
                if lift_margin(after, leg) > 1e-3:
                    looked += 1
                    effort = largest_moment(after, leg)
                    assert effort <= MAX_EFFORT + SHARED_EFFORT + 1e-6
    assert looked > 300


def test_the_reach_that_is_planned_with_is_that_of_the_leg() -> None:
    desk = Desk(LegCfg(), [(0.0, -0.60, 0.0)] * 4)
    ranges = feet_of(Walker(desk, GaitCfg(height=0.54))).ranges
    for radius in (ranges[0, 0] + 1e-3, ranges[0, 1] - 1e-3):
        assert is_reachable((radius, -0.60, 0.0), desk.leg_cfg)
    for radius in (ranges[0, 0] - 0.02, ranges[0, 1] + 0.02):
        assert not is_reachable((radius, -0.60, 0.0), desk.leg_cfg)


def test_feet_on_which_none_may_be_lifted_have_no_plan() -> None:
    feet = feet_at([0.0] * 4)
    assert plan_step(feet, [0.2] * 4) is None
    only = plan_step(feet, [0.2, 0.2, LEAST, 0.2])
    assert only is not None
    assert only.leg == 2


def test_places_that_did_not_do_and_the_foot_just_placed_are_left_out() -> None:
    feet = feet_at([0.0] * 4)
    usual = plan_step(feet, [LEAST] * 4)
    assert usual is not None
    there = usual.radius + usual.shift
    other = plan_step(feet, [LEAST] * 4, bad=[(usual.leg, there)])
    assert other is not None
    assert other.leg != usual.leg or abs(other.radius + other.shift - there) >= 0.025
    next_foot = plan_step(feet, [LEAST] * 4, last=usual.leg)
    assert next_foot is not None
    assert next_foot.leg != usual.leg


def test_the_table_values_the_same_feet_seen_in_a_mirror_alike() -> None:
    table = value_table().reshape(13, 13, 13, 13)
    # legs: front right, front left, rear left, rear right
    assert np.allclose(table, table.transpose(1, 0, 3, 2), atol=1e-9)
    assert table[6, 6, 6, 6] > 4.0
    assert table.min() == -1.0  # no foot may be lifted


def test_lifts_keep_ample_margin_where_a_shift_of_the_torso_gives_it() -> None:
    rng = np.random.default_rng(5)
    margins, ample = [], 0
    for seed in range(80):
        feet = feet_at(rng.uniform(-0.12, 0.12, 4).tolist(), 0.03, seed)
        step = plan_step(feet, [0.005] * 4)
        if step is None:
            continue
        margin = lift_margin(feet, step.leg, step.shift)
        assert margin >= step.margin - 1e-9  # the landed foot may leave less
        nearby = (step.shift + 0.01 * k for k in range(-6, 7))
        ample += max(lift_margin(feet, step.leg, shift) for shift in nearby) >= 0.03
        margins.append(margin)
    kept = sum(margin >= 0.03 for margin in margins)
    assert ample > 60
    assert kept >= 0.8 * ample


@pytest.mark.parametrize(
    ("radius", "other", "shift"),
    [
        (0.27, 0.0, 0.11),
        (-0.28, 0.0, -0.04),
        (0.1, 0.0, 0.0),
        (0.28, -0.28, 0.04),  # out on both sides: equally far out is best
        (0.25, -0.35, -0.01),
    ],
)
def test_a_torso_that_has_strayed_is_brought_back_amid_its_feet(
    radius: float, other: float, shift: float
) -> None:
    assert way_back(radius, other, 0.50) == pytest.approx([shift] * 4, abs=0.002)


def test_a_torso_that_has_strayed_comes_back_no_farther_than_its_legs_reach() -> None:
    (wanted, *_), (way, *_) = (way_back(0.30, -0.23, h) for h in (0.50, HEIGHT))
    assert 0.0 < way < 0.9 * wanted
    foot = -0.23 - way
    assert is_reachable((foot, -HEIGHT, 0.0), LegCfg())
    assert not is_reachable((foot - 0.1 * wanted, -HEIGHT, 0.0), LegCfg())


def way_back(radius: float, other: float, height: float) -> list[float]:
    """Return how far feet go back with a torso on which two of them stand out [m]."""
    desk = Desk(LegCfg(), [(0.0, -height, 0.0)] * 4)
    walker = Walker(desk, GaitCfg(height=height, plans_steps=True))
    desk.legs[2].foot = (radius, -height, 0.0)
    desk.legs[0].foot = (other, -height, 0.0)
    ways = [0.0] * 4

    def carry(ends):
        for leg, end in ends.items():
            ways[leg] = desk.legs[leg].foot[0] - end[0]
        yield

    walker.carry = carry  # type: ignore[method-assign]
    list(_come_back(walker))
    return ways


def test_the_foot_that_is_far_out_may_be_lifted_itself() -> None:
    desk = Desk(LegCfg(), [(0.0, -HEIGHT, 0.0)] * 4)
    walker = Walker(desk, GaitCfg(height=HEIGHT, plans_steps=True))
    desk.legs[3].foot = (0.32, -HEIGHT + 0.05, 0.0)
    assert walker.strayed(is_lifted=True) > 0.0
    _check(walker, 3)
    desk.legs[0].toes = desk.legs[2].toes = 0  # neither of its neighbours feels ground
    with pytest.raises(UnsafeError):
        _check(walker, 3)

"""Settings of the gaits."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gelenk.errors import ConfigError
from gelenk.robots.amee.coordinator.attitude import AttitudeCfg
from gelenk.robots.amee.coordinator.balance import PAD_SHARE
from gelenk.robots.amee.gaits.posture import FOLLOW_SLOPE

CarefulName: TypeAlias = Literal["save", "alternative", "crawl"]
GaitName: TypeAlias = Literal["save", "alternative", "crawl", "fast", "auto"]
# Legs 1..4 of the thesis are indices 0..3. Feet of one group are placed one after the
# other; the torso is pulled after each group.
SAVE_ORDER = ((3, 2, 0, 1),)
ALTERNATIVE_ORDER = ((3, 1, 2, 0),)
CRAWL_ORDER = ((3, 0), (2, 1))
ORDERS = {
    "save": SAVE_ORDER,
    "alternative": ALTERNATIVE_ORDER,
    "crawl": CRAWL_ORDER,
}
PAIRS = ((0, 2), (1, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class GaitCfg:
    """How AMEE walks.

    Attributes:
        height: Hip over sole [m].
        stroke: Way of the torso per cycle of a foot [m].
        fast_stroke: Way of the torso per swing of a pair [m].
        swing_pull: Share of that way which the standing pair pulls while the other one
            swings, its feet passing below the weight; all four pull the rest.
        centre: Middle of the strokes, forward of the hips [m].
        least_margin: Below this no foot is lifted [m]. Rubber toes give way when the
            weight is near the edge, so what looks like 20 mm may be none.
        last_margin: Below this a foot in the air is put down at once [m].
        turn_margin: Likewise where feet point in too many directions for the torso to
            be shifted, as in a turn on the spot [m].
        pad_share: Of each foot's pad that is taken as bearing.
        toe_trust: If not 0, pressed toes tell where a foot bears, not its pad: this
            share of the way from its centre to them, as rubber toes give way. With 0.5
            the true margin is less than the estimate in one lift of twenty.
        fast_margin: Likewise when pairs swing [m].
        level_limit: What a pull corrects of the torso's height at most [m].
        level_dead_band: Errors that are left alone [m].
        level_part: What is corrected at once on standing feet [m]; with more some leave
            the ground.
        max_squat: Below its height, as far as legs of the high side may let down a
            torso that leans badly [m].
        follow_slope: Share of the ground's slope ahead that the torso takes over.
        turn_limit: Largest turn per cycle while walking ahead [rad].
        max_lean: Of the torso while one foot feels for ground [rad]; a foot that pushes
            it farther is stopped.
        reserve: Share of a way that is walked in addition, as feet slip: none feels
            itself slide. Less than 0 where they slide ahead.
        max_failed_pulls: In a row, after which the walk ends.
        retries: Other places and heights that a foot tries before it gives up.
        plans_steps: Whether each step of a crawl is searched for, see `free_gait`,
            instead of an order of feet that repeats.
        lays_soles: Whether feet that stand on their front or rear toes alone feel for
            the ground again: the torso has turned since they were placed.
        uses_high_lift: Whether feet are lifted as high as they can (safe walk).
        attitude: How the vertical is told from what the inertial unit feels.
    """

    height: float = 0.60
    stroke: float = 0.16
    fast_stroke: float = 0.10
    swing_pull: float = 0.4
    centre: float = 0.0
    least_margin: float = 0.065
    last_margin: float = 0.015
    turn_margin: float = 0.050
    pad_share: float = PAD_SHARE
    toe_trust: float = 0.0
    fast_margin: float = 0.050
    level_limit: float = 0.030
    level_dead_band: float = 0.004
    level_part: float = 0.004
    max_squat: float = 0.050
    follow_slope: float = FOLLOW_SLOPE
    turn_limit: float = 0.06
    max_lean: float = math.radians(2.5)
    reserve: float = 0.04
    max_failed_pulls: int = 4
    retries: int = 4
    plans_steps: bool = False
    lays_soles: bool = False
    uses_high_lift: bool = False
    attitude: AttitudeCfg = field(default_factory=AttitudeCfg)

    @property
    def trusts_pads(self) -> bool:
        """Whether two feet may carry: pads bear, not only points of them."""
        return self.pad_share > 0.5

    def __post_init__(self) -> None:
        if not 0.35 <= self.height <= 0.66:
            raise ConfigError(f"`height` must lie in 0.35..0.66 m, got {self.height} m")
        if not (0.0 < self.stroke <= 0.25 and 0.0 < self.fast_stroke <= 0.25):
            raise ConfigError(
                "strokes must lie in 0..0.25 m, got "
                f"{self.stroke} m and {self.fast_stroke} m"
            )

"""Which settings suit which drives and ground, found by trying."""

from __future__ import annotations

import math

from gelenk.robots.amee.config import DriveData, LegCfg
from gelenk.robots.amee.coordinator.attitude import STEADY
from gelenk.robots.amee.gaits.config import GaitCfg, GaitName
from gelenk.robots.amee.leg_settings import RotationCfg, TouchCfg
from gelenk.robots.amee.terrain import TerrainCfg
from gelenk.robots.amee.world import FOAM, SOFT_FOAM

SMOOTH = ("flat",)
PLANE = ("flat", "slope")
SLIP = 0.06  # share of a way that feet slide on stones, found by trying
SLOPE_SLIP = 0.30  # likewise uphill, 15 degrees
SLOPE_SLIDE = -0.10  # downhill they slide on, and the robot comes farther than it feels


def foam_for(terrain: TerrainCfg) -> float:
    """Return the foam below the toes [m]: on stones more of them bear if it is soft.

    Args:
        terrain: What it will walk on.
    """
    return FOAM if terrain.name in PLANE else SOFT_FOAM


def leg_for(drive: DriveData, terrain: TerrainCfg) -> LegCfg:
    """Return settings of legs that walk: quicker and softer than those of a bench.

    Via points lie 15 mm apart: closer ones are lost in the converter's steps. Feet
    feel with small tilts and press a little before they say that they stand.

    Args:
        drive: What turns the joints.
        terrain: What it will walk on.
    """
    is_rough = terrain.name not in SMOOTH
    # what such drives push against does not give in: gently, and not for a third toe
    is_stiff = drive.ratio > 300.0 and not is_rough
    return LegCfg(
        drive=drive,
        min_step=0.015,
        lift=0.100 if is_rough else 0.050,
        rotation=RotationCfg(
            # on three legs a joint may have to bear more than the 42 N m of its brake
            idle_mode="servo" if is_rough else "hold",
            # slowly geared drives at full speed reach via points twelve times a second:
            # as often as the torso rocks on its toes
            default_speed=120 if is_stiff else 255,
            approach_time=0.10,
            arrival_tolerance=2,
        ),
        touch=TouchCfg(
            speed=75 if is_stiff else 150,
            least_toes=3 if terrain.name in PLANE and not is_stiff else 2,
            accept_toes=2,
            last_toes=1 if is_rough else 3,
            tries=1 if is_rough else 3,
            patience=0.10 if is_rough else 0.30,
            keeps_tilt=is_rough,
            press=0.006 if is_rough else 0.004,
            reopen_time=0.25 if is_rough else 0.40,
            max_reopened=6,
            one_sided_tilt=math.radians(10.0),
            one_sided_lower=0.014,
            two_sided_lower=0.006,
        ),
    )


def gait_for(profile: str, terrain: TerrainCfg, gait: GaitName) -> GaitCfg:
    """Return the settings of the gaits.

    Args:
        profile: Of the drives. 22 N m carry the robot only on nearly straight legs.
        terrain: What it will walk on.
        gait: How.
    """
    if profile == "thesis" and gait in ("fast", "auto"):
        # two legs carry everything: only straight ones can
        return GaitCfg(height=0.635, stroke=0.12, fast_stroke=0.06, swing_pull=0.0)
    if profile == "thesis":
        return GaitCfg(height=0.630, stroke=0.14, fast_stroke=0.06, swing_pull=0.0)
    if terrain.name in SMOOTH:
        if gait in ("fast", "auto"):  # a torso that moves on two feet rocks
            return GaitCfg(height=0.620, stroke=0.20, fast_stroke=0.10, swing_pull=0.0)
        return GaitCfg(height=0.600, stroke=0.20)
    lean = math.radians(5.0)  # ground is pushed against until toes tell
    if terrain.name == "slope":
        return GaitCfg(
            height=0.540,
            stroke=0.16,
            fast_stroke=0.10,
            follow_slope=0.5,
            lays_soles=True,
            max_failed_pulls=12,
            max_lean=lean,
            reserve=SLOPE_SLIP if (terrain.amount or 0.0) > 0.0 else SLOPE_SLIDE,
        )
    if gait == "fast":  # whole pads, or no pair would ever be lifted
        return GaitCfg(
            height=0.590, stroke=0.18, fast_stroke=0.10, max_lean=lean, reserve=SLIP
        )
    return GaitCfg(
        height=0.570,
        stroke=0.22,
        fast_stroke=0.10,
        pad_share=0.0,
        least_margin=0.010,
        last_margin=-0.005,
        follow_slope=0.0,
        toe_trust=0.75,
        level_part=0.010,
        max_squat=0.080,
        max_failed_pulls=12,
        plans_steps=True,
        max_lean=math.radians(3.0),
        reserve=SLIP,
        attitude=STEADY,
    )

"""Trajectories: paths of joints, tools and vehicles with their timing.

A `JointPath` says where joints go, `JointPath.timed` how fast they can: within limits
of speed, acceleration, jerk and effort. Elementary motions are `plan_ptp` for joints,
`plan_lin`, `plan_circ` and `plan_fly_by` for the tool, `fit_cubic_spline` through via
points; `check_tool_path` says what an arm can follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.trajectory.feasibility import check_tool_path as check_tool_path
    from gelenk.trajectory.jerk_limited import JerkLimitedPlanner as JerkLimitedPlanner
    from gelenk.trajectory.jerk_limited import SetpointFollower as SetpointFollower
    from gelenk.trajectory.joint_path import JointPath as JointPath
    from gelenk.trajectory.joint_path import round_corners as round_corners
    from gelenk.trajectory.joint_path import spline_path as spline_path
    from gelenk.trajectory.limits import JointLimits as JointLimits
    from gelenk.trajectory.patterns import plan_pattern as plan_pattern
    from gelenk.trajectory.ptp import PtpMotion as PtpMotion
    from gelenk.trajectory.ptp import TimeLaw as TimeLaw
    from gelenk.trajectory.ptp import fastest_law as fastest_law
    from gelenk.trajectory.ptp import plan_ptp as plan_ptp
    from gelenk.trajectory.smooth_timing import time_smoothly as time_smoothly
    from gelenk.trajectory.spline import CubicSpline as CubicSpline
    from gelenk.trajectory.spline import b_spline as b_spline
    from gelenk.trajectory.spline import fit_cubic_spline as fit_cubic_spline
    from gelenk.trajectory.time_optimal import TimingStatus as TimingStatus
    from gelenk.trajectory.time_optimal import time_path as time_path
    from gelenk.trajectory.tool_motion import ToolLimits as ToolLimits
    from gelenk.trajectory.tool_motion import plan_circ as plan_circ
    from gelenk.trajectory.tool_motion import plan_fly_by as plan_fly_by
    from gelenk.trajectory.tool_motion import plan_lin as plan_lin
    from gelenk.trajectory.trajectory import Trajectory as Trajectory
    from gelenk.trajectory.vehicle_paths import arc_to_point as arc_to_point
    from gelenk.trajectory.vehicle_paths import cubic_to_pose as cubic_to_pose

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

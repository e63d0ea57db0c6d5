"""Control of joints, tools and contacts: PID, model-based, force and vision.

The way in is `pid_step` for one loop, `computed_torque` for an arm,
`resolved_acceleration` and `impedance_torque` for its tool, `hybrid_torque` for
contact. `solve_motion` finds joint velocities for many tasks at once within limits,
`solve_whole_body` torques of a robot that stands. Controllers are functions: state goes
in and comes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.control.differential_ik import MotionStatus as MotionStatus
    from gelenk.control.differential_ik import solve_motion as solve_motion
    from gelenk.control.force import hybrid_torque as hybrid_torque
    from gelenk.control.gain_schedule import linearize_robot as linearize_robot
    from gelenk.control.impedance import AdmittanceCfg as AdmittanceCfg
    from gelenk.control.impedance import AdmittanceState as AdmittanceState
    from gelenk.control.impedance import admittance_step as admittance_step
    from gelenk.control.impedance import impedance_torque as impedance_torque
    from gelenk.control.linear_system import LinearSystem as LinearSystem
    from gelenk.control.linear_system import step_response as step_response
    from gelenk.control.model_based import computed_torque as computed_torque
    from gelenk.control.motion_limits import AccelerationLimit as AccelerationLimit
    from gelenk.control.motion_limits import CollisionLimit as CollisionLimit
    from gelenk.control.motion_limits import ConfigurationLimit as ConfigurationLimit
    from gelenk.control.motion_limits import PlaneLimit as PlaneLimit
    from gelenk.control.motion_limits import VelocityLimit as VelocityLimit
    from gelenk.control.motion_tasks import ComTask as ComTask
    from gelenk.control.motion_tasks import CouplingTask as CouplingTask
    from gelenk.control.motion_tasks import DampingTask as DampingTask
    from gelenk.control.motion_tasks import FrameTask as FrameTask
    from gelenk.control.motion_tasks import LookAtTask as LookAtTask
    from gelenk.control.motion_tasks import ManipulabilityTask as ManipulabilityTask
    from gelenk.control.motion_tasks import PostureTask as PostureTask
    from gelenk.control.motion_tasks import RobotPosture as RobotPosture
    from gelenk.control.operational_space import ToolTarget as ToolTarget
    from gelenk.control.operational_space import (
        resolved_acceleration as resolved_acceleration,
    )
    from gelenk.control.operational_space import tool_dynamics as tool_dynamics
    from gelenk.control.pid import PidCfg as PidCfg
    from gelenk.control.pid import PidGains as PidGains
    from gelenk.control.pid import PidState as PidState
    from gelenk.control.pid import pid_step as pid_step
    from gelenk.control.tuning import measure_step as measure_step
    from gelenk.control.tuning import place_poles as place_poles
    from gelenk.control.tuning import ziegler_nichols_gains as ziegler_nichols_gains
    from gelenk.control.visual_servoing import image_servo_twist as image_servo_twist
    from gelenk.control.whole_body import PointContact as PointContact
    from gelenk.control.whole_body import solve_whole_body as solve_whole_body

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

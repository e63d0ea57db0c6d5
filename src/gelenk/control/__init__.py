"""Control of joints, tools and contacts: PID, model-based, force and vision.

The way in is `pid_step` for one loop, `computed_torque` for an arm,
`resolved_acceleration` and `impedance_torque` for its tool, `hybrid_torque` for
contact. Controllers are functions: state goes in and comes back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.control.force import hybrid_torque as hybrid_torque
    from gelenk.control.gain_schedule import linearize_robot as linearize_robot
    from gelenk.control.impedance import AdmittanceCfg as AdmittanceCfg
    from gelenk.control.impedance import AdmittanceState as AdmittanceState
    from gelenk.control.impedance import admittance_step as admittance_step
    from gelenk.control.impedance import impedance_torque as impedance_torque
    from gelenk.control.linear_system import LinearSystem as LinearSystem
    from gelenk.control.linear_system import step_response as step_response
    from gelenk.control.model_based import computed_torque as computed_torque
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

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)

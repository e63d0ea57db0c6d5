"""Chapter 4 of the course, section 5: vehicles."""

from __future__ import annotations

from gelenk.course.method import Method

_K = "gelenk.kinematics."


def _vehicle(*names: str) -> tuple[str, ...]:
    return tuple(_K + name for name in names)


METHODS = (
    Method(
        id="GR-44",
        title="kinematics of the differential drive",
        objects=(
            *_vehicle("vehicles_motion.differential_twist", "vehicles_motion.arc_step"),
            "gelenk.navigation.odometry.integrate_wheels",
        ),
        formula="v = r (ω_r + ω_l) / 2, ω = r (ω_r - ω_l) / b; arc about (0, v/ω)",
    ),
    Method(
        id="GR-45",
        title="vehicle motion from arbitrary wheels",
        objects=_vehicle(
            "vehicles.twist_from_wheels",
            "vehicles.rolling_rows",
            "vehicles.no_slip_rows",
            "vehicles.mobility",
            "vehicles.turning_centre",
        ),
        formula="A (v_x, v_y, ω) = b, twist = A⁺ b, slip = |A twist - b|",
    ),
    Method(
        id="GR-46",
        title="wheel commands and vehicle pose control",
        objects=_vehicle(
            "vehicles.wheels_from_twist",
            "vehicles_motion.differential_wheels",
            "vehicles_motion.turn_drive_turn",
            "vehicles_motion.flat_inputs",
            "vehicles_motion.polar_control",
        ),
        formula="ω_l,r = (v ∓ ω b/2) / r; v = k_ρ ρ, ω = k_α α + k_β β",
    ),
    Method(
        id="GR-47",
        title="omnidirectional vehicle on three wheels",
        objects=_vehicle("vehicles_drives.omni_wheels", "vehicles.rolling_rows"),
        formula="r ω_i = -sin α_i v_x + cos α_i v_y + L ω",
    ),
    Method(
        id="GR-48",
        title="tricycle, car, synchro, mecanum, tracked and trailer vehicles",
        objects=_vehicle(
            "vehicles_drives.bicycle_twist",
            "vehicles_drives.ackermann_angles",
            "vehicles_drives.mecanum_wheels",
            "vehicles_drives.synchro_rate",
            "vehicles_drives.skid_twist",
            "vehicles_drives.swerve_modules",
            "vehicles_drives.trailer_rate",
        ),
        formula="θ̇ = v tan δ / L; δ_i = atan(L / (R ∓ w/2)); θ̇_t = v sin ψ / L_t",
    ),
    Method(
        id="GR-49",
        title="non-holonomic constraints recognised by brackets",
        objects=_vehicle("vehicles.holonomy", "vehicles.lie_bracket"),
        formula="[f, g] = ∂g/∂x f - ∂f/∂x g; outside the span: non-holonomic",
    ),
)

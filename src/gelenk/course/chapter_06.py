"""Chapter 6 of the course: actuators."""

from __future__ import annotations

from gelenk.course.method import Method

_A = "gelenk.actuation."


def _actuation(*names: str) -> tuple[str, ...]:
    return tuple(_A + name for name in names)


METHODS = (
    Method(
        id="GR-98",
        title="hydraulic drives that hold under load",
        objects=_actuation(
            "fluid_drives.cylinder_rates",
            "fluid_drives.orifice_flow",
            "fluid_drives.steady_speed",
        ),
        formula="ṗ = (β/V) (Q - A ẋ - c_L Δp), Q = C_d w x_v √(2Δp/ρ)",
    ),
    Method(
        id="GR-99",
        title="pneumatic drives and their compliance",
        objects=_actuation(
            "fluid_drives.valve_flow",
            "fluid_drives.chamber_rates",
            "fluid_drives.air_stiffness",
        ),
        formula="ṗ = (κ/V) (R T ṁ - p V̇); k = κ A² (p_A/V_A + p_B/V_B)",
        erratum="E-16: pneumatic drives need no return line.",
    ),
    Method(
        id="GR-100",
        title="electric drives and choosing a drive",
        objects=_actuation("drives.choose_drive", "drives.winding_temperature"),
        formula="T = (T_a + P R_th (1 - 20 α)) / (1 - α P R_th), P = i² R",
    ),
    Method(
        id="GR-101",
        title="equations of the DC motor",
        objects=_actuation(
            "dc_motor.dc_motor_rates", "dc_motor.steady_state", "dc_motor.motor_poles"
        ),
        formula="u = R i + L di/dt + k_v ω, τ = k_t i",
        erratum="E-17: u_a drives current; rotation induces k_v ω; in SI k_v = k_t.",
    ),
    Method(
        id="GR-102",
        title="transmission law with inertia seen through gears",
        objects=_actuation(
            "transmissions.output_torque",
            "transmissions.reflected_inertia",
            "transmissions.fastest_ratio",
        ),
        formula="N = ω_in / ω_out = τ_out / τ_in; J seen as N² J; best N = √(J_l/J_m)",
    ),
    Method(
        id="GR-103",
        title="spindle drive from turns to travel",
        objects=_actuation(
            "transmissions.screw_force",
            "transmissions.screw_speed",
            "transmissions.screw_efficiency",
        ),
        formula="v = p ω / 2π, F = 2π η τ / p; locks itself for η < 0.5",
    ),
    Method(
        id="GR-104",
        title="belt and cable drives",
        objects=_actuation(
            "transmissions.belt_ratio",
            "transmissions.belt_stiffness",
            "transmissions.belt_resonance",
        ),
        formula="N = r_2 / r_1; k = 2 (EA/l) r_2²; ω = √(k (1/J_m + 1/J_l))",
    ),
    Method(
        id="GR-105",
        title="spur gears, play traded for friction",
        objects=_actuation("transmissions.spur_ratio", "transmissions.mesh_tradeoff"),
        formula="N = Π (-z_2 / z_1)",
    ),
    Method(
        id="GR-106",
        title="planetary gear in its six uses",
        objects=_actuation(
            "transmissions.planetary_ratio", "transmissions.third_speed"
        ),
        formula="z_s ω_s + z_r ω_r = (z_s + z_r) ω_c",
        erratum="E-18: in the third use the output is the planet carrier.",
    ),
    Method(
        id="GR-107",
        title="harmonic drive reduction",
        objects=_actuation("transmissions.harmonic_ratio"),
        formula="N = -z_fs / 2, or z_cs / 2 with the flexspline fixed; z_cs = z_fs + 2",
        erratum="E-19: stiff for a gear without play, yet the softest part of a joint.",
    ),
    Method(
        id="GR-108",
        title="gait patterns for legged drives",
        objects=_actuation(
            "drives.standing_legs", "drives.foot_positions", "drives.GAITS"
        ),
        formula="phase_i = (t/T + o_i) mod 1, stance if phase < β",
    ),
    Method(
        id="GR-109",
        title="artificial muscles and smart materials",
        objects=_actuation(
            "materials.air_muscle_force",
            "materials.martensite",
            "materials.polymer_strain",
        ),
        formula="F = π r_0² p (a (1 - ε)² - b); strain -ε_0 ε_r (U/d)² / Y",
    ),
    Method(
        id="GR-110",
        title="soft joints that lessen impacts",
        objects=(
            "gelenk.control.interaction.simulate_impact",
            "gelenk.control.interaction.series_stiffness",
        ),
        formula="peak v √(k m_link) instead of v √(k (m_motor + m_link))",
    ),
    Method(
        id="GR-111",
        title="drive with a spring in series",
        objects=_actuation(
            "elastic_drives.series_torque",
            "elastic_drives.torque_loop",
            "elastic_drives.cyclic_demand",
        ),
        formula="τ = k (θ/N - q); ω_n = √(k (1 + k_p) / J); θ̇ = q̇ + τ̇/k",
    ),
    Method(
        id="GR-112",
        title="drive with a spring in parallel",
        objects=_actuation("elastic_drives.cyclic_demand"),
        formula="τ = τ_m + k (q_0 - q); k = I ω² carries an oscillation alone",
        erratum="E-20: PEA, not PAE.",
    ),
    Method(
        id="GR-113",
        title="drive with adjustable stiffness",
        objects=_actuation(
            "elastic_drives.antagonist_command",
            "elastic_drives.antagonist_torque",
            "elastic_drives.lever_torque",
        ),
        formula="τ = c [(θ_1 - q)² - (θ_2 + q)²], K = 2c (θ_1 + θ_2)",
    ),
    Method(
        id="GR-114",
        title="drive with adjustable damping too",
        objects=_actuation("elastic_drives.variable_impedance"),
        formula="τ = K (θ - q) + D (θ̇ - q̇), D = 2 ζ √(K I)",
    ),
    Method(
        id="GR-115",
        title="robot leg with two-joint muscles",
        objects=_actuation("elastic_drives.biarticular_torques"),
        formula="l = l_0 - r_1 q_1 - r_2 q_2: τ = r F, stiffness k r rᵀ",
    ),
)

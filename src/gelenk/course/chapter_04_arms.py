"""Chapter 4 of the course without vehicles: velocities, singularities, forces."""

from __future__ import annotations

from gelenk.course.method import Method

_K, _R = "gelenk.kinematics.", "gelenk.spatial.rotation_rates."


def _arm(*names: str) -> tuple[str, ...]:
    return tuple(_K + name for name in names)


METHODS = (
    Method(
        id="GR-32",
        title="rotation rate as skew matrix",
        objects=(_R + "rotation_rate_from_omega", _R + "omega_from_rotation_rate"),
        formula="Ṙ = S(ω) R, S(ω) = Ṙ Rᵀ",
    ),
    Method(
        id="GR-33",
        title="angular velocity from derivatives by joint angles",
        objects=(_R + "angular_jacobian_from_partials",),
        formula="S(J_ω,i) = (∂R/∂q_i) Rᵀ, ω = J_ω q̇",
    ),
    Method(
        id="GR-34",
        title="angular velocities added along the chain",
        objects=_arm("forward.link_twists", "forward.link_motion"),
        formula="⁰ω_i = ⁰ω_{i-1} + ⁰z_{i-1} q̇_i (hinge), ⁰ω_i = ⁰ω_{i-1} (slider)",
    ),
    Method(
        id="GR-35",
        title="geometric Jacobian for both joint types",
        objects=_arm("jacobian.frame_jacobian", "jacobian.body_jacobian"),
        formula="hinge: (z × (p - p_i), z); slider: (z, 0)",
    ),
    Method(
        id="GR-36",
        title="Jacobian by differentiation, and its rate",
        objects=_arm(
            "jacobian.analytic_jacobian",
            "jacobian.jacobian_rate",
            "jacobian.jacobian_partials",
        ),
        formula="J_a = ∂f/∂q; J̇ = Σ_k (∂J/∂q_k) q̇_k",
    ),
    Method(
        id="GR-37",
        title="joint rates from tool velocity",
        objects=_arm("velocity.solve_velocity", "velocity.damped_pseudoinverse"),
        formula="q̇ = J⁻¹ v; J⁺ = Jᵀ(JJᵀ)⁻¹ or (JᵀJ)⁻¹Jᵀ",
        erratum="E-04: on the level of velocities the equations are linear.",
    ),
    Method(
        id="GR-38",
        title="redundancy used by null-space motion",
        objects=_arm(
            "velocity.null_space_projector",
            "velocity.solve_velocity_with_gradient",
            "velocity.solve_task_priority",
        ),
        formula="q̇ = J⁺ v + (1 - J⁺J) q̇₀",
    ),
    Method(
        id="GR-39",
        title="manipulability after Yoshikawa",
        objects=_arm("singularity.manipulability", "statics.velocity_ellipsoid"),
        formula="w = √det(J Jᵀ) = Π σ_i",
    ),
    Method(
        id="GR-40",
        title="singular poses found by rank",
        objects=_arm("singularity.is_singular", "singularity.report_singularity"),
        formula="rank J(q) < max over q of rank J",
        erratum="E-05: the maximum is over joint space, not over the workspace.",
    ),
    Method(
        id="GR-41",
        title="singular poses in symbolic form",
        objects=_arm("symbolic.symbolic_singularities"),
        formula="det J(q) = 0; redundant: det(J Jᵀ) = 0. Planar: l₁l₂ sin q₂ = 0",
    ),
    Method(
        id="GR-42",
        title="paths that keep away from singularities",
        objects=_arm(
            "resolved_rate.follow_poses", "singularity.manipulability_gradient"
        ),
        formula="q̇₀ = k ∇w(q) in the null space of the task",
    ),
    Method(
        id="GR-43",
        title="bounded joint rates through singularities",
        objects=_arm("singularity.variable_damping", "resolved_rate.ResolvedRateCfg"),
        formula="q̇ = Jᵀ(JJᵀ + λ²1)⁻¹ v, λ² = (1 - (σ/ε)²) λ_max² for σ < ε",
    ),
    Method(
        id="GR-50",
        title="joint torques from tool forces",
        objects=_arm("statics.static_torques", "statics.torques_from_wrench"),
        formula="τ = Jᵀ F, from q̇ᵀτ = vᵀF",
    ),
    Method(
        id="GR-285",
        title="static link loads, force limits, wrench estimate, Cartesian stiffness",
        objects=_arm(
            "statics.cartesian_stiffness",
            "statics.force_limits",
            "statics.estimate_wrench",
            "statics.bearing_loads",
        ),
        formula="K_x = (J K⁻¹ Jᵀ)⁻¹; f_max = min τ_max,i / |Jᵀ u|_i; F̂ = J⁻ᵀ τ",
    ),
)

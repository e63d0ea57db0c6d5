"""Chapter 5 of the course: friction, elasticity, muscles, balance and legs."""

from __future__ import annotations

from gelenk.course.method import Method

_D = "gelenk.dynamics."


def _dynamics(*names: str) -> tuple[str, ...]:
    return tuple(_D + name for name in names)


METHODS = (
    Method(
        id="GR-72",
        title="Coulomb and viscous friction",
        objects=_dynamics("friction.sliding_friction"),
        formula="F = γ_C sign q̇ + γ_v q̇, sign 0 = 0",
    ),
    Method(
        id="GR-73",
        title="sticking and sliding",
        objects=_dynamics("friction.sticking_friction"),
        formula="q̇ = 0: F = Z up to |Z| = γ_s; q̇ ≠ 0: F = γ_C sign q̇ + γ_v q̇",
    ),
    Method(
        id="GR-74",
        title="Stribeck friction",
        objects=_dynamics("friction.stribeck_friction", "friction.stribeck_level"),
        formula="F = (γ_C + (γ_s - γ_C) e^{-|q̇/q̇_s|}) sign q̇ + γ_v q̇",
        erratum="E-11: q̇_s is a decay, the minimum is at q̇_s ln((γ_s-γ_C)/(γ_v q̇_s)).",
    ),
    Method(
        id="GR-75",
        title="friction in the equations of motion",
        objects=_dynamics(
            "friction.inverse_dynamics_with_friction",
            "friction.forward_dynamics_with_friction",
        ),
        formula="τ = M q̈ + C + G + F(q, q̇)",
    ),
    Method(
        id="GR-76",
        title="play between gear teeth",
        objects=("gelenk.actuation.transmissions.backlash_torque",),
        formula="τ = k (Δ ∓ b) beyond the gap, 0 inside; Δ = θ/N - q",
    ),
    Method(
        id="GR-77",
        title="springs and their characteristics",
        objects=_dynamics(
            "elastic_joints.spring_stiffness",
            "elastic_joints.spring_type",
            "elastic_joints.PowerSpring",
        ),
        formula="c = dF/ds: constant, rising (progressive), falling (degressive)",
        erratum="E-12: stiffness changes with deflection, not with time.",
    ),
    Method(
        id="GR-78",
        title="motion of a robot with elastic joints",
        objects=_dynamics(
            "elastic_joints.elastic_forward_dynamics", "elastic_joints.ElasticJoints"
        ),
        formula="M q̈ + C + G = E (θ - q), J θ̈ = τ_m - E (θ - q)",
        erratum="E-13: the broken reference means τ_El = E (θ - q).",
    ),
    Method(
        id="GR-79",
        title="motor torques through elastic joints",
        objects=_dynamics("elastic_joints.elastic_inverse_dynamics"),
        formula="τ_El = M q̈ + C + G, θ̈ = E⁻¹ τ̈_El + q̈, τ_m = J θ̈ + τ_El",
    ),
    Method(
        id="GR-80",
        title="elastic links",
        objects=_dynamics(
            "elastic_links.tip_deflection",
            "elastic_links.virtual_spring",
            "elastic_links.segment_deflection",
            "elastic_links.natural_frequencies",
            "elastic_links.mode_shape",
        ),
        formula="F L³ / 3EI; spring 3EI/L; ω_i = (β_i L)² √(EI / ρAL⁴)",
    ),
    Method(
        id="GR-81",
        title="inertia of links and rotors, coupled",
        objects=_dynamics("elastic_joints.extended_inertia"),
        formula="M_R = [[M(q), S], [Sᵀ, J]]",
    ),
    Method(
        id="GR-82",
        title="muscle, tendon, activation, lever arms",
        objects=_dynamics(
            "muscle.isometric_equilibrium",
            "muscle.fibre_speed",
            "muscle.force_length",
            "muscle.force_velocity",
            "muscle.activation_rate",
            "muscle.hinge_path",
            "muscle.share_load",
        ),
        formula="F = F_max (a f_l f_v + f_PE), F_T = F cos α, τ = -(∂l/∂q)ᵀ F",
    ),
    Method(
        id="GR-83",
        title="soft tissue and a muscle that bends an elbow",
        objects=_dynamics(
            "musculoskeletal.bend_elbow", "musculoskeletal.landing_force"
        ),
        formula="m_w ẍ = -k_w (x - x_b) - d_w (ẋ - ẋ_b)",
    ),
    Method(
        id="GR-84",
        title="reafference principle",
        objects=_dynamics("musculoskeletal.split_sense"),
        formula="exafference = measured - model(state, copy of the command)",
    ),
    Method(
        id="GR-85",
        title="static and dynamic stability of walking",
        objects=(
            "gelenk.dynamics.balance.static_margin",
            "gelenk.geometry.support_polygons.support_margin",
        ),
        formula="statically stable ⇔ projection of the COM inside the support polygon",
    ),
    Method(
        id="GR-86",
        title="zero-moment point from contact forces",
        objects=_dynamics("balance.zmp_from_contacts", "balance.ground_moment"),
        formula="r = Σ r_i f_i,z / Σ f_i,z; about it n_x = n_y = 0",
        erratum="E-14: the normal force is (0, 0, f_z).",
    ),
    Method(
        id="GR-87",
        title="margin of the zero-moment point",
        objects=_dynamics("balance.zmp_margin"),
        formula="distance to the edge of the hull of all contacts; 0: it tips",
    ),
    Method(
        id="GR-88",
        title="centre of pressure by foot sensor and by motion",
        objects=_dynamics(
            "balance.cop_from_foot_sensor",
            "balance.zmp_from_motion",
            "balance.cart_table_zmp",
            "balance.robot_zmp",
        ),
        formula="x = (-n_y - f_x d) / f_z; x = (Σm(z̈+g)x - Σmẍz - ΣL̇_y) / Σm(z̈+g)",
        erratum="E-15: the CoP is a point; ZMP = CoP only while the ZMP is inside.",
    ),
    Method(
        id="GR-89",
        title="inverted pendulum",
        objects=_dynamics(
            "walking.lipm_state",
            "walking.pendulum_acceleration",
            "walking.orbital_energy",
        ),
        formula="l θ̈ - g sin θ = -ẍ cos θ; ẍ = ω² (x - p), ω = √(g / z_c)",
    ),
    Method(
        id="GR-90",
        title="spring-mass model of running",
        objects=_dynamics(
            "periodic_gaits.run_stance",
            "periodic_gaits.vertical_bounce",
            "periodic_gaits.apex_map",
        ),
        formula="m r̈ = k (l₀ - r) + m r φ̇² - m g sin φ, r φ̈ = -2 ṙ φ̇ - g cos φ",
    ),
    Method(
        id="GR-91",
        title="stability of whole gaits",
        objects=_dynamics(
            "periodic_gaits.find_cycle",
            "periodic_gaits.find_basin",
            "periodic_gaits.sensitivity_norm",
            "walking.capturability",
        ),
        formula="|eig ∂P/∂x| < 1; d_N = (l_max - r + d_{N-1}) e^{-ωT} + r",
    ),
    Method(
        id="GR-92",
        title="capture point and capture step",
        objects=_dynamics("walking.capture_point", "walking.capture_step"),
        formula="ξ = x + ẋ / ω; ξ(t) = p + (ξ₀ - p) e^{ωt}",
    ),
    Method(
        id="GR-93",
        title="balance on uneven ground",
        objects=_dynamics("balance.contact_balance", "balance.balance_margin"),
        formula="λ ≥ 0: Σ λ_ik [v_ik; (p_i - c) × v_ik] = [m (c̈ - g); L̇]",
    ),
    Method(
        id="GR-94",
        title="walking by preview control of the zero-moment point",
        objects=(
            "gelenk.dynamics.walking.plan_walk",
            "gelenk.dynamics.walking.preview_gains",
            "gelenk.dynamics.walking.follow_zmp",
            "gelenk.kinematics.biped_leg.leg_inverse",
        ),
        formula="u = -K_s Σ(p - p_ref) - K_x x - Σ_j G_j p_ref(k + j)",
    ),
    Method(
        id="GR-95",
        title="hopping on one leg: three controllers, five states",
        objects=_dynamics(
            "hopping.run_hopper",
            "hopping.next_hop_state",
            "hopping.foot_placement",
            "hopping.thrust_length",
        ),
        formula="x_f = ẋ T_s/2 + k (ẋ - ẋ_d); Δl = -x_c + √(x_c² + 2ΔE/k)",
    ),
    Method(
        id="GR-96",
        title="running on several legs by virtual legs",
        objects=_dynamics(
            "hopping.share_virtual_leg",
            "hopping.biped",
            "hopping.trotter",
        ),
        formula="legs that act together: equal shares of force, one automaton",
    ),
    Method(
        id="GR-97",
        title="passive dynamic walker",
        objects=_dynamics("periodic_gaits.walker_step", "periodic_gaits.find_cycle"),
        formula="θ̈ = sin(θ - γ); strike φ = 2θ: θ⁺ = -θ, θ̇⁺ = cos 2θ θ̇",
    ),
    Method(
        id="GR-287",
        title="sticking of coupled joints",
        objects=_dynamics("friction.forward_dynamics_with_friction"),
        formula="(M⁻¹)_SS F_S = [M⁻¹ (τ - C - G - F_slide)]_S, release |F_i| > γ_s",
    ),
)

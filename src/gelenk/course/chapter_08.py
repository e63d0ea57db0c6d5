"""Chapter 8 of the course: control and elementary motions."""

from __future__ import annotations

from gelenk.course.method import Method

_C, _T = "gelenk.control.", "gelenk.trajectory."


def _control(*names: str) -> tuple[str, ...]:
    return tuple(_C + name for name in names)


def _motion(*names: str) -> tuple[str, ...]:
    return tuple(_T + name for name in names)


METHODS = (
    Method(
        id="GR-171",
        title="feedback compared with open-loop control",
        objects=_control("linear_system.simulate_loop", "linear_system.LoopCfg"),
        formula="u = R(x_d - x̃), against u = R(x_d)",
    ),
    Method(
        id="GR-172",
        title="three regimes of the damped oscillator",
        objects=_control("pd.free_motion", "pd.Oscillator"),
        formula="m ẍ + b ẋ + k x = 0, λ = (-b ± √(b² - 4mk)) / 2m",
    ),
    Method(
        id="GR-173",
        title="stability read from poles",
        objects=_control(
            "linear_system.stability_of_poles",
            "linear_system.routh_column",
            "linear_system.is_hurwitz",
        ),
        formula="stable ⇔ Re λ_i < 0 for all i",
    ),
    Method(
        id="GR-174",
        title="PD control of a mass",
        objects=_control("pd.pd_force", "pd.critical_pd_gains", "pd.pd_rest_offset"),
        formula="f = k_p (x_d - x) - k_v ẋ; critical: (b + k_v)² = 4 m (k + k_p)",
        erratum="E-29: §8.1.3 prints b̂² = 2mk̂, which overshoots by 4.3 %; it is 4mk̂.",
    ),
    Method(
        id="GR-175",
        title="nonlinearity cancelled by partitioned control",
        objects=_control("pd.partitioned_force"),
        formula="f = α f̂ + β, α = m, β = b ẋ + k x² ...: ẍ = f̂",
    ),
    Method(
        id="GR-176",
        title="following a moving reference",
        objects=_control("pd.tracking_servo"),
        formula="f̂ = ẍ_d + k_v ė + k_p e: ë + k_v ė + k_p e = 0",
    ),
    Method(
        id="GR-177",
        title="integral action against constant load",
        objects=_control("pid.pid_step", "pid.is_pid_stable"),
        formula="f = k_p e + k_i ∫e dt + k_v ė; unit mass: 0 < k_i < k_p k_v",
    ),
    Method(
        id="GR-178",
        title="anti-windup for saturated integrators",
        objects=_control("pid.PidCfg", "pid.pid_step"),
        formula="İ = k_i e + k_aw (f̃ - f), f̃ = clip(f, ±f_max)",
    ),
    Method(
        id="GR-179",
        title="cascade of nested control loops",
        objects=_control("pid.cascade_step", "pid.cascade_gains"),
        formula="slow: v_d = k (x_d - x); fast: f = k_p (v_d - v) + k_i ∫(v_d - v) dt",
    ),
    Method(
        id="GR-180",
        title="step responses classified and measured",
        objects=_control("tuning.measure_step", "tuning.overshoot_from_damping"),
        formula="overshoot e^{-πζ/√(1-ζ²)}; first and last entry of the band",
        erratum="E-31: hunting is sustained oscillation; it never stays in the band.",
    ),
    Method(
        id="GR-181",
        title="gains from desired poles",
        objects=_control("tuning.place_poles", "tuning.pid_gains_from_poles"),
        formula="K = [0 ... 1] [B, AB, ...]⁻¹ p(A)",
    ),
    Method(
        id="GR-182",
        title="gains from the Ziegler-Nichols experiment",
        objects=_control(
            "tuning.find_stability_limit",
            "tuning.ziegler_nichols_gains",
        ),
        formula="PID: k_p = 0.6 K, k_i = 2 k_p / P, k_v = k_p P / 8",
        erratum="E-30: 2/P and P/8 belong to the ideal form; here they are times k_p.",
    ),
    Method(
        id="GR-183",
        title="PID in sampled time",
        objects=_control("pid.pid_step", "pid.pid_increment", "pid.bumpless_state"),
        formula="I = Ts Σe_k, D = (e_k - e_{k-1}) / Ts",
        erratum="E-33: §8.1.9 gives the sums for Ts = 1 only.",
    ),
    Method(
        id="GR-184",
        title="sampling rate and aliasing",
        objects=_control(
            "pid.apparent_frequency",
            "pid.recommended_period",
            "pid.check_sampling",
        ),
        formula="F_s > 2F; F appears at |F - F_s round(F/F_s)|",
        erratum="E-32: the period, not the frequency, is 1/5 to 1/10 of a rise.",
    ),
    Method(
        id="GR-185",
        title="linear model around an operating point",
        objects=_control("gain_schedule.linearize", "gain_schedule.linearize_robot"),
        formula="Δẋ = ∂f/∂x Δx + ∂f/∂u Δu",
    ),
    Method(
        id="GR-186",
        title="computed torque control of an arm",
        objects=_control(
            "model_based.computed_torque", "model_based.feedforward_torque"
        ),
        formula="τ = M(q) (q̈_d + K_v ė + K_p e) + C + G + F",
    ),
    Method(
        id="GR-187",
        title="control by changing linear models",
        objects=_control(
            "gain_schedule.design_schedule", "gain_schedule.scheduled_input"
        ),
        formula="u = u_0(σ) - K(σ) (x - x_0(σ))",
    ),
    Method(
        id="GR-188",
        title="control that learns unknown parameters",
        objects=_control(
            "model_based.adaptive_torque",
            "model_based.reference_regressor",
            "model_based.fit_gaussian_process",
        ),
        formula="τ = Y π̂ + K_D s, dπ̂/dt = Γ Yᵀ s, s = ė + Λ e",
    ),
    Method(
        id="GR-189",
        title="control in tool coordinates",
        objects=_control(
            "operational_space.resolved_acceleration",
            "operational_space.transpose_torque",
            "operational_space.tool_dynamics",
        ),
        formula="q̈ = J⁻¹ (ẍ_d + K_v ė + K_p e - J̇ q̇); or τ = Jᵀ (K_p e + K_v ė) + G",
    ),
    Method(
        id="GR-190",
        title="contact task split into natural, artificial constraints",
        objects=_control(
            "constraints.contact_phase",
            "constraints.selection_matrices",
            "constraints.peg_in_hole",
        ),
        formula="each axis: v = 0 and f chosen, or f = 0 and v chosen",
    ),
    Method(
        id="GR-191",
        title="controlling contact force",
        objects=_control("force.model_force_law", "force.force_pi_step"),
        formula="f = m k_e⁻¹ (f̈_d + k_vf ė_f + k_pf e_f) + f_d",
    ),
    Method(
        id="GR-192",
        title="hybrid control: position and force axes separated",
        objects=_control("force.hybrid_torque"),
        formula="τ = Jᵀ (Λ S a + S' f + μ) + G, S + S' = E",
    ),
    Method(
        id="GR-193",
        title="parallel control: position and force together",
        objects=_control("force.parallel_step"),
        formula="u = K_P e - K_D ẋ + f_d + K_F e_f + K_I ∫e_f dt",
    ),
    Method(
        id="GR-194",
        title="which impedances may be connected",
        objects=_control("interaction.simulate_coupling", "interaction.check_coupling"),
        formula="impedance: flow → effort; admittance: effort → flow; one of each",
        erratum="E-52: a force can always be applied, a motion not always imposed.",
    ),
    Method(
        id="GR-195",
        title="impedance control: arm as spring-damper",
        objects=_control(
            "impedance.impedance_torque",
            "impedance.shaped_impedance_torque",
            "impedance.critical_damping",
        ),
        formula="τ = Jᵀ (K e + D ė + μ) + G",
    ),
    Method(
        id="GR-196",
        title="admittance control: force commands motion",
        objects=_control(
            "impedance.admittance_step",
            "impedance.commanded_pose",
            "impedance.stiffest_wall",
        ),
        formula="M_d ẍ_c + D_d ẋ_c + K_d x_c = f_ext, command x_d + x_c",
    ),
    Method(
        id="GR-197",
        title="built-in and controlled softness together",
        objects=_control("interaction.simulate_impact", "interaction.series_stiffness"),
        formula="blow v √(k m_link), not v √(k (m_motor + m_link)); 1/K = Σ 1/k_i",
    ),
    Method(
        id="GR-198",
        title="visual servoing on the estimated pose",
        objects=_control("visual_servoing.pose_servo_twist"),
        formula="v = -λ Rᵀ t, ω = -λ θu",
    ),
    Method(
        id="GR-199",
        title="visual servoing on image features",
        objects=_control(
            "visual_servoing.image_servo_twist",
            "visual_servoing.interaction_matrix",
            "visual_servoing.feature_jacobian",
            "visual_servoing.broyden_update",
        ),
        formula="v = -λ L⁺ (s - s*)",
        erratum="E-34: the pseudo-inverse, for J is hardly ever square; F = m_d - m.",
    ),
    Method(
        id="GR-200",
        title="control combining several senses",
        objects=_control(
            "visual_servoing.fuse_contact",
            "visual_servoing.fuse_vision",
            "visual_servoing.visual_impedance",
        ),
        formula="0 = nᵀ R(θ)ᵀ (c - p) - d, measured beside the camera's (x, y, θ)",
    ),
    Method(
        id="GR-201",
        title="reflexes with nerve delay",
        objects=_control(
            "reflexes.stretch_reflex",
            "reflexes.NerveDelay",
            "reflexes.half_centre_rhythm",
        ),
        formula="u = u_ff + [k_l (l(t-δ) - l_0) + k_v l̇(t-δ)]⁺",
    ),
    Method(
        id="GR-202",
        title="synchronised point-to-point motion with parabolas (PTP)",
        objects=_motion("ptp.plan_ptp", "ptp.TimeLaw"),
        formula="q = q_0 + s(t) (q_T - q_0); D ≥ v²/a: T = D/v + v/a, else 2 √(D/a)",
        erratum="E-35: a straight line in time needs infinite acceleration itself.",
    ),
    Method(
        id="GR-203",
        title="straight tool motion (LIN)",
        objects=_motion("tool_motion.plan_lin"),
        formula="p = p_0 + s(t) (p_T - p_0), orientation by slerp",
    ),
    Method(
        id="GR-204",
        title="circular tool motion (CIRC)",
        objects=_motion("tool_motion.plan_circ", "tool_motion.circle_through"),
        formula="c = p_0 + (|w|² n × u + |u|² w × n) / 2|n|², n = u × w",
    ),
    Method(
        id="GR-205",
        title="smooth motion through via points",
        objects=_motion("spline.fit_cubic_spline", "spline.b_spline"),
        formula="h_k m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_{k-1} m_{k+1} = 3 (...)",
    ),
    Method(
        id="GR-206",
        title="shortest duration within limits",
        objects=_motion("ptp.fastest_law", "ptp.shortest_duration"),
        formula="cubic T = max(3D/2v, √(6D/a)); quintic T = max(15D/8v, √(10D/√3 a))",
    ),
    Method(
        id="GR-207",
        title="tool paths checked for feasibility",
        objects=_motion("feasibility.check_tool_path"),
        formula="reach of every pose, |Δq| / Δt ≤ q̇_max, one configuration throughout",
    ),
    Method(
        id="GR-208",
        title="via points rounded without stopping",
        objects=_motion("tool_motion.plan_fly_by", "tool_motion.corner_deviation"),
        formula="t_b = |Δv| / a, deviation |Δv| t_b / 8",
    ),
    Method(
        id="GR-209",
        title="lines, arcs and cubics for vehicles",
        objects=_motion(
            "vehicle_paths.arc_to_point",
            "vehicle_paths.cubic_to_pose",
            "vehicle_paths.LinePath",
        ),
        formula="κ = 2 sin β / d; κ = (x'y'' - y'x'') / |p'|³",
    ),
)

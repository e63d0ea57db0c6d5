"""Chapter 5 of the course, sections 1 to 6: rigid bodies."""

from __future__ import annotations

from gelenk.course.method import Method

_D = "gelenk.dynamics."


def _rigid(*names: str) -> tuple[str, ...]:
    return tuple(_D + name for name in names)


METHODS = (
    Method(
        id="GR-51",
        title="generalised forces with their units",
        objects=_rigid("rnea.inverse_dynamics", "equation_terms.gravity_torques"),
        formula="τ_i [N m] at a hinge, [N] at a slider; δW = τᵀ δq",
        erratum="E-06: inverse dynamics asks for forces of a given motion.",
    ),
    Method(
        id="GR-52",
        title="inertia tensor of shapes and meshes",
        objects=_rigid(
            "inertia_shapes.box_inertia",
            "inertia_shapes.cylinder_inertia",
            "inertia_shapes.mesh_inertia",
        ),
        formula="I = ∫ (rᵀr 1 - r rᵀ) dm; box: I_xx = m (b² + c²) / 12",
        erratum=(
            "E-09: if a plane is a plane of symmetry, both products that contain its "
            "normal vanish."
        ),
    ),
    Method(
        id="GR-53",
        title="inertia tensor in rotated axes",
        objects=_rigid("inertia.rotate_inertia"),
        formula="ᴬI = ᴬR_B ᴮI ᴬR_Bᵀ",
    ),
    Method(
        id="GR-54",
        title="parallel-axis theorem after Steiner",
        objects=_rigid("inertia.shift_from_com", "inertia.shift_to_com"),
        formula="I_P = I_C + m (rᵀr 1 - r rᵀ)",
    ),
    Method(
        id="GR-55",
        title="bodies joined into one inertia",
        objects=_rigid("inertia.join_bodies", "inertia.transform_body"),
        formula="m = Σ m_k, c = Σ m_k c_k / m, I = Σ (I_k + Steiner of c_k - c)",
    ),
    Method(
        id="GR-56",
        title="inverse dynamics by Newton-Euler recursion",
        objects=_rigid("rnea.inverse_dynamics"),
        formula="outward ω_i, ω̇_i, v̇_i; inward f_i = f_{i+1} + F_i, n_i likewise",
        erratum="E-07: the base starts with v̇₀ = -g; E-08: i runs from 1 to n.",
    ),
    Method(
        id="GR-57",
        title="tool wrench and payload in dynamics",
        objects=_rigid("payloads.with_payload", "rnea.inverse_dynamics"),
        formula="τ = τ_NE - Jᵀ F_ext; payload: m_n + m_p, Steiner",
    ),
    Method(
        id="GR-58",
        title="mass matrix, Coriolis and gravity terms separated",
        objects=_rigid(
            "equation_terms.coriolis_torques",
            "equation_terms.gravity_torques",
            "crba.mass_matrix",
        ),
        formula="τ = M(q) q̈ + C(q, q̇) q̇ + g(q)",
    ),
    Method(
        id="GR-59",
        title="accelerations from torques by linear solution",
        objects=_rigid("aba.forward_dynamics", "crba.mass_matrix"),
        formula="q̈ = M⁻¹ (τ - C q̇ - g)",
    ),
    Method(
        id="GR-60",
        title="mass matrix through Lagrange energies",
        objects=_rigid(
            "lagrange.lagrange_mass_matrix",
            "lagrange.lagrange_energies",
            "lagrange.lagrange_inverse_dynamics",
        ),
        formula="M = Σ m_i J_vᵀJ_v + J_ωᵀ (⁰R_i I_i ⁰R_iᵀ) J_ω; d/dt ∂L/∂q̇ - ∂L/∂q = τ",
        erratum="E-10: the inertia must be turned into the axes of the Jacobian.",
    ),
    Method(
        id="GR-61",
        title="equations of motion in symbolic form",
        objects=_rigid("lagrange.symbolic_dynamics"),
        formula="M, C by Christoffel symbols, g as formulas; Ṁ - 2C is skew",
    ),
    Method(
        id="GR-62",
        title="cost comparison of Lagrange and Newton-Euler",
        objects=_rigid(
            "algorithm_costs.compare_costs", "algorithm_costs.newton_euler_operations"
        ),
        formula="Newton-Euler O(n); Lagrange as written O(n³) to O(n⁴)",
    ),
    Method(
        id="GR-63",
        title="dynamic models composed of modules",
        objects=_rigid("payloads.with_attached", "equation_terms.regressor"),
        formula="τ = Y(q, q̇, q̈) π: linear in the inertial parameters of each module",
    ),
    Method(
        id="GR-64",
        title="simulation with several integrators",
        objects=_rigid("simulation.simulate", "simulation.step_rk4"),
        formula="q̈ = f(q, q̇, τ); Euler O(h), RK4 O(h⁴), RK45 by tolerance, implicit",
    ),
    Method(
        id="GR-65",
        title="mass matrix by repeated inverse dynamics",
        objects=_rigid("equation_terms.mass_matrix_by_columns"),
        formula="column j = ID(q, 0, e_j) without gravity",
    ),
    Method(
        id="GR-66",
        title="mass matrix computed by half, mirrored by symmetry",
        objects=_rigid("crba.mass_matrix_by_symmetry", "crba.body_visits"),
        formula="M_ij for i ≥ j from the bodies beyond j alone, M_ji = M_ij",
    ),
    Method(
        id="GR-67",
        title="mass matrix by composite rigid bodies (CRBA)",
        objects=_rigid("crba.mass_matrix"),
        formula="Iᶜ_i = I_i + Σ Iᶜ_child, M_ij = s_iᵀ Iᶜ_j s_j for j beyond i",
    ),
    Method(
        id="GR-68",
        title="timing of mass matrix methods",
        objects=_rigid("algorithm_costs.compare_costs", "algorithm_costs.format_costs"),
        formula="columns O(n²) bodies, half of it by symmetry, CRBA O(n d)",
    ),
    Method(
        id="GR-69",
        title="forward dynamics by articulated bodies (ABA)",
        objects=_rigid("aba.forward_dynamics"),
        formula="outward velocities, inward inertias Iᴬ_i, outward accelerations; O(n)",
    ),
    Method(
        id="GR-70",
        title="one face over several multibody libraries",
        objects=(
            "gelenk.models.tree.RobotModel",
            "gelenk.dynamics.engine.MultibodyEngine",
        ),
        formula="forward, jacobian, mass_matrix, inverse_dynamics, forward_dynamics",
    ),
    Method(
        id="GR-71",
        title="dynamics of closed kinematic chains",
        objects=_rigid(
            "loop_dynamics.closed_inverse_dynamics",
            "loop_dynamics.closed_forward_dynamics",
        ),
        formula="M q̈ + h = τ + Aᵀλ, A q̈ + Ȧ q̇ = 0; motors alone: τ_a = Gᵀ τ_tree",
    ),
    Method(
        id="GR-286",
        title="closed-chain minimal dynamics, Stewart platform, delta robot",
        objects=_rigid(
            "loop_dynamics.closed_mass_matrix",
            "loop_dynamics.closed_forward_dynamics",
            "loop_dynamics.closure_forces",
        ),
        formula="M_a = Gᵀ M_tree G with q̇_tree = G q̇_a; the same q̈ as with λ",
    ),
)

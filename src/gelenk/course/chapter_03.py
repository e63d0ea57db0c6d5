"""Chapter 3 of the course: forward and inverse kinematics."""

from __future__ import annotations

from gelenk.course.method import Method

_K, _M = "gelenk.kinematics.", "gelenk.models."
_I = _K + "inverse."

METHODS = (
    Method(
        id="GR-19",
        title="numbered links, joints and joint variables",
        objects=(_M + "tree.RobotModel", _M + "dh.links_from_dh"),
        formula="joint i joins links i-1 and i; q_i = θ_i (hinge) or d_i (slider)",
    ),
    Method(
        id="GR-20",
        title="Denavit-Hartenberg frames found from given axes",
        objects=(_M + "dh_axes.dh_rows_from_axes", _M + "dh_axes.model_from_axes"),
        formula="z_i: axis of joint i+1; x_i: common normal of z_{i-1} and z_i",
    ),
    Method(
        id="GR-21",
        title="Denavit-Hartenberg table read off placed frames",
        objects=(_M + "dh_axes.DhTable", _M + "dh_axes.dh_rows_from_axes"),
        formula="θ_i: x_{i-1} to x_i about z_{i-1}; d_i along z_{i-1}; a_i, α_i by x_i",
    ),
    Method(
        id="GR-22",
        title="link transform of one Denavit-Hartenberg row",
        objects=(_M + "dh.dh_matrix", _M + "dh.DhRow"),
        formula="A_i = R(z; θ_i) T(z; d_i) T(x; a_i) R(x; α_i)",
    ),
    Method(
        id="GR-23",
        title="forward kinematics of a chain",
        objects=(_K + "forward.frame_pose", _K + "forward.link_poses"),
        formula="⁰T_n(q) = A_1(q_1) A_2(q_2) ··· A_n(q_n)",
    ),
    Method(
        id="GR-24",
        title="solvability judged by degrees of freedom",
        objects=(_I + "closed.solve.solvability",),
        formula="n < m: in general none; n = m: finitely many; n > m: infinitely many",
        erratum=(
            "E-04: n = 6 does not mean exactly one solution: up to 16, and 8 with a "
            "spherical wrist."
        ),
    ),
    Method(
        id="GR-25",
        title="workspace reachable in some or every orientation",
        objects=(
            _K + "workspace.reachability_map",
            _K + "workspace.dexterity",
            _K + "workspace.planar_annulus",
        ),
        formula="two links: |l₁ - l₂| ≤ r ≤ l₁ + l₂",
    ),
    Method(
        id="GR-26",
        title="inverse kinematics by Newton iteration",
        objects=(_I + "iterative.solve_jacobian", _I + "iterative.damped_inverse_step"),
        formula="q_{k+1} = q_k + J⁺(q_k) (x_d - f(q_k))",
    ),
    Method(
        id="GR-27",
        title="damped inverse kinematics with limits and restarts",
        objects=(_I + "lm.solve_lm", _I + "solve_inverse"),
        formula="Δq = (JᵀWJ + λ1)⁻¹ JᵀW e, q ∈ [q_min, q_max], new start when stuck",
    ),
    Method(
        id="GR-28",
        title="algebraic inverse kinematics of planar arms and SCARA",
        objects=(_I + "closed.solve.solve_closed",),
        formula="cos q₂ = (x² + y² - l₁² - l₂²) / 2l₁l₂, q₂ = ±arccos",
    ),
    Method(
        id="GR-29",
        title="geometric inverse kinematics by wrist decoupling",
        objects=(_I + "closed.solve.solve_closed",),
        formula="p_wrist = p - d₆ R e_z gives q₁..q₃; ³R₆ = ⁰R₃ᵀ R gives q₄..q₆",
    ),
    Method(
        id="GR-30",
        title="inverse kinematics solver chosen by arm structure",
        objects=(_I + "closed.solve.closed_family", _I + "solve_inverse"),
        formula="three axes in a point: wrist; three parallel: plane; else elimination",
    ),
    Method(
        id="GR-31",
        title="accuracy told apart from repeatability and resolution",
        objects=(
            _K + "accuracy.position_performance",
            _K + "accuracy.worst_resolution",
            _K + "accuracy.attained_positions",
        ),
        formula="AP = |p̄ - p_c|; RP = l̄ + 3 s_l, l_k = |p_k - p̄|",
    ),
)

"""Symbols of the course, and what they are called in the code."""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.errors import NameNotFoundError


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One symbol.

    Attributes:
        symbol: As the course writes it.
        meaning: In words, with the unit.
        identifier: Argument or attribute in the code.
        place: Full name of a function or class that has it.
    """

    symbol: str
    meaning: str
    identifier: str
    place: str


_C = "gelenk."
_TREE = _C + "models.tree.RobotModel."
_E, _K = _C + "estimation.", _C + "estimation.kalman."
_N, _S = _C + "navigation.", _C + "kinematics.statics."
_ROWS = (
    ("q", "joint coordinates [rad, m]", "q", _TREE + "forward"),
    ("q̇", "joint velocities [rad/s, m/s]", "qd", _TREE + "inverse_dynamics"),
    ("q̈", "joint accelerations [rad/s², m/s²]", "qdd", _TREE + "inverse_dynamics"),
    ("τ", "joint forces [N m, N]", "tau", _TREE + "forward_dynamics"),
    ("ᵃT_b", "pose of b in a, homogeneous", "T_a_b", _C + "spatial.se3.inverse"),
    ("ᵃR_b", "orientation of b in a", "R_a_b",
     _C + "spatial.se3.pose_from_rotation_translation"),
    ("ᵃr_b", "position of b in a [m]", "p_a_b",
     _C + "spatial.se3.pose_from_rotation_translation"),
    ("θ", "DH: turn about z [rad]", "theta", _C + "models.dh.dh_matrix"),
    ("d", "DH: shift along z [m]", "d", _C + "models.dh.dh_matrix"),
    ("a", "DH: shift along x [m]", "a", _C + "models.dh.dh_matrix"),
    ("α", "DH: turn about x [rad]", "alpha", _C + "models.dh.dh_matrix"),
    ("J", "Jacobian", "J", _S + "force_ellipsoid"),
    ("F = [f; n]", "wrench [N, N m]", "wrench", _S + "static_torques"),
    ("g", "acceleration of gravity, a vector [m/s²]", "gravity",
     _C + "models.assembler.assemble"),
    ("γ_C", "Coulomb friction", "coulomb", _C + "dynamics.friction.sliding_friction"),
    ("γ_v", "viscous friction", "viscous", _C + "dynamics.friction.sliding_friction"),
    ("γ_s", "static friction", "static", _C + "dynamics.friction.sticking_friction"),
    ("x_d", "desired value", "x_d", _C + "control.pd.pd_force"),
    ("x", "state", "x", _N + "dead_reckoning.euler_step"),
    ("u", "input", "u", _N + "dead_reckoning.euler_step"),
    ("h", "length of a step [s]", "h", _N + "dead_reckoning.euler_step"),
    ("ẋ = F(x, u)", "derivative of the state", "F", _N + "dead_reckoning.euler_step"),
    ("x̂", "estimate of the state", "mean", _K + "Belief"),
    ("P", "covariance of the estimate", "covariance", _K + "Belief"),
    ("A", "slope of the motion", "A", _K + "kalman_predict"),
    ("Q", "covariance of the motion's noise", "Q", _K + "kalman_predict"),
    ("z", "measurement", "z", _K + "kalman_update"),
    ("H", "slope of the measurement", "H", _K + "kalman_update"),
    ("R", "covariance of the measurement's noise", "R",
     _K + "kalman_update"),
    ("S", "covariance of the residual", "residual_covariance",
     _K + "Correction"),
    ("d (Mahalanobis)", "rᵀ S⁻¹ r", "nis", _K + "Correction"),
    ("ω_i", "weights of residuals", "weights", _E + "fitting.solve_weighted"),
    ("r_i", "residuals", "residuals", _E + "fitting.solve_weighted"),
    ("p⁽ⁱ⁾", "weight of a hypothesis", "weights", _E + "kalman.reweigh_beliefs"),
    ("P(z | x, m)", "likelihood of a measurement", "likelihood",
     _N + "markov_localisation.correct_cells"),
    ("Ω", "information of an edge", "information", _N + "pose_graph.MotionEdge"),
)  # fmt: skip

GLOSSARY = tuple(
    Symbol(symbol=symbol, meaning=meaning, identifier=identifier, place=place)
    for symbol, meaning, identifier, place in _ROWS
)


def look_up(symbol: str) -> Symbol:
    """Return what a symbol of the course is called here.

    Raises:
        NameNotFoundError: If it is not listed.

    Example:
        >>> look_up("q̇").identifier
        'qd'
    """
    known = {entry.symbol: entry for entry in GLOSSARY}
    if symbol not in known:
        raise NameNotFoundError("symbol of the course", symbol, known)
    return known[symbol]

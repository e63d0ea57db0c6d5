"""Formulas of small arms, evaluated against the compiled numbers and published forms."""

import sys

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ModelError
from gelenk.kinematics.symbolic import (
    symbolic_chain,
    symbolic_chain_from_dh,
    symbolic_jacobian,
    symbolic_pose,
    symbolic_singularities,
)
from gelenk.models.catalog import make
from testkit.random_models import random_tree

ROBOTS = ["planar2r", "planar3r", "rp", "rpr", "scara", "stanford", "puma560"]


@pytest.mark.parametrize("name", ROBOTS)
def test_pose_and_jacobian_agree_with_the_compiled_ones(name: str) -> None:
    model = make(name)
    chain = symbolic_chain(model)
    q = np.random.default_rng(0).uniform(-1.0, 1.0, model.nq)

    T = sp.lambdify([chain.q], symbolic_pose(chain))(q)
    J = sp.lambdify([chain.q], symbolic_jacobian(chain))(q)

    assert_allclose(np.array(T, dtype=float), model.forward(q), atol=1e-11)
    assert_allclose(np.array(J, dtype=float), model.jacobian(q), atol=1e-11)


@pytest.mark.capability("GR-41")
def test_the_planar_arm_is_singular_where_l1_l2_sin_vanishes() -> None:
    chain = symbolic_chain(make("planar2r"), parameters={"l1": 1.0, "l2": 0.8})
    l1, l2 = sp.symbols("l1 l2", positive=True)

    result = symbolic_singularities(chain, rows=(0, 1))

    assert sp.simplify(result.determinant - l1 * l2 * sp.sin(chain.q[1])) == 0
    (factor,) = result.factors
    assert set(factor.solutions) == {sp.Integer(0), sp.pi}


@pytest.mark.capability("GR-41")
def test_the_puma_has_an_elbow_a_shoulder_and_a_wrist_factor() -> None:
    a2, a3, d3, d4 = sp.symbols("a2 a3 d3 d4", positive=True)
    t = sp.symbols("theta1:7", real=True)
    up = sp.pi / 2
    rows = [
        (0, 0, 0, up), (0, 0, a2, 0), (0, d3, a3, -up),
        (0, d4, 0, up), (0, 0, 0, -up), (0, 0, 0, 0),
    ]  # fmt: skip
    c3, s3 = sp.cos(t[2]), sp.sin(t[2])
    c23, s23 = sp.cos(t[1] + t[2]), sp.sin(t[1] + t[2])
    elbow = d4 * c3 + a3 * s3
    shoulder = a2 * sp.cos(t[1]) + a3 * c23 - d4 * s23
    published = a2 * elbow * shoulder * sp.sin(t[4])

    result = symbolic_singularities(symbolic_chain_from_dh(rows, "RRRRRR", t))

    assert sp.expand(sp.expand_trig(result.determinant - published)) == 0
    found = {factor.joints: factor for factor in result.factors}
    assert set(found) == {(t[2],), (t[4],), (t[1], t[2])}
    numbers = {a2: 0.4318, a3: 0.0203, d4: 0.4318}
    angles = [float(root.subs(numbers)) for root in found[(t[2],)].solutions]
    assert_allclose(np.rad2deg(sorted(angles)), [-87.308364, 92.691636], atol=1e-6)
    assert set(found[(t[4],)].solutions) == {sp.Integer(0), sp.pi}


@pytest.mark.capability("GR-41")
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("puma560", (0, 1, 2, 3, 4, 5)),
        ("stanford", (0, 1, 2, 3, 4, 5)),
        ("rpr", (0, 1, 2)),
        ("scara", (0, 1, 2, 5)),
        ("rp", (0, 1)),
    ],
)
def test_determinants_agree_with_the_compiled_jacobian(
    name: str, rows: tuple[int, ...]
) -> None:
    model = make(name)
    chain = symbolic_chain(model)

    determinant = sp.lambdify(
        [chain.q], symbolic_singularities(chain, rows=rows).determinant
    )

    for q in np.random.default_rng(1).uniform(-1.5, 1.5, (5, model.nq)):
        expected = np.linalg.det(model.jacobian(q)[list(rows)])
        assert determinant(q) == pytest.approx(expected, abs=1e-9)


@pytest.mark.capability("GR-41")
def test_a_redundant_arm_is_singular_where_all_minors_vanish() -> None:
    arm = make("planar3r")
    chain = symbolic_chain(arm)

    result = symbolic_singularities(chain, rows=(0, 1))

    assert len(result.minors) == 3
    assert result.factors == ()
    determinant = sp.lambdify([chain.q], result.determinant)
    for q in np.random.default_rng(2).uniform(-2.0, 2.0, (5, 3)):
        J = arm.jacobian(q)[:2]
        assert determinant(q) == pytest.approx(np.linalg.det(J @ J.T), abs=1e-12)
    assert determinant([0.7, 0.0, np.pi]) == pytest.approx(0.0, abs=1e-15)


def test_impossible_requests_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = symbolic_chain(make("planar2r"))
    with pytest.raises(ConfigError, match="6 task rows need as many joints"):
        symbolic_singularities(chain)
    with pytest.raises(ConfigError, match="singular everywhere"):
        symbolic_singularities(chain, rows=(0, 2))
    with pytest.raises(ConfigError, match="same length twice"):
        symbolic_chain(make("puma560"), parameters={"a2": 0.4318, "d4": 0.4318})
    floating = random_tree(np.random.default_rng(0), num_joints=2, floating=True)
    with pytest.raises(ConfigError, match="need a fixed base"):
        symbolic_chain(floating, frame="base")
    with pytest.raises(ModelError, match="has loops"):
        symbolic_chain(make("fourbar"))
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(ConfigError, match="pip install sympy"):
        symbolic_chain(make("planar2r"))

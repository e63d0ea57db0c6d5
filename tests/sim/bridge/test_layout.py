"""The table of addresses shows what MuJoCo's own views show, or is refused."""

from __future__ import annotations

import ctypes

import mujoco
import numpy as np
import pytest

from gelenk.errors import GelenkError
from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout

XML = """<mujoco><option cone="elliptic" timestep="0.003"/><worldbody>
  <geom type="plane" size="1 1 1"/>
  <body pos="0 0 .04"><freejoint/><geom size=".05"/></body>
  <body pos="1 0 .04"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .05"/></body>
</worldbody></mujoco>"""


@kernel
def show_contacts(table):
    rows, ints = layout.contact_floats(table), layout.contact_ints(table)
    return (
        rows[:, layout.DIST].copy(),
        rows[:, layout.FRAME : layout.FRAME + 9].copy(),
        ints[:, layout.GEOM : layout.GEOM + 2].copy(),
        ints[:, layout.EFC_ADDRESS].copy(),
        layout.constraint_rows(table, layout.EFC_AREF).copy(),
    )


@kernel
def write_time(table, value):
    layout.scalar(table, layout.TIME)[0] = value


@pytest.fixture
def engine() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    data.qvel[:] = np.linspace(-1.0, 1.0, model.nv)
    mujoco.mj_forward(model, data)
    return model, data


def test_contacts_and_constraints_are_those_of_the_views(engine) -> None:
    model, data = engine

    dist, frame, geoms, rows, aref = show_contacts(layout.address_table(model, data))

    assert data.ncon == 5
    assert np.array_equal(dist, data.contact.dist)
    assert np.array_equal(frame, data.contact.frame)
    assert np.array_equal(geoms, data.contact.geom)
    assert np.array_equal(rows, data.contact.efc_address)
    assert np.array_equal(aref, data.efc_aref)


def test_arrays_move_with_the_engine(engine) -> None:
    """The number of contacts changes, so do the places of all that follows them."""
    model, data = engine
    table = layout.address_table(model, data)
    data.qpos[2] = 1.0
    mujoco.mj_forward(model, data)

    dist, *_, aref = show_contacts(table)

    assert np.array_equal(dist, data.contact.dist)
    assert np.array_equal(aref, data.efc_aref)


def test_what_is_written_reaches_the_engine(engine) -> None:
    model, data = engine

    write_time(layout.address_table(model, data), 12.5)

    assert data.time == 12.5


@pytest.mark.parametrize("struct", ["mjContact", "mjOption", "mjSolverStat"])
def test_sizes_are_multiples_of_their_alignment(struct: str) -> None:
    assert layout.size_of(struct) % ctypes.alignment(ctypes.c_double) == 0


def test_a_contact_is_as_large_as_the_views_step(engine) -> None:
    _, data = engine
    assert data.contact.dist.strides == (layout.CONTACT_SIZE,)


def test_an_engine_laid_out_differently_is_refused(engine, monkeypatch) -> None:
    shifted = layout.offset_of("mjData", "time") + 8
    real = layout.offset_of
    monkeypatch.setattr(
        layout,
        "offset_of",
        lambda struct, field: shifted if field == "time" else real(struct, field),
    )
    data = engine[1]
    data.time = 3.0

    with pytest.raises(GelenkError, match="places other than it says"):
        layout.address_table(*engine)


def test_an_unknown_field_is_named() -> None:
    with pytest.raises(GelenkError, match=r"mjData\.nothing"):
        layout.offset_of("mjData", "nothing")

"""Places of MuJoCo's numbers: a table of addresses that compiled functions read.

MuJoCo describes its own structures (`mujoco.introspect`); from that come the places of
the fields that move or change while it steps. Arrays that stay where they are get their
address from the Python views. Both are checked against each other for every world: a
MuJoCo that is laid out differently is refused, never misread.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import mujoco
import numba
import numpy as np
from mujoco.introspect import ast_nodes, structs
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from gelenk.errors import GelenkError
from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray, IntArray

# pyright: reportPrivateImportUsage=false


def _pointer_to(element: Any) -> Any:
    @intrinsic
    def as_pointer(typing_context: Any, address: Any) -> Any:
        signature = types.CPointer(element)(types.intp)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return signature, generate

    return as_pointer


_floats = _pointer_to(types.float64)
_ints = _pointer_to(types.int32)
_bytes = _pointer_to(types.uint8)
_longs = _pointer_to(types.int64)


@kernel
def floats_at(address: int, rows: int, columns: int) -> Any:
    """Return a (rows, columns) float64 array over the memory at `address`."""
    return numba.carray(_floats(address), (rows, columns))


@kernel
def ints_at(address: int, rows: int, columns: int) -> Any:
    """Return a (rows, columns) int32 array over the memory at `address`."""
    return numba.carray(_ints(address), (rows, columns))


@kernel
def bytes_at(address: int, count: int) -> Any:
    """Return a (count,) uint8 array over the memory at `address`."""
    return numba.carray(_bytes(address), (count,))


@kernel
def address_at(address: int) -> int:
    """Return the pointer stored at `address`."""
    return numba.carray(_longs(address), (1,))[0]


# Rows of the table. Each holds (address, rows, columns) of an array that stays in
# place, or (address of the field, 1, 1) of one that is looked up at every use.
STATE_ARRAYS = (
    *("qpos", "qvel", "qacc", "qacc_warmstart", "qfrc_applied", "qfrc_constraint"),
    *("sensordata", "cvel", "xpos", "xmat", "xipos", "geom_xpos", "subtree_com"),
    *("qfrc_bias", "mocap_pos", "mocap_quat", "eq_active", "xfrc_applied", "act"),
)
MODEL_ARRAYS = (
    *("geom_gap", "geom_margin", "geom_rbound", "body_margin", "geom_bodyid"),
    *("body_rootid", "body_treeid", "body_mass", "geom_priority", "tree_dofadr"),
    *("tree_dofnum", "geom_type", "dof_armature", "dof_damping", "dof_frictionloss"),
    *("body_inertia",),
)
DATA_FIELDS = (
    *("ncon", "nefc", "time", "flg_rnepost", "contact", "efc_aref", "efc_state"),
    *("efc_force",),
)
# fmt: off
(
    QPOS, QVEL, QACC, QACC_WARMSTART, QFRC_APPLIED, QFRC_CONSTRAINT,
    SENSORDATA, CVEL, XPOS, XMAT, XIPOS, GEOM_XPOS, SUBTREE_COM,
    QFRC_BIAS, MOCAP_POS, MOCAP_QUAT, EQ_ACTIVE, XFRC_APPLIED, ACT,
    GEOM_GAP, GEOM_MARGIN, GEOM_RBOUND, BODY_MARGIN, GEOM_BODYID,
    BODY_ROOTID, BODY_TREEID, BODY_MASS, GEOM_PRIORITY, TREE_DOFADR,
    TREE_DOFNUM, GEOM_TYPE, DOF_ARMATURE, DOF_DAMPING, DOF_FRICTIONLOSS,
    BODY_INERTIA,
    NCON, NEFC, TIME, FLG_RNEPOST, CONTACT, EFC_AREF, EFC_STATE,
    EFC_FORCE,
    TIMESTEP, GRAVITY, MODEL, DATA,
) = range(47)
# fmt: on

# Places inside a contact, in units of 8 bytes (floats) and of 4 bytes (ints).
CONTACT_FLOATS = ("dist", "pos", "frame", "friction", "surfacevel")
CONTACT_INTS = ("dim", "geom", "efc_address")

_SIZES: dict[str, Any] = {
    "int": ctypes.c_int32,
    "mjtNum": ctypes.c_double,
    "mjtSize": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uintptr_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
    "mjtBool": ctypes.c_bool,
}


def address_table(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Return the table of addresses for one model and its data, shape (47, 3) int64.

    The caller keeps `model` and `data` alive as long as the table is in use.
    """
    rows = [_array_row(getattr(data, name)) for name in STATE_ARRAYS]
    rows += [_array_row(getattr(model, name)) for name in MODEL_ARRAYS]
    rows += [(data._address + offset_of("mjData", name), 1, 1) for name in DATA_FIELDS]
    option = model._address + offset_of("mjModel", "opt")
    rows += [
        (option + offset_of("mjOption", "timestep"), 1, 1),
        (option + offset_of("mjOption", "gravity"), 1, 3),
        (model._address, 1, 1),
        (data._address, 1, 1),
    ]
    table = np.array(rows, dtype=np.int64)
    _verify(table, model, data)
    return table


def _array_row(array: np.ndarray) -> tuple[int, int, int]:
    rows = array.shape[0]
    columns = int(np.prod(array.shape[1:])) if array.ndim > 1 else 1
    return array.ctypes.data, rows, columns


def _verify(table: np.ndarray, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Compare what the table shows with what MuJoCo's own views show."""
    shown = (
        read_double(table[TIME, 0]) == data.time,
        read_double(table[TIMESTEP, 0]) == model.opt.timestep,
        read_int(table[NCON, 0]) == data.ncon,
        read_int(table[NEFC, 0]) == data.nefc,
        # an empty array has no place: nothing moves in this world
        model.nq == 0
        or _pointer(data._address + offset_of("mjData", "qpos"))
        == data.qpos.ctypes.data,
        _pointer(data._address + offset_of("mjData", "cvel")) == data.cvel.ctypes.data,
        bool(np.all(_doubles(table[GRAVITY, 0], 3) == model.opt.gravity)),
        data.ncon == 0
        or _pointer(int(table[CONTACT, 0])) == data.contact.dist.ctypes.data,
        data.nefc == 0
        or _pointer(int(table[EFC_AREF, 0])) == data.efc_aref.ctypes.data,
    )
    if not all(shown):
        raise GelenkError(
            f"MuJoCo {mujoco.__version__} keeps its data in places other than it says; "
            "install a version that Gelenk knows: pip install 'mujoco>=4.0,<5'"
        )


def read_double(address: int) -> float:
    """Return the float64 at `address`."""
    return ctypes.c_double.from_address(int(address)).value


def read_int(address: int) -> int:
    """Return the int32 at `address`."""
    return ctypes.c_int32.from_address(int(address)).value


def _pointer(address: int) -> int:
    return ctypes.c_size_t.from_address(address).value


def _doubles(address: int, count: int) -> np.ndarray:
    return np.array((ctypes.c_double * count).from_address(int(address)))


# -- the structures ----------------------------------------------------------------


@cache
def offset_of(struct: str, field: str) -> int:
    """Return the place of a field in one of MuJoCo's structures [bytes]."""
    offset = 0
    for name, size, alignment in _fields(struct):
        offset += -offset % alignment
        if name == field:
            return offset
        offset += size
    raise GelenkError(
        f"MuJoCo {mujoco.__version__} has no field {struct}.{field}; install a version "
        "that Gelenk knows: pip install 'mujoco>=4.0,<5'"
    )


@cache
def size_of(struct: str) -> int:
    """Return the size of one of MuJoCo's structures [bytes]."""
    offset = 0
    alignment = 1
    for _, size, own in _fields(struct):
        offset += -offset % own + size
        alignment = max(alignment, own)
    return offset + -offset % alignment


def _fields(struct: str) -> Iterator[tuple[str, int, int]]:
    """Yield name, size and alignment of each field, as far as they are asked for."""
    for field in structs.STRUCTS[struct].fields:
        assert isinstance(field, ast_nodes.StructFieldDecl)
        yield field.name, *_size_and_alignment(field.type)


def _size_and_alignment(kind: Any) -> tuple[int, int]:
    if isinstance(kind, ast_nodes.PointerType):
        return 8, 8
    if isinstance(kind, ast_nodes.ArrayType):
        size, alignment = _size_and_alignment(kind.inner_type)
        return size * int(np.prod(kind.extents)), alignment
    if kind.name in _SIZES:
        size = ctypes.sizeof(_SIZES[kind.name])
        return size, size
    alignment = max(own for _, _, own in _fields(kind.name))
    return size_of(kind.name), alignment


# -- for compiled functions --------------------------------------------------------

CONTACT_SIZE = size_of("mjContact")
DIST, POS, FRAME, FRICTION, SURFACEVEL = (
    offset_of("mjContact", name) // 8 for name in CONTACT_FLOATS
)
DIM, GEOM, EFC_ADDRESS = (offset_of("mjContact", name) // 4 for name in CONTACT_INTS)


SPHERE = int(mujoco.mjtGeom.mjGEOM_SPHERE)
CONE = int(mujoco.mjtConstraintState.mjCNSTRSTATE_CONE)
SATISFIED = int(mujoco.mjtConstraintState.mjCNSTRSTATE_SATISFIED)


@kernel
def array(table: IntArray, field: int) -> FloatArray:
    """Return an array that stays in place, (n, k) float64."""
    return floats_at(table[field, 0], table[field, 1], table[field, 2])


@kernel
def vector(table: IntArray, field: int) -> FloatArray:
    """Return an array of scalars that stays in place, (n,) float64."""
    return floats_at(table[field, 0], table[field, 1] * table[field, 2], 1)[:, 0]


@kernel
def indices(table: IntArray, field: int) -> NDArray[np.int32]:
    """Return an array of indices that stays in place, (n,) int32."""
    return ints_at(table[field, 0], table[field, 1] * table[field, 2], 1)[:, 0]


@kernel
def switches(table: IntArray, field: int) -> ByteArray:
    """Return an array of yes and no that stays in place, (n,) uint8."""
    return bytes_at(table[field, 0], table[field, 1])


@kernel
def scalar(table: IntArray, field: int) -> FloatArray:
    """Return a number of the engine as an array that can be written, (1,) float64."""
    return floats_at(table[field, 0], 1, 1)[0]


@kernel
def count(table: IntArray, field: int) -> int:
    """Return a counter of the engine: NCON or NEFC."""
    return ints_at(table[field, 0], 1, 1)[0, 0]


@kernel
def forget_rne(table: IntArray) -> None:
    """Tell the engine that its accelerations changed since sensors last saw them."""
    bytes_at(table[FLG_RNEPOST, 0], 1)[0] = 0


@kernel
def constraint_rows(table: IntArray, field: int) -> FloatArray:
    """Return one number per constraint row of this moment, (nefc,) float64."""
    return floats_at(address_at(table[field, 0]), count(table, NEFC), 1)[:, 0]


@kernel
def constraint_states(table: IntArray) -> NDArray[np.int32]:
    """Return the state of each constraint row of this moment, (nefc,) int32."""
    return ints_at(address_at(table[EFC_STATE, 0]), count(table, NEFC), 1)[:, 0]


@kernel
def contact_floats(table: IntArray) -> FloatArray:
    """Return the contacts of this moment as rows of floats; columns DIST, POS, ..."""
    rows = count(table, NCON)
    return floats_at(address_at(table[CONTACT, 0]), rows, CONTACT_SIZE // 8)


@kernel
def contact_ints(table: IntArray) -> NDArray[np.int32]:
    """Return the contacts of this moment as rows of ints; columns DIM, GEOM, ..."""
    rows = count(table, NCON)
    return ints_at(address_at(table[CONTACT, 0]), rows, CONTACT_SIZE // 4)


def _load_library() -> None:
    folder = Path(mujoco.__file__).parent
    patterns = ("libmujoco.so*", "libmujoco*.dylib", "mujoco*.dll")
    found = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    if not found:
        raise GelenkError(
            f"found no MuJoCo library in {folder}; install it again: "
            "pip install --force-reinstall mujoco"
        )
    llvm.load_library_permanently(str(found[0]))


_load_library()

_address, _number = types.intp, types.int32
_stage = types.void(_address, _address)  # (model, data)
_jacobian = types.void(*(_address,) * 5, _number)

mj_step = types.ExternalFunction("mj_step", _stage)
mj_step1 = types.ExternalFunction("mj_step1", _stage)
mj_step2 = types.ExternalFunction("mj_step2", _stage)
mj_kinematics = types.ExternalFunction("mj_kinematics", _stage)
mj_com_pos = types.ExternalFunction("mj_comPos", _stage)
mj_com_vel = types.ExternalFunction("mj_comVel", _stage)
mj_fwd_actuation = types.ExternalFunction("mj_fwdActuation", _stage)
mj_fwd_acceleration = types.ExternalFunction("mj_fwdAcceleration", _stage)
mj_fwd_constraint = types.ExternalFunction("mj_fwdConstraint", _stage)
mj_sensor_acc = types.ExternalFunction("mj_sensorAcc", _stage)
mj_implicit = types.ExternalFunction("mj_implicit", _stage)
mj_reference_constraint = types.ExternalFunction("mj_referenceConstraint", _stage)

# (model, data, result, vector): J times a vector of the dofs, one number per row.
mj_mul_jac_vec = types.ExternalFunction("mj_mulJacVec", types.void(*(_address,) * 4))
# (model, data, x, y, n): x = M^-1 y for n vectors of the dofs.
mj_solve_m = types.ExternalFunction("mj_solveM", types.void(*(_address,) * 4, _number))
# (model, data, 3 x nv of translation, 3 x nv of rotation, point, body)
mj_jac = types.ExternalFunction("mj_jac", _jacobian)

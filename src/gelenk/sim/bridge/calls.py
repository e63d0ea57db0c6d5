"""MuJoCo's own functions, callable from compiled code without passing through Python.

The library that the `mujoco` package loaded is made known to the compiler's linker;
the functions below are its symbols. Arguments are addresses: those of the model and of
the data stand in the table of `layout`, arrays give theirs by `.ctypes.data`.
"""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import mujoco
from numba import types

from gelenk.errors import GelenkError


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

mj_step1 = types.ExternalFunction("mj_step1", _stage)
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

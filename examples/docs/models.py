"""Robots from files, from Denavit-Hartenberg rows, from parts, and back to files."""

import tempfile
from pathlib import Path

import numpy as np

import gelenk
from gelenk.errors import FileFormatError

folder = Path(tempfile.mkdtemp())

# --8<-- [start:file]
URDF = """
<robot name="lever">
  <link name="base"/>
  <link name="arm">
    <inertial><origin xyz="0.25 0 0"/><mass value="1.5"/>
      <inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="revolute">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="20" velocity="3"/>
  </joint>
</robot>
"""
path = folder / "lever.urdf"
path.write_text(URDF)

lever = gelenk.load(path)
print(lever)
print(
    "torque that holds it level [N m]:", lever.inverse_dynamics([0], [0], [0]).round(3)
)
# --8<-- [end:file]

# --8<-- [start:broken]
path.write_text(URDF.replace('<mass value="1.5"/>', '<mass value="-1.5"/>'))
try:
    gelenk.load(path)
except FileFormatError as error:
    print(f"line {error.line}:", str(error).split(": ", 1)[1][:40], "...")
# --8<-- [end:broken]

# --8<-- [start:dh]
from gelenk.models.dh import DhRow, model_from_dh  # noqa: E402

scara = model_from_dh(
    [
        #      theta  d [m]  a [m]  alpha [rad]
        DhRow(0.0, 0.4, 0.3, 0.0),
        DhRow(0.0, 0.0, 0.25, np.pi),
        DhRow(0.0, 0.1, 0.0, 0.0, "P"),
    ],
    name="my_scara",
)
print(scara.forward([0.2, 0.4, 0.05])[:3, 3].round(4))
# --8<-- [end:dh]

# --8<-- [start:parts]
from gelenk.models.parts.assembly import Assembly  # noqa: E402

crane = Assembly()
(
    crane.servo("waist")
    .segment((0.0, 0.0, 0.5), "mast", mass=8.0)
    .servo("shoulder", axis="xz", limits=(-0.5, 1.2))
    .segment(0.6, "boom", mass=3.0)
    .gripper_mount("hook")
)
arm = crane.build("crane")
print(arm)
print("hook at [m]:", arm.forward([0.0, 0.5])[:3, 3].round(3))
# --8<-- [end:parts]

# --8<-- [start:save]
from gelenk.models.urdf_write import save_urdf  # noqa: E402

save_urdf(arm, folder / "crane.urdf")
same = gelenk.load(folder / "crane.urdf")
q = [0.3, 0.7]
print("the same hook:", bool(np.allclose(same.forward(q), arm.forward(q), atol=1e-12)))
# --8<-- [end:save]

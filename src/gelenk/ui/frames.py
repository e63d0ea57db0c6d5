"""Binary frames: everything that moves, at one moment.

    offset  type         what
    0       4 bytes      "GLF1"
    4       uint32       scene number
    8       float64      simulated time [s]
    16      uint32       physics tick
    20      uint32       flags: 1 = asked for by `get_frame`, not live
    24      uint32       n, number of bodies
    28      uint32       m, number of joints
    32      uint32       c, number of contacts
    36      uint32       b, number of belts
    40      float32      n x 7: x, y, z [m], qw, qx, qy, qz
    ...     float32      m: joint values [rad], [m]
    ...     float32      m: joint speeds as a share of the top speed, signed
    ...     float32      c x 6: point [m], force [N]
    ...     float32      b: how far belts have run along themselves [m]

Little endian. The order of bodies, joints and belts is that of `messages.Scene`.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray

MAGIC = b"GLF1"
HEADER = struct.Struct("<4sIdIIIIII")
ASKED = 1  # flag


class Frame(NamedTuple):
    """Everything that moves.

    Attributes:
        scene: Number of the scene.
        time: Simulated time [s].
        tick: Physics tick.
        poses: Bodies: x, y, z, qw, qx, qy, qz, shape (n, 7).
        values: Joints [rad], [m], shape (m,).
        shares: Their speeds as a share of the top speed, shape (m,).
        contacts: Points and forces, shape (c, 6).
        travels: Distances that belts have run [m], shape (b,).
    """

    scene: int
    time: float
    tick: int
    poses: FloatArray
    values: FloatArray
    shares: FloatArray
    contacts: FloatArray
    travels: FloatArray = np.zeros(0)


def pack_frame(frame: Frame, *, flags: int = 0) -> bytes:
    """Return the bytes of a frame."""
    header = HEADER.pack(
        MAGIC,
        frame.scene,
        frame.time,
        frame.tick,
        flags,
        len(frame.poses),
        len(frame.values),
        len(frame.contacts),
        len(frame.travels),
    )
    arrays = (
        frame.poses,
        frame.values,
        frame.shares,
        frame.contacts,
        frame.travels,
    )
    return header + b"".join(np.asarray(a, dtype="<f4").tobytes() for a in arrays)


def unpack_frame(data: bytes) -> tuple[Frame, int]:
    """Return the frame and its flags.

    Raises:
        ConfigError: If the bytes are no frame.
    """
    if len(data) < HEADER.size or data[:4] != MAGIC:
        raise ConfigError(f"expected a frame that begins with {MAGIC!r}")
    _, scene, time, tick, flags, n, m, c, b = HEADER.unpack_from(data)
    floats = np.frombuffer(data, dtype="<f4", offset=HEADER.size).astype(np.float64)
    if len(floats) != 7 * n + 2 * m + 6 * c + b:
        raise ConfigError(f"a frame of {n} bodies has {len(floats)} numbers")
    poses, values, shares, contacts, travels = np.split(
        floats, np.cumsum([7 * n, m, m, 6 * c], dtype=int)
    )
    frame = Frame(
        scene,
        time,
        tick,
        poses.reshape(n, 7),
        values,
        shares,
        contacts.reshape(c, 6),
        travels,
    )
    return frame, flags

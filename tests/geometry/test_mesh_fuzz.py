"""Damaged mesh files are read or refused, never anything else, and quickly."""

from __future__ import annotations

import random
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import mesh_samples as samples
from gelenk.errors import FileFormatError
from gelenk.geometry import read_mesh

BOUND = 4.0  # [s] for a file of 1 kB on a loaded machine; usual: 2 ms
NUMBERS = (b"0", b"-1", b"1e308", b"4294967295", b"99999999999", b"nan", b"1e-320", b"")


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a file with one to four faults of those that happen, or that are made."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at, length = rng.randrange(len(out) + 1), rng.randint(1, 12)
        match rng.randrange(7):
            case 0 if out:
                out[at % len(out)] ^= 1 << rng.randrange(8)
            case 1:
                del out[at:]
            case 2:
                del out[at : at + length]
            case 3:
                out[at:at] = out[at : at + length] * rng.randint(1, 30)
            case 4:
                out[at : at + 4] = rng.choice((b"\xff" * 4, b"\0" * 4, b"\x7f" * 4))
            case 5:
                out[at:at] = rng.randbytes(length)
            case _:
                digits = [i for i, byte in enumerate(out) if 48 <= byte <= 57]
                if digits:
                    k = rng.choice(digits)
                    out[k : k + 1] = rng.choice(NUMBERS)
    return bytes(out)


def read_or_refuse(path: Path, data: bytes) -> bool:
    path.write_bytes(data)
    mesh, refusal = None, ""
    start = time.perf_counter()
    try:
        mesh = read_mesh(path, max_faces=100_000)
    except FileFormatError as error:
        refusal = str(error)
    assert time.perf_counter() - start < BOUND
    if mesh is None:
        assert path.name in refusal
        return False
    assert np.isfinite(mesh.vertices).all()
    assert mesh.faces.min() >= 0
    assert mesh.faces.max() < len(mesh.vertices)
    for array in (mesh.normals, mesh.face_colors, mesh.uv):
        assert array is None or np.isfinite(array).all()
    return True


def fuzz(folder: Path, count: int, seed: int) -> int:
    rng = random.Random(seed)
    names = list(samples.FILES)
    readable = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        (folder / "paint.mtl").write_bytes(samples.MTL)
        files = {**samples.FILES, "paint.obj": samples.obj("paint.mtl")}
        for i in range(count):
            name = names[i % len(names)]
            readable += read_or_refuse(folder / name, mutated(files[name], rng))
            if i % 10 == 0:
                (folder / "paint.mtl").write_bytes(mutated(samples.MTL, rng))
                assert read_or_refuse(folder / "paint.obj", files["paint.obj"])
    return readable


def test_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    assert 0 < fuzz(tmp_path, 200, seed=1) < 200


@pytest.mark.slow
def test_thousands_of_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    assert 500 < fuzz(tmp_path, 6000, seed=2) < 5500

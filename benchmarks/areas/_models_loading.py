"""Time until a robot and all its meshes are there: first time, and again."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.areas._models_files import load_quietly
from benchmarks.areas._robot_files import MISSING, mjcf_files, urdf_files
from benchmarks.harness import Row, Settings

_NAMES = ("fr3", "panda", "franka")  # asked for first
_MESHES = 20


def loading_time(settings: Settings) -> list[Row]:
    """Computing time of a fresh process for a robot with about 20 mesh files."""
    names = (
        "loading a robot with 20 meshes, nothing kept of it, CPU time",
        "the same in a new process, meshes on disk, CPU time",
    )
    found = _find()
    if found is None:
        return [Row(name=n, value=None, unit="s", note=MISSING) for n in names]
    path, meshes = found
    cold: list[dict[str, float]] = []
    again: list[dict[str, float]] = []
    for _ in range(settings.pick(5, 2)):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(_measure(path, folder))
            again.append(_measure(path, folder))
    rows: list[Row] = []
    for name, times, target in zip(names, (cold, again), (3.0, 0.3), strict=True):
        middle = {key: float(np.median([t[key] for t in times])) for key in times[0]}
        note = (
            f"{path.parent.name}/{path.name}, {meshes} mesh files, "
            f"{middle['faces']:.0f} triangles; the file alone {middle['file']:.2f} s; "
            f"besides {middle['imports']:.2f} s for Python and imports; a "
            f"picture after that {middle['image']:.2f} s"
        )
        rows.append(
            Row(name=name, value=middle["loading"], unit="s", target=target, note=note)
        )
    return rows


def _find() -> tuple[Path, int] | None:
    """Return the robot whose number of mesh files is nearest to 20, arms first."""
    best: tuple[tuple[bool, int], Path, int] | None = None
    for path in [*urdf_files(1), *mjcf_files()]:
        if not any(name in path.stem for name in _NAMES):
            continue
        model, _ = load_quietly(path)
        shapes = () if model is None else (s for row in model.geometry for s in row)
        meshes = len({shape.path for shape in shapes if shape.path is not None})
        key = (meshes < _MESHES // 2, abs(meshes - _MESHES))
        if meshes and (best is None or key < best[0]):
            best = key, path, meshes
    return None if best is None else best[1:]


def _measure(path: Path, folder: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(path), folder],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def _load(path: str, folder: str) -> dict[str, float]:
    """Return the computing time of the steps [s]; meshes are kept in `folder`."""
    import gelenk
    from gelenk.models import loader as loader
    from gelenk.models.picture import robot_image
    from gelenk.models.shapes import load_shapes, mesh_of

    cache: Any = importlib.import_module("gelenk.geometry._mesh_cache")
    warnings.simplefilter("ignore")
    cache.cache_folder = lambda: Path(folder)  # compiled kernels stay where they are
    imported = time.process_time()
    model = gelenk.load(path)
    read = time.process_time()
    shapes = [shape for row in model.geometry for shape in row]
    load_shapes(shapes)
    meshes = [mesh_of(shape) for shape in shapes]
    loaded = time.process_time()
    robot_image(model)
    return {
        "imports": imported,  # since the process began
        "file": read - imported,
        "loading": loaded - imported,
        "image": time.process_time() - loaded,
        "faces": float(sum(len(mesh.faces) for mesh in meshes if mesh is not None)),
    }


if __name__ == "__main__":
    print(json.dumps(_load(*sys.argv[1:])))

"""Damaged robot and mesh files: crashes, hangs, memory.

A process of its own reads them, so that a crash is counted and not suffered. It works
in a copy of a robot's folder, so that the damaged file finds its meshes, and the
damaged mesh its robot.
"""

from __future__ import annotations

import importlib
import json
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.areas._robot_files import MISSING, mjcf_files, urdf_files
from benchmarks.harness import Row, Settings

COUNT, QUICK = 20_000, 500
LIMIT = 5.0  # [s] of computing time for one file
_STUCK = 120.0  # [s] after which a process that does not compute is stopped
_MEMORY = 6 * 1024**3  # [byte]: what the process may ask for, so that others live
_MESHES = (".stl", ".obj", ".dae", ".ply", ".glb", ".gltf", ".mtl")
_MAX_FILE, _MAX_FOLDER = 400_000, 12_000_000  # [byte]
_WORDS = (
    b"", b"0", b"-1", b"nan", b"inf", b"1e308", b"1e-320", b"4294967295", b"1e400",
    b"99999999999", b"0 0 0", b"../../x", b"true", b"\xff\xfe", b"0x1p3", b"1,5",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sample:
    """A whole file and the folder it needs."""

    file: Path
    folder: Path


@dataclass(slots=True)
class Tally:
    """What became of the damaged files."""

    read: int = 0
    refused: int = 0
    crashes: list[str] = field(default_factory=list[str])
    hangs: list[str] = field(default_factory=list[str])
    memory: int = 0  # [byte]
    slowest: float = 0.0  # [s]


def damaged_files(settings: Settings) -> list[Row]:
    """Crashes, hangs and memory over mutated URDF, MJCF and mesh files."""
    count = settings.pick(COUNT, QUICK)
    names = (
        "mutated files that end in anything but a robot or GelenkError",
        f"mutated files that take more than {LIMIT:g} s",
        "memory of the process that reads them",
    )
    samples = find_samples(int(settings.rng().integers(1 << 30)))
    if not samples:
        units = ("files", "files", "MB")
        return [
            Row(name=n, value=None, unit=u, note=MISSING)
            for n, u in zip(names, units, strict=True)
        ]
    tally = read_damaged(samples, count, settings.seed, settings.tell)
    note = (
        f"{count} mutations of {len(samples)} files (URDF, MJCF, meshes), {tally.read} "
        f"still read, {tally.refused} refused"
    )
    return [
        Row(
            name=names[0],
            value=float(len(tally.crashes)),
            unit="files",
            target=0.0,
            note="; ".join([note, *tally.crashes[:5]]),
        ),
        Row(
            name=names[1],
            value=float(len(tally.hangs)),
            unit="files",
            target=0.0,
            note="; ".join([f"slowest {tally.slowest:.2f} s", *tally.hangs[:5]]),
        ),
        Row(
            name=names[2],
            value=tally.memory / 1e6,
            unit="MB",
            target=1000.0,
            note="largest resident size, MuJoCo and compiled kernels included",
        ),
    ]


def find_samples(seed: int, most: int = 40) -> list[Sample]:
    """Return small URDF, MJCF and mesh files, about `most` of each kind."""
    rng = random.Random(seed)
    out: list[Sample] = []
    for files, depth in ((urdf_files(3), 1), (mjcf_files(), 0)):
        files = [path for path in files if path.stat().st_size < _MAX_FILE]
        found: list[Sample] = []
        for path in rng.sample(files, len(files)):
            folder = path.parents[depth]
            if len(found) < most and _size(folder) < _MAX_FOLDER:
                found.append(Sample(path, folder))
        out += found
        for suffix in _MESHES:
            meshes = sorted(
                {
                    mesh
                    for sample in found
                    for mesh in sample.folder.rglob("*")
                    if mesh.suffix.lower() == suffix
                    and 0 < mesh.stat().st_size < _MAX_FILE
                }
            )
            for mesh in rng.sample(meshes, min(len(meshes), max(1, most // 6))):
                out.append(Sample(mesh, mesh.parent))
    return out


def _size(folder: Path) -> int:
    total = 0
    for count, path in enumerate(folder.rglob("*")):
        total += path.stat().st_size if path.is_file() else 0
        if total > _MAX_FOLDER or count > 2000:
            return _MAX_FOLDER + 1
    return total


def read_damaged(
    samples: list[Sample], count: int, seed: int, tell: Callable[[str], None]
) -> Tally:
    """Return what becomes of damaged copies of files, read by other processes.

    Args:
        samples: Whole files.
        count: Number of damaged files.
        seed: Seed of the damage.
        tell: Takes words about the progress.
    """
    tally = Tally()
    begin = 0
    with tempfile.TemporaryDirectory() as name:
        plan = Path(name) / "plan.json"
        plan.write_text(json.dumps([[str(s.file), str(s.folder)] for s in samples]))
        while begin < count:
            begin = _run_reader(plan, begin, count, seed, tally, tell) + 1
    return tally


def _run_reader(
    plan: Path,
    begin: int,
    count: int,
    seed: int,
    tally: Tally,
    tell: Callable[[str], None],
) -> int:
    """Read files from number `begin` on; return the number of the last one read."""
    command = [sys.executable, "-m", __name__, str(plan), str(begin), str(count)]
    reader = subprocess.Popen(
        [*command, str(seed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert reader.stdout is not None
    last, label = begin - 1, ""
    for line in reader.stdout:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "begin":
            number, _, label = rest.partition(" ")
            last = int(number)
            if last % 1000 == 0:
                tell(f"{last} of {count} damaged files")
        elif word in ("read", "refused", "crash"):
            seconds, size, text = rest.split(" ", 2)
            tally.slowest = max(tally.slowest, float(seconds))
            tally.memory = max(tally.memory, int(size))
            tally.read += word == "read"
            tally.refused += word == "refused"
            if word == "crash":
                tally.crashes.append(f"#{last} {label}: {text}")
            label = ""
    code = reader.wait()
    reader.stdout.close()
    if label:
        stopped = -code in (signal.SIGPROF, signal.SIGALRM)
        found = tally.hangs if stopped else tally.crashes
        found.append(f"#{last} {label}: process ended with {code}")
    elif code and last < count - 1:
        raise RuntimeError(f"the reader of damaged files ended with {code}")
    return last


def _read_all(plan: Path, begin: int, count: int, seed: int) -> None:
    """Read damaged files one after the other, and print what becomes of each."""
    cache: Any = importlib.import_module("gelenk.geometry._mesh_cache")

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    samples = [Sample(Path(a), Path(b)) for a, b in json.loads(plan.read_text())]
    with tempfile.TemporaryDirectory() as name:
        shelf = Path(name)
        cache.cache_folder = lambda: shelf / "kept"  # damaged meshes are not the user's
        _warm_up(samples, shelf)
        for number in range(begin, count):
            rng = random.Random(f"{seed} {number}")
            sample = rng.choice(samples)
            home = _copy(sample, shelf)
            path = home / sample.file.relative_to(sample.folder)
            whole = sample.file.read_bytes()
            path.write_bytes(mutated(whole, rng))
            print(f"begin {number} {sample.file.name}", flush=True)
            _read_one(path)
            path.write_bytes(whole)


def _copy(sample: Sample, shelf: Path) -> Path:
    """Return a copy of the folder of a file, made once."""
    home = shelf / re.sub(r"\W", "_", str(sample.folder)) / sample.folder.name
    if not home.exists():
        shutil.copytree(sample.folder, home, ignore_dangling_symlinks=True)
        for path in (home, *home.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    return home


def _warm_up(samples: list[Sample], shelf: Path) -> None:
    """Read every whole file once, so that no compiling of kernels is timed."""
    for sample in samples:
        _try(_copy(sample, shelf) / sample.file.relative_to(sample.folder))


def _read_one(path: Path) -> None:
    """Read a file within the limits; print how it ended."""
    for kind, timer, limit in (
        (signal.SIGPROF, signal.ITIMER_PROF, LIMIT),
        (signal.SIGALRM, signal.ITIMER_REAL, _STUCK),
    ):
        signal.signal(kind, signal.SIG_DFL)  # ends the process, whatever it does
        signal.setitimer(timer, limit)
    began = time.process_time()
    word, text = _try(path)
    seconds = time.process_time() - began
    for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL):
        signal.setitimer(timer, 0.0)
    print(f"{word} {seconds:.3f} {_memory()} {text}", flush=True)


def _memory() -> int:
    """Return the largest resident size of this process [byte]."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage also counts the process that started this one
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
        if found:
            return int(found[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _try(path: Path) -> tuple[str, str]:
    """Read a file and use what comes out; return "read", "refused" or "crash"."""
    from gelenk.errors import GelenkError

    try:
        if path.suffix.lower() in (".urdf", ".xml"):
            _use_robot(path)
        else:
            _use_mesh(path)
    except GelenkError:
        return "refused", ""
    except Exception as error:
        return "crash", f"{type(error).__name__}: {error}".replace("\n", " ")[:150]
    return "read", ""


def _use_robot(path: Path) -> None:
    import gelenk
    from gelenk.kinematics.forward import link_poses
    from gelenk.models.shapes import mesh_of

    model = gelenk.load(path)
    link_poses(model, model.home_configuration)
    for shapes in model.geometry:
        for shape in shapes:
            mesh_of(shape)


def _use_mesh(path: Path) -> None:
    from gelenk.geometry import convex_hull, mass_properties, read_mesh

    if path.suffix.lower() == ".mtl":
        users = sorted(path.parent.glob("*.obj"))
        path = path.with_suffix(".obj") if not users else users[0]
    mesh = read_mesh(path)
    convex_hull(mesh)
    mass_properties(mesh)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return a file after one to four pieces of damage, such of its words if it has."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        is_tree = b"</" in data[-200:] and rng.random() < 0.7
        data = rng.choice(_IN_TREES if is_tree else _DAMAGES)(data, rng)
    return data


def _flip(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 8, 64))):
        if out:
            out[_place(out, rng)] ^= 1 << rng.randrange(8)
    return bytes(out)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _delete(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at + rng.choice((1, 4, 40, 400)) :]


def _double(data: bytes, rng: random.Random) -> bytes:
    at, length = _place(data, rng), rng.choice((1, 12, 120, 2000))
    return data[:at] + data[at : at + length] * rng.randint(1, 30) + data[at:]


def _move(data: bytes, rng: random.Random) -> bytes:
    a, b, length = _place(data, rng), _place(data, rng), rng.choice((4, 50, 800))
    return data[:b] + data[a : a + length] + data[b:]


def _overwrite(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    word = rng.choice((b"\xff" * 4, b"\0" * 4, b"\x7f" * 4, rng.randbytes(4)))
    return data[:at] + word + data[at + 4 :]


def _change_number(data: bytes, rng: random.Random) -> bytes:
    return _change(data, rng, rb"-?\d[\d.eE+-]*")


def _change_text(data: bytes, rng: random.Random) -> bytes:
    return _change(data, rng, rb'"[^"<>]{0,80}"', b'"%b"')


def _change_name(data: bytes, rng: random.Random) -> bytes:
    return _change(data, rng, rb"</?\w+|\w+=", b"%b ")


def _change_element(data: bytes, rng: random.Random) -> bytes:
    return _change(data, rng, rb"<\w[^<>]*/>")


def _change(
    data: bytes, rng: random.Random, pattern: bytes, frame: bytes = b"%b"
) -> bytes:
    """Replace one match by another match, or by an odd word."""
    start = rng.randrange(max(len(data) - 4000, 1))
    found = list(re.finditer(pattern, data[start : start + 8000]))
    if not found:
        return data
    item, other = rng.choice(found), rng.choice(found).group()
    word = other if rng.random() < 0.4 else frame % rng.choice(_WORDS)
    return data[: start + item.start()] + word + data[start + item.end() :]


def _place(data: bytes | bytearray, rng: random.Random) -> int:
    """Return a place, in every second case near the begin, where the heads are."""
    span = len(data) if rng.random() < 0.5 else min(len(data), 200)
    return rng.randrange(max(span, 1))


_DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip, _cut, _delete, _double, _move, _overwrite,
    _change_number, _change_number, _change_text, _change_text, _change_name,
)  # fmt: skip
_IN_TREES = (_change_number, _change_text, _change_element)


if __name__ == "__main__":
    _read_all(Path(sys.argv[1]), *(int(word) for word in sys.argv[2:]))

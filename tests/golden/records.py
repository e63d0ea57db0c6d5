"""What a golden record is, how its values are kept, and how two of them are compared.

A record is a named computation. It returns bits, which are equal only if every bit of
the result is, and figures, which are also compared between different machines.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.registry import cpu_target

from gelenk.sim.cameras.gl import RenderError, describe_renderer

FOLDER = Path(__file__).resolve().parent / "values"
PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "mujoco")


@dataclass(frozen=True)
class Figure:
    """A number that another machine must find as well.

    Attributes:
        value: What was found.
        within: Largest difference between two machines.
    """

    value: float
    within: float


@dataclass(frozen=True)
class Found:
    """Result of a record.

    Attributes:
        bits: Digests and texts that are the same only on the same kind of machine.
        figures: Numbers that are the same everywhere within their tolerance.
    """

    bits: Mapping[str, str]
    figures: Mapping[str, Figure] = field(default_factory=dict)


Record = Callable[[], Found]


def digest(*parts: Any) -> str:
    """Return a digest of arrays, numbers and texts, equal only if every bit is."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            total.update(part.encode())
        else:
            array = np.ascontiguousarray(part)
            kind = np.float64 if array.dtype.kind == "f" else np.int64
            array = array.astype(kind)
            total.update(f"{array.dtype.kind}{array.shape}".encode())
            total.update(array.tobytes())
    return total.hexdigest()[:32]


def figure(value: Any, *, absolute: float = 0.0, relative: float = 0.0) -> Figure:
    """Return a figure; without a tolerance it must be the same everywhere."""
    number = float(value)
    return Figure(number, absolute + relative * abs(number))


@cache
def fingerprint(*, draws: bool) -> dict[str, str]:
    """Return what bits depend on: processor, C library, versions, graphics driver.

    Args:
        draws: Whether results depend on images that the graphics driver draws.
    """
    found = {
        "cpu": _processor(),
        "code": digest(repr(cpu_target.target_context.codegen().magic_tuple())),
        "os": " ".join([platform.system(), *platform.libc_ver()]).strip(),
        "python": platform.python_version(),
    }
    found |= {name: version(name) for name in PACKAGES}
    return found | {"renderer": _renderer()} if draws else found


def _renderer() -> str:
    try:
        return describe_renderer()
    except RenderError:
        return "none"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def read_values(area: str) -> dict[str, Any]:
    """Return the kept values of an area; none if there is no file."""
    path = FOLDER / f"{area}.json"
    if not path.is_file():
        return {"fingerprint": {}, "records": {}}
    return json.loads(path.read_text(encoding="utf-8"))


def write_values(area: str, found: Mapping[str, Found], *, draws: bool) -> Path:
    """Keep the values of an area in place of the former ones."""
    path = FOLDER / f"{area}.json"
    text = json.dumps(
        {
            "fingerprint": fingerprint(draws=draws),
            "records": {name: as_plain(item) for name, item in found.items()},
        },
        indent=1,
    )
    FOLDER.mkdir(exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def as_plain(found: Found) -> dict[str, dict[str, Any]]:
    """Return what is kept of a result; numbers that JSON lacks become texts."""
    return {
        "bits": dict(found.bits),
        "figures": {name: _plain(item.value) for name, item in found.figures.items()},
    }


def _plain(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def differences(
    found: Found, kept: Mapping[str, Mapping[str, Any]], *, is_same_machine: bool
) -> Iterator[str]:
    """Yield a line for each field that is not as it was kept.

    Args:
        found: Result of now.
        kept: What `as_plain` gave then.
        is_same_machine: Whether every bit must agree, or only figures nearly.
    """
    now = as_plain(found)
    for part in ("bits", "figures"):
        for name in sorted(set(now[part]) | set(kept[part])):
            expected = kept[part].get(name, "nothing")
            got = now[part].get(name, "nothing")
            if expected == got or (part == "bits" and not is_same_machine):
                continue
            if not is_same_machine and _is_near(found.figures.get(name), expected):
                continue
            yield f"{name}: expected {expected}, got {got}"


def _is_near(found: Figure | None, expected: Any) -> bool:
    if found is None or expected == "nothing":
        return False
    return abs(found.value - float(expected)) <= found.within

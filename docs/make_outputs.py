"""Write what the documentation's examples print, section by section, beside them.

Usage:
    python docs/make_outputs.py
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
START = re.compile(r"# --8<-- \[start:(\w+)\]")


def printed_by(path: Path) -> str:
    """Return what an example prints, each section between its marks."""
    pieces = START.split(path.read_text(encoding="utf-8"))
    # Types look their annotations up in their module, so there must be one.
    module, ours = ModuleType("__main__"), sys.modules["__main__"]
    module.__file__ = str(path)
    sys.modules["__main__"] = module
    try:
        parts = [_printed(pieces[0], path, vars(module))]
        for name, code in zip(pieces[1::2], pieces[2::2], strict=True):
            text = _printed(code, path, vars(module))
            parts.append(f"--8<-- [start:{name}]\n{text}--8<-- [end:{name}]\n")
    finally:
        sys.modules["__main__"] = ours
    return "".join(parts)


def _printed(code: str, path: Path, namespace: dict[str, object]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, str(path), "exec", dont_inherit=True), namespace)
    return out.getvalue()


def main() -> None:
    """Write the texts of all examples under examples/docs."""
    for path in sorted((ROOT / "examples" / "docs").glob("*.py")):
        path.with_suffix(".out").write_text(printed_by(path), encoding="utf-8")
        print(path.with_suffix(".out").relative_to(ROOT))


if __name__ == "__main__":
    main()

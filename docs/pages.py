"""Code of the documentation: read, run page by page, printed texts written anew.

A page carries its code in itself. Its Python blocks run in order, in one process, in an
empty folder; a text block that directly follows one is what it prints.

Usage:
    python docs/pages.py [PAGE.md ...]    write the printed texts anew
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<text>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)
# Files that a page asks its reader to write: "`first.env`:" before a block.
FILE = re.compile(
    r"^`(?P<name>[\w.-]+\.\w+)`[^\n]*:\n\n```\w+\n(?P<text>.*?)^```\n",
    re.DOTALL | re.MULTILINE,
)
RUNNER = """
import contextlib, io, json, pathlib, sys
blocks = json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8"))
names = vars(sys.modules["__main__"])
printed = []
for number, block in enumerate(blocks, 1):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(block, f"block {number}", "exec", dont_inherit=True), names)
    printed.append(out.getvalue())
pathlib.Path(sys.argv[2]).write_text(json.dumps(printed), "utf-8")
"""


@dataclass(frozen=True)
class Block:
    """Python block of a page.

    Attributes:
        code: Text of the block.
        text: Printed text that the page shows for it, None where it shows none.
    """

    code: str
    text: str | None


def pages() -> list[Path]:
    """Return the README and the pages of the documentation that have Python blocks."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [path for path in found if blocks(path)]


def blocks(page: Path) -> list[Block]:
    """Return the Python blocks of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    return [Block(found["code"], found["text"]) for found in FENCE.finditer(text)]


def run(page: Path, folder: Path) -> list[str]:
    """Return what each block of a page prints when it is pasted in an empty folder.

    Raises:
        RuntimeError: If a block fails; the message has its traceback.
    """
    text = page.read_text(encoding="utf-8")
    work = folder / "work"
    work.mkdir()
    for found in FILE.finditer(text):
        (work / found["name"]).write_text(found["text"], encoding="utf-8")
    script, given, taken = (folder / name for name in ("run.py", "in.json", "out.json"))
    script.write_text(RUNNER, encoding="utf-8")
    code = [block.code for block in blocks(page)]
    given.write_text(json.dumps(code), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), str(given), str(taken)],
        cwd=work,
        env=os.environ | {"MPLBACKEND": "Agg"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{page.name}: {done.stderr[-3000:]}")
    return json.loads(taken.read_text(encoding="utf-8"))


def rewrite(page: Path) -> bool:
    """Write the printed texts of a page anew; return whether it changed."""
    with tempfile.TemporaryDirectory() as folder:
        printed = iter(run(page, Path(folder)))

    def put(found: re.Match[str]) -> str:
        new = next(printed)
        if found["text"] is None:
            return found[0]
        return f"```python\n{found['code']}```\n\n```text\n{new}```\n"

    text = page.read_text(encoding="utf-8")
    changed = FENCE.sub(put, text)
    page.write_text(changed, encoding="utf-8")
    return changed != text


def main() -> None:
    """Write the printed texts of the named pages anew, or of all."""
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        print(page.relative_to(ROOT), "changed" if rewrite(page) else "as it was")


if __name__ == "__main__":
    main()

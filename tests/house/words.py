"""Half sentences and riddles in docstrings, found with file and line.

A description of an argument is a noun phrase that stands alone in a tooltip: "Radius of
the spheres [m].", not "Of the spheres [m].". The head of a module or class names its
subject: not "What is round but no ball".

Usage:
    python tests/house/words.py    list what is found; exit code 1 if it is anything
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "gelenk"
# Packages whose words are still to be mended. This list only shrinks.
ALLOWED = ("robots/amee", "robots/armbot", "robots/nao", "robots/piggy", "course")

QUESTIONS = frozenset(
    ["how", "what", "when", "where", "which", "who", "whom", "whose", "why"]
)
JOINTS = frozenset(
    [
        "about",
        "above",
        "after",
        "and",
        "are",
        "as",
        "at",
        "because",
        "before",
        "below",
        "between",
        "beyond",
        "but",
        "by",
        "for",
        "from",
        "has",
        "have",
        "if",
        "in",
        "into",
        "is",
        "near",
        "of",
        "on",
        "or",
        "since",
        "so",
        "than",
        "that",
        "to",
        "under",
        "until",
        "up",
        "with",
        "without",
    ]
)
SECTION = re.compile(r"^(\s*)(Args|Attributes):\s*$")


def half_sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every description that does not stand alone."""
    for node, text in _docstrings(tree):
        indent = None
        for number, line in enumerate(text.split("\n")):
            if found := SECTION.match(line):
                indent = len(found[1])
                continue
            if indent is None or not line.strip():
                continue
            depth = len(line) - len(line.lstrip())
            if depth <= indent:
                indent = None
            elif (
                depth == indent + 4
                and (item := re.match(r"\s*[*\w, ]+: +(.*)", line))
                and _first_word(item[1]) in QUESTIONS | JOINTS
            ):
                yield node.lineno + number, line.strip()


def riddles(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every head that asks instead of naming its subject."""
    for node, text in _docstrings(tree):
        head = text.strip().split("\n")[0]
        is_head = getattr(node, "is_head", False)
        if is_head and _first_word(head) in QUESTIONS | JOINTS:
            yield node.lineno, head


def findings() -> list[str]:
    """Return every finding outside the packages that are allowed for now."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith(ALLOWED):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for kind, check in (("half sentence", half_sentences), ("riddle", riddles)):
            found += [
                f"src/gelenk/{name}:{line}: {kind}: {text}"
                for line, text in check(tree)
            ]
    return found


def _docstrings(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False):
            expression = node.body[0]
            assert isinstance(expression, ast.Expr)
            value = expression.value
            assert isinstance(value, ast.Constant)
            value.is_head = isinstance(node, (ast.Module, ast.ClassDef))  # type: ignore[attr-defined]
            yield value, value.value


def _first_word(text: str) -> str:
    found = re.match(r"[A-Za-z]+", text)
    return found[0].lower() if found else ""


if __name__ == "__main__":
    lines = findings()
    print(*lines, sep="\n")
    sys.exit(bool(lines))

"""Write the pages of the course: formula, place, example and picture of each method.

Usage:
    python docs/make_course.py [FOLDER]
    python docs/make_course.py GR-211 FILE.png      one picture

The pages are not part of the repository: `make docs` writes them into docs/course.
Pictures that are younger than the code they show are kept.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import course_pictures
import gelenk
from gelenk.course import describe
from gelenk.course.method import Method
from gelenk.course.register import TITLES, chapters

FOLDER = Path(__file__).resolve().parent / "course"
SOURCES = Path(gelenk.__file__).resolve().parent

INTRODUCTION = """\
# The course

Every method of a robotics foundations course (Damken 2023), as a function that is
tested by a second, independent way. Examples are run by the tests; pictures are drawn
by the code they show. `gelenk course GR-211` tells the same in a terminal.

| Chapter | Methods |
|---|---|
"""


def page_name(chapter: int) -> str:
    """Return the file name of a chapter's page."""
    return f"chapter-{chapter:02d}.md"


def introduction() -> str:
    """Return the page with links to all chapters."""
    rows = [
        f"| [{chapter} {TITLES[chapter]}]({page_name(chapter)}) | {len(methods)} |"
        for chapter, methods in chapters().items()
    ]
    return INTRODUCTION + "\n".join(rows) + "\n"


def section(method: Method) -> str:
    """Return what a page tells of one method."""
    places = [
        f"- `{describe.signature(name, found)}`  \n  {describe.summary(found)}"
        for name, found in zip(method.objects, method.load(), strict=True)
    ]
    parts = [
        f"## {method.id} {method.title}",
        f"```text\n{method.formula}\n```",
        *([f'!!! warning "Erratum"\n    {method.erratum}'] if method.erratum else []),
        f"![{method.title}](pictures/{method.id}.png){{ width=480 }}",
        "\n".join(places),
    ]
    if shown := describe.example(method):
        parts.append(f"```pycon\n{shown}\n```")
    return "\n\n".join(parts)


def write(folder: Path, *, only: int | None = None) -> None:
    """Write pages and pictures into a folder, of one chapter or of all."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    (folder / "index.md").write_text(introduction(), encoding="utf-8")
    drawn = course_pictures.pictures()
    newest = max(path.stat().st_mtime for path in SOURCES.rglob("*.py"))
    for chapter, methods in chapters().items():
        if only not in (None, chapter):
            continue
        begin = time.perf_counter()
        for method in methods:
            path = pictures / f"{method.id}.png"
            if not path.exists() or path.stat().st_mtime < newest:
                describe.draw(drawn[method.id], path)
        body = "\n\n".join(map(section, methods))
        text = f"# {chapter} {TITLES[chapter]}\n\n{body}\n"
        (folder / page_name(chapter)).write_text(text, encoding="utf-8")
        took = time.perf_counter() - begin
        print(f"{folder.name}/{page_name(chapter)}  {len(methods)} in {took:.1f} s")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        describe.draw(course_pictures.pictures()[sys.argv[1]], sys.argv[2])
    else:
        write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)

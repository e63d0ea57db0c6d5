"""The code of the documentation runs as a reader pastes it, page by page.

After a change on purpose: `make outputs` writes the printed texts anew.
"""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDED = ("changelog.md", "contributing.md")  # the files of the root, for the site


def load_pages():
    spec = importlib.util.spec_from_file_location("pages", ROOT / "docs" / "pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


pages = load_pages()
PAGES = pages.pages()


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_blocks_of_a_page_run_in_an_empty_folder_and_print_what_it_shows(
    page: Path, tmp_path: Path
) -> None:
    printed = pages.run(page, tmp_path)

    for number, (block, text) in enumerate(
        zip(pages.blocks(page), printed, strict=True), 1
    ):
        if block.text is not None:
            assert text == block.text, f"{page.name}, block {number}"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_every_python_block_of_a_page_is_found_by_its_reader(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert len(pages.blocks(page)) == len(re.findall(r"(?m)^ *```python", text))


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem
)
def test_a_page_carries_its_code_in_itself(page: Path) -> None:
    if page.name not in INCLUDED:
        assert "--8<--" not in page.read_text(encoding="utf-8")


def test_a_block_that_fails_is_named_with_its_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```python\ny = x / 0\n```\n")

    with pytest.raises(RuntimeError, match=r"(?s)page\.md.*block 2.*ZeroDivision"):
        pages.run(page, tmp_path)


def test_printed_texts_are_written_anew_beside_their_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "```python\nprint(2)\n```\n\n```text\n1\n```\n\nand\n\n```text\nfree\n```\n"
    )

    assert pages.rewrite(page)
    assert not pages.rewrite(page)

    assert page.read_text() == (
        "```python\nprint(2)\n```\n\n```text\n2\n```\n\nand\n\n```text\nfree\n```\n"
    )

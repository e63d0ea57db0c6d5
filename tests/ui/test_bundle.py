"""The bundle of the page: made of the sources beside it, whole, and asking nobody else."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gelenk.ui.site import STATIC, TYPES

CLIENT = STATIC.parent / "client"
ROOT = Path(__file__).resolve().parents[2]
MAX_PACKED = 2 * 2**20  # all that a page may load [bytes], gzipped

# Addresses that are names, not places: nothing is ever fetched from there.
NAMES = ("http://www.w3.org/",)
# Texts of the libraries for people who read their warnings.
EXPLANATIONS = ("https://threejs.org/docs/", "https://github.com/mrdoob/three.js/")


def digest(folder: Path) -> str:
    """Return what `vite.config.ts` writes into `bundle.json`, found without Node."""
    single = ("index.html", "package-lock.json", "vite.config.ts")
    files = [path for path in (folder / "src").rglob("*") if path.is_file()]
    files += [folder / name for name in single]
    whole = hashlib.sha256()
    for path in sorted(p.relative_to(folder).as_posix().encode() for p in files):
        content = hashlib.sha256((folder / path.decode()).read_bytes()).hexdigest()
        whole.update(path + b"\0" + content.encode() + b"\n")
    return whole.hexdigest()


class Links(HTMLParser):
    """Collects what a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [v for k, v in attrs if k in ("src", "href") and v]


def bundle_files() -> list[Path]:
    return [path for path in STATIC.rglob("*") if path.is_file()]


def texts() -> dict[str, str]:
    kinds = (".html", ".js", ".css")
    found = [path for path in bundle_files() if path.suffix in kinds]
    return {path.name: path.read_text(encoding="utf-8") for path in found}


def test_the_bundle_was_built_from_the_sources_beside_it() -> None:
    note = json.loads((STATIC / "bundle.json").read_text())

    assert note["sources"] == digest(CLIENT), "run `make client` and commit the bundle"


def test_the_digest_notices_another_byte_another_name_and_another_file(
    tmp_path: Path,
) -> None:
    (tmp_path / "src").mkdir()
    for name in ("index.html", "package-lock.json", "vite.config.ts", "src/a.ts"):
        (tmp_path / name).write_text(name)
    seen = {digest(tmp_path)}

    (tmp_path / "src/a.ts").write_text("another byte")
    seen.add(digest(tmp_path))
    (tmp_path / "src/a.ts").rename(tmp_path / "src/b.ts")
    seen.add(digest(tmp_path))
    (tmp_path / "src/c.ts").touch()
    seen.add(digest(tmp_path))

    assert len(seen) == 4


def test_the_index_refers_to_files_of_the_bundle_only() -> None:
    links = Links()
    links.feed((STATIC / "index.html").read_text(encoding="utf-8"))

    assert any(link.endswith(".js") for link in links.found)
    for link in links.found:
        assert link.startswith("./"), f"{link} is not a file of the bundle"
        assert (STATIC / link).is_file(), f"{link} is missing"


def test_every_chunk_that_the_code_loads_is_there() -> None:
    loaded = {
        name
        for text in texts().values()
        for name in re.findall(
            r"[\"'`](?:\./|assets/)([\w.-]+\.(?:js|css))[\"'`]", text
        )
    }

    assert loaded
    assert {n for n in loaded if not (STATIC / "assets" / n).is_file()} == set()


def test_nothing_is_asked_of_other_hosts() -> None:
    for name, text in texts().items():
        addresses = set(re.findall(r"(?:https?|wss?)://[\w.-]+\.\w+[^\s\"'`)<]*", text))
        outside = {a for a in addresses if not a.startswith((*NAMES, *EXPLANATIONS))}
        assert outside == set(), f"{name} names other hosts"


def test_a_page_loads_little() -> None:
    sizes = {
        path.name: len(gzip.compress(path.read_bytes()))
        for path in bundle_files()
        if path.suffix in (".html", ".js", ".css", ".svg")
    }

    assert sum(sizes.values()) < MAX_PACKED, sizes


def test_every_file_of_the_bundle_has_a_type_that_the_server_knows() -> None:
    unknown = {path.name for path in bundle_files() if path.suffix not in TYPES}

    assert unknown == set()


@pytest.mark.slow
def test_a_wheel_has_the_page_and_not_its_workshop(tmp_path: Path) -> None:
    hatch = (
        "from hatchling.build import build_wheel; import sys; build_wheel(sys.argv[1])"
    )
    subprocess.run(
        [sys.executable, "-c", hatch, str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )

    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as package:
        names = set(package.namelist())
    page = {path.relative_to(STATIC).as_posix() for path in bundle_files()}
    assert {f"gelenk/ui/static/{name}" for name in page} <= names
    assert not [name for name in names if "node_modules" in name]
    assert not [name for name in names if name.startswith("gelenk/ui/client/")]

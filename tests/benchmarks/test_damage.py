"""Damaged files of the benchmark: what counts as crash, hang, refusal."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.areas import _models_damage as damage

OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_damage_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    def made(seed: int) -> list[bytes]:
        rng = random.Random(seed)
        return [damage.mutated(OBJ, rng) for _ in range(50)]

    assert made(1) == made(1)
    assert made(1) != made(2)
    assert sum(data != OBJ for data in made(1)) > 25


def test_files_are_read_refused_or_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "body.obj"
    path.write_bytes(OBJ)
    assert damage._try(path) == ("read", "")
    path.write_bytes(OBJ.replace(b"f 2 3 4", b"f 2 3 9"))
    assert damage._try(path)[0] == "refused"

    def fail(path: Path) -> None:
        raise IndexError("beside the list")

    monkeypatch.setattr(damage, "_use_mesh", fail)
    assert damage._try(path) == ("crash", "IndexError: beside the list")


@pytest.mark.slow
def test_a_process_reads_them_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "body.obj"
    path.write_bytes(OBJ)

    tally = damage.read_damaged([damage.Sample(path, tmp_path)], 30, 1, lambda _: None)

    assert tally.read + tally.refused == 30
    assert tally.crashes == tally.hangs == []
    assert tally.memory > 1e7
    assert path.read_bytes() == OBJ

"""ArmBot's tools in the page: their arithmetic against that of the library.

The sources are bundled by the client's own tools and run in Node.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.armbot import manipulators
from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.scene import base_pose
from gelenk.robots.armbot.services import SERVICES
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.ui.site import STATIC

CLIENT = STATIC.parent / "client"
ESBUILD = CLIENT / "node_modules" / ".bin" / "esbuild"
MODULES = ("rods", "row_fields", "units", "words", "race_plot")
RUN = """
import {{ readFileSync }} from "node:fs";
{imports}
const modules = {{ {modules} }};
const calls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(calls.map(([name, fn, args]) => modules[name][fn](...args))));
"""
ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))

Call = Callable[..., Any]

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not ESBUILD.exists(),
    reason="NO TESTS OF THE CLIENT'S SOURCES: they need Node and `npm ci` in ui/client",
)


@pytest.fixture(scope="module")
def call_many(tmp_path_factory: pytest.TempPathFactory) -> Call:
    folder = tmp_path_factory.mktemp("client")
    home = CLIENT / "src" / "armbot"
    entry, bundle = folder / "entry.ts", folder / "bundle.mjs"
    imports = "\n".join(f'import * as {m} from "{home / m}";' for m in MODULES)
    entry.write_text(RUN.format(imports=imports, modules=", ".join(MODULES)))
    subprocess.run(
        [ESBUILD, entry, "--bundle", "--format=esm", "--platform=node",
         "--loader:.css=empty", "--log-level=error", f"--outfile={bundle}"],
        check=True, cwd=CLIENT,
    )  # fmt: skip
    node = str(shutil.which("node"))

    def call(calls: list[Any]) -> list[Any]:
        done = subprocess.run(
            [node, str(Path(bundle))],
            input=json.dumps(calls),
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)

    return call


@pytest.fixture(scope="module")
def call(call_many: Call) -> Call:
    return lambda module, function, *args: call_many([[module, function, args]])[0]


def test_points_are_turned_and_placed_as_by_the_library(call_many: Call) -> None:
    rng = np.random.default_rng(3)
    poses = rng.normal(size=(20, 7))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    points = rng.normal(size=(20, 3))
    pairs = list(zip(poses.tolist(), points.tolist(), strict=True))
    placed = call_many([["rods", "placed", pair] for pair in pairs])
    R = matrix_from_quaternion(poses[:, 3:])
    assert_allclose(placed, np.einsum("nij,nj->ni", R, points) + poses[:, :3])
    back = call_many(
        [
            ["rods", "seenFrom", [pose, p]]
            for (pose, _), p in zip(pairs, placed, strict=True)
        ]
    )
    assert_allclose(back, points, atol=1e-12)


def test_a_robot_stands_where_the_file_says(call: Call) -> None:
    pose = np.array(call("rods", "basePose", [0.3, -0.2, 0.7]))
    T = base_pose(0.3, -0.2, 0.7)
    assert_allclose(pose[:3], T[:3, 3])
    assert_allclose(matrix_from_quaternion(pose[3:]), T[:3, :3], atol=1e-12)


def test_rods_begin_and_end_where_the_links_are(call: Call) -> None:
    answer = SERVICES["armbot.forward"]({"arm": "SimpleArm", "q": [0.4, 0.9, -1.2]})
    rods = call("rods", "rodsOf", answer["bodies"], answer["poses"])
    names = [body["name"] for body in answer["bodies"]]
    bones = {names[rod["body"]]: rod for rod in rods if rod["kind"] == "rod"}
    assert_allclose(bones["tibia_bone"]["to"], answer["tool"][:3], atol=1e-8)
    assert_allclose(bones["femur_bone"]["from"], [0.0, 0.0, 0.2], atol=1e-8)
    length = np.subtract(bones["femur_bone"]["to"], bones["femur_bone"]["from"])
    assert_allclose(np.linalg.norm(length), 0.3)


def test_a_look_keeps_lengths_and_the_top_view_shows_x_and_y(call_many: Call) -> None:
    look = {"azimuth": 0.6, "elevation": 0.3}
    top = {"azimuth": -np.pi / 2.0, "elevation": np.pi / 2.0}
    seen, flat = call_many(
        [["rods", "seen", [view, [0.3, -0.4, 0.5]]] for view in (look, top)]
    )
    assert_allclose(np.linalg.norm(seen), np.linalg.norm([0.3, -0.4, 0.5]))
    assert_allclose(flat, [0.3, -0.4, 0.5], atol=1e-12)


@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_survives_its_way_through_the_cells_of_the_table(
    call_many: Call, arm: str
) -> None:
    rows = SERVICES["armbot.rows"]({"arm": arm})["rows"]
    shown = call_many([["row_fields", "rowOf", [row, i]] for i, row in enumerate(rows)])
    read = call_many(
        [["row_fields", "readRow", [row, i]] for i, row in enumerate(shown)]
    )
    assert all(item["problems"] == [] for item in read)
    before = SERVICES["armbot.assemble"]({"rows": rows})
    after = SERVICES["armbot.assemble"]({"rows": [item["value"] for item in read]})
    assert after["ok"], after["problems"]
    assert [j["name"] for j in after["joints"]] == [j["name"] for j in before["joints"]]
    assert_allclose(
        np.array(after["poses"])[:, :3], np.array(before["poses"])[:, :3], atol=1e-7
    )


def test_cells_that_cannot_be_read_are_told_and_left_out(call: Call) -> None:
    cells = {"name": "a", "limits": "-90", "home": "x", "mass": "0,5", "turn": "1 2 3"}
    answer = call(
        "row_fields", "readRow", {"id": 1, "part": "servo", "cells": cells}, 4
    )
    assert [(p["row"], p["field"]) for p in answer["problems"]] == [
        (4, "limits"),
        (4, "home"),
    ]
    assert answer["value"]["mass"] == 0.5
    assert_allclose(answer["value"]["turn"], np.deg2rad([1, 2, 3]))
    assert "limits" not in answer["value"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3.0), (" -2,5 ", -2.5), ("1e3", 1000.0), (".5", 0.5), ("", None),
     ("1 2", None), ("abc", None), ("1e999", None), ("--1", None), ("0x10", None)],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(
    call: Call, text: str, number: float | None
) -> None:
    assert call("units", "readNumber", text) == number


def test_curves_share_their_tries_and_stay_above_the_floor(call: Call) -> None:
    entries = SERVICES["armbot.race"]({"arm": "ScaraArm", "target": [0.3, 0.1, 0.3]})
    x, *curves, tolerance = call("race_plot", "curvesOf", entries["entries"])
    assert x == sorted(set(x))
    for curve, entry in zip(curves, entries["entries"], strict=True):
        points = [value for value in curve if value is not None]
        assert len(points) == len(entry["path"])
        assert min(points) >= 1e-9
        assert_allclose(points[-1], max(1e3 * entry["path"][-1][1], 1e-9))
    assert tolerance == [0.1] * len(x)


def test_marks_of_a_log_scale_are_powers_of_ten(call: Call) -> None:
    marks = call("race_plot", "decades", None, 0, 1e-9, 1e3)
    assert_allclose(np.log10(marks), np.arange(-9.0, 4.0, 2.0))
    assert_allclose(call("race_plot", "decades", None, 0, 1.0, 130.0), [1, 10, 100])


def test_places_are_read_from_a_refusal(call: Call) -> None:
    message = "2 problems\n  a/b.env:3:7: expected this\n  /c:12:1: got: that"
    assert call("words", "problemsOfMessage", message) == [
        {"line": 3, "column": 7, "length": 1, "text": "expected this"},
        {"line": 12, "column": 1, "length": 1, "text": "got: that"},
    ]


def test_a_summary_names_what_is_there(call: Call) -> None:
    text = shipped_cells()["sorting"].read_text()
    summary = SERVICES["armbot.check"]({"text": text})["summary"]
    line = call("words", "summaryText", summary)
    assert "1 robot," in line
    assert "6 cuboids" in line
    assert "ball" not in line

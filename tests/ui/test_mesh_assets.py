"""Meshes as a page fetches them."""

from __future__ import annotations

import struct
from dataclasses import replace

import cv2
import numpy as np
import pytest

from gelenk.geometry import Mesh
from gelenk.geometry.solids import box_mesh, ellipsoid_mesh
from gelenk.ui import mesh_assets
from gelenk.ui.mesh_assets import AssetStore, FaceLimits, share_faces


class Read:
    """What the documented layout says of some bytes."""

    def __init__(self, data: bytes) -> None:
        magic, flags, n, m = struct.unpack_from("<4sIII", data)
        assert magic == b"GLM1"
        self.flags, at = flags, 16

        def take(kind: str, columns: int, rows: int) -> np.ndarray:
            nonlocal at
            found = np.frombuffer(data, kind, columns * rows, at)
            at += found.nbytes
            return found.reshape(rows, columns)

        self.vertices = take("<f4", 3, n)
        self.uv = take("<f4", 2, n) if flags & 2 else None
        self.normals = take("i1", 4, n)
        self.colors = take("u1", 4, n) if flags & 1 else None
        self.faces = take("<u4", 3, m)
        assert at == len(data)


def _colored(mesh: Mesh, *colors: tuple[float, ...]) -> Mesh:
    rows = [colors[i * len(colors) // len(mesh.faces)] for i in range(len(mesh.faces))]
    return replace(mesh, normals=None, face_colors=np.array(rows, dtype=float))


def _triangles(vertices: np.ndarray, faces: np.ndarray) -> set[tuple[float, ...]]:
    corners = np.round(np.asarray(vertices, float)[faces], 5).reshape(len(faces), -1)
    return set(map(tuple, corners.tolist()))


def test_a_mesh_travels_with_its_triangles_and_unit_normals() -> None:
    box = replace(box_mesh((0.2, 0.4, 0.6)), normals=None)
    store = AssetStore()

    (part,) = store.add(box)
    found = Read(store.find(part.name) or b"")

    assert _triangles(found.vertices, found.faces) == _triangles(
        box.vertices, box.faces
    )
    length = np.linalg.norm(found.normals[:, :3] / 127.0, axis=1)
    np.testing.assert_allclose(length, 1.0, atol=0.01)
    assert found.flags == 0
    assert part.bounds == (-0.1, -0.2, -0.3, 0.1, 0.2, 0.3)


def test_equal_content_has_one_name_and_travels_once() -> None:
    store = AssetStore()

    first = store.add(box_mesh((0.2, 0.4, 0.6)))
    again = store.add(box_mesh((0.2, 0.4, 0.6)))
    other = store.add(box_mesh((0.2, 0.4, 0.7)))

    assert first[0].name == again[0].name != other[0].name
    assert len(store) == 2
    assert store.find("../../etc/passwd") is None


def test_colours_are_those_of_the_triangles() -> None:
    box = _colored(box_mesh((1.0, 1.0, 1.0)), (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1))

    (part,) = AssetStore().add(box)
    found = Read(part.data)

    assert found.colors is not None
    for face, corners in zip(found.vertices[found.faces], found.faces, strict=True):
        (source,) = np.flatnonzero(
            (np.abs(box.vertices[box.faces] - face) < 1e-6).all(axis=(1, 2))
        )
        assert box.face_colors is not None
        wanted = np.rint(255 * box.face_colors[source, :3])
        assert (found.colors[corners, :3] == wanted).all()


def test_every_opacity_is_a_part_of_its_own_and_what_is_clear_is_left_out() -> None:
    clear = _colored(
        box_mesh((1.0, 1.0, 1.0)), (1, 1, 1, 1.0), (1, 1, 1, 0.5), (1,) * 3 + (0.0,)
    )

    parts = AssetStore().add(clear)

    assert [part.opacity for part in parts] == [0.5, 1.0]
    assert [len(Read(part.data).faces) for part in parts] == [4, 4]


def test_large_meshes_are_thinned_to_about_their_surface() -> None:
    fine = ellipsoid_mesh((0.5, 0.5, 0.5))
    assert len(fine.faces) > 400

    (part,) = AssetStore().add(fine, FaceLimits(400, 150))

    for data, most in ((part.data, 400), (part.coarse_data, 150)):
        found = Read(data)
        assert 0.5 * most < len(found.faces) <= most
        radius = np.linalg.norm(found.vertices, axis=1)
        assert 0.4 < radius.min() <= radius.max() < 0.6


def test_what_cannot_be_drawn_is_left_out() -> None:
    box = replace(box_mesh((1.0, 1.0, 1.0)), normals=None)
    vertices = np.concatenate([box.vertices, [[np.nan, 0, 0], [np.inf, 0, 0]]])
    n = len(box.vertices)
    odd = np.array([[0, 1, n], [0, 1, n + 1], [0, 1, 10**9], [-1, 0, 1], [2, 2, 3]])
    store = AssetStore()

    (part,) = store.add(Mesh(vertices=vertices, faces=np.concatenate([box.faces, odd])))

    assert len(Read(part.data).faces) == len(box.faces)
    assert np.isfinite(part.bounds).all()
    assert store.add(Mesh(vertices=vertices, faces=odd)) == ()
    assert store.add(Mesh(vertices=np.zeros((0, 3)), faces=np.zeros((0, 3), int))) == ()


def test_a_texture_travels_with_places_and_is_not_larger_than_can_be_seen() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    image = np.zeros((40, 3000, 3), dtype=np.uint8)
    image[:, :1500] = (255, 0, 0)
    plate = Mesh(
        vertices=corners,
        faces=np.array([[0, 1, 2], [0, 2, 3]]),
        uv=corners[:, :2].copy(),
        texture=image,
    )
    store = AssetStore()

    (part,) = store.add(plate)
    found = Read(part.data)

    assert found.uv is not None
    np.testing.assert_allclose(found.uv, found.vertices[:, :2])
    assert found.flags & 4  # its back can be seen
    data = np.frombuffer(store.find(part.texture) or b"", np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]
    assert picture.shape == (14, 1024, 3)
    assert picture[7, 200, 0] > 200 > 50 > picture[7, 800, 0]


def test_a_store_that_is_full_takes_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = AssetStore()
    (part,) = store.add(box_mesh((1.0, 1.0, 1.0)))
    monkeypatch.setattr(mesh_assets, "MAX_BYTES", len(part.data) + 10)

    assert store.add(box_mesh((1.0, 1.0, 2.0))) == ()
    assert store.is_full
    assert store.add(box_mesh((1.0, 1.0, 1.0))) != ()  # it is there already


@pytest.mark.parametrize("total", [10, 1000, 5000, 10**6])
def test_shares_of_triangles_keep_to_the_total(total: int) -> None:
    counts = [0, 10, 400, 400, 3000, 3000]

    limit = share_faces(counts, total, 2000)

    kept = sum(min(count, limit) for count in counts)
    assert kept <= max(total, 100 * len(counts))
    more = sum(min(count, limit + 2) for count in counts)
    assert limit in (2000, mesh_assets.MIN_FACES) or more > total - len(counts)

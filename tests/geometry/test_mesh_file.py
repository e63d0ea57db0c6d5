"""Mesh files of all formats: the same body, colours, limits, and what is refused."""

from __future__ import annotations

import json
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

import mesh_samples as samples
from gelenk.errors import FileFormatError
from gelenk.geometry import Mesh, _mesh_stl, read_mesh
from gelenk.geometry._mesh_text import read_numbers
from gelenk.geometry.mesh_file import read_meshes
from gelenk.geometry.png import encode_png


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def triangles(mesh: Mesh) -> np.ndarray:
    """Return the corners of all triangles, each begun with its smallest, sorted."""
    rows = []
    for corners in mesh.vertices[mesh.faces].round(6).tolist():
        k = corners.index(min(corners))
        rows.append([x for corner in corners[k:] + corners[:k] for x in corner])
    return np.array(sorted(rows))


WEDGE = Mesh(vertices=samples.CORNERS.copy(), faces=samples.FACES.copy())


@pytest.mark.parametrize("name", samples.FILES)
def test_every_format_gives_the_same_triangles(name: str, tmp_path: Path) -> None:
    mesh = read_mesh(write(tmp_path, name, samples.FILES[name]))

    np.testing.assert_allclose(triangles(mesh), triangles(WEDGE), atol=1e-6)


@pytest.mark.parametrize("name", ["scene.dae", "text.gltf", "binary.glb", "text.ply"])
def test_colours_of_materials_and_faces_are_read(name: str, tmp_path: Path) -> None:
    mesh = read_mesh(write(tmp_path, name, samples.FILES[name]))

    assert mesh.face_colors is not None
    np.testing.assert_allclose(mesh.face_colors, samples.COLORS, atol=0.002)


@pytest.mark.parametrize("ending", ["stl", "obj", "ply", "glb"])
def test_files_of_another_program_agree(ending: str, tmp_path: Path) -> None:
    body = trimesh.creation.icosphere(subdivisions=3).apply_scale([1.0, 0.7, 0.2])
    path = tmp_path / f"body.{ending}"
    body.export(path)

    mesh = read_mesh(path)

    own = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    assert len(mesh.faces) == len(body.faces)
    np.testing.assert_allclose(own.bounds, body.bounds, atol=1e-6)
    np.testing.assert_allclose(own.volume, body.volume, rtol=1e-5)


def test_numbers_of_a_text_are_those_of_the_language() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(size=3000) * 10.0 ** rng.integers(-6, 6, 3000)
    words = [f"{x:.{rng.integers(1, 15)}g}" for x in values]
    words += ["0", "-0.0", ".5", "5.", "+1e3", "1E-05", "1e-320", "1e400", "-7e22"]
    text = np.frombuffer(" ,\n\t".join(words).encode(), dtype=np.uint8)
    out = np.empty(len(words))

    assert read_numbers(text, out) == len(words)

    np.testing.assert_allclose(out, [float(word) for word in words], rtol=3e-16)
    np.testing.assert_array_equal(out[:3000], [float(word) for word in words[:3000]])


@pytest.mark.parametrize(
    "text", [b"1 2 x", b"1 2 3x", b"1 - 2", b"1 2 0x3", b"nan 1 2"]
)
def test_words_that_are_no_numbers_are_found(text: bytes) -> None:
    assert read_numbers(np.frombuffer(text, dtype=np.uint8), np.empty(3)) < 0


# -- materials and textures ----------------------------------------------------------


def test_an_obj_file_takes_colours_from_the_file_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "paint.mtl", samples.MTL)

    mesh = read_mesh(write(tmp_path, "wedge.obj", samples.obj("paint.mtl")))

    assert mesh.face_colors is not None
    np.testing.assert_allclose(mesh.face_colors, samples.COLORS, atol=1e-9)


def checkered(color: tuple[int, int, int]) -> bytes:
    image = np.zeros((4, 8, 3), dtype=np.uint8)
    image[:2, :4] = color  # upper left, which is low u and high v
    return encode_png(image)


PLATE = (
    b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
    b"vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl a\nf 1/1 2/2 3/3\n"
)


def test_an_obj_file_has_its_texture(tmp_path: Path) -> None:
    write(tmp_path, "image file.png", checkered((200, 10, 30)))
    write(
        tmp_path, "m.mtl", b"newmtl a\nKd 0.1 0.1 0.1\nmap_Kd -s 1 1 1 image file.png\n"
    )

    mesh = read_mesh(write(tmp_path, "plate.obj", PLATE))

    assert mesh.texture is not None
    assert mesh.uv is not None
    assert mesh.texture[0, 0].tolist() == [200, 10, 30]
    np.testing.assert_allclose(mesh.uv, mesh.vertices[:, :2])


def test_two_textures_become_one_image(tmp_path: Path) -> None:
    write(tmp_path, "a.png", checkered((200, 10, 30)))
    write(tmp_path, "b.png", checkered((20, 210, 30)))
    write(tmp_path, "m.mtl", b"newmtl a\nmap_Kd a.png\nnewmtl b\nmap_Kd b.png\n")
    more = b"vt 0.1 2.9\nusemtl b\nf 1/5 3/5 4/5\nusemtl none\nf 1 2 4\n"

    mesh = read_mesh(write(tmp_path, "plate.obj", PLATE + more))

    assert mesh.texture is not None
    assert mesh.uv is not None
    height, width = mesh.texture.shape[:2]
    middle = mesh.uv[mesh.faces].mean(axis=1)
    row = ((1.0 - middle[1:, 1]) * height).astype(int)
    column = (middle[1:, 0] * width).astype(int)
    np.testing.assert_allclose(
        mesh.texture[row, column][:, :3], [[20, 210, 30], [255, 255, 255]], atol=3
    )


@pytest.mark.parametrize(
    "place", ["../outside.png", "/etc/hostname", "deep/../../outside.png"]
)
def test_nothing_outside_the_folder_of_a_mesh_is_read(
    place: str, tmp_path: Path
) -> None:
    write(tmp_path, "outside.png", checkered((1, 2, 3)))
    (tmp_path / "in" / "deep").mkdir(parents=True)
    write(tmp_path / "in", "m.mtl", f"newmtl a\nmap_Kd {place}\n".encode())

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        mesh = read_mesh(write(tmp_path / "in", "plate.obj", PLATE))

    assert mesh.texture is None
    assert all("is not read" in str(item.message) for item in told)
    assert bool(told) == place.startswith(("..", "deep"))


def test_a_link_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "outside.mtl", samples.MTL)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "m.mtl").symlink_to(tmp_path / "outside.mtl")

    with pytest.warns(UserWarning, match="outside"):
        mesh = read_mesh(write(tmp_path / "in", "wedge.obj", samples.obj("m.mtl")))

    assert mesh.face_colors is None
    inside = read_mesh(tmp_path / "in" / "wedge.obj", folder=tmp_path)
    assert inside.face_colors is not None


def test_an_image_that_would_fill_the_memory_is_left_out(tmp_path: Path) -> None:
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    bomb = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk
    bomb += struct.pack(">I", zlib.crc32(chunk))
    write(tmp_path, "a.png", bomb)
    write(tmp_path, "m.mtl", b"newmtl a\nmap_Kd a.png\n")

    with pytest.warns(UserWarning, match="no image"):
        assert read_mesh(write(tmp_path, "plate.obj", PLATE)).texture is None


def test_tags_of_an_stl_file_are_no_colours(tmp_path: Path) -> None:
    data = bytearray(samples.stl_binary())
    data[:16] = b"COLOR=" + bytes([51, 102, 153, 255]) + b"      "
    struct.pack_into("<H", data, 84 + 48, 31 << 5)

    assert read_mesh(write(tmp_path, "c.stl", bytes(data))).face_colors is None


# -- scenes --------------------------------------------------------------------------


def test_a_scene_places_and_its_unit_scales(tmp_path: Path) -> None:
    pose = (
        "<translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>"
        "<matrix>1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix>"
    )

    mesh = read_mesh(write(tmp_path, "s.dae", samples.dae(unit=0.01, pose=pose)))

    x, y, z = samples.CORNERS.T
    expected = 0.01 * np.stack([1 - y, 2 + 2 * x, 3 + z + 5], axis=1)
    moved = Mesh(vertices=expected, faces=samples.FACES.copy())
    np.testing.assert_allclose(triangles(mesh), triangles(moved), atol=1e-6)


def test_a_mirror_in_the_scene_leaves_the_outside_outside(tmp_path: Path) -> None:
    pose = "<scale>1 -1 1</scale>"

    mesh = read_mesh(write(tmp_path, "s.dae", samples.dae(pose=pose)))

    body = trimesh.Trimesh(mesh.vertices, mesh.faces)
    assert body.volume == pytest.approx(samples.VOLUME)
    np.testing.assert_allclose(body.bounds[:, 1], [-1, 0])


def test_the_axis_that_a_file_calls_up_is_not_turned(tmp_path: Path) -> None:
    mesh = read_mesh(write(tmp_path, "s.dae", samples.dae(up="Y_UP")))

    np.testing.assert_allclose(triangles(mesh), triangles(WEDGE), atol=1e-6)


def test_nodes_of_a_gltf_file_place_their_meshes(tmp_path: Path) -> None:
    document, data = samples.gltf_parts()
    half = float(np.sqrt(0.5))
    document["nodes"] = [
        {"children": [1], "translation": [1, 2, 3], "rotation": [0, 0, half, half]},
        {"mesh": 0, "scale": [2, 1, 1]},
    ]

    mesh = read_mesh(write(tmp_path, "n.glb", samples.glb(document, data)))

    x, y, z = samples.CORNERS.T
    expected = np.stack([1 - y, 2 + 2 * x, 3 + z], axis=1)
    moved = Mesh(vertices=expected, faces=samples.FACES.copy())
    np.testing.assert_allclose(triangles(mesh), triangles(moved), atol=1e-6)


def test_a_gltf_file_has_its_texture_within(tmp_path: Path) -> None:
    document, data = samples.gltf_parts()
    image = checkered((200, 10, 30))
    places = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.25, 0.25], [0.5, 0.5]], "<f4")
    views, accessors = document["bufferViews"], document["accessors"]
    assert isinstance(views, list)
    assert isinstance(accessors, list)
    for part in (places.tobytes(), image):
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
        data += part
    accessors.append(
        {"bufferView": 2, "componentType": 5126, "count": 6, "type": "VEC2"}
    )
    document["images"] = [{"bufferView": 3, "mimeType": "image/png"}]
    document["textures"] = [{"source": 0}]
    material = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}
    document["materials"] = [material]
    parts = {"POSITION": 0, "TEXCOORD_0": 3}
    document["meshes"] = [
        {"primitives": [{"attributes": parts, "indices": 1, "material": 0}]}
    ]

    mesh = read_mesh(write(tmp_path, "t.glb", samples.glb(document, data)))

    assert mesh.texture is not None
    assert mesh.uv is not None
    assert mesh.texture[0, 0].tolist() == [200, 10, 30]
    # There places count from the upper left.
    np.testing.assert_allclose(mesh.uv[0], [0.0, 1.0])
    assert len(mesh.faces) == samples.HALF


def test_polygons_and_strips_become_triangles(tmp_path: Path) -> None:
    text = samples.dae().decode()
    start, end = text.index("<triangles"), text.rindex("</triangles>") + 12
    mesh_text = (
        '<polylist count="2"><input semantic="VERTEX" source="#v" offset="1"/>'
        "<vcount>4 3</vcount><p>9 0 9 3 9 2 9 1 9 0 9 1 9 4</p></polylist>"
        '<tristrips><input semantic="VERTEX" source="#v" offset="0"/>'
        "<p>1 2 4 5</p></tristrips>"
    )

    mesh = read_mesh(
        write(tmp_path, "p.dae", (text[:start] + mesh_text + text[end:]).encode())
    )

    body = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    assert len(mesh.faces) == 5
    np.testing.assert_allclose(body.area, 2.0 + 0.5 + np.sqrt(4 + 0.25))
    assert (body.face_normals[3:] @ [1, 0, 4] > 0).all()


# -- limits and bad files --------------------------------------------------------------


def broken_gltf(change: Callable[[dict[str, object]], object]) -> bytes:
    document, data = samples.gltf_parts()
    change(document)
    return samples.glb(document, data)


def lying_ply(count: int) -> bytes:
    return samples.ply_binary().replace(b"vertex 6", f"vertex {count}".encode())


def doubling_dae(levels: int) -> bytes:
    nodes = "".join(
        f'<node id="n{i}"><instance_node url="#n{i + 1}"/><instance_node url="#n{i + 1}"/></node>'
        for i in range(levels)
    )
    nodes += f'<node id="n{levels}"><instance_geometry url="#g"/></node>'
    text = samples.dae(pose='<instance_node url="#n0"/>').decode()
    library = f"<library_nodes>{nodes}</library_nodes><library_visual_scenes>"
    return text.replace("<library_visual_scenes>", library).encode()


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]>'
BAD: dict[str, bytes] = {
    "empty.stl": b"",
    "short.stl": samples.stl_binary()[:-1],
    "huge.stl": b"x" * 80 + struct.pack("<I", 0xFFFFFFFF) + b"x" * 100,
    "corner.stl": samples.stl_text().replace(b"vertex 2", b"vertex two", 1),
    "none.stl": b"x" * 80 + struct.pack("<I", 0),
    "nan.stl": samples.stl_binary(np.full((6, 3), np.nan)),
    "far.stl": samples.stl_binary(np.full((6, 3), 1e30)),
    "nan.obj": samples.obj().replace(b"v 2", b"v nan"),
    "index.obj": samples.obj() + b"f 1 2 7\n",
    "zero.obj": samples.obj() + b"f 0 1 2\n",
    "minus.obj": samples.obj() + b"f -1 -2 -9\n",
    "large.obj": samples.obj() + b"f 1 2 99999999999999999999999\n",
    "prose.obj": b"this is no mesh\n",
    "lies.ply": lying_ply(2_000_000_000),
    "more.ply": lying_ply(60),
    "endless.ply": lying_ply(10**30),
    "format.ply": samples.ply_text().replace(b"ascii", b"braille"),
    "list.ply": samples.ply_text().replace(b"uchar int", b"float int"),
    "index.ply": samples.ply_text().replace(b"3 0 2 1", b"3 0 2 6"),
    "entity.dae": samples.dae(head=ENTITIES),
    "xml.dae": samples.dae()[:-5],
    "other.dae": b"<robot/>",
    "double.dae": doubling_dae(40),
    "loop.dae": doubling_dae(2).replace(b'url="#n2"', b'url="#n0"'),
    "unit.dae": samples.dae(unit=1e300),
    "count.dae": samples.dae().replace(b"<p>0 2 1", b"<p>0 2 99"),
    "word.dae": samples.dae(corners="1 2 three"),
    "nan.dae": samples.dae(corners="nan " * 18),
    "deep.dae": b"<COLLADA>" + b"<node>" * 5000,
    "text.glb": b"glTF" + b"\xff" * 40,
    "deep.gltf": b"[" * 100_000,
    "list.gltf": b"[1, 2]",
    "many.gltf": b'{"a": [' + b"[], " * 1_000_001 + b"0]}",
    "often.dae": samples.dae(pose='<instance_geometry url="#g"/>' * 20_001),
    "draco.glb": broken_gltf(
        lambda d: d.update(extensionsRequired=["KHR_draco_mesh_compression"])
    ),
    "beyond.glb": broken_gltf(lambda d: d["accessors"][0].update(count=100_000)),  # type: ignore[index]
    "count.glb": broken_gltf(lambda d: d["accessors"][0].update(count=-6)),  # type: ignore[index]
    "huge.glb": broken_gltf(
        lambda d: d["accessors"].__setitem__(  # type: ignore[attr-defined]
            0, {"componentType": 5126, "count": 2_000_000_000, "type": "VEC3"}
        )
    ),
    "self.glb": broken_gltf(lambda d: d["nodes"][0].update(children=[0])),  # type: ignore[index]
    "web.gltf": json.dumps(
        {**samples.gltf_parts()[0], "buffers": [{"uri": "https://x.test/a.bin"}]}
    ).encode(),
    "up.gltf": json.dumps(
        {**samples.gltf_parts()[0], "buffers": [{"uri": "../a.bin"}]}
    ).encode(),
    "what.xyz": b"0 0 0",
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.filterwarnings("ignore:.*is not read:UserWarning")
def test_a_bad_file_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name, BAD[name])

    with pytest.raises(FileFormatError, match=name) as caught:
        read_mesh(path)

    assert caught.value.remedy
    assert len(str(caught.value)) < 700


def test_the_error_in_a_text_names_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 x\n")

    with pytest.raises(FileFormatError, match="line 5"):
        read_mesh(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.stl").mkdir()
    for name in ("none.stl", "folder.stl", "zero\0.stl"):
        with pytest.raises(FileFormatError):
            read_mesh(tmp_path / name)


@pytest.mark.parametrize("name", samples.FILES)
def test_more_faces_or_bytes_than_allowed_are_refused(
    name: str, tmp_path: Path
) -> None:
    path = write(tmp_path, name, samples.FILES[name])

    with pytest.raises(FileFormatError, match="max_faces"):
        read_mesh(path, max_faces=7)
    with pytest.raises(FileFormatError, match="max_bytes"):
        read_mesh(path, max_bytes=len(samples.FILES[name]) - 1)
    read_mesh(path, max_faces=8, max_bytes=len(samples.FILES[name]))


# -- memory and several at once ----------------------------------------------------------


def test_a_file_that_has_not_changed_comes_from_memory(tmp_path: Path) -> None:
    write(tmp_path, "paint.mtl", samples.MTL)
    path = write(tmp_path, "wedge.obj", samples.obj("paint.mtl"))
    first = read_mesh(path)

    assert read_mesh(path) is first
    write(tmp_path, "paint.mtl", samples.MTL.replace(b"0.8", b"0.55"))
    colors = read_mesh(path).face_colors
    assert colors is not None
    assert colors[0, 0] == 0.55
    write(tmp_path, "wedge.obj", PLATE)
    assert len(read_mesh(path).faces) == 1


def test_several_files_are_read_at_once_and_errors_stand_in_their_places(
    tmp_path: Path,
) -> None:
    good = [write(tmp_path, name, data) for name, data in samples.FILES.items()]
    bad = write(tmp_path, "bad.stl", b"")

    found = read_meshes([*good, bad, good[0]])

    assert all(isinstance(item, Mesh) for item in found[: len(good)])
    assert isinstance(found[len(good)], FileFormatError)
    assert found[-1] is found[0]


@pytest.mark.parametrize("count", [0, 1, 700])
def test_few_corners_are_merged_as_many_are(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = np.random.default_rng(2).integers(-3, 3, (count, 3))
    few = _mesh_stl._merged(rows)
    monkeypatch.setattr(_mesh_stl, "_FEW", -1)

    many = _mesh_stl._merged(rows)

    for a, b in zip(few, many, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype

"""Shapes of robots from MJCF files: primitives, meshes, colours, textures, bad files."""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import ModelWarning
from gelenk.models.link import Geometry
from gelenk.models.mjcf import load_mjcf, model_from_mjcf

# A tetrahedron that lies askew and away from its origin, so that the compiler moves it.
CORNERS = np.array([[1.0, 0.2, 0.3], [2.0, 0.1, 0.4], [1.1, 1.7, 0.2], [1.3, 0.4, 3.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
PLACES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.75, 0.25]])


def obj(corners: np.ndarray = CORNERS, *, with_places: bool = False) -> str:
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += [f"vt {u} {v}" for u, v in PLACES] if with_places else []
    form = "{0}/{0}" if with_places else "{0}"
    lines += ["f " + " ".join(form.format(k + 1) for k in face) for face in FACES]
    return "\n".join(lines) + "\n"


def png(pixels: np.ndarray, size: tuple[int, int] | None = None) -> bytes:
    """An image file of 8-bit colours; `size` claims another width and height."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        tail = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + tail

    height, width = size or pixels.shape[:2]
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
    return b"\x89PNG\r\n\x1a\n" + parts + chunk(b"IEND", b"")


def robot_file(folder: Path, mesh: str, geom: str, rest: str = "") -> Path:
    path = folder / "robot" / "robot.xml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f'<mujoco>\n<asset>\n<mesh name="part" file="part.obj" {mesh}/>{rest}</asset>'
        '<worldbody><body name="a" pos="0 0 1"><joint/><inertial mass="1" pos="0 0 0" '
        f'diaginertia="1 1 1"/>\n{geom}</body></worldbody></mujoco>'
    )
    return path


def only_shape(path: Path, **options: Sequence[Path]) -> Geometry:
    ((shape,),) = (row for row in load_mjcf(path, **options).geometry if row)
    return shape


def drawn(shape: Geometry) -> np.ndarray:
    """Corners of a mesh in the link."""
    assert shape.data is not None
    T = np.asarray(shape.T_link_geometry)
    return (shape.data.vertices * shape.size) @ T[:3, :3].T + T[:3, 3]


def volume(shape: Geometry) -> float:
    assert shape.data is not None
    a, b, c = drawn(shape)[shape.data.faces.T]
    sign = np.sign(np.prod(shape.size))
    return float(sign * np.einsum("ni,ni->", a, np.cross(b, c)) / 6.0)


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.1, 0.2, 0.5), (1.0, -1.0, 1.0)])
def test_a_mesh_is_where_its_file_and_scale_put_it(
    tmp_path: Path, scale: tuple[float, float, float]
) -> None:
    words = " ".join(map(str, scale))
    path = robot_file(
        tmp_path,
        f'scale="{words}"',
        '<geom type="mesh" mesh="part" pos="1 2 3" quat="0 1 0 0"/>',
    )
    (path.parent / "part.obj").write_text(obj())

    shape = only_shape(path)

    half_turn = np.diag([1.0, -1.0, -1.0])
    expected = (CORNERS * scale) @ half_turn.T + [1.0, 2.0, 3.0]
    found = drawn(shape)
    gaps = np.linalg.norm(found[:, None] - expected[None], axis=2)
    assert gaps.min(axis=0).max() < 1e-6  # the engine keeps single precision
    assert gaps.min(axis=1).max() < 1e-6
    np.testing.assert_allclose(shape.T_link_geometry[:3, 3], [1, 2, 3], atol=1e-15)  # type: ignore[index]
    np.testing.assert_allclose(shape.T_link_geometry[:3, :3], half_turn, atol=1e-15)  # type: ignore[index]
    assert (shape.size, shape.path) == (scale, path.parent / "part.obj")
    assert volume(shape) > 0.0


@pytest.mark.parametrize("scale", ["1 1 1", "0.1 0.2 -0.5"])
def test_normals_of_a_file_stand_on_their_triangles(tmp_path: Path, scale: str) -> None:
    path = robot_file(tmp_path, f'scale="{scale}"', '<geom type="mesh" mesh="part"/>')
    a, b, c = CORNERS[FACES.T]
    across = np.cross(b - a, c - a)
    lines = [f"v {x} {y} {z}" for x, y, z in CORNERS]
    lines += [f"vn {x} {y} {z}" for x, y, z in across]
    for k, face in enumerate(FACES):
        lines.append("f " + " ".join(f"{i + 1}//{k + 1}" for i in face))
    (path.parent / "part.obj").write_text("\n".join(lines) + "\n")

    data = only_shape(path).data

    assert data is not None
    assert data.normals is not None
    found = data.normals[data.faces]
    p, q, r = data.vertices[data.faces.T]
    expected = np.cross(q - p, r - p)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected[:, None].repeat(3, 1), atol=1e-5)


def test_normals_that_the_file_lacks_are_not_made_up(tmp_path: Path) -> None:
    path = robot_file(tmp_path, "", '<geom type="mesh" mesh="part"/>')
    (path.parent / "part.obj").write_text(obj())

    data = only_shape(path).data

    assert data is not None
    assert data.normals is None


def test_shapes_of_one_mesh_share_its_data(tmp_path: Path) -> None:
    geom = '<geom type="mesh" mesh="part"/>'
    path = robot_file(tmp_path, "", geom + geom.replace("/>", ' pos="0 0 1"/>'))
    (path.parent / "part.obj").write_text(obj())

    first, second = load_mjcf(path).geometry[1]

    assert first.data is second.data is not None


def test_a_texture_covers_the_mesh_as_its_material_says(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 255, (4, 6, 3), dtype=np.uint8)
    path = robot_file(
        tmp_path,
        "",
        '<geom type="mesh" mesh="part" material="skin"/>',
        '<texture name="image" type="2d" file="image.png"/><material name="skin" '
        'texture="image" texrepeat="2 3" rgba="0.1 0.2 0.3 1"/>',
    )
    (path.parent / "part.obj").write_text(obj(with_places=True))
    (path.parent / "image.png").write_bytes(png(pixels))

    shape = only_shape(path)

    assert shape.rgba == (0.1, 0.2, 0.3, 1.0)
    assert shape.data is not None
    assert shape.data.uv is not None
    np.testing.assert_array_equal(shape.data.texture, pixels)
    gaps = np.abs(shape.data.vertices[:, None] - CORNERS).max(axis=2)
    np.testing.assert_allclose(
        shape.data.uv, PLACES[gaps.argmin(axis=1)] * [2, 3], atol=1e-6
    )


def test_a_primitive_fitted_to_a_mesh_has_its_size(tmp_path: Path) -> None:
    path = robot_file(tmp_path, "", '<geom type="box" mesh="part"/>')
    cube = np.array([[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)], float)
    faces = "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
    lines = "\n".join(f"v {x} {y} {z}" for x, y, z in cube)
    (path.parent / "part.obj").write_text(f"{lines}\n{faces}")

    shape = only_shape(path)

    assert shape.kind == "box"
    assert np.prod(shape.size) == pytest.approx(6.0, rel=1e-3)


def test_what_collides_is_a_collision_shape_the_rest_is_drawn() -> None:
    robot = model_from_mjcf(
        '<mujoco><worldbody><body name="a"><joint/><geom name="both" size="1"/>'
        '<geom name="seen" size="1" contype="0" conaffinity="0"/><geom name="pushed" '
        'size="1" contype="0" conaffinity="2"/><geom name="paired" size="1" contype="0" '
        'conaffinity="0"/></body><body name="floor"><geom type="plane" '
        'size="1 1 1"/></body></worldbody>'
        '<contact><pair geom1="both" geom2="paired"/></contact></mujoco>'
    )

    roles = {shape.name: shape.role for shape in robot.geometry[1]}
    touched = "collision"
    assert roles == {
        "both": touched, "seen": "visual", "pushed": touched, "paired": touched,
    }  # fmt: skip
    assert robot.notes == ("the plane of body 'floor' is no shape of a link",)


# -- bad files ---------------------------------------------------------------------------

GEOM = '<geom name="skin" type="mesh" mesh="part"/>'


def test_a_missing_mesh_is_a_warning_with_name_line_and_remedy(tmp_path: Path) -> None:
    path = robot_file(tmp_path, 'scale="2 2 2"', GEOM)

    with pytest.warns(ModelWarning, match=r"robot.xml, line 3, mesh 'part': file") as w:
        shape = only_shape(path)

    assert "'part.obj': there is no such file beside" in str(w[0].message)
    assert (shape.name, shape.mesh, shape.size) == ("skin", "part.obj", (2.0, 2.0, 2.0))
    assert shape.data is None
    assert shape.path is None


def test_many_missing_files_are_one_warning(tmp_path: Path) -> None:
    more = "".join(f'<mesh name="m{k}" file="m{k}.obj"/>' for k in range(20))
    path = robot_file(tmp_path, "", "", more)

    with pytest.warns(ModelWarning, match="and 20 more") as caught:
        load_mjcf(path)

    assert len(caught) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "at least 4 vertices"),
        (b"rubbish", "part.obj"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "at least 4 vertices"),
        (b"v 0 0 0\nv nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", "part.obj"),
        (b"v 0 0 0\n" + b"f 1 1 1\n" * 2_000_010, "more than 2000000 faces"),
    ],
)
def test_a_broken_mesh_is_a_warning_and_the_robot_loads(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = robot_file(tmp_path, "", GEOM)
    (path.parent / "part.obj").write_bytes(content)

    with pytest.warns(ModelWarning, match=words):
        robot = load_mjcf(path)

    assert robot.geometry[1][0].data is None
    assert robot.notes[0].startswith(str(path))
    assert robot.mass.sum() == 1.0


def test_a_body_whose_mass_needs_a_broken_mesh_has_none(tmp_path: Path) -> None:
    path = robot_file(tmp_path, "", GEOM)
    path.write_text(path.read_text().replace("<inertial", "<site").replace(
        'mass="1" pos="0 0 0" diaginertia="1 1 1"', ""))  # fmt: skip

    with pytest.warns(ModelWarning, match="count no mass"):
        robot = load_mjcf(path)

    assert robot.mass.sum() == 0.0


def test_files_outside_the_folder_of_the_robot_are_not_read(tmp_path: Path) -> None:
    home = tmp_path / "somebody"
    home.mkdir()
    path = robot_file(home, "", GEOM)
    outside = tmp_path / "elsewhere" / "part.obj"
    outside.parent.mkdir()
    outside.write_text(obj())
    for name in (str(outside), "../../elsewhere/part.obj"):
        path.write_text(path.read_text().replace("part.obj", name))
        with pytest.warns(ModelWarning, match="outside the folder of the robot"):
            assert only_shape(path).data is None
        allowed = only_shape(path, package_dirs=[outside.parent])
        assert allowed.data is not None
        path.write_text(path.read_text().replace(name, "part.obj"))


def test_a_link_to_a_file_outside_is_not_followed(tmp_path: Path) -> None:
    home = tmp_path / "somebody"
    home.mkdir()
    path = robot_file(home, "", GEOM)
    secret = tmp_path / "secret.obj"
    secret.write_text(obj())
    (path.parent / "part.obj").symlink_to(secret)

    with pytest.warns(ModelWarning, match="outside the folder of the robot"):
        assert only_shape(path).data is None


@pytest.mark.parametrize("content", [b"rubbish", b""])
def test_a_broken_texture_is_a_warning(tmp_path: Path, content: bytes) -> None:
    rest = '<texture name="t" type="2d" file="t.png"/><material name="m" texture="t"/>'
    path = robot_file(tmp_path, "", GEOM.replace("/>", ' material="m"/>'), rest)
    (path.parent / "part.obj").write_text(obj())
    (path.parent / "t.png").write_bytes(content)

    with pytest.warns(ModelWarning, match=r"t\.png.*the texture is left out"):
        assert only_shape(path).data is not None


def test_an_image_that_claims_to_be_huge_is_not_unpacked(tmp_path: Path) -> None:
    rest = '<texture name="t" type="2d" file="t.png"/>'
    path = robot_file(tmp_path, "", GEOM, rest)
    (path.parent / "part.obj").write_text(obj())
    small = np.zeros((1, 1, 3), dtype=np.uint8)
    (path.parent / "t.png").write_bytes(png(small, (60_000, 60_000)))

    with pytest.warns(ModelWarning, match="60000 x 60000 pixels"):
        load_mjcf(path)


def test_a_robot_with_all_its_files_gives_no_warning(tmp_path: Path) -> None:
    path = robot_file(tmp_path, "", GEOM)
    (path.parent / "part.obj").write_text(obj())

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_mjcf(path).notes == ()

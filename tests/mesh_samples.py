"""Mesh files of all formats, written here from a wedge with two colours."""

from __future__ import annotations

import base64
import json
import struct

import numpy as np

# A wedge: closed, without symmetry, triangles anticlockwise from outside.
CORNERS = np.array(
    [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [0, 0, 0.5], [0, 1, 0.5]], dtype=float
)
FACES = np.array(
    [
        [0, 2, 1], [0, 3, 2], [0, 1, 4], [2, 3, 5],
        [0, 4, 5], [0, 5, 3], [1, 2, 5], [1, 5, 4],
    ]
)  # fmt: skip
VOLUME = 0.5  # [m^3]
RED, BLUE = (0.8, 0.1, 0.0), (0.0, 0.2, 0.9)
HALF = 4  # faces that are red; the rest is blue
COLORS = np.array([[*RED, 1.0]] * HALF + [[*BLUE, 1.0]] * (len(FACES) - HALF))


def stl_binary(corners: np.ndarray = CORNERS, faces: np.ndarray = FACES) -> bytes:
    rows = b"".join(
        struct.pack("<12fH", 0, 0, 0, *corners[face].reshape(-1), 0) for face in faces
    )
    return b"solid by hand".ljust(80) + struct.pack("<I", len(faces)) + rows


def stl_text(corners: np.ndarray = CORNERS, faces: np.ndarray = FACES) -> bytes:
    lines = ["solid wedge"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex " + " ".join(f"{x:.9e}" for x in corners[i]) for i in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid"]).encode()


def obj(materials: str = "") -> bytes:
    lines = [f"mtllib {materials}"] if materials else []
    lines += ["v " + " ".join(map(repr, row)) for row in CORNERS.tolist()]
    lines += ["# corners above", "o wedge", "usemtl red"]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in FACES[:HALF]]
    lines += ["usemtl blue"]
    lines += ["f " + " ".join(str(i - 6) for i in face) for face in FACES[HALF:]]
    return "\r\n".join([*lines, ""]).encode()


MTL = (
    f"newmtl red\nKa 0 0 0\nKd {RED[0]} {RED[1]} {RED[2]}\n"
    f"newmtl blue\nKd {BLUE[0]} {BLUE[1]} {BLUE[2]}\nd 1.0\n"
).encode()


def ply_text() -> bytes:
    head = [
        "ply", "format ascii 1.0", "comment by hand",
        f"element vertex {len(CORNERS)}", "property float x", "property float y",
        "property float z", f"element face {len(FACES)}",
        "property list uchar int vertex_indices", "property uchar red",
        "property uchar green", "property uchar blue", "end_header",
    ]  # fmt: skip
    rows = [" ".join(map(repr, row)) for row in CORNERS.tolist()]
    levels = np.rint(255 * COLORS[:, :3]).astype(int)
    rows += [
        f"3 {a} {b} {c} {r} {g} {u}"
        for (a, b, c), (r, g, u) in zip(FACES, levels, strict=True)
    ]
    return "\n".join([*head, *rows, ""]).encode()


def ply_binary(order: str = "<") -> bytes:
    name = "little" if order == "<" else "big"
    head = (
        f"ply\nformat binary_{name}_endian 1.0\nelement vertex {len(CORNERS)}\n"
        "property double x\nproperty double y\nproperty double z\n"
        f"element face {len(FACES)}\nproperty list uchar int vertex_index\nend_header\n"
    )
    rows = [struct.pack(f"{order}3d", *row) for row in CORNERS]
    rows += [struct.pack(f"{order}B3i", 3, *face) for face in FACES]
    return head.encode() + b"".join(rows)


def dae(
    *,
    unit: float = 1.0,
    pose: str = "",
    up: str = "Z_UP",
    head: str = "",
    corners: str = "",
) -> bytes:
    positions = corners or " ".join(map(repr, CORNERS.reshape(-1).tolist()))

    def triangles(material: str, faces: np.ndarray) -> str:
        indices = " ".join(map(str, faces.reshape(-1).tolist()))
        return (
            f'<triangles material="{material}" count="{len(faces)}">'
            f'<input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>'
        )

    def effect(name: str, color: tuple[float, ...]) -> str:
        words = " ".join(map(str, color))
        return (
            f'<effect id="e{name}"><profile_COMMON><technique sid="t"><phong><diffuse>'
            f"<color>{words} 1</color></diffuse></phong></technique></profile_COMMON></effect>"
        )

    def material(name: str) -> str:
        return f'<material id="m{name}"><instance_effect url="#e{name}"/></material>'

    def binding(name: str) -> str:
        return f'<instance_material symbol="s{name}" target="#m{name}"/>'

    return f"""<?xml version="1.0"?>{head}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="u" meter="{unit}"/><up_axis>{up}</up_axis></asset>
<library_effects>{effect("red", RED)}{effect("blue", BLUE)}</library_effects>
<library_materials>{material("red")}{material("blue")}</library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="18">{positions}</float_array>
<technique_common><accessor source="#a" count="6" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
{triangles("sred", FACES[:HALF])}{triangles("sblue", FACES[HALF:])}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node>{pose}
<instance_geometry url="#g"><bind_material><technique_common>{binding("red")}{binding("blue")}
</technique_common></bind_material></instance_geometry></node></visual_scene>
</library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


def gltf_parts() -> tuple[dict[str, object], bytes]:
    """Return the document of a glTF file without its buffer, and the buffer."""
    points = CORNERS.astype("<f4").tobytes()
    indices = FACES.astype("<u2").tobytes()
    # These colours are linear light; sRGB is about the power 2.4, and linear when dark.
    light = [
        [*(((c + 0.055) / 1.055) ** 2.4 if c > 0.04 else c / 12.92 for c in color), 1.0]
        for color in (RED, BLUE)
    ]
    half = 6 * HALF
    document: dict[str, object] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [
            {
                "primitives": [
                    {"attributes": {"POSITION": 0}, "indices": 1, "material": 0},
                    {"attributes": {"POSITION": 0}, "indices": 2, "material": 1},
                ]
            }
        ],
        "materials": [
            {"pbrMetallicRoughness": {"baseColorFactor": color}} for color in light
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"},
            {
                "bufferView": 1,
                "componentType": 5123,
                "count": 3 * HALF,
                "type": "SCALAR",
            },
            {
                "bufferView": 1,
                "byteOffset": half,
                "componentType": 5123,
                "count": 3 * (len(FACES) - HALF),
                "type": "SCALAR",
            },
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(indices)},
        ],
        "buffers": [{"byteLength": len(points) + len(indices)}],
    }
    return document, points + indices


def gltf() -> bytes:
    document, data = gltf_parts()
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document["buffers"] = [{"uri": uri, "byteLength": len(data)}]
    return json.dumps(document).encode()


def glb(document: dict[str, object] | None = None, data: bytes | None = None) -> bytes:
    own, buffer = gltf_parts()
    text = json.dumps(own if document is None else document).encode()
    text += b" " * (-len(text) % 4)
    data = buffer if data is None else data
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


# One file of every kind, by a name with the ending that the reader goes by.
FILES: dict[str, bytes] = {
    "binary.stl": stl_binary(),
    "text.stl": stl_text(),
    "plain.obj": obj(),
    "text.ply": ply_text(),
    "little.ply": ply_binary("<"),
    "big.ply": ply_binary(">"),
    "scene.dae": dae(),
    "text.gltf": gltf(),
    "binary.glb": glb(),
}

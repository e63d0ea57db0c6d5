"""Reader of COLLADA files (DAE): geometry, scene, unit, materials.

The file's `up_axis` is not obeyed: many programs write Y_UP whatever is up, and robot
descriptions are made with tools that do not obey it either.
"""

from __future__ import annotations

import xml.parsers.expat as expat
from dataclasses import dataclass, field

import numpy as np

from gelenk.geometry._mesh_source import MeshPiece, MeshSource, placed
from gelenk.geometry._mesh_topology import merge_rows
from gelenk.typing import ByteArray, FloatArray, IntArray

_MAX_ELEMENTS, _MAX_DEPTH = 200_000, 200
_MAX_INSTANCES = 20_000
_UNIT_RANGE = (1e-9, 1e9)
_SHADERS = ("phong", "lambert", "blinn", "constant")


@dataclass(slots=True, eq=False)
class _Node:
    """Element of the file: tag, attributes, children and text."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[_Node] = field(default_factory=list["_Node"])
    text: bytes = b""

    def all(self, *tags: str) -> list[_Node]:
        """Return the children with one of these tags."""
        return [child for child in self.children if child.tag in tags]

    def find(self, *path: str) -> _Node | None:
        """Return the first element under a path of tags, None without one."""
        node: _Node | None = self
        for tag in path:
            found = node.all(tag) if node is not None else []
            node = found[0] if found else None
        return node

    def get(self, name: str) -> str:
        """Return an attribute, empty without it."""
        return self.attributes.get(name, "")

    def word(self) -> str:
        """Return the text without white space around it."""
        return self.text.decode(errors="replace").strip()


class _RefusedError(Exception):
    """Reason to stop parsing."""


def _parse(source: MeshSource) -> _Node:
    """Return the root element.

    Raises:
        FileFormatError: If the file is no well-formed XML, or too deep, or too large.
    """
    parser = expat.ParserCreate()
    parser.buffer_text, parser.buffer_size = True, 1 << 20
    root = _Node("", {}, 0)
    stack, texts, count = [root], [list[str]()], 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MAX_ELEMENTS or len(stack) > _MAX_DEPTH:
            raise _RefusedError("has too many elements, or they are too deep")
        tag = tag.rpartition(":")[2]
        node = _Node(tag, attributes, parser.CurrentLineNumber)
        stack[-1].children.append(node)
        stack.append(node)
        texts.append([])

    def end(_: str) -> None:
        stack.pop().text = "".join(texts.pop()).encode(errors="replace")

    def refuse(*_: object) -> None:
        raise _RefusedError("has a document type declaration, which is not read")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = lambda text: texts[-1].append(text)
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(source.data, True)
    except _RefusedError as error:
        raise source.error(str(error), line=parser.CurrentLineNumber) from None
    except (expat.ExpatError, LookupError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise source.error(f"is no well-formed XML: {error}", line=line) from None
    if not root.children or root.children[0].tag != "COLLADA":
        raise source.error("is no COLLADA file")
    return root.children[0]


def read_dae(source: MeshSource) -> list[MeshPiece]:
    """Return the triangles of a COLLADA file, placed by its scene, in metres."""
    return _DaeReader(source, _parse(source)).pieces()


class _DaeReader:
    """The parts of a file by their identifiers."""

    def __init__(self, source: MeshSource, root: _Node) -> None:
        self.source, self.root = source, root
        self.geometries = self._library("geometries", "geometry")
        self.controllers = self._library("controllers", "controller")
        self.materials = self._library("materials", "material")
        self.effects = self._library("effects", "effect")
        self.images = self._library("images", "image")
        self.scenes = self._library("visual_scenes", "visual_scene")
        self.nodes = self._library("nodes", "node")
        self._shapes: dict[str, list[tuple[str, MeshPiece]]] = {}
        self._looks: dict[str, tuple[FloatArray | None, ByteArray | None]] = {}
        self._pixels: dict[str, ByteArray | None] = {}
        self._instances = 0
        self._faces = 0

    def _library(self, name: str, tag: str) -> dict[str, _Node]:
        found = [n for lib in self.root.all(f"library_{name}") for n in lib.all(tag)]
        return {node.get("id"): node for node in found}

    def pieces(self) -> list[MeshPiece]:
        """Return all triangles, placed by the scene, in metres."""
        unit = self.root.find("asset", "unit")
        scale = 1.0
        if unit is not None and unit.get("meter"):
            scale = float(self._floats(unit, 1, unit.get("meter").encode())[0])
            if not _UNIT_RANGE[0] <= scale <= _UNIT_RANGE[1]:
                raise self._error(unit, f"a unit of {scale} m is none")
        T = np.diag([scale, scale, scale, 1.0])
        out: list[MeshPiece] = []
        shown = self.root.find("scene", "instance_visual_scene")
        scene = self.scenes.get(shown.get("url")[1:]) if shown is not None else None
        if scene is None and self.scenes:
            scene = next(iter(self.scenes.values()))
        if scene is None:
            for name in self.geometries:
                self._place(name, T, {}, out)
            return out
        for node in scene.all("node"):
            self._walk(node, T, out, 0)
        return out

    def _walk(
        self, node: _Node, T: FloatArray, out: list[MeshPiece], depth: int
    ) -> None:
        self._instances += 1
        if self._instances > _MAX_INSTANCES or depth > _MAX_DEPTH:
            raise self._error(
                node, "the scene has too many nodes, or they are too deep"
            )
        T = T @ self._pose(node)
        for child in node.children:
            match child.tag:
                case "node":
                    self._walk(child, T, out, depth + 1)
                case "instance_node":
                    other = self.nodes.get(child.get("url")[1:])
                    if other is not None:
                        self._walk(other, T, out, depth + 1)
                case "instance_geometry":
                    self._place(child.get("url")[1:], T, _bindings(child), out)
                case "instance_controller":
                    skin = self.controllers.get(child.get("url")[1:])
                    skin = skin.find("skin") if skin is not None else None
                    if skin is not None:
                        bound = _bindings(child)
                        self._place(skin.get("source")[1:], T, bound, out)
                case _:
                    continue

    def _pose(self, node: _Node) -> FloatArray:
        """Return the product of the transforms of a scene node, shape (4, 4)."""
        T = np.eye(4)
        for child in node.children:
            step = np.eye(4)
            match child.tag:
                case "matrix":
                    step = self._floats(child, 16).reshape(4, 4)
                case "translate":
                    step[:3, 3] = self._floats(child, 3)
                case "scale":
                    step[:3, :3] = np.diag(self._floats(child, 3))
                case "rotate":
                    *axis, angle = self._floats(child, 4).tolist()
                    step[:3, :3] = _rotation(np.array(axis), np.radians(angle))
                case _:
                    continue
            T = T @ step
        return T

    def _place(
        self, name: str, T: FloatArray, bound: dict[str, str], out: list[MeshPiece]
    ) -> None:
        """Add a geometry of the file at a pose."""
        geometry = self.geometries.get(name)
        self._instances += 1
        if geometry is None:
            return
        if self._instances > _MAX_INSTANCES:
            raise self._error(geometry, "is placed too often")
        if name not in self._shapes:
            self._shapes[name] = self._read_geometry(geometry)
        for symbol, piece in self._shapes[name]:
            self._faces += len(piece.faces)
            self.source.check_count(self._faces)
            color, texture = self._look(bound.get(symbol, symbol))
            out.append(placed(piece, T, color, texture))

    def _read_geometry(self, geometry: _Node) -> list[tuple[str, MeshPiece]]:
        """Return material symbol and triangles of each primitive of a geometry."""
        mesh = geometry.find("mesh")
        if mesh is None:
            return []
        sources = {node.get("id"): node for node in mesh.all("source")}
        positions = {
            node.get("id"): part.get("source")[1:]
            for node in mesh.all("vertices")
            for part in node.all("input")
            if part.get("semantic") == "POSITION"
        }
        arrays: dict[str, FloatArray] = {}
        out: list[tuple[str, MeshPiece]] = []
        for shape in mesh.all(
            "triangles", "polylist", "polygons", "tristrips", "trifans"
        ):
            rows, width, inputs = self._rows(shape)
            if not len(rows):
                continue
            named: dict[str, tuple[FloatArray, IntArray]] = {}
            for part in inputs:
                semantic, key = part.get("semantic"), part.get("source")[1:]
                key = positions.get(key, key) if semantic == "VERTEX" else key
                if key not in sources or semantic in named:
                    continue
                if semantic not in ("VERTEX", "NORMAL", "TEXCOORD", "COLOR"):
                    continue
                if key not in arrays:
                    arrays[key] = self._array(sources[key])
                offset = min(self._whole(part, "offset"), width - 1)
                index = rows[:, :, offset]
                if index.min() < 0 or index.max() >= len(arrays[key]):
                    problem = f"names {semantic} {index.max()} of {len(arrays[key])}"
                    raise self._error(shape, problem)
                named[semantic] = arrays[key], index
            if "VERTEX" in named:
                out.append((shape.get("material"), _piece(named)))
        return out

    def _rows(self, shape: _Node) -> tuple[IntArray, int, list[_Node]]:
        """Return the indices of triangles, (m, 3, width), the width, the inputs."""
        inputs = shape.all("input")
        width = max([self._whole(part, "offset") for part in inputs], default=0) + 1
        if not inputs or width > 64:
            raise self._error(shape, "has no <input>, or too many")
        lists = [self._integers(node).reshape(-1) for node in shape.all("p")]
        for ph in shape.all("ph"):  # polygons with holes: without these
            lists += [self._integers(node) for node in ph.all("p")]
        lists = [row[: len(row) // width * width].reshape(-1, width) for row in lists]
        if shape.tag == "triangles":
            rows = np.concatenate([np.empty((0, width), np.int64), *lists])
            rows = rows[: len(rows) // 3 * 3].reshape(-1, 3, width)
        elif shape.tag == "polylist":
            rows = np.concatenate([np.empty((0, width), np.int64), *lists])
            node = shape.find("vcount")
            counts = self._integers(node) if node is not None else np.empty(0, np.int64)
            if counts.min(initial=0) < 0 or counts.sum() > len(rows):
                raise self._error(shape, "its <vcount> and its <p> do not fit")
            rows = rows[_fans(counts, self.source)]
        elif shape.tag == "tristrips":
            rows = np.concatenate(
                [np.empty((0, 3, width), np.int64), *map(_strip, lists)]
            )
        else:
            counts = np.array([len(row) for row in lists], dtype=np.int64)
            rows = np.concatenate([np.empty((0, width), np.int64), *lists])
            rows = rows[_fans(counts, self.source)]
        self.source.check_count(len(rows))
        return rows, width, inputs

    def _array(self, node: _Node) -> FloatArray:
        """Return the rows of a <source>, shape (n, stride)."""
        numbers = node.find("float_array")
        accessor = node.find("technique_common", "accessor")
        if numbers is None:
            raise self._error(node, "has no <float_array>")
        values = self.source.all_numbers(numbers.text)
        stride = self._whole(accessor, "stride", 1) if accessor is not None else 3
        first = self._whole(accessor, "offset") if accessor is not None else 0
        if not 1 <= stride <= 64:
            raise self._error(node, f"a stride of {stride} is not read")
        values = values[first:]
        count = len(values) // stride
        if accessor is not None and accessor.get("count"):
            count = min(count, self._whole(accessor, "count"))
        return values[: count * stride].reshape(count, stride)

    # -- materials -----------------------------------------------------------------

    def _look(self, name: str) -> tuple[FloatArray | None, ByteArray | None]:
        """Return colour and texture of a material."""
        if name not in self._looks:
            self._looks[name] = self._read_look(name)
        return self._looks[name]

    def _read_look(self, name: str) -> tuple[FloatArray | None, ByteArray | None]:
        material = self.materials.get(name)
        link = material.find("instance_effect") if material is not None else None
        effect = self.effects.get(link.get("url")[1:]) if link is not None else None
        profile = effect.find("profile_COMMON") if effect is not None else None
        technique = profile.find("technique") if profile is not None else None
        if profile is None or technique is None or effect is None:
            return None, None
        shaders = technique.all(*_SHADERS)
        if not shaders:
            return None, None
        shader = shaders[0]
        diffuse = shader.find("diffuse") or shader.find("emission")
        if diffuse is None:
            return None, None
        opacity = self._opacity(shader)
        texture = diffuse.find("texture")
        if texture is not None:
            pixels = self._texture(
                texture.get("texture"),
                [*effect.all("newparam"), *profile.all("newparam")],
            )
            return np.array([1.0, 1.0, 1.0, opacity]), pixels
        color = diffuse.find("color")
        if color is None:
            return None, None
        rgba = np.clip(self._floats(color, (3, 4)), 0.0, 1.0)[:3]
        return np.array([*rgba, opacity]), None

    def _opacity(self, shader: _Node) -> float:
        """Return the opacity; nonsense that hides everything counts as opaque."""
        mode = shader.find("transparent")
        share = shader.find("transparency", "float")
        if mode is None or share is None:
            return 1.0
        value = float(self._floats(share, 1)[0])
        color = mode.find("color")
        if color is not None:
            row = self._floats(color, (3, 4))
            if mode.get("opaque") == "RGB_ZERO":
                value = 1.0 - value * float(row[:3].mean())
            else:
                value *= float(row[3]) if len(row) == 4 else 1.0
        return value if 0.05 < value <= 1.0 else 1.0

    def _texture(self, name: str, parameters: list[_Node]) -> ByteArray | None:
        """Return the image behind the name of a sampler."""
        known = {node.get("sid"): node for node in parameters}
        for path in (("sampler2D", "source"), ("surface", "init_from")):
            node = known[name].find(*path) if name in known else None
            name = node.word() if node is not None else name
        image = self.images.get(name)
        file = image.find("init_from") if image is not None else None
        if file is None:
            return None
        inner = file.find("ref")
        place = inner.word() if inner is not None else file.word()
        if place not in self._pixels:
            data = self.source.read_beside(place, "the texture")
            self._pixels[place] = self.source.image(data, place)
        return self._pixels[place]

    # -- numbers -------------------------------------------------------------------

    def _error(self, node: _Node, problem: str) -> Exception:
        return self.source.error(problem, element=f"<{node.tag:.60}>", line=node.line)

    def _floats(
        self, node: _Node, count: int | tuple[int, int], text: bytes | None = None
    ) -> FloatArray:
        values = self.source.all_numbers(node.text if text is None else text)
        least, most = (count, count) if isinstance(count, int) else count
        if not least <= len(values) <= most or not (np.abs(values) < 1e12).all():
            raise self._error(node, f"needs {least} finite numbers, got {len(values)}")
        return values

    def _integers(self, node: _Node) -> IntArray:
        values = self.source.all_numbers(node.text)
        if not (np.abs(values) < 2e9).all():
            raise self._error(node, "holds a number that is no index")
        return values.astype(np.int64)

    def _whole(self, node: _Node, name: str, default: int = 0) -> int:
        word = node.get(name)
        if not word:
            return default
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise self._error(
                node, f"`{name}` must be a whole number, got {word!r:.40}"
            )
        return int(word)


def _bindings(node: _Node) -> dict[str, str]:
    """Return the materials of an instance by their symbols."""
    common = node.find("bind_material", "technique_common")
    found = common.all("instance_material") if common is not None else []
    return {item.get("symbol"): item.get("target")[1:] for item in found}


def _rotation(axis: FloatArray, angle: float) -> FloatArray:
    length = float(np.linalg.norm(axis))
    x, y, z = axis / length if length > 0.0 else axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def _fans(counts: IntArray, source: MeshSource) -> IntArray:
    """Return the rows of the triangles of polygons one after the other, (m, 3)."""
    inner = np.maximum(counts - 2, 0)
    source.check_count(int(inner.sum()))
    starts = np.repeat(np.cumsum(counts) - counts, inner)
    step = np.arange(len(starts)) - np.repeat(np.cumsum(inner) - inner, inner)
    return np.stack([starts, starts + step + 1, starts + step + 2], axis=1)


def _strip(rows: IntArray) -> IntArray:
    """Return the triangles of a strip, shape (m, 3, width)."""
    count = max(len(rows) - 2, 0)
    corners = np.arange(count)[:, None] + np.arange(3)
    corners[1::2] = corners[1::2][:, [1, 0, 2]]
    return rows[corners]


def _piece(named: dict[str, tuple[FloatArray, IntArray]]) -> MeshPiece:
    """Return triangles; a corner is one where position, normal and place agree."""
    positions, corner = named["VERTEX"]
    columns = [corner.reshape(-1)]
    others = [name for name in ("NORMAL", "TEXCOORD") if name in named]
    columns.extend(named[name][1].reshape(-1) for name in others)
    firsts, number = merge_rows(np.stack(columns, axis=1))
    vertices = np.zeros((len(firsts), 3))
    width = min(positions.shape[1], 3)
    vertices[:, :width] = positions[columns[0][firsts], :width]
    normals: FloatArray | None = None
    uv: FloatArray | None = None
    at = 1
    if "NORMAL" in named:
        rows = named["NORMAL"][0]
        normals = rows[columns[at][firsts]] if rows.shape[1] == 3 else None
        at += 1
    if "TEXCOORD" in named:
        rows = named["TEXCOORD"][0]
        uv = rows[columns[at][firsts]][:, :2] if rows.shape[1] >= 2 else None
        uv = uv if uv is None or (np.abs(uv) < 1e6).all() else None
    color: FloatArray | None = None
    if "COLOR" in named:
        rows, index = named["COLOR"]
        color = np.ones((len(index), 4))
        wide = min(rows.shape[1], 4)
        color[:, :wide] = np.clip(rows[index].mean(axis=1)[:, :wide], 0.0, 1.0)
    faces = number.reshape(-1, 3).astype(np.int64)
    return MeshPiece(vertices, faces, normals, color, uv)

/** Meshes and textures of a scene: fetched once, read from bytes, made into geometries. */

import * as THREE from "three";
import { MESH_HAS_COLORS, MESH_HAS_UV, MESH_HEADER_BYTES, MESH_IS_OPEN, MESH_MAGIC } from "../protocol";
import type { Body } from "../protocol";
import type { MeshPart } from "./pieces";

/** A mesh as the server sends it; see `mesh_assets.py`. */
export interface MeshData {
  /** x, y, z, x, ... [m]. */
  readonly positions: Float32Array;
  readonly uv: Float32Array | null;
  /** x, y, z, 0, x, ..., times 127. */
  readonly normals: Int8Array;
  /** sRGB and 255, red, green, blue, 255, red, ... */
  readonly colors: Uint8Array | null;
  readonly index: Uint32Array;
  /** Its inner side can be seen. */
  readonly isOpen: boolean;
}

/** What a scene has fetched, by name; what could not be fetched is missing. */
export interface Assets {
  readonly meshes: ReadonlyMap<string, MeshData>;
  readonly textures: ReadonlyMap<string, THREE.Texture>;
}

export const NO_ASSETS: Assets = { meshes: new Map(), textures: new Map() };

/** Reads a mesh; null if these bytes are none. */
export function unpackMesh(buffer: ArrayBuffer): MeshData | null {
  if (buffer.byteLength < MESH_HEADER_BYTES) return null;
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, 4));
  const head = new DataView(buffer);
  const [flags, n, m] = [4, 8, 12].map((at) => head.getUint32(at, true)) as [number, number, number];
  const hasUv = (flags & MESH_HAS_UV) !== 0;
  const hasColors = (flags & MESH_HAS_COLORS) !== 0;
  const size = MESH_HEADER_BYTES + n * (16 + (hasUv ? 8 : 0) + (hasColors ? 4 : 0)) + 12 * m;
  if (magic !== MESH_MAGIC || size !== buffer.byteLength) return null;
  let at = MESH_HEADER_BYTES;
  const take = (bytes: number) => (at += bytes) - bytes;
  const positions = new Float32Array(buffer, take(12 * n), 3 * n);
  const uv = hasUv ? new Float32Array(buffer, take(8 * n), 2 * n) : null;
  const normals = new Int8Array(buffer, take(4 * n), 4 * n);
  const colors = hasColors ? new Uint8Array(buffer, take(4 * n), 4 * n) : null;
  const index = new Uint32Array(buffer, take(12 * m), 3 * m);
  if (!index.every((corner) => corner < n)) return null;
  return { positions, uv, normals, colors, index, isOpen: (flags & MESH_IS_OPEN) !== 0 };
}

/** Fetches meshes and textures, and keeps those of the scene that is shown. */
export class Library {
  private readonly meshes = new Map<string, Promise<MeshData | null>>();
  private readonly textures = new Map<string, Promise<THREE.Texture | null>>();

  /**
   * Fetches all that bodies name, `withCoarse` also what has few triangles; what fails is
   * left out. Forgets everything else.
   */
  async load(bodies: readonly Body[], withCoarse: boolean): Promise<Assets> {
    const shapes = bodies.flatMap((body) => body.shapes);
    const names = shapes.flatMap(({ mesh, coarse }) => (withCoarse ? [mesh, coarse] : [mesh]));
    const [meshes, textures] = await Promise.all([
      collect(this.meshes, names, fetchMesh, () => {}),
      collect(this.textures, shapes.map((shape) => shape.texture), fetchTexture, (old) => old.dispose()),
    ]);
    return { meshes, textures };
  }

  dispose(): void {
    void this.load([], false);
  }
}

async function collect<T>(
  known: Map<string, Promise<T | null>>,
  wanted: readonly string[],
  make: (name: string) => Promise<T | null>,
  free: (item: T) => void,
): Promise<Map<string, T>> {
  const names = new Set(wanted.filter((name) => name));
  for (const [name, item] of [...known])
    if (!names.has(name)) {
      known.delete(name);
      void item.then((old) => old && free(old));
    }
  for (const name of names) if (!known.has(name)) known.set(name, make(name));
  const found = new Map<string, T>();
  for (const name of names) {
    const item = await known.get(name);
    if (item) found.set(name, item);
    else known.delete(name); // the next scene tries again
  }
  return found;
}

async function fetchBytes(name: string): Promise<Response | null> {
  try {
    const response = await fetch(new URL(`meshes/${name}`, location.href));
    return response.ok ? response : null;
  } catch {
    return null; // the connection is lost; whoever comes back gets the scene anew
  }
}

async function fetchMesh(name: string): Promise<MeshData | null> {
  const response = await fetchBytes(name);
  return response && unpackMesh(await response.arrayBuffer());
}

async function fetchTexture(name: string): Promise<THREE.Texture | null> {
  const response = await fetchBytes(name);
  if (!response) return null;
  try {
    const image = await createImageBitmap(await response.blob(), { imageOrientation: "flipY" });
    const texture = new THREE.Texture(image);
    texture.flipY = false; // it is turned already
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.anisotropy = 4;
    texture.needsUpdate = true;
    return texture;
  } catch {
    return null;
  }
}

/** Whether all meshes of a bundle are there. */
export function isThere(parts: readonly MeshPart[], assets: Assets): boolean {
  return parts.every(
    ({ mesh, texture }) => assets.meshes.has(mesh) && (!texture || assets.textures.has(texture)),
  );
}

/** Whether a bundle is there with few triangles, too. */
export function hasCoarse(parts: readonly MeshPart[], { meshes }: Assets): boolean {
  return parts.some(({ coarse }) => coarse && meshes.has(coarse));
}

/** Puts the meshes of one body together, with few triangles or all; colours are linear. */
export function bundleGeometry(
  parts: readonly MeshPart[],
  meshes: ReadonlyMap<string, MeshData>,
  isCoarse = false,
): THREE.BufferGeometry {
  const found = parts.map((part) => {
    const fine = meshes.get(part.mesh)!;
    return { part, data: (isCoarse && meshes.get(part.coarse)) || fine };
  });
  const sum = (count: (data: MeshData) => number) =>
    found.reduce((total, { data }) => total + count(data), 0);
  const corners = sum((data) => data.positions.length / 3);
  const hasUv = found.every(({ data }) => data.uv);
  const position = new Float32Array(3 * corners);
  const normal = new Float32Array(3 * corners);
  const color = new Float32Array(3 * corners);
  const uv = new Float32Array(hasUv ? 2 * corners : 0);
  const index = new Uint32Array(sum((data) => data.index.length));
  let corner = 0;
  let place = 0;
  for (const { part, data } of found) {
    const count = data.positions.length / 3;
    bake(part, data, position, normal, color, corner);
    if (hasUv) uv.set(data.uv!, 2 * corner);
    for (const value of data.index) index[place++] = corner + value;
    corner += count;
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  geometry.setAttribute("color", new THREE.BufferAttribute(color, 3));
  if (hasUv) geometry.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  return geometry;
}

/** Linear light of the 256 levels of sRGB. */
const LINEAR = Float32Array.from({ length: 256 }, (_, level) => {
  const share = level / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

const BRIGHTEST = 0.85; // share of light that white throws back: its form stays visible

/** Writes the corners of a mesh as they are on their body. */
function bake(
  part: MeshPart,
  data: MeshData,
  position: Float32Array,
  normal: Float32Array,
  color: Float32Array,
  first: number,
): void {
  const { positions, normals, colors } = data;
  const [a0, a1, a2, , b0, b1, b2, , c0, c1, c2, , x, y, z] = part.local as number[] as [
    number, number, number, number, number, number, number, number,
    number, number, number, number, number, number, number,
  ];
  const [red, green, blue] = part.rgba;
  const tint = new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
  const own = [tint.r, tint.g, tint.b].map((share) => BRIGHTEST * share);
  for (let i = 0, to = 3 * first; i < positions.length / 3; i += 1, to += 3) {
    const u = positions[3 * i]!;
    const v = positions[3 * i + 1]!;
    const w = positions[3 * i + 2]!;
    position[to] = a0 * u + b0 * v + c0 * w + x;
    position[to + 1] = a1 * u + b1 * v + c1 * w + y;
    position[to + 2] = a2 * u + b2 * v + c2 * w + z;
    const p = normals[4 * i]! / 127;
    const q = normals[4 * i + 1]! / 127;
    const r = normals[4 * i + 2]! / 127;
    normal[to] = a0 * p + b0 * q + c0 * r;
    normal[to + 1] = a1 * p + b1 * q + c1 * r;
    normal[to + 2] = a2 * p + b2 * q + c2 * r;
    for (let k = 0; k < 3; k += 1)
      color[to + k] = own[k]! * (colors ? LINEAR[colors[4 * i + k]!]! : 1);
  }
}

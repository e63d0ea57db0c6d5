import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { makeSky } from "../../src/view/look";
import { bundleGeometry, unpackMesh, type MeshData } from "../../src/view/meshes";
import { makePieces } from "../../src/view/pieces";
import { Solids } from "../../src/view/solids";
import { body, close, shape } from "./samples";

/** Bytes as the server writes them: one triangle with colours and places in a texture. */
function bytes({ flags = 3, corners = 3, magic = "GLM1", last = 2 } = {}): ArrayBuffer {
  const buffer = new ArrayBuffer(16 + 3 * (12 + 8 + 4 + 4) + 12);
  const view = new DataView(buffer);
  [...magic].forEach((letter, i) => view.setUint8(i, letter.charCodeAt(0)));
  [flags, corners, 1].forEach((value, i) => view.setUint32(4 + 4 * i, value, true));
  [0, 0, 0, 2, 0, 0, 0, 3, 0].forEach((value, i) => view.setFloat32(16 + 4 * i, value, true));
  [0, 0, 1, 0, 0, 1].forEach((value, i) => view.setFloat32(52 + 4 * i, value, true));
  [0, 1, 2].forEach((i) => view.setInt8(76 + 4 * i + 2, 127));
  [0, 1, 2].forEach((i) => view.setUint32(88 + 4 * i, 0xff0000ff, true)); // red
  [0, 1, last].forEach((value, i) => view.setUint32(100 + 4 * i, value, true));
  return buffer;
}

test("a mesh is read as it was written", () => {
  const found = unpackMesh(bytes())!;
  assert.deepEqual([...found.positions], [0, 0, 0, 2, 0, 0, 0, 3, 0]);
  assert.deepEqual([...found.uv!], [0, 0, 1, 0, 0, 1]);
  assert.deepEqual([...found.normals.subarray(0, 4)], [0, 0, 127, 0]);
  assert.deepEqual([...found.colors!.subarray(4, 8)], [255, 0, 0, 255]);
  assert.deepEqual([...found.index], [0, 1, 2]);
  assert.equal(found.isOpen, false);
  assert.equal(unpackMesh(bytes({ flags: 7 }))!.isOpen, true);
});

test("bytes that are no mesh are refused", () => {
  assert.equal(unpackMesh(new ArrayBuffer(3)), null);
  assert.equal(unpackMesh(bytes({ magic: "GLF1" })), null);
  assert.equal(unpackMesh(bytes({ corners: 4 })), null, "shorter than it says");
  assert.equal(unpackMesh(bytes({ last: 3 })), null, "a corner that does not exist");
});

const triangle: MeshData = unpackMesh(bytes())!;
const plain: MeshData = { ...triangle, colors: null };
const s = Math.SQRT1_2;
const place = { position: [0, 0, 5], quaternion: [s, 0, s, 0] } as const; // x to -z, z to x

test("parts of a bundle stand and face where they belong, in linear colours", () => {
  const shapes = [
    shape({ shape: "mesh", mesh: "a", rgba: [1, 1, 1, 1] }),
    shape({ shape: "mesh", mesh: "b", rgba: [0.5, 0, 0, 1], position: [0, 0, 5], quaternion: [s, 0, s, 0] }),
  ];
  const [parts] = [...makePieces([body("x", shapes)]).bundles.values()];
  const made = bundleGeometry(parts!, new Map([["a", triangle], ["b", plain]]));
  const at = (name: string, i: number) => {
    const { x, y, z } = new THREE.Vector3().fromBufferAttribute(made.getAttribute(name), i);
    return [x, y, z];
  };
  assert.ok(close(at("position", 1), [2, 0, 0]));
  assert.ok(close(at("position", 4), [0, 0, place.position[2] - 2]));
  assert.ok(close(at("normal", 4), [1, 0, 0]));
  assert.ok(close(at("color", 0), [0.85, 0, 0]));
  assert.ok(close(at("color", 3), [0.85 * ((0.5 + 0.055) / 1.055) ** 2.4, 0, 0], 1e-4));
  assert.deepEqual([...made.index!.array], [0, 1, 2, 3, 4, 5]);
});

test("meshes are drawn once they are there, and found by a ray on both qualities", () => {
  const pieces = makePieces([body("a", []), body("b", [shape({ shape: "mesh", mesh: "m" })])]);
  const poses = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1, 0, 0, 0]);
  const ray = new THREE.Raycaster(new THREE.Vector3(5.5, 6.5, 20), new THREE.Vector3(0, 0, -1));
  for (const quality of ["high", "low"] as const) {
    const empty = new Solids(pieces, quality, makeSky());
    empty.place(poses);
    empty.setGlow(1, 1, 0, 0);
    assert.equal(empty.pick(ray), null);
    empty.dispose();
    const assets = { meshes: new Map([["m", triangle]]), textures: new Map() };
    const solids = new Solids(pieces, quality, makeSky(), assets);
    solids.place(poses);
    solids.group.updateMatrixWorld(true);
    assert.equal(solids.pick(ray)?.body, 1);
    solids.dispose();
  }
});

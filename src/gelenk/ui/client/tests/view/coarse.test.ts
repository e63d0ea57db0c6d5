import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { Coarse, levelOf } from "../../src/view/coarse";
import { Merged } from "../../src/view/merged";
import { makePieces } from "../../src/view/pieces";
import { body, close, numbers, quaternion, shape } from "./samples";

const next = numbers(7);

test("moved corners lie and face as matrices of pose and shape put them", () => {
  const turn = quaternion(next);
  const made = shape({ shape: "cylinder", size: [0.1, 1.4], position: [0.3, -0.2, 0.5], quaternion: turn });
  const { batches } = makePieces([body("a", []), body("b", [made])]);
  const piece = batches[0]!.pieces[0]!;
  const form = new THREE.CylinderGeometry(1, 1, 1, 5).rotateX(Math.PI / 2);
  const merged = new Merged([{ piece, form }], new THREE.MeshBasicMaterial());
  const q = quaternion(next);
  merged.place(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 2, 3, ...q]));

  const at = (position: number[], [w, x, y, z]: number[], scale: number[]) =>
    new THREE.Matrix4().compose(
      new THREE.Vector3(...position),
      new THREE.Quaternion(x, y, z, w),
      new THREE.Vector3(...scale),
    );
  const whole = at([1, 2, 3], q, [1, 1, 1]).multiply(at([0.3, -0.2, 0.5], turn, [0.1, 0.1, 1.4]));
  const wanted = form.clone().applyMatrix4(whole);
  const { position, normal } = merged.mesh.geometry.attributes;
  assert.ok(close(position!.array, wanted.attributes.position!.array, 1e-5));
  assert.ok(close(normal!.array, wanted.attributes.normal!.array, 1e-5));
});

test("a body that stands is not moved again, one that moves is", () => {
  const { batches } = makePieces([body("a", [shape({})]), body("b", [shape({})])]);
  const form = new THREE.BoxGeometry(1, 1, 1);
  const parts = batches[0]!.pieces.map((piece) => ({ piece, form }));
  const merged = new Merged(parts, new THREE.MeshBasicMaterial());
  const position = merged.mesh.geometry.attributes.position as THREE.BufferAttribute;
  const poses = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 1, 0, 0, 0]);
  merged.place(poses);
  const { version } = position;
  const before = position.array.slice();
  merged.place(poses);
  assert.equal(position.version, version);
  poses[7] = 6;
  merged.place(poses);
  assert.ok(position.version > version);
  const moved = Array.from(position.array, (value, i) => value - before[i]!);
  moved.forEach((value, i) => assert.ok(Math.abs(value - (i >= 72 && i % 3 === 0 ? 1 : 0)) < 1e-6));
});

test("what comes near gets finer, what goes away coarser, and nothing changes on the edge", () => {
  assert.deepEqual([3, 10, 30, 100].map((radius) => levelOf(radius, 0)), [0, 1, 2, 3]);
  assert.equal(levelOf(5.5, 1), 1);
  assert.equal(levelOf(3, 1), 0);
  assert.equal(levelOf(3, 2), 0);
});

test("the eye decides how many triangles there are; a glow outlasts the change", () => {
  const pieces = makePieces([body("a", [shape({ shape: "sphere", size: [0.1] })])]);
  const coarse = new Coarse(pieces, new Map());
  const [piece] = pieces.batches[0]!.pieces;
  coarse.add(piece!, new THREE.MeshBasicMaterial());
  coarse.place(Float32Array.from([0, 0, 0, 1, 0, 0, 0]));
  coarse.setGlow(piece!, 1, 0, 0);
  const look = (away: number) => {
    for (let i = 0; i < 40; i += 1) coarse.look({ eye: [away, 0, 0], pixel: 1e-3 });
    const { geometry } = coarse.group.children[0] as THREE.Mesh;
    assert.equal(coarse.group.children.length, 1);
    assert.equal(geometry.attributes.glow!.getX(3), 1);
    return geometry.index!.count / 3;
  };
  const [far, near, again] = [look(50), look(1), look(50)];
  assert.ok(near > 4 * far, `${near} and ${far}`);
  assert.equal(again, far);
  coarse.dispose();
});

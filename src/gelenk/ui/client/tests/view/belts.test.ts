import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import type { Belt } from "../../src/protocol";
import { Belts, phaseOf, surfaceOf } from "../../src/view/belts";

const level: Belt = {
  name: "belt",
  corners: [-1, -0.2, 0.1, 1, -0.2, 0.1, 1, 0.2, 0.1, -1, 0.2, 0.1],
  along: [1, 0, 0],
};
const steep: Belt = {
  name: "ramp",
  corners: [0, 0, 0, 0, 3, 4, -0.1, 3, 4, -0.1, 0, 0],
  along: [0, 0.6, 0.8],
};

function placesOf(belts: Belts): THREE.BufferAttribute {
  const mesh = belts.group.children[0] as THREE.Mesh;
  return mesh.geometry.getAttribute("uv") as THREE.BufferAttribute;
}

test("distances along a belt are counted in stripes, on a slope too", () => {
  const flat = surfaceOf(level);
  assert.equal(flat.pitch, 0.12);
  assert.ok(Math.abs(flat.along[1]! - 2 / 0.12) < 1e-9);
  const ramp = surfaceOf(steep);
  assert.ok(Math.abs(ramp.pitch - 0.05) < 1e-9); // half of its width
  assert.ok(Math.abs(ramp.along[1]! - 5 / 0.05) < 1e-6);
  assert.ok(ramp.normal.z > 0 && Math.abs(ramp.normal.dot(new THREE.Vector3(0, 0.6, 0.8))) < 1e-9);
});

test("the phase of the stripes is the integral of the speed, in stripes", () => {
  let travel = 0;
  for (const [speed, seconds] of [[0.3, 2], [-0.1, 5], [0, 9], [0.25, 0.8]] as const)
    travel += speed * seconds;
  assert.ok(Math.abs(phaseOf(travel, 0.12) - ((travel / 0.12) % 1)) < 1e-9);
  assert.ok(Math.abs(phaseOf(-0.03, 0.12) - 0.75) < 1e-9);
  assert.equal(phaseOf(0.24, 0.12), 0);
});

test("a stripe moves with the belt: its place in the texture stays where the belt goes", () => {
  const belts = new Belts([level, steep]);
  const before = Array.from(placesOf(belts).array);
  belts.place(Float32Array.from([0.03, 0]));
  const after = Array.from(placesOf(belts).array);
  // 3 cm later the corner shows what was 3 cm before it: a quarter of a stripe
  for (let i = 0; i < 4; i += 1) assert.ok(Math.abs(after[2 * i]! - before[2 * i]! + 0.25) < 1e-5);
  assert.deepEqual(after.slice(8), before.slice(8));
});

test("belts that stand cost nothing", () => {
  const belts = new Belts([level]);
  belts.place(Float32Array.from([0.5]));
  const { version } = placesOf(belts);
  belts.place(Float32Array.from([0.5]));
  assert.equal(placesOf(belts).version, version);
  belts.place(Float32Array.from([0.51]));
  assert.ok(placesOf(belts).version > version);
  assert.equal(new Belts([]).group.children.length, 0);
});

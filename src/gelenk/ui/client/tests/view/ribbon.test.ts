import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { arrowLength } from "../../src/view/layers";
import { chooseQuality } from "../../src/view/quality";
import { ribbonTriangles, Trail, writeRibbon } from "../../src/view/ribbon";

test("a line is as wide as it says, in pixels, wherever it is", () => {
  const [height, fov] = [800, 40];
  const camera = new THREE.PerspectiveCamera(fov, 1, 0.01, 100);
  camera.position.set(0, -4, 1);
  camera.up.set(0, 0, 1);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  const pixel = (2 * Math.tan((fov * Math.PI) / 360)) / height;
  const points = [-0.2, 0, 0, 0.2, 0, 0];
  const out = new Float32Array(12);
  writeRibbon(out, points, 2, 3, { eye: [0, -4, 1], pixel });
  for (let i = 0; i < 2; i += 1) {
    const [left, right] = [0, 3].map((k) =>
      new THREE.Vector3(...out.slice(6 * i + k, 6 * i + k + 3)).project(camera),
    ) as [THREE.Vector3, THREE.Vector3];
    const width = Math.hypot(left.x - right.x, left.y - right.y) * (height / 2);
    assert.ok(Math.abs(width - 3) < 0.05, `${width}`);
  }
  assert.deepEqual(ribbonTriangles(2), [0, 1, 2, 1, 3, 2]);
});

test("a trail keeps the newest places, and standing still adds none", () => {
  const trail = new Trail(4, 0.1);
  for (const x of [0, 0.05, 0.2, 0.21, 0.4, 0.6, 0.8]) trail.push(x, 0, 0);
  assert.equal(trail.count, 4);
  const xs = [0, 1, 2, 3].map((i) => Math.round(10 * trail.points[3 * i]!) / 10);
  assert.deepEqual(xs, [0.2, 0.4, 0.6, 0.8]);
});

test("the address decides on the quality before the machine does", () => {
  const card = () => "ANGLE (NVIDIA)";
  const software = () => "ANGLE (SwiftShader Device)";
  assert.equal(chooseQuality("?quality=low", card), "low");
  assert.equal(chooseQuality("?quality=high", software), "high");
  assert.equal(chooseQuality("", software), "medium");
  assert.equal(chooseQuality("?quality=best", card), "high");
});

test("arrows grow with the force, and a hundredfold force is ten times as long", () => {
  assert.ok(Math.abs(arrowLength(100) / arrowLength(1) - 10) < 1e-12);
  assert.equal(arrowLength(-1), 0);
});

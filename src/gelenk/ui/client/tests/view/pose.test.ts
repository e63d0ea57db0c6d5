import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { composeMatrix, multiply, placeMatrix, rollPitchYaw, rotate, turnFromZ } from "../../src/view/pose";
import { close, numbers, quaternion } from "./samples";

const next = numbers(7);
const three = ([w, x, y, z]: number[]) => new THREE.Quaternion(x, y, z, w);

test("matrices of poses agree with those of three.js", () => {
  for (let i = 0; i < 50; i += 1) {
    const position = [next(), next(), next()];
    const scale = [0.1 + Math.abs(next()), 0.1 + Math.abs(next()), 0.1 + Math.abs(next())];
    const q = quaternion(next);
    const out = new Array<number>(16).fill(NaN);
    composeMatrix(out, 0, position, q, scale);
    const expected = new THREE.Matrix4().compose(
      new THREE.Vector3(...position), three(q), new THREE.Vector3(...scale),
    );
    assert.ok(close(out, expected.elements));
  }
});

test("a piece on a body is placed as a product of matrices", () => {
  const poses = Float32Array.from([9, 9, 9, 1, 0, 0, 0, next(), next(), next(), ...quaternion(next)]);
  const local = new THREE.Matrix4().compose(
    new THREE.Vector3(0.3, -0.1, 0.7), three(quaternion(next)), new THREE.Vector3(1, 2, 3),
  );
  const out = new Float32Array(32);
  placeMatrix(out, 16, poses, 7, Float32Array.from(local.elements), 0);
  const body = new THREE.Matrix4().compose(
    new THREE.Vector3(...poses.slice(7, 10)), three([...poses.slice(10, 14)]), new THREE.Vector3(1, 1, 1),
  );
  assert.ok(close(out.slice(16), body.multiply(local).elements, 1e-5));
});

test("rotations and their products agree with those of three.js", () => {
  for (let i = 0; i < 50; i += 1) {
    const [p, q] = [quaternion(next), quaternion(next)];
    const v = [next(), next(), next()];
    assert.ok(close(rotate(q, v), new THREE.Vector3(...v).applyQuaternion(three(q)).toArray()));
    const product = three(p).multiply(three(q));
    assert.ok(close(multiply(p, q), [product.w, product.x, product.y, product.z]));
  }
});

test("roll, pitch and yaw give the rotation back, also where the axis points up", () => {
  const cases = Array.from({ length: 50 }, () => quaternion(next));
  const s = Math.SQRT1_2;
  cases.push([s, 0, s, 0], [s, 0, -s, 0], [0.5, -0.5, 0.5, 0.5]);
  for (const q of cases) {
    const [roll, pitch, yaw] = rollPitchYaw(q);
    const back = new THREE.Quaternion().setFromEuler(new THREE.Euler(roll, pitch, yaw, "ZYX"));
    assert.ok(Math.abs(Math.abs(back.dot(three(q))) - 1) < 1e-6, String(q));
  }
});

test("a turn from z points along any direction", () => {
  for (const direction of [[0, 0, 2], [0, 0, -3], [1, -2, 0.5], [1e-3, 0, -1]]) {
    const length = Math.hypot(...direction);
    const z = rotate(turnFromZ(direction), [0, 0, length]);
    assert.ok(close(z, direction, 1e-6), String(z));
  }
});

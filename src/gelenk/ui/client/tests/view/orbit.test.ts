import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import {
  between, eyeOf, fit, FOV, lookAt, MAX_DISTANCE, MAX_ELEVATION, MIN_DISTANCE, orbit, pan, zoom,
  type Orbit,
} from "../../src/view/orbit";
import { Traveller, TURN } from "../../src/view/traveller";
import { close, numbers } from "./samples";

const HEIGHT = 800;
const start: Orbit = { focus: [0.3, -0.2, 0], distance: 2.5, azimuth: -1, elevation: 0.6 };

/** The camera of three.js that shows what an orbit shows. */
function lens(camera: Orbit, aspect = 1.6): THREE.PerspectiveCamera {
  const made = new THREE.PerspectiveCamera((FOV * 180) / Math.PI, aspect, 0.01, 1000);
  made.up.set(0, 0, 1);
  made.position.set(...eyeOf(camera));
  made.lookAt(...camera.focus);
  made.updateMatrixWorld();
  return made;
}

test("turning keeps the distance to the focus and the focus", () => {
  const turned = orbit(start, 130, -45);
  assert.deepEqual(turned.focus, start.focus);
  const away = Math.hypot(...eyeOf(turned).map((v, k) => v - start.focus[k]!));
  assert.ok(Math.abs(away - 2.5) < 1e-12);
  assert.notEqual(turned.azimuth, start.azimuth);
});

test("what is seen follows the mouse when turning", () => {
  // A point between the focus and the eye moves to the right with a drag to the right.
  const near = new THREE.Vector3(...eyeOf(start)).lerp(new THREE.Vector3(...start.focus), 0.5);
  const before = near.clone().project(lens(start));
  const after = near.clone().project(lens(orbit(start, 20, 0)));
  assert.ok(after.x > before.x + 0.01);
});

test("the camera never tips over", () => {
  assert.equal(orbit(start, 0, 1e6).elevation, MAX_ELEVATION);
  assert.equal(orbit(start, 0, -1e6).elevation, -MAX_ELEVATION);
});

test("moving the focus stays in x-y, and the floor follows the mouse", () => {
  const moved = pan(start, 60, 40, HEIGHT);
  assert.equal(moved.focus[2], start.focus[2]);
  const at = new THREE.Vector3(...start.focus).project(lens(moved));
  const [px, py] = [(at.x * 1.6 * HEIGHT) / 2, (-at.y * HEIGHT) / 2];
  assert.ok(Math.abs(px - 60) < 6, `${px}`);
  assert.ok(Math.abs(py - 40) < 6, `${py}`);
});

test("dragging down goes farther away, up nearer, within limits", () => {
  assert.ok(zoom(start, 10).distance > start.distance);
  assert.ok(zoom(start, -10).distance < start.distance);
  assert.equal(zoom(start, 1e9).distance, MAX_DISTANCE);
  assert.equal(zoom(start, -1e9).distance, MIN_DISTANCE);
});

test("a camera can be made from its eye", () => {
  const made = lookAt(eyeOf(start), start.focus);
  for (const key of ["distance", "azimuth", "elevation"] as const)
    assert.ok(Math.abs(made[key] - start[key]) < 1e-12, key);
});

test("a fitted camera sees all points, and touches the margin with some", () => {
  const next = numbers(3);
  for (const aspect of [0.6, 1.6, 2.4]) {
    const points = Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 3 : 0.7) * next());
    const made = fit(points, start, aspect);
    const camera = lens(made, aspect);
    let widest = 0;
    for (let i = 0; i < points.length; i += 3) {
      const seen = new THREE.Vector3(...points.slice(i, i + 3)).project(camera);
      assert.ok(seen.z < 1);
      widest = Math.max(widest, Math.abs(seen.x), Math.abs(seen.y));
    }
    assert.ok(Math.abs(widest - 0.85) < 1e-6, `${widest}`);
  }
});

test("the way to another view ends there and takes the shorter way round", () => {
  const to: Orbit = { ...start, azimuth: 3, distance: 5 };
  const from: Orbit = { ...start, azimuth: -3 };
  assert.equal(between(from, to, 1), to);
  assert.equal(between(from, to, 0).azimuth, -3);
  assert.ok(Math.abs(between(from, to, 0.5).azimuth) > 3);
});

test("a followed body comes to the middle and stays there until the focus is moved", () => {
  const traveller = new Traveller();
  traveller.follow(4, [1, 2, 0.5], 0);
  assert.equal(traveller.advance(TURN / 2, [1, 2, 0.5]), true);
  assert.equal(traveller.advance(TURN, [1.5, 2, 0.5]), false);
  assert.deepEqual(traveller.orbit.focus, [1.5, 2, 0.5]);
  traveller.move(orbit(traveller.orbit, 5, 5), false);
  assert.equal(traveller.followed, 4);
  traveller.move(pan(traveller.orbit, 5, 5, HEIGHT), true);
  assert.equal(traveller.followed, -1);
});

test("a person's hand ends the way to a view", () => {
  const traveller = new Traveller();
  traveller.travel({ ...start, distance: 9 }, 0);
  traveller.advance(TURN / 2, null);
  const here = zoom(traveller.orbit, 3);
  traveller.move(here, false);
  assert.equal(traveller.advance(TURN, null), false);
  assert.ok(close([traveller.orbit.distance], [here.distance]));
});

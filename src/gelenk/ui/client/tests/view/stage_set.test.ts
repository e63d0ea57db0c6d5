import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import type { Labels } from "../../src/view/labels";
import { makeSky, type Look } from "../../src/view/look";
import { StageSet } from "../../src/view/stage_set";
import { body, frame, scene, shape } from "./samples";

const color = () => new THREE.Color(0.5, 0.5, 0.5);
const look: Look = {
  isDark: false,
  tile: color(),
  darkTile: color(),
  edge: color(),
  ink: color(),
  skyHigh: color(),
  skyLow: color(),
  background: ["#fff", "#eee"],
};

class Words {
  readonly keys = new Set<string>();
  set(key: string): void {
    this.keys.add(key);
  }
  remove(key: string): void {
    this.keys.delete(key);
  }
}

const link = (name: string) =>
  body(`r/${name}`, [shape({ rgba: [0.24, 0.27, 0.31, 1] }), shape({})], { group: "robot", robot: "r" });

const full = scene({
  bodies: [
    body("table", [shape({}), shape({ shape: "capsule", size: [0.1, 1] })], { group: "fixed" }),
    link("arm"),
    body("glass", [shape({ rgba: [1, 1, 1, 0.4] })]),
    body("camera:eye", []),
  ],
  joints: [
    { name: "j", robot: "r", body: "r/arm", unit: "rad", minimum: null, maximum: null, max_speed: 1 },
  ],
  zones: [
    { name: "a", form: "circle", on: "enter", points: [0, 0], radius: 0.2, height: 0.1, text: "hi" },
    { name: "b", form: "barrier", on: "cross", points: [0, 0, 1, 0], radius: 0, height: 0.1, text: "" },
  ],
  cameras: [{ name: "eye", body: "camera:eye", width: 640, height: 480, fov_y: 1 }],
  floor: {
    low: [-1, -1], high: [1, 1], tile: 0.5,
    patches: [{ corners: [0, 0, 1, 0, 1, 1], rgba: [1, 0, 0, 0.5] }],
  },
});

const poses = Float32Array.from(
  [0, 1, 2, 3].flatMap((i) => [0.2 * i, 0, 0.5, 1, 0, 0, 0]),
);
const shown = frame({
  poses,
  values: Float32Array.from([0.3]),
  shares: Float32Array.from([0.5]),
  contacts: Float32Array.from([0, 0, 0, 0, 0, 9]),
});
const ALL = { visuals: true, collisions: true, frames: true, contacts: true, trails: true, zones: true, motors: true };
const SIGHT = { eye: [3, 0, 1] as [number, number, number], pixel: 1e-3 };

function build(words = new Words()): StageSet {
  const set = new StageSet(full, "high", look, makeSky(), words as unknown as Labels);
  set.setFlags(ALL, shown, poses);
  set.record(shown, true);
  set.place(shown, poses);
  set.setTrail(2, true);
  set.overlays.set("flight", [
    { kind: "tube", points: [0, 0, 0, 1, 0, 1], radii: [0.1, 0.2] },
    { kind: "point", position: [0, 0, 1] },
    { kind: "arrow", from: [0, 0, 0], along: [0, 0, 1] },
  ]);
  set.look(SIGHT, shown);
  return set;
}

test("a scene that is closed frees all geometries and materials and takes its words along", () => {
  const words = new Words();
  const set = build(words);
  assert.ok(words.keys.has("zone:0") && words.keys.has("axis:x"));
  const held = new Set<string>();
  set.group.traverse((item) => {
    if (!(item instanceof THREE.Mesh)) return;
    for (const part of [item.geometry, item.material] as (THREE.BufferGeometry | THREE.Material)[]) {
      held.add(part.uuid);
      part.addEventListener("dispose", () => held.delete(part.uuid));
    }
  });
  assert.ok(held.size > 20, `${held.size}`);
  set.dispose();
  assert.deepEqual([...held], []);
  assert.deepEqual([...words.keys], []);
});

/** Glow of the pieces of a body, by how they look. */
function glows(set: StageSet, number: number): Map<string, number> {
  const found = new Map<string, number>();
  const inner = set.solids as unknown as {
    drawn: { batch: { finish: string; pieces: { body: number }[] }; glow: THREE.BufferAttribute }[];
  };
  for (const { batch, glow } of inner.drawn)
    batch.pieces.forEach((piece, i) => {
      if (piece.body === number) found.set(batch.finish, glow.getX(i));
    });
  return found;
}

test("a moving motor lights its drum, not the whole link; standing and switched off, nothing", () => {
  const set = build();
  assert.ok(glows(set, 1).get("metal")! > 0.5);
  assert.equal(glows(set, 1).get("paint"), 0);
  set.place({ ...shown, shares: Float32Array.from([0]) }, poses);
  assert.equal(glows(set, 1).get("metal"), 0);
  set.setFlags({ ...ALL, motors: false }, shown, poses);
  assert.equal(glows(set, 1).get("metal"), 0);
  set.dispose();
});

test("corners to look at leave out what is far from the floor", () => {
  const set = build();
  const far = poses.slice();
  far[0] = 500;
  const xs = (points: number[]) => points.filter((_, i) => i % 3 === 0);
  assert.ok(Math.max(...xs(set.corners(far))) < 10);
  assert.ok(set.corners(poses).length > set.corners(far).length);
  set.dispose();
});

import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { makeSky } from "../../src/view/look";
import {
  boundsOf,
  finishOf,
  makePieces,
  pieceCorners,
  plainRobots,
  touchingBodies,
  visibleBodies,
} from "../../src/view/pieces";
import { Solids } from "../../src/view/solids";
import { body, close, shape } from "./samples";

const still = (count: number) =>
  Float32Array.from(Array.from({ length: count }, () => [0, 0, 0, 1, 0, 0, 0]).flat());

test("equal forms of many bodies are drawn together", () => {
  const bodies = Array.from({ length: 40 }, (_, i) => body(`b${i}`, [shape({ size: [i + 1, 1, 2] })]));
  const { batches, ofBody } = makePieces(bodies);
  assert.equal(batches.length, 1);
  assert.equal(batches[0]!.pieces.length, 40);
  assert.deepEqual(ofBody[7], [[0, 7]]);
});

test("translucent pieces are drawn by themselves, each opacity in its own group", () => {
  const alphas = [1, 0.5, 0.5, 0.2];
  const bodies = alphas.map((alpha, i) => body(`b${i}`, [shape({ rgba: [1, 0, 0, alpha] })]));
  const { batches } = makePieces(bodies);
  assert.deepEqual(batches.map((batch) => [batch.isSolid, batch.pieces.length]), [
    [true, 1], [false, 2], [false, 1],
  ]);
});

test("every form reaches exactly as far as its numbers say", () => {
  const cases: [Parameters<typeof shape>[0], number[]][] = [
    [{ shape: "box", size: [1, 2, 3] }, [0.5, 1, 1.5]],
    [{ shape: "sphere", size: [0.4] }, [0.4, 0.4, 0.4]],
    [{ shape: "ellipsoid", size: [0.1, 0.2, 0.3] }, [0.1, 0.2, 0.3]],
    [{ shape: "cylinder", size: [0.2, 1] }, [0.2, 0.2, 0.5]],
    [{ shape: "capsule", size: [0.2, 1] }, [0.2, 0.2, 0.7]],
    [{ shape: "capsule", size: [0.2, 1], rgba: [1, 1, 1, 0.5] }, [0.2, 0.2, 0.7]],
    [{ shape: "plane", size: [4, 6] }, [2, 3, 0]],
    [{ shape: "mesh", mesh: "m", bounds: [-1, -2, -3, 1, 2, 3] }, [1, 2, 3]],
  ];
  for (const [patch, half] of cases) {
    const pieces = makePieces([body("b", [shape({ size: [], ...patch })])]);
    const bounds = boundsOf(pieceCorners(pieces, still(1)))!;
    assert.ok(close(bounds.high, half), `${patch.shape}: ${bounds.high}`);
    assert.ok(close(bounds.low, half.map((value) => -value)), `${patch.shape}: ${bounds.low}`);
  }
});

const mesh = (patch: Parameters<typeof shape>[0]) =>
  shape({ shape: "mesh", size: [], mesh: "m", bounds: [0, 0, 0, 1, 1, 1], ...patch });

test("the meshes of a body are drawn in one go, those of bodies alike as instances", () => {
  const leg = [mesh({}), mesh({ mesh: "n", rgba: [0, 0, 1, 1], position: [0, 0, 1] })];
  const other = [mesh({}), mesh({ mesh: "n", rgba: [0, 0, 1, 1], position: [0, 0, 2] })];
  const { batches, bundles } = makePieces([body("1", leg), body("2", leg), body("3", other)]);
  assert.deepEqual(batches.map((batch) => batch.pieces.length), [2, 1]);
  assert.deepEqual([...bundles.values()].map((parts) => parts.length), [2, 2]);
});

test("a texture and another opacity of a mesh are drawn by themselves", () => {
  const parts = [mesh({}), mesh({ texture: "t.png" }), mesh({ rgba: [1, 1, 1, 0.5] })];
  const { batches } = makePieces([body("1", parts)]);
  assert.deepEqual(batches.map((batch) => batch.isSolid), [true, true, false]);
});

test("what is looked at and what touches are told apart", () => {
  const parts = (["visual", "collision", "both"] as const).map((role) => shape({ role }));
  const bodies = [body("b", [...parts, shape({ shape: "plane", role: "both" })])];
  assert.deepEqual(visibleBodies(bodies)[0]!.shapes.map((one) => one.role), ["visual", "both", "both"]);
  assert.deepEqual(touchingBodies(bodies)[0]!.shapes.map((one) => one.role), ["collision", "both"]);
});

test("robots with meshes keep the colours of their files", () => {
  const grey = mesh({ rgba: [0.5, 0.5, 0.5, 1] });
  assert.equal(plainRobots([body("a/l", [grey], { group: "robot", robot: "a" })]).size, 0);
});

test("robots of one grey get colours of their own, dressed ones keep theirs", () => {
  const grey = shape({ rgba: [0.5, 0.5, 0.5, 1] });
  const robot = (name: string, shapes: ReturnType<typeof shape>[]) =>
    body(`${name}/link`, shapes, { group: "robot", robot: name });
  const plain = plainRobots([robot("a", [grey]), robot("b", [grey, shape({})]), robot("c", [grey])]);
  assert.deepEqual([...plain.keys()], ["a", "c"]);
  assert.notDeepEqual(plain.get("a"), plain.get("c"));
  assert.equal(finishOf(robot("a", []), [0.2, 0.22, 0.23, 1]), "metal");
  assert.equal(finishOf(robot("a", []), [0.9, 0.4, 0.1, 1]), "paint");
});

test("drawn pieces stand where bodies and shapes put them, and are hit by rays there", () => {
  const made = shape({ shape: "sphere", size: [0.1], position: [0, 0, 1] });
  const pieces = makePieces([body("a", []), body("b", [made])]);
  const solids = new Solids(pieces, "low", makeSky());
  const s = Math.SQRT1_2; // b lies on its side: z of the shape is x of the world
  solids.place(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 5, 6, 7, s, 0, s, 0]));
  solids.group.updateMatrixWorld(true);
  const ray = new THREE.Raycaster(new THREE.Vector3(6, 6, 20), new THREE.Vector3(0, 0, -1));
  const hit = solids.pick(ray)!;
  assert.equal(hit.body, 1);
  assert.ok(Math.abs(hit.point.z - 7.1) < 0.01, `${hit.point.z}`);
  ray.set(new THREE.Vector3(5, 6, 20), new THREE.Vector3(0, 0, -1));
  assert.equal(solids.pick(ray), null);
  solids.dispose();
});

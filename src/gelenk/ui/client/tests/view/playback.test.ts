import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { unpackFrame } from "../../src/frame";
import { mixPoses, Playback } from "../../src/view/playback";
import { close, frame, numbers, quaternion } from "./samples";

/** Bytes of a frame as gelenk/ui/frames.py describes them. */
function bytes(flags: number): ArrayBuffer {
  const floats = [1, 2, 3, 1, 0, 0, 0, 0.5, 0.25, 7, 8, 9, 0, 0, -4];
  const data = new DataView(new ArrayBuffer(40 + 4 * floats.length));
  [..."GLF1"].forEach((letter, i) => data.setUint8(i, letter.charCodeAt(0)));
  data.setUint32(4, 3, true);
  data.setFloat64(8, 1.25, true);
  data.setUint32(16, 1250, true);
  data.setUint32(20, flags, true);
  [1, 1, 1].forEach((count, i) => data.setUint32(24 + 4 * i, count, true));
  floats.forEach((value, i) => data.setFloat32(40 + 4 * i, value, true));
  return data.buffer as ArrayBuffer;
}

test("a frame is read as it was packed", () => {
  const read = unpackFrame(bytes(1))!;
  assert.deepEqual([read.scene, read.time, read.tick, read.isAsked], [3, 1.25, 1250, true]);
  assert.deepEqual([...read.poses], [1, 2, 3, 1, 0, 0, 0]);
  assert.deepEqual([[...read.values], [...read.shares]], [[0.5], [0.25]]);
  assert.deepEqual([...read.contacts], [7, 8, 9, 0, 0, -4]);
  assert.equal(unpackFrame(bytes(0))!.isAsked, false);
});

test("bytes that are no frame are refused", () => {
  assert.equal(unpackFrame(bytes(0).slice(0, 30)), null);
  assert.equal(unpackFrame(bytes(0).slice(0, 96)), null);
  const other = bytes(0);
  new DataView(other).setUint8(0, 65);
  assert.equal(unpackFrame(other), null);
});

test("half of the way is half of the turn, whatever the sign of the quaternion", () => {
  const next = numbers(5);
  for (let i = 0; i < 30; i += 1) {
    const [p, q] = [quaternion(next), quaternion(next)];
    const from = Float32Array.from([0, 0, 0, ...p]);
    const to = Float32Array.from([0.1, 0.2, 0.3, ...q]);
    const out = new Float32Array(7);
    mixPoses(out, from, to, 0.5);
    const a = new THREE.Quaternion(p[1], p[2], p[3], p[0]);
    const b = new THREE.Quaternion(q[1], q[2], q[3], q[0]);
    const half = a.clone().slerp(b, 0.5);
    const made = new THREE.Quaternion(out[4], out[5], out[6], out[3]);
    assert.ok(Math.abs(Math.abs(half.dot(made)) - 1) < 1e-5);
    assert.ok(close(out.slice(0, 3), [0.05, 0.1, 0.15]));
  }
});

const at = (x: number, tick: number, isAsked = false, scene = 1) =>
  frame({ poses: Float32Array.from([x, 0, 0, 1, 0, 0, 0]), tick, isAsked, scene });

test("the picture goes to the newest frame and never beyond it", () => {
  const playback = new Playback();
  playback.push(at(0, 0), 0);
  playback.push(at(0.1, 10), 20);
  assert.equal(playback.advance(25), true);
  assert.ok(playback.poses[0]! > 0 && playback.poses[0]! < 0.1);
  assert.equal(playback.advance(2000), false);
  assert.ok(close(playback.poses, at(0.1, 10).poses));
});

test("a frame that comes too early continues from what is shown", () => {
  const playback = new Playback();
  playback.push(at(0, 0), 0);
  playback.push(at(0.1, 10), 16);
  playback.advance(20);
  const shown = playback.poses[0]!;
  playback.push(at(0.2, 20), 20);
  playback.advance(20);
  assert.ok(Math.abs(playback.poses[0]! - shown) < 1e-6);
});

test("scrubbed frames, another scene and time that runs back are shown at once", () => {
  for (const second of [at(0.3, 50, true), at(0.3, 50, false, 2), at(0.3, 5)]) {
    const playback = new Playback();
    playback.push(at(0, 10), 0);
    playback.push(second, 16);
    assert.equal(playback.advance(16), false);
    assert.ok(close(playback.poses, second.poses));
  }
});

test("who is put elsewhere does not fly there", () => {
  const playback = new Playback();
  playback.push(at(0, 0), 0);
  playback.push(at(3, 1), 16);
  playback.advance(17);
  assert.equal(playback.poses[0], 3);
});

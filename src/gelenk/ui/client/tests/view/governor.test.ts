import assert from "node:assert/strict";
import { test } from "node:test";
import { Governor, LEVELS } from "../../src/view/governor";

/** Notes so many pictures of a time [ms]. */
function draw(governor: Governor, count: number, elapsed: number): void {
  for (let i = 0; i < count; i += 1) governor.note(elapsed);
}

/** Pictures of a time until the level changes. */
function wait(governor: Governor, elapsed: number): number {
  for (let i = 1; i < 1e5; i += 1) if (governor.note(elapsed)) return i;
  return Infinity;
}

test("the picture gets cheaper when it is slow for a while, not for one frame", () => {
  const governor = new Governor("high");
  draw(governor, 100, 20);
  assert.equal(governor.note(400), false);
  draw(governor, 100, 20);
  assert.equal(governor.level.share, 1);
  draw(governor, 40, 80);
  assert.ok(governor.level.share < 1);
  draw(governor, 1000, 200);
  assert.equal(governor.level.share, 0.5);
});

test("slow pictures of the beginning, when all is built, change nothing", () => {
  const governor = new Governor("low");
  draw(governor, 30, 150);
  draw(governor, 200, 20);
  assert.deepEqual(governor.level, LEVELS.low[0]);
});

test("pictures that wait for the screen by turns are slow on average", () => {
  const governor = new Governor("low");
  for (let i = 0; i < 200; i += 1) governor.note(i % 2 ? 33.3 : 50);
  assert.ok(governor.level.share < 1);
  const other = new Governor("low");
  for (let i = 0; i < 200; i += 1) other.note(i % 2 ? 33.3 : 16.7);
  assert.equal(other.level.share, 1);
});

test("without a graphics card shadows go before sharpness", () => {
  const governor = new Governor("medium");
  wait(governor, 45);
  assert.deepEqual(governor.level, { share: 1, shadowPeriod: 0 });
  wait(governor, 45);
  assert.ok(governor.level.share < 1);
});

test("a picture that is fast again gets better again, each time later", () => {
  const governor = new Governor("high");
  wait(governor, 90);
  const first = wait(governor, 10);
  wait(governor, 90);
  const second = wait(governor, 10);
  assert.equal(governor.level.share, 1);
  assert.ok(second > first);
});

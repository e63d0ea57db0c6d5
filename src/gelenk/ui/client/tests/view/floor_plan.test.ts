import assert from "node:assert/strict";
import { test } from "node:test";
import { paints, tiles, triangulate } from "../../src/view/floor_plan";
import { polygonTriangles, tubeMesh } from "../../src/view/overlay";

/** Area of triangles x, y, x, y, ... */
function area(corners: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < corners.length; i += 6) {
    const [ax, ay, bx, by, cx, cy] = Array.from({ length: 6 }, (_, k) => corners[i + k]!) as [
      number, number, number, number, number, number,
    ];
    sum += ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
  }
  return sum;
}

test("tiles cover the floor once, in a checkerboard, cut at its border", () => {
  const sheet = tiles({ low: [-1, -0.5], high: [1.2, 0.5], tile: 0.5, patches: [] });
  assert.equal(sheet.isDark.length / 6, 5 * 2);
  assert.ok(Math.abs(area(sheet.corners) - 2.2) < 1e-6);
  const dark = Array.from({ length: 10 }, (_, i) => sheet.isDark[6 * i]);
  assert.deepEqual(dark, [0, 1, 1, 0, 0, 1, 1, 0, 0, 1]);
});

test("a floor without tiles, or with too many, is one area", () => {
  for (const tile of [0, 0.001]) {
    const sheet = tiles({ low: [0, 0], high: [3, 2], tile, patches: [] });
    assert.equal(sheet.isDark.length, 6);
    assert.ok(Math.abs(area(sheet.corners) - 6) < 1e-6);
  }
});

const L_FORM = [0, 0, 3, 0, 3, 1, 1, 1, 1, 2, 0, 2];

test("a polygon with a notch is cut into triangles of its area, seen from above", () => {
  for (const points of [L_FORM, reversed(L_FORM)]) {
    const corners = triangulate(points).flatMap((i) => [points[2 * i]!, points[2 * i + 1]!]);
    assert.equal(corners.length, 6 * 4);
    assert.ok(Math.abs(area(corners) - 4) < 1e-12);
  }
});

test("polygons of no area come to an end", () => {
  assert.deepEqual(triangulate([0, 0, 1, 1, 2, 2, 3, 3]), []);
  assert.deepEqual(triangulate([0, 0, 1, 1]), []);
});

test("patches keep their order and colours", () => {
  const patches = [
    { corners: [0, 0, 1, 0, 1, 1], rgba: [1, 0, 0, 1] as [number, number, number, number] },
    { corners: L_FORM, rgba: [0, 1, 0, 0.5] as [number, number, number, number] },
  ];
  const made = paints({ low: [0, 0], high: [1, 1], tile: 1, patches });
  assert.deepEqual(made.map((paint) => paint.rgba[3]), [1, 0.5]);
  assert.ok(Math.abs(area(made[1]!.corners) - 4) < 1e-6);
});

test("an upright polygon is cut as well as one that lies", () => {
  const upright = Array.from({ length: 6 }, (_, i) => [0.3, L_FORM[2 * i]!, L_FORM[2 * i + 1]!]).flat();
  assert.equal(polygonTriangles(upright).length, 12);
});

test("the wall of a tube has the radius that every point has", () => {
  const points = [0, 0, 0, 1, 0, 0, 2, 0, 1];
  const radii = [0.1, 0.2, 0.3];
  const { corners, triangles } = tubeMesh(points, radii);
  const sides = corners.length / 9;
  for (let i = 0; i < corners.length / 3; i += 1) {
    const at = Math.floor(i / sides);
    const away = Math.hypot(...[0, 1, 2].map((k) => corners[3 * i + k]! - points[3 * at + k]!));
    assert.ok(Math.abs(away - radii[at]!) < 1e-9);
  }
  assert.equal(triangles.length, 2 * sides * 6);
});

function reversed(points: number[]): number[] {
  return Array.from({ length: points.length / 2 }, (_, i) => points.length / 2 - 1 - i).flatMap(
    (i) => [points[2 * i]!, points[2 * i + 1]!],
  );
}
